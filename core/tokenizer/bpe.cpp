// Byte-pair encoding: letters are joined by a queue of the pairs that can be.
#include <algorithm>
#include <queue>

#include "base/utf8.h"
#include "text/scalar.h"
#include "tokenizer/models.h"

namespace attn::tokenizing {
namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

// A token in a list of neighbours.
struct Symbol {
  std::uint32_t id;
  std::size_t last, next;
};

std::vector<Symbol> symbols_of(std::span<const std::uint32_t> ids) {
  std::vector<Symbol> symbols;
  symbols.reserve(ids.size());
  for (std::size_t i = 0; i < ids.size(); ++i) {
    symbols.push_back({ids[i], i == 0 ? kNone : i - 1, i + 1});
  }
  if (!symbols.empty()) symbols.back().next = kNone;
  return symbols;
}

// Makes a token of it and the next one, which is no neighbour any more.
void join_next(std::vector<Symbol>& symbols, std::size_t at, std::uint32_t id) {
  const std::size_t next = symbols[at].next, behind = symbols[next].next;
  symbols[at].id = id;
  symbols[at].next = behind;
  symbols[next].next = kNone;
  if (behind != kNone) symbols[behind].last = at;
}

std::uint64_t key_of(std::uint32_t left, std::uint32_t right) {
  return std::uint64_t{left} << 32U | right;
}

// The merge with the next one; null: none.
const Bpe::Merge* merge_at(const Bpe& bpe, const std::vector<Symbol>& symbols, std::size_t at) {
  if (at == kNone || symbols[at].next == kNone) return nullptr;
  const auto found = bpe.merges.find(key_of(symbols[at].id, symbols[symbols[at].next].id));
  return found == bpe.merges.end() ? nullptr : &found->second;
}

void merge_neighbours(const Bpe& bpe, TokenIds& ids, std::size_t first) {
  using Candidate = std::pair<std::size_t, std::size_t>;  // rank and place of the left one
  std::vector<Symbol> symbols = symbols_of(std::span(ids).subspan(first));
  std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> queue;
  const auto offer = [&](std::size_t at) {
    if (const Bpe::Merge* const merge = merge_at(bpe, symbols, at)) queue.emplace(merge->rank, at);
  };
  for (std::size_t at = 0; at < symbols.size(); ++at) offer(at);
  while (!queue.empty()) {
    const auto [rank, at] = queue.top();
    queue.pop();
    const Bpe::Merge* const merge = merge_at(bpe, symbols, at);
    if (merge == nullptr || merge->rank != rank) continue;  // one of both changed meanwhile
    join_next(symbols, at, merge->id);
    offer(symbols[at].last);
    offer(at);
  }
  ids.resize(first);
  for (std::size_t at = symbols.empty() ? kNone : 0; at != kNone; at = symbols[at].next) {
    ids.push_back(symbols[at].id);
  }
}

// False for a character without a piece if there is no token for unknown text.
bool add_letters(const Bpe& bpe, std::string_view piece, TokenIds& ids) {
  bool follows_unknown = false;
  for (std::size_t at = 0; at < piece.size();) {
    const std::string_view letter = piece.substr(at, code_point_at(piece, at).length);
    std::string marked(at == 0 ? "" : bpe.prefix);
    at += letter.size();
    marked.append(letter).append(at < piece.size() ? "" : bpe.suffix);
    const std::optional<std::uint32_t> id = bpe.vocabulary->id_of(marked);
    const bool is_unknown = !id && bpe.bytes.empty();
    if (id) {
      ids.push_back(*id);
    } else if (!is_unknown) {
      for (const char byte : marked) ids.push_back(bpe.bytes[static_cast<unsigned char>(byte)]);
    } else if (!bpe.unknown) {
      return false;
    } else if (!(follows_unknown && bpe.fuses_unknown)) {
      ids.push_back(*bpe.unknown);
    }
    follows_unknown = is_unknown;
  }
  return true;
}

// "left right", or a list of both.
bool read_merge(JsonValue json, Bpe& bpe) {
  constexpr std::uint64_t kBytes = 64;  // of an entry of the table
  if (!json.charge(kBytes)) return false;
  std::string left, right;
  std::optional<Error> error;
  if (json.kind() == JsonValue::Kind::List) {
    const auto pair = pair_of(json, "a merge is of two pieces", "[\"left\", \"right\"]");
    if (!pair || !pair->first.read_text(left) || !pair->second.read_text(right)) return false;
    error = add_merge(bpe, left, right);
  } else {
    if (!json.read_text(left)) return false;
    if (!left.starts_with("#version")) error = add_merge(bpe, left);
  }
  return !error || json.refuse(error->message, error->found, error->expected);
}

}  // namespace

std::optional<Error> add_merge(Bpe& bpe, std::string_view left, std::string_view right) {
  std::string whole(left);
  whole += right.substr(std::min(bpe.prefix.size(), right.size()));
  TokenIds ids;
  for (const std::string_view text : {left, right, std::string_view(whole)}) {
    const std::optional<std::uint32_t> id = bpe.vocabulary->id_of(text);
    if (!id) {
      return Error{.kind = ErrorKind::BadInput,
                   .message = "a merge needs a piece that the vocabulary lacks",
                   .found = in_quotes(text),
                   .expected = "two pieces of the vocabulary, which become a third"};
    }
    ids.push_back(*id);
  }
  bpe.merges.insert_or_assign(key_of(ids[0], ids[1]), Bpe::Merge{bpe.count++, ids[2]});
  return std::nullopt;
}

std::optional<Error> add_merge(Bpe& bpe, std::string_view line) {
  const std::string_view left = take_before(line, " ");
  return add_merge(bpe, left, line);
}

TokenModel model_of(Bpe bpe) {
  const auto kept = std::make_shared<const Bpe>(std::move(bpe));
  return {kept->vocabulary, [kept](std::string_view piece, TokenIds& ids) {
            const auto whole = kept->keeps_pieces ? kept->vocabulary->id_of(piece) : std::nullopt;
            const std::size_t first = ids.size();
            if (whole) {
              ids.push_back(*whole);
              return true;
            }
            if (!add_letters(*kept, piece, ids)) return false;
            merge_neighbours(*kept, ids, first);
            return true;
          }};
}

TokenModel read_bpe(JsonValue json) {
  const auto vocabulary = read_pieces(json);
  const auto unknown = find<std::string>(json, "unk_token");
  Bpe bpe{.vocabulary = vocabulary,
          .prefix = get<std::string>(json, "continuing_subword_prefix"),
          .suffix = get<std::string>(json, "end_of_word_suffix"),
          .unknown = unknown ? vocabulary->id_of(*unknown) : std::nullopt,
          .fuses_unknown = get<bool>(json, "fuse_unk"),
          .keeps_pieces = get<bool>(json, "ignore_merges")};
  float dropout = 0.0F;
  const std::optional<JsonValue> said = member(json, "dropout");
  if (said && said->read_float(dropout) && dropout > 0.0F) {
    said->refuse("merges that are left out by chance are not read", said->describe(),
                 "null, as for a trained model");
  }
  if (get<bool>(json, "byte_fallback")) bpe.bytes = byte_ids(*vocabulary);
  if (const std::optional<JsonValue> merges = member(json, "merges")) {
    merges->each_item([&](JsonValue item) { return read_merge(item, bpe); });
  } else {
    json.refuse("the tokenizer has no merges", "no merges", "\"merges\": [\"a b\"]",
                "download tokenizer.json again, or give --ids");
  }
  return model_of(std::move(bpe));
}

}  // namespace attn::tokenizing
