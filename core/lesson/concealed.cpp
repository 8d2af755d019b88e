// Replaces the numbers of concealed cells when they are read.
#include "lesson/concealed.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/special_numbers.h"

namespace attn {
namespace {

// Whether the numbers of a stage are made from those of an earlier one, not beside it.
bool is_made_from(const StageInfo& later, const StageInfo& asked) {
  if (later.stage <= asked.stage || later.stage > Stage::DecoderOutput) return false;
  if (later.role >= StageRole::Scores) {
    return asked.role != StageRole::Value || later.role != StageRole::Scores;
  }
  const bool projects = asked.role == later.role || asked.role == StageRole::Output;
  return later.stage < Stage::Scores && projects;
}

// The cells of a later stage that tell of these: a logit those of the same place, any other number
// those of its row, and one of a key those of all rows.
CellRange range_after(const NamedCells& asked, const StageInfo& later, const StageShape& extents) {
  const StageInfo& from = stage_info(asked.stage);
  const bool is_logit = later.token_by_token() && later.stage <= Stage::Masked;
  if (from.token_by_token() && is_logit) return asked.range;
  const bool of_keys = asked.stage < Stage::Scores && from.role != StageRole::Query;
  if (of_keys && later.stage >= Stage::Scores) return {0, 0, extents.rows, extents.cols};
  return {asked.range.row, 0, asked.range.rows, extents.cols};
}

class ConcealedResult final : public AttentionResult {
 public:
  ConcealedResult(ResultPtr whole, std::vector<NamedCells> cells)
      : whole_(std::move(whole)), cells_(cells) {
    for (const NamedCells& asked : cells) conceal_after(asked);
    for (const AttentionInfo& info : attentions_of(problem())) {
      set_notes(info.at(), whole_->notes(info.at()));
    }
  }

  const ResultPtr& whole() const { return whole_; }
  const AttentionProblem& problem() const override { return whole_->problem(); }
  const std::vector<Stage>& stages(const HeadAddress& at) const override {
    return whole_->stages(at);
  }

  void read(Stage stage, const HeadAddress& head, const CellRange& range,
            float* out) const override {
    whole_->read(stage, head, range, out);
    if (is_layer_after(head)) std::fill_n(out, range.rows * range.cols, kConcealed);
    for (const NamedCells& cells : cells_) {
      if (!is_of(cells, stage, head)) continue;
      for (std::size_t i = 0; i < range.rows * range.cols; ++i) {
        const std::size_t row = range.row_at(i / range.cols), col = range.col + i % range.cols;
        if (row - cells.range.row < cells.range.rows && col - cells.range.col < cells.range.cols)
          out[i] = kConcealed;
      }
    }
  }

  std::optional<std::uint64_t> non_finite_count(Stage stage, const HeadAddress& at) const override {
    return whole_->non_finite_count(stage, at);
  }

  bool conceals(Stage stage, const HeadAddress& head) const override {
    return is_layer_after(head) || std::ranges::any_of(cells_, [&](const auto& cells) {
             return is_of(cells, stage, head);
           });
  }

  // Range of the cells that are not concealed.
  std::optional<Range> range(Stage stage, const HeadAddress& head) const override {
    if (!conceals(stage, head)) return whole_->range(stage, head);
    const StageShape extents = stage_shape(stage, head);
    std::vector<float> all(extents.rows * extents.cols);
    read(stage, head, {0, 0, extents.rows, extents.cols}, all.data());
    std::erase_if(all, [](float cell) { return !std::isfinite(cell); });
    if (all.empty()) return Range{};
    const auto [low, high] = std::ranges::minmax(all);
    return Range{low, high};
  }

 private:
  void conceal_after(const NamedCells& asked) {
    for (const Stage stage : stages(asked.at)) {
      const StageInfo& later = stage_info(stage);
      if (!is_made_from(later, stage_info(asked.stage))) continue;
      cells_.push_back({stage, asked.at, range_after(asked, later, stage_shape(stage, asked.at))});
      if (stage == Stage::BlockOutput) before_.push_back(asked.at);
    }
  }

  // Blocks read what the ones before them made.
  bool is_layer_after(const HeadAddress& head) const {
    return std::ranges::any_of(before_, [&](const HeadAddress& asked) {
      return head.layer > asked.layer && head.sample == asked.sample && head.same_attention(asked);
    });
  }

  bool is_of(const NamedCells& cells, Stage stage, HeadAddress head) const {
    if (!stage_info(stage).per_head) head.head = cells.at.head;
    return cells.stage == stage && cells.at == head;
  }

  ResultPtr whole_;
  std::vector<NamedCells> cells_;
  std::vector<HeadAddress> before_;  // of the blocks after which nothing is told
};

}  // namespace

ResultPtr concealed(const ResultPtr& result, std::vector<NamedCells> cells) {
  return std::make_shared<ConcealedResult>(revealed(result), std::move(cells));
}

ResultPtr revealed(const ResultPtr& result) {
  const auto concealed = std::dynamic_pointer_cast<const ConcealedResult>(result);
  return concealed ? concealed->whole() : result;
}

}  // namespace attn
