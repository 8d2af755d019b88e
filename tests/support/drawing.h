// A drawing without numbers, the heatmap of a stage whose part in view is known, and the colours of
// a stage.
#pragma once

#include "engine/statistics.h"
#include "plot/colors/color_range.h"
#include "plot/maps/heatmap.h"
#include "tests/support/fake_result.h"

namespace attn::test {

inline const Drawing& empty_drawing() {
  static const Document document;
  static const FakeResult result{AttentionProblem()};
  static const FixedMetrics metrics;
  static const Drawing drawing({document, result}, {}, metrics);
  return drawing;
}

inline Figure heatmap(const Drawing& drawing) { return heatmap_plot(drawing).value(); }

// Range of colours by a sample of the rows when there are many.
inline ColorRange color_range(const AttentionResult& result, const PlotOptions& options) {
  static const Document document;
  const FittedView view({document, result}, options);
  const PlotOptions& fitted = view.options;
  const MatrixId id{fitted.stage, fitted.at};
  const MatrixPtr matrix = stage_matrix(borrowed(result), id);
  const std::size_t step = sampling_step(matrix->extents(), 1, kReadAtOnce);
  const Statistics seen = statistics_of(*matrix, &result, statistics_of_colors(view, id), step);
  return color_range(subject_of(result, id), seen, fitted, range_scope(id, fitted.range));
}

}  // namespace attn::test
