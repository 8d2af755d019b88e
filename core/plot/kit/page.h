// Figures put together from others, and pages: words and figures one under the other.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "plot/kit/plot.h"

namespace attn {

// Where a point of one figure lies in another.
struct Move {
  double scale = 1.0, x = 0.0, y = 0.0;
  Point operator()(Point p) const { return {x + scale * p.x, y + scale * p.y}; }
  Rect operator()(const Rect& r) const {
    return {x + scale * r.x, y + scale * r.y, scale * r.width, scale * r.height};
  }
};

void append_moved(Figure& figure, const Figure& part, const Move& by);

// A figure written from top to bottom, beginning with the title. Borrows its arguments.
class Page {
 public:
  Page(const PlotInput& input, const PlotOptions& options, const TextMetrics& metrics);

  // Room between the margins, units.
  double width() const { return std::max(options_.width - 2.0 * margin(), 4.0 * font()); }
  double font() const { return options_.font_size; }
  const FigureTheme& theme() const { return theme_; }

  // Muted; the first one of the page, which is its subtitle, regular and others bold.
  void add_heading(const std::string& text);
  // A paragraph, cut after `lines` lines.
  void add_words(const std::string& text, std::size_t lines = 12);
  // At most width() wide.
  void add_part(const Figure& part);
  // Equally wide parts, `columns` of them side by side, `gap` units apart.
  void add_grid(const std::vector<Figure>& parts, std::size_t columns, double gap);
  // A part at the right margin, `down` units lower than what is added next and stands beside it; it
  // takes no room of its own.
  void add_beside(const Figure& part, double down = 0.0);
  // Height left for a part above paragraphs of at most two lines each, where options.height or
  // pane_height asks for one; else 0.
  double room(std::span<const std::string> words) const;
  void add_space(double units) { y_ += units; }

  // The page, made smaller where options.height asks for it.
  Figure finished(std::string alt_text) const;

 private:
  double margin() const { return 0.9 * font(); }
  void add_line(const std::string& line, const FontStyle& style, Color color);

  const PlotOptions& options_;
  const TextMetrics& metrics_;
  const FigureTheme& theme_;
  Figure content_;
  double y_ = 0.0;
  bool has_subtitle_ = false;
  double beside_ = 0.0;  // the lower end of what stands at the right
};

// How many columns of at least `least` units fit `width`, at least one and at most `most`.
std::size_t columns_in(double width, double least, std::size_t most);

// "" for the title "none", the document's where none is given.
std::string title_of(const PlotInput& input, const FigureOptions& options);

}  // namespace attn
