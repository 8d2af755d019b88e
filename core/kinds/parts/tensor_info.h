// Descriptions of the tensors of a model: reading, writing, editing and counting loop over lists of
// them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "attention/stage.h"
#include "base/tensor.h"

namespace attn {

// Name of a tensor: its JSON pointer in the written document, such as "/projections/w_q" or
// "/blocks/1/cross_projections/w_q".
using TensorPath = std::string;

// Meaning of a tensor's numbers.
enum class TensorUse {
  Input,   // of each token: entered, never generated without request
  Map,     // given weights: rows that sum to 1
  Matrix,  // (inputs, outputs) of a linear map: generated if required and missing
  Bias,    // one number per output, may be absent
  Norm,    // weight or bias of a norm, may be absent
  Table,   // rows by position, bucket or hidden unit
};

// One axis: extent, symbol and size.
struct TensorAxis {
  Extent extent = Extent::One;  // One if no extent of a shape counts it
  std::string symbol;
  std::size_t count = 0;
};

// A tensor that the model has or may have. Borrowed from the model.
struct TensorInfo {
  const Tensor* tensor = nullptr;  // empty: absent
  TensorPath path = {};
  std::string name = {};               // in messages: "block 1 w_q"; seeds generated numbers
  std::string label = {};              // label in the window: "W_Q"
  StageRole role = StageRole::Output;  // for its colour; Scores: none
  TensorUse use = TensorUse::Matrix;
  std::vector<TensorAxis> axes = {};      // outermost first, one per axis of a given tensor
  std::string_view part = {};             // "attention", "feed-forward"; empty: input
  std::optional<std::size_t> block = {};  // its block
  Extent applied = Extent::Queries;       // rows that a matrix is applied to; One: once
  bool needed = false;                    // required matrix

  bool is_there() const { return !tensor->empty(); }
  bool is_norm_weight() const;  // 1 where nothing is given
  Shape shape() const;          // shape of the axes
  bool has_axis(Extent extent) const;
};

using TensorList = std::vector<TensorInfo>;

// Axis of an extent in a model of this shape.
TensorAxis axis_of(const AttentionShape& shape, Extent extent);
std::vector<TensorAxis> axes_of(const AttentionShape& shape, std::initializer_list<Extent> extents);

// Adds a tensor of numbers of each token, at the root of documents; of the outer axes it may lack
// the first ones.
void list_input(TensorList& list, const Tensor& tensor, const std::string& name,
                const std::string& label, StageRole role, const AttentionShape& shape,
                std::initializer_list<Extent> extents);

// Numbers of matrices (the last two axes) along layers, samples and heads.
HeadAddress counts_of(const TensorInfo& info);

// Heads of its matrices: key/value heads if it has one matrix for each.
std::size_t heads_of(const TensorInfo& info, const AttentionShape& shape);

// Flat index of the matrix at the address; ignores axes that the tensor lacks, and clamps indices.
std::size_t matrix_index(const TensorInfo& info, const HeadAddress& at);

// The tensor. Precondition: the model that the entry was made from may be changed.
Tensor& writable(const TensorInfo& info);

// Entry with the path, or null.
const TensorInfo* find_tensor(const TensorList& list, std::string_view path);

// The number in "/blocks/3/…", if the path has one.
std::optional<std::size_t> block_of_path(std::string_view path);
// Path of the corresponding tensor in another block; paths outside of blocks unchanged.
TensorPath in_block(std::string_view path, std::size_t block);

}  // namespace attn
