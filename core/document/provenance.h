// Detection of numbers generated from the seed.
#pragma once

#include <string>
#include <vector>

#include "document/document.h"

namespace attn {

// Labels ("W_Q") of tensors whose first numbers are the seed's times any factor, each once, in the
// order of tensors_of. An edited tensor counts while half of the compared numbers are the seed's;
// so does a resized matrix. Tensors of up to three numbers count only if they are unchanged rows of
// tokens.
std::vector<std::string> generated_labels(const Document& document);

// "Generated from seed 1: W_Q, W_K, W_V"; empty if there are none.
std::string generated_sentence(const Document& document);

// Returns the sentence below figures about the origin of the numbers: the remark, else the sentence
// above.
std::string footnote(const Document& document);

}  // namespace attn
