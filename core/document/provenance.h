// Which numbers of a document nobody entered: the seed makes them anew.
#pragma once

#include <string>
#include <vector>

#include "document/document.h"

namespace attn {

// Labels ("W_Q") of tensors that begin as the seed makes them, whatever they were multiplied by,
// each once, in the order of tensors_of. A tensor that was edited stays among them as long as half
// of the numbers that are looked at are the seed's, and so does a matrix that was made wider or
// narrower since. Of three numbers and fewer only rows of tokens are told, while they are as made.
std::vector<std::string> generated_labels(const Document& document);

// "Generated from seed 1: W_Q, W_K, W_V"; empty where all numbers were entered.
std::string generated_sentence(const Document& document);

}  // namespace attn
