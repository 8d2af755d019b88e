// Extents of the new model, resizing of its tensors by axes, and generation of new numbers.
#include <algorithm>
#include <iterator>
#include <utility>

#include "attention/problem.h"
#include "document/edit.h"
#include "document/edit/rebuilding.h"
#include "document/generate.h"

namespace attn {

AxisSources resized_axis(const AxisParts& from, const AxisParts& to) {
  AxisSources axis;
  std::size_t first = 0;
  for (std::size_t part = 0; part < to.size(); ++part) {
    const std::size_t there = part < from.size() ? from[part] : 0;
    for (std::size_t i = 0; i < to[part]; ++i) axis.push_back(i < there ? first + i : kNewPlace);
    first += there;
  }
  return axis;
}

namespace {

// Usual ratio of feed-forward width to model width.
constexpr std::size_t kUsualNetworkFactor = 4;

// `count`: total of all parts, if the extent has one only.
AxisParts parts_of(Extent extent, const AttentionShape& shape, std::size_t count) {
  switch (extent) {
    case Extent::AllQueryWidths:
      return AxisParts(shape.heads, query_columns(shape));
    case Extent::AllKeyWidths:
      return AxisParts(shape.kv_heads, shape.d_k);
    case Extent::AllValueWidths:
      return AxisParts(shape.kv_heads, shape.d_v);
    case Extent::ConcatWidth:
      return AxisParts(shape.heads, shape.d_v);
    default:
      return {count};
  }
}

// Rows of tokens, in every matrix.
Tensor fresh_rows(const Document& document, const TensorInfo& info, const Shape& shape,
                  StepCount* count) {
  const std::size_t rows = shape[shape.size() - 2], cols = shape.back();
  const bool of_keys = info.axes[info.axes.size() - 2].extent == Extent::Keys;
  const Side side = of_keys ? Side::Key : Side::Query;
  std::vector<float> values;
  for (std::size_t matrix = 0; values.size() < element_count(shape); ++matrix) {
    const TokenList& tokens = tokens_of(document, side, sample_of_matrix(info, matrix));
    for (std::size_t row = 0; row < rows; ++row) {
      std::ranges::copy(generated_row_of(document, info, matrix, tokens[row], cols),
                        std::back_inserter(values));
      const bool wanted = count == nullptr || count->add(cols);
      if (!wanted) return Tensor(shape, std::vector<float>(element_count(shape)));
    }
  }
  return Tensor(shape, std::move(values));
}

bool is_input(const TensorInfo& info) {
  return info.use == TensorUse::Input || info.use == TensorUse::Map;
}

Tensor fresh_numbers(const Rebuilding& rebuilding, const TensorInfo& info, const Shape& shape) {
  const Document& document = rebuilding.document;
  if (info.use == TensorUse::Matrix) {
    return generated_projection(document.seed, info.name, shape[0], shape[1], rebuilding.count);
  }
  if (is_input(info)) return fresh_rows(document, info, shape, rebuilding.count);
  const bool weight = info.use == TensorUse::Norm && info.path.ends_with("/weight");
  return Tensor(shape, std::vector<float>(element_count(shape), weight ? 1.0F : 0.0F));
}

// Resizes one existing tensor; the first indices of each part of an axis stay.
void resize_tensor(Rebuilding& rebuilding, const TensorInfo& info,
                   const std::vector<AxisParts>& from, const std::vector<AxisParts>& to) {
  std::vector<AxisSources> axes;
  for (std::size_t i = 0; i < to.size(); ++i) axes.push_back(resized_axis(from[i], to[i]));
  resize_tensor(rebuilding, writable(info), axes, info.label,
                [&](const Shape& shape) { return fresh_numbers(rebuilding, info, shape); });
}

void resize_by_extents(Rebuilding& rebuilding, const TensorInfo& info,
                       const AttentionShape& target) {
  std::vector<AxisParts> from, to;
  for (std::size_t i = 0; i < info.axes.size(); ++i) {
    const auto& [extent, symbol, count] = info.axes[i];
    from.push_back(parts_of(extent, rebuilding.layout, info.tensor->extent(i)));
    to.push_back(parts_of(extent, target, count));
  }
  resize_tensor(rebuilding, info, from, to);
}

// Missing inputs are generated whole, matrices together at the end.
void resize_list(Rebuilding& rebuilding, const TensorList& list, const AttentionShape& target) {
  for (const TensorInfo& info : list) {
    const bool missing = !info.is_there() && is_input(info) && info.tensor->rank() > 0;
    const bool new_block = info.block && *info.block >= rebuilding.layout.layers;
    if ((missing || (info.needed && !info.is_there())) && !new_block) {
      add_label(rebuilding.generated, info.label);
    }
    if (missing) {
      writable(info) = fresh_numbers(rebuilding, info, info.shape());
    } else if (info.is_there()) {
      resize_by_extents(rebuilding, info, target);
    }
  }
  generate_missing(list, rebuilding.document.seed, rebuilding.count);
}

// Widths of existing tensors; 0 for new cells.
RecurrentWidths widths_before(const Rebuilding& rebuilding) {
  const Recurrent& model = std::get<RecurrentModel>(rebuilding.document.model).recurrent;
  if (model.encoder.w_h.empty()) return {};
  const AttentionShape& layout = rebuilding.layout;
  return widths_of(model, key_embedding_columns(layout), layout.d_model);
}

RecurrentWidths widths_after(const Rebuilding& rebuilding, const AttentionShape& target) {
  const RecurrentWidths before = widths_before(rebuilding);
  RecurrentWidths after = before;
  after.d_source = key_embedding_columns(target);
  after.d_target = target.d_model;
  if (before.encoder_width() != rebuilding.wanted.d_k) {
    const bool both_ways = before.backward > 0;
    after.encoder = after.decoder = rebuilding.wanted.d_k / (both_ways ? 2 : 1);
    if (both_ways) after.backward = after.encoder;
  }
  if (before.encoder == 0 || before.d_out == before.decoder) after.d_out = after.decoder;
  return after;
}

void resize_cells(Rebuilding& rebuilding, const AttentionShape& target) {
  auto& model = std::get<RecurrentModel>(rebuilding.document.model);
  const RecurrentWidths from = widths_before(rebuilding), to = widths_after(rebuilding, target);
  const auto rows = all_recurrent_tensors();
  if (from.encoder > 0) {
    const TensorList list = model.tensors(rebuilding.layout);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const TensorInfo& info = list[list.size() - rows.size() + i];
      if (!info.is_there()) continue;
      resize_tensor(rebuilding, info, recurrent_axes(rows[i], from), recurrent_axes(rows[i], to));
    }
  }
  std::vector<std::string> made;
  complete_recurrent(model.recurrent, to, rebuilding.document.seed, made, rebuilding.count);
  const TensorList list = model.tensors(target);
  for (const std::string& name : made) {
    const auto& info = *std::ranges::find(list, name, &TensorInfo::name);
    rebuilding.generated.push_back(info.label);
  }
}

AttentionShape with_extents(AttentionShape shape, const Structure& wanted) {
  shape.layers = wanted.layers;
  shape.samples = wanted.samples;
  shape.heads = wanted.heads;
  shape.kv_heads = wanted.key_value_heads;
  shape.d_k = wanted.d_k;
  shape.d_v = wanted.d_v;
  return shape;
}

AttentionShape target_of_cells(const Rebuilding& rebuilding, AttentionShape target) {
  const RecurrentWidths after = widths_after(rebuilding, target);
  target.d_k = target.d_v = after.encoder_width();
  target.d_q = after.decoder == target.d_k ? 0 : after.decoder;
  target.d_out = after.d_out;
  return target;
}

// Widths that differ from the default stay while they still differ.
AttentionShape target_of(const Rebuilding& rebuilding) {
  const Structure& wanted = rebuilding.wanted;
  const AttentionShape& layout = rebuilding.layout;
  const Model& model = rebuilding.document.model;
  AttentionShape target = with_extents(layout, wanted);
  target.d_q = layout.d_q == wanted.d_k ? 0 : layout.d_q;
  const Embeddings* x = embeddings_of(model);
  if (x == nullptr) return target;
  target.d_q = 0;
  target.d_model = target.d_out = wanted.d_model;
  const std::size_t keys = x->key.empty() ? 0 : layout.key_width;
  target.key_width = keys == wanted.d_model ? 0 : keys;
  const std::size_t values = x->value.empty() ? 0 : layout.value_width;
  target.value_width = values == key_embedding_columns(target) ? 0 : values;
  if (info_of(model).has_steps) return target_of_cells(rebuilding, target);
  if (!wanted.kind->has_layers) {
    if (layout.d_out != layout.d_model) target.d_out = layout.d_out;
  } else if (layout.d_ff == 0 || layout.d_ff == kUsualNetworkFactor * layout.d_model) {
    target.d_ff = kUsualNetworkFactor * target.d_model;
  }
  return target;
}

std::string numbered_blocks(std::size_t first, std::size_t end) {
  if (end == first + 1) return "block " + std::to_string(end);
  return "blocks " + std::to_string(first + 1) + " to " + std::to_string(end);
}

void resize_blocks(Rebuilding& rebuilding) {
  Stack* stack = stack_of(rebuilding.document.model);
  const std::size_t wanted = rebuilding.wanted.layers;
  if (stack == nullptr || stack->blocks.size() == wanted) return;
  const std::size_t there = stack->blocks.size();
  stack->blocks.resize(wanted);
  for (std::size_t layer = there; layer < wanted; ++layer) {
    const TransformerBlock& first = stack->blocks.front();
    stack->blocks[layer].feed_forward.activation = first.feed_forward.activation;
    if (first.cross) stack->blocks[layer].cross.emplace();
  }
  rebuilding.sentences.push_back(wanted > there ? "Generated " + numbered_blocks(there, wanted)
                                                : "Dropped " + numbered_blocks(wanted, there));
}

// Adds axes of 1 in front, or removes them. Absent tensors that are `needed` get extents of 0.
Tensor at_depth(const Tensor& tensor, std::size_t depth, bool needed = false) {
  if (tensor.empty()) return needed ? Tensor(Shape(depth, 0), {}) : Tensor();
  Shape shape(tensor.shape().rbegin(), tensor.shape().rend());
  shape.resize(depth, 1);
  return tensor.reshaped(Shape(shape.rbegin(), shape.rend()));
}

// Adds axes of samples, heads and layers.
void lift(Embeddings& model, const Rebuilding& rebuilding) {
  model.query = at_depth(model.query, 3, true);
  model.key = at_depth(model.key, 3, rebuilding.document.cross);
  model.value = at_depth(model.value, 3);
}

// Absent values stay absent unless columns are wanted.
void lift(GivenQkv& model, const Rebuilding& rebuilding) {
  for (Tensor* tensor : {&model.q, &model.k, &model.v}) {
    if (!tensor->empty()) {
      *tensor = tensor->reshaped(model.full_shape(*tensor));
    } else if (tensor != &model.v || rebuilding.wanted.d_v > 0) {
      *tensor = Tensor(Shape(kQkvOuterAxes.size() + 2, 0), {});
    }
  }
  model.axes.clear();
}

void lift(GivenWeights& model, const Rebuilding& rebuilding) {
  const AttentionShape& s = rebuilding.layout;
  for (const TensorInfo& info : model.tensors(s)) {
    const Shape& shape = info.tensor->shape();
    writable(info) =
        info.tensor->reshaped({s.layers, s.samples, s.heads, shape.rbegin()[1], shape.back()});
  }
  model.axes.assign(kWeightAxes.begin(), kWeightAxes.end());
}

// True for axes of one sample, head or layer that were written and stay one.
bool stays(std::size_t from, std::size_t to, bool was_written) {
  return to > 1 || (was_written && from == 1);
}

void lower(Embeddings& now, const Rebuilding& rebuilding, const AttentionShape& target) {
  const Embeddings* before = embeddings_of(rebuilding.before.model);
  const bool had_samples = before != nullptr && before->query.rank() == 3;
  if (stays(rebuilding.layout.samples, target.samples, had_samples)) return;
  for (Tensor* tensor : {&now.query, &now.key, &now.value}) *tensor = at_depth(*tensor, 2);
}

void lower(GivenQkv& now, const Rebuilding& rebuilding, const AttentionShape& target) {
  const auto* before = std::get_if<GivenQkv>(&rebuilding.before.model);
  std::vector<Extent> had, axes;
  if (before != nullptr) had = before->outer_axes(before->q.rank());
  const auto keeps = [&](Extent axis) {
    return stays(extent_of(rebuilding.layout, axis), extent_of(target, axis),
                 std::ranges::count(had, axis) > 0);
  };
  std::ranges::copy_if(kQkvOuterAxes, std::back_inserter(axes), keeps);
  for (Tensor* tensor : {&now.q, &now.k, &now.v}) {
    if (tensor->empty()) continue;
    Shape shape;
    for (std::size_t i = 0; i < tensor->rank(); ++i) {
      const bool is_outer = i < kQkvOuterAxes.size();
      if (!is_outer || std::ranges::count(axes, kQkvOuterAxes[i]) > 0) {
        shape.push_back(tensor->extent(i));
      }
    }
    *tensor = tensor->reshaped(shape);
  }
  now.name_axes(std::move(axes));
}

void lower(GivenWeights& now, const Rebuilding& rebuilding, const AttentionShape& target) {
  const auto* before = std::get_if<GivenWeights>(&rebuilding.before.model);
  const AttentionShape& from = rebuilding.layout;
  std::vector<Extent> axes;
  Shape shape;
  for (const Extent axis : now.axes) {
    const bool had = before != nullptr && std::ranges::count(before->axes, axis) > 0;
    const bool of_cells = axis == Extent::Queries || axis == Extent::Keys;
    if (!of_cells && !stays(extent_of(from, axis), extent_of(target, axis), had)) continue;
    axes.push_back(axis);
    shape.push_back(extent_of(target, axis));
  }
  for (const TensorInfo& info : now.tensors(target)) {
    std::copy(info.tensor->shape().end() - 2, info.tensor->shape().end(), shape.end() - 2);
    writable(info) = info.tensor->reshaped(shape);
  }
  now.axes = std::move(axes);
}

// Calls visit(inputs) for the part of the model that tokens have rows in.
template <class Visit>
void visit_inputs(Model& model, std::size_t heads, const Visit& visit) {
  std::visit(
      [&](auto& kind) {
        if constexpr (requires { kind.embeddings; }) {
          kind.heads = heads;
          visit(kind.embeddings);
        } else {
          visit(kind);
        }
      },
      model);
}

// What is known of the extents before anything is made.
AttentionShape predicted_shape(const Document& document, const Structure& wanted) {
  const AttentionShape before = shape_of(document);
  AttentionShape shape = with_extents({}, wanted);
  shape.n_q = before.n_q;
  shape.n_k = wanted.cross && document.cross ? before.n_k : before.n_q;
  shape.d_model = shape.d_out = wanted.d_model;
  if (!wanted.kind->has_networks()) return shape;
  shape.d_ff = before.d_ff > 0 ? before.d_ff : element_count({kUsualNetworkFactor, wanted.d_model});
  return shape;
}

}  // namespace

