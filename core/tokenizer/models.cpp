// The list of models, and the simplest of them.
#include "tokenizer/models.h"

#include "base/utf8.h"

namespace attn::tokenizing {
namespace {

struct WordPiece {
  std::vector<Numbered> starts, continues;  // the latter without their prefix
  std::optional<std::uint32_t> unknown;
  std::size_t most_letters;
};

WordPiece word_piece_of(const Vocabulary& vocabulary, const std::string& unknown,
                        const std::string& prefix, std::size_t most_letters) {
  std::vector<Numbered> starts, continues;
  for (const auto& [piece, id] : vocabulary.ids()) {
    starts.emplace_back(piece, id);
    if (piece.starts_with(prefix)) continues.emplace_back(piece.substr(prefix.size()), id);
  }
  return {sorted(std::move(starts)), sorted(std::move(continues)), vocabulary.id_of(unknown),
          most_letters};
}

// False if some of the word is in no piece.
bool add_known(const WordPiece& model, std::string_view word, TokenIds& ids) {
  if (code_point_count(word) > model.most_letters) return false;
  for (std::size_t at = 0; at < word.size();) {
    const auto longest = longest_prefix(at == 0 ? model.starts : model.continues, word.substr(at));
    if (!longest) return false;
    ids.push_back(longest->second);
    at += longest->first;
  }
  return true;
}

TokenModel read_word_piece(JsonValue json) {
  return word_piece(read_pieces(json), get<std::string>(json, "unk_token", "[UNK]"),
                    get<std::string>(json, "continuing_subword_prefix", "##"),
                    get<std::uint32_t>(json, "max_input_chars_per_word", 100));
}

constexpr ReaderOf<TokenModel> kModels[] = {
    {"BPE", read_bpe}, {"WordPiece", read_word_piece}, {"Unigram", read_unigram}};

}  // namespace

TokenModel word_piece(std::shared_ptr<const Vocabulary> vocabulary, const std::string& unknown,
                      const std::string& prefix, std::size_t most_letters) {
  const auto model =
      std::make_shared<const WordPiece>(word_piece_of(*vocabulary, unknown, prefix, most_letters));
  return {std::move(vocabulary), [model](std::string_view word, TokenIds& ids) {
            const std::size_t first = ids.size();
            if (add_known(*model, word, ids)) return true;
            ids.resize(first);
            if (model->unknown) ids.push_back(*model->unknown);
            return model->unknown.has_value();
          }};
}

std::shared_ptr<const Vocabulary> read_pieces(JsonValue model) {
  auto vocabulary = std::make_shared<Vocabulary>();
  if (const std::optional<JsonValue> found = member(model, "vocab")) {
    read_vocabulary(*found, *vocabulary);
  } else {
    model.refuse("the model has no vocabulary", "no vocab", "\"vocab\": {\"piece\": id}");
  }
  return vocabulary;
}

// Older files do not write the type.
TokenModel read_model(JsonValue json) {
  const char* const usual = member(json, "merges")   ? "BPE"
                            : member(json, "unk_id") ? "Unigram"
                                                     : "WordPiece";
  return read_by_type<TokenModel>(json, "model of tokens", kModels, usual);
}

}  // namespace attn::tokenizing
