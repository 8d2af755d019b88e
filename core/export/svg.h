// Writes SVG by a separate painter: selectable, searchable and editable text, titles of shapes and
// cells, and bytes independent of Cairo.
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

// The number with at most two decimals (1/7200 inch), without trailing zeros: "12", "0.5".
std::string svg_number(double value);

// Well-formed UTF-8 for the content of elements and quoted attributes, of SVG and HTML alike.
std::string xml_text(std::string_view text);

std::string base64_text(std::string_view bytes);

// The title of the enclosing element, which browsers show under the pointer; empty for no text.
std::string title_markup(std::string_view text);

// Attributes of one element in the order of insertion.
class SvgAttributes {
 public:
  SvgAttributes& add(std::string_view name, std::string_view text);
  SvgAttributes& add(std::string_view name, double number);
  // "#rrggbb" as `name`, and `name`-opacity unless the colour is opaque.
  SvgAttributes& add(std::string_view name, Color color);
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

class SvgWriter {
 public:
  // `prefix` begins the ids of the whole output.
  explicit SvgWriter(std::string prefix = {}) : prefix_(std::move(prefix)) {}
  void open(std::string_view name, const SvgAttributes& attributes = {});
  void close();
  // Adds an element on one line around `content`, which is markup and may be empty.
  void add(std::string_view name, const SvgAttributes& attributes, std::string_view content = {});
  std::string own_id(const std::string& name) const { return prefix_ + name; }
  // True if the id of a pattern, clip or gradient is new; registers it.
  bool defines(const std::string& id) { return defined_.insert(id).second; }
  // Returns the whole output.
  std::string taken() { return std::move(out_); }

 private:
  std::string prefix_;
  std::string out_;
  std::vector<std::string> open_;
  std::set<std::string> defined_;  // ids by their contents
};

// Returns an attribute for an empty image with which a program that shows the drawing paints the
// cells of a matrix.
using CellsKeeper = std::function<std::string(const MatrixItem&)>;

// Writes the matrix as one group: up to `most_cells` cells as rectangles, more as an image; or an
// empty image with the attribute of `keep`, unless that is null. Returns an error when the image
// cannot be encoded.
Status add_matrix(SvgWriter& svg, const MatrixItem& m, std::size_t most_cells,
                  const CellsKeeper* keep, Progress* progress);

// Limits of cells drawn as rectangles, per matrix and per file; other matrices become images, as
// many shapes are slow everywhere. The six maps of one figure fit.
inline constexpr std::size_t kMostVectorCells = 4096, kMostCellsOfAFile = 6 * kMostVectorCells;

// A part of a page with other drawings, whose ids get a prefix. Leaves out lines that are too faint
// to be seen, of which plots of many heads have thousands, and titles of pale ones.
struct SvgPart {
  std::string prefix;       // of its ids
  const CellsKeeper& keep;  // of its matrices
};

// SVG of a figure, or of a `part` unless it is null; one unit is one point. Every text has its
// anchor and, by `metrics`, its length, so that it keeps its place when a reader lacks the font.
// Shapes with a hit are in a group with an id and a <title>, which browsers show under the pointer;
// cells have titles only. `options.dpi` is ignored. Error for a figure without size.
Result<std::string> svg_of(const Figure& figure, const ExportOptions& options,
                           const TextMetrics& metrics, Progress* progress = nullptr,
                           const SvgPart* part = nullptr);

}  // namespace attn
