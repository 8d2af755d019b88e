// Line charts and tables, for plots of numbers that are not matrices.
#pragma once

#include <string>
#include <vector>

#include "plot/kit/plot.h"

namespace attn {

// Round numbers from low to high, about `wanted` and at least one.
std::vector<double> nice_ticks(double low, double high, std::size_t wanted);

// Text of a tick with the fewest digits that distinguish neighbouring ticks: "0.25", "20,000". All
// ticks of an axis that reaches 100,000 or stays below 0.001 have one power of ten: "1.5 × 10⁶".
std::string tick_text(double value, const std::vector<double>& ticks);

struct Tick {
  double value = 0.0;
  std::string text;
};

struct ChartAxis {
  double low = 0.0, high = 1.0;  // of a logarithmic axis: > 0
  double base = 0.0;             // 2 or 10: logarithmic with a tick at every power; 0: linear
  std::string title;             // with its unit; below the x axis, rotated at the y axis
  bool whole = false;            // ticks at whole numbers only
};

struct ChartSeries {
  std::string name;
  Color color;
  std::vector<Point> points = {};  // in units of the axes; points without a logarithm are left out
  std::vector<double> dash = {};   // empty: solid
  bool dots = false;               // a dot at every point
};

// A bar from the lower end of the y axis to `value`.
struct ChartBar {
  double from = 0.0, to = 0.0;  // in units of the x axis
  double value = 0.0;
  Color color;
};

// A chart; everything beyond the ends of the axes is clipped.
struct Chart {
  ChartAxis x = {}, y = {};
  std::vector<ChartBar> bars = {};  // below the lines
  std::vector<ChartSeries> series = {};
  std::vector<Point> crossings = {};  // drawn as rings
  double mark = 0.0;                  // position of a vertical line with `mark_text` above it
  std::string mark_text = {};         // "": no such line
};

// The axis with the ends of the options. Ends that leave an empty range, or are not above 0 on a
// logarithmic axis, are ignored.
ChartAxis with_ends(ChartAxis axis, const ViewOptions& options);

// Position of a value between the ends of the axis, 0 to 1 inside; not finite when the value has no
// logarithm.
double share_of(const ChartAxis& axis, double value);

// Height of a chart on pages that do not have one.
double usual_chart_height(double width, double font);

Figure draw_chart(const Drawing& drawing, const Chart& chart, double width, double height);

// Legend of colours and dashes, in as many lines of `width` units as needed.
Figure chart_key(const Drawing& drawing, const std::vector<ChartSeries>& series, double width);

// A number, and below it in smaller letters its formula.
struct TableCell {
  std::string text, below;
};
using TableRow = std::vector<TableCell>;

// Table whose first row is the head. All rows have equally many cells; columns are as wide as
// needed. Texts wider than `width` are wrapped, then the letters get smaller, then texts are cut.
Figure draw_table(const Drawing& drawing, const std::vector<TableRow>& rows, double width);

// A count in readable form: "12", "1,234,567", "3.1 × 10⁹", "∞".
std::string count_text(double number);

}  // namespace attn
