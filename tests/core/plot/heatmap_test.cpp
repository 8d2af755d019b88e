// Everything that a heatmap draws, compared with the tensor.
#include "plot/maps/heatmap.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "base/number_text.h"
#include "base/special_numbers.h"
#include "export/export.h"
#include "plot/colors/color_range.h"
#include "plot/kit/axis.h"
#include "plot/kit/chart.h"
#include "support/rasterize.h"
#include "tests/core/plot/heatmap_cases.h"
#include "tests/core/plot/text_boxes.h"
#include "tests/support/drawing.h"
#include "tests/support/fake_result.h"
#include "tests/support/golden.h"

namespace attn {
namespace {

using namespace test;

TEST(Heatmap, EveryNumberDrawnIsTheTensorsAndEveryCellHasOne) {
  const FakeResult result = FakeResult(problem_of(4, 6, 2)).with(Stage::Weights, cell_value);
  const Document document = cross_document(4, 6);
  PlotOptions options;
  options.at.head = 1;
  const Figure figure = heatmap({{document, result}, options, FixedMetrics()});
  const MatrixItem& matrix = *find_matrix(figure);
  const auto texts = items_of<TextItem>(figure);
  for (std::size_t q = 0; q < 4; ++q) {
    for (std::size_t k = 0; k < 6; ++k) {
      const TextItem* text = text_at(texts, centre(cell_rect(matrix, q, k)));
      ASSERT_NE(text, nullptr) << q << " " << k;
      const float value = result.value(Stage::Weights, {0, 0, 1}, q, k);
      EXPECT_EQ(text->text, value == 0.0F ? "0" : fixed_text(value, 2)) << "0 only where it is 0";
      const Color cell = matrix.scale.map->colors[color_index(matrix.scale, value)];
      EXPECT_EQ(text->color, readable_on(cell));
    }
  }
}

TEST(Heatmap, CellsAreTheTensorRowByRow) {
  const FakeResult result = FakeResult(problem_of(5, 3)).with(Stage::Weights, cell_value);
  const Document document = cross_document(5, 3);
  const Figure figure = heatmap({{document, result}, {}, FixedMetrics()});
  const MatrixItem& matrix = *find_matrix(figure);
  ASSERT_EQ(matrix.cells->rows, 5U);
  ASSERT_EQ(matrix.cells->cols, 3U);
  for (std::size_t i = 0; i < 15; ++i) {
    EXPECT_EQ(matrix.cells->values[i], cell_value({}, i / 3, i % 3));
  }
  EXPECT_EQ(matrix.origin->stage, Stage::Weights);
  EXPECT_EQ(matrix.scale.low, 0.0F);
  EXPECT_EQ(matrix.scale.high, 1.0F);
}

TEST(Heatmap, RowLabelsAreQueriesAndColumnLabelsKeysAtTheirCells) {
  const FakeResult result = FakeResult(problem_of(4, 6)).with(Stage::Weights, cell_value);
  const Document document = cross_document(4, 6);
  const Figure figure = heatmap({{document, result}, {}, FixedMetrics()});
  const MatrixItem& matrix = *find_matrix(figure);
  std::size_t rows = 0, cols = 0;
  for (const TextItem& text : items_of<TextItem>(figure)) {
    const auto* token = std::get_if<TokenHit>(&text.hit);
    if (token == nullptr) continue;
    if (token->side == Side::Query) {
      ++rows;
      EXPECT_EQ(text.text, "q" + std::to_string(token->index));
      EXPECT_NEAR(text.anchor.y, centre(cell_rect(matrix, token->index, 0)).y, 1e-6);
      EXPECT_LT(text.anchor.x, matrix.clip.x);
    } else {
      ++cols;
      EXPECT_EQ(text.text, "k" + std::to_string(token->index));
      EXPECT_NEAR(text.anchor.x, centre(cell_rect(matrix, 0, token->index)).x, 1e-6);
      EXPECT_LT(text.anchor.y, matrix.clip.y);
    }
  }
  EXPECT_EQ(rows, 4U);
  EXPECT_EQ(cols, 6U);
  EXPECT_TRUE(has_text(figure, std::string(kKeyAxisTitle)));
  EXPECT_TRUE(has_text(figure, std::string(kQueryAxisTitle)));
}

TEST(Heatmap, LabelsAreHitWhereTheyStand) {
  const FakeResult result = FakeResult(problem_of(4, 30)).with(Stage::Weights, cell_value);
  const Document document = cross_document(4, 30);
  const Figure figure = heatmap({{document, result}, {}, FixedMetrics()});
  std::size_t tested = 0;
  for (const TextItem& text : items_of<TextItem>(figure)) {
    if (!std::holds_alternative<TokenHit>(text.hit)) continue;
    EXPECT_EQ(hit_test(figure, test::middle_of(text, FixedMetrics())), text.hit) << text.text;
    ++tested;
  }
  EXPECT_EQ(tested, 34U);
}

TEST(Heatmap, TokensAreMadeVisible) {
  Document document;
  document.query_tokens = {{" a", "b\n"}};
  const FakeResult result = FakeResult(problem_of(2, 2)).with(Stage::Weights, cell_value);
  const Figure figure = heatmap({{document, result}, {}, FixedMetrics()});
  EXPECT_TRUE(has_text(figure, "␣a"));
  EXPECT_TRUE(has_text(figure, "b↵"));
}

TEST(Heatmap, HiddenCellsCarryTheirRulesAndNoNumber) {
  AttentionProblem problem = problem_of(3, 3);
  problem.mask.causal = true;
  const FakeResult result = FakeResult(problem).with(Stage::Weights, cell_value);
  const Document document = cross_document(3, 3);
  const Figure figure = heatmap({{document, result}, {}, FixedMetrics()});
  const MatrixItem& matrix = *find_matrix(figure);
  const auto texts = items_of<TextItem>(figure);
  ASSERT_EQ(matrix.cells->hidden.size(), 9U);
  for (std::size_t q = 0; q < 3; ++q) {
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_EQ(matrix.cells->hidden[3 * q + k], k > q ? kHiddenByCausal : kVisible);
      EXPECT_EQ(text_at(texts, centre(cell_rect(matrix, q, k))) == nullptr, k > q);
    }
  }
  EXPECT_TRUE(has_text(figure, "hidden by causal mask"));
}

TEST(Heatmap, TheLegendNamesEveryRuleThatHides) {
  const auto legend_of = [](const Mask& mask, const std::string& sentence) {
    AttentionProblem problem = problem_of(2, 2);
    problem.mask = mask;
    const FakeResult result = FakeResult(problem).with(Stage::Weights, cell_value);
    const Document document = cross_document(2, 2);
    return has_text(heatmap({{document, result}, {}, FixedMetrics()}), sentence);
  };
  Mask mask;
  mask.key_padding = {{1, 1}};
  EXPECT_FALSE(legend_of(mask, "hidden by key padding"));
  mask.key_padding = {{1, 0}};
  mask.query_padding = {{0, 1}};
  EXPECT_TRUE(legend_of(mask, "hidden by key padding and query padding"));
  Mask by_hand;
  by_hand.visible = BoolTensor({2, 2}, {1, 0, 1, 1});
  EXPECT_TRUE(legend_of(by_hand, "hidden by painted cells"));
  Mask by_bias;
  by_bias.bias = Tensor({2, 2}, {0, 0, -std::numeric_limits<float>::infinity(), 0});
  EXPECT_TRUE(legend_of(by_bias, "hidden by a bias of -inf"));
}

TEST(Heatmap, TheLegendNamesOnlyWhatHidesCellsInView) {
  AttentionProblem problem = problem_of(6, 6);
  problem.shape.samples = 2;
  problem.mask.causal = true;
  problem.mask.key_padding = {{1, 1, 1, 1, 1, 1}, {1, 1, 1, 1, 0, 0}};
  const FakeResult result = FakeResult(problem).with(Stage::Weights, cell_value);
  Document document = cross_document(6, 6);
  document.query_tokens.push_back(document.query_tokens[0]);
  document.key_tokens.push_back(document.key_tokens[0]);
  PlotOptions options;
  const auto legend = [&] {
    std::string found;
    for (const TextItem& text :
         items_of<TextItem>(heatmap({{document, result}, options, FixedMetrics()}))) {
      if (text.text.starts_with("hidden by")) found += text.text + ".";
    }
    return found;
  };
  EXPECT_EQ(legend(), "hidden by causal mask.");
  options.at.sample = 1;
  EXPECT_EQ(legend(), "hidden by causal mask.hidden by key padding.");
  options.window = {4.0, 0.0, 2.0, 4.0};
  EXPECT_EQ(legend(), "");
}

TEST(Heatmap, ScoresBeforeTheMaskAreNotHatched) {
  AttentionProblem problem = problem_of(3, 3);
  problem.mask.causal = true;
  const FakeResult result = FakeResult(problem).with(Stage::Scores, cell_value);
  const Document document = cross_document(3, 3);
  PlotOptions options;
  options.stage = Stage::Scores;
  const Figure figure = heatmap({{document, result}, options, FixedMetrics()});
  EXPECT_TRUE(find_matrix(figure)->cells->hidden.empty());
  EXPECT_EQ(find_matrix(figure)->scale.map, colormap_named("redblue"));
  EXPECT_FALSE(has_text(figure, "hidden by causal mask"));
}

TEST(Heatmap, AColourMapChosenByNameWinsInEveryStage) {
  const FakeResult result =
      FakeResult(problem_of(3, 3)).with(Stage::Scores, cell_value).with(Stage::Weights, cell_value);
  const Document document = cross_document(3, 3);
  const auto map_of = [&](Stage stage, const char* name) {
    PlotOptions options;
    options.stage = stage;
    options.colormap = name;
    return find_matrix_map(heatmap({{document, result}, options, FixedMetrics()}));
  };
  EXPECT_EQ(map_of(Stage::Weights, "auto"), "viridis");
  EXPECT_EQ(map_of(Stage::Scores, "auto"), "redblue");
  EXPECT_EQ(map_of(Stage::Scores, "viridis"), "viridis");
  EXPECT_EQ(map_of(Stage::Weights, "redblue"), "redblue");
}

TEST(Heatmap, NonFiniteNumbersAreShownAsTextAndKeptOutOfTheRange) {
  const FakeResult result =
      FakeResult(problem_of(2, 2)).with(Stage::Scores, [](auto&, auto row, auto col) {
        if (row == 0) return col == 0 ? kNaN : -std::numeric_limits<float>::infinity();
        return 2.0F;
      });
  const Document document = cross_document(2, 2);
  PlotOptions options;
  options.stage = Stage::Scores;
  const Figure figure = heatmap({{document, result}, options, FixedMetrics()});
  const MatrixItem& matrix = *find_matrix(figure);
  const auto texts = items_of<TextItem>(figure);
  EXPECT_EQ(text_at(texts, centre(cell_rect(matrix, 0, 0)))->text, "nan");
  EXPECT_EQ(text_at(texts, centre(cell_rect(matrix, 0, 1)))->text, "−inf");
  EXPECT_EQ(matrix.scale.high, 2.0F);
  EXPECT_EQ(matrix.scale.low, -2.0F);
}

TEST(Heatmap, NumbersGoWhenTheyDoNotFitOrAreNotWanted) {
  const Document document = cross_document(60, 60);
  const FakeResult large = FakeResult(problem_of(60, 60)).with(Stage::Weights, cell_value);
  EXPECT_FALSE(has_text(heatmap({{document, large}, {}, FixedMetrics()}), "0.35"));
  const FakeResult small = FakeResult(problem_of(2, 2)).with(Stage::Weights, cell_value);
  PlotOptions options;
  EXPECT_TRUE(has_text(heatmap({{document, small}, options, FixedMetrics()}), "0.35"));
  options.values = false;
  EXPECT_FALSE(has_text(heatmap({{document, small}, options, FixedMetrics()}), "0.35"));
  options.values = true;
  options.decimals = 4;
  EXPECT_TRUE(has_text(heatmap({{document, small}, options, FixedMetrics()}), "0.3500"));
}

TEST(Heatmap, ZoomingShowsTheWindowsCellsAndMovesNothingElse) {
  const FakeResult result = FakeResult(problem_of(40, 40)).with(Stage::Weights, cell_value);
  const Document document = cross_document(40, 40);
  PlotOptions options;
  options.width = 700;
  options.height = 500;
  const Figure whole = heatmap({{document, result}, options, FixedMetrics()});
  options.window = {3.25, 10.5, 6.0, 6.0};
  const Figure zoomed = heatmap({{document, result}, options, FixedMetrics()});
  const MatrixItem& matrix = *find_matrix(zoomed);
  EXPECT_EQ(matrix.clip, find_matrix(whole)->clip);
  EXPECT_EQ(matrix.first_row, 3U);
  EXPECT_EQ(matrix.first_col, 10U);
  EXPECT_EQ(matrix.cells->rows, 7U);
  EXPECT_EQ(matrix.cells->cols, 7U);
  for (std::size_t row = 0; row < 7; ++row) {
    for (std::size_t col = 0; col < 7; ++col) {
      EXPECT_EQ(matrix.cells->values[7 * row + col], cell_value({}, 3 + row, 10 + col));
    }
  }
  EXPECT_NEAR(cell_rect(matrix, 4, 11).height, matrix.clip.height / 6.0, 1e-6);
  EXPECT_EQ(cell_rect(matrix, 2, 11).width, 0.0);
  const auto texts = items_of<TextItem>(zoomed);
  EXPECT_EQ(text_at(texts, centre(cell_rect(matrix, 5, 12)))->text,
            fixed_text(cell_value({}, 5, 12), 2));
  // Three quarters of row 3, half of column 10 and a quarter of row 9 are in view.
  const auto in_cell = [&](double row, double col) {
    const double size = matrix.clip.height / 6.0, width = matrix.clip.width / 6.0;
    return text_at(texts, {matrix.clip.x + (col + 0.5 - 10.5) * width,
                           matrix.clip.y + (row + 0.5 - 3.25) * size});
  };
  ASSERT_NE(in_cell(3, 12), nullptr);
  EXPECT_EQ(in_cell(3, 12)->text, fixed_text(cell_value({}, 3, 12), 2));
  EXPECT_EQ(in_cell(5, 10), nullptr) << "it would be cut";
  EXPECT_EQ(in_cell(9, 12), nullptr);
}

TEST(Heatmap, WindowsOutsideTheMatrixAreBroughtInside) {
  const FakeResult result = FakeResult(problem_of(4, 4)).with(Stage::Weights, cell_value);
  const Document document = cross_document(4, 4);
  PlotOptions options;
  for (const CellWindow window :
       {CellWindow{-5, -5, 2, 2}, CellWindow{100, 100, 2, 2}, CellWindow{0, 0, 900, 900},
        CellWindow{kNaN, 0, 1, 1}, CellWindow{1, 1, kNaN, 2}}) {
    options.window = window;
    const Figure figure = heatmap({{document, result}, options, FixedMetrics()});
    const MatrixItem& matrix = *find_matrix(figure);
    EXPECT_LE(matrix.first_row + matrix.cells->rows, 4U);
    EXPECT_GT(matrix.cells->rows, 0U);
    EXPECT_GT(matrix.rect.width, 0.0);
  }
}

TEST(Heatmap, LargeMatricesArePooledAndSaySo) {
  const FakeResult result =
      FakeResult(problem_of(250, 90)).with(Stage::Weights, [](auto&, auto row, auto col) {
        return row == 101 && col == 50 ? 0.9F : 0.1F;
      });
  const Document document = cross_document(250, 90);
  PlotOptions options;
  options.pixel_budget = 100;
  const Figure figure = heatmap({{document, result}, options, FixedMetrics()});
  const MatrixItem& matrix = *find_matrix(figure);
  EXPECT_EQ(matrix.row_step, 3U);
  EXPECT_EQ(matrix.col_step, 1U);
  EXPECT_EQ(matrix.cells->values[(101 / 3) * 90 + 50], 0.9F);
  EXPECT_EQ(std::count(matrix.cells->values.begin(), matrix.cells->values.end(), 0.9F), 1);
  EXPECT_TRUE(has_text(figure, "each pixel shows the maximum of 3 × 1 cells"));
  const Rect cell = cell_rect(matrix, 101, 50);
  const CellHit hit{*matrix.origin, 101, 50};
  EXPECT_EQ(hit_test(figure, centre(cell)), HitId(hit));
}

TEST(Heatmap, PixelsOfNothingButHiddenCellsAreHatchedOnlyWhereAMaskApplies) {
  AttentionProblem problem = problem_of(60, 60);
  problem.mask.causal = true;
  const FakeResult result =
      FakeResult(problem).with(Stage::Scores, cell_value).with(Stage::Weights, cell_value);
  const Document document = cross_document(60, 60);
  PlotOptions options;
  options.pixel_budget = 20;
  const Figure weights = heatmap({{document, result}, options, FixedMetrics()});
  const MatrixCells& cells = *find_matrix(weights)->cells;
  ASSERT_EQ(cells.hidden.size(), 400U);
  for (std::size_t i = 0; i < cells.values.size(); ++i) {
    EXPECT_EQ(cell_look(cells.values[i], cells.hidden[i]),
              i % 20 > i / 20 ? CellLook::Hidden : CellLook::Mapped);
  }
  EXPECT_TRUE(has_text(weights, "hidden by causal mask"));
  options.stage = Stage::Scores;
  const Figure scores = heatmap({{document, result}, options, FixedMetrics()});
  EXPECT_TRUE(find_matrix(scores)->cells->hidden.empty());
  for (const float value : find_matrix(scores)->cells->values) EXPECT_TRUE(std::isfinite(value));
  EXPECT_FALSE(has_text(scores, "hidden by causal mask"));
}

TEST(Heatmap, EveryCellIsHitWhereItIsDrawn) {
  const FakeResult result = FakeResult(problem_of(7, 9)).with(Stage::Weights, cell_value);
  const Document document = cross_document(7, 9);
  std::mt19937 random(11);
  std::uniform_real_distribution<double> part(0.0, 1.0);
  for (int round = 0; round < 40; ++round) {
    PlotOptions options;
    options.width = 150 + 800 * part(random);
    options.height = round % 2 == 0 ? 0.0 : 120 + 600 * part(random);
    options.window = {7 * part(random), 9 * part(random), 0.5 + 7 * part(random),
                      0.5 + 9 * part(random)};
    const Figure figure = heatmap({{document, result}, options, FixedMetrics()});
    const MatrixItem& matrix = *find_matrix(figure);
    std::size_t seen = 0;
    for (std::size_t i = 0; i < 63; ++i) {
      const Rect rect = cell_rect(matrix, i / 9, i % 9);
      if (rect.width == 0.0) continue;
      ++seen;
      const HitId expected = CellHit{{Stage::Weights, {}}, i / 9, i % 9};
      EXPECT_EQ(hit_test(figure, centre(rect)), expected);
    }
    EXPECT_GT(seen, 0U);
  }
}

TEST(TextProblems, NoticeOverlapsAndTextsOutside) {
  Figure figure;
  figure.width = figure.height = 100;
  TextItem text;
  text.text = "wide enough";
  text.anchor = {10, 50};
  figure.items = {text};
  EXPECT_EQ(test::text_problems(figure, FixedMetrics()), "");
  TextItem crossing = text;
  crossing.text = "across";
  crossing.anchor = {30, 60};
  crossing.degrees = 90.0;
  figure.items.push_back(crossing);
  EXPECT_EQ(test::text_problems(figure, FixedMetrics()), "overlap: wide enough / across\n");
  text.anchor = {60, 50};
  figure.items = {text};
  EXPECT_EQ(test::text_problems(figure, FixedMetrics()), "outside: wide enough\n");
}

TEST(Heatmap, NoTextOverlapsAnotherOrLeavesTheFigure) {
  std::mt19937 random(5);
  const auto below = [&](std::size_t n) {
    return std::uniform_int_distribution<std::size_t>(0, n - 1)(random);
  };
  const std::size_t sizes[] = {1, 2, 3, 5, 12, 30, 77, 300};
  for (int round = 0; round < 150; ++round) {
    const std::size_t n_q = sizes[below(8)], n_k = sizes[below(8)];
    AttentionProblem problem = problem_of(n_q, n_k, 2);
    problem.mask.causal = below(2) == 0;
    if (below(4) == 0) problem.mask.query_padding = {std::vector<std::uint8_t>(n_q, 0)};
    const FakeResult result = FakeResult(problem).with(Stage::Weights, cell_value);
    Document document = cross_document(n_q, n_k);
    for (auto* lists : {&document.query_tokens, &document.key_tokens}) {
      TokenList& list = lists->front();
      for (std::size_t i = 0; i < list.size(); ++i) {
        list.rename(i, list[i] + std::string(below(below(2) ? 30 : 4), 'x'));
      }
    }
    PlotOptions options;
    options.width = 260 + static_cast<double>(below(900));
    if (below(2) == 0) options.height = 240 + static_cast<double>(below(600));
    options.font_size = 7 + static_cast<double>(below(7));
    options.width *= options.font_size / 10.0;
    options.height *= options.font_size / 10.0;
    if (below(3) == 0) options.window = {0.3 * static_cast<double>(n_q), 0, 4, 5};
    const Figure figure = heatmap({{document, result}, options, FixedMetrics()});
    const std::string problems = test::text_problems(figure, FixedMetrics());
    EXPECT_EQ(problems, "") << n_q << " × " << n_k << " in " << options.width << " × "
                            << options.height << " at " << options.font_size;
  }
}

TEST(Heatmap, GivenHeightIsKeptAndContentFits) {
  const Document document = cross_document(30, 3);
  const FakeResult result = FakeResult(problem_of(30, 3)).with(Stage::Weights, cell_value);
  PlotOptions options;
  options.width = 800;
  options.height = 300;
  const Figure figure = heatmap({{document, result}, options, FixedMetrics()});
  EXPECT_EQ(figure.width, 800.0);
  EXPECT_EQ(figure.height, 300.0);
  const Rect clip = find_matrix(figure)->clip;
  EXPECT_LE(clip.y + clip.height, 300.0);
  EXPECT_LE(clip.x + clip.width, 800.0);
}

TEST(Heatmap, CellsAreSquareWhenTheSidesAreSimilar) {
  for (const auto& [n_q, n_k] : {std::pair(3, 3), std::pair(12, 9), std::pair(30, 30)}) {
    const auto rows = static_cast<std::size_t>(n_q), cols = static_cast<std::size_t>(n_k);
    const Document document = cross_document(rows, cols);
    const FakeResult result = FakeResult(problem_of(rows, cols)).with(Stage::Weights, cell_value);
    const Figure figure = heatmap({{document, result}, {}, FixedMetrics()});
    const Rect cell = cell_rect(*find_matrix(figure), 0, 0);
    EXPECT_NEAR(cell.width, cell.height, 1e-6);
  }
}

TEST(Heatmap, FeaturesAreNumberedColumnsOfTokenRows) {
  const FakeResult result = FakeResult(problem_of(3, 5)).with(Stage::Key, cell_value);
  const Document document = cross_document(3, 5);
  PlotOptions options;
  options.stage = Stage::Key;
  const Figure figure = heatmap({{document, result}, options, FixedMetrics()});
  EXPECT_EQ(find_matrix(figure)->row_count, 5U);
  EXPECT_EQ(find_matrix(figure)->col_count, 3U);
  EXPECT_TRUE(has_text(figure, "k4"));
  EXPECT_FALSE(has_text(figure, "q0"));
  EXPECT_TRUE(has_text(figure, "Feature (d_k)"));
  EXPECT_TRUE(has_text(figure, "2"));
  EXPECT_TRUE(has_text(figure, "Key")) << "which attends to nothing";
}

TEST(Heatmap, TitlesComeFromTheDocumentTheOptionOrNotAtAll) {
  const FakeResult result = FakeResult(problem_of(2, 2, 4)).with(Stage::Weights, cell_value);
  Document document = cross_document(2, 2);
  PlotOptions options;
  EXPECT_TRUE(has_text(heatmap({{document, result}, options, FixedMetrics()}), "A title"));
  EXPECT_TRUE(has_text(heatmap({{document, result}, options, FixedMetrics()}),
                       "Attention weights, head 1 of 4"));
  options.title = "Mine";
  EXPECT_TRUE(has_text(heatmap({{document, result}, options, FixedMetrics()}), "Mine"));
  EXPECT_TRUE(has_text(heatmap({{document, result}, options, FixedMetrics()}),
                       "Attention weights, head 1 of 4"));
  EXPECT_EQ(heatmap({{document, result}, options, FixedMetrics()}).title, "Mine");
  options.title = "none";
  EXPECT_FALSE(has_text(heatmap({{document, result}, options, FixedMetrics()}), "A title"));
  EXPECT_FALSE(has_text(heatmap({{document, result}, options, FixedMetrics()}),
                        "Attention weights, head 1 of 4"));
  options.title = "";
  document.title = "";
  EXPECT_EQ(heatmap({{document, result}, options, FixedMetrics()}).title,
            "Attention weights, head 1 of 4");
}

TEST(Heatmap, TheColourBarSaysWhatItShowsAndIsHit) {
  const FakeResult result = FakeResult(problem_of(3, 3)).with(Stage::Weights, cell_value);
  const Document document = cross_document(3, 3);
  PlotOptions options;
  options.range = ColorSpan::Unit;
  const Figure figure = heatmap({{document, result}, options, FixedMetrics()});
  EXPECT_TRUE(has_text(figure, "Attention weight"));
  EXPECT_TRUE(has_text(figure, "0 to 1, even"));
  EXPECT_TRUE(has_text(figure, "0.0"));
  EXPECT_TRUE(has_text(figure, "1.0"));
  bool hit = false;
  for (const RectItem& rect : items_of<RectItem>(figure)) {
    if (rect.hit != HitId(ColorBarHit{})) continue;
    hit = true;
    EXPECT_EQ(hit_test(figure, centre(rect.rect)), HitId(ColorBarHit{}));
  }
  EXPECT_TRUE(hit);
}

TEST(Heatmap, ARasterShowsEveryCellInItsColour) {
  const FakeResult result = FakeResult(problem_of(6, 4)).with(Stage::Weights, cell_value);
  const Document document = cross_document(6, 4);
  PlotOptions options;
  options.values = false;
  options.colormap = "ylorrd";
  options.range = ColorSpan::Unit;
  const Figure figure = heatmap({{document, result}, options, FixedMetrics()});
  const Result<Raster> raster = test::rasterize(figure, 1.5);
  ASSERT_TRUE(raster.ok());
  for (std::size_t row = 0; row < 6; ++row) {
    for (std::size_t col = 0; col < 4; ++col) {
      const Point p = centre(cell_rect(*find_matrix(figure), row, col));
      const auto x = static_cast<std::size_t>(p.x * 1.5), y = static_cast<std::size_t>(p.y * 1.5);
      const std::uint8_t* pixel =
          &raster->rgba[4 * (y * static_cast<std::size_t>(raster->width_px) + x)];
      const float value = cell_value({}, row, col);
      const Color expected =
          colormap_named("ylorrd")->colors[color_index({colormap_named("ylorrd"), 0, 1}, value)];
      EXPECT_EQ((Color{pixel[0], pixel[1], pixel[2], pixel[3]}), expected);
    }
  }
}

TEST(Heatmap, AMatrixWithoutCellsSaysSo) {
  const FakeResult result = FakeResult(problem_of(0, 3)).with(Stage::Weights, cell_value);
  Document document = cross_document(0, 3);
  const Figure figure = heatmap({{document, result}, {}, FixedMetrics()});
  EXPECT_TRUE(has_text(figure, "No cells to show"));
  EXPECT_EQ(find_matrix(figure), nullptr);
}

TEST(NiceTicks, AreRoundInsideTheRangeAndAtLeastOne) {
  EXPECT_EQ(nice_ticks(0.0, 1.0, 5),
            (std::vector<double>{0.0, 0.2, 0.4, 0.6000000000000001, 0.8, 1.0}));
  EXPECT_EQ(nice_ticks(-3.0, 3.0, 3), (std::vector<double>{-2.0, 0.0, 2.0}));
  EXPECT_EQ(nice_ticks(2.0, 2.0, 5), (std::vector<double>{2.0}));
  std::mt19937 random(3);
  std::uniform_real_distribution<double> value(-5.0, 5.0);
  for (int i = 0; i < 500; ++i) {
    const double low = std::pow(10.0, value(random)) * value(random);
    const double high = low + std::pow(10.0, value(random));
    const std::vector<double> ticks = nice_ticks(low, high, 5);
    ASSERT_FALSE(ticks.empty());
    EXPECT_LE(ticks.size(), 12U);
    for (const double tick : ticks) {
      EXPECT_GE(tick, low);
      EXPECT_LE(tick, high);
    }
  }
}

TEST(TickTexts, ArePlainFromAThousandthToAHundredThousand) {
  EXPECT_EQ(tick_text(0.0008, {0.0, 0.0004, 0.0008}), "8 × 10⁻⁴");
  EXPECT_EQ(tick_text(0.001, {0.0, 0.0005, 0.001}), "0.0010");
  EXPECT_EQ(tick_text(80'000.0, {0.0, 40'000.0, 80'000.0}), "80,000");
  EXPECT_EQ(tick_text(100'000.0, {0.0, 50'000.0, 100'000.0}), "1.0 × 10⁵");
}

TEST(Heatmap, ManyWeightsAreReadOnceForTheirRange) {
  const auto rough = [](auto&, std::size_t row, std::size_t col) {
    return static_cast<float>((7 * row + 13 * col) % 997) / 1000.0F;
  };
  const FakeResult result = FakeResult(problem_of(520, 520)).with(Stage::Weights, rough);
  const Document document = cross_document(520, 520);
  PlotOptions options;
  options.histogram = true;
  const std::vector<Need> needs = heatmap_needs({{document, result}, options});
  ASSERT_EQ(needs.size(), 1U) << "of the range and the histogram";
  Derivations all;
  for (const Need& need : needs) {
    all.keep(need.key, need.derive({document, borrowed(result)}));
  }
  const Figure kept = heatmap({{document, result, &all}, {}, FixedMetrics()});
  const ColorRange range = color_range(result, {});
  EXPECT_EQ(find_matrix(kept)->scale.low, range.low);
  EXPECT_EQ(find_matrix(kept)->scale.high, range.high);
  EXPECT_TRUE(has_text(kept, range.basis));
  EXPECT_TRUE(heatmap_needs({{cross_document(9, 9), FakeResult(problem_of(9, 9))}, {}}).empty())
      << "few cells are read while drawing";
}

}  // namespace
}  // namespace attn
