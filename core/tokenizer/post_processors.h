// Special tokens that a tokenizer puts around a text.
#pragma once

#include "text/reader.h"
#include "tokenizer/models.h"

namespace attn::tokenizing {

struct SpecialIds {
  TokenIds before = {}, after = {};
};

// False with an error for types without a row, and templates in which the text is not once.
bool read_post_processor(JsonValue json, SpecialIds& around);

}  // namespace attn::tokenizing
