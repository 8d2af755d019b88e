// The kind of model whose blocks attend to their own rows and then to a second sequence.
#pragma once

#include <optional>

#include "attention/block.h"
#include "attention/problem.h"
#include "model/embeddings.h"
#include "model/encoder_stack.h"
#include "model/findings.h"
#include "model/kind_info.h"

namespace attn {

struct DecoderStack {
  static constexpr KindInfo kInfo{.name = "blocks", .projects = true};
  Embeddings embeddings;  // of both sequences, no values of their own
  std::size_t heads = 1;
  Stack stack;  // at least one block, each with a cross-attention
  friend bool operator==(const DecoderStack&, const DecoderStack&) = default;
};

// Of the attention to the keys.
AttentionShape shape_of(const DecoderStack& model);
// Of the blocks only the one asked for, if one is.
TensorList tensors_of(const DecoderStack& model, const AttentionShape& shape,
                      std::optional<std::size_t> block = {});

// Its blocks within their own sequence alone, and the extents of that attention.
EncoderStack own_attention(const DecoderStack& model);
AttentionShape own_shape(const DecoderStack& model);

// Finds what does not fit in it, by the JSON pointers of the written document.
void check(Findings& findings, const DecoderStack& model, const Surroundings& around);

// Gives its tensors, at full rank, to a problem of its shape.
void put_into(AttentionProblem& problem, const DecoderStack& model);

}  // namespace attn
