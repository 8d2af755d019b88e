// Runs the steps of a tokenizer on a text.
#include "tokenizer/tokenizer.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "base/utf8.h"
#include "tokenizer/byte_letters.h"
#include "tokenizer/members.h"
#include "tokenizer/parts.h"

namespace attn::tokenizing {
namespace {

// TokenIds of one text. Short pieces that were there before have the ids that they had.
class Encoding {
 public:
  explicit Encoding(const TokenizerParts& parts) : parts_(parts) {}

  Status add(std::string_view text, bool is_start);
  void add_ids(const TokenIds& more) { ids.insert(ids.end(), more.begin(), more.end()); }

  TokenIds ids = {};

 private:
  static constexpr std::size_t kLongestKept = 64, kMostKept = 100'000;
  struct Range {
    std::size_t first, count;
  };
  Status add_piece(const std::string& piece);

  const TokenizerParts& parts_;
  std::unordered_map<std::string, Range> kept_;  // places in `ids`
};

Status Encoding::add_piece(const std::string& piece) {
  if (const auto found = kept_.find(piece); found != kept_.end()) {
    const auto [first, count] = found->second;
    for (std::size_t i = first; i < first + count; ++i) ids.push_back(ids[i]);
    return ok_status();
  }
  const std::size_t first = ids.size();
  if (!parts_.model.add_ids(piece, ids)) {
    return Error{.kind = ErrorKind::BadInput,
                 .message = "the vocabulary has no tokens for a piece of the text",
                 .found = in_quotes(piece),
                 .expected = "pieces of the vocabulary, as it has no token for unknown ones",
                 .hint = kGiveIds};
  }
  const bool is_kept = piece.size() <= kLongestKept && kept_.size() < kMostKept;
  if (is_kept) kept_.emplace(piece, Range{first, ids.size() - first});
  return ok_status();
}

Status Encoding::add(std::string_view text, bool is_start) {
  Pieces pieces{{std::string(text), is_start}};
  if (parts_.pre_tokenizer) {
    if (Status cut = parts_.pre_tokenizer(pieces); !cut) return cut;
  }
  for (const Piece& piece : pieces) {
    if (Status added = add_piece(piece.text); !added) return added;
  }
  return ok_status();
}

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
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string text;
  for (std::optional<std::size_t> bad; (bad = first_invalid_utf8(bytes));) {
    const auto byte = static_cast<unsigned char>(bytes[*bad]);
    text.append(bytes.substr(0, *bad)).append("<0x");
    text.append({kDigits[byte / 16], kDigits[byte % 16], '>'});
    bytes.remove_prefix(*bad + 1);
  }
  return text.append(bytes);
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
  encoding.add_ids(parts_->around.before);
  for (const tokenizing::Cut& raw : parts_->raw_tokens.cut(text)) {
    tokenizing::Pieces whole{{std::string(raw.text)}};
    if (parts_->normalizer && !raw.id) {
      if (const Status done = parts_->normalizer(whole); !done) return done.error();
    }
    const std::string_view normalized = whole[0].text;
    const std::vector<tokenizing::Cut> cuts =
        raw.id ? std::vector<tokenizing::Cut>{raw} : parts_->normalized_tokens.cut(normalized);
    for (const tokenizing::Cut& cut : cuts) {
      const bool is_start = raw.text.data() == text.data() && cut.text.data() == normalized.data();
      if (cut.id) {
        encoding.ids.push_back(*cut.id);
      } else if (const Status added = encoding.add(cut.text, is_start); !added) {
        return added.error();
      }
    }
  }
  encoding.add_ids(parts_->around.after);
  return std::move(encoding.ids);
}

std::string Tokenizer::token(std::uint32_t id) const {
  const auto added = parts_->added.find(id);
  if (added != parts_->added.end()) return added->second.content;
  const std::string* const written = parts_->model.vocabulary->piece_of(id);
  return written == nullptr ? std::string() : *written;
}

std::string Tokenizer::piece(std::uint32_t id) const {
  const std::string written = token(id);
  if (parts_->added.contains(id)) return written;
  return parts_->has_byte_letters
             ? tokenizing::with_visible_bytes(tokenizing::bytes_of_letters(written))
             : with_replaced(written, "▁", " ");
}

std::size_t Tokenizer::size() const { return parts_->size; }

}  // namespace attn
