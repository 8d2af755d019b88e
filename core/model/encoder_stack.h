// The kind of model that is a stack of transformer blocks within one sequence.
#pragma once

#include <optional>

#include "attention/block.h"
#include "attention/problem.h"
#include "model/embeddings.h"
#include "model/findings.h"
#include "model/kind_info.h"

namespace attn {

// No values of their own: blocks take them from the keys, which are the rows themselves.
struct EncoderStack {
  static constexpr KindInfo kInfo{.name = "blocks", .projects = true};
  Embeddings embeddings;
  std::size_t heads = 1;
  Stack stack;  // at least one block, none with a cross-attention
  friend bool operator==(const EncoderStack&, const EncoderStack&) = default;
};

AttentionShape shape_of(const EncoderStack& model);

// Of the blocks only the one asked for, if one is: documents have up to ten thousand.
TensorList tensors_of(const EncoderStack& model, const AttentionShape& shape,
                      std::optional<std::size_t> block = {});

// What the names of generated matrices of a block begin with, and of its cross-attention.
std::string block_prefix(std::size_t layer);
std::string cross_prefix(std::size_t layer);

// The same for the blocks of any stack, and what they say of the shape of their embeddings.
void set_stack_extents(AttentionShape& shape, const Stack& stack, std::size_t heads);
void list_block(TensorList& list, const TransformerBlock& block, const AttentionShape& shape,
                std::size_t layer);
void list_stack(TensorList& list, const Stack& stack, const AttentionShape& shape,
                std::optional<std::size_t> block);

// Finds what does not fit in it, by the JSON pointers of the written document.
void check(Findings& findings, const EncoderStack& model, const Surroundings& around);

// The same of the parts of any model of blocks.
void check_blocks_of(Findings& findings, const Surroundings& around, const Embeddings& embeddings,
                     std::size_t heads, const Stack& stack);

// Gives its tensors, at full rank, to a problem of its shape.
void put_into(AttentionProblem& problem, const EncoderStack& model);

}  // namespace attn
