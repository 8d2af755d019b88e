// Figure items, composition of figures, and pages: texts and figures below each other.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "figure/colormap.h"
#include "figure/figure.h"
#include "figure/text.h"
#include "plot/kit/plot.h"
#include "view/length.h"

namespace attn {

// Transformation from the coordinates of one figure to those of another.
struct Move {
  double scale = 1.0, x = 0.0, y = 0.0;
  Point operator()(Point p) const { return {x + scale * p.x, y + scale * p.y}; }
  Rect operator()(const Rect& r) const {
    return {x + scale * r.x, y + scale * r.y, scale * r.width, scale * r.height};
  }
};

void append_moved(Figure& figure, Figure part, const Move& by);
// The figure with its items moved; its size stays.
Figure moved(Figure figure, const Move& by);

inline constexpr double kMargin = 0.9;         // of figures, in font sizes
inline constexpr std::size_t kNoteLines = 12;  // of a paragraph on paper

// Fonts and lines of titles, subtitles and remarks of all plots, in units.
inline FontStyle title_font(double font_size) { return {1.25 * font_size, true}; }
inline double title_line(double font_size) { return 1.75 * font_size; }
inline FontStyle subtitle_font(double font_size) { return {font_size, false, false, true}; }
inline double subtitle_line(double font_size) { return 1.4 * font_size; }
inline FontStyle words_font(double font_size) {
  constexpr double kLeast = 6.0;  // points, unless labels are smaller
  return {std::max(secondary_size(font_size), std::min(font_size, kLeast)), false, false, true};
}
inline double words_line(double font_size) { return 1.4 * font_size; }
inline constexpr std::size_t kTitleLines = 3, kSubtitleLines = 6;  // the rest is cut

// Height of a page of paper, units; figures that are higher do not fit a document.
inline constexpr double kPageHeight = 9.5 * kUnitsPerInch;

// A page that says that a lesson asks about what the plot would show.
Figure concealed_page(const Drawing& drawing);

// A figure that is written from top to bottom and begins with the title. Borrows the drawing.
class Page {
 public:
  // Begins a page, with its own title in place of the document's if the figure shows nothing of the
  // document.
  explicit Page(const Drawing& drawing, const std::string& own_title = "");

  const Drawing& drawing() const { return drawing_; }
  // Width between the margins, units.
  double width() const { return std::max(drawing_.options.width - 2.0 * margin(), 4.0 * font()); }

  // Muted heading; the first of a page is its subtitle and regular, or its title where the document
  // has none; others are bold. `below`: space in font sizes.
  void add_heading(const std::string& text, double below = 0.0);
  // A paragraph, cut after `lines` lines.
  void add_words(const std::string& text, std::size_t lines = kNoteLines);
  // A paragraph that explains the figure; none without options.notes.
  void add_note(const std::string& text, std::size_t lines = kNoteLines);
  // Adds a figure, at most width() wide.
  void add_part(const Figure& part, HAlign align = HAlign::Left);
  // Parts of equal width in `columns` columns, `gap` units apart.
  void add_grid(std::vector<Figure> parts, std::size_t columns, double gap);
  // Adds a part at the right margin, `down` units below the top of the next part; does not advance
  // the page.
  void add_beside(const Figure& part, double down = 0.0);
  // Height left for a part above notes, when options.height or pane_height is set; else what is
  // left of `page`, or 0 without one.
  double room(std::span<const std::string> words, double page = 0.0) const;
  void add_space(double units) { y_ += units; }

  // The finished page, scaled down to options.height when that is set.
  Figure finished(std::string alt_text);

 private:
  double font() const { return drawing_.font(); }
  double margin() const { return kMargin * font(); }
  void add_lines(const std::vector<std::string>& lines, const FontStyle& style, double pitch,
                 Color color);

  const Drawing& drawing_;
  Figure content_;
  double y_ = 0.0;
  double beside_ = 0.0;  // lower end of the part at the right margin
  bool has_subtitle_ = false;
  bool lacks_title_ = false;
};

// Columns and rows of equal cells.
struct Tiling {
  std::size_t columns = 1, rows = 1;
};

// The arrangement of `count` maps in which `size` of a map is largest; on paper, where height is
// scarce, the lowest one whose maps are large enough to read: `enough` font sizes.
Tiling best_tiling(std::size_t count, const Drawing& drawing,
                   const std::function<double(const Tiling&)>& size, double enough = 5.0);

// A figure without items, as wide as the options say.
Figure blank_figure(const Drawing& drawing);

// The title of a figure: "" for "none", the document's title when the options have none.
std::string title_of(const Drawing& drawing);

inline TextItem text_item(Point anchor, std::string text, FontStyle font, Color color,
                          HAlign halign = HAlign::Left, VAlign valign = VAlign::Baseline,
                          HitId hit = {}) {
  return {.anchor = anchor,
          .text = std::move(text),
          .font = font,
          .color = color,
          .halign = halign,
          .valign = valign,
          .hit = std::move(hit)};
}

// Lines below each other like the first one, `pitch` units apart. Returns the y of the next one.
double add_lines(Figure& figure, const std::vector<std::string>& lines, TextItem first,
                 double pitch);

inline TextItem text_in(const Rect& rect, std::string text, FontStyle font, Color color,
                        HitId hit = {}) {
  return text_item(rect.middle(), std::move(text), font, color, HAlign::Center, VAlign::Middle,
                   std::move(hit));
}

inline MatrixItem whole_item(const Rect& rect, std::shared_ptr<const MatrixCells> cells,
                             const ColorScale& scale, const FigureTheme& theme) {
  const std::size_t rows = cells->rows, cols = cells->cols;
  return {.rect = rect,
          .clip = rect,
          .cells = std::move(cells),
          .scale = scale,
          .row_count = rows,
          .col_count = cols,
          .hatch = theme.hatch,
          .hatch_background = theme.hatch_background};
}

// Width of the widest text of some items.
template <class Items, class TextOf>
double widest_of(const Items& items, const TextOf& text_of, const FontStyle& font,
                 const TextMetrics& metrics) {
  double widest = 0.0;
  for (const auto& item : items) {
    widest = std::max(widest, metrics.measure(std::invoke(text_of, item), font).width);
  }
  return widest;
}

// Width of the widest word of a text, which is broken at blanks.
double widest_word(const std::string& text, const FontStyle& font, const TextMetrics& metrics);

// Records the items that `draw` adds as a part of the figure.
template <class Draw>
void add_part(Figure& figure, FigurePart::Kind kind, std::size_t matrix, const Draw& draw) {
  const std::size_t first = figure.items.size();
  draw();
  figure.parts.push_back({kind, matrix, first, figure.items.size()});
}

}  // namespace attn
