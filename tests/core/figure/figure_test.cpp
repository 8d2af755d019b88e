// Hit testing of figures.
#include "figure/figure.h"

#include <gtest/gtest.h>

#include <random>

namespace attn {
namespace {

MatrixItem matrix_of(std::size_t rows, std::size_t cols, Rect rect) {
  MatrixItem matrix;
  auto cells = std::make_shared<MatrixCells>();
  cells->rows = rows;
  cells->cols = cols;
  cells->values.resize(rows * cols);
  matrix.cells = cells;
  matrix.rect = matrix.clip = rect;
  matrix.row_count = rows;
  matrix.col_count = cols;
  matrix.origin = MatrixId{Stage::Scaled, {1, 2, 3}};
  return matrix;
}

Figure figure_of(std::vector<FigureItem> items) {
  Figure figure;
  figure.items = std::move(items);
  return figure;
}

Point centre(const Rect& r) { return {r.x + r.width / 2, r.y + r.height / 2}; }

TEST(HitTest, NamesTheCellUnderThePoint) {
  const Figure figure = figure_of({matrix_of(2, 4, {10, 20, 40, 10})});
  EXPECT_EQ(hit_test(figure, {10, 20}), HitId(CellHit{{Stage::Scaled, {1, 2, 3}}, 0, 0}));
  EXPECT_EQ(hit_test(figure, {49.9, 29.9}), HitId(CellHit{{Stage::Scaled, {1, 2, 3}}, 1, 3}));
  EXPECT_EQ(hit_test(figure, {25, 26}), HitId(CellHit{{Stage::Scaled, {1, 2, 3}}, 1, 1}));
  EXPECT_EQ(hit_test(figure, {50, 25}), HitId());
  EXPECT_EQ(hit_test(figure, {9.9, 25}), HitId());
}

TEST(HitTest, TopmostItemWithAMeaningWins) {
  RectItem below, above, plain;
  below.rect = above.rect = plain.rect = {0, 0, 10, 10};
  below.hit = StageHit{Stage::Query};
  above.hit = StageHit{Stage::Key};
  EXPECT_EQ(hit_test(figure_of({below, above, plain}), {5, 5}), HitId(StageHit{Stage::Key}));
  EXPECT_EQ(hit_test(figure_of({above, below}), {5, 5}), HitId(StageHit{Stage::Query}));
  EXPECT_EQ(hit_test(figure_of({plain}), {5, 5}), HitId());
}

TEST(HitTest, ClosedPathsCoverTheirInside) {
  PathItem triangle;
  triangle.points = {{0, 0}, {10, 0}, {0, 10}};
  triangle.closed = true;
  triangle.hit = ColorBarHit{};
  const Figure figure = figure_of({triangle});
  EXPECT_EQ(hit_test(figure, {2, 2}), HitId(ColorBarHit{}));
  EXPECT_EQ(hit_test(figure, {8, 8}), HitId());
}

TEST(HitTest, LinesAreHitBesideThemFromEndToEnd) {
  LineItem line;
  line.from = {10, 20};
  line.to = {50, 50};
  line.hit = ColorBarHit{};
  const Figure figure = figure_of({line});
  for (const Point& beside : {Point{10, 21}, {30, 35}, {31, 34}, {42, 44}, {50, 49}}) {
    EXPECT_EQ(hit_test(figure, beside), HitId(ColorBarHit{})) << beside.x;
  }
  for (const Point& away : {Point{10, 40}, {40, 20}, {30, 0}, {70, 65}, {-10, 5}}) {
    EXPECT_EQ(hit_test(figure, away), HitId()) << away.x;
  }
}

TEST(HitTest, EveryCellRoundTripsUnderRandomWindowsAndSteps) {
  std::mt19937 random(7);
  const auto below = [&](std::size_t n) {
    return std::uniform_int_distribution<std::size_t>(0, n - 1)(random);
  };
  for (int round = 0; round < 200; ++round) {
    MatrixItem m = matrix_of(1 + below(20), 1 + below(20), {});
    m.row_step = 1 + below(4);
    m.col_step = 1 + below(4);
    m.first_row = below(30);
    m.first_col = below(30);
    m.row_count = m.first_row + (m.cells->rows - 1) * m.row_step + 1 + below(m.row_step);
    m.col_count = m.first_col + (m.cells->cols - 1) * m.col_step + 1 + below(m.col_step);
    m.rect = {-20.0 + static_cast<double>(below(40)), 5.5, 50.0 + static_cast<double>(below(300)),
              77.7};
    m.clip = {0, 10, 90, 60};
    const Figure figure = figure_of({m});
    std::size_t seen = 0;
    for (std::size_t row = 0; row < m.row_count + 2; ++row) {
      for (std::size_t col = 0; col < m.col_count + 2; ++col) {
        const Rect rect = cell_rect(m, row, col);
        if (rect.width == 0) continue;
        ++seen;
        const CellHit expected{*m.origin, row, col};
        EXPECT_EQ(hit_test(figure, centre(rect)), HitId(expected));
      }
    }
    EXPECT_GT(seen, 0U);
  }
}

TEST(CellRect, IsCutAtTheClipAndEmptyOutside) {
  MatrixItem m = matrix_of(2, 2, {0, 0, 20, 20});
  m.clip = {5, 0, 10, 10};
  EXPECT_EQ(cell_rect(m, 0, 0), (Rect{5, 0, 5, 10}));
  EXPECT_EQ(cell_rect(m, 1, 0).width, 0.0);
  EXPECT_EQ(cell_rect(m, 0, 2).width, 0.0);
}

TEST(CellRect, RowsBeyondTheMatrixAreNotCells) {
  MatrixItem m = matrix_of(1, 1, {0, 0, 30, 30});
  m.row_step = m.col_step = 3;
  m.row_count = m.col_count = 2;
  EXPECT_EQ(cell_rect(m, 1, 1), (Rect{10, 10, 10, 10}));
  EXPECT_EQ(cell_rect(m, 2, 0).width, 0.0);
  EXPECT_EQ(hit_test(figure_of({m}), {25, 5}), HitId());
}

TEST(HitTest, EmptyMatricesAreNotHit) {
  MatrixItem m = matrix_of(0, 0, {0, 0, 30, 30});
  EXPECT_EQ(hit_test(figure_of({m}), {5, 5}), HitId());
  m.cells = nullptr;
  EXPECT_EQ(hit_test(figure_of({m}), {5, 5}), HitId());
  EXPECT_EQ(cell_rect(m, 0, 0).width, 0.0);
}

TEST(FindMatrix, ReturnsTheFirstOrNull) {
  const Figure without = figure_of({RectItem{}});
  EXPECT_EQ(find_matrix(without), nullptr);
  const Figure figure = figure_of({RectItem{}, matrix_of(3, 1, {0, 0, 1, 1})});
  ASSERT_NE(find_matrix(figure), nullptr);
  EXPECT_EQ(find_matrix(figure)->row_count, 3U);
}

}  // namespace
}  // namespace attn
