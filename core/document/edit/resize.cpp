// Finds the extents of the new model, resizes its tensors by axes, and generates new numbers.
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

// The usual ratio of feed-forward width to model width.
constexpr std::size_t kUsualNetworkFactor = 4;

// Returns the parts of an extent; `count` is their total, for an extent with only one.
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
    case Extent::BothWidths:
      return {query_columns(shape), shape.d_k};
    default:
      return {count};
  }
}

// Generates the rows of all tokens in every matrix.
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
  const bool weight = info.is_norm_weight();
  return Tensor(shape, std::vector<float>(element_count(shape), weight ? 1.0F : 0.0F));
}

// Resizes an existing tensor by the parts of its axes, and adds its label to the remarks.
void resize_tensor(Rebuilding& rebuilding, const TensorInfo& info,
                   const std::vector<AxisParts>& from, const std::vector<AxisParts>& to,
                   const FreshNumbers& fresh) {
  std::vector<AxisSources> axes;
  bool grows = false, shrinks = false;
  Shape shape;
  for (std::size_t i = 0; i < to.size(); ++i) {
    const AxisSources& axis = axes.emplace_back(resized_axis(from[i], to[i]));
    const auto added = static_cast<std::size_t>(std::ranges::count(axis, kNewPlace));
    grows = grows || added > 0;
    shrinks = shrinks || axis.size() - added < info.tensor->extent(i);
    shape.push_back(axis.size());
  }
  if (!grows && !shrinks) return;
  if (grows) add_label(rebuilding.extended, info.label);
  if (shrinks) add_label(rebuilding.cut, info.label);
  const Tensor numbers = grows ? fresh(shape) : Tensor();
  writable(info) = resized(*info.tensor, axes, [&](std::size_t flat) { return numbers[flat]; });
}

// Resizes the tensors of a list; missing inputs are generated one by one, matrices at the end.
void resize_list(Rebuilding& rebuilding, const TensorList& list, const AttentionShape& target) {
  for (const TensorInfo& info : list) {
    const auto fresh = [&](const Shape& shape) { return fresh_numbers(rebuilding, info, shape); };
    const bool missing = !info.is_there() && is_input(info) && info.tensor->rank() > 0;
    const bool new_block = info.block && *info.block >= rebuilding.layout.layers;
    if ((missing || (info.needed && !info.is_there())) && !new_block) {
      add_label(rebuilding.generated, info.label);
    }
    if (missing) {
      writable(info) = fresh(info.shape());
    } else if (info.is_there()) {
      resize_tensor(rebuilding, info, target, fresh);
    }
  }
  generate_missing(list, rebuilding.document.seed, rebuilding.count);
}

// Returns the widths of existing tensors; 0 for new cells.
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
      resize_tensor(rebuilding, info, recurrent_axes(rows[i], from), recurrent_axes(rows[i], to),
                    [&](const Shape& shape) { return fresh_numbers(rebuilding, info, shape); });
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

// Returns the new extents; widths other than the default stay as long as they differ from it.
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
    take_head_norms(first, stack->blocks[layer]);
  }
  rebuilding.sentences.push_back(wanted > there ? "Generated " + numbered_blocks(there, wanted)
                                                : "Dropped " + numbered_blocks(wanted, there));
}

// Returns the tensors with a row for each token.
TensorList inputs_of(const Model& model, const AttentionShape& shape) {
  const Embeddings* embeddings = embeddings_of(model);
  if (embeddings == nullptr) return tensors_of(model, shape);
  TensorList list;
  list_embeddings(list, *embeddings, shape);
  return list;
}

// Returns the axes of layers, samples and heads that an input has.
std::vector<Extent> outer_axes(const TensorInfo& input) {
  std::vector<Extent> axes;
  for (std::size_t i = 0; i + 2 < input.axes.size(); ++i) axes.push_back(input.axes[i].extent);
  std::ranges::replace(axes, Extent::KeyHeads, Extent::Heads);
  return axes;
}

// Returns such axes that inputs of the model may have.
std::vector<Extent> all_outer_axes(const Model& model) {
  if (embeddings_of(model) != nullptr) return {Extent::Samples};
  return {kQkvOuterAxes.begin(), kQkvOuterAxes.end()};
}

