// Kind of model: a stack of transformer blocks, which attend within one sequence, or in a decoder
// to their own rows and then to a second sequence.
#pragma once

#include <cstddef>
#include <optional>

#include "attention/block.h"
#include "attention/problem.h"
#include "kinds/parts/embeddings.h"
#include "kinds/parts/findings.h"
#include "kinds/parts/kind_info.h"

namespace attn {

// Blocks have no values of their own: they take them from the keys, of a decoder those of a second
// sequence, else the rows themselves.
struct BlockModel {
  static const KindInfo kEncoder, kDecoder;
  const KindInfo& info() const;
  Embeddings embeddings;
  std::size_t heads = 1;
  Stack stack;  // at least one block; a cross-attention in all of them or in none
  // The shape of a decoder is that of its cross-attention.
  AttentionShape shape() const;
  TensorList tensors(const AttentionShape& shape, std::optional<std::size_t> block = {}) const;
  void check(Findings& findings, const Surroundings& around) const;
  void put_into(AttentionProblem& problem) const;
  friend bool operator==(const BlockModel&, const BlockModel&) = default;
};

// Prefix of the names of a block's tensors: "block 1 ".
std::string block_prefix(std::size_t layer);

void list_block(TensorList& list, const TransformerBlock& block, const AttentionShape& shape,
                std::size_t layer);

// Gives a new block the norms of queries and keys of another one, which all blocks have alike.
void take_head_norms(const TransformerBlock& from, TransformerBlock& block);

// The stages of a part of a block, an attention or the network: the rows to which it is added,
// those that it reads, their norm, the norm of what is added, the sum, and its norm.
struct BlockPart {
  Stage rows, read;
  std::optional<Stage> read_norm, out_norm;
  Stage sum;
  std::optional<Stage> sum_norm;

  Stage input() const { return read_norm.value_or(read); }
  Stage result() const { return sum_norm.value_or(sum); }
};
BlockPart attention_part(const AttentionProblem& problem, const HeadAddress& at);
BlockPart network_part(const AttentionProblem& problem);

// The row of ProblemKind for blocks.
extern const ProblemKind kBlockProblems;

}  // namespace attn
