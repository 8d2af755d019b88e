// Results whose heads are drawn by the plot of all heads.
#pragma once

#include <cstddef>

#include "engine/matrix/matrix.h"
#include "figure/text.h"
#include "plot/maps/heads.h"
#include "tests/support/fake_result.h"
#include "tests/support/figure_items.h"

namespace attn::test {

struct HeadsCase {
  Document document;
  FakeResult result;
  Derivations known = {};
  PlotInput input() const { return {document, result, &known}; }
};

// The plot with its needs under these options.
inline HeadsCase complete(HeadsCase c, const PlotOptions& options) {
  for (const Need& need : heads_needs({c.input(), options})) {
    c.known.keep(need.key, need.derive({c.document, borrowed(c.result)}));
  }
  return c;
}

// Head 0 attends to the first token, head 1 to the previous one, the others almost evenly.
inline float weight(const HeadAddress& at, std::size_t row, std::size_t col) {
  const auto noise =
      static_cast<float>((7 * row + 3 * col + 5 * at.layer + at.head) % 11) / 1000.0F;
  if (at.head == 0) return col == 0 ? 0.9F : noise;
  if (at.head == 1) return col + 1 == row ? 0.8F - 0.1F * static_cast<float>(at.layer) : noise;
  return 0.1F + noise + 0.02F * static_cast<float>(at.sample);
}

inline HeadsCase case_of(std::size_t layers, std::size_t heads, std::size_t n,
                         std::size_t samples = 1) {
  AttentionProblem problem;
  problem.shape.layers = layers;
  problem.shape.samples = samples;
  problem.shape.heads = problem.shape.kv_heads = heads;
  problem.shape.n_q = problem.shape.n_k = n;
  problem.shape.d_k = problem.shape.d_v = 2;
  problem.mask.causal = true;
  Document document;
  document.title = "All heads";
  document.query_tokens = {TokenList(n, "word")};
  return {document, FakeResult(problem).with(Stage::Weights, weight)};
}

inline Figure drawn(const HeadsCase& c, const PlotOptions& options) {
  return heads_plot({complete(c, options).input(), options, FixedMetrics()}).value();
}

// The image of all heads, not that of the colour bar.
inline const MatrixItem& image_of(const Figure& figure) {
  const MatrixItem* image = nullptr;
  for (const FigureItem& item : figure.items) {
    const auto* matrix = std::get_if<MatrixItem>(&item);
    if (matrix != nullptr && matrix->cells->cols > 1) image = matrix;
  }
  return *image;
}

}  // namespace attn::test