AttentionShape resize_model(Rebuilding& rebuilding) {
  const AttentionShape target = target_of(rebuilding);
  Model& model = rebuilding.document.model;
  visit_inputs(model, target.heads, [&](auto& inputs) { lift(inputs, rebuilding); });
  resize_blocks(rebuilding);
  if (info_of(model).has_steps) {  // the tensors of cells need not be there yet
    TensorList embeddings;
    list_embeddings(embeddings, *embeddings_of(model), target);
    resize_list(rebuilding, embeddings, target);
    resize_cells(rebuilding, target);
  } else {
    resize_list(rebuilding, tensors_of(model, target), target);
  }
  visit_inputs(model, target.heads, [&](auto& inputs) { lower(inputs, rebuilding, target); });
  return target;
}

std::uint64_t predicted_numbers(const Document& document, const Structure& wanted) {
  return wanted.kind->numbers(predicted_shape(document, wanted));
}

std::uint64_t predicted_bytes(const Document& document, const Structure& wanted) {
  AttentionProblem problem;
  problem.kind = wanted.kind->problems;
  problem.shape = predicted_shape(document, wanted);
  if (wanted.kind->has_networks()) problem.stack.blocks.resize(1);
  if (wanted.kind->sequences == 2) problem.stack.blocks.front().cross.emplace();
  return saturating_sum({element_count({wanted.kind->numbers(problem.shape), sizeof(float)}),
                         materialised_bytes(problem), laid_out_bytes(problem)});
}

}  // namespace attn