// Gives inputs these outer axes; those that they had are among them, or have an extent of 1.
void set_outer_axes(Model& model, const AttentionShape& shape, const std::vector<Extent>& axes) {
  for (const TensorInfo& input : inputs_of(model, shape)) {
    if (!input.is_there()) continue;
    const std::vector<Extent> before = outer_axes(input);
    Shape written;
    for (const Extent axis : axes) {
      const auto at = static_cast<std::size_t>(std::ranges::find(before, axis) - before.begin());
      written.push_back(at == before.size() ? 1 : input.tensor->extent(at));
    }
    const Shape& all = input.tensor->shape();
    written.insert(written.end(), all.end() - 2, all.end());
    writable(input) = input.tensor->reshaped(std::move(written));
  }
  if (auto* qkv = std::get_if<GivenQkv>(&model)) qkv->name_axes(axes);
  if (auto* given = std::get_if<GivenWeights>(&model)) {
    given->axes = axes;
    given->axes.insert(given->axes.end(), {Extent::Queries, Extent::Keys});
  }
}

// True if the model needs this input when it is absent.
bool is_needed(const TensorInfo& input, const Rebuilding& rebuilding) {
  const bool is_embedded = embeddings_of(rebuilding.document.model) != nullptr;
  if (input.role == StageRole::Key) return !is_embedded || rebuilding.document.cross;
  if (input.role == StageRole::Value) return !is_embedded && rebuilding.wanted.d_v > 0;
  return true;
}

// Gives inputs all outer axes; absent ones that are needed get extents of 0.
void lift(Rebuilding& rebuilding) {
  Model& model = rebuilding.document.model;
  const std::vector<Extent> axes = all_outer_axes(model);
  set_outer_axes(model, rebuilding.layout, axes);
  for (const TensorInfo& input : inputs_of(model, rebuilding.layout)) {
    if (input.is_there()) continue;
    const bool needed = is_needed(input, rebuilding);
    writable(input) = needed ? Tensor(Shape(axes.size() + 2, 0), {}) : Tensor();
  }
}

// Removes axes of one sample, head or layer, unless they were written before and stay one.
void lower(Rebuilding& rebuilding, const AttentionShape& target) {
  const Model &before = rebuilding.before.model, &now = rebuilding.document.model;
  const bool are_embedded = embeddings_of(before) != nullptr && embeddings_of(now) != nullptr;
  std::vector<Extent> had;
  if (before.index() == now.index() || are_embedded)
    had = outer_axes(inputs_of(before, shape_of(before)).front());
  std::vector<Extent> axes = all_outer_axes(now);
  std::erase_if(axes, [&](Extent axis) {
    const bool was_one =
        std::ranges::count(had, axis) > 0 && extent_of(rebuilding.layout, axis) == 1;
    return extent_of(target, axis) == 1 && !was_one;
  });
  set_outer_axes(rebuilding.document.model, target, axes);
}

// Returns the extents that are known before the change.
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
  lift(rebuilding);
  const auto set_heads = [&](auto& kind) {
    if constexpr (requires { kind.heads; }) kind.heads = target.heads;
  };
  std::visit(set_heads, model);
  resize_blocks(rebuilding);
  if (info_of(model).has_steps) {  // the tensors of cells need not be there yet
    resize_list(rebuilding, inputs_of(model, target), target);
    resize_cells(rebuilding, target);
  } else {
    resize_list(rebuilding, tensors_of(model, target), target);
  }
  lower(rebuilding, target);
  return target;
}

void resize_tensor(Rebuilding& rebuilding, const TensorInfo& info, const AttentionShape& target,
                   const FreshNumbers& fresh) {
  std::vector<AxisParts> from, to;
  for (std::size_t i = 0; i < info.axes.size(); ++i) {
    const auto& [extent, symbol, count] = info.axes[i];
    from.push_back(parts_of(extent, rebuilding.layout, info.tensor->extent(i)));
    to.push_back(parts_of(extent, target, count));
  }
  resize_tensor(rebuilding, info, from, to, fresh);
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
