// Colours of the themes. Those of heads have equal chroma in OKLCH: B. Ottosson, "A perceptual
// color space for image processing", 2020.
#include "figure/theme.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace attn {
namespace {

// Mid-tones with a contrast of at least 3:1 against white and against the dark background.
constexpr FigureTheme kPaper{
    .background = {255, 255, 255, 255},
    .ink = {26, 28, 33, 255},
    .muted = {92, 98, 110, 255},
    .grid = {208, 212, 219, 255},
    .panel = {244, 245, 248, 255},
    .accent = {217, 95, 2, 255},
    .hatch = {168, 172, 180, 255},
    .hatch_background = {238, 239, 242, 255},
    .query = {44, 105, 191, 255},
    .key = {200, 56, 60, 255},
    .value = {45, 138, 72, 255},
    .output = {130, 72, 178, 255},
};

constexpr FigureTheme kLight{
    .background = {250, 250, 252, 255},
    .ink = kPaper.ink,
    .muted = kPaper.muted,
    .grid = kPaper.grid,
    .panel = {240, 241, 245, 255},
    .accent = {205, 88, 0, 255},
    .hatch = kPaper.hatch,
    .hatch_background = {232, 234, 238, 255},
    .query = kPaper.query,
    .key = kPaper.key,
    .value = kPaper.value,
    .output = kPaper.output,
};

constexpr FigureTheme kDark{
    .background = {24, 26, 31, 255},
    .ink = {232, 234, 238, 255},
    .muted = {156, 163, 175, 255},
    .grid = {62, 67, 77, 255},
    .panel = {35, 38, 45, 255},
    .accent = {255, 159, 67, 255},
    .hatch = {92, 98, 110, 255},
    .hatch_background = {46, 50, 58, 255},
    .query = {96, 156, 240, 255},
    .key = {240, 104, 106, 255},
    .value = {88, 186, 118, 255},
    .output = {178, 128, 228, 255},
};

// White and strong colours on black: a contrast of at least 7:1.
constexpr FigureTheme kContrast{
    .background = {0, 0, 0, 255},
    .ink = {255, 255, 255, 255},
    .muted = {214, 218, 226, 255},
    .grid = {150, 156, 166, 255},
    .panel = {0, 0, 0, 255},
    .accent = {255, 214, 10, 255},
    .hatch = {170, 176, 186, 255},
    .hatch_background = {32, 34, 38, 255},
    .query = {122, 184, 255, 255},
    .key = {255, 138, 138, 255},
    .value = {110, 224, 140, 255},
    .output = {212, 168, 255, 255},
};

constexpr ThemeInfo kThemes[] = {
    {ThemeKind::Paper, "paper", "Paper", false, false, kPaper},
    {ThemeKind::Light, "light", "Light", true, false, kLight},
    {ThemeKind::Dark, "dark", "Dark", true, true, kDark},
    {ThemeKind::Contrast, "contrast", "High contrast", true, true, kContrast},
};

Color part_color(const FigureTheme& theme, StageRole part, Color scores) {
  switch (part) {
    case StageRole::Query:
      return theme.query;
    case StageRole::Key:
      return theme.key;
    case StageRole::Value:
      return theme.value;
    case StageRole::Output:
      return theme.output;
    case StageRole::Scores:
    case StageRole::Influence:
      break;
  }
  return scores;
}

// `hue` in turns. Clamps to the gamut of sRGB.
Color oklch(double lightness, double chroma, double hue) {
  const double a = chroma * std::cos(2.0 * std::numbers::pi * hue);
  const double b = chroma * std::sin(2.0 * std::numbers::pi * hue);
  const double l = std::pow(lightness + 0.3963377774 * a + 0.2158037573 * b, 3);
  const double m = std::pow(lightness - 0.1055613458 * a - 0.0638541728 * b, 3);
  const double s = std::pow(lightness - 0.0894841775 * a - 1.2914855480 * b, 3);
  return {encoded_byte(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
          encoded_byte(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
          encoded_byte(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s), 255};
}

}  // namespace

std::span<const ThemeInfo> all_themes() { return kThemes; }

const ThemeInfo& theme_info(ThemeKind kind) { return kThemes[static_cast<std::size_t>(kind)]; }

std::optional<ThemeKind> theme_named(std::string_view name) {
  const auto* found = std::ranges::find(kThemes, name, &ThemeInfo::name);
  return found == std::end(kThemes) ? std::nullopt : std::optional(found->kind);
}

const FigureTheme& figure_theme(ThemeKind kind) { return theme_info(kind).colors; }

Color stage_color(const FigureTheme& theme, Stage stage) {
  return part_color(theme, stage_info(stage).role, theme.ink);
}

Color role_color(const FigureTheme& theme, StageRole role) {
  return part_color(theme, role, theme.accent);
}

Color head_color(std::size_t head, std::size_t heads, ThemeKind theme) {
  constexpr double kFirstHue = 0.72;  // blue
  constexpr double kChroma = 0.15, kStep = 0.09;
  const double turn =
      static_cast<double>(head) / static_cast<double>(std::max<std::size_t>(heads, 1));
  const double lower = theme_info(theme).is_dark ? 0.68 : 0.50;
  return oklch(lower + (head % 2 == 0 ? 0.0 : kStep), kChroma, kFirstHue + turn);
}

}  // namespace attn
