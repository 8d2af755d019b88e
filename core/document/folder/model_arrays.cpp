// Finds, reads and checks arrays of a model.
#include "document/folder/model_arrays.h"

#include <algorithm>
#include <utility>

#include "base/joined.h"
#include "document/tensors/tensor_file.h"
#include "kinds/parts/findings.h"
#include "text/nearest.h"

namespace attn {
namespace {

// Buffers of some versions of the libraries, which are computed from the settings.
constexpr std::string_view kIgnored[] = {".attn.bias",           ".attn.masked_bias",
                                         ".rotary_emb.inv_freq", ".attention.bias",
                                         "position_ids",         ".attention.masked_bias",
                                         "pooler.dense.weight",  "pooler.dense.bias",
                                         ".masked_bias",         ".attention.rotary_emb.inv_freq"};

// False for whole numbers, which weights in fewer bits are made of.
bool is_of_fractions(const ElementType& type) { return type.name.find("float") != type.name.npos; }

bool fits(const Shape& found, const Shape& expected) {
  return std::ranges::equal(found, expected,
                            [](std::size_t a, std::size_t b) { return b == 0 || a == b; });
}

}  // namespace

ModelArrays::ModelArrays(std::string folder, std::string file, const ArrayListing& listing,
                         const ReadOptions& options)
    : folder_(std::move(folder)),
      file_(std::move(file)),
      options_(options),
      left_out_(listing.left_out) {
  for (const StoredArray& array : listing.arrays) {
    const bool has_fractions = array.type != nullptr && is_of_fractions(*array.type);
    if (has_fractions) shapes_.emplace(array.name, array.shape);
    if (!has_fractions) left_out_.push_back(array.name + ": " + type_text(array));
  }
}

void ModelArrays::choose_prefix(const Family& family) {
  for (const std::string& prefix : split(family.names.prefixes, '|')) {
    prefix_ = prefix;
    if (shapes_.contains(prefix + std::string(family.names.table) + ".weight")) return;
  }
  prefix_ = split(family.names.prefixes, '|').front();
  refuse_missing(std::string(family.names.table) + ".weight", {});
}

std::string ModelArrays::name_of(const std::string& name) const {
  const std::string old =
      with_replaced(with_replaced(name, "Norm.weight", "Norm.gamma"), "Norm.bias", "Norm.beta");
  for (const std::string& full : {prefix_ + name, name, prefix_ + old, old}) {
    if (shapes_.contains(full)) return full;
  }
  return "";
}

Tensor ModelArrays::take(const std::string& name, const Shape& shape, bool needed, bool turned,
                         const OutputPart& part) {
  Shape stored = shape;
  if (part.whole > 0) stored.back() = part.whole;
  if (turned) std::swap(stored[0], stored[1]);
  const std::string full = name_of(name);
  if (full.empty() && needed) refuse_missing(name, stored);
  if (full.empty() || error_) return {};
  taken_.insert(full);
  if (!fits(shapes_.at(full), stored)) {
    refuse_shape(full, stored);
    return {};
  }
  const TensorReference reference{.file = file_, .arrays = {full}, .turned = turned, .part = part};
  Result<Tensor> tensor =
      open_array<float>(reference, folder_, options_.memory_limit_bytes, options_.progress, 0);
  if (tensor) return *std::move(tensor);
  error_ = tensor.error();
  error_->message = full + ": " + error_->message;
  return {};
}

void ModelArrays::refuse(Error error) {
  if (error_) return;
  error.file = folder_ + "/" + file_;
  error_ = std::move(error);
}

void ModelArrays::refuse_shape(const std::string& name, const Shape& expected) {
  const std::string text = with_replaced(shape_text(expected), "(0, ", "(any, ");
  refuse(refusal_at("", "the array " + name + " does not fit the settings of the model",
                    shape_text(shapes_.at(name)), text + ", by config.json",
                    "config.json and the weights must be those of one model"));
}

void ModelArrays::refuse_missing(const std::string& name, const Shape& shape) {
  const std::string full = prefix_ + name;
  const auto unread = std::ranges::find_if(
      left_out_, [&](const std::string& text) { return text.starts_with(full + ": "); });
  if (unread != left_out_.end()) {
    return refuse(refusal_at(
        "", "the array " + full + " is not read", unread->substr(full.size() + 2),
        "float32, float16, bfloat16 or float64, not empty", "save the model with such weights"));
  }
  std::vector<std::string_view> names;
  for (const auto& [known, extents] : shapes_) names.push_back(known);
  const std::string near(nearest(full, names));
  const std::string text = with_replaced(shape_text(shape), "(0, ", "(any, ");
  refuse(refusal_at("", "the folder of the model lacks an array", "no " + full,
                    (shape.empty() ? "the embeddings of tokens" : text) +
                        (near.empty() ? "" : "; the nearest is " + near),
                    "download the whole folder, or save the model once more in Python"));
}

std::vector<std::string> ModelArrays::left_over() const {
  std::vector<std::string> names;
  for (const auto& array : shapes_) {
    const std::string& name = array.first;
    const bool is_ignored =
        std::ranges::any_of(kIgnored, [&](std::string_view end) { return name.ends_with(end); });
    if (!taken_.contains(name) && !is_ignored) names.push_back(name);
  }
  return names;
}

}  // namespace attn
