// Ranges of colours by what is there.
#include "plot/colors/weight_range.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "engine/matrix/row_reader.h"

namespace attn {
namespace {

struct Ends {
  float low = 0.0F, high = 0.0F;
};

Ends ends_of(const std::vector<float>& values) {
  if (values.empty()) return {};
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  return {*low, *high};
}

// Of every weight, those of rows that see one key too.
Ends ends_of_all(const SeenWeights& seen) {
  if (seen.values.empty() || seen.lone.empty()) {
    return ends_of(seen.values.empty() ? seen.lone : seen.values);
  }
  const Ends a = ends_of(seen.values), b = ends_of(seen.lone);
  return {std::min(a.low, b.low), std::max(a.high, b.high)};
}

// The value that a share of the cells does not exceed. Precondition: there are some.
float percentile(std::vector<float>& values) {
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(place_of_percentile(values.size()));
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

std::uint64_t cells_beyond(const SeenWeights& seen, float high) {
  const auto beyond = [high](float weight) { return weight > high; };
  return static_cast<std::uint64_t>(std::ranges::count_if(seen.values, beyond) +
                                    std::ranges::count_if(seen.lone, beyond));
}

std::string beyond_words(std::uint64_t cells) {
  if (cells == 0) return "";
  return ", " + std::to_string(cells) + (cells == 1 ? " cell beyond" : " cells beyond");
}

// From 0 up, or from the least where weights are negative.
WeightRange up_to(float least, float high, const std::string& end, std::uint64_t beyond) {
  if (!(high > 0.0F)) return {std::min(least, 0.0F), 1.0F, "0 to 1"};
  const std::string from = least < 0.0F ? "least to the " : "0 to the ";
  return {std::min(least, 0.0F), high, from + end + beyond_words(beyond)};
}

WeightRange up_to(const SeenWeights& seen, float least, float high, const std::string& end) {
  return up_to(least, high, end, cells_beyond(seen, high));
}

void widen(Matrix::Summary& summary, float value, bool is_first) {
  if (!std::isfinite(value)) {
    ++summary.non_finite;
  } else if (is_first) {
    summary.low = summary.high = value;
  } else {
    summary.low = std::min(summary.low, value);
    summary.high = std::max(summary.high, value);
  }
}

void add_row(SeenWeights& seen, std::span<const float> row, std::span<const HiddenRules> hidden) {
  const auto is_visible = [&](std::size_t k) { return hidden[k] == kVisible; };
  std::size_t visible = 0;
  for (std::size_t k = 0; k < row.size(); ++k) visible += is_visible(k) ? 1 : 0;
  std::vector<float>& kept = visible > 1 ? seen.values : seen.lone;
  for (std::size_t k = 0; k < row.size(); ++k) {
    if (!is_visible(k)) continue;
    if (std::isfinite(row[k])) kept.push_back(row[k]);
    widen(seen.summary, row[k], seen.values.size() + seen.lone.size() == 1);
  }
}

}  // namespace

void add_weights(SeenWeights& seen, const Matrix& weights, std::size_t step, Progress* progress) {
  const CellRange range = every_row(weights.extents(), step);
  RowReader rows(weights, range);
  for (std::size_t done = 1; rows.next(); ++done) {
    if (progress != nullptr && progress->cancelled) return;
    add_row(seen, rows.cells(), rows.rules());
    if (progress != nullptr) {
      progress->report(static_cast<float>(done) / static_cast<float>(range.rows));
    }
  }
}

void add_pixels(SeenWeights& seen, const PooledCells& pixels) {
  for (std::size_t row = 0; row < pixels.rows; ++row) {
    add_row(seen, std::span(pixels.values).subspan(row * pixels.cols, pixels.cols),
            std::span(pixels.hidden).subspan(row * pixels.cols, pixels.cols));
  }
}

float least_above_zero(const SeenWeights& seen) {
  float least = 0.0F;
  for (const std::vector<float>* weights : {&seen.values, &seen.lone}) {
    for (const float weight : *weights) {
      if (weight > 0.0F && (least == 0.0F || weight < least)) least = weight;
    }
  }
  return least;
}

WeightRange weight_range(SeenWeights seen, ColorSpan span, const std::string& whose) {
  const Ends all = ends_of_all(seen);
  const Ends ends = seen.values.empty() ? all : ends_of(seen.values);
  switch (span) {
    case ColorSpan::Unit:
      if (all.low >= 0.0F && all.high <= 1.0F) return {0.0F, 1.0F, "0 to 1"};
      return {std::min(all.low, 0.0F), std::max(all.high, 1.0F), whose};
    case ColorSpan::Head:
    case ColorSpan::Heads:
      return {all.low, all.high, whose};
    case ColorSpan::Automatic:
      if (seen.values.size() <= kMostCellsToTheLargest) {
        return up_to(seen, ends.low, ends.high, "largest");
      }
      break;
    case ColorSpan::Rows:
      return {0.0F, 1.0F, "each row, as part of its largest"};
    case ColorSpan::Percentile:
      break;
  }
  if (seen.values.empty()) return up_to(seen, ends.low, ends.high, "largest");
  const float high = percentile(seen.values);
  return percentile_range(ends.low, high, cells_beyond(seen, high));
}

std::uint64_t place_of_percentile(std::uint64_t values) {
  return static_cast<std::uint64_t>(std::ceil(kShareOfCells * static_cast<double>(values - 1)));
}

WeightRange percentile_range(float least, float percentile, std::uint64_t cells_beyond) {
  return up_to(least, percentile, "99.5th percentile", cells_beyond);
}

WeightRange pixel_range(SeenWeights seen) {
  const Ends ends = ends_of(seen.values);
  const float high = seen.values.empty() ? ends.high : percentile(seen.values);
  return up_to({}, ends.low, high, "99.5th percentile of the pixels");
}

}  // namespace attn
