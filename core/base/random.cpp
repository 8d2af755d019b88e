// Uniform and normal random numbers.
#include "base/random.h"

namespace attn {

std::uint64_t text_hash(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001b3ULL;
  }
  return hash;
}

std::uint64_t Random::next() {
  state_ += 0x9e3779b97f4a7c15ULL;
  std::uint64_t z = state_;
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31U);
}

float Random::uniform() {
  constexpr float kStep = 1.0F / 16777216.0F;
  return static_cast<float>(next() >> 40U) * kStep;
}

float Random::normal() {
  std::int64_t sum = 0;
  for (int pair = 0; pair < 6; ++pair) {
    const std::uint64_t bits = next();
    sum += static_cast<std::int64_t>(bits >> 32U) + static_cast<std::int64_t>(bits & 0xffffffffU);
  }
  constexpr std::int64_t kSix = 6 * (std::int64_t{1} << 32U);
  return static_cast<float>(static_cast<double>(sum - kSix) / 4294967296.0);
}

std::uint64_t mix(std::uint64_t seed, std::uint64_t value) {
  return Random(seed ^ (value * 0xff51afd7ed558ccdULL)).next();
}

}  // namespace attn
