// Constants that are not finite.
#pragma once

#include <limits>

namespace attn {

inline constexpr float kInfinity = std::numeric_limits<float>::infinity();
inline constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

}  // namespace attn
