// Legends below cells: swatches of their hatching, and remarks.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "figure/figure.h"
#include "plot/kit/page.h"
#include "plot/kit/plot.h"

namespace attn {

struct LegendEntry {
  CellLook look = CellLook::Mapped;  // Mapped: a remark without a swatch
  std::string text;
  bool pooling = false;          // about pixels shared by cells, depends on the part in view
  HiddenRules rules = kVisible;  // Hidden: rules that share one direction of hatching
  bool numbers = false;          // which cells have numbers
  bool range = false;            // the range of the colours, far from the bar
};

// The entries below each other or, where they fit `width` units, in one line. `offers`: a click on
// the range offers others.
Figure legend_figure(const Drawing& drawing, std::span<const LegendEntry> legend,
                     const ColorScale& scale, double width, bool offers = false);

// An entry for each direction of hatching of hidden cells of the matrix, if some cell has one of
// these rules.
std::vector<LegendEntry> hatching_entries(const MatrixId& id, HiddenRules rules);

// Adds a legend whose swatches have any colours; nothing for an empty one.
void add_legend(Page& page, std::span<const LegendEntry> legend, bool offers = false);

// Adds the key of the hatching that occurs in the maps of a figure.
void add_hatching_key(Page& page, const Figure& maps);

// Height of the key of all hatching that weights of the view may have.
double hatching_height(const Drawing& drawing, double width);

}  // namespace attn
