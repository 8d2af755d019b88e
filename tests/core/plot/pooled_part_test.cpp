// Maps of long sequences, drawn from pooled parts of cells computed when they are read.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/joined.h"
#include "document/load/read.h"
#include "document/problem.h"
#include "engine/compute.h"
#include "plot/all_plots.h"
#include "plot/kit/map_needs.h"
#include "support/fake_result.h"
#include "support/figure_items.h"

namespace attn::test {
namespace {

constexpr std::size_t kTokens = 2100;

struct LongHead {
  Document document;
  ResultPtr result;
};

LongHead long_head() {
  const auto report = read_document(
      R"({"tokens": 2100, "d_model": 8, "heads": 1, "mask": {"causal": true}})", "long.json", {});
  EXPECT_TRUE(report.ok());
  LongHead head{report->document, nullptr};
  head.result = *compute(make_problem(head.document));
  return head;
}

PlotOptions zoomed() {
  PlotOptions options;
  options.window = {300.0, 100.0, 400.0, 500.0};
  return options;
}

// Compares each drawn cell with the largest of the cells under it.
void expect_maxima(const MatrixItem& item, const AttentionResult& result) {
  ASSERT_GT(item.cells->rows * item.cells->cols, 0U);
  for (std::size_t r = 0; r < item.cells->rows; r += 37) {
    for (std::size_t c = 0; c < item.cells->cols; c += 41) {
      CellRange range{item.first_row + r * item.row_step, item.first_col + c * item.col_step, 0, 0};
      range.rows = std::min(item.row_step, kTokens - range.row);
      range.cols = std::min(item.col_step, kTokens - range.col);
      std::vector<float> cells(range.rows * range.cols);
      result.read(Stage::Weights, {}, range, cells.data());
      const std::size_t at = r * item.cells->cols + c;
      if (item.cells->hidden[at] != kVisible) {
        EXPECT_GT(range.col, range.row + range.rows - 1);
      } else {
        EXPECT_EQ(item.cells->values[at], *std::ranges::max_element(cells)) << r << ", " << c;
      }
    }
  }
}

TEST(LongMap, DrawsTheLargestOfTheCellsUnderEachPixel) {
  const LongHead head = long_head();
  const PlotEntry& plot = *plot_named("heatmap");
  const auto figure = draw_complete(plot, head.document, head.result, {}, FixedMetrics());
  ASSERT_TRUE(figure.ok());
  const MatrixItem item = items_of<MatrixItem>(*figure).front();
  EXPECT_EQ(item.row_step, 2U);
  EXPECT_EQ(item.scale.high, *std::ranges::max_element(item.cells->values));
  EXPECT_NE(joined(texts_of(*figure), " ").find("maximum of the cells under a pixel"),
            std::string::npos);
  EXPECT_FALSE(says(*figure, "so far"));
  expect_maxima(item, *head.result);
}

TEST(LongMap, DrawsWhatIsInViewCellByCell) {
  const LongHead head = long_head();
  const PlotEntry& plot = *plot_named("heatmap");
  const auto figure = draw_complete(plot, head.document, head.result, zoomed(), FixedMetrics());
  ASSERT_TRUE(figure.ok());
  const MatrixItem item = items_of<MatrixItem>(*figure).front();
  EXPECT_EQ(item.row_step, 1U);
  EXPECT_LE(item.cells->rows, 401U) << "no more than is in view";
  expect_maxima(item, *head.result);
}

TEST(LongMap, IsCoarserOnFewerPixels) {
  const LongHead head = long_head();
  PlotOptions options;
  options.pixel_budget = 400;
  const auto figure =
      draw_complete(*plot_named("heatmap"), head.document, head.result, options, FixedMetrics());
  ASSERT_TRUE(figure.ok());
  const MatrixItem item = items_of<MatrixItem>(*figure).front();
  EXPECT_EQ(item.row_step, 6U);
  expect_maxima(item, *head.result);
}

Point size_of_a_cell(const MatrixItem& m) {
  return {m.rect.width / static_cast<double>(m.cells->cols * m.col_step),
          m.rect.height / static_cast<double>(m.cells->rows * m.row_step)};
}

void expect_same_place(const MatrixItem& shared, const MatrixItem& picture) {
  const Point cell = size_of_a_cell(shared), own = size_of_a_cell(picture);
  EXPECT_NEAR(cell.x, own.x, 1e-9);
  EXPECT_NEAR(cell.y, own.y, 1e-9);
  const auto right = static_cast<double>(picture.first_col - shared.first_col);
  const auto down = static_cast<double>(picture.first_row - shared.first_row);
  EXPECT_NEAR(shared.rect.x + right * cell.x, picture.rect.x, 1e-6);
  EXPECT_NEAR(shared.rect.y + down * cell.y, picture.rect.y, 1e-6);
  EXPECT_EQ(shared.clip, picture.clip);
}

// Expects the shared cells to equal the image wherever it has a cell.
void expect_same_in_view(const MatrixItem& shared, const MatrixItem& picture) {
  ASSERT_EQ(shared.row_step, picture.row_step);
  ASSERT_EQ(shared.col_step, picture.col_step);
  expect_same_place(shared, picture);
  for (std::size_t r = 0; r < picture.cells->rows; ++r) {
    for (std::size_t c = 0; c < picture.cells->cols; ++c) {
      const std::size_t row = picture.first_row + r * picture.row_step;
      const std::size_t col = picture.first_col + c * picture.col_step;
      const std::size_t at = (row - shared.first_row) / shared.row_step * shared.cells->cols +
                             (col - shared.first_col) / shared.col_step;
      const std::size_t own = r * picture.cells->cols + c;
      ASSERT_EQ(shared.cells->hidden[at], picture.cells->hidden[own]) << row << ", " << col;
      ASSERT_TRUE(picture.cells->hidden[own] != kVisible ||
                  shared.cells->values[at] == picture.cells->values[own])
          << row << ", " << col;
    }
  }
}

TEST(LongMap, PannedInAWindowLooksLikeOneDrawnFromScratch) {
  const LongHead head = long_head();
  const PlotEntry& plot = *plot_named("heatmap");
  PlotOptions options;
  options.pixel_budget = 400;
  options.window = {300.0, 100.0, 900.0, 950.0};
  const Derivations known = derive_all(plot, head.document, head.result, options);
  std::shared_ptr<const MatrixCells> kept;
  for (const double by : {0.0, 0.7, 5.0, 11.9}) {
    options.window.row = 300.0 + by;
    options.window.col = 100.0 + 2.0 * by;
    options.shares_cells = false;
    const auto picture = draw_complete(plot, head.document, head.result, options, FixedMetrics());
    options.shares_cells = true;
    const auto panned =
        draw_plot(plot, {head.document, *head.result, &known}, options, FixedMetrics());
    ASSERT_TRUE(picture.ok() && panned.ok());
    const MatrixItem item = *find_matrix(*panned);
    expect_same_in_view(item, *find_matrix(*picture));
    if (kept != nullptr) {
      EXPECT_EQ(item.cells, kept) << "nothing is made anew";
    }
    kept = item.cells;
    EXPECT_EQ(texts_of(*panned), texts_of(*picture));
  }
}

TEST(LongMap, SeenWholeIsSharedWithEveryFigureAndAFewOfItsCellsAreNot) {
  const LongHead head = long_head();
  const PlotEntry& plot = *plot_named("heatmap");
  PlotOptions options;
  options.pixel_budget = 100;
  options.shares_cells = true;
  const Derivations known = derive_all(plot, head.document, head.result, options);
  const PlotInput input{head.document, *head.result, &known};
  const auto cells_in_view = [&] {
    const auto figure = draw_plot(plot, input, options, FixedMetrics());
    return figure.ok() ? find_matrix(*figure)->cells : nullptr;
  };
  const auto whole = cells_in_view();
  ASSERT_NE(whole, nullptr);
  EXPECT_EQ(cells_in_view(), whole) << "nothing is made anew";
  options.window = {300.0, 100.0, 60.0, 60.0};
  EXPECT_LT(cells_in_view()->values.size(), whole->values.size() / 10);
}

// A sequence whose whole map takes more than a quarter of a second.
TEST(LongMap, ShowsSomeRowsFirstAndSaysSo) {
  PooledQuestion question{{Stage::Weights, {}}, {60'000, 2'000}, 64, 2'000, Pooling::Maximum};
  question.extents.cols = question.n_k = 60'000;
  const std::vector<Need> needs = pooled_needs(question, {0.0, 0.0, 60'000.0, 60'000.0});
  ASSERT_EQ(needs.size(), 2U);
  EXPECT_TRUE(needs[0].awaited);
  EXPECT_LT(needs[0].nanoseconds, needs[1].nanoseconds / 20);
  EXPECT_FALSE(needs[1].awaited);
  const std::vector<Need> nearer = pooled_needs(question, {500.0, 0.0, 100.0, 100.0});
  ASSERT_EQ(nearer.size(), 3U);
  EXPECT_FALSE(nearer[1].awaited);
  EXPECT_LT(nearer[1].nanoseconds, needs[1].nanoseconds);
  EXPECT_LT(nearer[1].nanoseconds, 300U * (300U + 60'000U)) << "hardly more than is in view";
  const std::vector<Need> beside = pooled_needs(question, {505.0, 3.0, 100.0, 100.0});
  EXPECT_EQ(beside[1].key, nearer[1].key) << "a small step needs nothing new";
}

TEST(LongMap, OfSomeRowsHasTheirCells) {
  const LongHead head = long_head();
  PooledQuestion question{{Stage::Weights, {}}, {kTokens, kTokens}, 1'000'000, kTokens};
  const std::vector<Need> needs = pooled_needs(question, {0.0, 0.0, 2100.0, 2100.0});
  ASSERT_EQ(needs.size(), 2U) << "so dear that some rows come first";
  const auto made = needs[0].derive({head.document, head.result, nullptr});
  ASSERT_TRUE(made.ok());
  const auto part = std::dynamic_pointer_cast<const PooledPart>(*made);
  EXPECT_EQ(part->rows_read, 700U);
  EXPECT_EQ(rows_read_words(*part), ", 700 of 2,100 rows so far");
  std::vector<float> row(2);
  head.result->read(Stage::Weights, {}, {1 + 3 * 500, 2 * 100, 1, 2}, row.data());
  EXPECT_EQ(part->cells.values[500 * part->cells.cols + 100], *std::ranges::max_element(row));
}

TEST(LongMap, EndsWhenItIsCalledOff) {
  const LongHead head = long_head();
  const PooledQuestion question{{Stage::Weights, {}}, {kTokens, kTokens}, 8, kTokens};
  Progress progress;
  progress.cancelled = true;
  const std::vector<Need> needs = pooled_needs(question, {0.0, 0.0, 2100.0, 2100.0});
  const auto made = needs.back().derive({head.document, head.result, &progress});
  ASSERT_FALSE(made.ok());
  EXPECT_EQ(made.error().kind, ErrorKind::Interrupted);
}

}  // namespace
}  // namespace attn::test
