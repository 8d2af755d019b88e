// Replaces the numbers of concealed cells when they are read.
#include "lesson/concealed.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/special_numbers.h"

namespace attn {
namespace {

class ConcealedResult final : public AttentionResult {
 public:
  ConcealedResult(ResultPtr whole, std::vector<NamedCells> cells)
      : whole_(std::move(whole)), cells_(cells) {
    for (const NamedCells& question : cells) {
      if (question.stage == Stage::Weights) conceal_after(question);
    }
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
    return std::ranges::any_of(cells_,
                               [&](const auto& cells) { return is_of(cells, stage, head); });
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
  // The rows that follow from the weights: their outputs, and those of the block around them.
  void conceal_after(const NamedCells& weights) {
    for (const Stage stage : stages(weights.at)) {
      const bool follows = stage > Stage::Weights && stage <= Stage::FinalNorm;
      const StageShape extents = stage_shape(stage, weights.at);
      const CellRange rows{weights.range.row, 0, weights.range.rows, extents.cols};
      if (follows || stage == Stage::DecoderOutput) cells_.push_back({stage, weights.at, rows});
    }
  }

  bool is_of(const NamedCells& cells, Stage stage, HeadAddress head) const {
    if (!stage_info(stage).per_head) head.head = cells.at.head;
    return cells.stage == stage && cells.at == head;
  }

  ResultPtr whole_;
  std::vector<NamedCells> cells_;
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
