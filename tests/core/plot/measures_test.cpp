// The table of measures, compared with the measures of each head.
#include "engine/measures.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include "base/number_text.h"
#include "document/load/read.h"
#include "document/problem.h"
#include "document/token_ids.h"
#include "engine/compute.h"
#include "plot/all_plots.h"
#include "plot/maps/heads.h"
#include "tests/core/plot/computed_case.h"
#include "tests/core/plot/text_boxes.h"
#include "tests/support/fake_result.h"
#include "tests/support/figure_items.h"
#include "tests/support/golden.h"

namespace attn {
namespace {

using test::FakeResult;
using test::FixedMetrics;
using test::says;
using test::sentence_of;
using test::texts_of;

AttentionProblem stack_of(std::size_t layers, std::size_t heads, std::size_t n) {
  AttentionProblem problem;
  problem.shape.layers = layers;
  problem.shape.heads = problem.shape.kv_heads = heads;
  problem.shape.n_q = problem.shape.n_k = n;
  problem.shape.d_k = problem.shape.d_v = 2;
  return problem;
}

// Head 0 attends to the previous token, head 1 to the first one, the others evenly; layer 1 is
// reversed.
float specialists(const HeadAddress& at, std::size_t row, std::size_t col) {
  constexpr std::size_t kTokens = 8;
  const std::size_t kind = at.layer == 0 ? at.head : 2 - std::min<std::size_t>(at.head, 2);
  if (kind == 0) return col == (row > 0 ? row - 1 : 0) ? 1.0F : 0.0F;
  if (kind == 1) return col == 0 ? 1.0F : 0.0F;
  return 1.0F / static_cast<float>(kTokens);
}

struct MeasuresCase {
  Document document;
  FakeResult result;
  PlotInput input() const { return {document, result}; }
};

MeasuresCase specialist_case(std::size_t layers = 1) {
  return {sentence_of(8), FakeResult(stack_of(layers, 3, 8)).with(Stage::Weights, specialists)};
}

TEST(MeasuresPlot, EveryNumberIsTheMeasureOfItsHead) {
  const MeasuresCase c = specialist_case();
  const Figure figure = test::draw("measures", c.input(), {}, FixedMetrics()).value();
  const auto texts = texts_of(figure);
  for (std::size_t head = 0; head < 3; ++head) {
    const HeadMeasures m = measure_head(c.result, {0, 0, head}, {});
    auto at = std::find(texts.begin(), texts.end(), "Head " + std::to_string(head + 1));
    ASSERT_NE(at, texts.end());
    for (const MeasureInfo& measure : all_measures()) {
      if (measure.name == "induction") {
        ++at;
        continue;  // depends on the tokens
      }
      const auto value = measure.value(m);
      EXPECT_EQ(*++at, value ? fixed_text(*value, 2) : "–") << head << " " << measure.name;
    }
  }
}

TEST(MeasuresPlot, ARowStandsForItsHead) {
  const MeasuresCase c = specialist_case(2);
  PlotOptions options;
  options.at.layer = 1;
  options.color_bar = false;
  const Figure figure = test::draw("measures", c.input(), options, FixedMetrics()).value();
  for (const FigureItem& item : figure.items) {
    const auto* text = std::get_if<TextItem>(&item);
    if (text == nullptr || !text->text.starts_with("Head ")) continue;
    const auto head = static_cast<std::size_t>(text->text.back() - '1');
    EXPECT_EQ(hit_test(figure, text->anchor), HitId(HeadHit{{1, 0, head}}));
    EXPECT_EQ(hit_test(figure, {figure.width / 2.0, text->anchor.y}), HitId(HeadHit{{1, 0, head}}));
  }
}

TEST(MeasuresPlot, ALabelStandsForItselfAndItsHead) {
  const MeasuresCase c = specialist_case(2);
  for (const double width : {576.0, 260.0}) {  // in full, by letters
    PlotOptions options;
    options.width = width;
    options.at.layer = 1;
    const Figure figure = test::draw("measures", c.input(), options, FixedMetrics()).value();
    std::size_t labels = 0;
    for (const FigureItem& item : figure.items) {
      const auto* box = std::get_if<RectItem>(&item);
      const auto* hit = box != nullptr ? std::get_if<HeadLabelHit>(&box->hit) : nullptr;
      if (hit == nullptr) continue;
      ++labels;
      EXPECT_EQ(hit->head.layer, 1U);
      const HeadMeasures m = measure_head(c.result, hit->head, token_ids(c.document, hit->head));
      EXPECT_TRUE(all_head_labels()[hit->label].holds(m)) << hit->head.head;
      const Point middle{box->rect.x + box->rect.width / 2.0, box->rect.y + box->rect.height / 2.0};
      EXPECT_EQ(hit_test(figure, middle), box->hit);
    }
    EXPECT_GE(labels, 3U) << width;
  }
}

// The colours of the cells of a measure, by head.
std::vector<Color> colors_of(const Figure& figure, std::string_view name) {
  std::vector<Color> colors;
  std::size_t column = 0, at = 0;
  while (all_measures()[column].name != name) ++column;
  for (const FigureItem& item : figure.items) {
    const auto* cell = std::get_if<RectItem>(&item);
    if (cell == nullptr || cell->radius == 0.0 || cell->fill.a == 0) continue;
    if (at++ % all_measures().size() == column) colors.push_back(cell->fill);
  }
  return colors;
}

TEST(MeasuresPlot, TheColourBarHasTheColoursOfTheCells) {
  const MeasuresCase c = specialist_case();
  for (const ThemeKind theme : {ThemeKind::Dark, ThemeKind::Paper}) {
    PlotOptions options;
    options.theme = theme;
    const Figure figure = test::draw("measures", c.input(), options, FixedMetrics()).value();
    const MatrixItem* bar = find_matrix(figure);
    ASSERT_NE(bar, nullptr);
    const std::vector<Color> first_token = colors_of(figure, "first_token");
    ASSERT_EQ(first_token.size(), 3U);
    EXPECT_EQ(first_token[1], bar->scale.map->colors.back()) << "all of the weight is 1";
    const std::vector<Color> entropy = colors_of(figure, "entropy");
    EXPECT_EQ(entropy[0], bar->scale.map->colors.front()) << "0";
    EXPECT_EQ(entropy[2], bar->scale.map->colors.back()) << "the largest of the heads";
    EXPECT_TRUE(says(figure, "Shades: shares from 0 to 1, entropy from 0 to " +
                                 fixed_text(std::log(8.0), 2) + " nats, distance from 0 to "));
  }
}

TEST(MeasuresPlot, ALegendOfTheTintsStandsBelowTheTable) {
  const MeasuresCase c = specialist_case();
  const Figure figure = test::draw("measures", c.input(), {}, FixedMetrics()).value();
  const MatrixItem* bar = find_matrix(figure);
  ASSERT_NE(bar, nullptr);
  EXPECT_EQ(bar->row_count, 1U);
  EXPECT_TRUE(std::ranges::is_sorted(bar->cells->values)) << "from 0 at the left";
  for (const FigureItem& item : figure.items) {
    const auto* row = std::get_if<RectItem>(&item);
    if (row == nullptr || !std::holds_alternative<HeadHit>(row->hit)) continue;
    EXPECT_LT(row->rect.y + row->rect.height, bar->rect.y);
    EXPECT_EQ(row->rect.x + row->rect.width, figure.width - 9.0) << "the table has the width";
  }
  EXPECT_LT(bar->rect.y + bar->rect.height, figure.height);
}

// Tops of the rows of heads.
std::vector<double> rows_of(const Figure& figure) {
  std::vector<double> tops;
  for (const RectItem& row : test::items_of<RectItem>(figure)) {
    if (std::holds_alternative<HeadHit>(row.hit)) tops.push_back(row.rect.y);
  }
  return tops;
}

TEST(MeasuresPlot, RowsAreEvenWhateverTheLabels) {
  const MeasuresCase c = specialist_case();
  for (const double width : {241.0, 482.0, 900.0}) {
    PlotOptions options;
    options.width = width;
    const std::vector<double> tops =
        rows_of(test::draw("measures", c.input(), options, FixedMetrics()).value());
    ASSERT_EQ(tops.size(), 3U);
    EXPECT_NEAR(tops[2] - tops[1], tops[1] - tops[0], 1e-9) << width;
  }
}

TEST(MeasuresPlot, NarrowOnesNameHeadsAndLabelsByLettersThatAreExplained) {
  const MeasuresCase c = specialist_case();
  PlotOptions options;
  options.width = 241.0;
  const Figure figure = test::draw("measures", c.input(), options, FixedMetrics()).value();
  const auto texts = texts_of(figure);
  for (const char* text : {"Head", "1", "3", "P", "L", "F", "U"}) {
    EXPECT_GE(std::ranges::count(texts, text), 1) << text;
  }
  EXPECT_TRUE(says(figure, "P = previous token: "));
}

TEST(MeasuresPlot, LabelsBeginWithLettersOfTheirOwn) {
  std::string letters;
  for (const HeadLabelInfo& label : all_head_labels()) letters += label.label.front();
  std::ranges::sort(letters);
  EXPECT_EQ(std::ranges::adjacent_find(letters), letters.end()) << letters;
}

TEST(MeasuresPlot, NoTextIsBelowFivePoints) {
  // Distances beyond 100.
  const FakeResult result =
      FakeResult(stack_of(1, 12, 400)).with(Stage::Weights, [](auto&, auto, auto) {
        return 0.0025F;
      });
  const Document document = sentence_of(400);
  for (const double width : {241.0, 482.0}) {
    for (const double font : {7.0, 8.0, 10.0}) {
      PlotOptions options;
      options.width = width;
      options.font_size = font;
      const Figure figure =
          test::draw("measures", {document, result}, options, FixedMetrics()).value();
      for (const TextItem& text : test::items_of<TextItem>(figure)) {
        EXPECT_GE(text.font.size, 5.0) << text.text << " at " << width << " in " << font;
      }
      EXPECT_TRUE(says(figure, "133")) << "without decimals";
      EXPECT_FALSE(says(figure, "133.0"));
    }
  }
}

TEST(MeasuresPlot, RowsGrowWithThePane) {
  const MeasuresCase c = specialist_case();
  PlotOptions options;
  options.on_screen = true;
  options.width = 1000.0;
  options.pane_height = 420.0;
  const Figure figure = test::draw("measures", c.input(), options, FixedMetrics()).value();
  const std::vector<double> tops = rows_of(figure);
  EXPECT_GT(tops[1] - tops[0], 40.0);
  EXPECT_GT(figure.height, 0.7 * options.pane_height);
  EXPECT_LE(figure.height, options.pane_height);
}

TEST(MeasuresPlot, HoveringARowExplainsItsNumbers) {
  const MeasuresCase c = specialist_case();
  const PlotEntry& plot = *plot_named("measures");
  const Derivations known = derive_all(plot, c.document, borrowed(c.result), {});
  const FixedMetrics metrics;
  const Drawing drawing({c.document, c.result, &known}, {}, metrics);
  const Figure figure = measures(drawing).value();
  const HitId row = HeadHit{{0, 0, 1}};
  const Figure over = plot.hover(drawing, figure, row, {0.0, 0.0, figure.width, figure.height});
  EXPECT_TRUE(says(over, "Head 2"));
  EXPECT_TRUE(says(over, "Mean weight on the first token"));
  EXPECT_TRUE(says(over, "first token"));
  EXPECT_TRUE(plot.hover(drawing, figure, {}, {0.0, 0.0, 100.0, 100.0}).items.empty());
}

TEST(MeasuresPlot, TheColourBarCanBeLeftOut) {
  const MeasuresCase c = specialist_case();
  PlotOptions options;
  options.color_bar = false;
  const Figure figure = test::draw("measures", c.input(), options, FixedMetrics()).value();
  EXPECT_EQ(find_matrix(figure), nullptr);
  EXPECT_FALSE(says(figure, "Shades: "));
  double right = 0.0;
  for (const FigureItem& item : figure.items) {
    const auto* row = std::get_if<RectItem>(&item);
    if (row != nullptr) right = std::max(right, row->rect.x + row->rect.width);
  }
  EXPECT_EQ(right, figure.width - 0.9 * options.font_size) << "the table has its room";
}

TEST(MeasuresPlot, LabelsAreWordsAndTheirRulesStandBelow) {
  const MeasuresCase c = specialist_case();
  const Figure figure = test::draw("measures", c.input(), {}, FixedMetrics()).value();
  const auto texts = texts_of(figure);
  for (const char* word : {"previous token", "local", "first token", "uniform"}) {
    EXPECT_EQ(std::count(texts.begin(), texts.end(), word), 1) << word;
  }
  EXPECT_TRUE(says(figure, "uniform: the entropy is at least 95 %"));
  EXPECT_FALSE(says(figure, "same token: "));
}

TEST(MeasuresPlot, ShowsTheChosenLayer) {
  const MeasuresCase c = specialist_case(2);
  PlotOptions options;
  options.at.layer = 1;
  const Figure figure = test::draw("measures", c.input(), options, FixedMetrics()).value();
  EXPECT_TRUE(says(figure, "layer 2 of 2"));
  const auto texts = texts_of(figure);
  const auto after = [&](const char* head) {
    return *(std::find(texts.begin(), texts.end(), head) + 1);
  };
  EXPECT_EQ(after("Head 3"), "0.00");
  EXPECT_EQ(after("Head 1"), fixed_text(std::log(8.0), 2));
}

TEST(MeasuresPlot, SaysWhatItLeavesOut) {
  AttentionProblem problem = stack_of(1, 1, 3);
  problem.mask.query_padding = {{1, 1, 0}};
  const FakeResult result = FakeResult(problem).with(
      Stage::Weights, [](const HeadAddress&, std::size_t row, std::size_t) {
        return row == 0 ? NAN : row == 1 ? 1.0F / 3.0F : 0.0F;
      });
  const Document document = sentence_of(3);
  const Figure figure = test::draw("measures", {document, result}, {}, FixedMetrics()).value();
  EXPECT_TRUE(says(figure, "Left out: 1 row that sees no key and 1 row with NaN"));
}

TEST(MeasuresPlot, OfOneTokenHasDashes) {
  const Document document = sentence_of(1);
  const FakeResult result =
      FakeResult(stack_of(1, 1, 1))
          .with(Stage::Weights, [](const HeadAddress&, std::size_t, std::size_t) { return 1.0F; });
  EXPECT_TRUE(says(test::draw("measures", {document, result}, {}, FixedMetrics()).value(), "–"));
}

// Twelve heads whose maps are not materialised.
struct LongCase {
  Document document =
      read_document(R"({"tokens": 5000, "d_model": 12, "heads": 12})", "long", {}).value().document;
  ResultPtr result = *compute(make_problem(document));
};

TEST(MeasuresPlot, OfManyTokensComeWithSomeRowsFirst) {
  const LongCase c;
  const std::vector<Need> needs = measures_needs({{c.document, *c.result}, {}});
  ASSERT_EQ(needs.size(), 2U);
  EXPECT_TRUE(needs[0].awaited);
  EXPECT_LT(needs[0].nanoseconds, needs[1].nanoseconds / 10);
  EXPECT_FALSE(needs[1].awaited);
  EXPECT_GT(needs[1].nanoseconds, 12U * 5000U * 5000U);
  Derivations known;
  known.keep(needs[0].key, derive(needs[0], c.document, c.result));
  const Figure figure = measures({{c.document, *c.result, &known}, {}, FixedMetrics()}).value();
  EXPECT_TRUE(std::ranges::any_of(texts_of(figure), [](const std::string& text) {
    return text.find(" of 5,000 queries so far") != std::string::npos;
  })) << "and how many they are";
}

TEST(MeasuresPlot, AreCalledOffWithinAHead) {
  const LongCase c;
  const std::vector<Need> needs = measures_needs({{c.document, *c.result}, {}});
  Progress progress;
  progress.cancelled = true;
  const auto made = derive(needs.back(), c.document, c.result, {&progress});
  ASSERT_FALSE(made.ok());
  EXPECT_EQ(made.error().kind, ErrorKind::Interrupted);
}

TEST(MeasuresPlot, NoTextOverlapsAnotherOrLeavesTheFigure) {
  std::mt19937 random(4);
  const auto below = [&](std::size_t n) {
    return std::uniform_int_distribution<std::size_t>(0, n - 1)(random);
  };
  const MeasuresCase c = specialist_case(2);
  for (int round = 0; round < 80; ++round) {
    PlotOptions options;
    options.width = 200 + static_cast<double>(below(1200));
    if (below(2) == 0) options.height = 200 + static_cast<double>(below(800));
    options.at.layer = below(2);
    options.decimals = static_cast<int>(below(5));
    const Figure figure = test::draw("measures", c.input(), options, FixedMetrics()).value();
    EXPECT_EQ(test::text_problems(figure, FixedMetrics()), "")
        << options.width << " × " << options.height << ", " << options.decimals << " decimals";
    EXPECT_EQ(figure.width, options.width);
    if (options.height > 0.0) {
      EXPECT_EQ(figure.height, options.height);
    }
  }
}

}  // namespace
}  // namespace attn
