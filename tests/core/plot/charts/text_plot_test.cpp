// Sentences tinted by weights, and one token in every head: what is drawn is what the tensor has.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "figure/colormap.h"
#include "lesson/concealed.h"
#include "plot/maps/maps.h"
#include "support/fake_result.h"
#include "support/figure_items.h"
#include "tests/core/plot/computed_case.h"

namespace attn {
namespace {

using test::computed_json;
using test::ComputedCase;
using test::FixedMetrics;
using test::items_of;
using test::says;

Figure drawn(const char* plot, const ComputedCase& of, const PlotOptions& options = {}) {
  return test::draw(plot, of.input(), options, FixedMetrics()).value();
}

PlotOptions looking_at(const std::string& token, TextDirection direction = TextDirection::Gives) {
  PlotOptions options;
  options.token = token;
  options.direction = direction;
  return options;
}

// Rectangles of tokens by their index, from the top down.
std::map<std::size_t, std::vector<RectItem>> tokens_of_figure(const Figure& figure) {
  std::map<std::size_t, std::vector<RectItem>> all;
  for (const RectItem& item : items_of<RectItem>(figure)) {
    if (const auto* token = std::get_if<TokenHit>(&item.hit)) all[token->index].push_back(item);
  }
  return all;
}

// Position of a colour between the background and the role, 0 to 1, by its strongest channel.
double part_of(Color color, Color background, Color role) {
  const auto along = [](int c, int from, int to) {
    return to == from ? 0.0 : static_cast<double>(c - from) / static_cast<double>(to - from);
  };
  return std::abs(role.r - background.r) > std::abs(role.b - background.b)
             ? along(color.r, background.r, role.r)
             : along(color.b, background.b, role.b);
}

// Weights read back from the tints of one direction, of `keys` keys.
std::vector<double> weights_drawn(const Figure& figure, Color role, double keys) {
  const FigureTheme& theme = figure_theme(ThemeKind::Paper);
  const double power = keys <= 3.0 ? 1.0 : std::log(3.0) / std::log(keys);
  std::vector<double> weights;
  for (const auto& [index, rects] : tokens_of_figure(figure)) {
    const double part = part_of(rects.front().fill, theme.background, role);
    weights.push_back(std::pow(part / 0.62, 1.0 / power));
  }
  return weights;
}

double total(const std::vector<double>& numbers) {
  double sum = 0.0;
  for (const double number : numbers) sum += number;
  return sum;
}

constexpr const char* kFour = R"({"tokens": ["a", "b", "c", "d"], "attention":
    [[1, 0, 0, 0], [0.5, 0.5, 0, 0], [0.125, 0.125, 0.75, 0], [0.25, 0.125, 0.5, 0.125]]})";

TEST(TextPlot, TheTintsAreTheRowAndTheColumn) {
  const ComputedCase of = computed_json(kFour);
  const FigureTheme& theme = figure_theme(ThemeKind::Paper);
  const auto row = weights_drawn(drawn("text", of, looking_at("query 3")), theme.key, 4.0);
  ASSERT_EQ(row.size(), 4U);
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_NEAR(row[k], static_cast<double>(of.result->value(Stage::Weights, {}, 3, k)), 0.01);
  }
  EXPECT_NEAR(total(row), 1.0, 0.02);
  const auto column = weights_drawn(drawn("text", of, looking_at("query 0", TextDirection::Gets)),
                                    theme.query, 4.0);
  EXPECT_NEAR(total(column), 1.0 + 0.5 + 0.125 + 0.25, 0.02) << "the first token is tinted too";
  const auto both = tokens_of_figure(drawn("text", of, looking_at("query 0", TextDirection::Both)));
  ASSERT_EQ(both.at(0).size(), 2U) << "two halves";
  EXPECT_LT(both.at(0)[0].rect.y, both.at(0)[1].rect.y);
}

