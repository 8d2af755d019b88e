// Layers by the settings of a model: sizes, activations, positions, windows, and which biases there
// are. Internal to core/document.
#pragma once

#include <cstddef>
#include <string_view>

#include "attention/block.h"
#include "document/folder/config.h"
#include "document/folder/families.h"
#include "document/json/document_text.h"

namespace attn {

// Sizes of a model; `hidden`, of its networks, is 0 if the settings do not state it.
struct Sizes {
  std::size_t layers = 0, heads = 0, kv_heads = 0, width = 0, head_width = 0, hidden = 0;
};

// Functions below record errors in the settings.

// Leaves out settings of other families and takes the usual ones of this family. Returns a sentence
// about sizes that it took; empty: none.
std::string settle(ModelConfig& config, const Family& family);

Sizes sizes_of(ModelConfig& config);
// The activation of networks, and of the layer before the head.
Activation activation_of(ModelConfig& config, const Family& family);
Activation head_activation_of(ModelConfig& config, const Family& family);
// The biases of the family, changed by settings that it has.
Biases biases_of(ModelConfig& config, const Family& family);
// Refuses settings that change what layers compute and that are not read.
void refuse_unread(ModelConfig& config, const Family& family);

// Rotary positions, of one kind of layers if there are several: "full_attention" or
// "sliding_attention".
Position rotary_of(ModelConfig& config, const Family& family, const Sizes& sizes,
                   std::string_view layers);
// Adds windows and positions to the document, or to single blocks where layers differ.
void put_rules(ModelConfig& config, const Family& family, const Sizes& sizes, DocumentText& text);

// Positions with a table of rows that were learned.
PositionKind learned_positions();

}  // namespace attn
