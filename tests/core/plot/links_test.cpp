// Links are weights: their ends, their opacity, their choice.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <set>

#include "base/number_text.h"
#include "document/load/read.h"
#include "document/problem.h"
#include "engine/compute.h"
#include "figure/colormap.h"
#include "plot/all_plots.h"
#include "plot/charts/charts.h"
#include "plot/kit/marks.h"
#include "plot/kit/names.h"
#include "support/fake_result.h"
#include "support/golden.h"
#include "tests/core/plot/computed_case.h"
#include "tests/core/plot/heatmap_cases.h"
#include "tests/core/plot/link_cases.h"
#include "tests/core/plot/text_boxes.h"

namespace attn {
namespace {

using test::all_links;
using test::cross_document;
using test::drawn;
using test::FakeResult;
using test::FixedMetrics;
using test::has_text;
using test::items_of;
using test::links_of;
using test::problem_of;
using test::weights;

using Cells = std::vector<std::size_t>;

Cells chosen(std::vector<float> row, double share, std::optional<double> least = {}) {
  return chosen_cells(row, {}, {share, least}, 0, row.size());
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
  EXPECT_EQ(chosen_cells(row, hidden, {1.0, {}}, 0, row.size()), Cells{3});
}

// The cells of a whole row that the rule chooses, by sorting all of them.
Cells plainly_chosen(const std::vector<float>& row, const std::vector<std::uint8_t>& hidden,
                     const LinkOptions& rule) {
  Cells cells;
  double sum = 0.0, so_far = 0.0;
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (hidden[i] != kVisible || !(row[i] > 0.0F)) continue;
    cells.push_back(i);
    sum += static_cast<double>(row[i]);
  }
  std::ranges::stable_sort(cells, std::greater(), [&](std::size_t i) { return row[i]; });
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const auto weight = static_cast<double>(row[cells[i]]);
    const bool ends =
        rule.least ? weight < *rule.least : so_far >= rule.row_share * sum * (1.0 - 1e-6);
    if (ends) return {cells.begin(), cells.begin() + static_cast<std::ptrdiff_t>(i)};
    so_far += weight;
  }
  return cells;
}

TEST(Links, AmongSomeCellsAreThoseOfTheWholeRow) {
  std::mt19937 random(5);
  for (int round = 0; round < 200; ++round) {
    std::vector<float> row(std::size_t{1} + random() % 300);
    std::vector<std::uint8_t> hidden(row.size());
    for (float& weight : row) weight = static_cast<float>(random() % 20) / 20.0F;
    for (std::uint8_t& rules : hidden) rules = random() % 5 == 0 ? kHiddenByCausal : 0;
    const std::size_t first = random() % row.size(), count = random() % (row.size() - first + 1);
    LinkOptions rule{static_cast<double>(random() % 11) / 10.0, {}};
    if (round % 4 == 0) rule.least = 0.5;
    Cells expected = plainly_chosen(row, hidden, rule);
    std::erase_if(expected, [&](std::size_t c) { return c < first || c >= first + count; });
    const Cells among = chosen_cells(row, hidden, rule, first, count);
    EXPECT_EQ(among, expected) << round;
  }
}

// --- The figure

Rect area_of(const Figure& figure, Side side, std::size_t index) {
  for (const RectItem& rect : items_of<RectItem>(figure)) {
    if (rect.hit == HitId(TokenHit{side, 0, index})) return rect.rect;
  }
  return {};
}

TEST(Links, JoinTheirTokensAndAreAsOpaqueAndWideAsTheirWeights) {
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
    // Links of two heads lie side by side.
    const double step = link.width / std::lerp(0.4, 1.4, static_cast<double>(weight));
    const double shift = (at.head == 0 ? -0.5 : 0.5) * step;
    EXPECT_NEAR(link.from.y, query.y + query.height / 2.0 + shift, 1e-9);
    EXPECT_NEAR(link.to.x, key.x, 1e-9);
    EXPECT_NEAR(link.to.y, key.y + key.height / 2.0 + shift, 1e-9);
    EXPECT_TRUE(seen.insert({at.head, cell.row, cell.col}).second);
  }
  std::size_t positive = 0;
  for (std::size_t i = 0; i < 24; ++i) {
    positive += result.value(Stage::Weights, {0, 0, i / 12}, i / 4 % 3, i % 4) > 0.0F ? 1U : 0U;
  }
  EXPECT_EQ(seen.size(), positive);
}

