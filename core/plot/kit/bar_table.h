// Tables with a column of bars.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "figure/figure.h"
#include "plot/kit/plot.h"

namespace attn {

// Length of the shortest bar, units; 0 has none.
inline constexpr double kLeastBar = 0.75;

struct BarTableRow {
  std::vector<std::string> texts;  // of the columns
  double from = 0.0, to = 0.0;     // of its bar; no bar if equal
  std::optional<double> behind{};  // end of a pale bar from 0
  Color color{};
  bool strong = false;  // bold, on a band
  HitId hit = {};
};

struct BarTable {
  std::vector<std::string> heads;  // with formulas, broken at blanks
  std::size_t bars = 1;            // the column before which the bars are drawn
  std::vector<BarTableRow> rows = {};
};

// Names in the first column are cut, numbers in the others aligned at the right; letters shrink
// where the columns do not fit, and the bars take the rest of the width.
Figure draw_bar_table(const Drawing& drawing, const BarTable& table, double width);

}  // namespace attn
