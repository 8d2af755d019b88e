// The vocabulary of a language model: rows that embed its tokens, and the head that turns rows back
// into logits of the next tokens.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "attention/block.h"
#include "base/tensor.h"
#include "tokenizer/tokenizer.h"

namespace attn {

// Immutable; shared by all documents of a model. Absent tensors are empty.
struct Vocabulary {
  std::shared_ptr<const Tokenizer> tokenizer;  // null: tokens are given as ids
  Tensor table;                                // (vocabulary, d_model)
  Tensor type;                                 // (d_model), added to all rows
  float scale = 1.0F;                          // of the rows of the table
  std::size_t most_tokens = 0;                 // that the model reads at once; 0: not limited
  std::optional<std::uint32_t> padding;        // the id of the token that fills batches up
  bool skips_padding = false;                  // positions are counted without it
  // Logits are softcap(transform(x) · headᵀ + head_bias); no head: the model has no logits.
  Tensor head;       // (vocabulary, d_model); of many models the table
  Tensor head_bias;  // (vocabulary)
  std::optional<float> softcap;
  // A layer before the head, as in BERT: norm(activation(x · transform + transform_bias)).
  Tensor transform, transform_bias;  // (d_model, d_model), (d_model)
  Norm transform_norm;
  Activation activation = {};
  bool masked = false;  // trained to fill in masked tokens, not to continue a text
};

}  // namespace attn
