// Draws the extents of tensors as bars in groups, above the flow of shapes.
#include "plot/charts/dimensions.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "document/edit.h"
#include "plot/charts/flow.h"
#include "plot/colors/color_bar.h"
#include "plot/parts/items.h"
#include "plot/parts/page.h"
#include "plot/parts/tokens.h"

namespace attn {
namespace {

// --- bars ------------------------------------------------------------------------------------

struct Bar {
  std::size_t value = 0;
  Color color;
  bool feature = false;  // drawn lighter: a feature dimension, not a length
};

struct BarGroup {
  std::string title;
  TensorHit tensor;
  Color color;
  std::vector<Bar> bars;
};

BarGroup role_group(const char* title, Stage stage, std::size_t length, std::size_t features,
                    const FigureTheme& theme) {
  const Color color = stage_color(theme, stage);
  return {title, StageHit{stage}, color, {{length, color, false}, {features, color, true}}};
}

std::vector<BarGroup> groups_of(const PlotInput& input, const FigureTheme& theme) {
  const AttentionResult& result = input.result;
  const AttentionShape& s = result.shape();
  std::vector<BarGroup> groups;
  for (const EmbeddingsUsed& used : embeddings_of(input)) {
    const Color color = input.document.cross ? role_color(theme, used.role) : theme.ink;
    const Shape& shape = used.x->shape();
    groups.push_back({used.title,
                      used.tensor,
                      color,
                      {{shape.rbegin()[1], color, false}, {shape.back(), color, true}}});
  }
  if (result.has(Stage::Query)) {
    groups.push_back(role_group("Q", Stage::Query, s.n_q, query_columns(s), theme));
    groups.push_back(role_group("K", Stage::Key, s.n_k, s.d_k, theme));
    groups.push_back(role_group("V", Stage::Value, s.n_k, s.d_v, theme));
  }
  if (result.has(Stage::Output)) {
    groups.push_back(role_group("Output", Stage::Output, s.n_q, s.d_v, theme));
  }
  if (result.has(Stage::Projected)) {
    groups.push_back(role_group("Projected", Stage::Projected, s.n_q, s.d_out, theme));
  }
  if (groups.empty()) {
    groups.push_back(
        {"Queries", StageHit{Stage::Weights}, theme.query, {{s.n_q, theme.query, false}}});
    groups.push_back({"Keys", StageHit{Stage::Weights}, theme.key, {{s.n_k, theme.key, false}}});
  }
  return groups;
}

// The room of the bar chart, units.
struct BarChart {
  const PlotOptions& options;
  const FigureTheme& theme;
  const TextMetrics& metrics;
  double font;
  Rect area;
  double top_value;
  FontStyle title_font{};  // of all groups

