// A figure: a flat list of things to draw in logical units, each with what it stands for. The
// screen, PNG and SVG are painters of the same figure. One unit is one point on paper and one pixel
// on a screen of scale 1; y grows downwards.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "attention/stage.h"
#include "engine/matrix/matrix_id.h"
#include "figure/colormap.h"
#include "kinds/parts/tensor_info.h"

namespace attn {

struct Point {
  double x = 0.0, y = 0.0;
  friend bool operator==(const Point&, const Point&) = default;
};
struct Rect {
  double x = 0.0, y = 0.0, width = 0.0, height = 0.0;
  bool contains(Point p) const {
    return p.x >= x && p.x < x + width && p.y >= y && p.y < y + height;
  }
  friend bool operator==(const Rect&, const Rect&) = default;
};

// What something in a figure stands for.
struct CellHit {
  MatrixId matrix;
  std::size_t row = 0, col = 0;
  friend bool operator==(const CellHit&, const CellHit&) = default;
};
struct TokenHit {
  Side side = Side::Query;
  std::size_t sample = 0, index = 0;
  friend bool operator==(const TokenHit&, const TokenHit&) = default;
};
struct StageHit {
  Stage stage = Stage::Weights;
  friend bool operator==(const StageHit&, const StageHit&) = default;
};
struct InputHit {
  TensorPath tensor;  // what the person enters, before any stage
  std::string label;  // "X_K"
  friend bool operator==(const InputHit& a, const InputHit& b) { return a.tensor == b.tensor; }
};
struct HeadHit {
  HeadAddress head;  // a head as a whole
  friend bool operator==(const HeadHit&, const HeadHit&) = default;
};
struct HeadLabelHit {
  HeadAddress head;
  std::size_t label = 0;  // a word for that head, of all_head_labels()
  friend bool operator==(const HeadLabelHit&, const HeadLabelHit&) = default;
};
// A choice that the plot offers: a click sets one of its options.
struct OptionHit {
  std::string field, text;  // "heads", "0,2": what the option becomes
  std::string label;        // what is chosen, as written there: "3"
  friend bool operator==(const OptionHit&, const OptionHit&) = default;
};
// A bar or a point of a chart, and what it says.
struct ReadingHit {
  std::string what, number;  // "0.1 to 0.125" and "10"
  friend bool operator==(const ReadingHit&, const ReadingHit&) = default;
};
struct ColorBarHit {
  friend bool operator==(const ColorBarHit&, const ColorBarHit&) = default;
};
// An end of a colour bar that can be dragged, and the scale that it is the end of.
struct RangeHit {
  bool is_high = false;
  ColorScale scale;
  double height = 0.0;    // between them, units
  bool mirrored = false;  // zero stays in the middle
  friend bool operator==(const RangeHit&, const RangeHit&) = default;
};
// A small picture of a whole matrix of which a part is in view: what is clicked comes into view.
struct OverviewHit {
  Rect rect;  // where the whole is drawn
  std::size_t rows = 0, cols = 0;
  friend bool operator==(const OverviewHit&, const OverviewHit&) = default;
};
using HitId = std::variant<std::monostate, CellHit, TokenHit, StageHit, InputHit, HeadHit,
                           HeadLabelHit, OptionHit, ReadingHit, ColorBarHit, RangeHit, OverviewHit>;

// A whole tensor, entered or computed.
using TensorHit = std::variant<StageHit, InputHit>;
HitId hit_of(const TensorHit& tensor);
std::optional<TensorHit> tensor_of(const HitId& hit);

enum class HAlign { Left, Center, Right };
enum class VAlign { Top, Middle, Baseline, Bottom };

struct FontStyle {
  double size = 10.0;  // units, em height
  bool bold = false;
  bool monospace = false;
  bool formula = false;  // d_k and its like are drawn as they are set in print (formula_text.h)
  friend bool operator==(const FontStyle&, const FontStyle&) = default;
};

struct RectItem {
  Rect rect = {};
  Color fill{0, 0, 0, 0};
  Color stroke{0, 0, 0, 0};
  double stroke_width = 0.0;
  double radius = 0.0;
  HitId hit = {};
};
// How far from a thin line one may point at it, units.
inline constexpr double kLineReach = 3.0;
// The same from the middle of a dot.
inline constexpr double kDotReach = 5.0;

struct LineItem {
  Point from = {}, to = {};
  Color color = {};
  double width = 1.0;
  std::vector<double> dash = {};  // empty: solid
  HitId hit = {};                 // found within kLineReach of the line
  std::string words = {};         // what it says to those who point at it in a file
  double dash_phase = 0.0;  // how far into the dashes it begins, as lines do that go on from others
};
struct PathItem {
  std::vector<Point> points = {};
  bool closed = false;
  Color fill{0, 0, 0, 0};
  Color stroke{0, 0, 0, 0};
  double stroke_width = 0.0;
  HitId hit = {};
};
struct TextItem {
  Point anchor = {};
  std::string text = {};  // UTF-8, any script, one line
  FontStyle font = {};
  Color color = {};
  HAlign halign = HAlign::Left;
  VAlign valign = VAlign::Baseline;
  double degrees = 0.0;  // counter-clockwise about the anchor
  HitId hit = {};        // what it names; hit_test looks at shapes, so plots lay one under it
};

// The numbers of a matrix or of the part of it in view, shared by all painters.
struct MatrixCells {
  std::size_t rows = 0, cols = 0;
  std::vector<float> values;
  std::vector<std::uint8_t> hidden;  // HiddenRules per cell; empty: none hidden
  // What the scale colours where that is not the value itself, such as its logarithm; else empty.
  // Where a value is not finite it counts, whatever stands here.
  std::vector<float> tints;
  const std::vector<float>& coloured() const { return tints.empty() ? values : tints; }
};

// One matrix as one image. Texel (r, c) covers source rows first_row + r·row_step … and columns
// alike; the last ones may reach beyond the matrix and are cut at row_count, col_count.
struct MatrixItem {
  Rect rect = {};  // of all texels; parts outside `clip` are not drawn
  Rect clip = {};
  std::shared_ptr<const MatrixCells> cells = {};
  ColorScale scale = {};
  std::size_t first_row = 0, first_col = 0;
  std::size_t row_step = 1, col_step = 1;
  std::size_t row_count = 0, col_count = 0;  // of the whole matrix
  std::optional<MatrixId> origin = {};       // what its cells' hits say; none: a swatch
  Color hatch{128, 128, 128, 255};           // ink of both patterns, on `hatch_ground`
  Color hatch_ground{230, 230, 230, 255};
};

// False of a matrix of which nothing is drawn.
bool has_cells(const MatrixItem& m);

using FigureItem = std::variant<RectItem, LineItem, PathItem, TextItem, MatrixItem>;

// A run of items that belong to one matrix, so that nobody has to tell them by their looks.
struct FigurePart {
  // Labels of rows or columns: texts that carry TokenHits where they name tokens, and the shapes
  // under them. A badge: the number of a pin on its disc, which stays above other marks.
  enum class Kind { RowLabels, ColumnLabels, Badge };
  Kind kind = Kind::RowLabels;
  std::size_t matrix = 0;          // the item that they belong to
  std::size_t first = 0, end = 0;  // items
  friend bool operator==(const FigurePart&, const FigurePart&) = default;
};

struct Figure {
  double width = 0.0, height = 0.0;
  Color background{255, 255, 255, 255};
  std::string title;              // for metadata
  std::string alt_text;           // one sentence for those who cannot see it
  std::vector<FigureItem> items;  // drawn in this order
  std::vector<FigurePart> parts;
  double scale = 1.0;  // of what was drawn; below 1 where it was made smaller to fit a height
};

// What is under `p`, topmost first; monostate when nothing with a meaning is.
HitId hit_test(const Figure& figure, Point p);

// Where a source cell is drawn, clipped; width 0 when it is out of view. For marks and tests.
Rect cell_rect(const MatrixItem& matrix, std::size_t row, std::size_t col);

// The first matrix of the figure, or null; it lives as long as the figure.
const MatrixItem* find_matrix(const Figure& figure);
const MatrixItem* find_matrix(Figure&& figure) = delete;

}  // namespace attn
