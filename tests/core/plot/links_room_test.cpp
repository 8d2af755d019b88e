// Links of many heads and tokens, in panes and on pages.
#include <gtest/gtest.h>

#include <set>

#include "figure/colormap.h"
#include "plot/charts/charts.h"
#include "tests/core/plot/link_cases.h"
#include "tests/core/plot/text_boxes.h"

namespace attn {
namespace {

using test::all_links;
using test::drawn;
using test::FakeResult;
using test::FixedMetrics;
using test::has_text;
using test::items_of;
using test::links_of;
using test::weights;

// The heads of the links in drawing order, by whether they have the colour of their head.
std::vector<std::size_t> heads_in_color(const Figure& figure, std::size_t heads) {
  std::vector<std::size_t> in_color;
  for (const LineItem& link : links_of(figure)) {
    const std::size_t head = std::get<CellHit>(link.hit).matrix.head.head;
    const Color color = head_color(head, heads, ThemeKind::Paper);
    if (with_alpha(link.color, 255) == color) in_color.push_back(head);
  }
  return in_color;
}

TEST(Links, OfManyHeadsTheSelectedOneIsInFrontOfTheOthers) {
  PlotOptions options = all_links();
  options.at.head = 3;
  const FakeResult result = weights(3, 4, 12);
  const Figure figure = drawn(result, options);
  const std::vector<LineItem> links = links_of(figure);
  const std::vector<std::size_t> in_color = heads_in_color(figure, 12);
  ASSERT_GT(in_color.size(), 5U);
  EXPECT_EQ(std::set<std::size_t>(in_color.begin(), in_color.end()), (std::set<std::size_t>{3}));
  for (std::size_t i = links.size() - in_color.size(); i < links.size(); ++i) {
    EXPECT_EQ(std::get<CellHit>(links[i].hit).matrix.head.head, 3U) << "drawn last";
  }
  for (const LineItem& link : links) {
    const CellHit& cell = std::get<CellHit>(link.hit);
    if (cell.matrix.head.head == 3) continue;
    const float weight = result.value(Stage::Weights, cell.matrix.head, cell.row, cell.col);
    EXPECT_LT(link.color.a, 0.5F * 255.0F * weight + 1.0F) << "faint";
  }
  EXPECT_TRUE(has_text(figure, "Head 4"));
  EXPECT_TRUE(has_text(figure, "11 other heads"));
  EXPECT_FALSE(has_text(figure, "Head 1"));
  options.heads = "0,2,3";
  EXPECT_EQ(heads_in_color(drawn(result, options), 12).size(),
            links_of(drawn(result, options)).size())
      << "colours distinguish a few heads";
  options.heads = "all";
  options.focus = TokenHit{Side::Query, 0, 1};
  EXPECT_GT(heads_in_color(drawn(result, options), 12).size(), 12U) << "all heads of one token";
}

TEST(Links, FillTheHeightOfAPane) {
  for (const std::size_t tokens : {3U, 10U, 40U}) {
    for (const Orientation orientation : {Orientation::Columns, Orientation::Rows}) {
      PlotOptions options;
      options.on_screen = true;
      options.orientation = orientation;
      options.width = 900.0;
      options.pane_height = 640.0;
      const Figure figure = drawn(weights(tokens, tokens, 4), options);
      EXPECT_GT(figure.height, 0.96 * 640.0) << tokens;
      EXPECT_LE(figure.height, 640.0) << tokens;
      EXPECT_EQ(test::text_problems(figure, FixedMetrics()), "") << tokens;
    }
  }
}

TEST(Links, OfManyTokensFitAPageWithLegibleLabels) {
  for (const double width : {241.0, 482.0}) {
    PlotOptions options;
    options.width = width;
    options.tokens_shown = 300;
    const Figure figure = drawn(weights(300, 300, 4), options);
    EXPECT_LE(figure.height, 9.5 * 72.0);
    for (const TextItem& text : items_of<TextItem>(figure)) EXPECT_GE(text.font.size, 5.0);
    EXPECT_EQ(test::text_problems(figure, FixedMetrics()), "") << width;
  }
}

TEST(Links, NotesGoOnInFurtherLinesAndAdviceOnTooManyLinksStaysOutOfFiles) {
  PlotOptions options;
  options.width = 241.0;
  std::string words;
  for (const std::string& text : test::texts_of(drawn(weights(40, 40, 4), options))) {
    words += text + " ";
  }
  EXPECT_NE(words.find("the largest weights totalling 70 % of its row are drawn"),
            std::string::npos)
      << words;
  EXPECT_EQ(words.find("too many"), std::string::npos);
  const std::vector<std::string> advice = drawn(weights(40, 40, 4), options).advice;
  ASSERT_EQ(advice.size(), 1U);
  EXPECT_NE(advice.front().find("lines are too many to tell apart"), std::string::npos);
  EXPECT_TRUE(drawn(weights(4, 4, 4), options).advice.empty());
  options.on_screen = true;
  words.clear();
  for (const std::string& text : test::texts_of(drawn(weights(40, 40, 4), options))) words += text;
  EXPECT_NE(words.find("lines are too many to tell apart"), std::string::npos);
}

TEST(Links, UpToThreeHundredCanBeToldApart) {
  const auto advice = [](std::size_t n_q, std::size_t n_k) {
    const FakeResult result =
        FakeResult(problem_of(n_q, n_k, 1)).with(Stage::Weights, [](const auto&...) {
          return 0.5F;
        });
    return drawn(result, all_links()).advice;
  };
  EXPECT_TRUE(advice(15, 20).empty());
  EXPECT_EQ(advice(7, 43).size(), 1U);
}

}  // namespace
}  // namespace attn
