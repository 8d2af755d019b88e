// Parsers of chosen numbers and names, and the matrices of these names.
#include "cli/selection.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "base/joined.h"
#include "base/number_text.h"
#include "document/cost.h"
#include "document/token_ids.h"
#include "engine/matrix/derived.h"
#include "engine/matrix/layer_flow.h"
#include "engine/measures.h"
#include "plot/kit/names.h"

namespace attn::cli {
namespace {

// First and last number of "7" or "0-3".
Result<std::pair<std::int64_t, std::int64_t>> range_of(std::string_view text) {
  const std::size_t dash = text.find('-');
  const Result<std::int64_t> first = parse_integer(text.substr(0, dash));
  if (!first) return first.error();
  if (dash == text.npos) return std::pair(*first, *first);
  const Result<std::int64_t> last = parse_integer(text.substr(dash + 1));
  if (!last) return last.error();
  return std::pair(*first, *last);
}

constexpr std::string_view kMeasures = "measures", kDistances = "distances";

// Numbers of all samples, layers and heads that a matrix depends on. Keys and values have one for
// each group of heads that share them.
ChosenMatrices with_all(ChosenMatrices chosen, const AttentionShape& shape) {
  const bool of_stage = is_computed(chosen.id);
  const StageInfo& info = stage_info(chosen.id.stage);
  const auto* made = std::get_if<made::FromWeights>(&chosen.id.making);
  const bool per_head = of_stage ? info.per_head : made->derived == Derived::ValueNorm;
  const bool per_layer = of_stage || !derived_info(made->derived).of_all_layers;
  const auto count_to = [](std::size_t count, std::size_t step) {
    std::vector<std::size_t> numbers(count / step);
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = i * step;
    return numbers;
  };
  const std::size_t group = info.rows_are_keys() ? shape.heads / shape.kv_heads : 1;
  chosen.joins_heads = !per_head;
  chosen.joins_layers = !per_layer || layers_of(shape, chosen.id.stage) < shape.layers;
  chosen.samples = count_to(shape.samples, 1);
  chosen.layers = count_to(per_layer ? layers_of(shape, chosen.id.stage) : 1, 1);
  chosen.heads = count_to(per_head ? shape.heads : group, group);
  return chosen;
}

ChosenMatrices of_stage(Stage stage, const HeadAddress& of) {
  const StageInfo& info = stage_info(stage);
  return {std::string(info.name),
          {stage, of},
          info.rows_are_keys() ? MatrixAxis::Keys : MatrixAxis::Queries,
          info.token_by_token() ? MatrixAxis::Keys : MatrixAxis::Features};
}

// Everything that a result has of one attention; what is around all of them is listed with the
// last.
void list_attention(std::vector<ChosenMatrices>& all, const AttentionProblem& problem,
                    const HeadAddress& of) {
  const AttentionShape shape = shape_of(problem, of);
  const std::string prefix = of == HeadAddress{} ? "" : std::string(attention_info(of).name) + "_";
  const auto add = [&](ChosenMatrices chosen, StageShape extents) {
    chosen.name.insert(0, prefix);
    chosen.extents = extents;
    all.push_back(with_all(std::move(chosen), shape));
  };
  const std::vector<Stage> stages = stages_of(problem, of);
  for (const Stage stage : stages) {
    if (of != HeadAddress{} && stage_info(stage).around_attention()) continue;
    add(of_stage(stage, of), stage_shape(shape, stage));
  }
  if (std::ranges::find(stages, Stage::Weights) == stages.end()) return;
  for (const DerivedInfo& info : all_derived()) {
    add({std::string(info.name), derived_id({.derived = info.derived}, of), MatrixAxis::Queries,
         MatrixAxis::Keys},
        {shape.n_q, shape.n_k});
  }
  const MatrixId weights{Stage::Weights, of};
  add({std::string(kMeasures), weights, MatrixAxis::One, MatrixAxis::Measures},
      {1, all_measures().size()});
  if (!nothing_at_distances(problem, of).empty()) return;
  add({std::string(kDistances), weights, MatrixAxis::One, MatrixAxis::Distances},
      {1, 2 * shape.n_q - 1});
}

std::vector<ChosenMatrices> all_matrices(const AttentionProblem& problem) {
  std::vector<ChosenMatrices> all;
  for (const AttentionInfo& info : attentions_of(problem)) {
    list_attention(all, problem, info.at());
  }
  return all;
}

Result<std::vector<ChosenMatrices>> matrices_named(const std::string& names,
                                                   const AttentionProblem& problem) {
  std::vector<ChosenMatrices> all = all_matrices(problem), found;
  if (names.empty()) {
    std::erase_if(all, [](const ChosenMatrices& one) { return !one.is_stage(); });
    return all;
  }
  for (std::string_view left = names; !left.empty();) {
    const std::string_view name = left.substr(0, left.find(','));
    left.remove_prefix(std::min(name.size() + 1, left.size()));
    const auto named = std::ranges::find(all, name, &ChosenMatrices::name);
    if (named == all.end()) {
      const auto known = names_of(all, &ChosenMatrices::name);
      Error error =
          no_value("--stage names no matrix of this document", name, "one of " + joined(known));
      error.hint = did_you_mean(name, known, "");
      return error;
    }
    const bool is_new = std::ranges::find(found, name, &ChosenMatrices::name) == found.end();
    if (is_new) found.push_back(*named);
  }
  return found;
}

// Keeps the numbers that were chosen; heads that share keys stand for each other.
Status keep_chosen(std::vector<ChosenMatrices>& all, std::string_view flag, const std::string& text,
                   const AttentionShape& of, std::vector<std::size_t> ChosenMatrices::*numbers) {
  if (text.empty()) return ok_status();
  const std::string noun = std::string(flag.substr(2)) + "s";
  const Result<std::vector<std::size_t>> wanted = chosen_numbers(flag, text, of, noun);
  if (!wanted) return wanted.error();
  for (ChosenMatrices& chosen : all) {
    std::vector<std::size_t>& there = chosen.*numbers;
    const std::size_t step = std::max<std::size_t>(of.layers / there.size(), 1);
    std::vector<std::size_t> kept;
    for (const std::size_t number : *wanted) {
      const std::size_t first = there[std::min(number / step, there.size() - 1)];
      if (std::ranges::find(kept, first) == kept.end()) kept.push_back(first);
    }
    there = std::move(kept);
  }
  return ok_status();
}

constexpr float kUndefined = std::numeric_limits<float>::quiet_NaN();

MatrixPtr measures_at(const Computed& of, const HeadAddress& at) {
  const HeadMeasures measures = measure_head(*of.result, at, token_ids(of.document, at));
  MadeCells cells{1, all_measures().size(), {}, {}};
  cells.values.reserve(cells.cols);
  for (const MeasureInfo& info : all_measures()) {
    cells.values.push_back(static_cast<float>(info.value(measures).value_or(kUndefined)));
  }
  return stored_matrix({Stage::Weights, at}, std::move(cells));
}

MatrixPtr distances_at(const Computed& of, const HeadAddress& at) {
  const DistanceProfile profile = distance_profile(*of.result, at);
  MadeCells cells{1, profile.weight.size(), {}, {}};
  cells.values.reserve(cells.cols);
  for (std::size_t i = 0; i < profile.weight.size(); ++i) {
    const auto count = static_cast<double>(profile.cells[i]);
    cells.values.push_back(count > 0.0 ? static_cast<float>(profile.weight[i] / count)
                                       : kUndefined);
  }
  return stored_matrix({Stage::Weights, at}, std::move(cells));
}

Result<MatrixPtr> derived_at(const Computed& of, const made::FromWeights& how,
                             const HeadAddress& at, Context& context) {
  const AttentionShape shape = of.result->shape(at);
  const std::uint64_t bytes = predicted_bytes(shape, how.derived);
  const Status fits = fits_in_memory(bytes, context.common.memory_limit_bytes);
  if (!fits) return fits.error();
  const Status soon = how.derived == Derived::Flow ? check_flow_time(shape) : ok_status();
  if (!soon) return soon.error();
  Result<MatrixPtr> made = MatrixPtr();
  with_progress(context.console,
                std::string("Computing the ") + std::string(derived_info(how.derived).label),
                [&](Progress* progress) { made = derive(of.result, how, at, progress); });
  return made;
}

}  // namespace

Result<std::vector<std::size_t>> chosen_numbers(std::string_view flag, const std::string& text,
                                                const AttentionShape& layers,
                                                std::string_view noun) {
  const std::size_t count = layers.layers;
  std::vector<std::size_t> numbers(text == "all" ? count : 0);
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  std::string_view left = text == "all" ? "" : std::string_view(text);
  const auto refused = [&] {
    if (count == kAnyCount) {
      return no_value(std::string(flag) + " names no " + std::string(noun), text,
                      "all, or numbers from 0 on such as 0-3,7");
    }
    const std::string most = std::to_string(count - 1);
    const bool counts = layers.layer_numbers.empty();
    return no_value(
        std::string(flag) + " names " + std::string(noun) + " that do not exist", text,
        counts ? "all, or numbers from 0 to " + most + " such as " + (count > 1 ? "0-" + most : "0")
               : "all, or " + layer_numbers_text(layers, 0));
  };
  while (!left.empty()) {
    const std::string_view part = left.substr(0, left.find(','));
    const auto range = range_of(part);
    const bool is_sound = range && range->first >= 0 && range->first <= range->second &&
                          layer_numbered(layers, static_cast<std::uint64_t>(range->second), 0);
    if (!is_sound || part.size() + 1 == left.size()) return refused();
    for (auto number = range->first; number <= range->second; ++number) {
      const auto index = layer_numbered(layers, static_cast<std::uint64_t>(number), 0);
      if (!index) return refused();
      if (std::ranges::find(numbers, *index) == numbers.end()) numbers.push_back(*index);
    }
    left.remove_prefix(std::min(part.size() + 1, left.size()));
  }
  if (numbers.empty()) return refused();
  return numbers;
}

bool MatricesAsked::any() const {
  return !stages.empty() || !layers.empty() || !heads.empty() || !samples.empty();
}

void add_matrix_flags(Flags& options, MatricesAsked& asked) {
  options.insert(
      options.end(),
      {{"--stage", "NAMES",
        "Stages such as weights or scores,weights; rollout, flow, head_mean, value_norm, measures "
        "and distances",
        &asked.stages},
       {"--layer", "NUMBERS",
        "Layers by the numbers they have, else from 0 on: all, or such as 0-3,7", &asked.layers},
       {"--head", "NUMBERS", "Heads, likewise", &asked.heads},
       {"--sample", "NUMBERS", "Samples, likewise", &asked.samples}});
}

std::string_view axis_name(MatrixAxis axis) {
  constexpr std::string_view kNames[] = {"queries",   "keys",     "features",
                                         "distances", "measures", "rows"};
  return kNames[static_cast<std::size_t>(axis)];
}

std::vector<HeadAddress> ChosenMatrices::addresses() const {
  std::vector<HeadAddress> all;
  for (const std::size_t sample : samples) {
    for (const std::size_t layer : layers) {
      for (const std::size_t head : heads) all.push_back(id.head.moved_to(layer, sample, head));
    }
  }
  return all;
}

Result<std::vector<ChosenMatrices>> chosen_matrices(const MatricesAsked& asked,
                                                    const AttentionProblem& problem,
                                                    std::string_view usual) {
  const AttentionShape& shape = problem.shape;
  auto all = matrices_named(asked.stages.empty() ? std::string(usual) : asked.stages, problem);
  if (!all) return all;
  Status kept = keep_chosen(*all, "--sample", asked.samples, {.layers = shape.samples},
                            &ChosenMatrices::samples);
  if (kept) kept = keep_chosen(*all, "--layer", asked.layers, shape, &ChosenMatrices::layers);
  if (kept)
    kept =
        keep_chosen(*all, "--head", asked.heads, {.layers = shape.heads}, &ChosenMatrices::heads);
  if (!kept) return kept.error();
  return all;
}

Result<MatrixPtr> matrix_at(const Computed& of, const ChosenMatrices& chosen, const HeadAddress& at,
                            Context& context) {
  if (chosen.columns == MatrixAxis::Measures) return measures_at(of, at);
  if (chosen.columns == MatrixAxis::Distances) return distances_at(of, at);
  const auto* how = std::get_if<made::FromWeights>(&chosen.id.making);
  if (how != nullptr) return derived_at(of, *how, at, context);
  return stage_matrix(of.result, {chosen.id.stage, at});
}

std::string name_on_axis(const Computed& of, MatrixAxis axis, const HeadAddress& at,
                         std::size_t index) {
  if (axis == MatrixAxis::Queries) return token_label(of.document, Side::Query, at, index);
  if (axis == MatrixAxis::Keys) return token_label(of.document, Side::Key, at, index);
  if (axis == MatrixAxis::Measures) return std::string(all_measures()[index].name);
  if (axis != MatrixAxis::Distances) return std::to_string(index);
  DistanceProfile profile;
  profile.tokens = of.result->shape(at).n_q;
  profile.offset = measured_offset(mask_of(of.result->problem(), at), at.sample);
  return std::to_string(profile.distance_at(index));
}

}  // namespace attn::cli
