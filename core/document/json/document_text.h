// Content of a document's text, before anything is inferred. Internal to core/document.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "attention/block.h"
#include "attention/mask.h"
#include "attention/position.h"
#include "attention/recurrent.h"
#include "attention/scoring.h"
#include "base/tensor.h"
#include "document/document.h"
#include "document/feature_names.h"
#include "text/forms.h"
#include "text/reader.h"
#include "text/rows.h"

namespace attn {

// --- token lists (texts, or a count with some names) and names of features

// An object from extents to lists of texts, or one list.
struct FeaturesText {
  std::vector<std::string> d_model, d_k, d_v, d_ff;
  std::vector<std::string> only;  // a bare list; its extent follows from the document
  friend bool operator==(const FeaturesText&, const FeaturesText&) = default;
};
FeatureNames names_of(FeaturesText text);
FeaturesText as_text(const FeatureNames& names);

extern const ObjectOf<FeaturesText> kFeaturesObject;
bool read_features(JsonValue json, FeaturesText& features);
void write_features(const TextWriter& to, const FeaturesText& features);
inline constexpr auto kFeaturesForm = form_of<FeaturesText, read_features, write_features>(
    {.one_of = "feature_names|object", .object = &kFeaturesObject});

// Number of tokens, and the names of some.
struct CountedTokens;
extern const ObjectOf<CountedTokens> kCountedObject;

// One list for all samples, or one per sample.
bool read_token_lists(JsonValue json, TokenLists& lists);
void write_token_lists(const TextWriter& to, const TokenLists& lists);
inline constexpr auto kTokensForm =
    form_of<TokenLists, read_token_lists, write_token_lists>({.one_of = "tokens"});

// --- scoring, masks and positions

// A mask of the text; values that depend on the number of tokens are not derived yet.
struct MaskText : Mask {
  std::vector<std::uint64_t> key_lengths,
      query_lengths;         // real tokens per sample; empty: not given
  bool says_causal = false;  // the text has the key, whatever its value
  friend bool operator==(const MaskText&, const MaskText&) = default;
};

struct ScoringText : Scoring {
  std::optional<std::uint64_t> d_a;  // hidden units to generate, if given
  friend bool operator==(const ScoringText&, const ScoringText&) = default;
};

struct PositionText : Position {
  std::optional<PositionLayout> said_layout;  // in place of `layout`: the usual one of the kind
  bool is_said = false;                       // the text has the key, whatever its value
  friend bool operator==(const PositionText&, const PositionText&) = default;
};

extern const ObjectOf<ScoringText> kScoringObject;
extern const ObjectOf<Interventions> kWhatIfObject;
extern const ObjectOf<MaskText> kMaskObject;

// [left, right] of a window.
bool read_window(JsonValue json, Window& window);
void write_window(const TextWriter& to, const Window& window);
inline constexpr auto kWindowForm =
    form_of<Window, read_window, write_window>({.one_of = R"({"type": "array", "minItems": 2,
        "maxItems": 2, "items": {"anyOf": [{"$ref": "#/definitions/index"}, {"type": "null"}]}})"});

// A kind of position: its name, or an object.
extern const ObjectOf<PositionText> kPositionObject;
bool read_position(JsonValue json, PositionText& position);
void write_position(const TextWriter& to, const PositionText& position);
inline constexpr auto kPositionForm = form_of<PositionText, read_position, write_position>(
    {.one_of = "names|object",
     .names = Named<all_position_kinds, &PositionKindInfo::kind>::names,
     .object = &kPositionObject});

Position position_of(const PositionText& text);
// Settings without an effect on the kind are left out if they are the usual ones.
PositionText as_text(const Position& position);

// --- models that start from embeddings

// Axes of stored matrices. One matrix per head is (heads, inputs, outputs), (heads, outputs,
// inputs) or (inputs, heads, outputs).
enum class MatrixOrder { InOut, InHeadsOut, OutIn };
inline constexpr Choice<MatrixOrder> kProjectionOrders[] = {
    {"in_out", MatrixOrder::InOut},
    {"in_heads_out", MatrixOrder::InHeadsOut},
    {"out_in", MatrixOrder::OutIn}};

// Matrices of depth 2, or of depth 3 with one matrix per head.
struct ProjectionsText : Projections {
  Tensor w_qkv, b_qkv;                    // w_q, w_k and w_v concatenated, and their biases
  std::optional<MatrixOrder> order;       // absent: what fits the embeddings
  std::optional<MatrixOrder> name_order;  // the order that names of other programs imply
  bool no_w_o = false;                    // "w_o": null
  friend bool operator==(const ProjectionsText&, const ProjectionsText&) = default;
};

struct FeedForwardText : FeedForward {
  std::optional<Activation> said_activation;  // the activation of the first block replaces
                                              // `activation`
  std::optional<std::uint64_t> d_ff;
  bool out_in = false;
  friend bool operator==(const FeedForwardText&, const FeedForwardText&) = default;
};

struct BlockText : BlockNorms {
  ProjectionsText projections;
  std::optional<ProjectionsText> cross_projections;
  Norm cross_norm, cross_out_norm;
  FeedForwardText feed_forward;
  std::optional<Window> window;
  std::optional<PositionText> position;
  std::vector<float> sinks;
  friend bool operator==(const BlockText&, const BlockText&) = default;
};

struct RecurrentText : Recurrent {
  std::optional<std::uint64_t> hidden, d_out;
  std::optional<bool> bidirectional;
  bool out_in = false;
  bool no_w_output = false;  // "w_output": null
  friend bool operator==(const RecurrentText&, const RecurrentText&) = default;
};

extern const ObjectOf<ProjectionsText> kProjectionsObject;
extern const ObjectOf<Stack> kNormsObject;  // settings of all blocks
extern const ObjectOf<RecurrentText> kRecurrentObject;

// A list of blocks, or their number.
extern const ObjectOf<BlockText> kBlockObject;
bool read_blocks(JsonValue json, std::vector<BlockText>& blocks);
void write_blocks(const TextWriter& to, const std::vector<BlockText>& blocks);
inline constexpr auto kBlocksForm = form_of<std::vector<BlockText>, read_blocks, write_blocks>(
    {.one_of = R"({"type": "integer", "minimum": 1, "maximum": 10000}|objects)",
     .object = &kBlockObject});

ProjectionsText as_text(const Projections& projections);
std::vector<BlockText> as_text(const std::vector<TransformerBlock>& blocks);
RecurrentText as_text(const Recurrent& recurrent);

// --- documents

// The model of a folder.
struct ModelText {
  std::string folder;                   // absolute, or relative to the document's folder
  std::vector<std::uint64_t> ids = {};  // of the tokens, in place of a text
  friend bool operator==(const ModelText&, const ModelText&) = default;
};
extern const ObjectOf<ModelText> kModelObject;

// Changed numbers of a tensor of the model.
struct TensorEdit {
  TensorPath tensor = {};  // "/blocks/3/projections/w_q"
  Tensor cells = {};       // (changed ones, axes + 1): the indices of each, and its number
  Tensor numbers = {};     // all of them, in place of cells
  friend bool operator==(const TensorEdit&, const TensorEdit&) = default;
};
extern const ObjectOf<TensorEdit> kEditObject;
bool read_edits(JsonValue json, std::vector<TensorEdit>& edits);
void write_edits(const TextWriter& to, const std::vector<TensorEdit>& edits);
inline constexpr auto kEditsForm = form_of<std::vector<TensorEdit>, read_edits, write_edits>(
    {.one_of = "objects", .object = &kEditObject});

// An absent key is an empty optional, list or tensor. Token lists may be ragged.
struct DocumentText {
  std::string schema = KeptText{}.schema;
  std::uint64_t version = 1;
  std::optional<std::string> title, description, source;
  std::string reference;
  std::optional<ModelText> model;
  std::optional<std::string> text;  // that the model reads
  std::vector<TensorEdit> edits;
  TokenLists tokens, query_tokens, key_tokens;
  FeaturesText features;
  std::vector<std::uint64_t> layer_numbers;
  std::optional<std::vector<std::string>> axes;
  Tensor q, k, v;
  Tensor embeddings, query_embeddings, key_embeddings, value_embeddings;
  Tensor attention, self_attention, encoder_attention;
  TokenLists ids;  // numbers of a vocabulary as texts, which name tokens that have no other names
  std::optional<std::uint64_t> heads, kv_heads, d_model;
  std::optional<ProjectionsText> projections;
  std::vector<BlockText> blocks;
  std::optional<RecurrentText> recurrent;
  std::optional<Stack> norms;  // settings of all blocks; its own blocks are empty
  float dropout = 0.0F;
  std::optional<ScoringText> scoring;
  std::optional<MaskText> mask, self_mask, encoder_mask;
  PositionText position;
  std::optional<Interventions> what_if;
  std::uint64_t seed = 1;
  std::optional<Panes> panes;
  std::vector<LessonStep> lesson;
};

extern const ObjectOf<DocumentText> kDocumentObject;

inline std::optional<MaskText>& mask_of(DocumentText& text, const HeadAddress& at) {
  std::optional<MaskText>* const all[kAttentions] = {&text.mask, &text.self_mask,
                                                     &text.encoder_mask};
  return *all[at.attention];
}
inline const std::optional<MaskText>& mask_of(const DocumentText& text, const HeadAddress& at) {
  return mask_of(const_cast<DocumentText&>(text), at);
}

// Keys of the forms of input, other than tokens.
inline constexpr std::string_view kQkvKeys = "q k v",
                                  kWeightKeys = "attention self_attention encoder_attention",
                                  kEmbeddingKeys =
                                      "embeddings query_embeddings key_embeddings value_embeddings";

// Keys that exclude each other: any of the first with any of the others. Separated by blanks.
struct Exclusion {
  std::string_view these, others;
};
std::span<const Exclusion> all_exclusions();

// The first of the keys, separated by blanks, that the text has; or empty.
std::string_view first_given(const DocumentText& text, std::string_view keys);

// Reads a whole document: an object, or a list of tokens. Errors are in
// json.reader().errors(); if there are any, `text` is incomplete.
void read_document_text(JsonValue json, DocumentText& text);

// The inverse of completing a text.
DocumentText as_text(const Document& document);

}  // namespace attn
