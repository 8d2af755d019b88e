// Embeddings of a model, of one sequence or two, and projections of a layer or block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "attention/block.h"
#include "attention/problem.h"
#include "kinds/parts/findings.h"
#include "kinds/parts/tensor_info.h"

namespace attn {

// Embeddings of rank 2 (n, d_model) or 3 (samples, n, d_model). For self-attention key is empty and
// uses the queries'; an empty value uses the keys'.
struct Embeddings {
  Tensor query, key, value;
  const Tensor& keys() const { return key.empty() ? query : key; }
  const Tensor& values() const { return value.empty() ? keys() : value; }
  friend bool operator==(const Embeddings&, const Embeddings&) = default;
};

// Samples, lengths and widths.
AttentionShape shape_of(const Embeddings& embeddings);

// Number of elements of such embeddings, those of a second sequence included.
std::uint64_t numbers_of_embeddings(const AttentionShape& shape);

void list_embeddings(TensorList& list, const Embeddings& embeddings, const AttentionShape& shape);

// Name of the queries' embeddings in a document.
std::string query_name_of(const Surroundings& around, const Embeddings& embeddings);

// True if embeddings and heads are valid, so that dependent checks make sense.
bool check_embeddings(Findings& findings, const Surroundings& around, const Embeddings& embeddings,
                      std::size_t heads);

// Sets the problem's tensors at full rank.
void put_into(AttentionProblem& problem, const Embeddings& model);

// Adds heads and their widths, derived from projections, to a shape of embeddings.
void set_head_extents(AttentionShape& shape, const Projections& projections, std::size_t heads);

// Number of elements of the projections of one attention of this shape.
std::uint64_t numbers_of_projections(const AttentionShape& shape);

// Place of projections in a document, and their inputs.
struct ProjectionPlace {
  std::string path;   // "/blocks/1/projections"
  std::string name;   // prefix of the matrices' names: "block 1 "
  std::string label;  // prefix of the matrices' labels
  std::string_view part = "attention";
  std::optional<std::size_t> block = {};
  Extent key_rows = Extent::KeyInputWidth;
  Extent value_rows = Extent::ValueInputWidth;
  Extent outputs = Extent::OutputWidth;
};
void list_projections(TensorList& list, const Projections& projections, const AttentionShape& shape,
                      const ProjectionPlace& place);

// Checks only the projections. `query_name`: name of their input.
void check_projections(Findings& findings, const Projections& projections,
                       const Embeddings& embeddings, std::size_t heads,
                       const std::string& query_name);

}  // namespace attn
