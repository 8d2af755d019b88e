// Numbers that depend only on a seed and on names or token texts. Internal to core/document; the
// public two are in edit.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/tensor.h"
#include "document/document.h"
#include "document/edit.h"

namespace attn {

inline constexpr std::size_t kDefaultModelWidth = 16;
inline constexpr std::size_t kDefaultHeads = 2;

// (n, width) for one list of tokens, (samples, n, width) for several.
Tensor generated_embeddings(std::uint64_t seed, const TokenLists& lists, std::size_t width);

// A row for a token in one matrix of the tensor `name`: other matrices, other numbers.
std::vector<float> generated_row(std::uint64_t seed, const std::string& name, std::size_t matrix,
                                 const std::string& token, std::size_t width);

}  // namespace attn
