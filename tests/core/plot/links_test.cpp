// Links are the weights: their ends, their opacity, which of them are drawn.
#include "plot/charts/links.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "figure/head_colors.h"
#include "plot/all_plots.h"
#include "plot/charts/link_choice.h"
#include "plot/charts/links_layout.h"
#include "plot/parts/marks.h"
#include "support/fake_result.h"
#include "tests/core/plot/heatmap_cases.h"
#include "tests/core/plot/text_boxes.h"

namespace attn {
namespace {

using test::cross_document;
using test::FakeResult;
using test::FixedMetrics;
using test::items_of;
using test::problem_of;

using Cells = std::vector<std::size_t>;

Cells chosen(std::vector<float> row, double share, std::optional<double> least = {}) {
  return chosen_cells(row, {}, {share, least});
}

// --- The choice of links

TEST(Links, AreTheLargestOfEachRowUntilTheirShareIsReached) {
  EXPECT_EQ(chosen({0.1F, 0.5F, 0.25F, 0.15F}, 0.7), (Cells{1, 2}));
  EXPECT_EQ(chosen({0.1F, 0.5F, 0.25F, 0.15F}, 0.75), (Cells{1, 2})) << "reached exactly";
  EXPECT_EQ(chosen({0.1F, 0.5F, 0.25F, 0.15F}, 0.8), (Cells{1, 2, 3}));
  EXPECT_EQ(chosen({1.0F, 0.0F, 0.0F}, 1.0), (Cells{0})) << "zeros are never links";
  EXPECT_EQ(chosen({2.0F, 6.0F, 2.0F}, 0.6), (Cells{1})) << "of the row's sum, whatever it is";
  EXPECT_EQ(chosen({0.25F, 0.25F, 0.25F, 0.25F}, 0.5), (Cells{0, 1})) << "equal ones from the left";
  EXPECT_EQ(chosen({0.5F, 0.5F}, 0.0), Cells{});
}

TEST(Links, AreAllAboveALeastWeightInPlaceOfAShare) {
  EXPECT_EQ(chosen({0.1F, 0.5F, 0.25F, 0.15F}, 0.1, 0.15), (Cells{1, 2, 3}));
  EXPECT_EQ(chosen({0.1F, 0.5F}, 0.1, 0.0), (Cells{1, 0}));
}

TEST(Links, OfWhatIsHiddenOrNoNumberThereAreNone) {
  const float nan = std::nanf("");
  const std::vector<float> row = {nan, 0.4F, INFINITY, 0.3F, -1.0F};
  const std::vector<std::uint8_t> hidden = {0, kHiddenByCausal, 0, 0, 0};
  EXPECT_EQ(chosen_cells(row, hidden, {1.0, {}}), Cells{3});
}

// --- The figure

PlotOptions all_links() {
  PlotOptions options;
  options.row_share = 1.0;
  return options;
}

FakeResult weights(std::size_t n_q, std::size_t n_k, std::size_t heads = 1) {
  return FakeResult(problem_of(n_q, n_k, heads))
      .with(Stage::Weights, [](const HeadAddress& at, std::size_t row, std::size_t col) {
        return static_cast<float>((7 * row + 3 * col + 11 * at.head) % 20) / 20.0F;
      });
}

Figure drawn(const FakeResult& result, const PlotOptions& options) {
  const StageShape shape = result.stage_shape(Stage::Weights);
  const Document document = cross_document(shape.rows, shape.cols);
  return links_plot({document, result}, options, FixedMetrics()).value();
}

// The lines that stand for a cell.
std::vector<LineItem> links_of(const Figure& figure) {
  std::vector<LineItem> links = items_of<LineItem>(figure);
  std::erase_if(links, [](const LineItem& l) { return !std::holds_alternative<CellHit>(l.hit); });
  return links;
}

Rect area_of(const Figure& figure, Side side, std::size_t index) {
  for (const RectItem& rect : items_of<RectItem>(figure)) {
    if (rect.hit == HitId(TokenHit{side, 0, index})) return rect.rect;
  }
  return {};
}

TEST(Links, JoinTheirTokensAndAreAsOpaqueAsTheirWeights) {
  const FakeResult result = weights(3, 4, 2);
  const Figure figure = drawn(result, all_links());
  std::set<std::array<std::size_t, 3>> seen;
  for (const LineItem& link : links_of(figure)) {
    const auto cell = std::get<CellHit>(link.hit);
    const HeadAddress& at = cell.matrix.head;
    const float weight = result.value(Stage::Weights, at, cell.row, cell.col);
    EXPECT_EQ(link.color.a, std::lround(255.0 * static_cast<double>(weight)));
    Color opaque = link.color;
    opaque.a = 255;
    EXPECT_EQ(opaque, head_color(at.head, 2, ThemeKind::Paper));
    const Rect query = area_of(figure, Side::Query, cell.row);
    const Rect key = area_of(figure, Side::Key, cell.col);
    EXPECT_NEAR(link.from.x, query.x + query.width, 1e-9);
    // Those of two heads lie side by side.
    const double shift = at.head == 0 ? -0.5 : 0.5;
    EXPECT_NEAR(link.from.y, query.y + query.height / 2.0 + shift * link.width, 1e-9);
    EXPECT_NEAR(link.to.x, key.x, 1e-9);
    EXPECT_NEAR(link.to.y, key.y + key.height / 2.0 + shift * link.width, 1e-9);
    EXPECT_TRUE(seen.insert({at.head, cell.row, cell.col}).second);
  }
  std::size_t positive = 0;
  for (std::size_t i = 0; i < 24; ++i) {
    positive += result.value(Stage::Weights, {0, 0, i / 12}, i / 4 % 3, i % 4) > 0.0F ? 1U : 0U;
  }
  EXPECT_EQ(seen.size(), positive);
}

TEST(Links, TheStrongestAreDrawnLast) {
  const std::vector<LineItem> links = links_of(drawn(weights(5, 5, 2), all_links()));
  EXPECT_TRUE(std::ranges::is_sorted(links, {}, [](const LineItem& l) { return l.color.a; }));
}

TEST(Links, AreFoundWithinAFewUnits) {
  const Figure figure = drawn(weights(2, 2), all_links());
  const LineItem link = links_of(figure).back();
  const Point middle{(link.from.x + link.to.x) / 2.0, (link.from.y + link.to.y) / 2.0};
  EXPECT_EQ(hit_test(figure, {middle.x, middle.y + 2.0}), link.hit);
  EXPECT_EQ(hit_test(figure, {link.from.x + 1.0, link.from.y - 40.0}), HitId{});
}

TEST(Links, OnlyTheHeadsOfTheListAreDrawn) {
  PlotOptions options = all_links();
  options.heads = "0,2";
  std::set<std::size_t> heads;
  for (const LineItem& link : links_of(drawn(weights(3, 3, 4), options))) {
    heads.insert(std::get<CellHit>(link.hit).matrix.head.head);
  }
  EXPECT_EQ(heads, (std::set<std::size_t>{0, 2}));
}

// The option's text after a click on the chip that says `label`.
std::string after_click(const Figure& figure, const std::string& label) {
  for (const RectItem& rect : items_of<RectItem>(figure)) {
    const auto* option = std::get_if<OptionHit>(&rect.hit);
    if (option != nullptr && option->label == label) return option->field + " " + option->text;
  }
  return "";
}

TEST(Links, AClickOnAChipShowsOrHidesItsHead) {
  PlotOptions options;
  const FakeResult result = weights(2, 2, 3);
  EXPECT_EQ(after_click(drawn(result, options), "2"), "heads 0,2");
  options.heads = "0,2";
  EXPECT_EQ(after_click(drawn(result, options), "2"), "heads all");
  EXPECT_EQ(after_click(drawn(result, options), "3"), "heads 0");
  EXPECT_EQ(after_click(drawn(result, options), "all"), "heads all");
  options.heads = "all";
  EXPECT_EQ(after_click(drawn(result, options), "all"), "heads ") << "none, to choose from";
  EXPECT_EQ(after_click(drawn(weights(2, 2, 1), {}), "1"), "") << "one head needs no chips";
}

TEST(Links, OfATokenPointedAtAreTheOnlyOnes) {
  PlotOptions options = all_links();
  options.focus = TokenHit{Side::Key, 0, 1};
  const std::vector<LineItem> links = links_of(drawn(weights(4, 3), options));
  EXPECT_EQ(links.size(), 4U);
  for (const LineItem& link : links) EXPECT_EQ(std::get<CellHit>(link.hit).col, 1U);
}

TEST(Links, APinnedLinkIsDrawnStronger) {
  PlotOptions options = all_links();
  options.pins = {{MatrixId{Stage::Weights, {}}, 1, 2}};
  const std::vector<LineItem> links = links_of(drawn(weights(3, 3), options));
  const auto of_pin = std::ranges::count_if(
      links, [&](const LineItem& l) { return l.hit == HitId(options.pins[0]); });
  EXPECT_EQ(of_pin, 3) << "itself, a halo, and drawn again";
  EXPECT_EQ(links.back().color.a, 255);
  EXPECT_GT(links.back().width, links.front().width);
}

TEST(Links, TheHoveredOneIsMarkedWhereverItIsHovered) {
  const Figure figure = drawn(weights(3, 3, 2), all_links());
  const CellHit scores{MatrixId{Stage::Scores, {0, 0, 1}}, 1, 2};
  const std::vector<LineItem> marks =
      items_of<LineItem>(hover_marks(figure, scores, ThemeKind::Paper));
  ASSERT_EQ(marks.size(), 2U) << "a halo and the link of this head";
  EXPECT_EQ(marks[1].color, head_color(1, 2, ThemeKind::Paper));
}

TEST(Links, BeyondTheViewAreStubsAndThePlotSaysSo) {
  PlotOptions options = all_links();
  options.heads = "0";
  const FakeResult result = weights(4, 260);
  const Figure figure = drawn(result, options);
  for (const LineItem& link : links_of(figure)) {
    EXPECT_LT(std::get<CellHit>(link.hit).col, kMostLinkTokens);
  }
  std::vector<LineItem> stubs = items_of<LineItem>(figure);
  std::erase_if(stubs, [](const LineItem& l) { return l.dash.empty(); });
  ASSERT_EQ(stubs.size(), 4U) << "one for each query";
  std::string words;
  for (const TextItem& text : items_of<TextItem>(figure)) words += text.text + " ";
  EXPECT_NE(words.find("Queries 1 to 4 of 4, keys 1 to 200 of 260 are in view"), std::string::npos)
      << words;
  options.window = {0.0, 100.5, 4.0, 50.0};
  const std::vector<LineItem> shown = links_of(drawn(result, options));
  const auto [first, last] = std::ranges::minmax(
      shown, {}, [](const LineItem& l) { return std::get<CellHit>(l.hit).col; });
  EXPECT_EQ(std::get<CellHit>(first.hit).col, 100U);
  EXPECT_EQ(std::get<CellHit>(last.hit).col, 150U);
}

TEST(Links, OfChineseLieBetweenRowsUnlessAskedOtherwise) {
  Document document = cross_document(2, 2);
  document.query_tokens = document.key_tokens = {{"我", "猫"}};
  const FakeResult result = weights(2, 2);
  PlotOptions options = all_links();
  const auto first_link = [&] {
    return links_of(links_plot({document, result}, options, FixedMetrics()).value()).front();
  };
  EXPECT_NEAR(first_link().to.y - first_link().from.y, 0.4 * 558.0, 60.0);
  options.orientation = Orientation::Columns;
  EXPECT_GT(first_link().to.x - first_link().from.x, 200.0);
  document.query_tokens = document.key_tokens = {{"cat", "猫猫", "dog"}};
  EXPECT_FALSE(prefers_rows(document, 0));
}

TEST(Links, TextsFitAndDoNotOverlap) {
  for (const std::size_t tokens : {1U, 3U, 12U, 60U, 300U}) {
    for (const Orientation orientation : {Orientation::Columns, Orientation::Rows}) {
      PlotOptions options;
      options.orientation = orientation;
      const Figure figure = drawn(weights(tokens, tokens + 2, 12), options);
      EXPECT_EQ(test::text_problems(figure, FixedMetrics()), "") << tokens;
      EXPECT_EQ(figure.width, options.width);
    }
  }
}

TEST(Links, HaveColoursOfTheirOwnForEachOfTwelveHeads) {
  for (const ThemeKind theme : {ThemeKind::Paper, ThemeKind::Dark}) {
    for (std::size_t a = 0; a < 12; ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        const Color x = head_color(a, 12, theme), y = head_color(b, 12, theme);
        EXPECT_GT(std::abs(x.r - y.r) + std::abs(x.g - y.g) + std::abs(x.b - y.b), 30)
            << a << " " << b;
      }
    }
  }
}

}  // namespace
}  // namespace attn
