// Answers for the layers of a stack, one result for each, and for what is around them.
#include "engine/stack_result.h"

#include <algorithm>
#include <utility>

namespace attn {
namespace {

std::size_t place_of(Stage stage) { return static_cast<std::size_t>(stage); }

HeadAddress in_one_layer(const HeadAddress& head) { return {0, head.sample, head.head}; }

}  // namespace

Stage attention_input(const Stack& stack) {
  return stack.order == NormOrder::Pre ? Stage::AttentionNorm : Stage::BlockInput;
}

Stage cross_input(const Stack& stack) {
  return stack.order == NormOrder::Pre ? Stage::CrossNorm : Stage::AttentionNorm;
}

StackResult::StackResult(AttentionProblem problem, std::shared_ptr<Layers> layers)
    : problem_(std::move(problem)), stages_(stages_of(problem_)), layers_(std::move(layers)) {}

StackResult::StackResult(AttentionProblem problem)
    : StackResult(std::move(problem), std::make_shared<Layers>()) {
  layers_->resize(problem_.stack.blocks.size());
  if (!is_decoder(problem_)) return;
  self_.reset(new StackResult(attn::attended(problem_, AttentionPart::Self), layers_));
}

const AttentionResult& StackResult::attended(AttentionPart part) const {
  return self_ && part == AttentionPart::Self ? *self_ : *this;
}

bool StackResult::allocate() {
  const Stage given_to_attention = attention_input(problem_.stack);
  for (std::size_t index = 0; index < layers_->size(); ++index) {
    for (const Stage stage : stages_) {
      if (!stage_info(stage).around_attention() || layer_of(stage, index) != index) continue;
      StackLayer& at = layer(index);
      at.summaries[place_of(stage)].resize(problem_.shape.samples);
      if (stage == given_to_attention) continue;
      const StageShape shape = stage_shape(stage);
      at.stages[place_of(stage)].resize(problem_.shape.samples * shape.rows * shape.cols);
    }
  }
  return true;
}

std::size_t StackResult::layer_of(Stage stage, std::size_t layer) const {
  return stage == Stage::FinalNorm ? layers_->size() - 1 : layer;
}

const LayerResult& StackResult::attention(std::size_t layer_index) const {
  const StackLayer& at = layer(layer_index);
  return attends_across(problem_) ? *at.cross : *at.attention;
}

MatrixView StackResult::matrix(Stage stage, std::size_t layer_index, std::size_t sample) const {
  const StackLayer& at = layer(layer_of(stage, layer_index));
  if (stage == attention_input(problem_.stack)) {
    return matrix_at(at.attention->problem().query_embeddings, sample);
  }
  if (at.cross && stage == cross_input(problem_.stack)) {
    return matrix_at(at.cross->problem().query_embeddings, sample);
  }
  const StageShape shape = stage_shape(stage);
  return {at.stages[place_of(stage)].data() + sample * shape.rows * shape.cols, shape.rows,
          shape.cols, shape.cols};
}

MutableMatrix StackResult::mutable_matrix(Stage stage, std::size_t layer_index,
                                          std::size_t sample) {
  const StageShape shape = stage_shape(stage);
  std::vector<float>& values = layer(layer_of(stage, layer_index)).stages[place_of(stage)];
  return {values.data() + sample * shape.rows * shape.cols, shape.rows, shape.cols, shape.cols};
}

void StackResult::read(Stage stage, const HeadAddress& head, const CellRange& range,
                       float* out) const {
  if (!stage_info(stage).around_attention()) {
    return attention(head.layer).read(stage, in_one_layer(head), range, out);
  }
  const MatrixView from = matrix(stage, head.layer, head.sample);
  for (std::size_t r = 0; r < range.rows; ++r) {
    const float* row = from.data + range.row_at(r) * from.row_stride + range.col;
    std::copy_n(row, range.cols, out + r * range.cols);
  }
}

bool StackResult::pool_maxima(Stage stage, const HeadAddress& head, const CellRange& range,
                              Progress* progress, PooledCells& out) const {
  return !stage_info(stage).around_attention() &&
         attention(head.layer).pool_maxima(stage, in_one_layer(head), range, progress, out);
}

std::optional<std::uint64_t> StackResult::non_finite_count(Stage stage) const {
  std::uint64_t count = 0;
  for (std::size_t index = 0; index < layers_->size(); ++index) {
    if (!stage_info(stage).around_attention()) {
      const std::optional<std::uint64_t> of_layer = attention(index).non_finite_count(stage);
      if (!of_layer) return std::nullopt;
      count += *of_layer;
      continue;
    }
    for (const CellSummary& summary : layer(index).summaries[place_of(stage)]) {
      count += summary.non_finite;
    }
  }
  return count;
}

std::optional<AttentionResult::Range> StackResult::range(Stage stage,
                                                         const HeadAddress& head) const {
  if (!stage_info(stage).around_attention()) {
    return attention(head.layer).range(stage, in_one_layer(head));
  }
  const CellSummary& cells =
      layer(layer_of(stage, head.layer)).summaries[place_of(stage)][head.sample];
  if (cells.low > cells.high) return Range{};
  return Range{cells.low, cells.high};
}

}  // namespace attn
