// The overview of a whole matrix while a part is in view.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

#include "plot/maps/heatmap.h"
#include "tests/core/plot/heatmap_cases.h"
#include "tests/support/drawing.h"
#include "tests/support/fake_result.h"

namespace attn {
namespace {

using test::cell_value;
using test::centre;
using test::cross_document;
using test::FakeResult;
using test::FixedMetrics;
using test::items_of;
using test::problem_of;

Figure zoomed(PlotOptions options, const CellWindow& window) {
  const FakeResult result = FakeResult(problem_of(100, 60)).with(Stage::Weights, cell_value);
  options.window = window;
  options.width = options.height = options.height > 0.0 ? options.height : 700.0;
  return test::heatmap({{cross_document(100, 60), result}, options, FixedMetrics()});
}

std::optional<RectItem> area_in(const Figure& figure) {
  for (const RectItem& rect : items_of<RectItem>(figure)) {
    if (std::holds_alternative<OverviewHit>(rect.hit)) return rect;
  }
  return std::nullopt;
}

bool lies_in(const Rect& a, const Rect& b) {
  return a.x >= b.x && a.y >= b.y && a.x + a.width <= b.x + b.width &&
         a.y + a.height <= b.y + b.height;
}

TEST(Overview, ShowsTheWholeMatrixInACornerOfThePart) {
  const Figure figure = zoomed({}, {50.0, 30.0, 25.0, 15.0});
  const auto area = area_in(figure);
  ASSERT_TRUE(area);
  EXPECT_TRUE(lies_in(area->rect, find_matrix(figure)->clip));
  EXPECT_EQ(hit_test(figure, centre(area->rect)), area->hit);
  EXPECT_EQ(std::get<OverviewHit>(area->hit).rows, 100U);
  const auto matrices = items_of<MatrixItem>(figure);
  const auto whole = std::ranges::find(matrices, area->rect, &MatrixItem::rect);
  ASSERT_NE(whole, matrices.end());
  EXPECT_FALSE(whole->origin) << "its cells are not pointed at";
  for (std::size_t row = 0; row < 100; row += 9) {
    EXPECT_EQ(whole->cells->values[row * 60 + 7], cell_value({}, row, 7));
  }
}

TEST(Overview, FramesThePartInView) {
  const Figure figure = zoomed({}, {50.0, 30.0, 25.0, 15.0});
  const Rect whole = area_in(figure)->rect;
  const Rect part{whole.x + whole.width / 2.0, whole.y + whole.height / 2.0, whole.width / 4.0,
                  whole.height / 4.0};
  const auto rects = items_of<RectItem>(figure);
  EXPECT_TRUE(std::ranges::any_of(rects, [&](const RectItem& rect) {
    return std::abs(rect.rect.x - part.x) < 1e-9 && std::abs(rect.rect.y - part.y) < 1e-9 &&
           std::abs(rect.rect.width - part.width) < 1e-9 &&
           std::abs(rect.rect.height - part.height) < 1e-9;
  }));
}

TEST(Overview, IsNotThereWhenAllIsInViewOrItIsSwitchedOffOrThereIsNoRoom) {
  EXPECT_FALSE(area_in(zoomed({}, {})));
  PlotOptions without;
  without.overview = false;
  EXPECT_FALSE(area_in(zoomed(without, {50.0, 30.0, 25.0, 15.0})));
  PlotOptions small;
  small.height = 250.0;
  EXPECT_FALSE(area_in(zoomed(small, {50.0, 30.0, 25.0, 15.0})));
}

}  // namespace
}  // namespace attn
