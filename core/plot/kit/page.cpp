// Layout of texts and figures on one page.
#include "plot/kit/page.h"

#include <algorithm>
#include <utility>

#include "figure/text.h"

namespace attn {
namespace {

// Nothing is cut on screen, where pages scroll; on paper after so many lines.
std::size_t most_lines(const Drawing& drawing, std::size_t on_paper) {
  constexpr std::size_t kAll = 40;
  return drawing.options.on_screen ? kAll : on_paper;
}

FontStyle words_font(double font) { return {secondary_size(font), false, false, true}; }

void move(RectItem& item, const Move& by) {
  item.rect = by(item.rect);
  item.stroke_width *= by.scale;
  item.radius *= by.scale;
}
void move(LineItem& item, const Move& by) {
  item.from = by(item.from);
  item.to = by(item.to);
  item.width *= by.scale;
  for (double& dash : item.dash) dash *= by.scale;
  item.dash_phase *= by.scale;
}
void move(PathItem& item, const Move& by) {
  for (Point& p : item.points) p = by(p);
  item.stroke_width *= by.scale;
}
void move(TextItem& item, const Move& by) {
  item.anchor = by(item.anchor);
  item.font.size *= by.scale;
}
void move(MatrixItem& item, const Move& by) {
  item.rect = by(item.rect);
  item.clip = by(item.clip);
}

}  // namespace

void append_moved(Figure& figure, const Figure& part, const Move& by) {
  const std::size_t before = figure.items.size();
  for (FigurePart named : part.parts) {
    named.matrix += before;
    named.first += before;
    named.end += before;
    figure.parts.push_back(named);
  }
  for (FigureItem item : part.items) {
    std::visit([&](auto& shape) { move(shape, by); }, item);
    figure.add(std::move(item));
  }
}

Figure blank_figure(const Drawing& drawing) {
  Figure figure;
  figure.width = drawing.options.width;
  figure.background = drawing.theme.background;
  figure.title = drawing.document.title;
  return figure;
}

std::string title_of(const Drawing& drawing) {
  const std::string& title = drawing.options.title;
  if (title == kNoTitle || (title.empty() && drawing.options.is_panel)) return "";
  return title.empty() ? drawing.document.title : title;
}

Page::Page(const Drawing& drawing, const std::string& own_title)
    : drawing_(drawing), content_(blank_figure(drawing)) {
  y_ = margin();
  const bool is_own = drawing.options.title.empty() && !own_title.empty();
  const FontStyle style{1.25 * font(), true, false, is_own};
  const std::string title = is_own ? own_title : title_of(drawing);
  for (const std::string& line : wrapped(drawing.metrics, title, style, width(), 2)) {
    add_line(line, style, drawing.theme.ink);
  }
}

void Page::add_line(const std::string& line, const FontStyle& style, Color color) {
  content_.add(text_item({margin(), y_ + style.size},
                         fitted(drawing_.metrics, line, style, width()), style, color));
  y_ += 1.65 * style.size;
}

void Page::add_heading(const std::string& text, double below) {
  const FontStyle style{font(), std::exchange(has_subtitle_, true), false, true};
  y_ += 0.5 * font();
  const std::size_t most = most_lines(drawing_, 2);
  for (const std::string& line : wrapped(drawing_.metrics, text, style, width(), most)) {
    add_line(line, style, drawing_.theme.muted);
  }
  y_ += below * font();
}

void Page::add_words(const std::string& text, std::size_t lines) {
  const FontStyle style = words_font(font());
  const std::size_t most = most_lines(drawing_, lines);
  for (const std::string& line : wrapped(drawing_.metrics, text, style, width(), most)) {
    add_line(line, style, drawing_.theme.muted);
  }
}

void Page::add_note(const std::string& text, std::size_t lines) {
  if (drawing_.options.notes) add_words(text, lines);
}

void Page::add_part(const Figure& part) {
  append_moved(content_, part, {1.0, margin(), y_});
  y_ += part.height + 0.4 * font();
}

double Page::room(std::span<const std::string> words) const {
  const PlotOptions& options = drawing_.options;
  const double height = options.height > 0.0 ? options.height : options.pane_height;
  return height > 0.0 ? room_in(height, words) : 0.0;
}

double Page::room_in(double height, std::span<const std::string> words) const {
  const FontStyle style = words_font(font());
  std::size_t lines = 0;
  if (!drawing_.options.notes) words = {};
  for (const std::string& text : words) {
    lines +=
        wrapped(drawing_.metrics, text, style, width(), most_lines(drawing_, kNoteLines)).size();
  }
  const double below = 0.9 * font() + 1.65 * style.size * static_cast<double>(lines);
  return std::max(height - y_ - below, 6.0 * font());
}

void Page::add_grid(const std::vector<Figure>& parts, std::size_t columns, double gap) {
  for (std::size_t first = 0; first < parts.size(); first += columns) {
    double x = margin();
    double height = 0.0;
    for (std::size_t i = first; i < std::min(first + columns, parts.size()); ++i) {
      append_moved(content_, parts[i], {1.0, x, y_});
      x += parts[i].width + gap;
      height = std::max(height, parts[i].height);
    }
    y_ += height + 0.8 * font();
  }
  y_ = std::max(y_, beside_);
}

void Page::add_beside(const Figure& part, double down) {
  append_moved(content_, part, {1.0, margin() + width() - part.width, y_ + down});
  beside_ = y_ + down + part.height;
}

Figure Page::finished(std::string alt_text) const {
  Figure content = content_;
  content.height = y_ + 0.5 * font();
  content.alt_text = std::move(alt_text);
  const PlotOptions& options = drawing_.options;
  if (options.height <= 0.0) return content;
  Figure figure = content;
  figure.items.clear();
  figure.parts.clear();
  const double scale = std::min(1.0, options.height / content.height);
  append_moved(figure, content, {scale, options.width * (1.0 - scale) / 2.0, 0.0});
  figure.height = options.height;
  figure.scale = scale;
  return figure;
}

std::size_t columns_in(double width, double least, std::size_t most) {
  const double fitting = std::clamp(width / std::max(least, 1e-9), 1.0, static_cast<double>(most));
  return static_cast<std::size_t>(fitting);
}

}  // namespace attn
