// Lists of a document's tensors, and access to their matrices.
#include <algorithm>

#include "base/joined.h"
#include "base/number_text.h"
#include "document/edit.h"

namespace attn {
namespace {

// Axes of the tensor itself; the first of three counts heads.
std::vector<TensorAxis> own_axes(const Tensor& tensor, const AttentionShape& shape) {
  std::vector<TensorAxis> axes;
  for (const std::size_t count : tensor.shape()) {
    axes.push_back({Extent::One, std::to_string(count), count});
  }
  if (tensor.rank() == 3) axes.front() = axis_of(shape, Extent::Heads);
  return axes;
}

void list_scoring(TensorList& list, const Scoring& scoring, const AttentionShape& shape) {
  for (const ScoringMatrixInfo& info : all_scoring_matrices()) {
    const Tensor& tensor = scoring.*info.tensor;
    const std::string name(info.name);
    list.push_back({&tensor, "/scoring/" + name, "scoring " + name, std::string(info.label),
                    info.role, TensorUse::Table, own_axes(tensor, shape), "scores"});
  }
}

void list_relative(TensorList& list, const Mask& mask, const AttentionShape& shape,
                   const std::string& place, const std::string& label) {
  if (!mask.relative) return;
  const Tensor& table = mask.relative->table;
  list.push_back({&table, place + "/relative_buckets/table", label, label, StageRole::Scores,
                  TensorUse::Table, own_axes(table, shape), "scores"});
}

void list_rules(TensorList& list, const Document& document, const AttentionShape& shape) {
  list_scoring(list, document.scoring, shape);
  const Tensor& table = document.position.table;
  list.push_back({&table, "/position/table", "position table", "P", StageRole::Scores,
                  TensorUse::Table, own_axes(table, shape), "positions"});
  for (const MaskPlace& place : all_masks()) {
    list_relative(list, document.*place.mask, shape, pointer_of(place),
                  std::string(place.prefix) + "R");
  }
}

void list_patterns(TensorList& list, const Document& document) {
  for (std::size_t i = 0; i < document.what_if.patterns.size(); ++i) {
    const auto& [at, weights] = document.what_if.patterns[i];
    const AttentionShape shape = shape_of(document, at);
    const std::string label = "A of L" + std::to_string(layer_number(shape, at.layer)) + " H" +
                              std::to_string(at.head + 1);
    list.push_back({&weights, "/what_if/patterns/" + std::to_string(i) + "/weights",
                    "pattern " + std::to_string(i + 1), label, StageRole::Scores, TensorUse::Map,
                    axes_of(shape, {Extent::Queries, Extent::Keys})});
  }
}

// Names of features, else numbers from 1.
TokenList feature_labels(const Document& document, Extent extent, std::size_t count) {
  const FeatureColumns columns = feature_columns(shape_of(document), extent);
  std::vector<TokenName> names;
  for (std::size_t i = 0; i < count; ++i) {
    names.push_back({i, feature_label(document.features, columns, i)});
  }
  return TokenList::counted(count, std::move(names));
}

// Tokens if the axis counts them, else features.
TokenList labels_along(const Document& document, Extent extent, std::size_t sample,
                       std::size_t count) {
  if (extent == Extent::Queries) return tokens_of(document, Side::Query, sample);
  if (extent == Extent::Keys) return tokens_of(document, Side::Key, sample);
  return feature_labels(document, extent, count);
}

// Extent of axis `from_end` of the tensor.
Extent extent_from_end(const std::optional<TensorInfo>& info, std::size_t from_end) {
  if (!info || info->axes.size() < from_end) return Extent::One;
  return info->axes[info->axes.size() - from_end].extent;
}

}  // namespace

TensorList tensors_of(const Document& document, std::optional<std::size_t> block) {
  const AttentionShape shape = shape_of(document);
  TensorList list = tensors_of(document.model, shape, block);
  list_rules(list, document, shape);
  list_patterns(list, document);
  return list;
}

TensorList editable_tensors(const Document& document, std::size_t block) {
  TensorList list = tensors_of(document, block);
  std::erase_if(list, [](const TensorInfo& info) { return !info.is_there(); });
  return list;
}

std::optional<TensorInfo> tensor_at(const Document& document, const TensorPath& path) {
  const TensorList list = tensors_of(document, block_of_path(path).value_or(0));
  const TensorInfo* found = find_tensor(list, path);
  return found == nullptr ? std::nullopt : std::optional(*found);
}

std::string label_of(const Document& document, const TensorPath& path) {
  const std::optional<TensorInfo> info = tensor_at(document, path);
  return info ? info->label : path.substr(path.rfind('/') + 1);
}

void each_tensor(Document& document, const std::function<void(Tensor&)>& visit) {
  for (const TensorInfo& info : tensors_of(document)) {
    if (info.is_there()) visit(writable(info));
  }
  for (const MaskPlace& place : all_masks()) {
    Tensor& bias = (document.*place.mask).bias;
    if (!bias.empty()) visit(bias);
  }
}

MatrixView matrix_of(const Document& document, const MatrixRef& ref) {
  const std::optional<TensorInfo> info = tensor_at(document, ref.tensor);
  if (!info || !info->is_there()) return {};
  return matrix_at(*info->tensor, matrix_index(*info, ref.at));
}

std::optional<InputCell> input_cell(const Document& document, std::string_view pointer) {
  const TensorList list = tensors_of(document);
  const auto info = std::ranges::find_if(list, [&](const TensorInfo& each) {
    return each.is_there() && pointer.starts_with(each.path + "/");
  });
  if (info == list.end() || info->axes.size() < 2 || pointer.ends_with('/')) return std::nullopt;
  InputCell cell{{info->path, {.layer = info->block.value_or(0)}}};
  pointer.remove_prefix(info->path.size() + 1);
  for (std::size_t i = 0; i < info->axes.size(); ++i) {
    const auto place = number_spelt<std::size_t>(take_before(pointer, "/"));
    if (!place || *place >= info->axes[i].count) return std::nullopt;
    const std::size_t from_end = info->axes.size() - i;
    const Extent extent = info->axes[i].extent;
    std::size_t& part = from_end == 1               ? cell.col
                        : from_end == 2             ? cell.row
                        : extent == Extent::Layers  ? cell.matrix.at.layer
                        : extent == Extent::Samples ? cell.matrix.at.sample
                                                    : cell.matrix.at.head;
    part = *place;
  }
  return pointer.empty() ? std::optional(cell) : std::nullopt;
}

TokenList row_labels(const Document& document, const MatrixRef& ref) {
  const std::optional<TensorInfo> info = tensor_at(document, ref.tensor);
  const std::size_t count = matrix_of(document, ref).rows;
  if (ref.tensor.ends_with("/table")) return TokenList::counted(count);  // positions or buckets
  return labels_along(document, extent_from_end(info, 2), ref.at.sample, count);
}

TokenList column_labels(const Document& document, const MatrixRef& ref) {
  const std::optional<TensorInfo> info = tensor_at(document, ref.tensor);
  return labels_along(document, extent_from_end(info, 1), ref.at.sample,
                      matrix_of(document, ref).cols);
}

FeatureColumns column_features(const Document& document, const MatrixRef& ref) {
  return feature_columns(shape_of(document), extent_from_end(tensor_at(document, ref.tensor), 1));
}

}  // namespace attn
