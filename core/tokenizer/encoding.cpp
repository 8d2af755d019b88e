// Runs the steps of a tokenizer on a text.
#include <unordered_map>
#include <utility>

#include "base/utf8.h"
#include "tokenizer/byte_letters.h"
#include "tokenizer/members.h"
#include "tokenizer/parts.h"
#include "tokenizer/tokenizer.h"
#include "tokenizer/unicode.h"

namespace attn::tokenizing {
namespace {

// --- added tokens

// Part of a text: a token, or what is between them.
struct Cut {
  std::string_view text = {};
  std::optional<std::uint32_t> id = {};
};

bool is_within_word(std::string_view before, std::string_view after) {
  return (!before.empty() && is_part_of_word(last_code_point(before).value)) ||
         (!after.empty() && is_part_of_word(code_point_at(after, 0).value));
}

// Cuts at the tokens, of which the longest is taken. Parts are never empty.
std::vector<Cut> cut_at(const AddedTokens& added, std::string_view text) {
  std::vector<Cut> cuts;
  std::size_t done = 0;
  const auto cut_until = [&](std::size_t end) {
    if (end > done) cuts.push_back({text.substr(done, end - done)});
    done = end;
  };
  for (std::size_t at = 0; at < text.size();) {
    const auto found = longest_prefix(added.sorted, text.substr(at));
    const AddedToken* const token = found ? &added.tokens[found->second] : nullptr;
    const std::size_t end = at + (found ? found->first : 1);
    const bool is_cut = token != nullptr && !(token->single_word &&
                                              is_within_word(text.substr(0, at), text.substr(end)));
    if (is_cut) {
      const std::string_view before = text.substr(done, at - done);
      cut_until(at - (token->lstrip ? blanks_at_end(before) : 0));
      done = end + (token->rstrip ? blanks_at_start(text.substr(end)) : 0);
      cuts.push_back({text.substr(at, done - at), token->id});
    }
    at = is_cut ? done : end;
  }
  cut_until(text.size());
  return cuts;
}

// --- what people read

// Letters as the bytes that they write.
std::string bytes_of_letters(const std::string& piece) {
  std::string bytes;
  for (const char32_t letter : code_points(piece)) {
    const std::optional<char> byte = byte_of_letter(letter);
    if (!byte) return piece;
    bytes += *byte;
  }
  return bytes;
}

std::string with_visible_bytes(std::string_view bytes) {
  std::string text;
  while (const std::optional<std::size_t> bad = first_invalid_utf8(bytes)) {
    text.append(bytes.substr(0, *bad)).append(byte_token(bytes[*bad]));
    bytes.remove_prefix(*bad + 1);
  }
  return text.append(bytes);
}

// --- one text

// Its ids. Short pieces that were there before have the ids that they had.
class Encoding {
 public:
  explicit Encoding(const TokenizerParts& parts) : parts_(parts) {}

  // Adds a part of the text between added tokens of raw texts, and one between those of normalized
  // texts.
  Status add_raw(std::string_view raw, bool is_start);
  Status add(std::string_view text, bool is_start);

  TokenIds ids = {};

 private:
  static constexpr std::size_t kLongestKept = 64, kMostKept = 100'000;
  bool add_piece(const std::string& piece);
  std::string unknown_part(std::string_view piece);

