// Colours of equal strength, made in OKLCH: B. Ottosson, "A perceptual color space for image
// processing", 2020.
#include "figure/head_colors.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace attn {
namespace {

std::uint8_t encoded(double linear) {
  const double in_range = std::clamp(linear, 0.0, 1.0);
  const double gamma =
      in_range <= 0.0031308 ? 12.92 * in_range : 1.055 * std::pow(in_range, 1.0 / 2.4) - 0.055;
  return static_cast<std::uint8_t>(std::lround(255.0 * gamma));
}

// `hue` in turns. What sRGB cannot show is cut off.
Color oklch(double lightness, double chroma, double hue) {
  const double a = chroma * std::cos(2.0 * std::numbers::pi * hue);
  const double b = chroma * std::sin(2.0 * std::numbers::pi * hue);
  const double l = std::pow(lightness + 0.3963377774 * a + 0.2158037573 * b, 3);
  const double m = std::pow(lightness - 0.1055613458 * a - 0.0638541728 * b, 3);
  const double s = std::pow(lightness - 0.0894841775 * a - 1.2914855480 * b, 3);
  return {encoded(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
          encoded(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
          encoded(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s), 255};
}

}  // namespace

Color head_color(std::size_t head, std::size_t heads, ThemeKind theme) {
  constexpr double kFirstHue = 0.72;  // blue
  constexpr double kChroma = 0.15, kStep = 0.09;
  const double turn =
      static_cast<double>(head) / static_cast<double>(std::max<std::size_t>(heads, 1));
  const double lower = theme_info(theme).is_dark ? 0.68 : 0.50;
  return oklch(lower + (head % 2 == 0 ? 0.0 : kStep), kChroma, kFirstHue + turn);
}

}  // namespace attn