TEST(Links, OfRowsLeadFromBelowTheirQueryToAboveTheirKey) {
  PlotOptions options = all_links();
  options.orientation = Orientation::Rows;
  const Figure figure = drawn(weights(3, 4), options);
  ASSERT_FALSE(links_of(figure).empty());
  for (const LineItem& link : links_of(figure)) {
    const auto cell = std::get<CellHit>(link.hit);
    const Rect query = area_of(figure, Side::Query, cell.row);
    const Rect key = area_of(figure, Side::Key, cell.col);
    EXPECT_NEAR(link.from.x, query.middle().x, 1e-9);
    EXPECT_NEAR(link.from.y, query.bottom(), 1e-9);
    EXPECT_NEAR(link.to.x, key.middle().x, 1e-9);
    EXPECT_NEAR(link.to.y, key.y, 1e-9);
  }
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

// The option's text after a click on the chip `label`.
std::string after_click(const Figure& figure, const std::string& label) {
  for (const RectItem& rect : items_of<RectItem>(figure)) {
    const auto* option = std::get_if<OptionHit>(&rect.hit);
    if (option != nullptr && option->label == label) return option->field + " " + option->text;
  }
  return "";
}

TEST(Links, OnPaperALegendNamesTheHeadsThatAreDrawn) {
  PlotOptions options;
  options.heads = "0,2";
  const Figure figure = drawn(weights(2, 2, 4), options);
  EXPECT_TRUE(has_text(figure, "Head 1"));
  EXPECT_TRUE(has_text(figure, "Head 3"));
  EXPECT_FALSE(has_text(figure, "all"));
  EXPECT_FALSE(has_text(figure, "Head 2"));
  for (const RectItem& rect : items_of<RectItem>(figure)) {
    EXPECT_FALSE(std::holds_alternative<OptionHit>(rect.hit)) << "no buttons on paper";
  }
  options.heads = "1";
  EXPECT_FALSE(has_text(drawn(weights(2, 2, 4), options), "Head 2"));
}

TEST(Links, AClickOnAChipShowsOrHidesItsHead) {
  PlotOptions options;
  options.on_screen = true;
  const FakeResult result = weights(2, 2, 3);
  EXPECT_EQ(after_click(drawn(result, options), "2"), "heads 0,2");
  options.heads = "0,2";
  EXPECT_EQ(after_click(drawn(result, options), "2"), "heads all");
  EXPECT_EQ(after_click(drawn(result, options), "3"), "heads 0");
  EXPECT_EQ(after_click(drawn(result, options), "all"), "heads all");
  options.heads = "all";
  EXPECT_EQ(after_click(drawn(result, options), "all"), "heads ") << "none, to choose from";
  EXPECT_EQ(after_click(drawn(weights(2, 2, 1), options), "1"), "") << "one head needs no chips";
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

// --- The part in view

std::vector<LineItem> stubs_of(const Figure& figure) {
  std::vector<LineItem> stubs = items_of<LineItem>(figure);
  std::erase_if(stubs, [](const LineItem& l) { return l.dash.empty(); });
  return stubs;
}

std::string words_of(const Figure& figure) {
  std::string words;
  for (const TextItem& text : items_of<TextItem>(figure)) words += text.text + " ";
  return words;
}

// Queries 2 and 3 and keys 1 to 3 of six each, of one head.
PlotOptions part_in_view() {
  PlotOptions options = all_links();
  options.heads = "0";
  options.first_query = 2;
  options.first_key = 1;
  options.tokens_shown = 3;
  return options;
}

TEST(Links, OfThePartInViewAloneAreDrawnInFull) {
  const FakeResult result = weights(6, 6);
  std::size_t expected = 0;
  for (std::size_t i = 0; i < 9; ++i) {
    expected += result.value(Stage::Weights, {}, 2 + i / 3, 1 + i % 3) > 0.0F ? 1U : 0U;
  }
  const Figure figure = drawn(result, part_in_view());
  const std::vector<LineItem> links = links_of(figure);
  EXPECT_EQ(links.size(), expected);
  for (const LineItem& link : links) {
    const auto cell = std::get<CellHit>(link.hit);
    EXPECT_TRUE(cell.row >= 2 && cell.row <= 4 && cell.col >= 1 && cell.col <= 3);
  }
  EXPECT_EQ(area_of(figure, Side::Query, 1), Rect{});
  EXPECT_NE(area_of(figure, Side::Query, 4), Rect{});
  EXPECT_NE(words_of(figure).find("Queries 3 to 5 of 6, keys 2 to 4 of 6 are in view"),
            std::string::npos)
      << words_of(figure);
}

// Sum and count of the positive fake weights, worded as in stubs.
std::string summed(const FakeResult& result, std::size_t first_row, std::size_t end_row,
                   std::size_t first_col, std::size_t end_col) {
  double sum = 0.0;
  std::size_t count = 0;
  for (std::size_t row = first_row; row < end_row; ++row) {
    for (std::size_t col = first_col; col < end_col; ++col) {
      const float weight = result.value(Stage::Weights, {}, row, col);
      sum += static_cast<double>(weight);
      count += weight > 0.0F ? 1U : 0U;
    }
  }
  return short_text(sum) + " in " + std::to_string(count) + (count == 1 ? " link" : " links");
}

// The stub with these words; one without a position when there is none.
LineItem stub_saying(const Figure& figure, const std::string& words) {
  std::string all;
  for (const LineItem& stub : stubs_of(figure)) {
    if (stub.words == words) return stub;
    all += stub.words + "\n";
  }
  ADD_FAILURE() << "no stub says " << words << "; there are\n" << all;
  return {};
}

TEST(Links, BeyondTheViewAreStubsAtBothEndsThatLeaveTowardsWhatIsHidden) {
  const FakeResult result = weights(6, 6);
  const Figure figure = drawn(result, part_in_view());
  const std::string query = quoted_token(cross_document(6, 6), Side::Query, {}, 3);
  const std::string key = quoted_token(cross_document(6, 6), Side::Key, {}, 2);
  const LineItem up = stub_saying(figure, query + " → keys 1 to 1: " + summed(result, 3, 4, 0, 1));
  const LineItem down =
      stub_saying(figure, query + " → keys 5 to 6: " + summed(result, 3, 4, 4, 6));
  EXPECT_LT(up.to.y, up.from.y);
  EXPECT_GT(down.to.y, down.from.y);
  const LineItem from_above =
      stub_saying(figure, "queries 1 to 2 → " + key + ": " + summed(result, 0, 2, 2, 3));
  const LineItem from_below =
      stub_saying(figure, "queries 6 to 6 → " + key + ": " + summed(result, 5, 6, 2, 3));
  EXPECT_LT(from_above.to.y, from_above.from.y);
  EXPECT_LT(from_above.to.x, from_above.from.x) << "from the key towards the queries";
  EXPECT_GT(from_below.to.y, from_below.from.y);
}

TEST(Links, BeyondTheViewAreCountedAtItsEnds) {
  const FakeResult result = weights(6, 6);
  const auto counted_in = [&](std::size_t first_row, std::size_t end_row, std::size_t first_col,
                              std::size_t end_col) {
    const std::string words = summed(result, first_row, end_row, first_col, end_col);
    return words.substr(words.find(" in ") + 4);
  };
  using Arrows = std::pair<std::string, std::string>;
  for (const auto& [back, on] : {Arrows{"↑ ", "↓ "}, Arrows{"← ", "→ "}}) {
    PlotOptions options = part_in_view();
    options.orientation = on == "→ " ? Orientation::Rows : Orientation::Columns;
    const std::string words = words_of(drawn(result, options));
    for (const std::string& expected :
         {back + "1 more, " + counted_in(2, 5, 0, 1), on + "2 more, " + counted_in(2, 5, 4, 6),
          back + "2 more, " + counted_in(0, 2, 1, 4), on + "1 more, " + counted_in(5, 6, 1, 4)}) {
      EXPECT_NE(words.find(expected), std::string::npos) << expected << " in " << words;
    }
  }
}

TEST(Links, OfOneTokenHaveTheStubsOfThatToken) {
  PlotOptions options = part_in_view();
  options.token = "key 2";
  for (const LineItem& stub : stubs_of(drawn(weights(6, 6), options))) {
    EXPECT_TRUE(stub.words.starts_with("queries")) << stub.words;
  }
  options.token = "query 0";  // out of view
  const Figure figure = drawn(weights(6, 6), options);
  EXPECT_TRUE(links_of(figure).empty());
  for (const LineItem& stub : stubs_of(figure)) {
    EXPECT_TRUE(stub.words.starts_with("queries 1 to 2")) << stub.words;
    EXPECT_TRUE(stub.words.ends_with("in 1 link")) << stub.words;
  }
}

// One choice serves all hovered tokens: drawing reads no weights.
TEST(Links, OfATokenPointedAtComeFromThoseThatWereChosenForAll) {
  const FakeResult result = weights(6, 6, 2);
  const Document document = cross_document(6, 6);
  PlotOptions options = part_in_view();
  const Derivations chosen = derive_all(*plot_named("links"), document, borrowed(result), options);
  EXPECT_EQ(chosen.size(), 1U);
  for (const Side side : {Side::Query, Side::Key}) {
    PlotOptions by_name = part_in_view();
    by_name.token = side == Side::Query ? "query 3" : "key 3";
    options.focus = TokenHit{side, 0, 3};
    const Figure pointed =
        links_plot({{document, result, &chosen}, options, FixedMetrics()}).value();
    EXPECT_EQ(test::figure_text(pointed), test::figure_text(drawn(result, by_name)));
    EXPECT_FALSE(links_of(pointed).empty());
  }
}

// The view moved away from the hovered token.
TEST(Links, OfATokenPointedAtThatHasLeftTheViewAreThoseOfAll) {
  PlotOptions options = part_in_view();
  options.focus = TokenHit{Side::Key, 0, 5};
  const Figure figure = drawn(weights(6, 6), options);
  EXPECT_EQ(test::figure_text(figure), test::figure_text(drawn(weights(6, 6), part_in_view())));
}

TEST(Links, OfATokenBeyondTheViewAreChosenByThemselves) {
  const FakeResult result = weights(6, 6);
  const Document document = cross_document(6, 6);
  PlotOptions options = part_in_view();
  options.token = "query 0";
  EXPECT_EQ(needs_of(*plot_named("links"), {document, result}, options).size(), 2U);
}

TEST(Links, AreNotDrawnAsLongAsTheyAreNotChosen) {
  const FakeResult result = weights(3, 3);
  const Document document = cross_document(3, 3);
  const Result<Figure> figure = links_plot({{document, result}, {}, FixedMetrics()});
  ASSERT_FALSE(figure.ok());
  EXPECT_EQ(figure.error().message, why_missing({document, result}, "links").message);
}

TEST(Links, AreChosenUntilTheyAreCalledOff) {
  Progress progress;
  progress.cancelled = true;
  const LinkView all{{0, 3}, {0, 3}};
  EXPECT_EQ(choose_links(weights(3, 3), {}, {0}, all, {}, &progress).error().kind,
            ErrorKind::Interrupted);
}

TEST(Links, OfLongMapsComeWithThoseOfTheRowsInViewFirst) {
  const Document document =
      read_document(R"({"tokens": 5000, "d_model": 8, "heads": 2, "mask": {"causal": true}})",
                    "long", {})
          ->document;
  const ResultPtr result = *compute(make_problem(document));
  PlotOptions options;
  options.tokens_shown = 20;
  options.first_query = 4000;
  options.first_key = 3990;
  const PlotInput input{document, *result};
  const std::vector<Need> needs = links_needs({input, options});
  ASSERT_EQ(needs.size(), 2U);
  EXPECT_TRUE(needs[0].awaited && !needs[1].awaited);
  EXPECT_LT(needs[0].nanoseconds, needs[1].nanoseconds / 10);
  Derivations known;
  const PlotInput with{document, *result, &known};
  known.keep(needs[0].key, derive(needs[0], document, result));
  const LinkSet first = *chosen_links({with, options});
  EXPECT_TRUE(first.rows_in_view);
  const std::string words = words_of(links_plot({with, options, FixedMetrics()}).value());
  EXPECT_NE(words.find("beyond the view are not known yet"), std::string::npos) << words;
  known.keep(needs[1].key, derive(needs[1], document, result));
  const LinkSet all = *chosen_links({with, options});
  EXPECT_FALSE(all.rows_in_view);
  EXPECT_EQ(all.links, first.links);
  EXPECT_GT(all.stubs.size(), first.stubs.size()) << "and those of other queries";
}

TEST(Links, OfManyAreTheStrongest) {
  LinkSet set;
  for (std::size_t i = 0; i < kMostLinks + 5; ++i) {
    set.links.push_back({0, i, 0, static_cast<float>(i)});
  }
  const LinkSet strongest = strongest_of(set);
  EXPECT_EQ(strongest.links.size(), kMostLinks);
  EXPECT_EQ(strongest.left_out, 5U);
  EXPECT_EQ(strongest.links.front().query, 5U);
}

TEST(Links, BeginWithATokenThatIsThere) {
  PlotOptions options;
  options.first_key = 5;
  const auto plot = [&](std::size_t keys) {
    const Document document = cross_document(2, keys);
    return test::draw("links", {document, weights(2, keys)}, options, FixedMetrics());
  };
  EXPECT_TRUE(plot(6).ok());
  ASSERT_FALSE(plot(5).ok());
  EXPECT_EQ(plot(5).error().expected, "at most 4, counted from 0");
}

TEST(Links, AreOfHeadsThatAreThereAndTheOthersAreNamed) {
  PlotOptions options;
  options.heads = "1,4";
  EXPECT_EQ(words_of(drawn(weights(3, 3, 5), options)).find("not exist"), std::string::npos);
  EXPECT_NE(words_of(drawn(weights(3, 3, 4), options)).find("Head 5 of 4 does not exist."),
            std::string::npos);
  options.heads = "4";
  const Document document = cross_document(3, 3);
  const Result<Figure> none =
      test::draw("links", {document, weights(3, 3, 4)}, options, FixedMetrics());
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(none.error().found, "4");
}

TEST(Links, SayTheirTokensWeightAndHead) {
  const FakeResult result = weights(3, 4, 2);
  for (const LineItem& link : links_of(drawn(result, all_links()))) {
    const auto cell = std::get<CellHit>(link.hit);
    const HeadAddress& at = cell.matrix.head;
    const double weight = static_cast<double>(result.value(Stage::Weights, at, cell.row, cell.col));
    const Document document = cross_document(3, 4);
    EXPECT_EQ(link.words, quoted_token(document, Side::Query, {}, cell.row) + " → " +
                              quoted_token(document, Side::Key, {}, cell.col) + " " +
                              short_text(weight) + ", head " + std::to_string(at.head + 1));
  }
  PlotOptions painted = all_links();
  painted.line_words = false;
  for (const LineItem& link : links_of(drawn(result, painted))) EXPECT_EQ(link.words, "");
}

TEST(Links, OfChineseLieBetweenRowsUnlessAskedOtherwise) {
  Document document = cross_document(2, 2);
  document.query_tokens = document.key_tokens = {{"我", "猫"}};
  const FakeResult result = weights(2, 2);
  PlotOptions options = all_links();
  const auto first_link = [&] {
    return links_of(test::draw("links", {document, result}, options, FixedMetrics()).value())
        .front();
  };
  EXPECT_NEAR(first_link().to.y - first_link().from.y, 0.4 * 558.0, 60.0);
  options.orientation = Orientation::Columns;
  EXPECT_GT(first_link().to.x - first_link().from.x, 200.0);
  document.query_tokens = document.key_tokens = {{"cat", "猫猫", "dog"}};
  EXPECT_FALSE(prefers_rows(document, {}));
}

TEST(Links, TextsFitAndDoNotOverlap) {
  for (const std::size_t tokens : {1U, 3U, 12U, 60U, 300U}) {
    for (const Orientation orientation : {Orientation::Columns, Orientation::Rows}) {
      for (const double width : {300.0, 576.0}) {
        PlotOptions options;
        options.orientation = orientation;
        options.width = width;
        options.first_query = tokens / 3;
        options.first_key = tokens / 2;
        options.tokens_shown = std::max<std::size_t>(tokens / 2, 1);
        const Figure figure = drawn(weights(tokens, tokens + 2, 12), options);
        EXPECT_EQ(test::text_problems(figure, FixedMetrics()), "") << tokens << " " << width;
        EXPECT_EQ(figure.width, options.width);
      }
    }
  }
}

TEST(Links, LeaveRoomForTheWordsBelowThem) {
  PlotOptions options;
  options.height = 420.0;
  const Figure figure = drawn(weights(60, 60, 2), options);
  EXPECT_EQ(figure.height, 420.0);
  EXPECT_EQ(figure.scale, 1.0) << "nothing needs to be made smaller";
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
