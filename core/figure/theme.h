// Colours of figures, for paper and for the themes of screens. Role colours are the same
// everywhere: query blue, key red, value green, output purple; heads have a hue each.
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
  Color hatch, hatch_ground;
  Color query, key, value, output;
};

struct ThemeInfo {
  ThemeKind kind;
  std::string_view name;   // "dark": in options and preferences
  std::string_view label;  // "High contrast"
  bool of_windows;         // also of the window, not of figures alone
  bool is_dark;            // light letters on dark ground
  FigureTheme colors;
};
std::span<const ThemeInfo> all_themes();  // indexed by kind
const ThemeInfo& theme_info(ThemeKind kind);
// Nothing when no theme has the name.
std::optional<ThemeKind> theme_named(std::string_view name);

const FigureTheme& figure_theme(ThemeKind kind);

// The role colour of a stage: q, k, v, outputs; ink for the token-by-token ones.
Color stage_color(const FigureTheme& theme, Stage stage);
// The fixed colour of what a tensor that is entered belongs to; the accent for scores.
Color role_color(const FigureTheme& theme, StageRole role);

// Does not depend on which other heads are shown. Hues go round the circle once; neighbours differ
// in lightness too. All read on the theme's background.
Color head_color(std::size_t head, std::size_t heads, ThemeKind theme);

}  // namespace attn