  double y_of(double value) const { return area.y + area.height * (1.0 - value / top_value); }
};

void add_grid(Figure& figure, const BarChart& chart) {
  for (const double tick : nice_ticks(0.0, chart.top_value, 4)) {
    if (tick != std::floor(tick)) continue;
    const double y = chart.y_of(tick);
    figure.items.push_back(LineItem{{chart.area.x, y},
                                    {chart.area.x + chart.area.width, y},
                                    chart.theme.grid,
                                    tick == 0.0 ? 1.0 : 0.6,
                                    {}});
    figure.items.push_back(text_item(
        {chart.area.x - 0.5 * chart.font, y}, std::to_string(static_cast<long long>(tick)),
        {chart.font, false, false}, chart.theme.muted, HAlign::Right, VAlign::Middle));
  }
}

void add_bar(Figure& figure, const BarChart& chart, const Bar& bar, const HitId& hit, double x,
             double width, bool highlighted) {
  const double base = chart.y_of(0.0);
  const double top = std::min(chart.y_of(static_cast<double>(bar.value)), base - 1.0);
  RectItem item;
  item.rect = {x, top, width, base - top};
  item.fill = bar.feature ? with_alpha(bar.color, 110) : bar.color;
  item.stroke = highlighted ? chart.theme.accent : bar.color;
  item.stroke_width = highlighted ? 2.0 : 0.8;
  item.hit = hit;
  figure.items.push_back(item);
  TextItem value = text_item({x + width / 2.0, top - 0.35 * chart.font}, std::to_string(bar.value),
                             {chart.font, true, false}, chart.theme.ink, HAlign::Center);
  const double wide = chart.metrics.measure(value.text, value.font).width;
  value.font.size *= std::min(1.0, 1.15 * width / std::max(wide, 1e-9));
  value.hit = hit;
  figure.items.push_back(value);
}

void add_group(Figure& figure, const BarChart& chart, const BarGroup& group, double x,
               double width) {
  const bool highlighted = chart.options.highlight == group.tensor;
  const HitId hit = hit_of(group.tensor);
  const double bar_width = std::min(width * 0.36, 4.5 * chart.font);
  const double used = bar_width * static_cast<double>(group.bars.size());
  double at = x + (width - used) / 2.0;
  for (const Bar& bar : group.bars) {
    add_bar(figure, chart, bar, hit, at + 0.06 * bar_width, 0.88 * bar_width, highlighted);
    at += bar_width;
  }
  TextItem title = text_item({x + width / 2.0, chart.y_of(0.0) + 1.5 * chart.font}, group.title,
                             chart.title_font, group.color, HAlign::Center);
  title.hit = hit;
  figure.items.push_back(title);
}

// As large as fits under every group, so that all titles look alike.
FontStyle group_font(const BarChart& chart, const std::vector<BarGroup>& groups, double width) {
  const FontStyle full{1.05 * chart.font, true, false};
  FontStyle font = full;
  for (const BarGroup& group : groups) {
    const double wide = std::max(chart.metrics.measure(group.title, full).width, 1e-9);
    font.size = std::min(font.size, full.size * 0.95 * width / wide);
  }
  return font;
}

// Two swatches that say which bar is which.
void add_key(Figure& figure, const BarChart& chart, bool features, double y) {
  const FontStyle font{chart.font, false, false};
  double x = chart.area.x;
  const auto add = [&](const char* words, std::uint8_t alpha) {
    RectItem swatch;
    swatch.rect = {x, y - 0.7 * chart.font, 1.2 * chart.font, 0.8 * chart.font};
    swatch.fill = with_alpha(chart.theme.muted, alpha);
    swatch.stroke = chart.theme.muted;
    swatch.stroke_width = 0.8;
    figure.items.push_back(swatch);
    x += 1.7 * chart.font;
    const double room = chart.area.x + chart.area.width - x;
    figure.items.push_back(
        text_item({x, y}, fitted(chart.metrics, words, font, room), font, chart.theme.muted));
    x += chart.metrics.measure(words, font).width + 1.8 * chart.font;
  };
  add("sequence length", 255);
  if (features) add("feature dimension", 110);
}

Figure blank(const PlotInput& input, const PlotOptions& options) {
  Figure figure;
  figure.width = options.width;
  figure.background = figure_theme(options.theme).background;
  figure.title = input.document.title;
  return figure;
}

struct PlotPart {
  const char* heading;
  Figure (*draw)(const PlotInput&, const PlotOptions&, const TextMetrics&);
};

}  // namespace

Figure dimension_bars(const PlotInput& input, const PlotOptions& options,
                      const TextMetrics& metrics) {
  Figure figure = blank(input, options);
  const FigureTheme& theme = figure_theme(options.theme);
  const std::vector<BarGroup> groups = groups_of(input, theme);
  std::size_t largest = 1;
  bool features = false;
  for (const BarGroup& group : groups) {
    for (const Bar& bar : group.bars) {
      largest = std::max(largest, bar.value);
      features = features || bar.feature;
    }
  }
  const double font = options.font_size;
  const double axis =
      metrics.measure(std::to_string(largest), {0.85 * font, false, false}).width + 1.6 * font;
  const double bars = std::clamp(0.3 * options.width, 9.0 * font, 15.0 * font);
  BarChart chart{options,
                 theme,
                 metrics,
                 font,
                 {axis, 3.9 * font, std::max(options.width - axis - font, font), bars},
                 static_cast<double>(largest) * 1.02};
  add_key(figure, chart, features, 1.1 * font);
  add_grid(figure, chart);
  const double width = std::min(chart.area.width / static_cast<double>(groups.size()), 14.0 * font);
  chart.title_font = group_font(chart, groups, width);
  double x = chart.area.x + (chart.area.width - width * static_cast<double>(groups.size())) / 2.0;
  for (const BarGroup& group : groups) {
    add_group(figure, chart, group, x, width);
    x += width;
  }
  figure.height = chart.area.y + chart.area.height + 2.4 * font;
  figure.alt_text = "Bars of the sequence lengths and feature dimensions";
  return figure;
}

Figure dimensions(const PlotInput& input, const PlotOptions& options, const TextMetrics& metrics) {
  Page page(input, options, metrics);
  PlotOptions inner = options;
  inner.width = std::max(page.width(), 4.0 * options.font_size);
  const std::array<PlotPart, 2> parts = {
      {{"Lengths and dimensions", dimension_bars}, {"Shapes, step by step", shape_flow}}};
  const std::string attention = which_attention(input.result.problem());
  for (const auto& [heading, draw] : parts) {
    page.add_heading(attention.empty() ? heading : heading + (": " + attention));
    page.add_part(draw(input, inner, metrics));
  }
  return page.finished("The shape of every tensor, as bars and as a flow of shapes");
}

}  // namespace attn
