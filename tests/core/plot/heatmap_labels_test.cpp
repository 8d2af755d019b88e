// Texts around the cells of a heatmap, and their layout.
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <set>

#include "plot/colors/color_range.h"
#include "plot/kit/cells.h"
#include "plot/maps/heatmap.h"
#include "tests/core/plot/computed_case.h"
#include "tests/core/plot/heatmap_cases.h"
#include "tests/core/plot/text_boxes.h"
#include "tests/support/drawing.h"
#include "tests/support/fake_result.h"

namespace attn {
namespace {

using namespace test;

FakeResult with_an_unseeing_row(Stage stage) {
  AttentionProblem problem = problem_of(3, 3);
  problem.mask.query_padding = {{1, 0, 1}};
  return FakeResult(problem).with(stage, cell_value);
}

// Some of 300 labels have room; those of a pin are among them, and no two overlap.
TEST(Heatmap, LabelsOfAPinAreDrawnWhereOthersAreLeftOut) {
  const Document document = cross_document(300, 300);
  const FakeResult result = FakeResult(problem_of(300, 300)).with(Stage::Weights, cell_value);
  for (const std::size_t row : {7U, 113U, 299U}) {
    PlotOptions options;
    options.pins = {{{Stage::Weights, {}}, row, row - 2}};
    const Figure figure = heatmap({{document, result}, options, FixedMetrics()});
    std::set<std::pair<Side, std::size_t>> labelled;
    std::map<double, double> tops;
    for (const TextItem& text : items_of<TextItem>(figure)) {
      const auto* token = std::get_if<TokenHit>(&text.hit);
      if (token == nullptr) continue;
      labelled.emplace(token->side, token->index);
      if (token->side == Side::Query) tops[text.anchor.y] = text.anchor.y;
    }
    EXPECT_TRUE(labelled.contains({Side::Query, row})) << row;
    EXPECT_TRUE(labelled.contains({Side::Key, row - 2})) << row;
    for (auto top = tops.begin(); std::next(top) != tops.end(); ++top) {
      EXPECT_GE(std::next(top)->first - top->first, options.font_size) << row;
    }
  }
}

TEST(Heatmap, RowsThatSeeNoKeyAreMarkedWhereItShows) {
  const Document document = cross_document(3, 3);
  for (const Stage stage : {Stage::Masked, Stage::Weights, Stage::Output}) {
    const FakeResult result = with_an_unseeing_row(stage);
    PlotOptions options;
    options.stage = stage;
    const Figure figure = heatmap({{document, result}, options, FixedMetrics()});
    EXPECT_TRUE(has_text(figure, "∅ sees no key: weights and output are 0"));
    const auto texts = items_of<TextItem>(figure);
    const auto is_mark = [](const TextItem& text) { return text.text == "∅"; };
    ASSERT_EQ(std::count_if(texts.begin(), texts.end(), is_mark), 1);
    const Point mark = std::find_if(texts.begin(), texts.end(), is_mark)->anchor;
    const MatrixItem& matrix = *find_matrix(figure);
    EXPECT_NEAR(mark.y, centre(cell_rect(matrix, 1, 0)).y, 1e-6);
    EXPECT_LT(mark.x, matrix.clip.x);
  }
  const FakeResult scores = with_an_unseeing_row(Stage::Scores);
  EXPECT_FALSE(has_text(heatmap({{document, scores}, {}, FixedMetrics()}), "∅"));
}

TEST(Heatmap, APartInAFileSaysWhichPartItIsAndNamesAllItsTokens) {
  const FakeResult result = FakeResult(problem_of(10, 12)).with(Stage::Weights, cell_value);
  PlotOptions options;
  options.window = whole_cells({2.6, 1.2, 3.0, 2.0});
  EXPECT_EQ(options.window, (CellWindow{2.0, 1.0, 4.0, 3.0}));
  const std::string words = "Attention weights, queries 3 to 6 of 10, keys 2 to 4 of 12";
  const Document document = cross_document(10, 12);
  EXPECT_FALSE(has_text(heatmap({{document, result}, options, FixedMetrics()}), words));
  options.dots_per_unit = 4.0;
  const Figure figure = heatmap({{document, result}, options, FixedMetrics()});
  EXPECT_TRUE(has_text(figure, words));
  for (const char* token : {"q2", "q5", "k1", "k3"}) EXPECT_TRUE(has_text(figure, token)) << token;
  EXPECT_FALSE(has_text(figure, "q6"));
  EXPECT_EQ(whole_cells({}), CellWindow());
}

Document long_names() {
  const std::string stem(59, 'x');
  Document document;
  document.cross = true;
  document.query_tokens = {{stem + "1", stem + "2"}};
  document.key_tokens = {{stem + "3", stem + "4"}};
  return document;
}

TEST(Labels, OfLongNamesThatDifferAtTheirEndsDiffer) {
  const Document document = long_names();
  const FakeResult result = FakeResult(problem_of(2, 2)).with(Stage::Weights, cell_value);
  for (const char* plot : {"heatmap", "links"}) {
    const Result<Figure> figure = draw(plot, {document, result}, {}, FixedMetrics());
    ASSERT_TRUE(figure.ok()) << describe(figure.error());
    std::set<std::string> labels;
    for (const TextItem& text : items_of<TextItem>(*figure)) {
      if (text.text.starts_with("xxx")) labels.insert(text.text);
    }
    EXPECT_EQ(labels.size(), 4U) << *labels.begin();
  }
}

TEST(Labels, OfByteLevelTokensAreTheirText) {
  Document document = cross_document(3, 2);
  document.query_tokens = {{"The", "Ġcat", "ĠsatâĢĻs"}};
  document.key_tokens = {{"Ġcat", "two words"}};
  const FakeResult result = FakeResult(problem_of(3, 2)).with(Stage::Weights, cell_value);
  const Figure figure = heatmap({{document, result}, {}, FixedMetrics()});
  for (const char* label : {"␣cat", "␣sat’s", "Ġcat"})
    EXPECT_TRUE(has_text(figure, label)) << label;
}

TEST(Heatmap, TheLowestColourBarSaysItsRange) {
  AttentionProblem problem = problem_of(2, 2);
  PlotOptions options;
  options.stage = Stage::Query;
  for (const std::size_t columns : {2U, 6U, 40U}) {
    problem.shape.d_k = columns;
    const FakeResult result = FakeResult(problem).with(Stage::Query, cell_value);
    const Figure figure = heatmap({{cross_document(2, 2), result}, options, FixedMetrics()});
    EXPECT_TRUE(has_text(figure, color_range(result, options).basis)) << columns;
  }
}

TEST(ColorBar, EveryRangeHasTwoNumbersHoweverLowTheBar) {
  for (double reach = 0.01; reach < 1000.0; reach *= 1.17) {
    for (const double height : {20.0, 40.0, 60.0, 100.0}) {
      const auto end = static_cast<float>(reach);
      const ColorScale signed_scale{colormap_named("redblue"), -end, end};
      EXPECT_GE(bar_ticks(signed_scale, height, 10.0).size(), 2U) << reach;
      EXPECT_GE(bar_ticks({colormap_named("viridis"), 0.37F * end, end}, height, 10.0).size(), 2U)
          << reach;
    }
  }
}

TEST(Heatmap, QueriesOfTheirOwnWidthHaveItsSymbol) {
  AttentionProblem problem = problem_of(2, 2);
  problem.shape.d_k = 3;
  PlotOptions options;
  options.stage = Stage::Query;
  const auto titled = [&](const std::string& title) {
    const FakeResult result = FakeResult(problem).with(Stage::Query, cell_value);
    return has_text(heatmap({{cross_document(2, 2), result}, options, FixedMetrics()}), title);
  };
  EXPECT_TRUE(titled("Feature (d_k)"));
  problem.shape.d_q = 2;
  EXPECT_TRUE(titled("Feature (d_q)"));
}

TEST(Heatmap, ThinnedOutLabelsHaveTicksAtTheirCells) {
  const auto ticks = [](std::size_t n) {
    const FakeResult result = FakeResult(problem_of(n, n)).with(Stage::Weights, cell_value);
    const Document document = cross_document(n, n);
    const Figure figure = heatmap({{document, result}, {}, FixedMetrics()});
    const Rect clip = find_matrix(figure)->clip;
    std::set<double> rows, columns;
    for (const LineItem& line : items_of<LineItem>(figure)) {
      if (line.from.x == clip.x && line.to.x < clip.x) rows.insert(line.from.y);
      if (line.from.y == clip.y && line.to.y < clip.y) columns.insert(line.from.x);
    }
    std::size_t labelled = 0;
    for (const TextItem& text : items_of<TextItem>(figure)) {
      const auto* token = std::get_if<TokenHit>(&text.hit);
      if (token != nullptr && token->side == Side::Query) {
        ++labelled;
        EXPECT_TRUE(n <= 5 || rows.contains(text.anchor.y)) << text.text;
      }
      if (n > 5 && token != nullptr && token->side == Side::Key) {
        EXPECT_TRUE(columns.contains(text.anchor.x)) << text.text;
      }
    }
    EXPECT_GT(labelled, 0U);
    return rows.size() + columns.size();
  };
  EXPECT_EQ(ticks(5), 0U);
  EXPECT_GT(ticks(300), 20U);
}

TEST(Heatmap, NumbersHaveAirAndAreNoLargerThanNeeded) {
  for (const std::size_t n : {1U, 2U, 4U, 8U, 10U, 12U}) {
    const FakeResult result = FakeResult(problem_of(n, n)).with(Stage::Weights, cell_value);
    const Document document = cross_document(n, n);
    const Figure figure = heatmap({{document, result}, {}, FixedMetrics()});
    const MatrixItem& matrix = *find_matrix(figure);
    const Rect cell = cell_rect(matrix, 0, 0);
    const std::vector<TextItem> texts = items_of<TextItem>(figure);
    const TextItem* text = text_at(texts, centre(cell));
    if (text == nullptr) continue;
    EXPECT_LE(FixedMetrics().measure(text->text, text->font).width, 0.8 * cell.width + 1e-9);
    EXPECT_TRUE(cell.width >= 72.0 || text->font.size <= 1.2 * 9.0 + 1e-9) << n;
  }
}

TEST(Heatmap, NumbersGrowWithTheirCellsOnScreenAlone) {
  const auto size_of_numbers = [](std::size_t tokens, bool on_screen) {
    const FakeResult result =
        FakeResult(problem_of(tokens, tokens)).with(Stage::Weights, cell_value);
    PlotOptions options;
    options.on_screen = on_screen;
    options.width = options.height = 800.0;
    const Figure figure =
        heatmap({{cross_document(tokens, tokens), result}, options, FixedMetrics()});
    const Point middle = centre(cell_rect(*find_matrix(figure), 0, 0));
    const std::vector<TextItem> texts = items_of<TextItem>(figure);
    return text_at(texts, middle)->font.size / options.font_size;
  };
  EXPECT_DOUBLE_EQ(size_of_numbers(3, false), 1.0);
  EXPECT_DOUBLE_EQ(size_of_numbers(3, true), 1.8);
  EXPECT_DOUBLE_EQ(size_of_numbers(12, true), 1.0);
}

TEST(Heatmap, LongTitlesWrapToTwoLines) {
  const FakeResult result = FakeResult(problem_of(3, 3)).with(Stage::Weights, cell_value);
  Document document = cross_document(3, 3);
  document.title = std::string(60, 'a') + " " + std::string(60, 'b');
  PlotOptions options;
  const Figure figure = heatmap({{document, result}, options, FixedMetrics()});
  EXPECT_TRUE(has_text(figure, std::string(60, 'a')));
  EXPECT_TRUE(has_text(figure, std::string(60, 'b')));
  EXPECT_EQ(test::text_problems(figure, FixedMetrics()), "");
}

TEST(Heatmap, TheBarIsLeftOutWhereItDoesNotFit) {
  const FakeResult result = FakeResult(problem_of(30, 30)).with(Stage::Weights, cell_value);
  const Document document = cross_document(30, 30);
  PlotOptions options;
  options.range = ColorSpan::Unit;
  for (const double width : {110.0, 120.0, 200.0}) {
    options.width = width;
    const Figure figure = heatmap({{document, result}, options, FixedMetrics()});
    EXPECT_EQ(test::text_problems(figure, FixedMetrics()), "") << width;
    EXPECT_EQ(has_text(figure, "1.0"), width == 200.0) << width;
    const Rect clip = find_matrix(figure)->clip;
    EXPECT_LE(clip.x + clip.width, width);
  }
}

TEST(Heatmap, ValuesBeyondTheGivenRangePointTheBarsEnd) {
  const FakeResult result = FakeResult(problem_of(4, 4)).with(Stage::Weights, cell_value);
  const Document document = cross_document(4, 4);
  const auto points = [&](std::optional<double> low, std::optional<double> high) {
    PlotOptions options;
    options.range_low = low;
    options.range_high = high;
    std::vector<Color> fills;
    for (const PathItem& path :
         items_of<PathItem>(heatmap({{document, result}, options, FixedMetrics()}))) {
      if (path.hit == HitId(ColorBarHit{})) fills.push_back(path.fill);
    }
    return fills;
  };
  const auto& colors = colormap_named("viridis")->colors;
  EXPECT_TRUE(points({}, {}).empty());
  EXPECT_EQ(points({}, 0.3), std::vector<Color>{colors.back()});
  EXPECT_EQ(points(0.2, {}), std::vector<Color>{colors.front()});
  EXPECT_EQ(points(0.2, 0.3).size(), 2U);
  EXPECT_TRUE(points(-1.0, 2.0).empty());
}

TEST(Heatmap, SharedKeysAndValuesNameTheirOwnHead) {
  AttentionProblem problem = problem_of(3, 3, 8);
  problem.shape.kv_heads = 4;
  const FakeResult result =
      FakeResult(problem).with(Stage::Query, cell_value).with(Stage::Key, cell_value);
  const Document document = cross_document(3, 3);
  PlotOptions options;
  options.at.head = 7;
  options.stage = Stage::Key;
  EXPECT_TRUE(has_text(heatmap({{document, result}, options, FixedMetrics()}),
                       "Key, head 8 of 8 (key-value head 4 of 4)"));
  options.stage = Stage::Query;
  EXPECT_TRUE(
      has_text(heatmap({{document, result}, options, FixedMetrics()}), "Query, head 8 of 8"));
}

TEST(Heatmap, TheProjectedOutputNamesItsFeatures) {
  AttentionProblem problem = problem_of(3, 3);
  problem.shape.d_out = 5;
  const FakeResult result = FakeResult(problem).with(Stage::Projected, cell_value);
  const Document document = cross_document(3, 3);
  PlotOptions options;
  options.stage = Stage::Projected;
  EXPECT_TRUE(has_text(heatmap({{document, result}, options, FixedMetrics()}), "Feature (d_out)"));
}

TEST(Heatmap, TheAlternativeTextCounts) {
  const FakeResult result = FakeResult(problem_of(1, 2)).with(Stage::Weights, cell_value);
  const Document document = cross_document(1, 2);
  EXPECT_EQ(heatmap({{document, result}, {}, FixedMetrics()}).alt_text,
            "Heatmap of Attention weights: 1 query (rows) by 2 keys (columns)");
}

}  // namespace
}  // namespace attn
