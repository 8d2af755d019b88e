// The list of models, and the simplest of them.
#include "tokenizer/models.h"

#include "base/utf8.h"
#include "tokenizer/members.h"

namespace attn::tokenizing {
namespace {

// --- WordPiece: the longest piece at each place of a word

struct WordPiece {
  PrefixIndex starts, continues;  // the latter without their prefix
  std::optional<std::uint32_t> unknown;
  std::uint32_t most_letters;
};

WordPiece word_piece_of(const Vocabulary& vocabulary, const WordPieceOptions& options) {
  std::vector<PrefixIndex::Entry> starts, continues;
  const std::string& prefix = options.continuing_subword_prefix;
  for (const auto& [piece, id] : vocabulary.ids()) {
    starts.emplace_back(piece, id);
    if (piece.starts_with(prefix)) continues.emplace_back(piece.substr(prefix.size()), id);
  }
  return {PrefixIndex(std::move(starts)), PrefixIndex(std::move(continues)),
          vocabulary.id_of(options.unk_token), options.max_input_chars_per_word};
}

// False if some of the word is in no piece.
bool add_known(const WordPiece& model, std::string_view word, TokenIds& ids) {
  if (code_point_count(word) > model.most_letters) return false;
  for (std::size_t at = 0; at < word.size();) {
    const PrefixIndex& pieces = at == 0 ? model.starts : model.continues;
    const auto longest = pieces.longest_prefix(word.substr(at));
    if (!longest) return false;
    ids.push_back(longest->second);
    at += longest->first;
  }
  return true;
}

// --- reading

std::shared_ptr<const Vocabulary> read_pieces(JsonValue json) {
  auto vocabulary = std::make_shared<Vocabulary>();
  const std::optional<JsonValue> found = member(json, "vocab");
  if (!found) json.refuse("the model has no vocabulary", "no vocab", "\"vocab\": {\"piece\": id}");
  return found && read_vocabulary(*found, *vocabulary) ? vocabulary : nullptr;
}

// "left right", or a list of both.
bool read_merge(JsonValue json, Bpe& bpe) {
  constexpr std::uint64_t kBytes = 64;  // of an entry of the table
  if (!json.charge(kBytes)) return false;
  std::vector<std::string> pair;
  std::string line;
  const bool is_list = json.kind() == JsonValue::Kind::List;
  if (is_list ? !read_value(json, pair) : !json.read_text(line)) return false;
  if (is_list && pair.size() != 2) {
    return json.refuse("a merge is of two pieces", std::to_string(pair.size()), "2");
  }
  if (line.starts_with("#version")) return true;
  const std::optional<Error> error =
      is_list ? bpe.add_merge(pair[0], pair[1]) : bpe.add_merge(line);
  return !error || json.refuse(error->message, error->found, error->expected);
}

bool read_bpe(JsonValue json, TokenModel& model) {
  BpeOptions options;
  const std::optional<JsonValue> merges = member(json, "merges");
  const bool is_read =
      read_member(json, "unk_token", options.unk_token) &&
      read_member(json, "continuing_subword_prefix", options.continuing_subword_prefix) &&
      read_member(json, "end_of_word_suffix", options.end_of_word_suffix) &&
      read_member(json, "fuse_unk", options.fuse_unk) &&
      read_member(json, "byte_fallback", options.byte_fallback) &&
      read_member(json, "ignore_merges", options.ignore_merges);
  std::shared_ptr<const Vocabulary> vocabulary = is_read ? read_pieces(json) : nullptr;
  if (vocabulary == nullptr) return false;
  Bpe bpe(vocabulary, std::move(options));
  if (merges && !merges->each_item([&](JsonValue item) { return read_merge(item, bpe); })) {
    return false;
  }
  model = model_of(std::move(vocabulary), std::move(bpe));
  return true;
}

bool read_word_piece(JsonValue json, TokenModel& model) {
  WordPieceOptions options;
  if (!read_member(json, "unk_token", options.unk_token) ||
      !read_member(json, "continuing_subword_prefix", options.continuing_subword_prefix) ||
      !read_member(json, "max_input_chars_per_word", options.max_input_chars_per_word)) {
    return false;
  }
  std::shared_ptr<const Vocabulary> vocabulary = read_pieces(json);
  if (vocabulary == nullptr) return false;
  model = word_piece(std::move(vocabulary), options);
  return true;
}

struct ModelType {
  std::string_view name;
  bool (*read)(JsonValue, TokenModel&);
};
constexpr ModelType kModels[] = {
    {"BPE", read_bpe}, {"WordPiece", read_word_piece}, {"Unigram", read_unigram}};

}  // namespace

TokenModel word_piece(std::shared_ptr<const Vocabulary> vocabulary,
                      const WordPieceOptions& options) {
  const auto model = std::make_shared<const WordPiece>(word_piece_of(*vocabulary, options));
  return {std::move(vocabulary), [model](std::string_view word, TokenIds& ids) {
            const std::size_t first = ids.size();
            if (add_known(*model, word, ids)) return true;
            ids.resize(first);
            if (model->unknown) ids.push_back(*model->unknown);
            return model->unknown.has_value();
          }};
}

// Older files do not write the type.
bool read_model(JsonValue json, TokenModel& model) {
  const char* const usual = member(json, "merges")   ? "BPE"
                            : member(json, "unk_id") ? "Unigram"
                                                     : "WordPiece";
  const ModelType* const type = type_of(json, "model of tokens", kModels, usual);
  return type != nullptr && type->read(json, model);
}

}  // namespace attn::tokenizing
