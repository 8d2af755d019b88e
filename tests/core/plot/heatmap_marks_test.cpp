// Pins and the cross-hair on a heatmap.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "plot/kit/marks.h"
#include "plot/maps/heatmap.h"
#include "tests/core/plot/heatmap_cases.h"
#include "tests/support/drawing.h"
#include "tests/support/fake_result.h"
#include "tests/support/golden.h"

namespace attn {
namespace {

using namespace test;

TEST(HeatmapPins, PinsAreFramesWithTheirNumbersAtTheirCells) {
  const FakeResult result = FakeResult(problem_of(4, 4)).with(Stage::Weights, cell_value);
  const Document document = cross_document(4, 4);
  PlotOptions options;
  const auto frames_at = [&](std::size_t row, std::size_t col) {
    const Figure figure = heatmap({{document, result}, options, FixedMetrics()});
    const Rect cell = cell_rect(*find_matrix(figure), row, col);
    const auto rects = items_of<RectItem>(figure);
    return std::count_if(rects.begin(), rects.end(), [&](const RectItem& r) {
      return r.rect == cell && r.stroke == figure_theme(ThemeKind::Paper).accent;
    });
  };
  EXPECT_EQ(frames_at(1, 2), 0);
  options.pins = {{{Stage::Weights, {}}, 1, 2}, {{Stage::Weights, {}}, 3, 0}};
  EXPECT_EQ(frames_at(1, 2), 1);
  EXPECT_EQ(frames_at(3, 0), 1);
  const Figure figure = heatmap({{document, result}, options, FixedMetrics()});
  EXPECT_TRUE(has_text(figure, "1"));
  EXPECT_TRUE(has_text(figure, "2"));
  options.pins = {{{Stage::Query, {}}, 1, 2}};
  EXPECT_EQ(frames_at(1, 2), 0);
}

TEST(HeatmapPins, PinsAreDrawnOnTheirOwnHeadAndKindOfMatrixWithTheirOwnNumber) {
  const FakeResult result = FakeResult(problem_of(4, 4, 2))
                                .with(Stage::Weights, cell_value)
                                .with(Stage::Scores, cell_value)
                                .with(Stage::Query, cell_value);
  const Document document = cross_document(4, 4);
  PlotOptions options;
  options.values = options.color_bar = false;
  const HeadAddress other{0, 0, 1};
  options.pins = {{{Stage::Weights, {}}, 1, 2}, {{Stage::Weights, other}, 3, 0}};
  const auto numbers = [&](Stage stage, const HeadAddress& head) {
    options.stage = stage;
    options.at = head;
    const Figure figure = heatmap({{document, result}, options, FixedMetrics()});
    return std::pair(has_text(figure, "1"), has_text(figure, "2"));
  };
  EXPECT_EQ(numbers(Stage::Weights, {}), std::pair(true, false));
  EXPECT_EQ(numbers(Stage::Scores, {}), std::pair(true, false));
  EXPECT_EQ(numbers(Stage::Weights, other), std::pair(false, true));
  options.pins = {{{Stage::Weights, other}, 1, 1}};
  const auto discs = [&](Stage stage) {
    options.stage = stage;
    const auto rects = items_of<RectItem>(heatmap({{document, result}, options, FixedMetrics()}));
    return std::count_if(rects.begin(), rects.end(), [](const RectItem& r) {
      return r.radius > 0.0 && r.rect.width == 2.0 * r.radius;
    });
  };
  EXPECT_EQ(discs(Stage::Weights), 1);
  EXPECT_EQ(discs(Stage::Query), 0);
}

TEST(HeatmapHover, MarksTheCellItsRowAndItsColumn) {
  const FakeResult result = FakeResult(problem_of(4, 4)).with(Stage::Weights, cell_value);
  const Document document = cross_document(4, 4);
  const Figure figure = heatmap({{document, result}, {}, FixedMetrics()});
  const Figure hover = hover_marks(figure, {{Stage::Weights, {}}, 2, 1}, ThemeKind::Dark);
  const MatrixItem& matrix = *find_matrix(figure);
  const Rect cell = cell_rect(matrix, 2, 1);
  EXPECT_EQ(hover.background.a, 0);
  EXPECT_EQ(hover.width, figure.width);
  const auto rects = items_of<RectItem>(hover);
  const auto has = [&](const Rect& r) {
    return std::any_of(rects.begin(), rects.end(), [&](const RectItem& i) { return i.rect == r; });
  };
  EXPECT_TRUE(has(cell));
  EXPECT_TRUE(has({matrix.clip.x, cell.y, matrix.clip.width, cell.height}));
  EXPECT_TRUE(has({cell.x, matrix.clip.y, cell.width, matrix.clip.height}));
  EXPECT_TRUE(has_text(hover, "q2"));
  EXPECT_TRUE(has_text(hover, "k1"));
  const FigureTheme& theme = figure_theme(ThemeKind::Dark);
  std::map<std::string, std::vector<Color>> inks;
  for (const TextItem& text : items_of<TextItem>(hover)) inks[text.text].push_back(text.color);
  EXPECT_EQ(inks.size(), 2U);
  for (const auto& [label, colors] : inks) {
    EXPECT_EQ(colors.front(), theme.background) << label << ": its old ink is taken back";
    EXPECT_EQ(colors.back(), theme.accent) << label;
  }
  EXPECT_TRUE(hover_marks(figure, {{Stage::Weights, {}}, 9, 9}, ThemeKind::Dark).items.empty());
}

TEST(HeatmapHover, LeavesTheNumbersOfPinsOnTop) {
  const FakeResult result = FakeResult(problem_of(4, 4)).with(Stage::Weights, cell_value);
  const Document document = cross_document(4, 4);
  PlotOptions options;
  options.pins = {{{Stage::Weights, {}}, 2, 1}, {{Stage::Weights, {}}, 0, 3}};
  const Figure figure = heatmap({{document, result}, options, FixedMetrics()});
  const Figure hover = hover_marks(figure, {{Stage::Weights, {}}, 2, 1}, ThemeKind::Paper);
  ASSERT_GE(hover.items.size(), 4U);
  for (std::size_t i = 0; i < 2; ++i) {
    const std::size_t at = hover.items.size() - 4 + 2 * i;
    const auto* badge = std::get_if<RectItem>(&hover.items[at]);
    const auto* number = std::get_if<TextItem>(&hover.items[at + 1]);
    ASSERT_TRUE(badge != nullptr && number != nullptr);
    EXPECT_EQ(number->text, std::to_string(i + 1));
    EXPECT_EQ(badge->fill, figure_theme(ThemeKind::Paper).accent);
  }
}

TEST(TokenMarks, FrameARowWhoseFirstColumnIsOutOfView) {
  const MatrixCells cells{2, 4, std::vector<float>(8), {}, {}};
  Figure figure{.width = 80.0, .height = 80.0};
  figure.add(MatrixItem{.rect = {-80.0, 0.0, 160.0, 80.0},
                        .clip = {0.0, 0.0, 80.0, 80.0},
                        .cells = std::make_shared<const MatrixCells>(cells),
                        .row_count = 2,
                        .col_count = 4,
                        .origin = MatrixId{Stage::Weights, {}}});
  const Figure marks = token_marks(figure, {Side::Query, 0, 1}, false, ThemeKind::Paper);
  const auto frames = items_of<RectItem>(marks);
  ASSERT_EQ(frames.size(), 1U);
  EXPECT_EQ(frames.front().rect, (Rect{0.0, 40.0, 80.0, 40.0}));
}

}  // namespace
}  // namespace attn
