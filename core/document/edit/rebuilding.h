// A document on its way to another structure. Internal to core/document.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "document/edit/structure.h"

namespace attn {

// Labels of tensors, each once, and whole sentences.
struct StructureRemarks {
  std::vector<std::string> generated, extended, cut;
  std::vector<std::string> sentences;
};

struct Rebuilding {
  const Document& before;
  const AttentionResult* computed;  // of `before`; may be null
  AttentionPart part;               // the attention of `before` that is kept
  Structure wanted;                 // normalised
  // Tokens, rules and what is kept of the model; tensors that are missing are absent.
  Document document;
  // By which they are laid out: extents of tensors that are absent do not count.
  AttentionShape layout;
  StructureRemarks remarks;
  StepCount* count = nullptr;  // of the numbers that are generated
};

// A network of blocks is usually so many times as wide as the model.
inline constexpr std::size_t kUsualNetworkFactor = 4;

extern const StructureKindInfo kCells;

StructureKind structure_kind_of(const Model& model);

// Adds a label that is not there yet.
void add_label(std::vector<std::string>& labels, const std::string& label);

// Makes the model one of the wanted kind, and the sequences one or two. Keeps what the kind has a
// place for; inputs are at full depth then, and those that are missing have no numbers.
Status adopt_kind(Rebuilding& rebuilding);
void adopt_blocks(Rebuilding& rebuilding);
void adopt_decoder(Rebuilding& rebuilding);
void adopt_cells(Rebuilding& rebuilding);

// Of the model as it was: its embeddings, and the projections of its layer or of the first block.
// Extents of the layout that belong to what is absent are cleared.
Embeddings kept_embeddings(Rebuilding& rebuilding);
Projections kept_projections(const Rebuilding& rebuilding);
Projections first_block_projections(const Model& model, AttentionPart part);

// What speaks against other cells; empty for nothing.
std::string reason_against_cells(const Document& document, const Structure& wanted);

// The keys become a sequence of their own, a copy of the queries.
void make_cross(Rebuilding& rebuilding);

// Extents of the model as it is wanted.
AttentionShape target_of(const Rebuilding& rebuilding);
AttentionShape target_of_cells(const Rebuilding& rebuilding, AttentionShape target);

// Brings the model to these extents, generates what is missing, and takes away axes of one sample,
// head or layer that nobody wrote.
void resize_model(Rebuilding& rebuilding, const AttentionShape& target);
void resize_tensors(Rebuilding& rebuilding, const AttentionShape& target);
void resize_blocks(Rebuilding& rebuilding);
void resize_cells(Rebuilding& rebuilding, const AttentionShape& target);

// Rules for other heads, samples, widths and kinds. Precondition: the model has the target's shape.
void resize_rules(Rebuilding& rebuilding, const AttentionShape& target);

}  // namespace attn
