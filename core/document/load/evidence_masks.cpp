// Points for attending and for hiding where the flags of a mask are true.
#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include "base/row_sample.h"
#include "document/load/evidence.h"

namespace attn {
namespace {

using Axes = std::vector<std::string>;

std::size_t extent_of(const AttentionShape& shape, std::string_view axis) {
  if (axis == "layer") return shape.layers;
  if (axis == "sample") return shape.samples;
  if (axis == "head") return shape.heads;
  return axis == "query" ? shape.n_q : shape.n_k;
}

// Flags as matrices of queries and keys; a list is a matrix of one row.
struct Matrices {
  std::span<const std::uint8_t> flags;
  std::size_t count, rows, keys;
  bool are_lists;
  std::ptrdiff_t offset;  // of the right-aligned diagonal

  bool flag(std::size_t matrix, std::size_t row, std::size_t key) const {
    return flags[(matrix * rows + row) * keys + key] != 0;
  }
  bool is_later(std::size_t row, std::size_t key) const {
    return static_cast<std::ptrdiff_t>(key) > static_cast<std::ptrdiff_t>(row) + offset;
  }
};

// Cells that one of the two readings hides: those where flags are true, or where they are false.
struct Hidden {
  const Matrices& in;
  bool where;
  bool at(std::size_t m, std::size_t row, std::size_t key) const {
    return in.flag(m, row, key) == where;
  }
};

// Patterns that a reading shows in its matrices.
struct MaskPatterns {
  bool unseeing = false, excused = false;  // queries without a key
  std::string query;                       // the first of them: "the last query"
  bool no_self = true, later_hidden = true, only_later = true, ends_hidden = false;
  bool has_later = false, sees_later = false;
  bool end_runs = false, start_runs = false, whole = false, other_runs = false;
  std::size_t hidden = 0;
};

// The number of first, or last, keys that are hidden from all.
std::size_t keys_hidden(const Hidden& hidden, std::size_t m, bool at_end) {
  const Matrices& in = hidden.in;
  for (std::size_t n = 0; n < in.keys; ++n) {
    const std::size_t key = at_end ? in.keys - 1 - n : n;
    for (std::size_t row = 0; row < in.rows; ++row) {
      if (!hidden.at(m, row, key)) return n;
    }
  }
  return in.keys;
}

void look_at_row(const Hidden& hidden, std::size_t m, std::size_t row, MaskPatterns& seen) {
  for (std::size_t key = 0; key < hidden.in.keys; ++key) {
    const bool is_later = hidden.in.is_later(row, key), is_hidden = hidden.at(m, row, key);
    const bool is_self =
        !is_later && (key + 1 == hidden.in.keys || hidden.in.is_later(row, key + 1));
    if (is_later) seen.has_later = true;
    if (is_hidden) {
      ++seen.hidden;
      continue;
    }
    if (is_later) seen.later_hidden = false;
    if (is_later) seen.sees_later = true;
    if (is_self) seen.no_self = false;
    if (!is_later && !is_self) seen.only_later = false;
  }
}

void look_at_queries(const Hidden& hidden, std::size_t m, MaskPatterns& seen) {
  const Matrices& in = hidden.in;
  std::size_t unseeing = 0, first = 0;
  for (std::size_t row = 0; row < in.rows; ++row) {
    const std::size_t before = seen.hidden;
    look_at_row(hidden, m, row, seen);
    if (seen.hidden - before < in.keys) continue;
    if (unseeing == row) ++first;
    if (unseeing++ > 0 || !seen.query.empty()) continue;
    seen.query = row == 0 ? "the first query" : row + 1 == in.rows ? "the last query" : "a query";
  }
  if (keys_hidden(hidden, m, true) > 0 && unseeing < in.rows) seen.ends_hidden = true;
  if (unseeing == 0) return;
  // Left padding: the causal rule leaves the first queries without a key.
  const auto left = static_cast<std::ptrdiff_t>(keys_hidden(hidden, m, false)) - in.offset;
  const bool is_left =
      first == unseeing && unseeing < in.rows && left == static_cast<std::ptrdiff_t>(unseeing);
  (is_left ? seen.excused : seen.unseeing) = true;
}

void look_at_list(const Hidden& hidden, std::size_t m, MaskPatterns& seen) {
  const std::size_t keys = hidden.in.keys;
  std::size_t count = 0;
  for (std::size_t key = 0; key < keys; ++key) count += hidden.at(m, 0, key) ? 1 : 0;
  seen.hidden += count;
  if (count == keys) seen.unseeing = true;
  if (count == 0) seen.whole = true;
  if (count == 0 || count == keys) return;
  const bool at_end = keys_hidden(hidden, m, true) == count;
  const bool at_start = keys_hidden(hidden, m, false) == count;
  (at_end ? seen.end_runs : at_start ? seen.start_runs : seen.other_runs) = true;
}

MaskPatterns seen_in(const Hidden& hidden) {
  MaskPatterns seen;
  for (std::size_t m = 0; m < hidden.in.count; ++m) {
    hidden.in.are_lists ? look_at_list(hidden, m, seen) : look_at_queries(hidden, m, seen);
  }
  return seen;
}

// Reasons for hiding where true (points > 0) and for attending (< 0).
struct Verdict {
  std::vector<Evidence> found;
  int sum = 0;

