// Unigram: of all ways to cut a text into pieces that with the highest sum of scores.
#include <algorithm>
#include <cmath>
#include <limits>

#include "base/utf8.h"
#include "tokenizer/models.h"

namespace attn::tokenizing {
namespace {

struct Unigram {
  std::vector<Numbered> pieces = {};
  std::vector<double> scores = {};  // by id
  double unknown_score = 0;
  std::optional<std::uint32_t> unknown = {};
  TokenIds bytes = {};  // for what is unknown; may be empty
};

// The best way to a place of the text.
struct Way {
  double score = -std::numeric_limits<double>::infinity();
  std::size_t begin = 0;            // of its last piece
  std::optional<std::uint32_t> id;  // of that; none: unknown, or there is no way
};

std::vector<Way> best_ways(const Unigram& model, std::string_view text) {
  std::vector<Way> ways(text.size() + 1);
  ways[0].score = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t letter = code_point_at(text, at).length;
    const double score = ways[at].score;
    bool has_letter = false;
    each_prefix(model.pieces, text.substr(at), [&](std::size_t bytes, std::uint32_t id) {
      const double sum = score + model.scores[id];
      if (sum > ways[at + bytes].score) ways[at + bytes] = {sum, at, id};
      has_letter |= bytes == letter;
    });
    const double unknown = score + model.unknown_score;
    Way& next = ways[at + letter];
    if (!has_letter && unknown > next.score) next = {unknown, at, std::nullopt};
    at += letter;
  }
  return ways;
}

bool add_unknown(const Unigram& model, std::string_view text, TokenIds& ids) {
  if (!model.bytes.empty()) {
    for (const char byte : text) ids.push_back(model.bytes[static_cast<unsigned char>(byte)]);
    return true;
  }
  if (model.unknown) ids.push_back(*model.unknown);
  return model.unknown.has_value();
}

// Unknown neighbours are one token.
bool add_best(const Unigram& model, std::string_view text, TokenIds& ids) {
  const std::vector<Way> ways = best_ways(model, text);
  std::vector<std::size_t> ends;
  for (std::size_t end = text.size(); end > 0; end = ways[end].begin) ends.push_back(end);
  std::ranges::reverse(ends);
  const auto is_unknown = [&](std::size_t end) {
    return !ways[end].id || ways[end].id == model.unknown;
  };
  for (std::size_t i = 0; i < ends.size(); ++i) {
    const std::size_t begin = ways[ends[i]].begin;
    if (!is_unknown(ends[i])) {
      ids.push_back(*ways[ends[i]].id);
      continue;
    }
    while (i + 1 < ends.size() && is_unknown(ends[i + 1])) ++i;
    if (!add_unknown(model, text.substr(begin, ends[i] - begin), ids)) return false;
  }
  return true;
}

// ["piece", score]
bool read_scored_piece(JsonValue json, Vocabulary& vocabulary, std::vector<double>& scores) {
  const auto pair = pair_of(json, "this is no piece with its score", "[\"piece\", -1.5]");
  std::string piece;
  std::string_view score;
  if (!pair || !pair->first.read_text(piece) || !pair->second.read_number(score)) return false;
  const auto id = static_cast<std::uint32_t>(scores.size());
  scores.push_back(wide_number(score));
  if (!std::isfinite(scores.back())) {
    return pair->second.refuse("the score is not finite", std::string(score), "a finite number");
  }
  return read_piece(json, std::move(piece), id, vocabulary);
}

}  // namespace

TokenModel read_unigram(JsonValue json) {
  constexpr double kPenalty = 10;  // below the score of any piece
  auto vocabulary = std::make_shared<Vocabulary>();
  Unigram unigram{.unknown = find<std::uint32_t>(json, "unk_id")};
  if (const std::optional<JsonValue> pieces = member(json, "vocab")) {
    pieces->each_item(
        [&](JsonValue item) { return read_scored_piece(item, *vocabulary, unigram.scores); });
  }
  if (unigram.unknown.value_or(0) >= unigram.scores.size()) {
    member(json, "unk_id")
        .value_or(json)
        .refuse("the unknown token is none of the vocabulary",
                std::to_string(unigram.unknown.value_or(0)),
                "below " + std::to_string(unigram.scores.size()));
    return {};
  }
  unigram.unknown_score = *std::ranges::min_element(unigram.scores) - kPenalty;
  if (get<bool>(json, "byte_fallback")) unigram.bytes = byte_ids(*vocabulary);
  unigram.pieces = sorted({vocabulary->ids().begin(), vocabulary->ids().end()});
  return {std::move(vocabulary),
          [kept = std::make_shared<const Unigram>(std::move(unigram))](
              std::string_view text, TokenIds& ids) { return add_best(*kept, text, ids); }};
}

}  // namespace attn::tokenizing
