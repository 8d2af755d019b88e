// Lists of tensors: axes, addresses and paths.
#include "kinds/parts/tensor_info.h"

#include <algorithm>
#include <charconv>

namespace attn {
namespace {

constexpr std::string_view kBlocks = "/blocks/";

std::size_t index_along(Extent extent, const HeadAddress& at) {
  switch (extent) {
    case Extent::Layers:
      return at.layer;
    case Extent::Samples:
      return at.sample;
    case Extent::Heads:
    case Extent::KeyHeads:
      return at.head;
    default:
      return 0;
  }
}

}  // namespace

Shape TensorInfo::shape() const {
  Shape shape;
  for (const TensorAxis& axis : axes) shape.push_back(axis.count);
  return shape;
}

bool TensorInfo::is_norm_weight() const {
  return use == TensorUse::Norm && !path.ends_with("/bias");
}

bool TensorInfo::has_axis(Extent extent) const {
  return std::ranges::find(axes, extent, &TensorAxis::extent) != axes.end();
}

TensorAxis axis_of(const AttentionShape& shape, Extent extent) {
  return {extent, std::string(symbol_of(shape, extent)), extent_of(shape, extent)};
}

std::vector<TensorAxis> axes_of(const AttentionShape& shape,
                                std::initializer_list<Extent> extents) {
  std::vector<TensorAxis> axes;
  for (const Extent extent : extents) axes.push_back(axis_of(shape, extent));
  return axes;
}

void list_input(TensorList& list, const Tensor& tensor, const std::string& name,
                const std::string& label, StageRole role, const AttentionShape& shape,
                std::initializer_list<Extent> extents) {
  const std::size_t lacking =
      extents.size() - std::clamp<std::size_t>(tensor.rank(), 2, extents.size());
  std::vector<TensorAxis> axes = axes_of(shape, extents);
  axes.erase(axes.begin(), axes.begin() + static_cast<std::ptrdiff_t>(lacking));
  list.push_back({&tensor, "/" + name, name, label, role, TensorUse::Input, std::move(axes)});
}

HeadAddress counts_of(const TensorInfo& info) {
  HeadAddress counts{1, 1, 1};
  for (const TensorAxis& axis : info.axes) {
    if (axis.extent == Extent::Layers) counts.layer = axis.count;
    if (axis.extent == Extent::Samples) counts.sample = axis.count;
    if (axis.extent == Extent::Heads || axis.extent == Extent::KeyHeads) counts.head = axis.count;
  }
  return counts;
}

std::size_t heads_of(const TensorInfo& info, const AttentionShape& shape) {
  return info.has_axis(Extent::KeyHeads) ? shape.kv_heads : shape.heads;
}

std::size_t matrix_index(const TensorInfo& info, const HeadAddress& at) {
  const std::size_t leading = info.axes.size() <= 2 ? 0 : info.axes.size() - 2;
  std::size_t index = 0;
  for (std::size_t i = 0; i < leading; ++i) {
    const TensorAxis& axis = info.axes[i];
    index = index * axis.count + std::min(index_along(axis.extent, at), axis.count - 1);
  }
  return index;
}

Tensor& writable(const TensorInfo& info) { return const_cast<Tensor&>(*info.tensor); }

const TensorInfo* find_tensor(const TensorList& list, std::string_view path) {
  const auto found = std::ranges::find(list, path, &TensorInfo::path);
  return found == list.end() ? nullptr : &*found;
}

std::optional<std::size_t> block_of_path(std::string_view path) {
  if (!path.starts_with(kBlocks)) return std::nullopt;
  std::size_t block = 0;
  const std::string_view number = path.substr(kBlocks.size());
  const auto read = std::from_chars(number.data(), number.data() + number.size(), block);
  return read.ec == std::errc() ? std::optional(block) : std::nullopt;
}

TensorPath in_block(std::string_view path, std::size_t block) {
  if (!block_of_path(path)) return TensorPath(path);
  const std::string_view rest = path.substr(path.find('/', kBlocks.size()));
  return std::string(kBlocks) + std::to_string(block) + std::string(rest);
}

}  // namespace attn
