// The text of --layout: several plots on one page, each with options of its own.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "plot/all_plots.h"
#include "view/layout.h"

namespace attn::cli {

inline constexpr std::string_view kLayoutForm =
    "plots and their options, as in 'heatmap head=2 | links / heads'";

// A plot with texts of its options by the names of their fields; `part` is one of them.
struct PanelText {
  const PlotEntry* plot;
  std::vector<std::pair<std::string, std::string>> options;
};

struct LayoutText {
  Layout layout;                  // the id of a pane is its place among the panels, from 1
  std::vector<PanelText> panels;  // at most kMostPanes
};

// Reads plots beside each other ("|"), rows of them ("/"), and rows in parentheses within a row.
// Words without "=" continue the option before them. Usage error, with the nearest name, for
// unknown plots and options, and for options of the whole page.
Result<LayoutText> parse_layout(std::string_view text);

}  // namespace attn::cli
