// Byte-pair encoding: letters are joined by a queue of the pairs that can be.
#include <algorithm>
#include <queue>

#include "base/utf8.h"
#include "text/scalar.h"
#include "tokenizer/models.h"

namespace attn::tokenizing {
namespace {

std::uint64_t key_of(std::uint32_t left, std::uint32_t right) {
  return std::uint64_t{left} << 32U | right;
}

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

// A token in a list of neighbours.
struct Symbol {
  std::uint32_t id;
  std::size_t last, next;
  bool is_merged = false;  // into the one before it
};

// Two neighbours that become one; the queue has the smallest rank first, then the leftmost.
struct Candidate {
  std::size_t rank, at;
  std::uint32_t id;
  friend bool operator<(const Candidate& a, const Candidate& b) {
    return a.rank != b.rank ? a.rank > b.rank : a.at > b.at;
  }
};

std::vector<Symbol> symbols_of(const TokenIds& ids, std::size_t first) {
  std::vector<Symbol> symbols;
  const std::size_t count = ids.size() - first;
  symbols.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    symbols.push_back({ids[first + i], i == 0 ? kNone : i - 1, i + 1 == count ? kNone : i + 1});
  }
  return symbols;
}

void join_next(std::vector<Symbol>& symbols, std::size_t at, std::uint32_t id) {
  Symbol& next = symbols[symbols[at].next];
  symbols[at].id = id;
  symbols[at].next = next.next;
  next.is_merged = true;
  if (next.next != kNone) symbols[next.next].last = at;
}

}  // namespace

TokenIds byte_ids(const Vocabulary& vocabulary) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  TokenIds ids;
  for (std::size_t byte = 0; byte < 256; ++byte) {
    const std::string piece = {'<', '0', 'x', kDigits[byte / 16], kDigits[byte % 16], '>'};
    const std::optional<std::uint32_t> id = vocabulary.id_of(piece);
    if (!id) return {};
    ids.push_back(*id);
  }
  return ids;
}

Bpe::Bpe(std::shared_ptr<const Vocabulary> vocabulary, BpeOptions options)
    : vocabulary_(std::move(vocabulary)), options_(std::move(options)) {
  if (options_.unk_token) unknown_ = vocabulary_->id_of(*options_.unk_token);
  if (options_.byte_fallback) bytes_ = byte_ids(*vocabulary_);
}

std::optional<Error> Bpe::add_merge(std::string_view line) {
  const std::size_t blank = std::min(line.find(' '), line.size());
  return add_merge(line.substr(0, blank), line.substr(std::min(blank + 1, line.size())));
}

std::optional<Error> Bpe::add_merge(std::string_view left, std::string_view right) {
  const std::size_t prefix = options_.continuing_subword_prefix.value_or("").size();
  std::optional<std::uint32_t> ids[3];
  std::string whole(left);
  whole += right.substr(std::min(prefix, right.size()));
  for (const auto& [place, text] : {std::pair(0, left), {1, right}, {2, std::string_view(whole)}}) {
    ids[place] = vocabulary_->id_of(text);
    if (ids[place]) continue;
    return Error{.kind = ErrorKind::BadInput,
                 .message = "a merge needs a piece that the vocabulary lacks",
                 .found = in_quotes(text),
                 .expected = "two pieces of the vocabulary, which become a third"};
  }
  merges_.insert_or_assign(key_of(*ids[0], *ids[1]), Merge{count_++, *ids[2]});
  return std::nullopt;
}

const Bpe::Merge* Bpe::merge_of(std::uint32_t left, std::uint32_t right) const {
  const auto found = merges_.find(key_of(left, right));
  return found == merges_.end() ? nullptr : &found->second;
}

// Characters without a piece and without any token for unknown text are left out.
void Bpe::add_letters(std::string_view piece, TokenIds& ids) const {
  bool follows_unknown = false;
  for (std::size_t at = 0; at < piece.size();) {
    const std::string_view letter = piece.substr(at, code_point_at(piece, at).length);
    std::string marked(at == 0 ? "" : options_.continuing_subword_prefix.value_or(""));
    at += letter.size();
    marked.append(letter).append(at < piece.size() ? "" : options_.end_of_word_suffix.value_or(""));
    if (const std::optional<std::uint32_t> id = vocabulary_->id_of(marked)) {
      ids.push_back(*id);
      follows_unknown = false;
    } else if (!bytes_.empty()) {
      for (const char byte : marked) ids.push_back(bytes_[static_cast<unsigned char>(byte)]);
    } else if (unknown_ && !(follows_unknown && options_.fuse_unk)) {
      ids.push_back(*unknown_);
      follows_unknown = true;
    }
  }
}

void Bpe::merge(TokenIds& ids, std::size_t first) const {
  std::vector<Symbol> symbols = symbols_of(ids, first);
  std::priority_queue<Candidate> queue;
  const auto offer = [&](std::size_t at) {
    if (at == kNone || symbols[at].next == kNone) return;
    const Merge* const found = merge_of(symbols[at].id, symbols[symbols[at].next].id);
    if (found != nullptr) queue.push({found->rank, at, found->id});
  };
  for (std::size_t at = 0; at < symbols.size(); ++at) offer(at);
  while (!queue.empty()) {
    const Candidate best = queue.top();
    queue.pop();
    const Symbol& left = symbols[best.at];
    if (left.is_merged || left.next == kNone) continue;
    const Merge* const found = merge_of(left.id, symbols[left.next].id);
    if (found == nullptr || found->id != best.id) continue;  // one of both changed meanwhile
    join_next(symbols, best.at, best.id);
    offer(left.last);
    offer(best.at);
  }
  ids.resize(first);
  for (const Symbol& symbol : symbols) {
    if (!symbol.is_merged) ids.push_back(symbol.id);
  }
}

bool Bpe::add_ids(std::string_view piece, TokenIds& ids) const {
  if (options_.ignore_merges) {
    if (const std::optional<std::uint32_t> id = vocabulary_->id_of(piece)) {
      ids.push_back(*id);
      return true;
    }
  }
  const std::size_t first = ids.size();
  add_letters(piece, ids);
  merge(ids, first);
  return true;
}

TokenModel model_of(std::shared_ptr<const Vocabulary> vocabulary, Bpe bpe) {
  return {std::move(vocabulary),
          [bpe = std::make_shared<const Bpe>(std::move(bpe))](
              std::string_view piece, TokenIds& ids) { return bpe->add_ids(piece, ids); }};
}

}  // namespace attn::tokenizing
