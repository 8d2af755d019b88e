// Draws the costs of layers as a table and as curves over the length of the sequence.
#include "plot/charts/cost.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "plot/parts/page.h"

namespace attn {
namespace {

constexpr int kPointsPerDecade = 8;

Color color_of(LayerKind kind, const FigureTheme& theme) {
  switch (kind) {
    case LayerKind::SelfAttention:
      return theme.query;
    case LayerKind::RestrictedAttention:
      return theme.output;
    case LayerKind::Recurrence:
      return theme.key;
    case LayerKind::Convolution:
      break;
  }
  return theme.value;
}

std::vector<double> dash_of(LayerKind kind) {
  if (kind == LayerKind::RestrictedAttention) return {4.0, 2.5};
  if (kind == LayerKind::Convolution) return {1.5, 2.0};
  return {};
}

double power_above(double value) { return std::pow(10.0, std::ceil(std::log10(value) - 1e-9)); }

ChartSeries operations_over_n(LayerKind kind, const CostBasis& basis, double last,
                              const FigureTheme& theme) {
  ChartSeries series{
      std::string(layer_info(kind).label), color_of(kind, theme), {}, dash_of(kind), false};
  const double decades = std::log10(last);
  const int points = static_cast<int>(std::ceil(decades * kPointsPerDecade));
  for (int i = 0; i <= points; ++i) {
    LayerSize size = basis.size;
    size.n = std::pow(10.0, decades * i / points);
    series.points.push_back({size.n, layer_cost(kind, size).operations});
  }
  return series;
}

std::vector<TableRow> table_of(const CostBasis& basis) {
  std::vector<TableRow> rows = {{{"Layer", ""},
                                 {"Operations", ""},
                                 {"Sequential steps", ""},
                                 {"Longest path", ""},
                                 {"Numbers kept", ""}}};
  for (const LayerKindInfo& info : all_layer_kinds()) {
    const LayerCost cost = layer_cost(info.kind, basis.size);
    const auto cell = [](double value, std::string_view formula) {
      return TableCell{count_text(value), std::string(formula)};
    };
    rows.push_back({{std::string(info.label), ""},
                    cell(cost.operations, info.operations),
                    cell(cost.steps, info.steps),
                    cell(cost.path, info.path),
                    cell(cost.memory, info.memory)});
  }
  return rows;
}

std::string basis_sentence(const CostBasis& basis) {
  const LayerSize& s = basis.size;
  return "n = " + count_text(s.n) + (s.n == 1 ? " token, d" : " tokens, d") + " = " +
         count_text(s.d) +
         (basis.width_assumed ? " (assumed: finished weights tell no width)" : "") +
         ", h = " + count_text(s.heads) + (s.heads == 1.0 ? " head" : " heads") +
         ", k = " + count_text(s.kernel) + ", r = " + count_text(s.neighbours) +
         (basis.has_window ? " (the window of the mask)" : " (as k)") +
         ". Operations are multiply-adds, projections left out; after Vaswani et al. 2017, table 1";
}

}  // namespace

Chart cost_chart(const CostBasis& basis, const FigureTheme& theme) {
  const LayerSize& s = basis.size;
  Chart chart;
  const double last = power_above(4.0 * std::max(s.n, crossing_with(LayerKind::Convolution, s)));
  chart.title = "Operations over sequence length";
  for (const LayerKindInfo& info : all_layer_kinds()) {
    chart.series.push_back(operations_over_n(info.kind, basis, last, theme));
  }
  double low = 1e300;
  double high = 0.0;
  for (const ChartSeries& series : chart.series) {
    low = std::min(low, series.points.front().y);
    high = std::max(high, series.points.back().y);
  }
  chart.x = {1.0, last, 10.0, "Sequence length n"};
  chart.y = {std::pow(10.0, std::floor(std::log10(low) + 1e-9)), high, 10.0, ""};
  for (const LayerKind other : {LayerKind::Recurrence, LayerKind::Convolution}) {
    LayerSize at = s;
    at.n = crossing_with(other, s);
    chart.crossings.push_back({at.n, layer_cost(other, at).operations});
  }
  chart.mark = s.n;
  chart.mark_text = "n = " + count_text(s.n);
  return chart;
}

std::string crossing_sentence(const CostBasis& basis) {
  const LayerSize& s = basis.size;
  return "Self-attention takes more operations than recurrence when n > d = " +
         count_text(crossing_with(LayerKind::Recurrence, s)) +
         ", and more than convolution when n > k · d = " +
         count_text(crossing_with(LayerKind::Convolution, s)) + ".";
}

std::string head_sentence(const AttentionShape& shape) {
  const std::size_t width = shape.heads * shape.d_k;
  if (width == 0) return "";
  const double d_model = static_cast<double>(shape.d_model > 0 ? shape.d_model : width);
  const auto heads = static_cast<double>(shape.heads);
  const HeadParameters p = head_parameters(d_model, heads, static_cast<double>(shape.d_k));
  return "Multi-head attention with " + count_text(heads) + (heads == 1.0 ? " head" : " heads") +
         " of width " + count_text(static_cast<double>(shape.d_k)) + " over " +
         count_text(d_model) + " columns has " + count_text(p.many) +
         " parameters in W_Q, W_K, W_V and W_O, as many as one head of width " +
         count_text(static_cast<double>(width)) + "; one head of width " +
         count_text(static_cast<double>(shape.d_k)) + " has " + count_text(p.one) + ".";
}

Figure cost_plot(const PlotInput& input, const PlotOptions& options, const TextMetrics& metrics) {
  const CostBasis basis = cost_basis(input.result.problem(), options.kernel);
  Page page(input, options, metrics);
  const double font = options.font_size;
  page.add_heading("Cost of one layer, beside other kinds of layers");
  page.add_part(draw_table(table_of(basis), options, metrics, page.width()));
  page.add_words(basis_sentence(basis));
  page.add_space(0.8 * font);
  const Chart chart = cost_chart(basis, page.theme());
  page.add_part(draw_chart(chart, options, metrics, page.width(), 24.0 * font));
  page.add_part(chart_key(chart.series, options, metrics, page.width()));
  page.add_words(crossing_sentence(basis));
  page.add_words(head_sentence(input.result.shape()));
  return page.finished(
      "Table and chart of what self-attention costs beside recurrence and "
      "convolution");
}

}  // namespace attn
