// A PNG as libpng reads it back.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace attn::test {

struct ReadPng {
  std::uint32_t width = 0, height = 0;
  std::uint32_t pixels_per_metre_x = 0, pixels_per_metre_y = 0;  // 0 when the file has none
  bool per_metre = false;
  bool has_alpha = false;
  std::vector<std::pair<std::string, std::string>> texts;
  std::vector<std::uint8_t> rgba;
};

// Precondition: `bytes` is a PNG of 8 bits a channel.
ReadPng read_png(const std::string& bytes);

}  // namespace attn::test
