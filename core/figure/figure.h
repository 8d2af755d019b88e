// A figure: a flat list of shapes in logical units, with hit ids. Screen, PNG, SVG and PDF are
// painters of figures. One unit is one point on paper and one pixel on a screen of scale 1; y grows
// downwards.
#pragma once

#include <compare>
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
  double right() const { return x + width; }
  double bottom() const { return y + height; }
  Point middle() const { return {x + width / 2.0, y + height / 2.0}; }
  Rect grown(double by) const { return {x - by, y - by, width + 2.0 * by, height + 2.0 * by}; }
  bool contains(Point p) const {
    return p.x >= x && p.x < x + width && p.y >= y && p.y < y + height;
  }
  friend bool operator==(const Rect&, const Rect&) = default;
};

// Meaning of a shape under the pointer.
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
  TensorPath tensor;  // an input tensor, before any stage
  std::string label;  // "X_K"
  friend bool operator==(const InputHit& a, const InputHit& b) { return a.tensor == b.tensor; }
};
struct HeadHit {
  HeadAddress head;                      // a whole head
  std::uint64_t layer = head.layer + 1;  // as words number it
  friend bool operator==(const HeadHit& a, const HeadHit& b) { return a.head == b.head; }
};
// The strip of a head's gate, a slider from 0 to kLargestGate.
struct GateHit {
  HeadAddress head;
  std::uint64_t layer = head.layer + 1;  // as words number it
  float factor = 1.0F;
  Rect track;
  friend bool operator==(const GateHit&, const GateHit&) = default;
};
// A head that is taken out, and a later one that reads it, or the same one.
struct AtlasHit {
  HeadAddress out, read;
  bool is_known = true;      // false: what follows is being computed
  std::string what, number;  // "without L2 H1", "L3 H2 changes by 0.12"
  friend bool operator==(const AtlasHit&, const AtlasHit&) = default;
};
struct HeadLabelHit {
  HeadAddress head;
  std::size_t label = 0;  // index in all_head_labels()
  friend bool operator==(const HeadLabelHit&, const HeadLabelHit&) = default;
};
// A choice in the plot: a click sets an option.
struct OptionHit {
  std::string field, text;  // "heads" and its new value "0,2"
  std::string label;        // text of the choice: "3"
  friend bool operator==(const OptionHit&, const OptionHit&) = default;
};
// A bar or a point of a chart, with its value.
struct ReadingHit {
  std::string what, number;  // "0.1 to 0.125" and "10"
  friend bool operator==(const ReadingHit&, const ReadingHit&) = default;
};
struct ColorBarHit {
  bool is_words = false;  // about its range, on which a click offers others
  friend bool operator==(const ColorBarHit&, const ColorBarHit&) = default;
};
// A draggable end of a colour bar.
struct RangeHit {
  bool is_high = false;
  ColorScale scale;
  double height = 0.0;    // of the bar between its ends, units
  bool mirrored = false;  // zero stays in the middle
  friend bool operator==(const RangeHit&, const RangeHit&) = default;
};
// An overview: a click brings that place of the matrix into view.
struct OverviewHit {
  Rect rect;  // of the whole matrix
  std::size_t rows = 0, cols = 0;
  friend bool operator==(const OverviewHit&, const OverviewHit&) = default;
};
using HitId =
    std::variant<std::monostate, CellHit, TokenHit, StageHit, InputHit, HeadHit, GateHit, AtlasHit,
                 HeadLabelHit, OptionHit, ReadingHit, ColorBarHit, RangeHit, OverviewHit>;

using TensorHit = std::variant<StageHit, InputHit>;
HitId hit_of(const TensorHit& tensor);
std::optional<TensorHit> tensor_of(const HitId& hit);

enum class HAlign { Left, Center, Right };
enum class VAlign { Top, Middle, Baseline };

struct FontStyle {
  double size = 10.0;  // units, em height
  bool bold = false;
  bool monospace = false;
  bool formula = false;                 // symbols such as d_k are typeset (formula_runs)
  const std::string* family = nullptr;  // of font_family_named(); null: the usual ones
  bool italic = false;
  friend auto operator<=>(const FontStyle&, const FontStyle&) = default;
};

struct RectItem {
  Rect rect = {};
  Color fill{0, 0, 0, 0};
  Color stroke{0, 0, 0, 0};
  double stroke_width = 0.0;
  double radius = 0.0;
  HitId hit = {};
};
// Distance from a thin line within which it is hit, units.
inline constexpr double kLineReach = 3.0;
// Distance from the centre of a dot within which it is hit, units.
inline constexpr double kDotReach = 5.0;

