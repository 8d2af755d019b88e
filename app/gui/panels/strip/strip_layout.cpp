// Folding of stages into groups, short names and formulas of stages.
#include <algorithm>

#include "base/enum_table.h"
#include "base/number_text.h"
#include "gui/panels/strip/stage_strip.h"

namespace attn::gui {
namespace {

// Group and part that a stage folds into, parts before groups, and its name in the strip if that is
// not its label.
struct StripStage {
  Stage stage;
  std::string_view group, part, brief{};
};
constexpr StripStage kStages[] = {
    {Stage::QueryInput, "inputs", "inputs", "X + P"},
    {Stage::KeyInput, "inputs", "inputs", "X_K + P"},
    {Stage::ValueInput, "inputs", "inputs", "X_V + P"},
    {Stage::BlockInput, "block", "block", "x"},
    {Stage::AttentionNorm, "block", "block", "norm"},
    {Stage::EncoderCell, "encoder", "encoder"},
    {Stage::Query, "attention", "Q K V", "Q"},
    {Stage::Key, "attention", "Q K V", "K"},
    {Stage::Value, "attention", "Q K V", "V"},
    {Stage::NormedQuery, "attention", "Q K V", "norm Q"},
    {Stage::NormedKey, "attention", "Q K V", "norm K"},
    {Stage::RotatedQuery, "attention", "Q K V", "Q′"},
    {Stage::RotatedKey, "attention", "Q K V", "K′"},
    {Stage::Scores, "attention", "scores"},
    {Stage::Scaled, "attention", "scores"},
    {Stage::Softcapped, "attention", "scores"},
    {Stage::Masked, "attention", "scores"},
    {Stage::Weights, "attention", "weights"},
    {Stage::Output, "attention", "output"},
    {Stage::Concat, "attention", "output"},
    {Stage::Projected, "attention", "output"},
    {Stage::AttentionOutNorm, "residual", "residual", "norm"},
    {Stage::AttentionResidual, "residual", "residual", "+ x"},
    {Stage::CrossNorm, "residual", "residual", "norm"},
    {Stage::CrossOutNorm, "residual", "residual", "norm"},
    {Stage::CrossResidual, "residual", "residual", "+ x"},
    {Stage::FeedForwardNorm, "feed-forward", "feed-forward", "norm"},
    {Stage::Hidden, "feed-forward", "feed-forward"},
    {Stage::Gate, "feed-forward", "feed-forward"},
    {Stage::Activated, "feed-forward", "feed-forward"},
    {Stage::FeedForward, "feed-forward", "feed-forward", "out"},
    {Stage::FeedForwardOutNorm, "feed-forward", "feed-forward", "norm"},
    {Stage::FeedForwardResidual, "feed-forward", "feed-forward", "+ x"},
    {Stage::BlockOutput, "block output", "block output", "y"},
    {Stage::FinalNorm, "block output", "block output"},
    {Stage::DecoderState, "decoder", "decoder"},
    {Stage::DecoderCell, "decoder", "decoder"},
    {Stage::DecoderOutput, "decoder", "decoder"},
    {Stage::FixedState, "without attention", "without attention"},
    {Stage::FixedCell, "without attention", "without attention"},
    {Stage::FixedOutput, "without attention", "without attention"},
    {Stage::Influence, "influence", "influence"},
    {Stage::FixedInfluence, "influence", "influence"},
    {Stage::Survival, "influence", "influence"}};

static_assert(is_indexed_by(kStages, &StripStage::stage));

const StripStage& strip_stage(Stage stage) { return kStages[static_cast<std::size_t>(stage)]; }

// Adjacent stages that fold together: [begin, end).
struct Run {
  std::size_t begin, end;
  std::string_view label;

