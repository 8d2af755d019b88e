// A document on its way to another structure, and what each kind of model answers on the way.
// Internal to core/document.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
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

// One row for each kind of model. Those that start from embeddings are found by their rows in
// all_embedding_kinds().
struct KindStructure {
  StructureKindInfo info;
  std::span<const std::string_view> fields;  // that can be chosen, by their names
  bool (*is)(const Model&);
  // Takes the place of a model of another kind, keeping what it can of it.
  Status (*adopt)(Rebuilding&);
  // Extents of the model as it is wanted.
  AttentionShape (*target)(const Rebuilding&);
  // Brings what is there to these extents, and generates what is missing.
  void (*refit)(Rebuilding&, const AttentionShape& target);
  // For predicting memory: sets what the stages of a problem of the target's shape are told by, and
  // hidden units of a network that are not known; and how many numbers the tensors have.
  void (*outline)(AttentionProblem&);
  std::uint64_t (*numbers)(const AttentionShape& target);
  // What else speaks against a structure; null for nothing.
  std::string (*reason_against)(const Document&, const Structure&) = nullptr;
};

extern const KindStructure kWeightsStructure;
extern const KindStructure kQkvStructure;

const KindStructure& structure_row(StructureKind kind);
const KindStructure& structure_row(const Model& model);

// Adds a label that is not there yet.
void add_label(std::vector<std::string>& labels, const std::string& label);

// The result of the document as it was, of the attention that is kept: the one that is known, or
// computed into `made`.
Result<const AttentionResult*> result_before(const Rebuilding& rebuilding, ResultPtr& made);

// Numbers of a stage as a document keeps them: a NaN is the one that documents write.
void read_stage(const AttentionResult& result, Stage stage, const HeadAddress& head,
                std::span<float> out);

// What of kinds with embeddings is kept of another kind: its embeddings, and the projections of
// its layer or of its first block, of a decoder those of the attention that is kept. Absent where
// it has none; extents of the layout that belong to what is absent are cleared.
Embeddings kept_embeddings(Rebuilding& rebuilding);
Projections kept_projections(const Rebuilding& rebuilding);
// Those of blocks alone.
Projections first_block_projections(const Model& model, AttentionPart part);

// Extents that all kinds with embeddings and heads share.
AttentionShape embedded_target(const Rebuilding& rebuilding);
// The embeddings of such a kind. Of two sequences both are generated where they are missing.
void refit_embeddings(Rebuilding& rebuilding, const AttentionShape& target);

// One sequence becomes two, or two one, for models of any kind but blocks.
void make_cross(Rebuilding& rebuilding);
void make_self(Rebuilding& rebuilding);

// Rules for other heads, samples, widths and kinds. Precondition: the model has the target's shape.
void refit_rules(Rebuilding& rebuilding, const AttentionShape& target);

}  // namespace attn
