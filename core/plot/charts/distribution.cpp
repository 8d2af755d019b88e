// Draws the distribution of a stage's numbers.
#include "engine/distribution.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/number_text.h"
#include "base/tensor.h"
#include "engine/compute.h"
#include "engine/read/result.h"
#include "engine/statistics.h"
#include "plot/charts/charts.h"
#include "plot/kit/ask.h"
#include "plot/kit/chart.h"
#include "plot/kit/names.h"
#include "plot/kit/page.h"

namespace attn {
namespace {

constexpr double kLeastOnLogarithm = 0.5;  // cells: one cell stands above it

MatrixId distributed(const PlotOptions& options) { return {options.stage, options.at}; }

std::string end_words(const std::optional<double>& end) {
  return end ? shortest_text(static_cast<float>(*end)) : "its own";
}

Ask<Distribution> ask_for_distribution(const PlotInput& input, const PlotOptions& options) {
  const MatrixId id = distributed(options);
  const BinsWanted bins{options.bins, options.axis_from, options.axis_to};
  const StageShape extents = extents_of(input.result.shape(id.head), id);
  const auto make = [id, bins](const Document& /*document*/, const ResultPtr& result,
                               const Pass& pass,
                               Progress* progress) -> Result<std::shared_ptr<Distribution>> {
    const MatrixPtr matrix = stage_matrix(result, id);
    if (matrix == nullptr) return usage_error("There is no such matrix to count the numbers of");
    return std::make_shared<Distribution>(
        distribution_of(*as_seen(matrix, *result), bins, pass.row_step, progress));
  };
  Ask<Distribution> ask{
      "distribution of " + text_of(id) + " in " + std::to_string(bins.count) + " from " +
          end_words(bins.low) + " to " + end_words(bins.high),
      passes_by_rows(input.result, options.at, 1, options, "Distribution of the numbers"), make};
  for (Pass& pass : ask.passes) {
    const std::size_t rows = extents.rows / pass.row_step + 1;
    pass.steps = element_count({rows, extents.cols, 4}) +
                 2 * steps_to_read_weights(input.result, id.head, rows);
  }
  return ask;
}

std::string distribution_heading(const PlotInput& input, const PlotOptions& options) {
  const AttentionProblem& problem = input.result.problem();
  const AttentionShape& shape = problem.shape;
  const StageInfo& info = stage_info(options.stage);
  return "How often which number occurs: " + std::string(info.label) +
         which_attention(problem, options.at, ", ") +
         numbered("layer", options.at.layer, shape.layers) +
         numbered("sample", options.at.sample, shape.samples) +
         (info.per_head ? numbered("head", options.at.head, shape.heads) : "");
}

ChartAxis count_axis(const Distribution& numbers, bool log) {
  const auto most =
      static_cast<double>(std::max<std::uint64_t>(*std::ranges::max_element(numbers.cells), 1));
  if (log) return {kLeastOnLogarithm, std::max(1.3 * most, 10.0), 10.0, ""};
  return {0.0, 1.08 * most, 0.0, "", true};
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
  Chart chart{.title = options.axis_log ? "Cells, by their logarithm" : "Cells",
              .x = {numbers.low, numbers.high, 0.0, value_name(options.stage)},
              .y = count_axis(numbers, options.axis_log),
              .bars = bars_of(numbers, theme.query)};
  if (numbers.finite() == 0) return chart;
  chart.mark = numbers.mean;
  chart.mark_text = "mean " + short_text(numbers.mean, 3);
  return chart;
}

// ", 3 below the axis" for 3; "" for none.
std::string more_words(std::uint64_t cells, const std::string& what) {
  return cells == 0 ? "" : ", " + grouped_text(cells) + " " + what;
}

std::string cells_words(const PlotInput& input, const PlotOptions& options,
                        const Distribution& numbers) {
  const std::size_t rows = extents_of(input.result.shape(options.at), distributed(options)).rows;
  std::string words = grouped_text(numbers.finite()) +
                      (numbers.finite() == 1 ? " cell in " : " cells in ") +
                      counted(numbers.cells.size(), "bin", "bins") +
                      more_words(numbers.below, "of them below the axis") +
                      more_words(numbers.above, "of them above the axis") +
                      more_words(numbers.hidden, "hidden, which are not counted") +
                      more_words(numbers.non_finite, "not finite, which are not counted");
  if (numbers.rows_read < rows) {
    words += "; of " + rows_of_all(numbers.rows_read, rows) + (options.is_file() ? "" : " so far");
  }
  if (numbers.finite() == 0) return words + ".";
  return words + ". Mean " + short_text(numbers.mean) + ", deviation " +
         short_text(numbers.deviation) + ".";
}

}  // namespace

std::vector<Need> distribution_needs(const PlotInput& input, const PlotOptions& options) {
  return needs_of(ask_for_distribution(input, options));
}

Result<Figure> distribution_plot(const PlotInput& input, const PlotOptions& options,
                                 const TextMetrics& metrics) {
  const Ask<Distribution> ask = ask_for_distribution(input, options);
  const auto numbers = best_of(ask, input.derivations);
  if (numbers == nullptr) return why_missing(input, ask);
  Page page(input, options, metrics);
  page.add_heading(distribution_heading(input, options));
  page.add_space(0.4 * options.font_size);
  const std::string words = cells_words(input, options, *numbers);
  const double room = page.room(std::span(&words, 1));
  const double height = room > 0.0 ? room : 24.0 * options.font_size;
  page.add_part(draw_chart(distribution_chart(*numbers, options, page.theme()), options, metrics,
                           page.width(), height));
  page.add_words(words);
  return page.finished(distribution_heading(input, options) + ". " + words);
}

}  // namespace attn
