// Charts of the softmax over d_k.
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "base/number_text.h"
#include "engine/statistics.h"
#include "plot/charts/charts.h"
#include "plot/kit/chart.h"
#include "plot/kit/names.h"
#include "plot/kit/page.h"
#include "plot/kit/plot.h"

namespace attn {
namespace {

constexpr std::size_t kWidestVectors = 512, kWidestOwn = 1024;
constexpr std::size_t kRowsRead = 4096;  // enough for a mean and a deviation

// Nothing when there are no finite numbers.
std::optional<Moments> moments_of(const AttentionResult& result, Stage stage,
                                  const HeadAddress& head) {
  if (!result.has(stage)) return std::nullopt;
  const StageShape shape = result.stage_shape(stage, head);
  const std::size_t rows = std::min(shape.rows, kRowsRead);
  std::vector<float> values(rows * shape.cols);
  result.read(stage, head, {0, 0, rows, shape.cols}, values.data());
  Moments moments;
  for (const float value : values) moments.add(static_cast<double>(value));
  const bool is_known = !values.empty() && std::isfinite(moments.mean());
  return is_known ? std::optional(moments) : std::nullopt;
}

// Quantity of one chart and the scale of its axis.
struct Quantity {
  const char* title;
  double Sharpness::*value;
  double base;  // of the y axis; 0: linear
};

constexpr std::array<Quantity, 4> kQuantities{{
    {"Variance of the scores", &Sharpness::variance, 10.0},
    {"Largest weight, mean", &Sharpness::largest, 0.0},
    {"Entropy of the weights, nats", &Sharpness::entropy, 0.0},
    {"Size of the softmax gradient", &Sharpness::gradient, 0.0},
}};

ChartAxis y_axis(const Quantity& quantity, const std::vector<ChartSeries>& series) {
  double low = 1e300;
  double high = 0.0;
  for (const ChartSeries& one : series) {
    for (const Point& p : one.points) {
      if (quantity.base == 0.0 || p.y > 0.0) low = std::min(low, p.y);
      high = std::max(high, p.y);
    }
  }
  if (quantity.base == 0.0) return {0.0, high > 0.0 ? 1.08 * high : 1.0, 0.0, ""};
  if (!(high > 0.0)) return {0.1, 10.0, quantity.base, ""};
  const double first = std::pow(10.0, std::floor(std::log10(low)));
  return {first, std::max(1.2 * high, 10.0 * first), quantity.base, ""};
}

std::vector<ChartSeries> series_of(const std::vector<SharpnessPoint>& points,
                                   const Quantity& quantity, const FigureTheme& theme) {
  ChartSeries unscaled{"softmax(q·k)", theme.key, {}, {4.0, 2.5}, true};
  ChartSeries scaled{"softmax(q·k / √d_k)", theme.query, {}, {}, true};
  for (const SharpnessPoint& point : points) {
    const auto x = static_cast<double>(point.d_k);
    unscaled.points.push_back({x, point.unscaled.*quantity.value});
    scaled.points.push_back({x, point.scaled.*quantity.value});
  }
  return {unscaled, scaled};
}

std::string origin_words(const SharpnessNumbers& in) {
  const SharpnessSetup& s = in.setup;
  const auto number = [](double value) { return short_text(value, 3); };
  std::string text = in.measured
                         ? "Queries and keys are drawn with the mean ± deviation of this head: q " +
                               number(s.q_mean) + " ± " + number(s.q_deviation) + ", k " +
                               number(s.k_mean) + " ± " + number(s.k_deviation)
                         : "Queries and keys are drawn as standard normal numbers";
  const bool all_keys = in.keys <= s.keys;
  return text + "; each query chooses among " + counted(s.keys, "key", "keys") +
         (all_keys ? "" : ", at most so many of the document's " + grouped_text(in.keys)) +
         ". The gradient is the mean Frobenius norm of diag(p) − ppᵀ over the rows p of weights: "
         "near 0, learning stops.";
}

std::string own_words(const std::vector<SharpnessPoint>& points, std::size_t d_k) {
  const auto own = std::ranges::find(points, d_k, &SharpnessPoint::d_k);
  if (own == points.end()) return "";
  const auto pair = [&](double Sharpness::*value) {
    return short_text(own->unscaled.*value, 3) + " → " + short_text(own->scaled.*value, 3);
  };
  return "At d_k = " + std::to_string(d_k) +
         ", dividing by √d_k changes the variance of the scores " + pair(&Sharpness::variance) +
         ", the largest weight " + pair(&Sharpness::largest) + ", the entropy " +
         pair(&Sharpness::entropy) + " and the gradient " + pair(&Sharpness::gradient) + ".";
}

}  // namespace

SharpnessNumbers sharpness_numbers(const PlotInput& input, const HeadAddress& head) {
  SharpnessNumbers out;
  const AttentionShape shape = input.result.shape(head);
  out.setup.seed = input.document.seed;
  out.setup.keys = std::clamp<std::size_t>(shape.n_k, 1, kMostSharpnessKeys);
  const Scoring& scoring = input.result.problem().scoring;
  const bool is_product = scoring_info(scoring.function).matrices.empty();
  out.d_k = is_product ? shape.d_k : 0;  // other functions do not divide by √d_k
  out.keys = shape.n_k;
  const auto q = moments_of(input.result, Stage::Query, head);
  const auto k = moments_of(input.result, Stage::Key, head);
  out.measured = q && k;
  if (out.measured) {
    out.setup.q_mean = q->mean();
    out.setup.q_deviation = q->deviation();
    out.setup.k_mean = k->mean();
    out.setup.k_deviation = k->deviation();
  }
  out.points = sharpness_by_width(out.setup, sharpness_widths(out.d_k));
  return out;
}

std::vector<std::size_t> sharpness_widths(std::size_t d_k) {
  std::vector<std::size_t> widths;
  for (std::size_t width = 1; width <= kWidestVectors; width *= 2) widths.push_back(width);
  if (d_k == 0 || d_k > kWidestOwn) return widths;
  const auto place = std::ranges::lower_bound(widths, d_k);
  if (place == widths.end() || *place != d_k) widths.insert(place, d_k);
  return widths;
}

std::vector<Need> sharpness_needs(const FittedView& view) {
  constexpr std::uint64_t kNanoseconds = 4'000'000;  // independent of the document
  const HeadAddress& head = view.options.at;
  const auto make = [head](const Sources& from, const Pass& /*pass*/) {
    return std::make_shared<SharpnessNumbers>(
        sharpness_numbers({from.document, *from.result}, head));
  };
  return needs_of<SharpnessNumbers>("sharpness of " + text_of(MatrixId{Stage::Query, head}),
                                    {{"", "Sharpness of the softmax", kNanoseconds}}, make);
}

Result<Figure> sharpness_plot(const Drawing& drawing) {
  const auto numbers = found<SharpnessNumbers>(drawing, sharpness_needs(drawing));
  if (!numbers) return numbers.error();
  const SharpnessNumbers& in = **numbers;
  Page page(drawing);
  const double font = drawing.font();
  page.add_heading("Why scores are divided by √d_k: random vectors, not this document's numbers");
  const double gap = 1.6 * font;
  const std::size_t columns = columns_in(page.width() + gap, 16.0 * font + gap, 2);
  const double width =
      (page.width() - gap * static_cast<double>(columns - 1)) / static_cast<double>(columns);
  std::vector<Figure> charts;
  for (const Quantity& quantity : kQuantities) {
    Chart chart{.title = quantity.title,
                .x = with_ends({1.0, static_cast<double>(in.points.back().d_k), 2.0, "Width d_k"},
                               drawing.options),
                .series = series_of(in.points, quantity, drawing.theme)};
    chart.y = y_axis(quantity, chart.series);
    chart.mark = static_cast<double>(in.d_k);
    if (in.d_k > 0) chart.mark_text = "d_k = " + std::to_string(in.d_k);
    if (charts.empty()) page.add_part(chart_key(drawing, chart.series, page.width()));
    charts.push_back(draw_chart(drawing, chart, width, 16.0 * font));
  }
  page.add_space(0.4 * font);
  page.add_grid(charts, columns, gap);
  page.add_words(origin_words(in));
  page.add_words(own_words(in.points, in.d_k));
  return page.finished(
      "Charts of variance, largest weight, entropy and gradient of the softmax over the width of "
      "queries and keys, with and without scaling by √d_k");
}

}  // namespace attn
