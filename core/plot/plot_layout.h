// Several plots on one page, in the places of a layout: one title, one remark below, bold letters.
#pragma once

#include <functional>

#include "plot/all_plots.h"
#include "view/layout.h"

namespace attn {

// Draws the plot of one panel with what it needs derived.
using DrawPlot = std::function<Result<Figure>(const PlotEntry&, const PlotOptions&)>;

// Draws the panes as panels of equal widths, whatever their shares; neighbours with equal colours
// have one colour bar. `page` has the options of the whole page, the target and the reference.
// Usage error where the page is too narrow.
Result<Figure> draw_layout(const Layout& layout, const PlotInput& input, const PlotOptions& page,
                           const TextMetrics& metrics, const DrawPlot& draw);

// Whether a field belongs to the page and not to its panels: its size, title, fonts.
bool is_of_the_page(std::string_view field_name);

}  // namespace attn
