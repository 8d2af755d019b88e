// Kinds of model: stacks of transformer blocks, of one sequence or, as a decoder, with
// cross-attention to a second one.
#pragma once

#include <optional>

#include "attention/block.h"
#include "attention/problem.h"
#include "kinds/parts/embeddings.h"
#include "kinds/parts/findings.h"

namespace attn {

// Without value embeddings: blocks use those of the keys.
struct EncoderStack {
  static constexpr KindInfo kInfo{.name = "blocks", .projects = true};
  Embeddings embeddings;
  std::size_t heads = 1;
  Stack stack;  // at least one block, none with cross-attention
  friend bool operator==(const EncoderStack&, const EncoderStack&) = default;
};

struct DecoderStack {
  static constexpr KindInfo kInfo{.name = "blocks", .projects = true};
  Embeddings embeddings;  // of both sequences, without value embeddings
  std::size_t heads = 1;
  Stack stack;  // at least one block, all with cross-attention
  friend bool operator==(const DecoderStack&, const DecoderStack&) = default;
};

// Functions that model.h requires of every kind. The shape of a decoder is that of its
// cross-attention.
AttentionShape shape_of(const EncoderStack& model);
AttentionShape shape_of(const DecoderStack& model);
// With `block` only that one of the blocks, of which there may be ten thousand.
TensorList tensors_of(const EncoderStack& model, const AttentionShape& shape,
                      std::optional<std::size_t> block = {});
TensorList tensors_of(const DecoderStack& model, const AttentionShape& shape,
                      std::optional<std::size_t> block = {});
void check(Findings& findings, const EncoderStack& model, const Surroundings& around);
void check(Findings& findings, const DecoderStack& model, const Surroundings& around);
void put_into(AttentionProblem& problem, const EncoderStack& model);
void put_into(AttentionProblem& problem, const DecoderStack& model);

// Self-attention blocks of a decoder, with the extents of that attention.
EncoderStack own_attention(const DecoderStack& model);
AttentionShape own_shape(const DecoderStack& model);

// Prefix of names of a block's generated matrices, and of its cross-attention's.
std::string block_prefix(std::size_t layer);
std::string cross_prefix(std::size_t layer);

// Tensors of one block.
void list_block(TensorList& list, const TransformerBlock& block, const AttentionShape& shape,
                std::size_t layer);

}  // namespace attn
