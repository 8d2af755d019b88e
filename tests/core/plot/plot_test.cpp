// Properties of all plots: sentences of cells, colour ranges, options, sound figures.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "document/load/open.h"
#include "document/load/read.h"
#include "document/problem.h"
#include "engine/compute.h"
#include "plot/all_plots.h"
#include "plot/colors/color_range.h"
#include "plot/kit/names.h"
#include "plot/maps/heatmap.h"
#include "support/examples.h"
#include "tests/core/plot/computed_case.h"
#include "tests/core/plot/text_boxes.h"
#include "tests/support/drawing.h"
#include "tests/support/fake_result.h"
#include "view/fields.h"

namespace attn {
namespace {

using test::FakeResult;

AttentionProblem problem_of(std::size_t layers, std::size_t samples, std::size_t heads,
                            std::size_t n_q, std::size_t n_k) {
  AttentionProblem problem;
  problem.shape.layers = layers;
  problem.shape.samples = samples;
  problem.shape.heads = problem.shape.kv_heads = heads;
  problem.shape.n_q = n_q;
  problem.shape.n_k = n_k;
  problem.shape.d_k = problem.shape.d_v = 2;
  return problem;
}

Document sentence_document() {
  Document document;
  document.query_tokens = {{"The", "cat", "sat"}};
  return document;
}

float share(const HeadAddress&, std::size_t row, std::size_t col) {
  return row == 2 && col == 1 ? 0.412F : 0.294F;
}

std::string sentence(const AttentionProblem& problem, const CellHit& cell) {
  const FakeResult result = FakeResult(problem).with(Stage::Weights, share);
  const Document document = sentence_document();
  return cell_sentence({document, result}, cell);
}

TEST(CellSentence, IsTheSentenceOfTheDesign) {
  EXPECT_EQ(sentence(problem_of(1, 1, 1, 3, 3), {{Stage::Weights, {}}, 2, 1}),
            "“sat” (query 3) takes 41.2 % from “cat” (key 2), head 1");
}

TEST(CellSentence, NeverSaysThatAWeightIsNothing) {
  const auto tiny = [](const HeadAddress&, std::size_t, std::size_t col) {
    return col == 0 ? 0.0F : 0.000123F;
  };
  const FakeResult result = FakeResult(problem_of(1, 1, 1, 3, 3)).with(Stage::Weights, tiny);
  const Document document = sentence_document();
  EXPECT_EQ(cell_sentence({document, result}, {{Stage::Weights, {}}, 2, 1}),
            "“sat” (query 3) takes 0.012 % from “cat” (key 2), head 1");
  EXPECT_EQ(cell_sentence({document, result}, {{Stage::Weights, {}}, 2, 0}),
            "“sat” (query 3) takes 0.0 % from “The” (key 1), head 1");
}

TEST(CellSentence, GoesLeftToRightAroundTokensThatDoNot) {
  const FakeResult result = FakeResult(problem_of(1, 1, 1, 2, 2)).with(Stage::Weights, share);
  Document document;
  document.query_tokens = {{"مرحبا", "cat"}};
  EXPECT_EQ(cell_sentence({document, result}, {{Stage::Weights, {}}, 0, 1}),
            "\u200E“\u2068مرحبا\u2069” (query 1) takes 29.4 % from “cat” (key 2), head 1");
}

TEST(CellSentence, NamesLayerAndSampleWhereThereAreSeveral) {
  EXPECT_EQ(sentence(problem_of(2, 2, 3, 3, 3), {{Stage::Weights, {1, 0, 2}}, 2, 1}),
            "“sat” (query 3) takes 41.2 % from “cat” (key 2), layer 2, sample 1, head 3");
}

TEST(CellSentence, NamesNoLayerForTheNormAfterTheLastBlock) {
  AttentionProblem problem = problem_of(2, 1, 1, 3, 3);
  problem.shape.d_model = 2;
  const FakeResult result = FakeResult(problem).with(Stage::FinalNorm, share);
  const Document document = sentence_document();
  EXPECT_EQ(cell_sentence({document, result}, {{Stage::FinalNorm, {0, 0, 0}}, 2, 1}),
            "Final norm of “sat” (query 3), feature 2: 0.412");
  PlotOptions options;
  options.stage = Stage::FinalNorm;
  const Figure figure = test::heatmap({{document, result}, options, pango_metrics()});
  EXPECT_TRUE(std::ranges::any_of(figure.items, [](const FigureItem& item) {
    const auto* text = std::get_if<TextItem>(&item);
    return text != nullptr && text->text == "Final norm";
  }));
}

TEST(CellSentence, HiddenCellsSayByWhichRule) {
  AttentionProblem problem = problem_of(1, 1, 1, 3, 3);
  problem.mask.causal = true;
  problem.mask.key_padding = {{1, 1, 0}};
  EXPECT_EQ(sentence(problem, {{Stage::Weights, {}}, 0, 1}),
            "“The” (query 1) cannot see “cat” (key 2): hidden by causal mask, head 1");
  EXPECT_EQ(sentence(problem, {{Stage::Weights, {}}, 0, 2}),
            "“The” (query 1) cannot see “sat” (key 3): hidden by causal mask and key padding, "
            "head 1");
}

TEST(CellSentence, RowsThatSeeOneKeySaySo) {
  AttentionProblem problem = problem_of(1, 1, 1, 3, 3);
  problem.mask.causal = true;
  EXPECT_EQ(sentence(problem, {{Stage::Weights, {}}, 0, 0}),
            "“The” (query 1) takes 29.4 % from “The” (key 1), the only key that it sees, head 1");
  EXPECT_EQ(sentence(problem, {{Stage::Weights, {}}, 1, 0}),
            "“cat” (query 2) takes 29.4 % from “The” (key 1), head 1");
}

TEST(CellSentence, RowsThatSeeNoKeySaySo) {
  AttentionProblem problem = problem_of(1, 1, 1, 3, 3);
  problem.mask.query_padding = {{1, 0, 1}};
  EXPECT_EQ(sentence(problem, {{Stage::Weights, {}}, 1, 2}), "“cat” (query 2) sees no key, head 1");
}

TEST(CellSentence, MasksOnlyMarkGivenWeights) {
  AttentionProblem problem = problem_of(1, 1, 1, 3, 3);
  problem.kind = &kWeightsProblems;
  problem.mask.causal = true;
  EXPECT_EQ(sentence(problem, {{Stage::Weights, {}}, 0, 1}),
            "“The” (query 1) to “cat” (key 2): marked by causal mask; the given weight is 0.294, "
            "head 1");
  EXPECT_EQ(sentence(problem, {{Stage::Weights, {}}, 2, 1}),
            "“sat” (query 3) takes 41.2 % from “cat” (key 2), head 1");
}

TEST(CellSentence, OtherStagesSayTheirValue) {
  const FakeResult result =
      FakeResult(problem_of(1, 1, 1, 3, 3))
          .with(Stage::Key, [](auto&, auto row, auto) { return static_cast<float>(row) - 1.5F; })
          .with(Stage::Scores, [](auto&, auto, auto) { return -1.25F; })
          .with(Stage::Concat, [](auto&, auto, auto) { return 7.0F; });
  const Document document = sentence_document();
  EXPECT_EQ(cell_sentence({document, result}, {{Stage::Scores, {}}, 0, 2}),
            "Score of “The” (query 1) and “sat” (key 3): −1.25, head 1");
  EXPECT_EQ(cell_sentence({document, result}, {{Stage::Key, {}}, 2, 1}),
            "Key of “sat” (key 3), feature 2: 0.5, head 1");
  EXPECT_EQ(cell_sentence({document, result}, {{Stage::Concat, {}}, 1, 0}),
            "Concat of “cat” (query 2), feature 1: 7");
}

TEST(CellSentence, SourceTokensMoveWhatIsDecoded) {
  AttentionProblem problem = problem_of(1, 1, 1, 3, 3);
  problem.shape.d_out = 2;
  const FakeResult result = FakeResult(problem)
                                .with(Stage::Influence, share)
                                .with(Stage::FixedInfluence, share)
                                .with(Stage::Survival, share);
  const Document document = sentence_document();
  EXPECT_EQ(cell_sentence({document, result}, {{Stage::Influence, {}}, 2, 1}),
            "Influence of “cat” (key 2) on the output at “sat” (query 3): 0.412");
  EXPECT_EQ(cell_sentence({document, result}, {{Stage::FixedInfluence, {}}, 2, 1}),
            "Influence without attention of “cat” (key 2) on the output at “sat” (query 3): 0.412");
  EXPECT_EQ(cell_sentence({document, result}, {{Stage::Survival, {}}, 1, 0}),
            "Survival of “cat” (key 2) in the one fixed vector: 0.294");
}

TEST(CellSentence, SharedKeysNameTheirOwnHead) {
  AttentionProblem problem = problem_of(1, 1, 8, 3, 3);
  problem.shape.kv_heads = 4;
  const FakeResult result =
      FakeResult(problem).with(Stage::Key, [](auto&, auto, auto) { return 0.5F; });
  const Document document = sentence_document();
  EXPECT_EQ(cell_sentence({document, result}, {{Stage::Key, {0, 0, 7}}, 2, 1}),
            "Key of “sat” (key 3), feature 2: 0.5, head 8 (key-value head 4)");
}

TEST(CellSentence, CellsThatAreNotThereHaveNone) {
  const AttentionProblem problem = problem_of(1, 1, 1, 3, 3);
  EXPECT_EQ(sentence(problem, {{Stage::Weights, {}}, 3, 0}), "");
  EXPECT_EQ(sentence(problem, {{Stage::Weights, {0, 0, 1}}, 0, 0}), "");
  EXPECT_EQ(sentence(problem, {{Stage::Scores, {}}, 0, 0}), "");
}

TEST(ColorRange, WeightsGoFromZeroToOneUnlessAnotherRangeIsChosen) {
  PlotOptions options;
  const FakeResult shares = FakeResult(problem_of(1, 1, 1, 3, 3)).with(Stage::Weights, share);
  const AttentionResult::Range own = *shares.range(Stage::Weights, {});
  EXPECT_EQ(test::color_range(shares, options).low, 0.0F);
  EXPECT_EQ(test::color_range(shares, options).high, 1.0F);
  EXPECT_EQ(test::color_range(shares, options).basis, "0 to 1");
  options.range = ColorSpan::Head;
  EXPECT_EQ(test::color_range(shares, options).low, own.low);
  EXPECT_EQ(test::color_range(shares, options).high, own.high);
  EXPECT_EQ(test::color_range(shares, options).basis,
            range_words(own.low, own.high) + ", this head");
}

TEST(ColorRange, AllHeadsShareOneRange) {
  const FakeResult result =
      FakeResult(problem_of(1, 1, 3, 2, 2)).with(Stage::Weights, [](auto& at, auto row, auto) {
        return 0.1F * static_cast<float>(at.head + 1) + (row == 0 ? 0.0F : 0.05F);
      });
  PlotOptions options;
  options.range = ColorSpan::Heads;
  for (options.at.head = 0; options.at.head < 3; ++options.at.head) {
    EXPECT_EQ(test::color_range(result, options).low, 0.1F);
    EXPECT_EQ(test::color_range(result, options).high, 0.1F * 3.0F + 0.05F);
    EXPECT_EQ(test::color_range(result, options).basis, "0.1 to 0.35, all heads");
  }
}

// Weights 0.1 … 0.9, row by row.
FakeResult nine_weights() {
  return FakeResult(problem_of(1, 1, 1, 3, 3)).with(Stage::Weights, [](auto&, auto row, auto col) {
    return 0.1F * static_cast<float>(3 * row + col + 1);
  });
}

TEST(ColorRange, EachRowIsColouredByPartsOfItsLargestAndKeepsItsNumbers) {
  const FakeResult result = nine_weights();
  const Document document = sentence_document();
  PlotOptions options;
  options.range = ColorSpan::Rows;
  const Figure figure = test::heatmap({{document, result}, options, pango_metrics()});
  const MatrixCells& cells = *find_matrix(figure)->cells;
  for (std::size_t row = 0; row < 3; ++row) {
    const float largest = result.value(Stage::Weights, {}, row, 2);
    for (std::size_t col = 0; col < 3; ++col) {
      const float weight = result.value(Stage::Weights, {}, row, col);
      EXPECT_EQ(cells.values[3 * row + col], weight);
      EXPECT_EQ(cells.coloured()[3 * row + col], weight / largest);
    }
  }
  EXPECT_EQ(test::color_range(result, options).basis, "each row as part of its largest weight");
}

FakeResult scores_result() {
  return FakeResult(problem_of(1, 1, 2, 2, 2)).with(Stage::Scores, [](auto& at, auto row, auto) {
    return at.head == 0 ? (row == 0 ? -1.0F : 3.0F) : 100.0F;
  });
}

TEST(ColorRange, TheLogarithmOfAHeadSpansFromItsLeast) {
  const FakeResult result = nine_weights();
  const Document document = sentence_document();
  PlotOptions options;
  options.log = true;
  options.range = ColorSpan::Head;
  const ColorRange range = test::color_range(result, options);
  EXPECT_EQ(range.power, kLogarithm);
  EXPECT_EQ(range.low, 0.1F * range.high) << "at least a decade";
  EXPECT_EQ(range.high, 0.1F * 9.0F);
  EXPECT_EQ(range.basis, "0.09 to 0.9, logarithmic, this head");
  const Figure figure = test::heatmap({{document, result}, options, pango_metrics()});
  const MatrixItem& map = *find_matrix(figure);
  EXPECT_TRUE(map.cells->tints.empty());
  EXPECT_EQ(color_index(map.scale, 0.0F), 0);
  EXPECT_EQ(color_index(map.scale, 0.3F), std::lround(255.0 * std::log10(0.3 / 0.09)));
  options.stage = Stage::Scores;
  EXPECT_EQ(test::color_range(scores_result(), options).power, 1.0F)
      << "only weights have a zero at their end";
}

TEST(ColorRange, SignedStagesAreSymmetricAboutZeroOnTheDivergingMap) {
  PlotOptions options;
  options.stage = Stage::Scores;
  const ColorRange range = test::color_range(scores_result(), options);
  EXPECT_EQ(range.low, -100.0F);
  EXPECT_EQ(range.high, 100.0F);
  EXPECT_EQ(range.basis, "−100 to 100") << "of both heads";
}

TEST(ColorRange, AChosenSequentialMapSpansTheData) {
  PlotOptions options;
  options.stage = Stage::Scores;
  options.colormap = "magma";
  const ColorRange range = test::color_range(scores_result(), options);
  EXPECT_EQ(range.low, -1.0F);
  EXPECT_EQ(range.high, 100.0F);
  EXPECT_EQ(range.basis, "−1 to 100");
}

TEST(ColorRange, GivenBoundsKeepZeroInTheMiddleOfTheDivergingMap) {
  PlotOptions options;
  options.stage = Stage::Scores;
  const auto range = [&](std::optional<double> low, std::optional<double> high) {
    options.range_low = low;
    options.range_high = high;
    const ColorRange given = test::color_range(scores_result(), options);
    EXPECT_NE(given.basis.find(", as set"), std::string::npos);
    return std::pair(given.low, given.high);
  };
  EXPECT_EQ(range({}, 0.5), std::pair(-0.5F, 0.5F));
  EXPECT_EQ(range(-2.0, {}), std::pair(-2.0F, 2.0F));
  EXPECT_EQ(range(-1.0, 4.0), std::pair(-4.0F, 4.0F));
  EXPECT_EQ(range(1.0, 3.0), std::pair(-3.0F, 3.0F));
}

TEST(ColorRange, ASingleBoundLeavesTheOtherEndOfASequentialMap) {
  PlotOptions options;
  const FakeResult shares = FakeResult(problem_of(1, 1, 1, 3, 3)).with(Stage::Weights, share);
  options.range_high = 0.3;
  const ColorRange range = test::color_range(shares, options);
  EXPECT_EQ(range.low, 0.0F);
  EXPECT_EQ(range.high, 0.3F);
  EXPECT_TRUE(range.basis.starts_with("0 to 0.3, as set, ")) << range.basis;
  EXPECT_TRUE(range.beyond_high);
  EXPECT_FALSE(range.beyond_low);
  options.range_high = 1e300;
  EXPECT_TRUE(std::isfinite(test::color_range(shares, options).high));
}

TEST(ColorRange, IsNeverEmptyOrReversed) {
  PlotOptions options;
  const FakeResult shares = FakeResult(problem_of(1, 1, 1, 3, 3)).with(Stage::Weights, share);
  for (const double high : {2.0, 1.0}) {
    options.range_low = 2.0;
    options.range_high = high;
    EXPECT_LT(test::color_range(shares, options).low, test::color_range(shares, options).high);
  }
}

TEST(CheckOptions, BoundsOfTheColoursAreInOrder) {
  PlotOptions options;
  EXPECT_TRUE(check_options(options).ok());
  options.range_low = 0.25;
  options.range_high = 0.5;
  EXPECT_TRUE(check_options(options).ok());
  for (const double high : {0.25, 0.125, 0.25 + 1e-12}) {
    options.range_high = high;
    const Status refused = check_options(options);
    ASSERT_FALSE(refused.ok()) << high;
    EXPECT_EQ(refused.error().kind, ErrorKind::Usage);
    EXPECT_EQ(refused.error().message, "range_low must be below range_high");
    EXPECT_NE(refused.error().found.find("0.25"), std::string::npos);
  }
  EXPECT_NE(check_options(options).error().found.find("and range_high"), std::string::npos);
  const Error typed = check_options(options, Spelling::Flag).error();
  EXPECT_EQ(typed.message, "--range-low must be below --range-high");
  EXPECT_NE(typed.found.find("and --range-high"), std::string::npos);
}

TEST(CheckOptions, ASingleBoundIsOnItsOwnSideOfTheOtherEnd) {
  const FakeResult result =
      FakeResult(problem_of(1, 1, 1, 3, 3)).with(Stage::Weights, share).with(Stage::Scores, share);
  const auto verdict = [&](Stage stage, std::optional<double> low, std::optional<double> high) {
    PlotOptions options;
    options.stage = stage;
    options.range = ColorSpan::Unit;
    options.range_low = low;
    options.range_high = high;
    const Status status = check_options(options, result);
    return status ? std::string("fine") : status.error().message;
  };
  EXPECT_EQ(verdict(Stage::Weights, {}, 0.3), "fine");
  EXPECT_EQ(verdict(Stage::Weights, 0.9, {}), "fine");
  EXPECT_EQ(verdict(Stage::Weights, {}, 0.0), "range_high must be above 0, the lowest colour");
  EXPECT_EQ(verdict(Stage::Weights, 1.5, {}), "range_low must be below 1, the highest colour");
  EXPECT_EQ(verdict(Stage::Scores, -0.1, {}), "fine");
  EXPECT_EQ(verdict(Stage::Scores, 0.1, {}),
            "range_low must be below 0, the middle of the diverging colours");
  EXPECT_EQ(verdict(Stage::Scores, 0.5, 0.1), "range_low must be below range_high");
  PlotOptions options;
  options.range = ColorSpan::Unit;
  options.range_low = 1.5;
  EXPECT_EQ(check_options(options, result, Spelling::Flag).error().message,
            "--range-low must be below 1, the highest colour");
}

TEST(CheckOptions, FiguresHaveRoomForTheirLetters) {
  PlotOptions options;
  options.width = 200.0;
  EXPECT_TRUE(check_options(options).ok());
  options.width = 199.0;
  EXPECT_EQ(check_options(options).error().message,
            "width must be at least 200, 20 times the font_size");
  EXPECT_EQ(check_options(options, Spelling::Flag).error().message,
            "--width must be at least 200, 20 times the --font-size");
  options.width = 1440.0;
  options.font_size = 72.0;
  EXPECT_TRUE(check_options(options).ok());
  options.height = 300.0;
  EXPECT_FALSE(check_options(options).ok());
}

TEST(CheckOptions, TheSmallestFiguresHoldTheirTexts) {
  AttentionProblem problem = problem_of(2, 2, 4, 10, 10);
  problem.mask.causal = true;
  problem.mask.query_padding = {{0, 1, 1, 1, 1, 1, 1, 1, 1, 1}, {1, 1, 1, 1, 1, 1, 1, 1, 1, 1}};
  const FakeResult result = FakeResult(problem).with(Stage::Weights, share);
  Document document = sentence_document();
  document.title = "A title of several words that does not fit any line of this figure";
  document.query_tokens = {TokenList(10, "internationalization"), TokenList(10, "it")};
  for (const PlotEntry& plot : all_plots()) {
    for (const double font : {5.0, 10.0, 72.0}) {
      PlotOptions options;
      options.font_size = font;
      options.width = 20.0 * font;
      ASSERT_TRUE(check_options(options, result).ok());
      const Result<Figure> drawn =
          draw_complete(plot, document, borrowed(result), options, test::FixedMetrics());
      if (!drawn) continue;
      const Figure& figure = *drawn;
      EXPECT_EQ(test::text_problems(figure, test::FixedMetrics()), "") << plot.name << " " << font;
    }
  }
}

TEST(FittedTo, BringsHeadAndStageIntoBounds) {
  PlotOptions options;
  options.at = {9, 9, 9};
  options.stage = Stage::Projected;
  const FakeResult result =
      FakeResult(problem_of(2, 1, 3, 3, 3)).with(Stage::Scores, share).with(Stage::Weights, share);
  const PlotOptions fitted = fitted_to(options, result);
  EXPECT_EQ(fitted.at, (HeadAddress{1, 0, 2}));
  EXPECT_EQ(fitted.stage, Stage::Weights);
  options.stage = Stage::Query;
  EXPECT_EQ(fitted_to(options, result).stage, Stage::Scores);
}

TEST(PlotOptionFields, EveryFieldReadsBackItsOwnText) {
  std::set<std::string_view> names;
  for (const Field<ViewOptions>& field : plot_option_fields()) {
    EXPECT_TRUE(names.insert(field.name).second) << field.name;
    EXPECT_FALSE(field.help.empty());
    PlotOptions options;
    EXPECT_TRUE(field.set(options, field.get(options), Spelling::Field).ok()) << field.name;
  }
}

TEST(PlotOptionFields, SetTheOptionTheyName) {
  PlotOptions options;
  const auto set = [&](std::string_view name, std::string_view text) {
    for (const Field<ViewOptions>& field : plot_option_fields()) {
      if (field.name == name) return field.set(options, text, Spelling::Field).ok();
    }
    return false;
  };
  EXPECT_TRUE(set("head", "3"));
  EXPECT_TRUE(set("stage", "scores"));
  EXPECT_TRUE(set("colormap", "YlOrRd"));
  EXPECT_EQ(options.colormap, "ylorrd");
  EXPECT_TRUE(set("colormap", "auto"));
  EXPECT_TRUE(set("values", "false"));
  EXPECT_TRUE(set("pooling", "mean"));
  EXPECT_TRUE(set("theme", "dark"));
  EXPECT_TRUE(set("range_low", "-2.5"));
  EXPECT_EQ(options.at.head, 3U);
  EXPECT_EQ(options.stage, Stage::Scores);
  EXPECT_EQ(options.colormap, "auto");
  EXPECT_FALSE(options.values);
  EXPECT_EQ(options.pooling, Pooling::Mean);
  EXPECT_EQ(options.theme, ThemeKind::Dark);
  EXPECT_EQ(options.range_low, -2.5);
  EXPECT_FALSE(set("colormap", "jet"));
  EXPECT_FALSE(set("head", "-1"));
  EXPECT_FALSE(set("width", "1e9"));
}

bool is_sound(Point p) { return std::isfinite(p.x) && std::isfinite(p.y); }
bool is_sound(const Rect& r) {
  return is_sound(Point{r.x, r.y}) && std::isfinite(r.width) && std::isfinite(r.height) &&
         r.width >= 0.0 && r.height >= 0.0;
}
bool is_sound(const RectItem& item) { return is_sound(item.rect); }
bool is_sound(const LineItem& item) { return is_sound(item.from) && is_sound(item.to); }
bool is_sound(const TextItem& item) { return is_sound(item.anchor) && item.font.size > 0.0; }
bool is_sound(const MatrixItem& item) { return is_sound(item.rect) && is_sound(item.clip); }
bool is_sound(const PathItem& item) {
  return std::all_of(item.points.begin(), item.points.end(), [](Point p) { return is_sound(p); });
}

TEST(Plots, ExtremeSizesAndNumbersGiveFiniteFigures) {
  const FakeResult result =
      FakeResult(problem_of(1, 1, 1, 3, 3))
          .with(Stage::Scores, [](auto&, auto row, auto) { return row == 0 ? -3e38F : 3e38F; })
          .with(Stage::Weights, share);
  Document document = sentence_document();
  document.title = std::string(2000, 'M');
  document.query_tokens[0].rename(1, std::string(20000, 'w'));
  for (const PlotEntry& plot : all_plots()) {
    for (const double width : {1.0, 100.0, 10000.0}) {
      for (const double height : {0.0, 1.0, 10000.0}) {
        for (const double font : {4.0, 72.0}) {
          for (const Stage stage : {Stage::Scores, Stage::Weights}) {
            PlotOptions options;
            options.width = width;
            options.height = height;
            options.font_size = font;
            options.stage = stage;
            options.pins = {{{stage, {}}, 1, 1}, {{stage, {}}, 99, 99}};
            const Result<Figure> drawn =
                draw_complete(plot, document, borrowed(result), options, test::FixedMetrics());
            if (!drawn) continue;
            const Figure& figure = *drawn;
            EXPECT_TRUE(std::isfinite(figure.height) && figure.height > 0.0);
            for (const FigureItem& item : figure.items) {
              EXPECT_TRUE(std::visit([](const auto& shape) { return is_sound(shape); }, item))
                  << plot.name << " " << width << " × " << height << " " << item.index();
            }
          }
        }
      }
    }
  }
}

TEST(Plots, AreFoundByName) {
  std::set<std::string_view> names;
  for (const PlotEntry& plot : all_plots()) {
    EXPECT_TRUE(names.insert(plot.name).second);
    EXPECT_EQ(plot_named(plot.name), &plot);
    EXPECT_FALSE(plot.label.empty());
    EXPECT_FALSE(plot.help.empty());
  }
  EXPECT_TRUE(names.contains("heatmap"));
  EXPECT_TRUE(names.contains("dimensions"));
  EXPECT_EQ(plot_named("pie"), nullptr);
}

// Draws the document as every plot, or checks the reason why there is nothing to draw.
void draw_everything(const Document& document, std::set<std::string_view>& drawn) {
  const Result<ResultPtr> result = compute(make_problem(document));
  ASSERT_TRUE(result.ok());
  for (const PlotEntry& plot : all_plots()) {
    const Result<Figure> figure = draw_complete(plot, document, *result, {}, pango_metrics());
    if (figure) {
      EXPECT_FALSE(figure->items.empty()) << plot.name;
      EXPECT_EQ(why_nothing(plot, **result), "") << plot.name;
      drawn.insert(plot.name);
    } else {
      EXPECT_EQ(figure.error().kind, ErrorKind::Usage) << plot.name;
      EXPECT_FALSE(figure.error().message.empty()) << plot.name;
    }
  }
}

TEST(Plots, DrawEveryExampleOrSayWhyNot) {
  std::set<std::string_view> drawn;
  for (const Example& example : test::short_examples()) {
    SCOPED_TRACE(example.name);
    draw_everything(read_document(example.json, "example").value().document, drawn);
  }
  draw_everything(test::computed_model("the dog was tired").document, drawn);
  EXPECT_EQ(drawn.size(), all_plots().size()) << "a plot draws no example";
}

// The texts below a figure for a file, at 300 dots per inch and that height.
std::string footnote(const PlotEntry& plot, const Document& document, PlotOptions options) {
  options.dots_per_unit = 300.0 / 72.0;
  options.height = 300.0;
  const Result<Figure> figure = draw_complete(
      plot, document, compute(make_problem(document)).value(), options, test::FixedMetrics());
  if (!figure) return "";
  EXPECT_LE(figure->height, 300.0 + 1e-9) << plot.name;
  EXPECT_EQ(test::text_problems(*figure, test::FixedMetrics()), "") << plot.name;
  const auto* last = std::get_if<TextItem>(&figure->items.back());
  const bool is_note = last != nullptr && last->text.starts_with("Generated from seed 5");
  EXPECT_EQ(is_note, figure->alt_text.find("Generated") != std::string::npos) << plot.name;
  return is_note ? last->text : "";
}

TEST(Plots, SayInFilesWhichNumbersTheSeedMade) {
  const Document document =
      read_document(R"({"tokens": ["a", "b", "c"], "seed": 5})", "t")->document;
  for (const PlotEntry& plot : all_plots()) {
    const bool draws = why_nothing(plot, **compute(make_problem(document))).empty();
    PlotOptions options;
    options.width = 500.0;
    const bool says = footnote(plot, document, options).find("W_Q") != std::string::npos;
    EXPECT_EQ(says, draws && !plot.of_shapes) << plot.name;
    options.title = "none";
    EXPECT_EQ(footnote(plot, document, options), "") << plot.name;
  }
}

}  // namespace
}  // namespace attn
