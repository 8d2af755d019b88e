// Layout of texts and figures on one page.
#include "plot/kit/page.h"

#include <sstream>

#include "base/quotient_up.h"
#include "base/utf8.h"

namespace attn {
namespace {

// Cuts nothing on screen, where pages scroll; on paper after `on_paper` lines.
std::size_t most_lines(const Drawing& drawing, std::size_t on_paper) {
  constexpr std::size_t kAll = 40;
  return drawing.options.on_screen ? kAll : on_paper;
}

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

// Moves what hits have of the figure, which sliders and overviews follow.
void move_hit(HitId& hit, const Move& by) {
  if (auto* gate = std::get_if<GateHit>(&hit)) gate->track = by(gate->track);
  if (auto* overview = std::get_if<OverviewHit>(&hit)) overview->rect = by(overview->rect);
  if (auto* end = std::get_if<RangeHit>(&hit)) end->height *= by.scale;
}

}  // namespace

void append_moved(Figure& figure, Figure part, const Move& by) {
  const std::size_t before = figure.items.size();
  std::ranges::copy(part.advice, std::back_inserter(figure.advice));
  for (FigurePart named : part.parts) {
    named.matrix += before;
    named.first += before;
    named.end += before;
    figure.parts.push_back(named);
  }
  std::ranges::move(moved(std::move(part), by).items, std::back_inserter(figure.items));
}

Figure moved(Figure figure, const Move& by) {
  const auto move_all = [&](auto& shape) {
    move(shape, by);
    if constexpr (requires { shape.hit; }) move_hit(shape.hit, by);
  };
  for (FigureItem& item : figure.items) std::visit(move_all, item);
  return figure;
}

double add_lines(Figure& figure, const std::vector<std::string>& lines, TextItem first,
                 double pitch) {
  for (const std::string& line : lines) {
    first.text = line;
    figure.add(first);
    first.anchor.y += pitch;
  }
  return first.anchor.y;
}

double widest_word(const std::string& text, const FontStyle& font, const TextMetrics& metrics) {
  double widest = 0.0;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    widest = std::max(widest, metrics.measure(word, font).width);
  }
  return widest;
}

Figure blank_figure(const Drawing& drawing) {
  return {.width = drawing.options.width,
          .background = drawing.theme.background,
          .title = shown_title(drawing.document)};
}

std::string title_of(const Drawing& drawing) {
  const std::string& title = drawing.options.title;
  if (title == kNoTitle || (title.empty() && drawing.options.is_panel)) return "";
  return title.empty() ? shown_title(drawing.document) : shortened(title, kLongestTitle);
}

Page::Page(const Drawing& drawing, const std::string& own_title)
    : drawing_(drawing), content_(blank_figure(drawing)) {
  y_ = margin();
  const bool is_own = drawing.options.title.empty() && !own_title.empty();
  FontStyle style = title_font(font());
  style.formula = is_own;
  const std::string title = is_own ? own_title : title_of(drawing);
  const PlotOptions& options = drawing.options;
  lacks_title_ = title.empty() && options.title != kNoTitle && !options.is_panel;
  add_lines(wrapped(drawing.metrics, title, style, width(), kTitleLines), style, title_line(font()),
            drawing.theme.ink);
}

void Page::add_lines(const std::vector<std::string>& lines, const FontStyle& style, double pitch,
                     Color color) {
  for (const std::string& line : lines) {
    content_.add(text_item({margin(), y_ + 0.95 * style.size}, line, style, color));
    y_ += pitch;
  }
}

void Page::add_heading(const std::string& text, double below) {
  const bool is_section = std::exchange(has_subtitle_, true);
  const bool is_title = std::exchange(lacks_title_, false);
  FontStyle style = is_title ? title_font(font()) : subtitle_font(font());
  style.formula = true;
  style.bold = is_section || is_title;
  if (is_section) y_ += 0.5 * font();
  add_lines(wrapped(drawing_.metrics, text, style, width(), most_lines(drawing_, kSubtitleLines)),
            style, is_title ? title_line(font()) : subtitle_line(font()),
            is_title ? drawing_.theme.ink : drawing_.theme.muted);
  y_ += (0.1 + below) * font();
}