TEST(TextPlot, WordsHaveTheSumOfTheirKeysAndTheMeanOfTheirQueries) {
  const ComputedCase of = computed_json(R"({"tokens": ["un", "##do", "it"], "attention":
      [[0.5, 0.25, 0.25], [0.25, 0.5, 0.25], [0.125, 0.375, 0.5]]})");
  PlotOptions options = looking_at("query 2");
  options.words = true;
  const Figure row = drawn("text", of, options);
  EXPECT_TRUE(test::has_text(row, "undo"));
  const FigureTheme& theme = figure_theme(ThemeKind::Paper);
  const auto weights = weights_drawn(row, theme.key, 3.0);
  ASSERT_EQ(weights.size(), 2U);
  EXPECT_NEAR(weights[0], 0.5, 0.01);
  EXPECT_NEAR(total(weights), 1.0, 0.02) << "as the row of the map";
  options.token = "query 1";  // a piece of the word
  const auto word = weights_drawn(drawn("text", of, options), theme.key, 3.0);
  EXPECT_NEAR(word[0], 0.75, 0.01);
  EXPECT_NEAR(word[1], 0.25, 0.01);
  options.direction = TextDirection::Gets;
  const auto gets = weights_drawn(drawn("text", of, options), theme.query, 3.0);
  EXPECT_NEAR(gets[1], 0.5, 0.01) << "what the last query takes from both pieces";
  EXPECT_TRUE(says(row, "joined"));
}

TEST(TextPlot, PiecesAreSetWithoutBlanksAndLinesEndWhereTheyDo) {
  const ComputedCase of = computed_json(R"({"tokens": ["The", "Ġun", "do", ".", "Ċ", "It"],
      "d_model": 4, "heads": 1})");
  const auto set = tokens_of_figure(drawn("text", of, looking_at("query 0")));
  const auto left = [&](std::size_t i) { return set.at(i).front().rect.x; };
  const auto right = [&](std::size_t i) { return set.at(i).front().rect.right(); };
  EXPECT_GT(left(1) - right(0), 2.0) << "a blank";
  EXPECT_LT(left(2) - right(1), 1.0) << "none";
  EXPECT_EQ(left(5), left(0)) << "a new line";
  EXPECT_GT(set.at(5).front().rect.y, set.at(4).front().rect.y);
}

TEST(TextPlot, ArabicRunsFromTheRight) {
  const ComputedCase of =
      computed_json(R"({"tokens": ["أنا", "ال", "##قطط"], "d_model": 4, "heads": 1})");
  const auto set = tokens_of_figure(drawn("text", of, looking_at("query 0")));
  EXPECT_GT(set.at(0).front().rect.x, set.at(1).front().rect.x);
  EXPECT_GT(set.at(1).front().rect.x, set.at(2).front().rect.x) << "pieces of a word, too";
}

TEST(TextPlot, HasABlockForEachHeadOfTheChosenLayers) {
  const ComputedCase of =
      computed_json(R"({"tokens": ["a", "b"], "d_model": 4, "heads": 2, "blocks": 3})");
  PlotOptions options;
  options.layers = "0,2";
  const Figure figure = drawn("text", of, options);
  EXPECT_TRUE(test::has_text(figure, "Layer 1, head 2"));
  EXPECT_TRUE(test::has_text(figure, "Layer 3, head 1"));
  EXPECT_FALSE(test::has_text(figure, "Layer 2, head 1"));
  options.layers = "7";
  EXPECT_FALSE(test::draw("text", of.input(), options, FixedMetrics()).ok());
  const ComputedCase many = computed_json(R"({"tokens": ["a"], "d_model": 60, "heads": 30})");
  EXPECT_NE(drawn("text", many).alt_text.find("24 of 30 heads are shown"), std::string::npos);
}

TEST(TextPlot, OfALongSentenceFramesATokenThatIsShown) {
  const Figure figure = drawn("text", computed_json(R"({"tokens": 3000, "d_model": 2})"));
  const auto frames = [](const RectItem& item) { return item.stroke_width > 0.0; };
  EXPECT_EQ(std::ranges::count_if(items_of<RectItem>(figure), frames), 1);
}

TEST(TextPlot, AConcealedWeightHasNoTint) {
  ComputedCase of = computed_json(kFour);
  of.result = concealed(of.result, {{Stage::Weights, {}, {3, 2, 1, 1}}});
  const auto set = tokens_of_figure(drawn("text", of, looking_at("query 3")));
  EXPECT_EQ(set.at(2).front().fill, figure_theme(ThemeKind::Paper).hatch_background);
}

// --- one token in every head

const MatrixItem& map_of(const Figure& figure) { return *find_matrix(figure); }

TEST(TokenPlot, HasTheRowOfEveryHeadWithTheHitsOfItsCells) {
  const ComputedCase of = computed_json(R"({"tokens": ["a", "b", "c"], "d_model": 4, "heads": 2,
      "blocks": 2, "mask": {"causal": true}})");
  for (const char* token : {"query 1", "key 1"}) {
    const bool is_query = token[0] == 'q';
    PlotOptions options;
    options.token = token;
    const Figure figure = drawn("token", of, options);
    const MatrixItem& map = map_of(figure);
    ASSERT_EQ(map.cells->rows, 4U);
    ASSERT_EQ(map.cells->cols, 3U);
    for (std::size_t r = 0; r < 4; ++r) {
      for (std::size_t c = 0; c < 3; ++c) {
        const HeadAddress at{r / 2, 0, r % 2, 0};
        const std::size_t q = is_query ? 1 : c, k = is_query ? c : 1;
        const std::size_t index = 3 * r + c;
        EXPECT_EQ(map.cells->values[index], of.result->value(Stage::Weights, at, q, k));
        EXPECT_EQ(map.cells->hidden[index], of.result->hidden(at, q, k));
        const HitId hit = hit_test(figure, cell_rect(map, r, c).middle());
        EXPECT_EQ(std::get<CellHit>(hit), (CellHit{{Stage::Weights, at}, q, k}));
      }
    }
  }
}

