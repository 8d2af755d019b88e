// Models that start from embeddings, in a text. Internal to core/document.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "attention/block.h"
#include "attention/recurrent.h"
#include "text/rows.h"

namespace attn {

// Matrices of depth 2, or of depth 3 with one matrix per head.
struct ProjectionsText : Projections {
  Tensor w_qkv, b_qkv;  // w_q, w_k and w_v side by side, and their biases
  bool out_in = false;  // matrices are stored as (outputs, inputs), as PyTorch does
  bool no_w_o = false;  // "w_o": null
  friend bool operator==(const ProjectionsText&, const ProjectionsText&) = default;
};

struct FeedForwardText : FeedForward {
  std::optional<Activation> said_activation;  // in place of `activation`: that of the first block
  std::optional<std::uint64_t> d_ff;
  bool out_in = false;
  friend bool operator==(const FeedForwardText&, const FeedForwardText&) = default;
};

struct BlockText {
  ProjectionsText projections;
  std::optional<ProjectionsText> cross_projections;
  Norm attention_norm, cross_norm, feed_forward_norm;
  FeedForwardText feed_forward;
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

// A list of blocks, or how many.
extern const ObjectOf<BlockText> kBlockObject;
bool read_blocks(JsonValue json, std::vector<BlockText>& blocks);
void write_blocks(const TextWriter& to, const std::vector<BlockText>& blocks);
inline constexpr auto kBlocksForm = form_of<std::vector<BlockText>, read_blocks, write_blocks>(
    {.one_of = R"({"type": "integer", "minimum": 1, "maximum": 10000}|objects)",
     .object = &kBlockObject});

ProjectionsText as_text(const Projections& projections);
std::vector<BlockText> as_text(const std::vector<TransformerBlock>& blocks);
RecurrentText as_text(const Recurrent& recurrent);

}  // namespace attn
