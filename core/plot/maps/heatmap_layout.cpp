// Positions and font sizes of the parts of a heatmap.
#include <algorithm>
#include <cmath>

#include "plot/maps/heatmap.h"

namespace attn {
namespace {

// These in font sizes.
constexpr double kMargin = 0.9;
constexpr double kTitleGap = 0.5;
constexpr double kAxisTitle = 1.5;
constexpr double kBarGap = 1.3;
constexpr double kBarWidth = 1.1;
constexpr double kShortestBar = 9.0;
constexpr double kUsualBar = 20.0;
constexpr double kSmallestSide = 3.0;
constexpr double kThinSide = 4.0;  // of a matrix with one row or column
constexpr double kLargestCellOnPaper = 12.0;
constexpr double kLargestCellOnScreen = 24.0;
constexpr double kSmallestCell = 1.35;  // for legible labels

constexpr std::size_t kLegendLines = 4;  // per entry

// Lengths of a layout in progress, units.
struct Room {
  double font = 10.0;
  double left = 0.0, right = 0.0, above = 0.0, below = 0.0;
  double max_width = 0.0, max_height = 0.0;  // of the matrix
};

struct MapSides {
  double width = 0.0, height = 0.0;
};

// Width of the title at one side of the matrix; 0 without axes.
double axis_title_room(const PlotOptions& options) {
  return options.axes ? kAxisTitle * options.font_size : 0.0;
}

double head_height(const HeatmapLayout& layout, const PlotOptions& options) {
  const double font = options.font_size;
  double height = kMargin * font;
  height += static_cast<double>(layout.title_lines.size()) * title_line(font);
  height += static_cast<double>(layout.subtitle_lines.size()) * subtitle_line(font);
  if (!layout.title_lines.empty() || !layout.subtitle_lines.empty()) height += kTitleGap * font;
  return height + axis_title_room(options);
}

enum class BarStyle { Titled, WithoutHistogram, Plain, None };

Room horizontal_room(const Drawing& drawing, const HeatmapParts& parts, BarStyle style) {
  const PlotOptions& options = drawing.options;
  Room room;
  room.font = drawing.font();
  ColorBar bar = parts.bar;
  bar.titled = style == BarStyle::Titled || style == BarStyle::WithoutHistogram;
  if (style == BarStyle::WithoutHistogram) bar.seen = nullptr;
  if (bar.rect.height <= 0.0) bar.rect.height = kUsualBar * room.font;
  const double labels = options.axes ? std::min(parts.widest_row, 0.22 * options.width) : 0.0;
  room.left = kMargin * room.font + axis_title_room(options) + labels + parts.mark_width;
  if (options.axes || parts.mark_width > 0.0) room.left += label_gap(room.font);
  room.right = kMargin * room.font;
  if (style != BarStyle::None) {
    room.right += (kBarGap + kBarWidth) * room.font + bar_room(bar, drawing.metrics);
  }
  room.max_width = options.width - room.left - room.right;
  return room;
}

// Whether the histogram takes the width in which every column would have its label.
bool crowds_labels(const HeatmapParts& parts, const Room& with, const Room& without) {
  const double pitch =
      kLabelPitch * tick_size(with.font) * static_cast<double>(parts.columns.count);
  return with.max_width < pitch && without.max_width >= pitch;
}

// Stretches the shorter side of a long matrix until its labels are legible, to at most 60 % of the
// available length.
double stretched(double side, std::size_t cells, std::size_t others, double font, double most) {
  const auto n = static_cast<double>(cells);
  if (n * 1.5 >= static_cast<double>(others)) return side;
  const double legible = std::min({kSmallestCell * font * n, 0.6 * most});
  return std::min(std::max({side, legible, kThinSide * font}), most);
}

// Square cells that fit, except for matrices that are much longer than wide or the reverse.
MapSides matrix_sides(std::size_t rows, std::size_t cols, const Room& room, bool on_screen) {
  const double cap = (on_screen ? kLargestCellOnScreen : kLargestCellOnPaper) * room.font;
  const double cell =
      std::min({cap, room.max_width / static_cast<double>(std::max<std::size_t>(cols, 1)),
                room.max_height / static_cast<double>(std::max<std::size_t>(rows, 1))});
  return {stretched(cell * static_cast<double>(cols), cols, rows, room.font, room.max_width),
          stretched(cell * static_cast<double>(rows), rows, cols, room.font, room.max_height)};
}

// Heights of labels depend on column widths and vice versa: the second pass has more height, so
// columns only get wider and the style still fits.
MapSides settle(const HeatmapParts& parts, const PlotOptions& options, Room& room,
                ColumnStyle& columns) {
  const double font = tick_size(room.font);
  const double top = room.above;
  const double limit =
      0.22 * (options.height > 0.0 ? std::min(options.width, options.height) : options.width);
  double zone = options.axes ? std::min(parts.widest_col, limit) : 0.0;
  MapSides sides;
  for (int pass = 0; pass < 2; ++pass) {
    room.above = top + zone + label_gap(room.font);
    room.max_height = options.height <= 0.0 ? 1.25 * room.max_width
                                            : std::max(options.height - room.above - room.below,
                                                       kSmallestSide * room.font);
    sides = matrix_sides(parts.rows.count, parts.columns.count, room, options.height > 0.0);
    ColumnSpace space{
        .cell = sides.width / static_cast<double>(std::max<std::size_t>(parts.columns.count, 1)),
        .widest = parts.widest_col};
    space.right = std::max(room.right, options.width - room.left - sides.width) -
                  kMargin * room.font + space.cell / 2.0;
    if (sides.width < room.max_width) space.right -= (room.max_width - sides.width) / 2.0;
    space.height_limit = limit;
    space.counted = parts.counted_columns;
    if (options.axes) columns = column_style(space, font);
    zone = columns.height;
  }
  room.above = top + zone + label_gap(room.font);
  return sides;
}

void place_texts(const HeatmapParts& parts, const Room& room, HeatmapLayout& layout) {
  const double font = room.font;
  double y = kMargin * font;
  layout.title = {kMargin * font, y + 1.2 * font};
  y += static_cast<double>(layout.title_lines.size()) * title_line(font);
  layout.subtitle = {kMargin * font, y + 0.95 * font};
  const Rect& clip = layout.clip;
  layout.column_title = {clip.x + clip.width / 2.0,
                         clip.y - layout.columns.height - label_gap(font) - 0.55 * font};
  layout.row_labels =
      room.left - (kMargin + kAxisTitle) * font - label_gap(font) - parts.mark_width;
  const double top = clip.y - layout.columns.height;
  layout.row_title_length = std::max(clip.height, layout.bar.height) + layout.columns.height;
  const double half = std::min(4.5 * font, layout.row_title_length / 2.0);
  const double middle = clip.y + clip.height / 2.0;
  layout.row_title = {clip.x - room.left + (kMargin + 0.55) * font,
                      std::clamp(middle, top + half, top + layout.row_title_length - half)};
}

// Centres the matrix horizontally, below the titles.
void place_matrix(const PlotOptions& options, const Room& room, const MapSides& sides, bool snug,
                  HeatmapLayout& layout) {
  const double spare = std::max(0.0, options.width - room.left - room.right - sides.width);
  layout.clip = {room.left + spare / 2.0, room.above, sides.width, sides.height};
  const double bar_height =
      layout.bar_shown ? std::max(sides.height, kShortestBar * room.font) : sides.height;
  const double tallest = options.height > 0.0 ? room.max_height : bar_height;
  layout.bar = {layout.clip.x + layout.clip.width + kBarGap * room.font, layout.clip.y,
                kBarWidth * room.font, std::max(sides.height, std::min(bar_height, tallest))};
  const double area = std::max(sides.height, layout.bar.height);
  const double content = room.above + area + room.below;
  layout.width = options.width;
  layout.height = options.height > 0.0 && !snug ? options.height : content;
  layout.legend = {kMargin * room.font, layout.clip.y + area + 0.9 * room.font,
                   options.width - 2.0 * kMargin * room.font, 0.0};
}

// Width beside as much of the colour bar as fits and the options ask for.
Room room_beside_bar(const Drawing& drawing, const HeatmapParts& parts, HeatmapLayout& layout) {
  if (!drawing.options.color_bar) {
    layout.bar_shown = false;
    return horizontal_room(drawing, parts, BarStyle::None);
  }
  Room room = horizontal_room(drawing, parts, BarStyle::Titled);
  const Room slim = horizontal_room(drawing, parts, BarStyle::WithoutHistogram);
  if (crowds_labels(parts, room, slim)) {
    layout.histogram_shown = false;
    room = slim;
  }
  if (room.max_width < 14.0 * room.font) {
    layout.bar_titled = false;
    room = horizontal_room(drawing, parts, BarStyle::Plain);
  }
  if (room.max_width < kSmallestSide * room.font) {
    layout.bar_shown = false;
    room = horizontal_room(drawing, parts, BarStyle::None);
  }
  return room;
}

HeatmapLayout lay_out_once(const Drawing& drawing, const HeatmapParts& parts) {
  HeatmapLayout layout;
  layout.font_size = drawing.font();
  Room room = room_beside_bar(drawing, parts, layout);
  room.max_width = std::max(room.max_width, kSmallestSide * room.font);
  const double between = drawing.options.width - 2.0 * kMargin * room.font;
  layout.title_lines = wrapped(drawing.metrics, parts.title, title_font(room.font), between, 2);
  layout.subtitle_lines =
      wrapped(drawing.metrics, parts.subtitle, subtitle_font(room.font), between, 2);
  const double legend = legend_flow(parts.legend, between, room.font, drawing.metrics).height;
  room.above = head_height(layout, drawing.options);
  room.below = kMargin * room.font + (legend > 0.0 ? legend + 0.6 * room.font : 0.0);
  const MapSides sides = settle(parts, drawing.options, room, layout.columns);
  place_matrix(drawing.options, room, sides, parts.snug, layout);
  layout.legend.height = legend;
  place_texts(parts, room, layout);
  return layout;
}

}  // namespace

LegendFlow legend_flow(const std::vector<LegendEntry>& legend, double width, double font_size,
                       const TextMetrics& metrics) {
  LegendFlow flow;
  const FontStyle font = legend_font(font_size);
  Point at;
  for (const LegendEntry& entry : legend) {
    const double swatch =
        entry.look == CellLook::Mapped ? 0.0 : swatch_width(font_size) + 0.5 * font_size;
    const double length = swatch + metrics.measure(entry.text, font).width;
    if (at.x > 0.0 && at.x + length > width) {
      at = {0.0, at.y + legend_line(font_size)};
    }
    std::vector<std::string> lines =
        wrapped(metrics, entry.text, font, width - at.x - swatch, kLegendLines);
    const std::size_t more = lines.empty() ? 0 : lines.size() - 1;
    flow.entries.push_back({at, std::move(lines)});
    // The next entry begins below one of several lines.
    at.x = more > 0 ? width : at.x + length + 1.8 * font_size;
    at.y += static_cast<double>(more) * legend_line(font_size);
  }
  flow.height = legend.empty() ? 0.0 : at.y + legend_line(font_size);
  return flow;
}

// Lays out again when the bar is lower than usual, as its basis then takes two lines.
HeatmapLayout lay_out(const Drawing& drawing, const HeatmapParts& parts) {
  const HeatmapLayout layout = lay_out_once(drawing, parts);
  HeatmapParts lower = parts;
  lower.bar.rect.height = layout.bar.height;
  return layout.bar.height < kUsualBar * drawing.font() ? lay_out_once(drawing, lower) : layout;
}

}  // namespace attn
