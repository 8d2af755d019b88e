// Replaces the numbers of concealed cells when they are read.
#include "lesson/concealed.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/special_numbers.h"

namespace attn {
namespace {

// True if the numbers of the later stage are computed from those of the source, or equal to them.
bool is_made_from(const StageInfo& later, const StageInfo& source, bool keys_are_values) {
  if (later.stage <= source.stage || later.stage > Stage::DecoderOutput) return false;
  if (later.role >= StageRole::Scores) {
    return source.role != StageRole::Value || later.role != StageRole::Scores;
  }
  const bool is_key = source.role == StageRole::Key;
  const bool projects = source.role == later.role || source.role == StageRole::Output ||
                        (keys_are_values && is_key && later.role == StageRole::Value);
  return later.stage < Stage::Scores && projects;
}

// Returns the cells of a later stage that would give these away: the logits in the place of scores,
// the rows of other numbers, where these go row by row those after them too, and for numbers of
// keys all rows.
CellRange range_after(const NamedCells& source, const StageInfo& later, const StageShape& extents,
                      bool row_by_row) {
  const StageInfo& from = stage_info(source.stage);
  const bool is_logit = later.token_by_token() && later.stage <= Stage::Masked;
  if (from.token_by_token() && is_logit) return source.range;
  const bool of_keys = source.stage < Stage::Scores && from.role != StageRole::Query;
  if (of_keys && later.stage >= Stage::Scores) return {0, 0, extents.rows, extents.cols};
  const std::size_t rows = row_by_row ? extents.rows - source.range.row : source.range.rows;
  return {source.range.row, 0, rows, extents.cols};
}

class ConcealedResult final : public AttentionResult {
 public:
  ConcealedResult(ResultPtr whole, std::vector<NamedCells> cells)
      : whole_(std::move(whole)), cells_(cells) {
    for (const NamedCells& source : cells) conceal_after(source);
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
    if (is_after(stage, head)) {
      std::fill_n(out, range.rows * range.cols, kConcealed);
      return;
    }
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
    return is_after(stage, head) || std::ranges::any_of(cells_, [&](const auto& cells) {
             return is_of(cells, stage, head);
           });
  }

  // Returns the range of the cells that are not concealed.
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
  void conceal_after(const NamedCells& source) {
    for (const Stage stage : stages(source.at)) {
      const StageInfo& later = stage_info(stage);
      const bool keys_are_values = !problem().recurrent.encoder.w_h.empty();
      if (!is_made_from(later, stage_info(source.stage), keys_are_values)) continue;
      cells_.push_back(
          {stage, source.at,
           range_after(source, later, stage_shape(stage, source.at), goes_row_by_row(problem()))});
      if (stage == Stage::BlockOutput) before_.push_back(source.at);
    }
  }

  // True for the attentions of a stack after a block with a concealed output: those of later
  // layers, and of its own layer the later ones.
  bool is_after(Stage stage, const HeadAddress& head) const {
    const bool of_both = stage_info(stage).around_attention();  // which is_of() knows
    return std::ranges::any_of(before_, [&](const HeadAddress& block) {
      const bool follows = !of_both && head.layer == block.layer && is_computed_after(head, block);
      return head.sample == block.sample && (head.layer > block.layer || follows);
    });
  }

  // Addresses of heads, attentions or layers count as one where the stage has one for all.
  bool is_of(const NamedCells& cells, Stage stage, HeadAddress head) const {
    const StageInfo& info = stage_info(stage);
    if (!info.per_head) head.head = cells.at.head;
    if (info.around_attention()) head = cells.at.moved_to(head.layer, head.sample, head.head);
    if (layers_of(problem().shape, stage) == 1) head.layer = cells.at.layer;
    return cells.stage == stage && cells.at == head;
  }

  ResultPtr whole_;
  std::vector<NamedCells> cells_;
  std::vector<HeadAddress> before_;  // of blocks whose output is concealed
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
