// Drawing of tables with bars.
#include "plot/kit/bar_table.h"

#include <algorithm>
#include <cmath>

#include "figure/text.h"
#include "plot/kit/page.h"

namespace attn {
namespace {

// Sizes in font sizes.
constexpr double kRowPitch = 1.38, kHeadPitch = 1.2, kColumnGap = 0.9, kLeastBars = 3.0;
constexpr double kBarHeight = 0.85;
constexpr double kMostName = 0.3;  // share of the width
constexpr std::size_t kHeadLines = 3;

struct TableScene : Drawing {
  const BarTable& table;
  double size = 0.0;                       // of the letters
  std::vector<double> widths{}, places{};  // of the columns, and their left ends
  double bars = 0.0;                       // left end of the bars
  double bar_width = 0.0;
  double low = 0.0, high = 0.0;  // of all bars

  FontStyle font_of(const BarTableRow& row) const { return {size, row.strong}; }
  FontStyle head_font() const { return {secondary_size(size), false, false, true}; }
  double gap() const { return kColumnGap * size; }
  double used() const {
    double sum = 0.0;
    for (const double column : widths) sum += column + gap();
    return sum;
  }
};

void measure(TableScene& scene, double size, double width) {
  scene.size = size;
  scene.widths.clear();
  for (std::size_t c = 0; c < scene.table.heads.size(); ++c) {
    double widest = widest_word(scene.table.heads[c], scene.head_font(), scene.metrics);
    for (const BarTableRow& row : scene.table.rows) {
      widest = std::max(widest, scene.metrics.measure(row.texts[c], scene.font_of(row)).width);
    }
    scene.widths.push_back(c == 0 ? std::min(widest, kMostName * width) : widest);
  }
}

TableScene laid_out(const Drawing& drawing, const BarTable& table, double width) {
  TableScene scene{{drawing}, table};
  const double full = drawing.font();
  measure(scene, full, width);
  const double least = kLeastBars * full;
  if (scene.used() + least > width) {
    const double smallest = std::min(kSmallestNumber / drawing.options.page_scale, full);
    measure(scene, std::clamp(full * (width - least) / scene.used(), smallest, full), width);
  }
  scene.bar_width = std::max(width - scene.used(), 0.0);
  double x = 0.0;
  for (std::size_t c = 0; c < scene.widths.size(); ++c) {
    if (c == table.bars) {
      scene.bars = x;
      x += scene.bar_width + scene.gap();
    }
    scene.places.push_back(x);
    x += scene.widths[c] + scene.gap();
  }
  for (const BarTableRow& row : table.rows) {
    const double behind = row.behind.value_or(0.0);
    scene.low = std::min({scene.low, row.from, row.to, behind});
    scene.high = std::max({scene.high, row.from, row.to, behind});
  }
  return scene;
}

Rect bar_rect(const TableScene& scene, double middle, double from, double to) {
  const double span = std::max(scene.high - scene.low, 1e-300);
  const auto x = [&](double value) {
    return scene.bars + scene.bar_width * (value - scene.low) / span;
  };
  const double height = kBarHeight * scene.size, begin = x(std::min(from, to));
  return {begin, middle - height / 2.0, std::max(x(std::max(from, to)) - begin, kLeastBar), height};
}

void add_bars(Figure& figure, const TableScene& scene, const BarTableRow& row, double middle) {
  const auto add = [&](double from, double to, Color color) {
    if (std::abs(to - from) > 0.0 && scene.bar_width > 0.0) {
      figure.add(RectItem{.rect = bar_rect(scene, middle, from, to), .fill = color});
    }
  };
  if (row.behind) add(0.0, *row.behind, scene.theme.grid);
  add(row.from, row.to, row.color);
}

void add_heads(Figure& figure, const TableScene& scene) {
  std::vector<std::vector<std::string>> heads;
  std::size_t most = 0;
  for (std::size_t c = 0; c < scene.table.heads.size(); ++c) {
    heads.push_back(wrapped(scene.metrics, scene.table.heads[c], scene.head_font(),
                            scene.widths[c] + 1e-6, kHeadLines));
    most = std::max(most, heads.back().size());
  }
  const double pitch = kHeadPitch * scene.head_font().size;
  for (std::size_t c = 0; c < heads.size(); ++c) {
    const Point at{scene.places[c] + (c == 0 ? 0.0 : scene.widths[c]),
                   pitch * (static_cast<double>(most - heads[c].size()) + 0.8)};
    add_lines(figure, heads[c],
              text_item(at, "", scene.head_font(), scene.theme.muted,
                        c == 0 ? HAlign::Left : HAlign::Right),
              pitch);
  }
  figure.height = pitch * static_cast<double>(most) + 0.25 * scene.size;
}

void add_row(Figure& figure, const TableScene& scene, const BarTableRow& row) {
  const Rect line{0.0, figure.height, figure.width, kRowPitch * scene.size};
  const double middle = line.middle().y;
  figure.add(RectItem{
      .rect = line, .fill = row.strong ? scene.theme.panel : Color{0, 0, 0, 0}, .hit = row.hit});
  add_bars(figure, scene, row, middle);
  const FontStyle font = scene.font_of(row);
  for (std::size_t c = 0; c < row.texts.size(); ++c) {
    const bool is_name = c == 0;
    figure.add(
        text_item({scene.places[c] + (is_name ? 0.0 : scene.widths[c]), middle},
                  is_name ? cut_in_middle(scene.metrics, row.texts[c], font, scene.widths[c] + 1e-6)
                          : row.texts[c],
                  font, scene.theme.ink, is_name ? HAlign::Left : HAlign::Right, VAlign::Middle));
  }
  figure.height += line.height;
}

}  // namespace

Figure draw_bar_table(const Drawing& drawing, const BarTable& table, double width) {
  const TableScene scene = laid_out(drawing, table, width);
  Figure figure{.width = std::min(width, scene.used() + scene.bar_width)};
  add_heads(figure, scene);
  const double top = figure.height;
  for (const BarTableRow& row : table.rows) add_row(figure, scene, row);
  if (scene.bar_width > 0.0 && scene.high > scene.low) {
    const double zero = bar_rect(scene, 0.0, 0.0, 0.0).x;
    figure.add(LineItem{{zero, top}, {zero, figure.height}, scene.theme.muted, 0.6});
  }
  return figure;
}

}  // namespace attn
