// Kind of model: embeddings projected in one layer of attention.
#pragma once

#include <string>
#include <string_view>

#include "attention/block.h"
#include "attention/problem.h"
#include "model/embeddings.h"
#include "model/findings.h"

namespace attn {

struct AttentionLayer {
  static constexpr KindInfo kInfo{.name = "projections", .projects = true};
  Embeddings embeddings;
  std::size_t heads = 1;
  Projections projections;
  friend bool operator==(const AttentionLayer&, const AttentionLayer&) = default;
};

// Functions that model.h requires of every kind.
AttentionShape shape_of(const AttentionLayer& model);
TensorList tensors_of(const AttentionLayer& model, const AttentionShape& shape);
void check(Findings& findings, const AttentionLayer& model, const Surroundings& around);
void put_into(AttentionProblem& problem, const AttentionLayer& model);

// Adds heads and their widths, derived from projections, to a shape of embeddings.
void set_head_extents(AttentionShape& shape, const Projections& projections, std::size_t heads);

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

// Checks the projections alone. `query_name`: name of their input.
void check_projections(Findings& findings, const AttentionLayer& model,
                       const std::string& query_name);

}  // namespace attn
