// Matrices of Machado, Oliveira and Fernandes (2009) for eyes without a kind of cones, and the
// luminance of Rec. 709.
#include "figure/color_vision.h"

#include <algorithm>
#include <cmath>

namespace attn {
namespace {

constexpr ColorVisionInfo kVisions[] = {
    {ColorVision::Usual, "none", "None", "Colours as they are", {1, 0, 0, 0, 1, 0, 0, 0, 1}},
    {ColorVision::Protanopia,
     "protanopia",
     "Protanopia",
     "Without cones for long waves: red is dark, and like green",
     {0.152286F, 1.052583F, -0.204868F, 0.114503F, 0.786281F, 0.099216F, -0.003882F, -0.048116F,
      1.051998F}},
    {ColorVision::Deuteranopia,
     "deuteranopia",
     "Deuteranopia",
     "Without cones for middle waves: red is like green",
     {0.367322F, 0.860646F, -0.227968F, 0.280085F, 0.672501F, 0.047413F, -0.011820F, 0.042940F,
      0.968881F}},
    {ColorVision::Tritanopia,
     "tritanopia",
     "Tritanopia",
     "Without cones for short waves: blue is like green",
     {1.255528F, -0.076749F, -0.178779F, -0.078411F, 0.930809F, 0.147602F, 0.004733F, 0.691367F,
      0.303900F}},
    {ColorVision::Grey,
     "grey",
     "Grey",
     "Lightness alone, as on a print without colours",
     {0.2126F, 0.7152F, 0.0722F, 0.2126F, 0.7152F, 0.0722F, 0.2126F, 0.7152F, 0.0722F}},
};
static_assert(static_cast<std::size_t>(ColorVision::Grey) + 1 == std::size(kVisions));

std::uint8_t as_byte(double linear) {
  return static_cast<std::uint8_t>(
      std::lround(255.0 * encoded_light(std::clamp(linear, 0.0, 1.0))));
}

}  // namespace

std::span<const ColorVisionInfo> all_color_visions() { return kVisions; }

const ColorVisionInfo& color_vision_info(ColorVision vision) {
  return kVisions[static_cast<std::size_t>(vision)];
}

std::optional<ColorVision> color_vision_named(std::string_view name) {
  const auto* found = std::ranges::find(kVisions, name, &ColorVisionInfo::name);
  return found == std::end(kVisions) ? std::nullopt : std::optional(found->vision);
}

Color seen_by(ColorVision vision, Color color) {
  const std::array<float, 9>& m = color_vision_info(vision).matrix;
  const double light[] = {linear_light(color.r / 255.0), linear_light(color.g / 255.0),
                          linear_light(color.b / 255.0)};
  const auto row = [&](std::size_t r) {
    double sum = 0.0;
    for (std::size_t c = 0; c < 3; ++c) sum += static_cast<double>(m[3 * r + c]) * light[c];
    return as_byte(sum);
  };
  return {row(0), row(1), row(2), color.a};
}

}  // namespace attn