TEST(TokenPlot, FramesTheHoveredCell) {
  const ComputedCase of = computed_json(R"({"tokens": ["a", "b"], "d_model": 4, "heads": 2})");
  const Figure figure = drawn("token", of);
  const Drawing drawing(of.input(), {}, FixedMetrics());
  const CellHit cell{{Stage::Weights, {0, 0, 1}}, 1, 0};
  const Figure marks = token_hover(drawing, figure, cell, {});
  ASSERT_EQ(marks.items.size(), 1U);
  EXPECT_TRUE(items_of<RectItem>(marks)[0].rect.contains(cell_rect(map_of(figure), 1, 0).middle()));
  EXPECT_TRUE(token_hover(drawing, figure, TokenHit{}, {}).items.empty());
}

TEST(TokenPlot, OfManyHeadsIsDerivedAndPooled) {
  const ComputedCase of =
      computed_json(R"({"tokens": 3000, "d_model": 8, "heads": 4, "blocks": 2})");
  PlotOptions options;
  options.token = "key 5";
  const FittedView view(of.input(), options);
  const PlotEntry& plot = *plot_named("token");
  const std::vector<Need> needs = needs_of(plot, of.input(), options);
  if (is_materialised(*of.result, Stage::Weights, {})) {
    EXPECT_TRUE(needs.empty()) << "read at once";
  } else {
    EXPECT_EQ(needs.size(), 1U);
  }
  const Figure figure = drawn("token", of, options);
  const MatrixItem& map = map_of(figure);
  EXPECT_GT(map.col_step, 1U);
  EXPECT_TRUE(says(figure, "Each pixel shows the largest of"));
  float most = 0.0F;
  for (std::size_t q = 0; q < map.col_step; ++q) {
    most = std::max(most, of.result->value(Stage::Weights, {1, 0, 3}, q, 5));
  }
  EXPECT_EQ(map.cells->values[7 * map.cells->cols], most);
}

// The last tokens of a shorter sentence of a batch are padding, which sees nothing.
TEST(TextPlot, BeginsAtTheLastQueryThatSeesAKey) {
  const test::ComputedCase of = test::computed_example("padding-batch");
  PlotOptions options;
  options.at.sample = 1;
  const AttentionShape& shape = of.result->shape();
  ASSERT_TRUE(of.result->sees_no_key(options.at, shape.n_q - 1));
  std::size_t last = shape.n_q - 1;
  while (of.result->sees_no_key(options.at, last)) --last;
  const Figure figure = test::draw("token", of.input(), options, test::FixedMetrics()).value();
  EXPECT_TRUE(test::says(figure, tokens_of(of.document, Side::Query, 1)[last]));
  EXPECT_FALSE(test::says(figure, "What “<pad>”"));
}

}  // namespace
}  // namespace attn
