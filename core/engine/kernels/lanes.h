// Four floats or two doubles at a time, by the vector extension that g++ and clang share: the same
// arithmetic on every machine, without flags of its own. Internal to the engine.
#pragma once

#include <cstdint>
#include <cstring>

namespace attn {

using Lanes = float __attribute__((vector_size(16)));
using DoubleLanes = double __attribute__((vector_size(16)));
using IntLanes = std::int32_t __attribute__((vector_size(16)));
inline constexpr std::size_t kLanes = 4;

inline Lanes lanes_at(const float* from) {
  Lanes lanes;
  std::memcpy(&lanes, from, sizeof lanes);
  return lanes;
}

inline void put_lanes(Lanes lanes, float* to) { std::memcpy(to, &lanes, sizeof lanes); }

inline Lanes all_lanes(float value) { return Lanes{value, value, value, value}; }

// False for NaN and ±Inf, whose difference with themselves is NaN.
inline IntLanes finite_lanes(Lanes lanes) { return (lanes - lanes) == Lanes{}; }

}  // namespace attn
