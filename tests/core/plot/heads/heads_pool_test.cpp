// Pooling of heads with many more rows than columns, or the other way round.
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "base/quotient_up.h"
#include "tests/core/plot/heads/heads_case.h"

namespace attn {
namespace {

using test::drawn;
using test::FakeResult;
using test::FixedMetrics;
using test::HeadsCase;
using test::image_of;

// Loses neither rows nor columns when there are few of one and many of the other.
TEST(PoolsOfHeads, RowsAndColumnsHaveFactorsOfTheirOwn) {
  const std::pair<std::size_t, std::size_t> kShapes[] = {
      {12, 1500}, {300, 30}, {3, 900}, {1500, 12}, {40, 40}};
  for (const auto& [rows, cols] : kShapes) {
    AttentionProblem problem;
    problem.shape.heads = problem.shape.kv_heads = 6;
    problem.shape.n_q = rows;
    problem.shape.n_k = cols;
    problem.shape.d_k = problem.shape.d_v = 2;
    Document document;
    document.query_tokens = {TokenList(rows, "word")};
    document.key_tokens = {TokenList(cols, "word")};
    const auto striped = [](const HeadAddress&, std::size_t row, std::size_t) {
      return row % 2 == 0 ? 0.5F : 0.25F;
    };
    const HeadsCase c{document, FakeResult(problem).with(Stage::Weights, striped)};
    const HeadsLayout layout = lay_out_heads({c.input(), {}, FixedMetrics()}, 576.0, 600.0);
    SCOPED_TRACE(std::to_string(rows) + " × " + std::to_string(cols));
    EXPECT_EQ(layout.texel_rows, quotient_up(rows, layout.step.rows));
    EXPECT_EQ(layout.texel_cols, quotient_up(cols, layout.step.cols));
    EXPECT_TRUE(layout.step.rows == 1 || rows > 40) << layout.step.rows;
    EXPECT_TRUE(layout.step.cols == 1 || cols > 40) << layout.step.cols;
    const Rect head = layout.thumbnail(0);
    EXPECT_GE(head.height, 0.39 * head.width);
    EXPECT_LE(head.height, 1.61 * head.width);
    if (layout.step.rows > 1) continue;
    const Figure figure = drawn(c, {});
    const MatrixItem& image = image_of(figure);
    for (std::size_t row = 0; row < rows; ++row) {
      EXPECT_EQ(image.cells->values[row * image.cells->cols], row % 2 == 0 ? 0.5F : 0.25F) << row;
    }
  }
}

}  // namespace
}  // namespace attn
