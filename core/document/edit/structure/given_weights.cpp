// Finished weights as a kind that structures can be changed to and from.
#include <algorithm>
#include <array>

#include "attention/problem.h"
#include "document/axes.h"
#include "document/edit/structure/refit.h"

namespace attn {
namespace {

constexpr std::string_view kFieldsOfWeights[] = {"heads", "layers", "samples", "cross"};

void set_all_axes(GivenWeights& model) {
  model.axes.clear();
  for (const AxisInfo& info : kAxes) model.axes.push_back(info.axis);
}

// Weights of every layer, sample and head.
Tensor read_weights(const AttentionResult& result) {
  const AttentionShape& s = result.shape();
  const std::size_t cells = s.n_q * s.n_k;
  std::vector<float> values(element_count({s.layers, s.samples, s.heads, cells}));
  for (std::size_t map = 0; map < values.size() / cells; ++map) {
    const HeadAddress at{map / s.heads / s.samples, map / s.heads % s.samples, map % s.heads};
    read_stage(result, Stage::Weights, at, std::span(values).subspan(map * cells, cells));
  }
  return Tensor({s.layers, s.samples, s.heads, s.n_q, s.n_k}, std::move(values));
}

Status adopt_weights(Rebuilding& rebuilding) {
  ResultPtr made;
  const Result<const AttentionResult*> result = result_before(rebuilding, made);
  if (!result) return result.error();
  GivenWeights model{read_weights((*result)->attended(rebuilding.part)), {}};
  set_all_axes(model);
  rebuilding.layout = shape_of(model);
  rebuilding.document.model = std::move(model);
  rebuilding.document.position = {};
  rebuilding.remarks.sentences.emplace_back("The weights are as they were computed");
  return ok_status();
}

AttentionShape target_of_weights(const Rebuilding& rebuilding) {
  AttentionShape target = rebuilding.layout;
  target.layers = rebuilding.wanted.layers;
  target.samples = rebuilding.wanted.samples;
  target.heads = target.kv_heads = rebuilding.wanted.heads;
  return target;
}

// Axes that are needed, and those of one that there were before.
void lower_weights(GivenWeights& model, const std::vector<Axis>& before, const AttentionShape& from,
                   const AttentionShape& to) {
  const std::array<std::array<std::size_t, 2>, 3> extents{
      {{from.layers, to.layers}, {from.samples, to.samples}, {from.heads, to.heads}}};
  Shape shape;
  std::vector<Axis> axes;
  for (std::size_t i = 0; i < kAxes.size(); ++i) {
    const Axis axis = kAxes[i].axis;
    const bool had = std::ranges::find(before, axis) != before.end();
    const bool stays = i >= extents.size() || extents[i][1] > 1 || (had && extents[i][0] == 1);
    if (!stays) continue;
    axes.push_back(axis);
    shape.push_back(model.weights.extent(i));
  }
  model = {model.weights.reshaped(shape), std::move(axes)};
}

void refit_weights(Rebuilding& rebuilding, const AttentionShape& target) {
  auto& model = std::get<GivenWeights>(rebuilding.document.model);
  const std::vector<Axis> axes = model.axes;
  const bool adopted = rebuilding.before.model.index() != rebuilding.document.model.index();
  const AttentionShape& s = rebuilding.layout;
  model.weights = model.weights.reshaped({s.layers, s.samples, s.heads, s.n_q, s.n_k});
  set_all_axes(model);
  refit_tensors(rebuilding, tensors_of(model, target), target);
  lower_weights(model, adopted ? std::vector<Axis>{} : axes, s, target);
}

std::uint64_t numbers_of_weights(const AttentionShape& target) {
  return element_count({target.layers, target.samples, target.heads, target.n_q, target.n_k});
}

void outline_weights(AttentionProblem& problem) {
  problem.source = AttentionProblem::Source::Weights;
}

}  // namespace

const KindStructure kWeightsStructure{{StructureKind::Weights, "weights", "Finished weights",
                                       "Attention as it is given, of any model"},
                                      kFieldsOfWeights,
                                      std::holds_alternative<GivenWeights>,
                                      adopt_weights,
                                      target_of_weights,
                                      refit_weights,
                                      outline_weights,
                                      numbers_of_weights};

}  // namespace attn
