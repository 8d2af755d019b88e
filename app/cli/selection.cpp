// Parsers of chosen numbers and names, and the matrices of these names.
#include "cli/selection.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/joined.h"
#include "base/number_text.h"
#include "document/cost.h"
#include "document/token_ids.h"
#include "engine/matrix/derived.h"
#include "engine/matrix/layer_flow.h"
#include "engine/measures.h"
#include "kinds/parts/atlas.h"
#include "kinds/parts/logits.h"
#include "plot/all_plots.h"
#include "plot/kit/names.h"
#include "plot/kit/token_lines.h"
#include "view/fields.h"

namespace attn::cli {
namespace {

constexpr std::string_view kMeasures = "measures", kDistances = "distances", kLogits = "logits",
                           kAtlas = "atlas";

// Adds the numbers of all samples, layers and heads that a matrix depends on. Keys and values have
// one for each group of heads that share them.
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

// Lists all matrices that a result has of one attention; stages around all attentions are listed
// with the last.
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

// Logits after the last layer, one matrix per sample.
ChosenMatrices all_logits(const AttentionProblem& problem) {
  ChosenMatrices chosen = with_all(
      {std::string(kLogits), {}, MatrixAxis::Queries, MatrixAxis::Vocabulary}, problem.shape);
  chosen.extents = {problem.shape.n_q, problem.vocabulary->head.extent(0)};
  chosen.joins_layers = chosen.joins_heads = true;
  chosen.layers = chosen.heads = {0};
  return chosen;
}

// Returns the atlas, one matrix per sample.
ChosenMatrices all_of_atlas(const AttentionProblem& problem, const HeadAddress& of) {
  ChosenMatrices chosen =
      with_all({std::string(kAtlas), {Stage::Weights, of}, MatrixAxis::Heads, MatrixAxis::Effects},
               problem.shape);
  if (of != HeadAddress{}) chosen.name.insert(0, std::string(attention_info(of).name) + "_");
  const std::size_t heads = problem.shape.layers * problem.shape.heads;
  chosen.extents = {heads, heads + (nothing_predicted(problem).empty() ? 2 : 0)};
  chosen.joins_layers = chosen.joins_heads = true;
  chosen.layers = chosen.heads = {0};
  return chosen;
}

std::vector<ChosenMatrices> all_matrices(const AttentionProblem& problem) {
  std::vector<ChosenMatrices> all;
  for (const AttentionInfo& info : attentions_of(problem)) list_attention(all, problem, info.at());
  if (nothing_predicted(problem).empty()) all.push_back(all_logits(problem));
  for (const AttentionInfo& info : attentions_of(problem)) {
    if (why_no_atlas(problem, info.at()).empty()) all.push_back(all_of_atlas(problem, info.at()));
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
    const std::string_view name = take_before(left, ",");
    const auto named = std::ranges::find(all, name, &ChosenMatrices::name);
    if (named == all.end() && name == kLogits) return usage_error(nothing_predicted(problem));
    if (named == all.end() && name == kAtlas) return usage_error(why_no_atlas(problem));
    if (named == all.end()) {
      return unknown_name("matrix", std::string(name),
                          names_of(std::span(all), &ChosenMatrices::name));
    }
    const bool is_new = std::ranges::find(found, name, &ChosenMatrices::name) == found.end();
    if (is_new) found.push_back(*named);
  }
  return found;
}

// Refuses numbers that choose nothing of any of the matrices, as figures do.
Status check_used(const std::vector<ChosenMatrices>& all, const NumberedAxis& axis,
                  const std::string& text) {
  const auto joined = [&](const ChosenMatrices& chosen) { return is_joined(chosen, axis); };
  if (text.empty() || text == kAllHeads || !std::ranges::all_of(all, joined)) return ok_status();
  const MatrixId& id = all.front().id;
  const auto* made = std::get_if<made::FromWeights>(&id.making);
  ViewOptions options;
  options.stage = id.stage;
  if (made != nullptr) options.derived = made->derived;
  const PlotEntry& plot = *plot_named(made == nullptr ? "heatmap" : "derived");
  const std::string why = why_idle(plot, options, axis.name);
  return idle("--" + std::string(axis.name),
              why.empty() ? "This stage is made once for all layers" : why);
}

// Keeps the numbers that were chosen; heads that share keys stand for each other.
Status keep_chosen(std::vector<ChosenMatrices>& all, const NumberedAxis& axis,
                   const std::string& text, const AttentionShape& shape) {
  if (text.empty()) return ok_status();
  const auto wanted = chosen_numbers(std::string(axis.name), text, as_layers(axis, shape));
  if (!wanted) return wanted.error();
  for (ChosenMatrices& chosen : all) {
    std::vector<std::size_t>& there = chosen.*axis.chosen;
    const std::size_t step = std::max<std::size_t>(shape.*axis.count / there.size(), 1);
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

MatrixPtr stored_row(const HeadAddress& at, std::vector<float> values) {
  const std::size_t count = values.size();
  return stored_matrix({Stage::Weights, at}, {1, count, std::move(values), {}});
}

MatrixPtr measures_at(const Computed& of, const HeadAddress& at) {
  const HeadMeasures measures = measure_head(*of.result, at, token_ids(of.document, at));
  std::vector<float> values;
  for (const MeasureInfo& info : all_measures()) {
    values.push_back(static_cast<float>(info.value(measures).value_or(kUndefined)));
  }
  return stored_row(at, std::move(values));
}

MatrixPtr distances_at(const Computed& of, const HeadAddress& at) {
  const DistanceProfile profile = distance_profile(*of.result, at);
  std::vector<float> values;
  for (std::size_t i = 0; i < profile.weight.size(); ++i) {
    const auto count = static_cast<double>(profile.cells[i]);
    values.push_back(count > 0.0 ? static_cast<float>(profile.weight[i] / count) : kUndefined);
  }
  return stored_row(at, std::move(values));
}

Result<MatrixPtr> derived_at(const Computed& of, const made::FromWeights& how,
                             const HeadAddress& at, Context& context) {
  const AttentionShape shape = of.result->shape(at);
  const std::uint64_t bytes = predicted_bytes(shape, how.derived);
  const Status fits = fits_in_memory(bytes, context.common.memory_limit_bytes);
  if (!fits) return fits.error();
  const Status soon = how.derived == Derived::Flow ? check_flow_time(shape) : ok_status();
  if (!soon) return soon.error();
  return with_progress(context.console,
                       "Computing the " + std::string(derived_info(how.derived).label),
                       [&](Progress* progress) { return derive(of.result, how, at, progress); });
}

Result<MatrixPtr> logits_at(const Computed& of, std::size_t sample, Context& context) {
  const AttentionProblem& problem = of.result->problem();
  const std::size_t rows = problem.shape.n_q, cols = problem.vocabulary->head.extent(0);
  const Status fits =
      fits_in_memory(element_count({rows, cols, sizeof(float)}), context.common.memory_limit_bytes);
  if (!fits) return fits.error();
  return with_progress(
      context.console, "Computing the logits", [&](Progress* progress) -> Result<MatrixPtr> {
        auto made = logits_of(*of.result, last_rows(problem, sample, 0, rows), progress);
        if (is_cancelled(progress)) return stopped();
        if (std::ranges::any_of(made->log_sums, [](double sum) { return !std::isfinite(sum); })) {
          context.console.warning(
              "some logits are NaN or infinite: the head of the model has such "
              "numbers, or what it reads");
        }
        return stored_matrix({}, {rows, cols, std::move(made->logits), {}});
      });
}

Result<MatrixPtr> atlas_at(const Computed& of, const ChosenMatrices& chosen, const HeadAddress& at,
                           Context& context) {
  const Status fits =
      fits_in_memory(bytes_of_atlas(of.result->problem()), context.common.memory_limit_bytes);
  if (!fits) return fits.error();
  AtlasRequest request{at, 0, chosen.other};
  if (nothing_predicted(of.result->problem()).empty()) {
    ViewOptions view;
    view.at = at;
    request.row =
        chosen.place.value_or(place_of_next(FittedView({of.document, *of.result}, {view, {}, {}})));
  }
  const auto atlas = with_progress(context.console, "Taking heads out", [&](Progress* progress) {
    return atlas_of(of.result, request, progress);
  });
  if (!atlas) return atlas.error();
  std::vector<float> values;
  for (const HeadEffect& effect : (*atlas)->effects) {
    values.insert(values.end(), effect.changes.begin(), effect.changes.end());
    if (!(*atlas)->token) continue;
    values.insert(values.end(),
                  {static_cast<float>(effect.divergence), static_cast<float>(effect.logit_change)});
    if (chosen.other != nullptr) values.push_back(static_cast<float>(effect.carried));
  }
  const std::size_t heads = (*atlas)->effects.size();
  return stored_matrix({Stage::Weights, at}, {heads, values.size() / heads, std::move(values), {}});
}

// Returns "2:1", as --gate names the head; "next_token", "logit" and "carried" behind the heads.
std::string effect_name(const Computed& of, std::size_t index) {
  const AttentionShape& shape = of.result->shape();
  const std::size_t heads = shape.layers * shape.heads;
  constexpr const char* kBehind[] = {"next_token", "logit", "carried"};
  if (index >= heads) return kBehind[index - heads];
  return std::to_string(layer_number(shape, index / shape.heads, 0)) + ":" +
         std::to_string(index % shape.heads);
}

// Numbers of tokens without names are from 0, as all are on the command line.
std::string token_text(const Document& document, Side side, const HeadAddress& at,
                       std::size_t index) {
  const bool is_named = tokens_of(document, side, at).name_of(index) != nullptr;
  return is_named ? token_label(document, side, at, index) : std::to_string(index);
}

}  // namespace

namespace {

Error no_numbers(const std::string& name, const std::string& text, const AttentionShape& of) {
  if (of.layers == kAnyCount) {
    return no_value("--" + name + " names no " + name + "s", text,
                    "all, or numbers from 0 on such as 0-3,7");
  }
  const std::string most = std::to_string(of.layers - 1);
  const std::string counted =
      "numbers from 0 to " + most + " such as " + (of.layers > 1 ? "0-" : "") + most;
  return no_value("--" + name + " names " + name + "s that do not exist", text,
                  "all, or " + (of.layer_numbers.empty() ? counted : layer_numbers_text(of, 0)));
}

}  // namespace

Result<std::vector<std::size_t>> chosen_numbers(const std::string& name, const std::string& text,
                                                const AttentionShape& of) {
  std::vector<std::size_t> numbers(text == kAllHeads ? of.layers : 0);
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  bool exist = true;
  const auto add = [&](std::size_t first, std::size_t last) {
    exist = exist && layer_numbered(of, last, 0);
    for (std::size_t number = first; exist && number <= last; ++number) {
      const auto index = layer_numbered(of, number, 0);
      exist = index.has_value();
      const bool is_new = exist && std::ranges::find(numbers, *index) == numbers.end();
      if (is_new) numbers.push_back(*index);
    }
  };
  const bool is_list = text == kAllHeads || each_span(text, add);
  if (is_list && exist && !numbers.empty() && !text.ends_with(',')) return numbers;
  return no_numbers(name, text, of);
}

std::span<const NumberedAxis> numbered_axes() {
  static constexpr NumberedAxis kAxes[] = {
      {"sample", &AttentionShape::samples, &HeadAddress::sample, &ChosenMatrices::samples},
      {"layer", &AttentionShape::layers, &HeadAddress::layer, &ChosenMatrices::layers},
      {"head", &AttentionShape::heads, &HeadAddress::head, &ChosenMatrices::heads}};
  return kAxes;
}

bool is_joined(const ChosenMatrices& chosen, const NumberedAxis& axis) {
  return (chosen.joins_layers && axis.name == "layer") ||
         (chosen.joins_heads && axis.name == "head");
}

AttentionShape as_layers(const NumberedAxis& axis, const AttentionShape& shape) {
  const bool are_layers = axis.count == &AttentionShape::layers;
  return {.layers = shape.*axis.count,
          .layer_numbers = are_layers ? shape.layer_numbers : std::vector<std::uint64_t>{}};
}

std::uint64_t number_at(const NumberedAxis& axis, const AttentionShape& shape, std::size_t index) {
  return layer_number(as_layers(axis, shape), index, 0);
}

std::vector<std::pair<std::string_view, std::uint64_t>> numbers_of(const ChosenMatrices& chosen,
                                                                   const AttentionShape& shape,
                                                                   const HeadAddress& at,
                                                                   bool all) {
  std::vector<std::pair<std::string_view, std::uint64_t>> numbers;
  for (const NumberedAxis& axis : numbered_axes()) {
    const bool is_one = (chosen.*axis.chosen).size() <= 1;
    if (all ? is_joined(chosen, axis) : is_one) continue;
    numbers.emplace_back(axis.name, number_at(axis, shape, at.*axis.at));
  }
  return numbers;
}

Flag::Keep kept_in(const std::shared_ptr<FigureRequest>& request, std::string_view option) {
  return [request, option](const std::string& text) { set_text(*request, option, text); };
}

void add_matrix_flags(Flags& options, const std::shared_ptr<FigureRequest>& request) {
  const auto add = [&](std::string_view option, const char* value, const char* help) {
    options.push_back({spelt(option, Spelling::Flag), value, help, kept_in(request, option)});
  };
  add("stage", "NAMES",
      "Stages such as weights or scores,weights; rollout, flow, head_mean, value_norm, measures "
      "and distances; logits of a language model, and the atlas of its heads");
  add("layer", kNumbersName,
      "Layers by the numbers they have, else from 0 on: all, or such as 0-3,7");
  add("head", kNumbersName, "Heads, likewise");
  add("sample", kNumbersName, "Samples, likewise");
}

bool has_names(MatrixAxis axis) {
  return axis == MatrixAxis::Measures || axis == MatrixAxis::Distances ||
         axis == MatrixAxis::Vocabulary || axis >= MatrixAxis::Heads;
}

std::string_view axis_name(MatrixAxis axis) {
  constexpr std::string_view kNames[] = {"queries",    "keys", "features", "distances", "measures",
                                         "vocabulary", "rows", "heads",    "effects"};
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

Result<std::vector<ChosenMatrices>> chosen_matrices(const FigureRequest& request,
                                                    const AttentionProblem& problem,
                                                    std::string_view usual) {
  const std::string stages = text_of(request, "stage");
  auto all = matrices_named(stages.empty() ? std::string(usual) : stages, problem);
  for (const NumberedAxis& axis : numbered_axes()) {
    if (!all) return all;
    const std::string numbers = text_of(request, axis.name);
    if (Status used = check_used(*all, axis, numbers); !used) return used.error();
    const Status kept = keep_chosen(*all, axis, numbers, problem.shape);
    if (!kept) return kept.error();
  }
  return all;
}

Status subtract(std::vector<ChosenMatrices>& all, FigureRequest request,
                const std::shared_ptr<const Computed>& other, const std::string& file) {
  set_text(request, "stage", joined(all, ",", &ChosenMatrices::name));
  const auto others = chosen_matrices(request, other->result->problem(), "");
  if (!others) return others.error();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Shape here = all[i].shape(), there = (*others)[i].shape();
    all[i].less = std::make_shared<const Subtracted>(Subtracted{other, (*others)[i]});
    if (here == there) continue;
    return Error{.kind = ErrorKind::Usage,
                 .message = all[i].name +
                            " has different shapes (samples, layers, heads, rows, columns) in "
                            "the document and in " +
                            file,
                 .found = shape_text(there),
                 .expected = shape_text(here),
                 .hint =
                     "choose parts that both have with --sample, --layer and --head, or "
                     "another stage with --stage"};
  }
  return ok_status();
}

Result<MatrixPtr> matrix_at(const Computed& of, const ChosenMatrices& chosen, const HeadAddress& at,
                            Context& context) {
  if (chosen.columns == MatrixAxis::Measures) return measures_at(of, at);
  if (chosen.columns == MatrixAxis::Distances) return distances_at(of, at);
  if (chosen.columns == MatrixAxis::Vocabulary) return logits_at(of, at.sample, context);
  if (chosen.rows == MatrixAxis::Heads) return atlas_at(of, chosen, at, context);
  const auto* how = std::get_if<made::FromWeights>(&chosen.id.making);
  if (how != nullptr) return derived_at(of, *how, at, context);
  return stage_matrix(of.result, {chosen.id.stage, at});
}

std::string name_on_axis(const Computed& of, MatrixAxis axis, const HeadAddress& at,
                         std::size_t index) {
  if (axis == MatrixAxis::Queries) return token_text(of.document, Side::Query, at, index);
  if (axis == MatrixAxis::Keys) return token_text(of.document, Side::Key, at, index);
  if (axis == MatrixAxis::Measures) return std::string(all_measures()[index].name);
  if (axis == MatrixAxis::Vocabulary) {
    return vocabulary_label(*of.result->problem().vocabulary, static_cast<std::uint32_t>(index),
                            false);
  }
  if (axis == MatrixAxis::Heads || axis == MatrixAxis::Effects) return effect_name(of, index);
  if (axis != MatrixAxis::Distances) return std::to_string(index);
  DistanceProfile profile;
  profile.tokens = of.result->shape(at).n_q;
  profile.offset = measured_offset(mask_of(of.result->problem(), at), at.sample);
  return std::to_string(profile.distance_at(index));
}

}  // namespace attn::cli
