// Panels: plots with the requests that concern them, one or several in a layout.
#pragma once

#include <string_view>
#include <vector>

#include "base/result.h"
#include "plot/all_plots.h"
#include "session/figure_request.h"
#include "view/layout.h"

namespace attn::cli {

// A plot to draw, with the request that concerns it.
struct Panel {
  const PlotEntry* plot;
  PlotOptions options;
  FigureRequest request;
  bool has(std::string_view option) const { return setting_of(request, option) != nullptr; }
};

// The id of a pane is the place of its panel, counted from 1.
struct PanelLayout {
  Layout layout;
  std::vector<Panel> panels;
};

// Returns the field to set. In plots of several heads, --head chooses those drawn, as --layer does.
const Field<ViewOptions>& field_of(const Setting& setting, const PlotEntry& plot);
bool is_used(const Setting& setting, const PlotEntry& plot);

// Reads the layout of the request: rows ("/") of cells ("|"), of which each is a plot with its
// options, or rows in parentheses. Panels have the `saved` options, and requests with the settings
// that their plots use. Usage error for other texts, and for settings that no panel uses.
Result<PanelLayout> read_layout(const FigureRequest& request, const PlotOptions& saved);

}  // namespace attn::cli
