// How large the letters of a figure are, by the size that was asked for, and how it writes numbers.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace attn {

// Remarks, formulas and what else is said beside the labels, which have the size asked for.
inline double secondary_size(double font_size) {
  return std::max(0.85 * font_size, font_size - 1.5);
}

inline constexpr double kSmallestNumber = 5.0;  // points, of what shrinks to fit its place

// A number as text, with minus signs in place of its hyphens: "−1.2e−08".
std::string with_minus(std::string_view number);

}  // namespace attn
