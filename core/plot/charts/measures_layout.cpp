// Finds the columns and rows of the table of measures.
#include "plot/charts/measures_layout.h"

#include <algorithm>

#include "plot/charts/measures_colors.h"

namespace attn {
namespace {

// In font sizes.
constexpr double kMeasuresMargin = 0.9;
constexpr double kMeasuresGap = 0.7;  // between names, cells and labels
constexpr double kWidestColumn = 6.0;
constexpr double kNarrowestColumn = 3.0;  // with labels beside it
constexpr double kHeaderFont = 0.82;
constexpr double kSmallestHeader = 0.66;
constexpr double kValueFont = 0.9;
constexpr double kWordFont = 0.82;
constexpr double kCell = 1.75;
constexpr double kRow = 1.9;
constexpr double kMeasuresLine = 1.25;  // of the header's own size

double width_of(const TextMetrics& metrics, std::string_view text, const FontStyle& font) {
  return metrics.measure(text, font).width;
}

double widest_name(const std::vector<MeasuredHead>& heads, const TextMetrics& metrics,
                   double font) {
  double widest = 0.0;
  for (const MeasuredHead& head : heads) {
    widest = std::max(widest, width_of(metrics, head.name, {font, false, false}));
  }
  return widest;
}

double widest_words(const std::vector<MeasuredHead>& heads, const MeasuresLayout& layout,
                    const TextMetrics& metrics) {
  double widest = 0.0;
  for (const MeasuredHead& head : heads) {
    double width = 0.0;
    for (const HeadLabelInfo* label : head.labels) {
      width += word_box_width(*label, layout, metrics);
    }
    widest = std::max(widest, width);
  }
  return widest;
}

double widest_heading(const MeasuresLayout& layout, const TextMetrics& metrics) {
  double widest = 0.0;
  for (const MeasureInfo& measure : all_measures()) {
    for (const std::string_view line : measure.heading) {
      widest = std::max(widest, width_of(metrics, line, layout.header));
    }
  }
  return widest;
}

void set_header(MeasuresLayout& layout, const TextMetrics& metrics) {
  const double full = layout.header.size;
  const double widest = widest_heading(layout, metrics);
  layout.header.size = std::min(full, full * 0.94 * layout.column / widest);
  layout.upright_header = layout.header.size < kSmallestHeader * layout.font;
  if (layout.upright_header) layout.header.size = std::min(full, 0.4 * layout.column);
  layout.header_line = kMeasuresLine * layout.header.size;
  const double height =
      layout.upright_header ? widest * layout.header.size / full : 2.0 * layout.header_line;
  layout.header_height = height + 0.45 * layout.font;
}

// Room for the labels at the right, or a line under each head when columns would get too narrow.
void set_columns(const std::vector<MeasuredHead>& heads, MeasuresLayout& layout,
                 const TextMetrics& metrics) {
  const auto count = static_cast<double>(all_measures().size());
  const double gap = kMeasuresGap * layout.font;
  const double words = widest_words(heads, layout, metrics);
  const double room = layout.right - layout.first_column;
  const double beside = (room - (words > 0.0 ? words + gap : 0.0)) / count;
  layout.words_below = beside < kNarrowestColumn * layout.font && words > 0.0;
  layout.column = std::clamp(layout.words_below ? room / count : beside, 0.1 * layout.font,
                             kWidestColumn * layout.font);
  layout.words =
      layout.words_below ? layout.first_column : layout.first_column + count * layout.column + gap;
}

}  // namespace

double word_box_width(const HeadLabelInfo& label, const MeasuresLayout& layout,
                      const TextMetrics& metrics) {
  return width_of(metrics, label.label, layout.word) + 1.3 * layout.font;
}

MeasuresLayout lay_out_measures(const std::vector<MeasuredHead>& heads, const PlotOptions& options,
                                const TextMetrics& metrics) {
  MeasuresLayout layout;
  const double font = options.font_size;
  layout.font = font;
  layout.header = {kHeaderFont * font, false, false};
  layout.word = {kWordFont * font, false, false};
  layout.left = kMeasuresMargin * font;
  layout.page_right = std::max(options.width - kMeasuresMargin * font, layout.left + font);
  layout.right = std::max(layout.page_right - tint_bar_room(options, metrics), layout.left + font);
  layout.first_column = layout.left + widest_name(heads, metrics, font) + kMeasuresGap * font;
  set_columns(heads, layout, metrics);
  set_header(layout, metrics);
  const FontStyle probe{font, false, false};
  const std::string digits = "0." + std::string(static_cast<std::size_t>(options.decimals), '0');
  const double fitting = 0.9 * layout.column / std::max(width_of(metrics, digits, probe), 1e-9);
  layout.value = {std::min(kValueFont, fitting) * font, false, false};
  layout.cell_height = kCell * font;
  layout.row_height = kRow * font;
  return layout;
}

}  // namespace attn