struct LineItem {
  Point from = {}, to = {};
  Color color = {};
  double width = 1.0;
  std::vector<double> dash = {};  // empty: solid
  HitId hit = {};                 // found within kLineReach of the line
  std::string words = {};         // text shown under the pointer in a file
  double dash_phase = 0.0;        // offset into the dashes, for lines that continue others
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
  HitId hit = {};        // for painters; hit_test ignores texts, so plots lay a shape under them
};

// Numbers of a matrix, or of the part in view, shared by all painters.
struct MatrixCells {
  std::size_t rows = 0, cols = 0;
  std::vector<float> values;
  std::vector<std::uint8_t> hidden;  // HiddenRules per cell; empty: none hidden
  // Numbers that decide the colours when they are not the values, such as shares of a row; else
  // empty. Cells whose value is not finite keep their pattern.
  std::vector<float> tints;
  const std::vector<float>& coloured() const { return tints.empty() ? values : tints; }
};

// Matrices of which an item shows one line each, as its rows: row or column number `line`.
struct GatheredLines {
  std::vector<MatrixId> matrices;
  std::size_t line = 0;
  bool are_columns = false;

  CellHit cell(std::size_t row, std::size_t col) const {
    return are_columns ? CellHit{matrices[row], col, line} : CellHit{matrices[row], line, col};
  }
};

// Orientation of a matrix in its figure: columns drawn as rows if transposed, the first row at the
// bottom if upward.
struct Turn {
  bool transposed = false, upward = false;
  friend bool operator==(const Turn&, const Turn&) = default;
};

// A matrix as one image. Texel (r, c) covers source rows from first_row + r·row_step on, and
// columns accordingly; the last texels are cut at row_count and col_count.
struct MatrixItem {
  Rect rect = {};  // of all texels; only the part inside `clip` is drawn
  Rect clip = {};
  std::shared_ptr<const MatrixCells> cells = {};
  ColorScale scale = {};
  std::size_t first_row = 0, first_col = 0;
  std::size_t row_step = 1, col_step = 1;
  std::size_t row_count = 0, col_count = 0;  // of the whole matrix
  Turn turn = {};  // of texels, whose rows and columns those above count: after it, from the top
  std::optional<MatrixId> origin = {};                 // for the hits of cells; none: a swatch
  std::shared_ptr<const GatheredLines> gathered = {};  // instead: cells of several matrices
  Color hatch{128, 128, 128, 255};  // ink of both patterns, on `hatch_background`
  Color hatch_background{230, 230, 230, 255};
};

// False when there are no cells to draw.
bool has_cells(const MatrixItem& m);

using FigureItem = std::variant<RectItem, LineItem, PathItem, TextItem, MatrixItem>;

// A range of items that belong to one matrix.
struct FigurePart {
  // Labels of rows or columns: texts, with TokenHits when they name tokens, and the shapes under
  // them. Badge: the number of a pin on its disc, which stays above other marks.
  enum class Kind { RowLabels, ColumnLabels, Badge };
  Kind kind = Kind::RowLabels;
  std::size_t matrix = 0;          // index of the matrix item
  std::size_t first = 0, end = 0;  // range of items
  friend bool operator==(const FigurePart&, const FigurePart&) = default;
};

// Layout of a map that fills its figure without any other map.
struct MapFit {
  double top = 0.0, cell = 0.0;  // height above the cells, the shorter side of one, units
  friend bool operator==(const MapFit&, const MapFit&) = default;
};

struct Figure {
  double width = 0.0, height = 0.0;
  Color background{255, 255, 255, 255};
  std::string title = {};                  // for metadata
  std::string alt_text = {};               // one sentence for screen readers
  std::string provenance = {};             // for metadata: how it was made, one line of ASCII
  std::optional<MapFit> fit = {};          // if it shows a single map
  std::vector<std::string> advice = {};    // for the user who exports it; not drawn
  std::vector<std::string> equation = {};  // as text, LaTeX and Markdown, when it shows one
  std::vector<FigureItem> items = {};      // drawn in this order
  std::vector<FigurePart> parts = {};
  double scale = 1.0;  // of the content; below 1 when it was scaled down to fit a height

  void add(FigureItem item) { items.push_back(std::move(item)); }
};

// The topmost hit at `p`; monostate when there is none.
HitId hit_test(const Figure& figure, Point p);

// The cell of the matrix at a row and a column as they lie in the figure. Precondition: an origin.
CellHit source_cell(const MatrixItem& matrix, std::size_t row, std::size_t col);

// Clipped rectangle of a source cell, or of a whole row or column; width 0 when it is out of view.
Rect cell_rect(const MatrixItem& matrix, std::optional<std::size_t> row,
               std::optional<std::size_t> col);

// The first matrix of the figure, or null; borrowed from the figure.
const MatrixItem* find_matrix(const Figure& figure);
const MatrixItem* find_matrix(Figure&& figure) = delete;

}  // namespace attn
