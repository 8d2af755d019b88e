// Storage of feature names, and their lookup for any axis of a tensor or stage.
#include "document/feature_names.h"

#include <algorithm>
#include <utility>

namespace attn {
namespace {

constexpr std::array<FeatureAxisInfo, kFeatureAxes> kFeatureAxisInfos{{
    {FeatureAxis::Model, "d_model", &AttentionShape::d_model},
    {FeatureAxis::Key, "d_k", &AttentionShape::d_k},
    {FeatureAxis::Value, "d_v", &AttentionShape::d_v},
    {FeatureAxis::Hidden, "d_ff", &AttentionShape::d_ff},
}};
static_assert(is_indexed_by(kFeatureAxisInfos, &FeatureAxisInfo::axis));

FeatureColumns once(FeatureAxis axis, std::size_t count) { return {axis, count, 1, {}}; }

// Columns of the axis, if `count` is their number; else nothing.
FeatureColumns like(const AttentionShape& shape, FeatureAxis axis, std::size_t count) {
  const bool same = count == shape.*feature_axis_info(axis).count;
  return same ? once(axis, count) : FeatureColumns();
}

std::string_view symbol_of_shared(const AttentionShape& shape) {
  return shape.kv_heads == shape.heads ? "h" : "kv";
}

}  // namespace

std::span<const FeatureAxisInfo> all_feature_axes() { return kFeatureAxisInfos; }

const FeatureAxisInfo& feature_axis_info(FeatureAxis axis) {
  return row_of(kFeatureAxisInfos, axis);
}

void FeatureNames::take(FeatureAxis axis, std::vector<TokenName> names) {
  names_[at(axis)] = TokenList::counted(0, std::move(names));
}

void FeatureNames::rename(FeatureAxis axis, std::size_t column, std::string name) {
  std::vector<TokenName> changed(of(axis).begin(), of(axis).end());
  auto place = std::ranges::lower_bound(changed, column, {}, &TokenName::index);
  if (place != changed.end() && place->index == column) place = changed.erase(place);
  if (!name.empty()) changed.insert(place, {column, std::move(name)});
  take(axis, std::move(changed));
}

void FeatureNames::set(FeatureAxis axis, std::vector<std::string> names) {
  std::vector<TokenName> named;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!names[i].empty()) named.push_back({i, std::move(names[i])});
  }
  take(axis, std::move(named));
}

void FeatureNames::keep_first(FeatureAxis axis, std::size_t count) {
  const std::span<const TokenName> names = of(axis);
  if (names.empty() || names.back().index < count) return;
  take(axis, {names.begin(), std::ranges::lower_bound(names, count, {}, &TokenName::index)});
}

FeatureColumns feature_columns(const AttentionShape& shape, Extent extent) {
  const std::size_t count = extent_of(shape, extent);
  switch (extent) {
    case Extent::ModelWidth:
    case Extent::KeyInputWidth:
    case Extent::ValueInputWidth:
    case Extent::OutputWidth:
      return like(shape, FeatureAxis::Model, count);
    case Extent::QueryWidth:
    case Extent::KeyWidth:
    case Extent::StateWidth:
      return like(shape, FeatureAxis::Key, count);
    case Extent::ValueWidth:
      return once(FeatureAxis::Value, count);
    case Extent::HiddenWidth:
      return once(FeatureAxis::Hidden, count);
    case Extent::AllQueryWidths:
      if (query_columns(shape) != shape.d_k) return {};
      return {FeatureAxis::Key, shape.d_k, shape.heads, "h"};
    case Extent::AllKeyWidths:
      return {FeatureAxis::Key, shape.d_k, shape.kv_heads, symbol_of_shared(shape)};
    case Extent::AllValueWidths:
      return {FeatureAxis::Value, shape.d_v, shape.kv_heads, symbol_of_shared(shape)};
    case Extent::ConcatWidth:
      return {FeatureAxis::Value, shape.d_v, shape.heads, "h"};
    default:
      return {};
  }
}

bool are_named(const FeatureNames& names, const FeatureColumns& columns) {
  return columns.axis && !names.of(*columns.axis).empty();
}

const std::string* feature_name(const FeatureNames& names, const FeatureColumns& columns,
                                std::size_t column) {
  return columns.axis ? names.name_of(*columns.axis, columns.feature_of(column)) : nullptr;
}

std::string feature_label(const FeatureNames& names, const FeatureColumns& columns,
                          std::size_t column) {
  const std::string* name = feature_name(names, columns, column);
  if (name == nullptr) return std::to_string(column + 1);
  if (columns.heads < 2) return *name;
  return std::string(columns.head_symbol) + std::to_string(column / columns.width + 1) + " " +
         *name;
}

}  // namespace attn
