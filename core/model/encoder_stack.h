// The kinds of model that are stacks of transformer blocks: within one sequence, and those of a
// decoder, whose blocks attend to their own rows and then to a second sequence.
#pragma once

#include <optional>

#include "attention/block.h"
#include "attention/problem.h"
#include "model/embeddings.h"
#include "model/findings.h"

namespace attn {

// No values of their own: blocks take them from the keys, which are the rows themselves.
struct EncoderStack {
  static constexpr KindInfo kInfo{.name = "blocks", .projects = true};
  Embeddings embeddings;
  std::size_t heads = 1;
  Stack stack;  // at least one block, none with a cross-attention
  friend bool operator==(const EncoderStack&, const EncoderStack&) = default;
};

struct DecoderStack {
  static constexpr KindInfo kInfo{.name = "blocks", .projects = true};
  Embeddings embeddings;  // of both sequences, no values of their own
  std::size_t heads = 1;
  Stack stack;  // at least one block, each with a cross-attention
  friend bool operator==(const DecoderStack&, const DecoderStack&) = default;
};

// As model.h asks of every kind. The shape of a decoder is that of its attention to the keys.
AttentionShape shape_of(const EncoderStack& model);
AttentionShape shape_of(const DecoderStack& model);
// Of the blocks only the one asked for, if one is: documents have up to ten thousand.
TensorList tensors_of(const EncoderStack& model, const AttentionShape& shape,
                      std::optional<std::size_t> block = {});
TensorList tensors_of(const DecoderStack& model, const AttentionShape& shape,
                      std::optional<std::size_t> block = {});
void check(Findings& findings, const EncoderStack& model, const Surroundings& around);
void check(Findings& findings, const DecoderStack& model, const Surroundings& around);
void put_into(AttentionProblem& problem, const EncoderStack& model);
void put_into(AttentionProblem& problem, const DecoderStack& model);

// What the names of generated matrices of a block begin with, and of its cross-attention.
std::string block_prefix(std::size_t layer);
std::string cross_prefix(std::size_t layer);

// The tensors of one block.
void list_block(TensorList& list, const TransformerBlock& block, const AttentionShape& shape,
                std::size_t layer);

}  // namespace attn
