// Line charts and tables, for plots whose numbers are not matrices.
#pragma once

#include <string>
#include <vector>

#include "plot/kit/plot.h"

namespace attn {

// Round numbers from low to high, about `wanted` of them, at least one.
std::vector<double> nice_ticks(double low, double high, std::size_t wanted);

// With as few digits as tell neighbouring ticks apart.
std::string tick_text(double value, const std::vector<double>& ticks);

struct ChartAxis {
  double low = 0.0, high = 1.0;  // of a logarithmic axis > 0
  double base = 0.0;             // 2 or 10: logarithmic, a tick at every power; 0: linear
  std::string title;             // below the x axis; a y axis has none
  bool whole = false;            // ticks at whole numbers only
};

struct ChartSeries {
  std::string name;
  Color color;
  std::vector<Point> points;  // in the axes' units; those outside a logarithm's reach are left out
  std::vector<double> dash;   // empty: solid
  bool dots = false;          // a dot at every point
};

// From the lower end of the upright axis up to `value`.
struct ChartBar {
  double from = 0.0, to = 0.0;  // in units of the level axis
  double value = 0.0;
  Color color;
};

// What lies beyond the ends of its axes is not drawn.
struct Chart {
  std::string title = {};
  ChartAxis x = {}, y = {};
  std::vector<ChartBar> bars = {};  // below the lines
  std::vector<ChartSeries> series = {};
  std::vector<Point> crossings = {};  // ringed
  double mark = 0.0;                  // where an upright line stands, with `mark_text` above it
  std::string mark_text = {};         // "" : no such line
};

// The axis with the ends that the options ask for; one that would leave nothing between them, or of
// a logarithm's axis is not above 0, is left as it was.
ChartAxis with_ends(ChartAxis axis, const ChartOptions& options);

// Where a value lies between the ends of the axis, 0 to 1 inside; not finite where it has no
// logarithm.
double share_of(const ChartAxis& axis, double value);

Figure draw_chart(const Chart& chart, const FigureOptions& options, const TextMetrics& metrics,
                  double width, double height);

// What each colour and dash stands for, in as many lines of `width` units as it takes.
Figure chart_key(const std::vector<ChartSeries>& series, const FigureOptions& options,
                 const TextMetrics& metrics, double width);

// A number and, smaller below it, how it comes about.
struct TableCell {
  std::string text, below;
};
using TableRow = std::vector<TableCell>;

// The first row is the head. All rows are equally long; columns are as wide as they need. Where
// `width` does not hold the texts they go on in further lines, then letters get smaller, and only
// then texts are cut.
Figure draw_table(const std::vector<TableRow>& rows, const FigureOptions& options,
                  const TextMetrics& metrics, double width);

// How many there are of something, for people: "12", "1,234,567", "3.1 × 10⁹", "∞".
std::string count_text(double number);

}  // namespace attn
