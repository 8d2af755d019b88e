// Resizes axes, and makes the numbers that come in.
#include "document/edit/structure/refit.h"

#include <algorithm>
#include <iterator>

#include "document/edit.h"
#include "document/generate.h"

namespace attn {

AxisSources resized_axis(std::size_t from, std::size_t to) { return joined_axis({{from, to}}); }

AxisSources resized_axis(std::size_t blocks_from, std::size_t width_from, std::size_t blocks_to,
                         std::size_t width_to) {
  AxisSources axis;
  for (std::size_t block = 0; block < blocks_to; ++block) {
    for (std::size_t i = 0; i < width_to; ++i) {
      const bool there = block < blocks_from && i < width_from;
      axis.push_back(there ? block * width_from + i : kNewPlace);
    }
  }
  return axis;
}

AxisSources joined_axis(std::initializer_list<AxisPart> parts) {
  AxisSources axis;
  std::size_t first = 0;
  for (const AxisPart& part : parts) {
    for (std::size_t i = 0; i < part.to; ++i) axis.push_back(i < part.from ? first + i : kNewPlace);
    first += part.from;
  }
  return axis;
}

bool adds(const AxisSources& axis) { return std::ranges::count(axis, kNewPlace) > 0; }

bool cuts(const AxisSources& axis, std::size_t from) {
  const auto left = axis.size() - static_cast<std::size_t>(std::ranges::count(axis, kNewPlace));
  return left < from;
}

namespace {

// `from`: indices that the axis has.
AxisSources axis_along(const TensorAxis& axis, std::size_t from, const AttentionShape& layout,
                       const AttentionShape& target) {
  switch (axis.extent) {
    case Extent::AllQueryWidths:
      return resized_axis(layout.heads, query_columns(layout), target.heads, query_columns(target));
    case Extent::AllKeyWidths:
      return resized_axis(layout.kv_heads, layout.d_k, target.kv_heads, target.d_k);
    case Extent::AllValueWidths:
      return resized_axis(layout.kv_heads, layout.d_v, target.kv_heads, target.d_v);
    case Extent::ConcatWidth:
      return resized_axis(layout.heads, layout.d_v, target.heads, target.d_v);
    default:
      return resized_axis(from, axis.count);
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

Tensor fresh_numbers(const Rebuilding& rebuilding, const TensorInfo& info, const Shape& shape) {
  const Document& document = rebuilding.document;
  if (info.use == TensorUse::Matrix) {
    return generated_projection(document.seed, info.name, shape[0], shape[1], rebuilding.count);
  }
  if (info.use == TensorUse::Input || info.use == TensorUse::Map) {
    return fresh_rows(document, info, shape, rebuilding.count);
  }
  const bool weight = info.use == TensorUse::Norm && info.path.ends_with("/weight");
  return Tensor(shape, std::vector<float>(element_count(shape), weight ? 1.0F : 0.0F));
}

bool is_missing_input(const TensorInfo& info) {
  const bool input = info.use == TensorUse::Input || info.use == TensorUse::Map;
  return input && !info.is_there() && info.tensor->rank() > 0;
}

}  // namespace

void refit_tensors(Rebuilding& rebuilding, const TensorList& list, const AttentionShape& target) {
  for (const TensorInfo& info : list) {
    const bool missing = is_missing_input(info);
    const bool generated = missing || (info.needed && !info.is_there());
    const bool new_block = info.block && *info.block >= rebuilding.layout.layers;
    if (generated && !new_block) add_label(rebuilding.remarks.generated, info.label);
    if (missing) writable(info) = fresh_numbers(rebuilding, info, info.shape());
    if (missing || !info.is_there()) continue;
    std::vector<AxisSources> axes;
    for (std::size_t i = 0; i < info.axes.size(); ++i) {
      axes.push_back(axis_along(info.axes[i], info.tensor->extent(i), rebuilding.layout, target));
    }
    refit_tensor(writable(info), axes, info.label, rebuilding.remarks,
                 [&](const Shape& shape) { return fresh_numbers(rebuilding, info, shape); });
  }
  generate_missing(list, rebuilding.document.seed, rebuilding.count);
}

}  // namespace attn