  std::size_t size() const { return end - begin; }
  bool contains(std::size_t index) const { return index >= begin && index < end; }
  std::size_t distance(std::size_t index) const {
    return index < begin ? begin - index : index - std::min(index, end - 1);
  }
};

std::vector<Run> runs_of(const std::vector<Stage>& stages, std::string_view StripStage::*level) {
  std::vector<Run> runs;
  for (std::size_t i = 0; i < stages.size(); ++i) {
    const std::string_view label = strip_stage(stages[i]).*level;
    if (runs.empty() || runs.back().label != label) runs.push_back({i, i, label});
    runs.back().end = i + 1;
  }
  return runs;
}

// Runs in folding order: groups and their parts, the farthest first, then everything before and
// after the group of the selected stage, and before and after this stage.
std::vector<Run> foldable(const std::vector<Stage>& stages, std::size_t selected) {
  std::vector<Run> all;
  if (stages.empty()) return all;
  Run own{0, 0, {}};
  for (const auto level : {&StripStage::group, &StripStage::part}) {
    std::vector<Run> runs = runs_of(stages, level);
    if (level == &StripStage::group) {
      own = *std::ranges::find_if(runs, [&](const Run& run) { return run.contains(selected); });
    }
    std::erase_if(runs, [&](const Run& run) { return run.size() < 2 || run.contains(selected); });
    std::ranges::stable_sort(runs, [&](const Run& a, const Run& b) {
      return a.distance(selected) > b.distance(selected);
    });
    all.insert(all.end(), runs.begin(), runs.end());
  }
  for (const Run& kept : {own, Run{selected, selected + 1, {}}}) {
    all.push_back({kept.end, stages.size(), "later"});
    all.push_back({0, kept.begin, "earlier"});
  }
  std::erase_if(all, [](const Run& run) { return run.size() < 2; });
  return all;
}

std::vector<StripChip> with_folds(const std::vector<Stage>& stages, std::vector<Run> folds) {
  std::ranges::stable_sort(folds, [](const Run& a, const Run& b) { return a.size() > b.size(); });
  std::vector<StripChip> chips;
  for (std::size_t i = 0; i < stages.size();) {
    const auto fold = std::ranges::find_if(folds, [&](const Run& run) { return run.contains(i); });
    const std::size_t end = fold == folds.end() ? i + 1 : fold->end;
    StripChip chip;
    chip.stages.assign(stages.begin() + static_cast<std::ptrdiff_t>(i),
                       stages.begin() + static_cast<std::ptrdiff_t>(end));
    if (fold != folds.end()) chip.label = fold->label;
    chips.push_back(std::move(chip));
    i = end;
  }
  return chips;
}

bool is_dot(const Scoring& scoring) { return scoring_info(scoring.function).plain; }

bool scales_by_root(const AttentionProblem& problem) {
  return scoring_info(problem.scoring.function).scaled_by_width && !problem.scoring.scale &&
         problem.shape.d_k > 0;
}

std::string extents(std::size_t rows, std::size_t cols) {
  return "(" + grouped_text(rows) + " × " + grouped_text(cols) + ")";
}

std::string product(std::size_t rows, std::size_t inner, std::size_t cols) {
  return extents(rows, inner) + " · " + extents(inner, cols) + " → ";
}

// Shapes of the factors, for stages that are products of two matrices.
std::string factors(const AttentionProblem& problem, Stage stage, const HeadAddress& at) {
  const AttentionShape s = shape_of(problem, at);
  const StageShape shape = stage_shape(s, stage);
  switch (stage) {
    case Stage::Query:
      return s.d_model > 0 ? product(s.n_q, s.d_model, shape.cols) : "";
    case Stage::Key:
      return s.d_model > 0 ? product(s.n_k, key_embedding_columns(s), shape.cols) : "";
    case Stage::Value:
      return s.d_model > 0 ? product(s.n_k, value_embedding_columns(s), shape.cols) : "";
    case Stage::Scores:
      return is_dot(problem.scoring) ? product(s.n_q, s.d_k, s.n_k) : "";
    case Stage::Output:
      return product(s.n_q, s.n_k, s.d_v);
    case Stage::Projected:
      return product(s.n_q, s.heads * s.d_v, s.d_out);
    case Stage::Hidden:
    case Stage::Gate:
      return product(s.n_q, s.d_model, s.d_ff);
    case Stage::FeedForward:
      return product(s.n_q, s.d_ff, s.d_model);
    default:
      return "";
  }
}

}  // namespace

bool is_parallel(const StripChip& a, const StripChip& b) {
  const auto together = [](std::string_view part) { return part == "inputs" || part == "Q K V"; };
  if (!a.label.empty() || !b.label.empty()) return false;
  const std::string_view part = strip_stage(a.stages.front()).part;
  return part == strip_stage(b.stages.front()).part && together(part);
}

std::vector<StripChip> strip_chips(
    const std::vector<Stage>& stages, Stage selected, float space,
    const std::function<float(const std::vector<StripChip>&)>& width_of) {
  const auto at = std::ranges::find(stages, selected);
  const auto index = at == stages.end() ? 0 : static_cast<std::size_t>(at - stages.begin());
  const auto width = [&](const std::vector<Run>& folds) {
    return width_of(with_folds(stages, folds));
  };
  std::vector<Run> folds;
  for (const Run& run : foldable(stages, index)) {
    if (width(folds) <= space) break;
    std::vector<Run> more = folds;
    more.push_back(run);
    if (width(more) < width(folds)) folds = std::move(more);
  }
  if (width(folds) > space && stages.size() > 1) return {{stages, "all"}};
  for (std::size_t i = folds.size(); i-- > 0;) {  // groups that need not be folded any more open
                                                  // again
    std::vector<Run> fewer = folds;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    if (width(fewer) <= space) folds = std::move(fewer);
  }
  return with_folds(stages, folds);
}

std::string strip_label(const AttentionProblem& problem, Stage stage) {
  if (stage == Stage::Scores && is_dot(problem.scoring)) return "QKᵀ";
  if (stage == Stage::Scaled && scales_by_root(problem)) return "÷√dₖ";
  const std::string_view known = strip_stage(stage).brief;
  if (!known.empty()) return std::string(known);
  std::string label(stage_info(stage).label);
  if (label[0] >= 'A' && label[0] <= 'Z') label[0] += 'a' - 'A';
  return label;
}

std::string stage_explanation(const AttentionResult& result, Stage stage, const HeadAddress& at) {
  const AttentionProblem& problem = result.problem();
  const StageInfo& info = stage_info(stage);
  const StageShape shape = result.stage_shape(stage, at);
  std::string text = std::string(info.label) + ":  " + formula_of(problem, stage);
  if (stage == Stage::Scaled && scales_by_root(problem)) {
    text += "  (÷ √" + std::to_string(problem.shape.d_k) + ")";
  }
  const bool known = has_scores(problem) && !result.has(Stage::DecoderState);
  text += "\n" + (known ? factors(problem, stage, at) : "") + extents(shape.rows, shape.cols);
  if (info.per_head && problem.shape.heads > 1) text += "  in each head";
  return text + "\n" + std::string(info.sentence);
}

}  // namespace attn::gui
