// Pointing, clicking and dragging on a painted figure.
#include "gui/ui/canvas.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/ui_harness.h"

namespace attn::test {
namespace {

using namespace gui;  // NOLINT(google-build-using-namespace)

Figure matrix_figure(std::size_t n = 3) {
  MatrixCells cells{n, n, {}, {}, {}};
  for (std::size_t i = 0; i < n * n; ++i) cells.values.push_back(static_cast<float>(i) / 4.0F);
  MatrixItem matrix;
  matrix.origin = MatrixId{};
  matrix.rect = matrix.clip = {20.0, 10.0, 90.0, 90.0};
  matrix.cells = std::make_shared<const MatrixCells>(std::move(cells));
  matrix.row_count = matrix.col_count = n;
  matrix.scale = {colormap_named("viridis"), 0.0F, 2.0F};
  Figure figure;
  figure.width = 200.0;
  figure.height = 120.0;
  figure.items.emplace_back(matrix);
  RectItem token;
  token.rect = {120.0, 10.0, 50.0, 20.0};
  token.hit = TokenHit{Side::Key, 0, 2};
  figure.items.emplace_back(token);
  TextItem label;
  label.anchor = {120.0, 25.0};
  label.text = "cats";
  label.hit = token.hit;
  figure.items.emplace_back(label);
  RectItem stage;
  stage.rect = {120.0, 60.0, 50.0, 20.0};
  stage.hit = StageHit{Stage::Scores};
  figure.items.emplace_back(stage);
  return figure;
}

// A canvas that accumulates events over all frames of an action.
struct Scene {
  Figure figure = matrix_figure();
  CanvasEvents last;
  std::vector<HitId> pressed, clicked;
  int releases = 0, double_clicks = 0;
  double wheel = 0.0;
  Point dragged;
  void operator()(Ui& ui) {
    const Figure* figures[] = {&figure};
    last = canvas(ui, "plot", figures, ImVec2(ui.px(200), ui.px(120)));
    if (last.pressed) pressed.push_back(last.under_pointer);
    if (last.clicked) clicked.push_back(last.under_pointer);
    releases += last.released ? 1 : 0;
    double_clicks += last.double_clicked ? 1 : 0;
    wheel += last.wheel;
    dragged = {dragged.x + last.drag_delta.x, dragged.y + last.drag_delta.y};
  }
};

class Canvas : public testing::TestWithParam<float> {};
INSTANTIATE_TEST_SUITE_P(Scales, Canvas, testing::Values(1.0F, 1.5F, 2.0F));

TEST_P(Canvas, PointingAtACellNamesIt) {
  UiHarness ui({.scale = GetParam()});
  Scene scene;
  ui.frame([&](Ui& u) { scene(u); });
  ui.hover("plot/cell/1,2");
  const auto* cell = std::get_if<CellHit>(&scene.last.under_pointer);
  ASSERT_NE(cell, nullptr);
  EXPECT_EQ(cell->row, 1U);
  EXPECT_EQ(cell->col, 2U);
  EXPECT_NEAR(scene.last.pointer.x, 95.0, 0.6);
  EXPECT_NEAR(scene.last.pointer.y, 55.0, 0.6);
  EXPECT_TRUE(scene.last.hovered);
}

TEST_P(Canvas, AClickIsAPressAndAReleaseAtOnePlace) {
  UiHarness ui({.scale = GetParam()});
  Scene scene;
  ui.frame([&](Ui& u) { scene(u); });
  ui.click("plot/token/key/2");
  ASSERT_EQ(scene.clicked.size(), 1U);
  EXPECT_EQ(scene.clicked[0], HitId(TokenHit{Side::Key, 0, 2}));
  EXPECT_EQ(scene.pressed.size(), 1U);
  EXPECT_EQ(scene.releases, 1);
}

TEST_P(Canvas, ADragIsNoClickAndMovesByTheWholeWay) {
  UiHarness ui({.scale = GetParam()});
  Scene scene;
  ui.frame([&](Ui& u) { scene(u); });
  ui.drag("plot/cell/1,1", ui.find("plot/cell/1,1")->max.x - ui.find("plot/cell/1,1")->min.x, 10);
  EXPECT_TRUE(scene.clicked.empty());
  EXPECT_NEAR(scene.dragged.x, 30.0, 0.7);
  EXPECT_NEAR(scene.dragged.y, 10.0 / GetParam(), 0.01);
  EXPECT_EQ(scene.releases, 1);
  EXPECT_EQ(scene.pressed.size(), 1U);
}

TEST(CanvasEvents, WheelDoubleClickAndShiftAreReported) {
  UiHarness ui;
  Scene scene;
  ui.frame([&](Ui& u) { scene(u); });
  ui.wheel("plot", -2.0F);
  EXPECT_DOUBLE_EQ(scene.wheel, -2.0);
  ui.double_click("plot/cell/0,0");
  EXPECT_EQ(scene.double_clicks, 1);
  ui.hold("Shift");
  ui.frames(1);
  EXPECT_TRUE(scene.last.shift);
}

TEST(CanvasEvents, NothingIsUnderAPointerElsewhere) {
  UiHarness ui;
  Scene scene;
  ui.frame([&](Ui& u) { scene(u); });
  ui.click_at(ImVec2(900, 700));
  EXPECT_FALSE(scene.last.hovered);
  EXPECT_EQ(scene.last.under_pointer, HitId{});
  EXPECT_TRUE(scene.pressed.empty());
  EXPECT_TRUE(scene.clicked.empty());
}

TEST(CanvasProbe, CellsCarryTheirNumbersAndTokensTheirTexts) {
  UiHarness ui;
  Scene scene;
  ui.frame([&](Ui& u) { scene(u); });
  EXPECT_EQ(ui.value("plot/cell/0,0"), "0");
  EXPECT_EQ(ui.value("plot/cell/1,2"), "1.25");
  EXPECT_EQ(ui.names("plot/cell/").size(), 9U);
  EXPECT_EQ(ui.value("plot/token/key/2"), "cats");
  EXPECT_TRUE(ui.shows("plot/stage/scores"));
}

TEST(CanvasProbe, LargeMatricesRecordNoCells) {
  UiHarness ui;
  Scene scene;
  scene.figure = matrix_figure(65);
  ui.frame([&](Ui& u) { scene(u); });
  EXPECT_TRUE(ui.names("plot/cell/").empty());
}

TEST_P(Canvas, TheMatrixIsDrawnWhereItsCellsAre) {
  UiHarness ui({.scale = GetParam()});
  Scene scene;
  ui.frame([&](Ui& u) { scene(u); });
  ASSERT_EQ(ui.graphics.matrices().size(), 1U);
  const auto& drawn = ui.graphics.matrices()[0];
  EXPECT_NEAR(drawn.min.x, ui.find("plot/cell/0,0")->min.x, 0.01);
  EXPECT_NEAR(drawn.max.y, ui.find("plot/cell/2,2")->max.y, 0.01);
  EXPECT_NEAR(drawn.clip.z, drawn.max.x, 1.0);
}

// Area covered by the triangles that `draw` adds.
template <class Draw>
double filled_area(Draw&& draw) {
  UiHarness ui;
  double area = 0.0;
  ui.frame([&](Ui& u) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.Flags = ImDrawListFlags_None;  // no anti-aliasing
    const int before = list.IdxBuffer.Size;
    draw(u, list);
    for (int i = before; i + 2 < list.IdxBuffer.Size; i += 3) {
      const ImVec2 a = list.VtxBuffer[list.IdxBuffer[i]].pos;
      const ImVec2 b = list.VtxBuffer[list.IdxBuffer[i + 1]].pos;
      const ImVec2 c = list.VtxBuffer[list.IdxBuffer[i + 2]].pos;
      area += std::abs((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)) / 2.0;
    }
  });
  return area;
}

double painted_area(const FigureItem& item) {
  return filled_area([&](Ui& ui, ImDrawList& list) {
    Figure figure;
    figure.background.a = 0;
    figure.items.push_back(item);
    paint(ui, list, figure, {ImVec2(50, 50), 1.0F});
  });
}

TEST(CanvasPaint, ConvexPathsAndRectanglesAreFilledWhole) {
  PathItem path;
  path.points = {{0, 0}, {60, 0}, {60, 40}, {0, 40}};
  path.closed = true;
  path.fill = {0, 0, 0, 255};
  EXPECT_NEAR(painted_area(path), 2400.0, 1.0);
  std::reverse(path.points.begin(), path.points.end());
  EXPECT_NEAR(painted_area(path), 2400.0, 1.0);
  RectItem rect;
  rect.rect = {3.0, 4.0, 60.0, 40.0};
  rect.fill = {0, 0, 0, 255};
  EXPECT_NEAR(painted_area(rect), 2400.0, 1.0);
}

TEST(CanvasPaint, DashesLeaveTheirGapsFree) {
  LineItem line;
  line.from = {0.0, 10.0};
  line.to = {100.0, 10.0};
  line.width = 2.0;
  EXPECT_NEAR(painted_area(line), 200.0, 1.0);
  line.dash = {6.0, 4.0};
  EXPECT_NEAR(painted_area(line), 120.0, 1.0);
}

TEST(CanvasPaint, NothingVisibleIsNothingDrawn) {
  RectItem hit_only;
  hit_only.rect = {0, 0, 50, 50};
  hit_only.hit = StageHit{};
  EXPECT_EQ(painted_area(hit_only), 0.0);
  EXPECT_EQ(painted_area(MatrixItem{}), 0.0);
  EXPECT_EQ(painted_area(PathItem{}), 0.0);
}

}  // namespace
}  // namespace attn::test
