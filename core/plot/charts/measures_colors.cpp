// One hue on the theme's ground, stronger for larger numbers.
#include "plot/charts/measures_colors.h"

#include <cmath>
#include <map>

namespace attn {
namespace {

constexpr double kFaintest = 14.0 / 255.0, kStrongest = 150.0 / 255.0;  // parts of the hue

Color tint_of(const FigureTheme& theme, double strength) {
  const auto part = [&](std::uint8_t ground, std::uint8_t hue) {
    return static_cast<std::uint8_t>(std::lround(ground + strength * (hue - ground)));
  };
  return {part(theme.background.r, theme.query.r), part(theme.background.g, theme.query.g),
          part(theme.background.b, theme.query.b)};
}

ColorMap tints_of(const FigureTheme& theme) {
  ColorMap map{"tints", "Tints", false, {}};
  for (std::size_t i = 0; i < map.colors.size(); ++i) {
    const double part = static_cast<double>(i) / static_cast<double>(map.colors.size() - 1);
    map.colors[i] = tint_of(theme, kFaintest + part * (kStrongest - kFaintest));
  }
  return map;
}

// Kept for ever, as painters know maps by their address.
const ColorMap& tint_map(ThemeKind kind) {
  static const std::map<ThemeKind, ColorMap> kTints = [] {
    std::map<ThemeKind, ColorMap> all;
    for (const ThemeInfo& theme : all_themes()) all.emplace(theme.kind, tints_of(theme.colors));
    return all;
  }();
  return kTints.at(kind);
}

}  // namespace

ColorScale tint_scale(ThemeKind theme) { return {&tint_map(theme), 0.0F, 1.0F}; }

ColorBar tint_bar(const PlotOptions& options) {
  ColorBar bar;
  bar.rect.width = 1.2 * options.font_size;
  bar.scale = tint_scale(options.theme);
  bar.font_size = options.font_size;
  bar.titled = false;
  return bar;
}

double tint_bar_room(const PlotOptions& options, const TextMetrics& metrics) {
  if (!options.color_bar) return 0.0;
  ColorBar bar = tint_bar(options);
  bar.rect.height = kShortestTintBar * options.font_size;
  return kTintBarGap * options.font_size + bar.rect.width + bar_room(bar, metrics);
}

}  // namespace attn
