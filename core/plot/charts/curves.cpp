// Charts of one head: the distribution of its numbers, the mean weight by distance, and the softmax
// over d_k.
#include <algorithm>
#include <array>
#include <cmath>

#include "base/number_text.h"
#include "base/tensor.h"
#include "engine/measures.h"
#include "engine/statistics.h"
#include "engine/terms.h"
#include "figure/text.h"
#include "plot/charts/charts.h"
#include "plot/kit/names.h"
#include "plot/kit/page.h"

namespace attn {
namespace {

std::string address_of(const FittedView& view, bool with_head) {
  return which_attention(view.result.problem(), view.options.at, ", ") +
         address_words(view.result.shape(), view.options.at, with_head);
}

// The chart in the height that is left above the words, and the words.
void add_chart(Page& page, Chart chart, const std::string& words) {
  const Drawing& drawing = page.drawing();
  chart.x.title = own_title(drawing.options.x_title, chart.x.title);
  chart.y.title = own_title(drawing.options.y_title, chart.y.title);
  const double room = page.room(std::span(&words, 1));
  const double height = room > 0.0 ? room : usual_chart_height(page.width(), drawing.font());
  page.add_part(draw_chart(drawing, chart, page.width(), height));
  page.add_note(words);
}

// --- distribution -----------------------------------------------------------------------------

constexpr double kLeastOnLogarithm = 0.5;  // cells, so that a single cell is visible

MatrixId distributed(const PlotOptions& options) { return {options.stage, options.at}; }

std::string end_words(const std::optional<double>& end) {
  return end ? shortest_text(static_cast<float>(*end)) : "its own";
}

ChartAxis count_axis(const Distribution& numbers, bool log) {
  const auto most =
      static_cast<double>(std::max<std::uint64_t>(*std::ranges::max_element(numbers.cells), 1));
  if (log) return {kLeastOnLogarithm, std::max(1.3 * most, 10.0), 10.0, "Number of cells"};
  return {0.0, 1.08 * most, 0.0, "Number of cells", true};
}

std::vector<ChartBar> bars_of(const Distribution& numbers, Color color) {
  const double width = (numbers.high - numbers.low) / static_cast<double>(numbers.cells.size());
  std::vector<ChartBar> bars;
  for (std::size_t bin = 0; bin < numbers.cells.size(); ++bin) {
    const double from = numbers.low + width * static_cast<double>(bin);
    bars.push_back({from, from + width, static_cast<double>(numbers.cells[bin]), color});
  }
  return bars;
}

Chart distribution_chart(const Distribution& numbers, const PlotOptions& options,
                         const FigureTheme& theme) {
  Chart chart{.x = {numbers.low, numbers.high, 0.0, value_name(options.stage)},
              .y = count_axis(numbers, options.axis_log),
              .bars = bars_of(numbers, theme.query)};
  if (numbers.finite() == 0) return chart;
  chart.mark = numbers.mean;
  chart.mark_text = "mean " + with_minus(short_text(numbers.mean, 3));
  return chart;
}

// ", 3 below the axis" for 3; "" for none.
std::string more_words(std::uint64_t cells, const std::string& what) {
  return cells == 0 ? "" : ", " + grouped_text(cells) + " " + what;
}

std::string cells_words(const FittedView& view, const Distribution& numbers) {
  const std::size_t rows =
      extents_of(view.result.shape(view.options.at), distributed(view.options)).rows;
  std::string words =
      counted(numbers.finite(), "cell") + " in " + counted(numbers.cells.size(), "bin") +
      more_words(numbers.below, "below the axis") + more_words(numbers.above, "above the axis") +
      more_words(numbers.hidden, "hidden and not counted") +
      more_words(numbers.concealed, "concealed until the guess") +
      more_words(numbers.non_finite, "not finite and not counted");
  const std::string some = rows_measured_words(numbers.rows_read, rows, view.options, "rows");
  if (!some.empty()) words += "; of " + some;
  if (numbers.finite() == 0) return words + ".";
  return words + ". Mean " + with_minus(short_text(numbers.mean)) + ", deviation " +
         with_minus(short_text(numbers.deviation)) + ".";
}

constexpr std::int64_t kMostPoints = 1000;  // of the curve; more distances share points
constexpr double kLeastOfLargest = 1e-8;    // lower end of a logarithmic axis

// Returns an axis of the distances that have visible cells.
ChartAxis all_distances(const DistanceProfile& profile) {
  std::optional<double> first;
  double last = 0.0;
  for (std::size_t i = 0; i < profile.cells.size(); ++i) {
    if (profile.cells[i] == 0) continue;
    last = static_cast<double>(profile.distance_at(i));
    if (!first) first = last;
  }
  return {first.value_or(0.0), last, 0.0, "Position of the query − position of the key (tokens)",
          true};
}

ChartAxis distance_axis(const DistanceProfile& profile, const PlotOptions& options) {
  ChartAxis axis = all_distances(profile);
  if (axis.low == axis.high) {
    axis.low -= 0.5;
    axis.high += 0.5;
  }
  return with_ends(axis, options);
}

// Returns the number of distances per point, for the visible part of the axis.
std::int64_t distances_per_point(const ChartAxis& axis, const DistanceProfile& profile) {
  const ChartAxis all = all_distances(profile);
  const double low = std::max(axis.low, all.low), high = std::min(axis.high, all.high);
  const auto distances = static_cast<std::int64_t>(std::max(high - low, 0.0) + 1.0);
  return std::max<std::int64_t>((distances + kMostPoints - 1) / kMostPoints, 1);
}

std::int64_t rounded_down(std::int64_t distance, std::int64_t step) {
  const std::int64_t rest = ((distance % step) + step) % step;
  return distance - rest;
}

// Returns the means of `sums` over the cells of each group of distances, at its middle.
std::vector<Point> points_of(const DistanceProfile& profile, const std::vector<double>& sums,
                             std::int64_t per_point) {
  std::vector<Point> points;
  const std::size_t count = profile.cells.size();
  for (std::size_t i = 0; i < count;) {
    const std::int64_t group = rounded_down(profile.distance_at(i), per_point);
    double sum = 0.0;
    std::uint64_t cells = 0;
    for (; i < count && rounded_down(profile.distance_at(i), per_point) == group; ++i) {
      sum += sums[i];
      cells += profile.cells[i];
    }
    if (cells == 0) continue;
    points.push_back({static_cast<double>(group) + static_cast<double>(per_point - 1) / 2.0,
                      sum / static_cast<double>(cells)});
  }
  return points;
}

ChartAxis weight_axis(const std::vector<ChartSeries>& series, bool log) {
  const ChartValues values = values_of(series);
  const double most = values.high > 0.0 ? values.high : 1.0;
  const char* title = "Mean weight of the visible cells";
  if (!log) return {1.08 * values.low, 1.08 * most, 0.0, title};
  const double least = std::clamp(values.least, kLeastOfLargest * most, most);
  return {std::pow(10.0, std::floor(std::log10(least))), 1.3 * most, 10.0, title};
}

Chart distances_chart(const DistanceProfile& profile, const PlotOptions& options,
                      const FigureTheme& theme) {
  Chart chart{.x = distance_axis(profile, options)};
  const std::int64_t per_point = distances_per_point(chart.x, profile);
  const bool dots = chart.x.high - chart.x.low <= 64.0;
  chart.series = {
      {"Equal weights over the visible keys",
       theme.muted,
       points_of(profile, profile.equal, per_point),
       {4.0, 2.5}},
      {"This head", theme.query, points_of(profile, profile.weight, per_point), {}, dots}};
  chart.y = weight_axis(chart.series, options.axis_log);
  return chart;
}

std::string rows_words(const DistanceProfile& profile, std::int64_t per_point,
                       const PlotOptions& options) {
  std::string words =
      "At 0 a token attends to itself; to the right, to earlier tokens; to the left, to later "
      "ones.";
  if (per_point > 1) {
    words += " Each point is the mean of " + std::to_string(per_point) + " distances.";
  }
  if (profile.rows_left_out > 0) {
    words += " " + counted(profile.rows_left_out, "query", "queries") +
             " with non-finite weights left out.";
  }
  if (profile.concealed > 0) words += " " + concealed_words(profile.concealed);
  const std::string rows = rows_measured_words(profile.rows_read, profile.tokens, options);
  if (!rows.empty()) words += " Of " + rows + ".";
  return words;
}

// --- sharpness --------------------------------------------------------------------------------

constexpr std::size_t kWidestVectors = 512, kWidestOwn = 1024;
constexpr std::size_t kRowsRead = 4096;  // enough for a mean and a deviation

// Returns nothing when there are no finite numbers.
std::optional<Moments> moments_of(const AttentionResult& result, Stage stage,
                                  const HeadAddress& head) {
  if (!result.has(stage)) return std::nullopt;
  const StageShape shape = result.stage_shape(stage, head);
  const std::vector<float> values =
      cells_of_stage(result, stage, head, {0, 0, std::min(shape.rows, kRowsRead), shape.cols});
  Moments moments;
  for (const float value : values) moments.add(static_cast<double>(value));
  const bool is_known = !values.empty() && std::isfinite(moments.mean());
  return is_known ? std::optional(moments) : std::nullopt;
}

// Quantity of one chart and the scale of its axis.
struct ChartedQuantity {
  const char* title;
  double Sharpness::*value;
  double base;  // of the y axis; 0: linear
};

constexpr std::array<ChartedQuantity, 4> kQuantities{{
    {"Variance of the scores", &Sharpness::variance, 10.0},
    {"Largest weight, mean", &Sharpness::largest, 0.0},
    {"Entropy of the weights (nats)", &Sharpness::entropy, 0.0},
    {"Size of the softmax gradient", &Sharpness::gradient, 0.0},
}};

ChartAxis y_axis(const ChartedQuantity& quantity, const std::vector<ChartSeries>& series) {
  const ChartValues values = values_of(series);
  if (quantity.base == 0.0)
    return {0.0, values.high > 0.0 ? 1.08 * values.high : 1.0, 0.0, quantity.title};
  if (!(values.high > 0.0)) return {0.1, 10.0, quantity.base, quantity.title};
  const double first = std::pow(10.0, std::floor(std::log10(values.least)));
  return {first, std::max(1.2 * values.high, 10.0 * first), quantity.base, quantity.title};
}

std::vector<ChartSeries> series_of(const std::vector<SharpnessPoint>& points,
                                   const ChartedQuantity& quantity, const FigureTheme& theme) {
  ChartSeries unscaled{"softmax(q·k)", theme.key, {}, {4.0, 2.5}, true};
  ChartSeries scaled{"softmax(q·k / √d_k)", theme.query, {}, {}, true};
  for (const SharpnessPoint& point : points) {
    const auto x = static_cast<double>(point.d_k);
    unscaled.points.push_back({x, point.unscaled.*quantity.value});
    scaled.points.push_back({x, point.scaled.*quantity.value});
  }
  return {unscaled, scaled};
}

std::string origin_words(const Drawing& drawing, const SharpnessNumbers& in) {
  const SharpnessSetup& s = in.setup;
  const auto number = [](double value) { return with_minus(short_text(value, 3)); };
  std::string text = in.measured
                         ? "They are drawn with the mean ± deviation of this document" +
                               address_of(drawing, true) + ": q " + number(s.q_mean) + " ± " +
                               number(s.q_deviation) + ", k " + number(s.k_mean) + " ± " +
                               number(s.k_deviation)
                         : "The document has no queries and keys to measure: standard normal "
                           "numbers are drawn";
  const bool all_keys = in.keys <= s.keys;
  return text + "; each query chooses among " + counted(s.keys, "key") +
         (all_keys ? "" : ", fewer than the document's " + grouped_text(in.keys)) +
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

ChartValues values_of(const std::vector<ChartSeries>& series) {
  ChartValues values;
  for (const ChartSeries& one : series) {
    for (const Point& point : one.points) {
      values.low = std::min(values.low, point.y);
      if (point.y > 0.0) values.least = std::min(values.least, point.y);
      values.high = std::max(values.high, point.y);
    }
  }
  return values;
}

std::vector<Need> distribution_needs(const FittedView& view) {
  const MatrixId id = distributed(view.options);
  const BinOptions bins{view.options.bins, view.options.axis_from, view.options.axis_to};
  const StageShape extents = extents_of(view.result.shape(id.head), id);
  const auto make = [id, bins](const Sources& from,
                               const Pass& pass) -> Result<std::shared_ptr<Distribution>> {
    const MatrixPtr matrix = stage_matrix(from.result, id);
    if (matrix == nullptr) return usage_error("There is no such matrix to count the numbers of");
    return std::make_shared<Distribution>(
        distribution_of(*as_seen(matrix, *from.result), bins, pass.row_step, from.progress));
  };
  std::vector<Pass> passes = passes_by_rows(view, 1, "Distribution of the numbers");
  for (Pass& pass : passes) {
    const std::size_t rows = extents.rows / pass.row_step + 1;
    pass.nanoseconds = element_count({rows, extents.cols, 4}) +
                       2 * nanoseconds_to_read_weights(view.result, id.head, rows);
  }
  return needs_of<Distribution>("distribution of " + text_of(id) + " in " +
                                    std::to_string(bins.count) + " from " + end_words(bins.low) +
                                    " to " + end_words(bins.high),
                                passes, make);
}

Result<Figure> distribution_plot(const Drawing& drawing) {
  const auto known = found<Distribution>(drawing, distribution_needs(drawing));
  if (!known) return known.error();
  const Distribution& numbers = **known;
  Page page(drawing);
  const StageInfo& info = stage_info(drawing.options.stage);
  const std::string heading =
      "Histogram of the values: " + std::string(info.label) + address_of(drawing, info.per_head);
  const std::string words = cells_words(drawing, numbers);
  page.add_heading(heading, 0.4);
  add_chart(page, distribution_chart(numbers, drawing.options, drawing.theme), words);
  return page.finished(heading + ". " + words);
}

// --- distances --------------------------------------------------------------------------------

std::vector<Need> distances_needs(const FittedView& view) {
  const auto make = [head = view.options.at](const Sources& from, const Pass& pass) {
    return std::make_shared<DistanceProfile>(
        distance_profile(*from.result, head, pass.row_step, from.progress));
  };
  return needs_of<DistanceProfile>(
      "distances of " + text_of(MatrixId{Stage::Weights, view.options.at}),
      passes_by_rows(view, 1, "Weights by distance"), make,
      std::uint64_t{48} * view.result.shape(view.options.at).n_q);
}

Result<Figure> distances_plot(const Drawing& drawing) {
  const auto known = found<DistanceProfile>(drawing, distances_needs(drawing));
  if (!known) return known.error();
  const DistanceProfile& profile = **known;
  Page page(drawing);
  const Chart chart = distances_chart(profile, drawing.options, drawing.theme);
  const std::string heading = "Mean attention weight by distance" + address_of(drawing, true);
  page.add_heading(heading);
  page.add_part(chart_key(drawing, chart.series, page.width()));
  const std::int64_t per_point = distances_per_point(chart.x, profile);
  add_chart(page, chart, rows_words(profile, per_point, drawing.options));
  return page.finished(heading + " from key to query");
}

// --- sharpness --------------------------------------------------------------------------------

SharpnessNumbers sharpness_numbers(const PlotInput& input, const HeadAddress& head) {
  SharpnessNumbers out;
  const AttentionShape shape = input.result.shape(head);
  out.setup.seed = input.document.seed;
  out.setup.keys = std::clamp<std::size_t>(shape.n_k, 1, kMostSharpnessKeys);
  const Scoring& scoring = input.result.problem().scoring;
  const bool is_product = scoring_info(scoring.function).plain;
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
  Page page(drawing, "Why scores are divided by √d_k");
  const double font = drawing.font();
  page.add_heading("Softmax of random queries and keys drawn from seed " +
                   std::to_string(in.setup.seed) + ", not of this document's numbers");
  const double gap = 1.6 * font;
  const std::size_t columns = page.width() + gap >= 2.0 * (16.0 * font + gap) ? 2 : 1;
  const auto rows = static_cast<double>(kQuantities.size() / columns);
  const double width =
      (page.width() - gap * static_cast<double>(columns - 1)) / static_cast<double>(columns);
  const std::array<std::string, 2> words = {origin_words(drawing, in),
                                            own_words(in.points, in.d_k)};
  page.add_part(
      chart_key(drawing, series_of(in.points, kQuantities.front(), drawing.theme), page.width()));
  const double usual = (columns == 1 ? 10.5 : 15.0) * font;
  const double height = std::max((page.room(words) - font) / rows - 0.8 * font, usual);
  std::vector<Figure> charts;
  for (const ChartedQuantity& quantity : kQuantities) {
    const bool is_last = charts.size() + columns >= kQuantities.size();  // of the charts below
    Chart chart{.x = with_ends({1.0, static_cast<double>(in.points.back().d_k), 2.0,
                                is_last ? "Width d_k" : ""},
                               drawing.options),
                .series = series_of(in.points, quantity, drawing.theme)};
    chart.y = y_axis(quantity, chart.series);
    chart.mark = static_cast<double>(in.d_k);
    if (in.d_k > 0) chart.mark_text = "d_k = " + std::to_string(in.d_k);
    charts.push_back(draw_chart(drawing, chart, width, is_last ? height : height - 1.25 * font));
  }
  page.add_grid(charts, columns, gap);
  for (const std::string& text : words) page.add_note(text);
  return page.finished(
      "Charts of variance, largest weight, entropy and gradient of the softmax over the width of "
      "queries and keys, with and without scaling by √d_k");
}

}  // namespace attn
