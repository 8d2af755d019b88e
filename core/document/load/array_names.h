// Meaning of the arrays of a file by their names, as libraries call them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "attention/stage.h"
#include "base/result.h"
#include "document/tensors/array_file.h"

namespace attn {

// Names of arrays by what they mean; several of one meaning are those of layers, in ascending order
// of the numbers in their names: "model.layers.3.self_attn.q", "blocks.0.attn.hook_pattern".
struct ArrayMeanings {
  std::vector<std::string> attention, q, k, v, visible, bias;
  // Of an encoder–decoder whose cross-attention is `attention`: the decoder's and encoder's own.
  std::vector<std::string> self_attention, encoder_attention;
  std::optional<Side> only;  // Without one across: `attention` is the decoder's, or the encoder's
  std::vector<std::string> tokens, query_tokens, key_tokens, ids;
  std::vector<std::string> unused;
};

// Of several names for one thing the most specific counts: queries after rotary positions before
// those without.
ArrayMeanings meanings_of(const ArrayListing& listing);

// Numbers of the layers in the names, one each; empty if a name has none.
std::vector<std::uint64_t> layers_in(const std::vector<std::string>& names);

}  // namespace attn
