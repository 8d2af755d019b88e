// Viewport after wheel and drag, without drawing.
#include "gui/panels/pane/zoom.h"

#include <gtest/gtest.h>

#include <memory>

namespace attn::gui {
namespace {

// 100 × 50 cells on 400 × 200 units at (20, 10), all of them visible.
MatrixItem whole_matrix() {
  MatrixItem item;
  item.rect = item.clip = {20, 10, 200, 400};
  auto cells = std::make_shared<MatrixCells>();
  cells->rows = 100;
  cells->cols = 50;
  cells->values.resize(5000);
  item.cells = cells;
  item.row_count = 100;
  item.col_count = 50;
  return item;
}

TEST(Zoom, FindsTheCellUnderThePointer) {
  const CellPoint p = cell_point(whole_matrix(), {20 + 4 * 7.5, 10 + 4 * 30.0});
  EXPECT_DOUBLE_EQ(p.col, 7.5);
  EXPECT_DOUBLE_EQ(p.row, 30.0);
}

TEST(Zoom, CountsTheCellsUnderATexelAndTheFirstCellInView) {
  MatrixItem item = whole_matrix();
  item.first_row = 40;
  item.row_step = 3;
  EXPECT_DOUBLE_EQ(cell_point(item, {20, 10 + 4 * 2.0}).row, 46.0);
}

TEST(Zoom, KeepsTheCellUnderThePointerInItsPlace) {
  const MatrixItem item = whole_matrix();
  const Point pointer{120, 110};
  const CellPoint before = cell_point(item, pointer);
  const auto next = zoomed({}, item, pointer, 3.0);
  ASSERT_TRUE(next);
  EXPECT_LT(next->rows, 100.0);
  EXPECT_NEAR((before.row - next->row) / next->rows, 0.25, 1e-9);
  EXPECT_NEAR((before.col - next->col) / next->cols, 0.5, 1e-9);
}

TEST(Zoom, EndsWithAFewCellsInView) {
  const auto next = zoomed({}, whole_matrix(), {120, 110}, 1000.0);
  ASSERT_TRUE(next);
  EXPECT_DOUBLE_EQ(next->cols, 2.0);
  EXPECT_DOUBLE_EQ(next->rows, 4.0);
}

TEST(Zoom, FitsAgainWhenZoomedOutFar) {
  EXPECT_FALSE(zoomed({10, 10, 20, 10}, whole_matrix(), {120, 110}, -100.0));
}

TEST(Zoom, GivesACellWholePixels) {
  const auto pixels_of = [](const CellWindow& window) { return 200.0 / window.cols; };
  const auto larger = in_whole_pixels({}, whole_matrix(), 1.4);  // a cell has 5.6 pixels
  ASSERT_TRUE(larger);
  EXPECT_NEAR(1.4 * pixels_of(*larger), 6.0, 1e-9);
  const auto least = in_whole_pixels({}, whole_matrix(), 0.1);  // 0.4 pixels
  ASSERT_TRUE(least);
  EXPECT_NEAR(0.1 * pixels_of(*least), 1.0, 1e-9);
  EXPECT_FALSE(in_whole_pixels({}, whole_matrix(), 1.3)) << "all of it fits in less";
}

TEST(Zoom, BringsWhatIsClickedInTheOverviewIntoTheMiddle) {
  const OverviewHit overview{{100, 50, 50, 100}, 100, 50};
  EXPECT_EQ(brought_into_view({0, 0, 20, 10}, overview, {125, 110}), (CellWindow{50, 20, 20, 10}));
  EXPECT_EQ(brought_into_view({0, 0, 20, 10}, overview, {1000, 0}), (CellWindow{0, 40, 20, 10}));
}

TEST(Zoom, StaysInsideTheMatrixInACorner) {
  const auto next = zoomed({0, 0, 40, 20}, whole_matrix(), {20, 10}, -1.0);
  ASSERT_TRUE(next);
  EXPECT_GE(next->row, 0.0);
  EXPECT_GE(next->col, 0.0);
  EXPECT_GT(next->rows, 40.0);
}

TEST(Pan, MovesTheCellsWithThePointer) {
  const CellWindow next = panned({10, 10, 50, 25}, whole_matrix(), {-8, 16});
  EXPECT_DOUBLE_EQ(next.col, 12.0);
  EXPECT_DOUBLE_EQ(next.row, 6.0);
}

TEST(Pan, StopsAtTheEdges) {
  const CellWindow next = panned({10, 10, 50, 25}, whole_matrix(), {4000, -4000});
  EXPECT_DOUBLE_EQ(next.col, 0.0);
  EXPECT_DOUBLE_EQ(next.row, 50.0);
}

}  // namespace
}  // namespace attn::gui
