// Points for the axes of a reading, tuned on thousands of files of known meaning: see
// tests/core/document/arrays/random_files_test.cpp.
#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "base/joined.h"
#include "base/number_text.h"
#include "document/load/array_reading.h"

namespace attn {
namespace {

// A reading, and values that its evidence needs repeatedly.
struct EvidenceInput {
  const ArrayChoices& choices;
  const ArrayReading& reading;
  const ArrayLayout& first = reading.layouts.front();
  bool is_weights = reading.is_finished();
  std::size_t n_q = reading.extent("query"), n_k = reading.extent("key");
  std::size_t samples = first.extent("sample");
  std::vector<Evidence> found = {};

  void add(int points, std::string because = "") {
    if (points != 0) found.push_back({points, std::move(because)});
  }
  void weigh(bool speaks_for, int points, const std::string& because) {
    add(speaks_for ? points : -points, speaks_for ? because : "");
  }
  bool has(std::string_view axis) const { return std::ranges::count(first.axes, axis) > 0; }
  // Axes by first letters, without the stacked ones; q and k for tokens and features.
  std::string order() const {
    std::string letters;
    for (const std::string& axis : first.axes) {
      letters += axis == "token" ? 'q' : axis == "feature" ? 'k' : axis.front();
    }
    return letters.substr(std::min(first.stacked.size(), letters.size()));
  }
  std::size_t own(std::size_t axis) const { return first.shape[first.stacked.size() + axis]; }
};

// --- tokens and samples

void add_tokens(EvidenceInput& input) {
  const TokenFacts& tokens = input.choices.tokens;
  const auto words = [](std::size_t count) { return counted(count, "token"); };
  if (tokens.queries > 0 || tokens.keys > 0) {
    const bool fits = (tokens.queries == 0 || tokens.queries == input.n_q) &&
                      (tokens.keys == 0 || tokens.keys == input.n_k);
    input.weigh(fits, 6, "as many as the tokens of rows and columns");
  } else if (tokens.all > 0) {
    const int sides = (input.n_q == tokens.all ? 1 : 0) + (input.n_k == tokens.all ? 1 : 0);
    input.weigh(sides > 0, 6, words(tokens.all));
    if (sides == 2) input.add(2, words(tokens.all));
  }
}

// The number of samples of lists of tokens, or of a mask of padding that is not square.
std::size_t samples_listed(const ArrayChoices& choices) {
  if (choices.tokens.lists > 1) return choices.tokens.lists;
  for (const ArrayGroup& group : choices.groups) {
    const Shape& shape = group.shape;
    const bool lists = names_padding(group) && shape.size() == 2 && group.names.size() == 1;
    if (lists && shape[0] > 1 && shape[0] != shape[1]) return shape[0];
  }
  return 0;
}

void add_samples(EvidenceInput& input) {
  const std::size_t listed = samples_listed(input.choices);
  if (listed > 0) {
    input.weigh(input.samples == listed, 6, "there are lists of " + counted(listed, "sample"));
  } else if (input.choices.tokens.lists == 1 && input.samples > 1) {
    input.add(-2);
  }
  const std::size_t layers = input.choices.noted_layers;
  if (layers > 0) {
    input.weigh(input.first.extent("layer") == layers, 6,
                "the file lists " + counted(layers, "layer"));
  }
  const std::string order = input.order();
  const std::size_t before = std::min(order.find('q'), order.find('k'));
  for (std::size_t i = 0; i < before && i < order.size(); ++i) {
    if (input.own(i) == 1) input.weigh(order[i] == 's', 4, "an axis of 1 is that of samples");
  }
}

// --- numbers

// Returns the facts that hold for the rows of all arrays of a stack.
RowFacts rows_of_stack(const ArrayChoices& choices, const std::vector<std::string>& names) {
  const std::set<std::string_view> stacked(names.begin(), names.end());
  std::optional<RowFacts> all;
  for (const ArrayFacts& array : choices.arrays) {
    if (!stacked.contains(array.name)) continue;
    const RowFacts& rows = array.rows;
    if (!all) all = rows;
    all->sum_to_one = all->sum_to_one && rows.sum_to_one;
    if (rows.is_triangle.size() != all->is_triangle.size()) return {};
    for (std::size_t i = 0; i < rows.is_triangle.size(); ++i) {
      all->is_triangle[i] = all->is_triangle[i] && rows.is_triangle[i];
      const bool differs =
          rows.columns[i] != all->columns[i] || rows.differs_along[i] != all->differs_along[i];
      if (differs) all->differs_along[i].reset();
    }
  }
  return all.value_or(RowFacts{});
}

void add_numbers(EvidenceInput& input) {
  if (input.n_q == input.n_k) input.add(3, "as many queries as keys");
  if (!input.is_weights) return;
  const RowFacts rows = rows_of_stack(input.choices, input.first.names);
  const std::string order = input.order();
  const std::size_t query = order.find('q');
  const auto array =
      std::ranges::find(input.choices.arrays, input.first.names.front(), &ArrayFacts::name);
  const bool is_squeezed = array->shape.size() != order.size();
  if (is_squeezed || query >= rows.is_triangle.size() || order.back() != 'k') return;
  if (rows.is_triangle[query] && rows.sum_to_one) input.add(5, "nothing above the diagonal");
  const std::optional<std::size_t> along = rows.differs_along[query];
  if (!along || array->type == "float16") return;
  const std::string because = "whole columns of 0 differ from sample to sample";
  const bool is_sample = *along < order.size() && order[*along] == 's';
  const bool is_one = order.size() == 3;
  is_one ? input.add(is_sample ? 2 : 0, because) : input.weigh(is_sample, 5, because);
}

void add_masks(EvidenceInput& input) {
  for (const ArrayGroup& group : input.choices.groups) {
    const bool is_mask = group.has_role(NameRole::Mask) || group.has_role(NameRole::Padding);
    if (input.is_weights || !is_mask || group.shape.empty()) continue;
    const std::string because = "`" + group.pattern + "` has " + shape_text(group.shape);
    input.weigh(group.shape.back() == input.n_k, 6, because);
    if (group.shape.size() < 2) continue;
    const std::size_t rows = group.shape[group.shape.size() - 2];
    if (rows == input.n_q || rows == input.samples || rows == 1) input.add(1, because);
  }
}

// --- names

void add_names_of_rows(EvidenceInput& input, std::string_view end) {
  const bool is_behind = input.order().find("qh") != std::string::npos;
  const bool has_heads = input.has("head");
  const std::string because = "the usual order of `" + input.first.names.front() + "`";
  const bool is_hook = end.starts_with("hook_") || end.starts_with("rot_") || end == "qcur";
  if (is_hook && input.order().size() > 2) input.weigh(is_behind, 6, because);
  // Libraries use both orders of axes for this name; there are seldom more heads than tokens.
  const bool has_few = input.first.extent("head") <= input.first.extent("token");
  if (end == "query" && has_heads) input.add(has_few ? 1 : 0, "more tokens than heads");
  if (end == "query_states" && has_heads) input.add(is_behind ? 0 : 5, because);
}

void add_names_of_weights(EvidenceInput& input, std::string_view end) {
  const std::string order = input.order(), words = name_words(input.first.names.front());
  const std::string because = "usual for arrays of this name";
  const bool is_forecast = words == "encoder_attention" || words == "decoder_attention";
  const bool is_single = end.starts_with("attn_") || end.starts_with("attention_");
  if (is_forecast && order == "sqhk") input.add(6, because);
  if (end == "decoder_self_attn" && order == "hsqk") input.add(3, because);
  if (end.ends_with("attentions")) {
    const bool is_usual = order.front() == 'l' || (input.has("sample") && input.samples == 1);
    input.add(is_usual ? 2 : 0, because);
  } else if (is_single) {
    input.add(order.front() == 's' ? 2 : 0, because);
  } else if (order == "lhqk") {
    input.add(1, because);
  }
}

void add_names(EvidenceInput& input) {
  const std::optional<KnownName> known = known_name(input.first.names.front());
  const std::string_view end = known ? known->end : "";
  input.is_weights ? add_names_of_weights(input, end) : add_names_of_rows(input, end);
}

// --- unlikely shapes

void add_unlikely(EvidenceInput& input) {
  constexpr std::size_t kMostLikelyHeads = 128;
  const std::string order = input.order();
  const bool layers = input.has("layer"), samples = input.has("sample"), heads = input.has("head");
  if (input.first.extent("head") > kMostLikelyHeads) input.add(-3);
  if (layers && samples && !heads) input.add(-2);
  if (order == "lqk") input.add(-2);
  if (input.is_weights && order.find("qh") != std::string::npos) input.add(-2);
  if (order.find("hs") != std::string::npos) input.add(-1);
}

}  // namespace

std::vector<Evidence> evidence_for(const ArrayChoices& choices, const ArrayWords& words,
                                   const ArrayReading& reading) {
  EvidenceInput input{choices, reading};
  if (input.first.axes.size() != input.first.shape.size() || words.contains("axes")) return {};
  add_tokens(input);
  add_samples(input);
  add_numbers(input);
  add_masks(input);
  add_names(input);
  add_unlikely(input);
  return input.found;
}

}  // namespace attn
