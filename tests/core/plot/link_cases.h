// Links between made-up weights, for tests of their plot.
#pragma once

#include <vector>

#include "plot/all_plots.h"
#include "tests/core/plot/computed_case.h"
#include "tests/core/plot/heatmap_cases.h"
#include "tests/support/fake_result.h"
#include "tests/support/figure_items.h"
#include "tests/support/golden.h"

namespace attn::test {

inline PlotOptions all_links() {
  PlotOptions options;
  options.row_share = 1.0;
  return options;
}

inline FakeResult weights(std::size_t n_q, std::size_t n_k, std::size_t heads = 1) {
  return FakeResult(problem_of(n_q, n_k, heads))
      .with(Stage::Weights, [](const HeadAddress& at, std::size_t row, std::size_t col) {
        return static_cast<float>((7 * row + 3 * col + 11 * at.head) % 20) / 20.0F;
      });
}

inline Figure drawn(const FakeResult& result, const PlotOptions& options) {
  const StageShape shape = result.stage_shape(Stage::Weights);
  const Document document = cross_document(shape.rows, shape.cols);
  return draw("links", {document, result}, options, FixedMetrics()).value();
}

// The lines with the hit of a cell.
inline std::vector<LineItem> links_of(const Figure& figure) {
  std::vector<LineItem> links = items_of<LineItem>(figure);
  std::erase_if(links, [](const LineItem& l) { return !std::holds_alternative<CellHit>(l.hit); });
  return links;
}

}  // namespace attn::test
