// Costs of layers as a table and as curves over the length of the sequence.
#include <algorithm>
#include <array>
#include <cmath>

#include "base/joined.h"
#include "base/number_text.h"
#include "plot/charts/charts.h"
#include "plot/kit/page.h"

namespace attn {
namespace {

constexpr int kPointsPerDecade = 8;

// Looks of the kinds of layer, in the order of their list.
struct Look {
  Color FigureTheme::*color;
  std::vector<double> dash;
};
const std::array<Look, 4> kLooks{{{&FigureTheme::query, {}},
                                  {&FigureTheme::output, {4.0, 2.5}},
                                  {&FigureTheme::key, {8.0, 2.0, 1.5, 2.0}},
                                  {&FigureTheme::value, {1.5, 2.0}}}};

// Returns the kinds of layer that self-attention overtakes in cost.
std::vector<LayerKindInfo> crossing_kinds() {
  std::vector<LayerKindInfo> kinds;
  for (const LayerKindInfo& kind : all_layer_kinds()) {
    if (kind.crossing != nullptr) kinds.push_back(kind);
  }
  return kinds;
}

ChartSeries operations_over_n(const LayerKindInfo& kind, const Look& look, LayerSize size,
                              double last, const FigureTheme& theme) {
  ChartSeries series{std::string(kind.label), theme.*look.color, {}, look.dash};
  const double decades = std::log10(last);
  const int points = static_cast<int>(std::ceil(decades * kPointsPerDecade));
  for (int i = 0; i <= points; ++i) {
    size.n = std::pow(10.0, decades * i / points);
    series.points.push_back({size.n, kind.cost(size).operations});
  }
  return series;
}

std::vector<TableRow> table_of(const LayerSize& basis) {
  std::vector<TableRow> rows = {{{"Layer", ""},
                                 {"Operations", ""},
                                 {"Sequential steps", ""},
                                 {"Longest path", ""},
                                 {"Numbers kept", ""}}};
  for (const LayerKindInfo& info : all_layer_kinds()) {
    const LayerCost cost = info.cost(basis);
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

std::string basis_sentence(const LayerSize& s) {
  return "n = " + count_text(s.n) + (s.n == 1 ? " token, d" : " tokens, d") + " = " +
         count_text(s.d) + ", h = " + count_text(s.heads) + (s.heads == 1.0 ? " head" : " heads") +
         ", k = " + count_text(s.kernel) + ", r = " + count_text(s.neighbours) +
         (s.has_window ? " (the window of the mask)" : " (as k)") +
         ". Operations are multiply-adds, of attention those of q·k and of weights·v; projections "
         "of inputs are left out. Orders of growth as in Vaswani et al. 2017, table 1.";
}

}  // namespace

Chart cost_chart(const LayerSize& s, const FigureTheme& theme) {
  Chart chart;
  double widest = s.n;
  for (const LayerKindInfo& other : crossing_kinds()) widest = std::max(widest, other.crossing(s));
  const double last = std::pow(10.0, std::ceil(std::log10(4.0 * widest) - 1e-9));
  for (const LayerKindInfo& kind : all_layer_kinds()) {
    const Look& look = kLooks[chart.series.size() % kLooks.size()];
    chart.series.push_back(operations_over_n(kind, look, s, last, theme));
  }
  const ChartValues values = values_of(chart.series);
  chart.x = {1.0, last, 10.0, "Sequence length n (tokens)"};
  chart.y = {std::pow(10.0, std::floor(std::log10(values.least) + 1e-9)), values.high, 10.0,
             "Operations"};
  for (const LayerKindInfo& other : crossing_kinds()) {
    LayerSize at = s;
    at.n = other.crossing(s);
    chart.crossings.push_back({at.n, other.cost(at).operations});
  }
  chart.mark = s.n;
  chart.mark_text = "n = " + count_text(s.n);
  return chart;
}

std::string crossing_sentence(const LayerSize& basis) {
  const auto crossing = [&](const LayerKindInfo& other) {
    const double n = other.crossing(basis);  // may lie at half a token
    return std::string(other.name) + " when n > " + std::string(other.crossing_formula) + " = " +
           (n == std::floor(n) ? count_text(n) : short_text(n));
  };
  return std::string(all_layer_kinds().front().label) + " takes more operations than " +
         joined(crossing_kinds(), ", and more than ", crossing) + ".";
}

std::string head_sentence(const AttentionShape& shape) {
  const std::size_t width = shape.heads * shape.d_k;
  if (width == 0) return "";
  const double d_model = static_cast<double>(shape.d_model > 0 ? shape.d_model : width);
  const auto heads = static_cast<double>(shape.heads);
  const double one = 4.0 * d_model * static_cast<double>(shape.d_k);  // W_Q, W_K, W_V and W_O
  return "Multi-head attention with " + count_text(heads) + (heads == 1.0 ? " head" : " heads") +
         " of width " + count_text(static_cast<double>(shape.d_k)) + " over " +
         count_text(d_model) + " columns has " + count_text(heads * one) +
         " parameters in W_Q, W_K, W_V and W_O, as many as one head of width " +
         count_text(static_cast<double>(width)) + "; one head of width " +
         count_text(static_cast<double>(shape.d_k)) + " has " + count_text(one) + ".";
}

std::string nothing_to_count(const AttentionProblem& problem, const HeadAddress& at) {
  if (cost_basis(problem, kLeastKernel, at)) return "";
  return "There is no cost to show: these weights were computed elsewhere, without a width of "
         "queries and keys";
}

Result<Figure> cost_plot(const Drawing& drawing) {
  const AttentionProblem& problem = drawing.result.problem();
  const PlotOptions& options = drawing.options;
  const LayerSize basis = *cost_basis(problem, options.kernel, options.at);
  Page page(drawing);
  const double font = drawing.font();
  page.add_heading("Cost of one layer, beside other kinds of layers");
  page.add_part(draw_table(drawing, table_of(basis), page.width()));
  page.add_note(basis_sentence(basis));
  page.add_space(0.8 * font);
  Chart chart = cost_chart(basis, drawing.theme);
  chart.x = with_ends(chart.x, options);
  page.add_part(draw_chart(drawing, chart, page.width(), usual_chart_height(page.width(), font)));
  page.add_part(chart_key(drawing, chart.series, page.width()));
  page.add_note(crossing_sentence(basis));
  if (info_of(drawing.document.model).projects) {
    page.add_note(head_sentence(drawing.result.shape()));
  }
  return page.finished("Table and chart of what self-attention costs beside " +
                       joined(crossing_kinds(), " and ", &LayerKindInfo::name));
}

}  // namespace attn
