// Colours of figures, for paper and for the themes of the window. Role colours are fixed: query
// blue, key red, value green, output purple; heads have one hue each.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "attention/stage.h"
#include "figure/colormap.h"

namespace attn {

enum class ThemeKind { Paper, Light, Dark, Contrast };

struct FigureTheme {
  Color background, ink, muted, grid, panel, accent;
  Color hatch, hatch_background;
  Color query, key, value, output;
};

struct ThemeInfo {
  ThemeKind kind;
  std::string_view name;   // "dark": in options and preferences
  std::string_view label;  // "High contrast"
  bool of_windows;         // also a theme of the window
  bool is_dark;            // light letters on a dark background
  FigureTheme colors;
};
std::span<const ThemeInfo> all_themes();  // indexed by kind
const ThemeInfo& theme_info(ThemeKind kind);
// Nothing when no theme has that name.
std::optional<ThemeKind> theme_named(std::string_view name);

const FigureTheme& figure_theme(ThemeKind kind);

// Role colour of a stage: q, k, v, outputs; ink for token-by-token stages.
Color stage_color(const FigureTheme& theme, Stage stage);
// Colour of the role of an input tensor; the accent for scores.
Color role_color(const FigureTheme& theme, StageRole role);

// Colour independent of which other heads are shown. Hues divide the circle; neighbours differ in
// lightness too. All are legible on the theme's background.
Color head_color(std::size_t head, std::size_t heads, ThemeKind theme);

}  // namespace attn
