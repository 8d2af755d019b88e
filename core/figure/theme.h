// Colours of figures, for paper and for the two screen themes. Role colours are the same
// everywhere: query blue, key red, value green, output purple.
#pragma once

#include "attention/stage.h"
#include "figure/colormap.h"

namespace attn {

enum class ThemeKind { Paper, Light, Dark };

struct FigureTheme {
  Color background, ink, muted, grid, panel, accent;
  Color hatch, hatch_ground;
  Color query, key, value, output;
};

const FigureTheme& figure_theme(ThemeKind kind);

// The role colour of a stage: q, k, v, outputs; ink for the token-by-token ones.
Color stage_color(const FigureTheme& theme, Stage stage);
// The fixed colour of what a tensor that is entered belongs to; the accent for scores.
Color role_color(const FigureTheme& theme, StageRole role);

}  // namespace attn
