// Colours as eyes see them that lack a kind of cones, to look at figures through.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string_view>

#include "figure/colormap.h"

namespace attn {

// Of all cones; without those for long, middle or short waves; of lightness alone.
enum class ColorVision { Usual, Protanopia, Deuteranopia, Tritanopia, Grey };

struct ColorVisionInfo {
  ColorVision vision;
  std::string_view name;   // "protanopia"
  std::string_view label;  // sentence case
  std::string_view help;   // one line
  // Row by row, of linear red, green and blue; each row sums to 1, so that grey stays grey.
  std::array<float, 9> matrix;
};

std::span<const ColorVisionInfo> all_color_visions();
const ColorVisionInfo& color_vision_info(ColorVision vision);
std::optional<ColorVision> color_vision_named(std::string_view name);

// What such eyes see in place of the colour; its opacity stays. The shader of the window repeats
// this arithmetic.
Color seen_by(ColorVision vision, Color color);

}  // namespace attn