  // `side`: 1 for hiding, -1 for attending.
  void add(int side, int points, std::string because) {
    if (points != 0) found.push_back({side * points, std::move(because)});
    sum += side * points;
  }
};

void judge_queries(const MaskPatterns& seen, int side, Verdict& verdict) {
  if (seen.unseeing) verdict.add(-side, 8, "else " + seen.query + " would see no key");
  if (!seen.unseeing && seen.excused) verdict.add(-side, 1, "else a query would see no key");
  if (seen.no_self) verdict.add(-side, 4, "else no query would see itself");
  if (seen.has_later && seen.later_hidden) verdict.add(side, 4, "what comes later is hidden");
  if (seen.sees_later && seen.only_later) {
    verdict.add(-side, 6, "else only what comes later would be seen");
  }
  if (seen.ends_hidden) verdict.add(side, 2, "the last keys are hidden from all");
}

void judge_lists(const MaskPatterns& seen, std::size_t lists, int side, Verdict& verdict) {
  if (seen.unseeing) verdict.add(-side, 8, "else a sample would have no key");
  const bool is_at_end = seen.end_runs && !seen.start_runs && !seen.other_runs;
  const bool is_at_start = seen.start_runs && !seen.end_runs && !seen.other_runs;
  if (is_at_end) verdict.add(side, 2, "runs at the end are hidden");
  if (is_at_start) verdict.add(side, 1, "runs at the start are hidden");
  if (lists > 1 && seen.whole) verdict.add(side, 6, "a sample is whole");
}

void judge_tokens(const Matrices& in, const TokenFacts& tokens, Verdict& verdict) {
  if (!in.are_lists || tokens.padding.size() != in.count) return;
  bool pads_hide = true, pads_attend = true, any = false;
  for (std::size_t m = 0; m < in.count; ++m) {
    if (tokens.padding[m].size() != in.keys) return;
    for (std::size_t key = 0; key < in.keys; ++key) {
      const bool pads = tokens.padding[m][key];
      any = any || pads;
      (in.flag(m, 0, key) == pads ? pads_attend : pads_hide) = false;
    }
  }
  if (any && pads_hide) verdict.add(1, 20, "true where tokens pad");
  if (any && pads_attend) verdict.add(-1, 20, "false where tokens pad");
}

// The step from one flag to the next along each axis of the weights but the keys.
std::vector<std::size_t> strides_along(const Axes& weights, const BoolTensor& flags,
                                       const Axes& mask) {
  std::map<std::string, std::size_t> strides;
  std::size_t step = 1;
  for (std::size_t i = mask.size(); i-- > 0; step *= flags.extent(i)) {
    if (flags.extent(i) > 1) strides[mask[i]] = step;
  }
  std::vector<std::size_t> all;
  for (const std::string& axis : weights) all.push_back(strides.contains(axis) ? strides[axis] : 0);
  return all;
}

// False if weights are not 0 in either case: then the mask was not applied to them. Rows whose
// flags are all equal are no evidence, since a softmax of equal numbers is not 0.
bool judge_weights(const MaskedNumbers& numbers, const BoolTensor& flags, const Axes& axes,
                   Verdict& verdict) {
  const Tensor& weights = numbers.weights;
  if (weights.empty() || numbers.axes.size() != weights.rank()) return true;
  const std::vector<std::size_t> strides = strides_along(numbers.axes, flags, axes);
  std::array<bool, 2> there{}, any{}, seen{};  // of false and true flags, in rows that have both
  bool has_mixed = false;
  const auto look = [&](std::size_t row, std::span<const float> values) {
    std::size_t place = 0;
    for (std::size_t i = weights.rank() - 1; i-- > 0; row /= weights.extent(i)) {
      place += row % weights.extent(i) * strides[i];
    }
    std::array<bool, 2> has{}, weighs{};
    for (std::size_t key = 0; key < values.size(); ++key) {
      const std::size_t flag = flags[place + key * strides.back()] != 0 ? 1 : 0;
      has[flag] = true;
      weighs[flag] = weighs[flag] || values[key] != 0.0F;
    }
    has_mixed = has_mixed || (has[0] && has[1]);
    for (const std::size_t flag : {0U, 1U}) {
      there[flag] = there[flag] || has[flag];
      any[flag] = any[flag] || weighs[flag];
      seen[flag] = seen[flag] || (weighs[flag] && has[1 - flag]);
    }
    return !(seen[0] && seen[1]);
  };
  visit_rows(weights, sample_of_rows(weights), look);
  if (!has_mixed && any[0] && any[1]) return true;
  if (!has_mixed) seen = any;
  if (seen[0] && seen[1]) return false;
  for (const std::size_t flag : {1U, 0U}) {
    const int side = flag == 1 ? 1 : -1;
    const std::string where = flag == 1 ? "true" : "false";
    const std::string are_0 = (any[flag] ? "of queries with both, " : "") +
                              ("all weights where it is " + where) + " are 0";
    if (seen[flag]) verdict.add(-side, 14, "weights where it is " + where + " are not 0");
    if (there[flag] && !seen[flag]) verdict.add(side, 14, are_0);
  }
  return true;
}

constexpr int kDocumented = 6;

void judge_name(int leaning, Verdict& verdict) {
  verdict.add(leaning > 0 ? 1 : -1, std::abs(leaning), "usual for masks of this name");
}

Matrices matrices_of(const MaskedNumbers& numbers, const BoolTensor& flags, const Axes& axes) {
  const AttentionShape& shape = numbers.shape;
  const bool has_queries = std::ranges::count(axes, "query") > 0;
  const std::size_t rows = has_queries ? flags.extent(flags.rank() - 2) : 1;
  const bool are_lists = !has_queries || (rows == 1 && shape.n_q > 1);
  const auto offset =
      static_cast<std::ptrdiff_t>(shape.n_k) - static_cast<std::ptrdiff_t>(shape.n_q);
  const std::size_t keys = flags.extent(flags.rank() - 1);
  return {flags.values(), flags.size() / (rows * keys), rows, keys, are_lists, offset};
}

}  // namespace

bool lists_keys(const Axes& axes) { return std::ranges::count(axes, "query") == 0; }

std::vector<Axes> axes_of_mask(const Shape& mask, bool is_padding, const AttentionShape& shape) {
  std::vector<Axes> all{{"key"},
                        {"query", "key"},
                        {"sample", "key"},
                        {"sample", "query", "key"},
                        {"head", "query", "key"},
                        {"layer", "query", "key"},
                        {"sample", "head", "query", "key"},
                        {"layer", "sample", "query", "key"},
                        {"layer", "head", "query", "key"},
                        {"layer", "sample", "head", "query", "key"}};
  if (is_padding) std::swap(all[1], all[2]);
  std::erase_if(all, [&](const Axes& axes) {
    const Shape full = shape_of_mask(mask, axes, shape);
    bool fits = full.size() == axes.size() && full.back() == shape.n_k;
    for (std::size_t i = 0; fits && i < axes.size(); ++i) {
      fits = full[i] == 1 || full[i] == extent_of(shape, axes[i]);
    }
    return !fits;
  });
  // Axes of extent 1 make no difference.
  std::set<Axes> seen;
  std::erase_if(all, [&](Axes axes) {
    const Shape full = shape_of_mask(mask, axes, shape);
    std::erase_if(axes, [&, i = 0U](const std::string& axis) mutable {
      return full[i++] == 1 && axis != "key" && axis != "query";
    });
    return !seen.insert(axes).second;
  });
  return all;
}

Shape shape_of_mask(const Shape& mask, const Axes& axes, const AttentionShape& shape) {
  const bool is_flat = mask.size() == 3 && axes.size() == 4 && axes.front() == "sample" &&
                       shape.samples > 1 && shape.heads > 1 &&
                       mask.front() == shape.samples * shape.heads;
  return is_flat ? Shape{shape.samples, shape.heads, mask[1], mask[2]} : mask;
}

void judge_mask(const MaskedNumbers& numbers, const BoolTensor& flags,
                const std::optional<KnownName>& known, MaskReading& mask) {
  const Matrices in = matrices_of(numbers, flags, mask.axes);
  const bool is_square = flags.rank() > 2 || !in.are_lists;
  const int leaning = !known ? 0 : is_square ? known->square_leaning : known->leaning;
  Verdict verdict;
  judge_tokens(in, numbers.tokens, verdict);
  if (!judge_weights(numbers, flags, mask.axes, verdict)) {
    mask.use = MaskUse::NotUsed;
    mask.margin = -1;
    mask.because = "weights are not 0 where it is true, nor where it is false";
    mask.word = "mask";
    return;
  }
  for (const bool where : {true, false}) {
    const MaskPatterns seen = seen_in(Hidden{in, where});
    const int side = where ? 1 : -1;
    in.are_lists ? judge_lists(seen, in.count, side, verdict) : judge_queries(seen, side, verdict);
    if (2 * seen.hidden < flags.size()) verdict.add(side, 1, "fewer than half are hidden");
  }
  const int others = verdict.sum;
  judge_name(leaning, verdict);
  const int side = verdict.sum > 0 ? 1 : -1;
  mask.use = side > 0 ? MaskUse::Hides : MaskUse::Attends;
  mask.margin = std::abs(verdict.sum);
  const bool is_contradicted = std::abs(leaning) >= kDocumented && leaning * others < 0;
  if (is_contradicted) mask.margin = std::min(mask.margin, kMostLikelyMargin);
  const auto strength = [&](const Evidence& each) { return side * each.points; };
  const auto best = std::ranges::max_element(verdict.found, {}, strength);
  if (best != verdict.found.end() && strength(*best) > 0) mask.because = best->because;
}

}  // namespace attn
