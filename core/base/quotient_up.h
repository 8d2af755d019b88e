// Integer division, rounded up.
#pragma once

#include <cstddef>

namespace attn {

// Number of parts of `size` that cover a length. Precondition: size > 0.
constexpr std::size_t quotient_up(std::size_t length, std::size_t size) {
  return (length + size - 1) / size;
}

}  // namespace attn
