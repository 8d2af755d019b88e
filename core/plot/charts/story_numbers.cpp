// Numbers of one row, read once: the story of a cell is drawn from these alone, so that a frame
// costs as much for 100,000 keys as for three.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/special_numbers.h"
#include "plot/charts/story.h"

namespace attn {
namespace {

using Numbers = StoryNumbers;

// Stages of the row, in the order of computation.
struct RowStage {
  Stage stage;
  float StoryKey::*number;
};
constexpr RowStage kRowStages[] = {{Stage::Scores, &StoryKey::score},
                                   {Stage::Scaled, &StoryKey::scaled},
                                   {Stage::Softcapped, &StoryKey::softcapped},
                                   {Stage::Masked, &StoryKey::masked},
                                   {Stage::Weights, &StoryKey::weight}};

struct ChosenCell {
  std::size_t row = 0;
  std::optional<std::size_t> col = {};  // none: the largest weight
};

// Whether both are stages that this attention computes of each query and key.
bool is_in_row(const CellHit& pin, const HeadAddress& at, const StageShape& shape) {
  return is_computed(pin.matrix) && is_token_by_token(pin.matrix) &&
         pin.matrix.head.same_attention(at) && pin.row < shape.rows && pin.col < shape.cols;
}

ChosenCell chosen_cell(const FittedView& view) {
  const HeadAddress& at = view.options.at;
  const StageShape shape = view.result.stage_shape(Stage::Weights, at);
  const std::vector<CellHit>& pins = view.options.pins;
  if (!pins.empty() && is_in_row(pins.front(), at, shape)) {
    return {pins.front().row, pins.front().col};
  }
  return {shape.rows - std::min<std::size_t>(shape.rows, 1)};
}

std::vector<float> row_at(const AttentionResult& result, Stage stage, const HeadAddress& at,
                          std::size_t row) {
  std::vector<float> numbers(result.stage_shape(stage, at).cols);
  if (!numbers.empty()) result.read(stage, at, {row, 0, 1, numbers.size()}, numbers.data());
  return numbers;
}

// The first `most` by `size`, of equal ones those in front.
template <class Size>
std::vector<std::size_t> largest_by(std::size_t count, std::size_t most, const Size& size) {
  std::vector<std::size_t> all(count);
  std::iota(all.begin(), all.end(), std::size_t{0});
  const auto before = [&](std::size_t a, std::size_t b) {
    const auto x = size(a), y = size(b);
    return x != y ? x > y : a < b;
  };
  const auto end = all.begin() + static_cast<std::ptrdiff_t>(std::min(most, count));
  std::partial_sort(all.begin(), end, all.end(), before);
  all.erase(end, all.end());
  return all;
}

// NaN has no order.
float sortable(float number) { return std::isnan(number) ? -1.0F : number; }

void choose_keys(Numbers& story, const std::vector<float>& weights,
                 const std::optional<std::size_t>& col) {
  const auto by_weight = [&](std::size_t k) { return sortable(weights[k]); };
  std::vector<std::size_t> chosen = largest_by(weights.size(), kStoryKeys, by_weight);
  story.key = col.value_or(chosen.empty() ? 0 : chosen.front());
  const auto there = std::ranges::find(chosen, story.key);
  if (there != chosen.end()) chosen.erase(there);
  chosen.insert(chosen.begin(), story.key);  // the cell's is never left out
  for (const std::size_t k : chosen) story.keys.push_back({.key = k});
  story.weights_sum = std::accumulate(weights.begin(), weights.end(), 0.0);
}

void add_terms(Numbers& story, const AttentionResult& result, const HeadAddress& at) {
  const std::vector<ScoreTerm> all = score_terms(result, at, story.query, story.key);
  story.term_count = all.size();
  const auto magnitude = [&](std::size_t i) { return std::abs(all[i].product()); };
  for (const std::size_t i : largest_by(all.size(), kStoryTerms, magnitude)) {
    story.terms.push_back(all[i]);
  }
  for (const ScoreTerm& term : all) story.terms_sum += term.product();
}

// e^(x − m), where m is the largest exponent, that of the sink included, as the engine has it.
void add_exponentials(Numbers& story, const AttentionProblem& problem, const HeadAddress& at,
                      const std::vector<float>& masked) {
  const auto temperature = static_cast<float>(temperature_of(problem));
  const std::vector<float>& sinks = problem.scoring.sinks;
  float most = -std::numeric_limits<float>::infinity();
  for (const float logit : masked) most = std::max(most, logit / temperature);
  const float sink = sinks.empty() ? most : sinks[sinks.size() == 1 ? 0 : at.head] / temperature;
  if (!sinks.empty()) most = std::max(most, sink);
  if (!std::isfinite(most)) return;
  story.subtracted = static_cast<double>(most);
  const auto exponential = [&](float x) {
    return std::exp(static_cast<double>(x) - story.subtracted);
  };
  for (const float logit : masked) story.sum += exponential(logit / temperature);
  if (!sinks.empty()) story.sum += story.sink = exponential(sink);
  for (StoryKey& key : story.keys) {
    // The exponential is one division away from a weight that a lesson asks about.
    const bool asked = is_concealed(key.weight);
    key.exponential =
        asked ? static_cast<double>(kConcealed) : exponential(key.masked / temperature);
    if (asked) story.sum = static_cast<double>(kConcealed);
  }
}

void add_values(Numbers& story, const AttentionResult& result, const HeadAddress& at) {
  if (!result.has(Stage::Value, at) || !result.has(Stage::Output, at)) return;
  const std::vector<float> output = row_at(result, Stage::Output, at, story.query);
  story.dim_count = output.size();
  const auto magnitude = [&](std::size_t d) { return sortable(std::abs(output[d])); };
  story.dims = largest_by(output.size(), kStoryDims, magnitude);
  std::ranges::sort(story.dims);
  for (const std::size_t d : story.dims) story.output.push_back(output[d]);
  for (StoryKey& key : story.keys) {
    const std::vector<float> row = row_at(result, Stage::Value, at, key.key);
    for (const std::size_t d : story.dims) key.values.push_back(row[d]);
  }
}

void add_rules(Numbers& story, const AttentionProblem& problem, const HeadAddress& at) {
  const Mask& mask = mask_of(problem, at);
  std::vector<HiddenRules> rules(story.key_count);
  story.hidden = story.key_count - hidden_row(mask, at, story.query, rules);
  for (StoryKey& key : story.keys) {
    key.rules = rules[key.key];
    key.bias = bias_at(mask, at, story.query, key.key);
  }
}

std::shared_ptr<StoryNumbers> story_of(const AttentionResult& result, const HeadAddress& at,
                                       const ChosenCell& cell) {
  const AttentionProblem& problem = result.problem();
  auto story = std::make_shared<StoryNumbers>();
  const std::vector<float> weights = row_at(result, Stage::Weights, at, cell.row);
  story->query = cell.row;
  story->key_count = weights.size();
  choose_keys(*story, weights, cell.col);
  for (const auto& [stage, number] : kRowStages) {
    if (!result.has(stage, at)) continue;
    const std::vector<float> row = row_at(result, stage, at, cell.row);
    for (StoryKey& key : story->keys) key.*number = row[key.key];
  }
  if (has_scores(problem)) {
    add_rules(*story, problem, at);
    add_terms(*story, result, at);
    if (result.has(Stage::Masked, at)) {
      add_exponentials(*story, problem, at, row_at(result, Stage::Masked, at, cell.row));
    }
  }
  add_values(*story, result, at);
  return story;
}

}  // namespace

std::vector<StoryFrame> story_frames(const AttentionProblem& problem, const HeadAddress& at) {
  using F = StoryFrame;
  const std::vector<Stage> stages = stages_of(problem, at);
  const auto has = [&](Stage stage) { return std::ranges::count(stages, stage) > 0; };
  std::vector<F> frames;
  const auto add_if = [&](bool there, F frame) {
    if (there) frames.push_back(frame);
  };
  const bool scored = has_scores(problem) && has(Stage::Scores);
  const Mask& mask = mask_of(problem, at);
  add_if(scored, F::Meet);
  add_if(scored, F::Products);
  add_if(scored && has(Stage::Scaled) && scale_of(problem) != 1.0F, F::Scaled);
  add_if(scored && has(Stage::Softcapped), F::Softcapped);
  add_if(scored && has_bias(mask), F::Bias);
  add_if(scored && can_hide(mask), F::Masked);
  add_if(scored && has_exponentials(problem), F::Exponentials);
  add_if(has(Stage::Weights), F::Weights);
  add_if(has(Stage::Value) && has(Stage::Output), F::Values);
  add_if(has(Stage::Value) && has(Stage::Output), F::Output);
  return frames;
}

float number_of(const StoryKey& key, Stage stage) {
  const auto row = std::ranges::find(kRowStages, stage, &RowStage::stage);
  return key.*(row->number);
}

std::size_t story_steps(const AttentionProblem& problem, const HeadAddress& at) {
  return story_frames(problem, at).size();
}

std::string nothing_to_tell(const AttentionProblem& problem, const HeadAddress& at) {
  const AttentionShape shape = shape_of(problem, at);
  const bool has_cells = shape.n_q > 0 && shape.n_k > 0;
  return has_cells && story_steps(problem, at) > 0 ? "" : "There is no weight to follow";
}

std::vector<Need> story_needs(const FittedView& view) {
  constexpr std::uint64_t kStages = 5;
  const HeadAddress at = view.options.at;
  if (!nothing_to_tell(view.result.problem(), at).empty()) return {};
  const ChosenCell cell = chosen_cell(view);
  const std::string place =
      std::to_string(cell.row) + "," + (cell.col ? std::to_string(*cell.col) : "largest");
  const std::uint64_t bytes = 64 * view.result.shape(at).n_k;
  const std::uint64_t time = nanoseconds_to_read_weights(view.result, at, 1);
  const Pass pass{"", "One cell's numbers", std::min(time, UINT64_MAX / kStages) * kStages};
  return needs_of<StoryNumbers>(
      "story " + text_of({Stage::Weights, at}) + " " + place, {pass},
      [at, cell](const Sources& from, const Pass& /*pass*/)
          -> Result<std::shared_ptr<StoryNumbers>> { return story_of(*from.result, at, cell); },
      bytes);
}

}  // namespace attn
