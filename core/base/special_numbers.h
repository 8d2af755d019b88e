// Constants that are not finite.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace attn {

inline constexpr float kInfinity = std::numeric_limits<float>::infinity();
inline constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
// A number that a lesson conceals, "?" as text: a NaN with a payload of its own, which conversions
// and most arithmetic preserve.
inline constexpr float kConcealed = std::bit_cast<float>(std::uint32_t{0x7FC0ACED});
inline bool is_concealed(float number) {
  return (std::bit_cast<std::uint32_t>(number) & 0x7FFFFFFFU) == 0x7FC0ACEDU;
}
inline bool is_concealed(double number) { return is_concealed(static_cast<float>(number)); }
// True for NaN and infinity, but not for concealed numbers, which may be any.
inline bool is_no_number(float number) { return !std::isfinite(number) && !is_concealed(number); }

// The kinds of numbers that a cell can have.
enum class NumberKind : std::uint8_t { Number, Hidden, NaN, Infinite, MinusInfinite, Concealed };
inline NumberKind number_kind(float number, bool is_hidden = false) {
  if (is_hidden) return NumberKind::Hidden;
  if (std::isfinite(number)) return NumberKind::Number;
  if (is_concealed(number)) return NumberKind::Concealed;
  if (std::isnan(number)) return NumberKind::NaN;
  return number > 0.0F ? NumberKind::Infinite : NumberKind::MinusInfinite;
}

}  // namespace attn
