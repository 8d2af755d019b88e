// Folding of stages into groups.
#include "gui/panels/strip/strip_layout.h"

#include <algorithm>
#include <cstdlib>

namespace attn::gui {
namespace {

// Neighbours that fold together: stages [begin, end).
struct Run {
  std::size_t begin, end;
  std::string_view label;

  std::size_t size() const { return end - begin; }
  bool contains(std::size_t index) const { return index >= begin && index < end; }
  std::size_t distance(std::size_t index) const {
    return index < begin ? begin - index : index - std::min(index, end - 1);
  }
};

std::vector<Run> runs_of(const std::vector<Stage>& stages, std::string_view StripGroup::*level) {
  std::vector<Run> runs;
  for (std::size_t i = 0; i < stages.size(); ++i) {
    const std::string_view label = strip_group(stages[i]).*level;
    if (runs.empty() || runs.back().label != label) runs.push_back({i, i, label});
    runs.back().end = i + 1;
  }
  return runs;
}

// In the order in which they fold.
std::vector<Run> foldable(const std::vector<Stage>& stages, std::size_t selected) {
  std::vector<Run> all;
  for (const auto level : {&StripGroup::group, &StripGroup::part}) {
    std::vector<Run> runs = runs_of(stages, level);
    std::erase_if(runs, [&](const Run& run) { return run.size() < 2 || run.contains(selected); });
    std::ranges::stable_sort(runs, [&](const Run& a, const Run& b) {
      return a.distance(selected) > b.distance(selected);
    });
    all.insert(all.end(), runs.begin(), runs.end());
  }
  return all;
}

std::vector<StripChip> with_folds(const std::vector<Stage>& stages, std::vector<Run> folds) {
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

}  // namespace

StripGroup strip_group(Stage stage) {
  switch (stage) {
    case Stage::QueryInput:
    case Stage::KeyInput:
    case Stage::ValueInput:
      return {"inputs", "inputs"};
    case Stage::BlockInput:
    case Stage::AttentionNorm:
      return {"block", "block"};
    case Stage::EncoderCell:
      return {"encoder", "encoder"};
    case Stage::Query:
    case Stage::Key:
    case Stage::Value:
    case Stage::RotatedQuery:
    case Stage::RotatedKey:
      return {"attention", "Q K V"};
    case Stage::Scores:
    case Stage::Scaled:
    case Stage::Softcapped:
    case Stage::Masked:
      return {"attention", "scores"};
    case Stage::Weights:
      return {"attention", "weights"};
    case Stage::Output:
    case Stage::Concat:
    case Stage::Projected:
      return {"attention", "output"};
    case Stage::AttentionResidual:
    case Stage::CrossNorm:
    case Stage::CrossResidual:
      return {"residual", "residual"};
    case Stage::FeedForwardNorm:
    case Stage::Hidden:
    case Stage::Gate:
    case Stage::Activated:
    case Stage::FeedForward:
    case Stage::FeedForwardResidual:
      return {"feed-forward", "feed-forward"};
    case Stage::BlockOutput:
    case Stage::FinalNorm:
      return {"block output", "block output"};
    case Stage::DecoderState:
    case Stage::DecoderCell:
    case Stage::DecoderOutput:
      return {"decoder", "decoder"};
    case Stage::FixedState:
    case Stage::FixedCell:
    case Stage::FixedOutput:
      return {"without attention", "without attention"};
    case Stage::Influence:
    case Stage::FixedInfluence:
    case Stage::Survival:
      return {"influence", "influence"};
  }
  return {};
}

bool is_parallel(const StripChip& a, const StripChip& b) {
  const auto together = [](std::string_view part) { return part == "inputs" || part == "Q K V"; };
  if (!a.label.empty() || !b.label.empty()) return false;
  const std::string_view part = strip_group(a.stages.front()).part;
  return part == strip_group(b.stages.front()).part && together(part);
}

std::vector<StripChip> strip_chips(
    const std::vector<Stage>& stages, Stage selected, float room,
    const std::function<float(const std::vector<StripChip>&)>& width_of) {
  const auto at = std::ranges::find(stages, selected);
  const auto index = static_cast<std::size_t>(at - stages.begin());
  std::vector<Run> folds;
  std::vector<StripChip> chips = with_folds(stages, folds);
  for (const Run& run : foldable(stages, index)) {
    if (width_of(chips) <= room) return chips;
    folds.insert(folds.begin(), run);
    std::ranges::stable_sort(folds, [](const Run& a, const Run& b) { return a.size() > b.size(); });
    chips = with_folds(stages, folds);
  }
  if (width_of(chips) <= room || stages.size() < 2) return chips;
  return {{stages, "all"}};
}

}  // namespace attn::gui