  const TokenizerParts& parts_;
  std::unordered_map<std::string, std::pair<std::size_t, std::size_t>> kept_;  // places in `ids`
};

bool Encoding::add_piece(const std::string& piece) {
  if (const auto found = kept_.find(piece); found != kept_.end()) {
    const auto [begin, end] = found->second;
    for (std::size_t i = begin; i < end; ++i) ids.push_back(ids[i]);
    return true;
  }
  const std::size_t begin = ids.size();
  if (!parts_.model.add_ids(piece, ids)) return false;
  const bool is_kept = piece.size() <= kLongestKept && kept_.size() < kMostKept;
  if (is_kept) kept_.emplace(piece, std::pair(begin, ids.size()));
  return true;
}

// The first letter of a piece that has no tokens alone, or the piece.
std::string Encoding::unknown_part(std::string_view piece) {
  for (std::size_t at = 0; at < piece.size();) {
    const std::size_t length = code_point_at(piece, at).length;
    std::string letter(piece.substr(at, length));
    if (!add_piece(letter)) return letter;
    at += length;
  }
  return std::string(piece);
}

Status Encoding::add(std::string_view text, bool is_start) {
  Pieces pieces{{std::string(text), is_start}};
  if (parts_.pre_tokenizer) {
    if (Status cut = parts_.pre_tokenizer(pieces); !cut) return cut;
  }
  for (const Piece& piece : pieces) {
    if (add_piece(piece.text)) continue;
    const std::string unknown = unknown_part(piece.text);
    return Error{
        .kind = ErrorKind::BadInput,
        .message = "the vocabulary has no tokens for a piece of the text",
        .found = in_quotes(parts_.has_byte_letters ? with_visible_bytes(bytes_of_letters(unknown))
                                                   : unknown),
        .expected = "pieces of the vocabulary, as it has no token for unknown ones",
        .hint = kGiveIds};
  }
  return ok_status();
}

Status Encoding::add_raw(std::string_view raw, bool is_start) {
  Pieces whole{{std::string(raw)}};
  if (parts_.normalizer) {
    if (Status done = parts_.normalizer(whole); !done) return done;
  }
  const std::string_view normalized = whole[0].text;
  for (const Cut& cut : cut_at(parts_.normalized_tokens, normalized)) {
    if (cut.id) {
      ids.push_back(*cut.id);
    } else if (Status added = add(cut.text, is_start && cut.text.data() == normalized.data());
               !added) {
      return added;
    }
  }
  return ok_status();
}

}  // namespace
}  // namespace attn::tokenizing

namespace attn {

Result<std::shared_ptr<const Tokenizer>> Tokenizer::open(const TokenizerFiles& files) {
  Result<tokenizing::TokenizerParts> parts = tokenizing::read_parts(files);
  if (!parts) return parts.error();
  return std::make_shared<const Tokenizer>(*std::move(parts));
}

Tokenizer::Tokenizer(tokenizing::TokenizerParts parts)
    : parts_(std::make_unique<const tokenizing::TokenizerParts>(std::move(parts))) {}

Tokenizer::~Tokenizer() = default;

Result<tokenizing::TokenIds> Tokenizer::encode(std::string_view text) const {
  if (std::optional<Error> refusal = utf8_refusal(text, "the text")) return *std::move(refusal);
  if (const Status fits = tokenizing::within_limit(text.size()); !fits) return fits.error();
  tokenizing::Encoding encoding(*parts_);
  encoding.ids = parts_->around.before;
  for (const tokenizing::Cut& cut : tokenizing::cut_at(parts_->raw_tokens, text)) {
    if (cut.id) {
      encoding.ids.push_back(*cut.id);
    } else if (const Status added = encoding.add_raw(cut.text, cut.text.data() == text.data());
               !added) {
      return added.error();
    }
  }
  const tokenizing::TokenIds& after = parts_->around.after;
  encoding.ids.insert(encoding.ids.end(), after.begin(), after.end());
  return std::move(encoding.ids);
}

std::string Tokenizer::token(std::uint32_t id) const {
  const auto added = parts_->added.find(id);
  if (added != parts_->added.end()) return added->second.content;
  const std::string* const written = parts_->model.vocabulary->piece_of(id);
  return written == nullptr ? std::string() : *written;
}

std::string Tokenizer::piece(std::uint32_t id) const {
  std::string written = token(id);
  if (parts_->added.contains(id)) return written;
  return parts_->has_byte_letters
             ? tokenizing::with_visible_bytes(tokenizing::bytes_of_letters(written))
             : with_replaced(written, "▁", " ");
}

std::size_t Tokenizer::size() const { return parts_->size; }

}  // namespace attn