void Page::add_words(const std::string& text, std::size_t lines) {
  const FontStyle style = words_font(font());
  add_lines(wrapped(drawing_.metrics, text, style, width(), most_lines(drawing_, lines)), style,
            words_line(font()), drawing_.theme.muted);
}

void Page::add_note(const std::string& text, std::size_t lines) {
  if (drawing_.options.notes) add_words(text, lines);
}

void Page::add_part(const Figure& part, HAlign align) {
  const double spare = width() - part.width;  // little: parts below each other begin together
  const bool is_centred = align == HAlign::Center && spare > 0.15 * width();
  append_moved(content_, part, {1.0, margin() + (is_centred ? spare / 2.0 : 0.0), y_});
  y_ += part.height + 0.4 * font();
}

double Page::room(std::span<const std::string> words, double page) const {
  const PlotOptions& options = drawing_.options;
  const double given = options.height > 0.0 ? options.height : options.pane_height;
  const double height = given > 0.0 ? given : page;
  if (height <= 0.0) return 0.0;
  std::size_t lines = 0;
  if (!drawing_.options.notes) words = {};
  for (const std::string& text : words) {
    lines += wrapped(drawing_.metrics, text, words_font(font()), width(),
                     most_lines(drawing_, kNoteLines))
                 .size();
  }
  const double below = 0.9 * font() + words_line(font()) * static_cast<double>(lines);
  return std::max(height - y_ - below, 6.0 * font());
}

void Page::add_grid(std::vector<Figure> parts, std::size_t columns, double gap) {
  for (std::size_t first = 0; first < parts.size(); first += columns) {
    double x = margin(), height = 0.0;
    for (std::size_t i = first; i < std::min(first + columns, parts.size()); ++i) {
      const double left = x;
      x += parts[i].width + gap;
      height = std::max(height, parts[i].height);
      append_moved(content_, std::move(parts[i]), {1.0, left, y_});
    }
    y_ += height + 0.8 * font();
  }
}

void Page::add_beside(const Figure& part, double down) {
  append_moved(content_, part, {1.0, margin() + width() - part.width, y_ + down});
  beside_ = y_ + down + part.height;
}

Figure concealed_page(const Drawing& drawing) {
  constexpr const char* kWords =
      "The lesson asks about weights that decide this: reveal them first.";
  Page page(drawing);
  page.add_words(kWords);
  return page.finished(kWords);
}

Figure Page::finished(std::string alt_text) {
  Figure content = std::move(content_);
  content.height = std::max(y_, beside_) + 0.5 * font();
  content.alt_text = std::move(alt_text);
  const PlotOptions& options = drawing_.options;
  if (options.height <= 0.0) return content;
  const double scale = std::min(1.0, options.height / content.height);
  Figure figure = moved(std::move(content), {scale, options.width * (1.0 - scale) / 2.0, 0.0});
  figure.height = options.height;
  figure.scale = scale;
  return figure;
}

Tiling best_tiling(std::size_t count, const Drawing& drawing,
                   const std::function<double(const Tiling&)>& size, double enough) {
  const bool is_paper = drawing.options.height <= 0.0 && drawing.options.pane_height <= 0.0;
  Tiling best;
  double largest = -1.0;
  for (std::size_t rows = 1; rows <= count; ++rows) {
    const Tiling tiling{quotient_up(count, rows), rows};
    if (quotient_up(count, tiling.columns) < rows) continue;  // as wide, in fewer rows
    const double now = size(tiling);
    if (now > largest + 1e-6) {
      best = tiling;
      largest = now;
    }
    if (is_paper && now >= enough * drawing.font()) break;
  }
  return best;
}

}  // namespace attn
