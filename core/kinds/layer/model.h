// The kind of model that projects embeddings in one layer of attention.
#pragma once

#include <string>
#include <string_view>

#include "attention/block.h"
#include "attention/problem.h"
#include "kinds/parts/embeddings.h"
#include "kinds/parts/findings.h"

namespace attn {

struct AttentionLayer {
  static constexpr KindInfo kInfo{.name = "projections", .projects = true};
  Embeddings embeddings;
  std::size_t heads = 1;
  Projections projections;
  friend bool operator==(const AttentionLayer&, const AttentionLayer&) = default;
};

// As model.h asks of every kind.
AttentionShape shape_of(const AttentionLayer& model);
TensorList tensors_of(const AttentionLayer& model, const AttentionShape& shape);
void check(Findings& findings, const AttentionLayer& model, const Surroundings& around);
void put_into(AttentionProblem& problem, const AttentionLayer& model);

// Adds what projections say of heads and their widths to a shape of embeddings.
void set_head_extents(AttentionShape& shape, const Projections& projections, std::size_t heads);

// Where projections stand in a document, and what they multiply.
struct ProjectionPlace {
  std::string path;   // "/blocks/1/projections"
  std::string name;   // "block 1 ", before the names of the matrices
  std::string label;  // likewise
  std::string_view part = "attention";
  std::optional<std::size_t> block = {};
  Extent key_rows = Extent::KeyInputWidth;
  Extent value_rows = Extent::ValueInputWidth;
  Extent outputs = Extent::OutputWidth;
};
void list_projections(TensorList& list, const Projections& projections, const AttentionShape& shape,
                      const ProjectionPlace& place);

// Finds what does not fit in the projections alone. `query_name`: what they multiply is called.
void check_projections(Findings& findings, const AttentionLayer& model,
                       const std::string& query_name);

}  // namespace attn
