// SVG by a painter of our own: text that can be selected, searched and edited, shapes and cells
// that say what they are, and the same bytes whatever draws the other formats.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "export/export.h"
#include "figure/colormap.h"
#include "figure/figure.h"
#include "figure/text.h"

namespace attn {

// At most two digits after the point (1/7200 inch), without zeros at the end: "12", "0.5".
std::string svg_number(double value);

// Well-formed UTF-8 that may stand in an element or between quotes; what XML has no way to write is
// shown by signs, as in all figures.
std::string xml_text(std::string_view text);

// The attributes of one element, in the order in which they are added.
class SvgAttributes {
 public:
  SvgAttributes& add(std::string_view name, std::string_view text);
  SvgAttributes& add(std::string_view name, double number);
  // "#rrggbb" as `name`, with `name`-opacity where the colour is not opaque.
  SvgAttributes& add(std::string_view name, Color color);
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

class SvgWriter {
 public:
  void open(std::string_view name, const SvgAttributes& attributes = {});
  void close();
  // An element without content.
  void add(std::string_view name, const SvgAttributes& attributes);
  // An element that holds a text and nothing else.
  void add(std::string_view name, const SvgAttributes& attributes, std::string_view text);
  // An element that holds `elements`, written already, on one line.
  void add_around(std::string_view name, const SvgAttributes& attributes,
                  std::string_view elements);
  // An element that says what it is: `title` is what a browser shows under the pointer.
  void add_titled(std::string_view name, const SvgAttributes& attributes, std::string_view title);
  // All that was written.
  std::string taken() { return std::move(out_); }

 private:
  void begin(std::string_view name, const SvgAttributes& attributes);

  std::string out_;
  std::vector<std::string> open_;
};

// What the matrices of one file share.
struct SvgMatrices {
  std::size_t most_cells = 0;  // of a matrix whose cells are rectangles
  std::set<std::string>
      defined;  // ids of patterns, clips and gradients, each by what it looks like
};

// Words for a cell of the item, by its row and column there; may give "".
using CellTitle = std::function<std::string(std::size_t row, std::size_t col)>;

// Writes the matrix as one group. Fails when its image cannot be encoded; progress (may be null) as
// of encoding it.
Status add_matrix(SvgWriter& svg, SvgMatrices& shared, const MatrixItem& m, const CellTitle& title,
                  Progress* progress);

// A matrix of more cells than this becomes an image, and one of fewer where together they are more
// than a file may have: so many shapes are slow everywhere. The six maps of one figure fit.
inline constexpr std::size_t kMostVectorCells = 4096, kMostCellsOfAFile = 6 * kMostVectorCells;

// One unit of the figure is one point. Every text has its anchor and, by `metrics`, its length, so
// that it keeps its place where a reader lacks the font. What stands for something (hit_names.h) is
// a group with an id and a <title>, which browsers show under the pointer; cells have titles alone.
// `options.dpi` is ignored. Fails on a figure without size. Progress as of an exporter.
Result<std::string> svg_of(const Figure& figure, const ExportOptions& options,
                           const TextMetrics& metrics, Progress* progress = nullptr);

}  // namespace attn
