// Q, K and V as a kind that structures can be changed to and from.
#include <algorithm>

#include "attention/problem.h"
#include "document/edit/structure/refit.h"

namespace attn {
namespace {

constexpr std::string_view kFieldsOfQkv[] = {"heads", "key_value_heads", "d_k",
                                             "d_v",   "samples",         "cross"};

// Of the first layer, in every sample; `heads` of them, of which query heads share `shared`.
Tensor read_heads(const AttentionResult& result, Stage stage, std::size_t heads,
                  std::size_t shared) {
  const StageShape extent = result.stage_shape(stage);
  const std::size_t samples = result.shape().samples;
  const std::size_t cells = extent.rows * extent.cols;
  std::vector<float> values(element_count({samples, heads, cells}));
  for (std::size_t matrix = 0; matrix < values.size() / cells; ++matrix) {
    const HeadAddress at{0, matrix / heads, matrix % heads * shared};
    read_stage(result, stage, at, std::span(values).subspan(matrix * cells, cells));
  }
  return Tensor({samples, heads, extent.rows, extent.cols}, std::move(values));
}

GivenQkv read_qkv(const AttentionResult& result) {
  const AttentionShape& s = result.shape();
  const std::size_t shared = s.heads / s.kv_heads;
  return {read_heads(result, Stage::Query, s.heads, 1),
          read_heads(result, Stage::Key, s.kv_heads, shared),
          read_heads(result, Stage::Value, s.kv_heads, shared)};
}

// There is nothing to read in finished weights.
void adopt_nothing(Rebuilding& rebuilding) {
  rebuilding.document.model = GivenQkv{};
  rebuilding.layout.layers = 1;
}

// Positions that were added are in the numbers; those that do not act across have no place.
void adopt_positions(Rebuilding& rebuilding, bool acted) {
  Position& position = rebuilding.document.position;
  if (is_added(position)) {
    rebuilding.remarks.sentences.emplace_back("The positions are in Q, K and V");
  }
  if (is_added(position) || !acted) position = {};
}

Status adopt_qkv(Rebuilding& rebuilding) {
  if (!has_scores(rebuilding.before.model)) {
    adopt_nothing(rebuilding);
    return ok_status();
  }
  ResultPtr made;
  const Result<const AttentionResult*> result = result_before(rebuilding, made);
  if (!result) return result.error();
  const AttentionResult& attended = (*result)->attended(rebuilding.part);
  GivenQkv model = read_qkv(attended);
  rebuilding.layout = shape_of(model);
  adopt_positions(rebuilding, counts_positions(attended.problem()));
  rebuilding.document.model = std::move(model);
  rebuilding.remarks.sentences.emplace_back(attended.shape().layers > 1
                                                ? "Q, K and V are as block 1 computed them"
                                                : "Q, K and V are as they were computed");
  return ok_status();
}

AttentionShape target_of_qkv(const Rebuilding& rebuilding) {
  const Structure& wanted = rebuilding.wanted;
  AttentionShape target = rebuilding.layout;
  target.samples = wanted.samples;
  target.heads = wanted.heads;
  target.kv_heads = wanted.key_value_heads;
  target.d_k = wanted.d_k;
  target.d_v = wanted.d_v;
  target.d_q = target.d_q == wanted.d_k ? 0 : target.d_q;  // of a width of its own: kept
  return target;
}

Tensor lifted(const Tensor& tensor) {
  if (tensor.empty()) return Tensor({0, 0, 0, 0}, {});
  Shape shape = tensor.shape();
  shape.insert(shape.begin(), 4 - shape.size(), 1);
  return tensor.reshaped(shape);
}

// Depth that is needed, and that of one sample or head that was there before.
std::size_t depth_of(const Rebuilding& rebuilding, const AttentionShape& target) {
  const auto* before = std::get_if<GivenQkv>(&rebuilding.before.model);
  const std::size_t depth = before == nullptr ? 2 : before->q.rank();
  const AttentionShape& from = rebuilding.layout;
  if (target.samples > 1 || (depth == 4 && from.samples == 1)) return 4;
  return target.heads > 1 || (depth == 3 && from.heads == 1) ? 3 : 2;
}

Tensor lowered(const Tensor& tensor, std::size_t depth) {
  const Shape& shape = tensor.shape();
  return tensor.reshaped(Shape(shape.end() - static_cast<std::ptrdiff_t>(depth), shape.end()));
}

void refit_qkv(Rebuilding& rebuilding, const AttentionShape& target) {
  auto& model = std::get<GivenQkv>(rebuilding.document.model);
  for (Tensor* tensor : {&model.q, &model.k, &model.v}) *tensor = lifted(*tensor);
  refit_tensors(rebuilding, tensors_of(model, target), target);
  const std::size_t depth = depth_of(rebuilding, target);
  for (Tensor* tensor : {&model.q, &model.k, &model.v}) *tensor = lowered(*tensor, depth);
}

std::uint64_t numbers_of_qkv(const AttentionShape& s) {
  return saturating_sum(element_count({s.samples, s.heads, s.n_q, query_columns(s)}),
                        element_count({s.samples, s.kv_heads, s.n_k, s.d_k + s.d_v}));
}

void outline_qkv(AttentionProblem& problem) { problem.source = AttentionProblem::Source::Qkv; }

}  // namespace

const KindStructure kQkvStructure{
    {StructureKind::Qkv, "qkv", "Q, K and V", "Queries, keys and values of every head as they are"},
    kFieldsOfQkv,
    std::holds_alternative<GivenQkv>,
    adopt_qkv,
    target_of_qkv,
    refit_qkv,
    outline_qkv,
    numbers_of_qkv};

}  // namespace attn
