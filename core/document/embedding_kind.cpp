// List of the kinds of model that start from embeddings.
#include "document/embedding_kind.h"

#include <algorithm>
#include <array>

#include "document/json/blocks.h"
#include "document/json/recurrent.h"

namespace attn {
namespace {

void nothing_inside(ObjectWriter& /*object*/, const Model& /*model*/, std::string_view /*place*/) {}
void nothing_after(ObjectWriter& /*object*/, const Model& /*model*/) {}

constexpr Row<DocumentFields> kLayerKeys[] = {{"projections", read_projections}};
constexpr Row<DocumentFields> kKeysOfBlocks[] = {
    {"blocks", read_blocks}, {"norms", read_norms}, {"dropout", read_dropout}};
constexpr Row<DocumentFields> kKeysOfRecurrent[] = {{"recurrent", read_recurrent}};

constexpr std::array<EmbeddingKind, 3> kEmbeddingKinds{{
    {kLayerKeys, [](const DocumentFields& f) { return f.projections.has_value(); }, unify_layer,
     layer_input_width, set_layer, nothing_inside, nothing_after},
    {kKeysOfBlocks, [](const DocumentFields& f) { return f.blocks.has_value(); }, unify_blocks,
     blocks_input_width, set_blocks, write_block_settings, write_norms},
    {kKeysOfRecurrent, [](const DocumentFields& f) { return f.recurrent.has_value(); },
     unify_recurrent, recurrent_input_width, set_recurrent, write_recurrent_settings,
     nothing_after},
}};

}  // namespace

std::span<const EmbeddingKind> all_embedding_kinds() { return kEmbeddingKinds; }

const EmbeddingKind& chosen_kind(const DocumentFields& fields) {
  const auto given = std::ranges::find_if(
      kEmbeddingKinds, [&](const EmbeddingKind& kind) { return kind.is_given(fields); });
  return given == kEmbeddingKinds.end() ? kEmbeddingKinds.front() : *given;
}

}  // namespace attn
