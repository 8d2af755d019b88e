// Seeded random numbers, equal on all machines: integer arithmetic up to the last step.
#pragma once

#include <cstdint>
#include <string_view>

namespace attn {

// 64-bit FNV-1a of the bytes, to mix a token's text into a seed.
std::uint64_t text_hash(std::string_view text);

// SplitMix64 (Steele, Lea, Flood 2014).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next();

  // Uniform in [0, 1) with 24 random bits.
  float uniform();

  // Mean 0, variance 1: sum of twelve 32-bit uniforms minus six (Irwin–Hall), exact in integers, so
  // that mathematical libraries cannot differ between machines. Tails end at ±6.
  float normal();

 private:
  std::uint64_t state_;
};

// Mixes `value` into `seed`, for independent streams ("matrix w_q", "row 3").
std::uint64_t mix(std::uint64_t seed, std::uint64_t value);

}  // namespace attn
