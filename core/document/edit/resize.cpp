// Resizing of the model's tensors by axes, and generation of new numbers.
#include <algorithm>
#include <iterator>

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

bool adds(const AxisSources& axis) { return std::ranges::count(axis, kNewPlace) > 0; }

bool cuts(const AxisSources& axis, std::size_t from) {
  const auto left = axis.size() - static_cast<std::size_t>(std::ranges::count(axis, kNewPlace));
  return left < from;
}

namespace {

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

void resize_by_extents(Rebuilding& rebuilding, const TensorInfo& info,
                       const AttentionShape& target) {
  std::vector<AxisSources> axes;
  for (std::size_t i = 0; i < info.axes.size(); ++i) {
    const auto& [extent, symbol, count] = info.axes[i];
    axes.push_back(resized_axis(parts_of(extent, rebuilding.layout, info.tensor->extent(i)),
                                parts_of(extent, target, count)));
  }
  resize_tensor(rebuilding, info, axes);
}

// Missing inputs are generated whole, matrices together at the end.
void resize_list(Rebuilding& rebuilding, const TensorList& list, const AttentionShape& target) {
  for (const TensorInfo& info : list) {
    const bool missing = !info.is_there() && is_input(info) && info.tensor->rank() > 0;
    const bool new_block = info.block && *info.block >= rebuilding.layout.layers;
    if ((missing || (info.needed && !info.is_there())) && !new_block) {
      add_label(rebuilding.remarks.generated, info.label);
    }
    if (missing) {
      writable(info) = fresh_numbers(rebuilding, info, info.shape());
    } else if (info.is_there()) {
      resize_by_extents(rebuilding, info, target);
    }
  }
  generate_missing(list, rebuilding.document.seed, rebuilding.count);
}

}  // namespace

void resize_tensor(Rebuilding& rebuilding, const TensorInfo& info,
                   const std::vector<AxisSources>& axes) {
  resize_tensor(writable(info), axes, info.label, rebuilding.remarks,
                [&](const Shape& shape) { return fresh_numbers(rebuilding, info, shape); });
}

void resize_tensors(Rebuilding& rebuilding, const AttentionShape& target) {
  Model& model = rebuilding.document.model;
  const bool cells = info_of(model).has_steps;  // which may be absent
  TensorList list;
  if (cells) {
    list_embeddings(list, *embeddings_of(model), target);
  } else {
    list = tensors_of(model, target);
  }
  resize_list(rebuilding, list, target);
  if (cells) resize_cells(rebuilding, target);
}

}  // namespace attn
