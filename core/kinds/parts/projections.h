// The projections of a layer, or of a block, as part of a model.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "attention/block.h"
#include "kinds/parts/embeddings.h"
#include "kinds/parts/findings.h"
#include "kinds/parts/tensor_info.h"

namespace attn {

// Adds heads and their widths, derived from projections, to a shape of embeddings.
void set_head_extents(AttentionShape& shape, const Projections& projections, std::size_t heads);

// How many numbers those of one attention of this shape have.
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

// Checks the projections alone. `query_name`: name of their input.
void check_projections(Findings& findings, const Projections& projections,
                       const Embeddings& embeddings, std::size_t heads,
                       const std::string& query_name);

}  // namespace attn
