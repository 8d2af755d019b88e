// Draws the mean weight by distance.
#include <algorithm>
#include <cmath>
#include <utility>

#include "base/number_text.h"
#include "engine/compute.h"
#include "engine/distance_profile.h"
#include "plot/charts/charts.h"
#include "plot/kit/ask.h"
#include "plot/kit/chart.h"
#include "plot/kit/names.h"
#include "plot/kit/page.h"

namespace attn {
namespace {

constexpr std::int64_t kMostPoints = 1000;  // of the curve: then several distances share one
constexpr double kLeastOfLargest = 1e-8;    // what a logarithmic axis goes down to

Ask<DistanceProfile> ask_for_profile(const PlotInput& input, const PlotOptions& options) {
  const auto make = [head = options.at](const Document& /*document*/, const ResultPtr& result,
                                        const Pass& pass, Progress* progress) {
    return std::make_shared<DistanceProfile>(
        distance_profile(*result, head, pass.row_step, progress));
  };
  return {"distances of " + text_of(MatrixId{Stage::Weights, options.at}),
          passes_by_rows(input.result, options.at, 1, options, "Weights by distance"), make,
          std::uint64_t{48} * input.result.shape().n_q};
}

// The distances of the level axis at which there are visible cells.
struct DistanceRange {
  std::int64_t first = 0, last = 0;
};

DistanceRange range_of(const DistanceProfile& profile) {
  const auto is_there = [](std::uint64_t cells) { return cells > 0; };
  const auto& cells = profile.cells;
  const auto first = std::ranges::find_if(cells, is_there);
  if (first == cells.end()) return {};
  const auto last = std::find_if(cells.rbegin(), cells.rend(), is_there).base() - 1;
  return {profile.distance_at(static_cast<std::size_t>(first - cells.begin())),
          profile.distance_at(static_cast<std::size_t>(last - cells.begin()))};
}

ChartAxis distance_axis(const DistanceProfile& profile, const PlotOptions& options) {
  const DistanceRange range = range_of(profile);
  double low = static_cast<double>(range.first), high = static_cast<double>(range.last);
  if (low == high) {
    low -= 0.5;
    high += 0.5;
  }
  return with_ends({low, high, 0.0, "Distance: position of the query − position of the key", true},
                   options);
}

// How many distances share a point: of those that there are and that the axis shows.
std::int64_t distances_per_point(const ChartAxis& axis, const DistanceRange& range) {
  const double low = std::max(axis.low, static_cast<double>(range.first));
  const double high = std::min(axis.high, static_cast<double>(range.last));
  const auto distances = static_cast<std::int64_t>(std::max(high - low, 0.0) + 1.0);
  return std::max<std::int64_t>((distances + kMostPoints - 1) / kMostPoints, 1);
}

std::int64_t rounded_down(std::int64_t distance, std::int64_t step) {
  const std::int64_t rest = ((distance % step) + step) % step;
  return distance - rest;
}

// Means of `sums` over the cells of so many distances each, at their middle.
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
  double least = 1e300, most = 0.0, lowest = 0.0;
  for (const ChartSeries& one : series) {
    for (const Point& point : one.points) {
      most = std::max(most, point.y);
      lowest = std::min(lowest, point.y);
      if (point.y > 0.0) least = std::min(least, point.y);
    }
  }
  if (!(most > 0.0)) most = 1.0;
  if (!log) return {1.08 * lowest, 1.08 * most, 0.0, ""};
  least = std::clamp(least, kLeastOfLargest * most, most);
  return {std::pow(10.0, std::floor(std::log10(least))), 1.3 * most, 10.0, ""};
}

Chart distances_chart(const DistanceProfile& profile, const PlotOptions& options,
                      const FigureTheme& theme) {
  Chart chart{.title = "Mean weight of the visible cells", .x = distance_axis(profile, options)};
  const std::int64_t per_point = distances_per_point(chart.x, range_of(profile));
  const bool dots = chart.x.high - chart.x.low <= 64.0;
  chart.series = {
      {"Equal weights over the visible keys",
       theme.muted,
       points_of(profile, profile.equal, per_point),
       {4.0, 2.5},
       false},
      {"This head", theme.query, points_of(profile, profile.weight, per_point), {}, dots}};
  chart.y = weight_axis(chart.series, options.axis_log);
  return chart;
}

std::string profile_heading(const PlotInput& input, const PlotOptions& options) {
  const AttentionProblem& problem = input.result.problem();
  const AttentionShape& shape = problem.shape;
  return "How much weight goes how far" + which_attention(problem, options.at, ", ") +
         numbered("layer", options.at.layer, shape.layers) +
         numbered("sample", options.at.sample, shape.samples) +
         numbered("head", options.at.head, shape.heads);
}

std::string rows_words(const DistanceProfile& profile, std::int64_t per_point,
                       const PlotOptions& options) {
  std::string words =
      "At 0 a token attends to itself, to the right to tokens before it, to the left to later "
      "ones.";
  if (per_point > 1) {
    words += " Each point is the mean of " + std::to_string(per_point) + " distances.";
  }
  if (profile.rows_left_out > 0) {
    words += " " + counted(profile.rows_left_out, "query", "queries") +
             " with a weight that is not finite left out.";
  }
  const std::string rows = rows_measured_words(profile.rows_read, profile.tokens, options);
  if (!rows.empty()) words += " Of " + rows + ".";
  return words;
}

}  // namespace

std::vector<Need> distances_needs(const PlotInput& input, const PlotOptions& options) {
  if (!nothing_at_distances(input.result.problem(), options.at).empty()) return {};
  return needs_of(ask_for_profile(input, options));
}

Result<Figure> distances_plot(const PlotInput& input, const PlotOptions& options,
                              const TextMetrics& metrics) {
  const std::string nothing = nothing_at_distances(input.result.problem(), options.at);
  if (!nothing.empty()) return usage_error(nothing);
  const Ask<DistanceProfile> ask = ask_for_profile(input, options);
  const auto profile = best_of(ask, input.derivations);
  if (profile == nullptr) return why_missing(input, ask);
  Page page(input, options, metrics);
  const Chart chart = distances_chart(*profile, options, page.theme());
  const std::string words =
      rows_words(*profile, distances_per_point(chart.x, range_of(*profile)), options);
  page.add_heading(profile_heading(input, options));
  page.add_part(chart_key(chart.series, options, metrics, page.width()));
  const double room = page.room(std::span(&words, 1));
  const double height = room > 0.0 ? room : 24.0 * options.font_size;
  page.add_part(draw_chart(chart, options, metrics, page.width(), height));
  page.add_words(words);
  return page.finished(profile_heading(input, options) +
                       ": mean weight by the distance from key to query");
}

}  // namespace attn
