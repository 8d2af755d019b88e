// The plot of all heads: texels are weights of heads, texts are their measures.
#include "plot/maps/heads.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "base/number_text.h"
#include "engine/matrix/matrix.h"
#include "engine/matrix/pool.h"
#include "export/export.h"
#include "figure/text.h"
#include "plot/maps/heatmap.h"
#include "support/rasterize.h"
#include "tests/core/plot/heads/heads_case.h"
#include "tests/core/plot/text_boxes.h"
#include "tests/support/fake_result.h"
#include "tests/support/figure_items.h"
#include "view/fields.h"

namespace attn {
namespace {

using test::case_of;
using test::complete;
using test::drawn;
using test::FakeResult;
using test::FixedMetrics;
using test::HeadsCase;
using test::image_of;
using test::says;
using test::texts_of;
using test::weight;

// The rectangles of heads in drawing order.
std::vector<RectItem> heads_in(const Figure& figure) {
  std::vector<RectItem> heads;
  for (const FigureItem& item : figure.items) {
    const auto* rect = std::get_if<RectItem>(&item);
    if (rect != nullptr && std::holds_alternative<HeadHit>(rect->hit)) heads.push_back(*rect);
  }
  return heads;
}

std::vector<HeadAddress> order_of(const Figure& figure) {
  std::vector<HeadAddress> order;
  for (const RectItem& rect : heads_in(figure)) order.push_back(std::get<HeadHit>(rect.hit).head);
  return order;
}

// The texel drawn over cell (row, col) of a head's rectangle of n × n cells.
std::size_t texel_at(const MatrixItem& m, const Rect& head, std::size_t n, std::size_t row,
                     std::size_t col) {
  const double x = head.x + head.width * (static_cast<double>(col) + 0.5) / static_cast<double>(n);
  const double y = head.y + head.height * (static_cast<double>(row) + 0.5) / static_cast<double>(n);
  const auto texel_col =
      static_cast<std::size_t>((x - m.rect.x) / m.rect.width * static_cast<double>(m.cells->cols));
  const auto texel_row =
      static_cast<std::size_t>((y - m.rect.y) / m.rect.height * static_cast<double>(m.cells->rows));
  return texel_row * m.cells->cols + texel_col;
}

PooledCells cells_of(const HeadsCase& c, const HeadAddress& at) {
  const AttentionShape& s = c.result.shape();
  const MatrixPtr matrix = stage_matrix(borrowed(c.result), {Stage::Weights, at});
  return pooled_by_rows(*matrix, {0, 0, s.n_q, s.n_k}, s.n_q, s.n_k, Pooling::Maximum);
}

constexpr HeadRange kRanges[] = {HeadRange::Automatic, HeadRange::Head, HeadRange::Shared,
                                 HeadRange::Unit};

// Texels of a head with its own range are places in that, others weights.
float texel_of(const HeadsCase& c, HeadRange range, const HeadAddress& at, float weight) {
  if (range != HeadRange::Head) return weight;
  const double keys = static_cast<double>(c.result.shape().n_k);
  const double end = std::max(static_cast<double>(largest_of(cells_of(c, at))), 3.0 / keys);
  const double power = keys * end <= 3.0 ? 1.0 : std::log(3.0) / std::log(keys * end);
  return static_cast<float>(std::pow(static_cast<double>(weight) / end, power));
}

TEST(HeadsPlot, EveryTexelIsItsHeadsWeightInEveryRange) {
  const HeadsCase c = case_of(3, 4, 6);
  for (const HeadRange range : kRanges) {
    PlotOptions options;
    options.head_range = range;
    const Figure figure = drawn(c, options);
    const MatrixItem& m = image_of(figure);
    const std::vector<RectItem> heads = heads_in(figure);
    ASSERT_EQ(heads.size(), 12U);
    for (const RectItem& head : heads) {
      const HeadAddress at = std::get<HeadHit>(head.hit).head;
      for (std::size_t i = 0; i < 36; ++i) {
        const std::size_t texel = texel_at(m, head.rect, 6, i / 6, i % 6);
        const float wanted = texel_of(c, range, at, weight(at, i / 6, i % 6));
        EXPECT_EQ(m.cells->hidden[texel] != kVisible, i % 6 > i / 6) << "causal";
        if (i % 6 > i / 6) continue;
        EXPECT_NEAR(m.cells->values[texel], wanted, 1e-5F) << static_cast<int>(range);
      }
    }
  }
}

TEST(HeadsPlot, ThumbnailsHaveTheColoursOfTheMap) {
  const HeadsCase c = case_of(1, 2, 8);
  const Figure figure = drawn(c, {});
  const Figure map = heatmap_plot({c.input(), {}, FixedMetrics()}).value();
  EXPECT_EQ(image_of(figure).scale, find_matrix(map)->scale);
  EXPECT_NE(figure.alt_text.find(
                "Colours: 0 to 1, uneven: an equal share of 8 keys (0.12) is a third up."),
            std::string::npos)
      << figure.alt_text;
  const Figure over = heads_hover({c.input(), {}, FixedMetrics()}, figure, HeadHit{{0, 0, 1}},
                                  {0.0, 0.0, figure.width, figure.height});
  EXPECT_EQ(find_matrix(over)->scale, find_matrix(map)->scale) << "so has the enlarged head";
}

TEST(HeadsPlot, ABrightFirstColumnDoesNotDrownTheRest) {
  const HeadsCase c = case_of(1, 2, 8);
  EXPECT_EQ(largest_of(cells_of(c, {0, 0, 0})), 0.9F);
  const ColorScale scale = image_of(drawn(c, {})).scale;
  EXPECT_GT(color_index(scale, 0.01F), 20) << "of the noise beside the column of 0.9";
  PlotOptions each;
  each.head_range = HeadRange::Head;
  EXPECT_TRUE(says(drawn(c, each), "from 0 to its largest weight"));
}

TEST(HeadsPlot, NamesLayersAndHeads) {
  const Figure figure = drawn(case_of(3, 4, 6), {});
  for (const char* name : {"Layer 1", "Layer 3", "Head 1", "Head 4"}) {
    EXPECT_TRUE(says(figure, name)) << name;
  }
  const std::vector<RectItem> heads = heads_in(figure);
  EXPECT_EQ(heads[0].rect.y, heads[3].rect.y) << "one row is one layer";
  EXPECT_EQ(heads[0].rect.x, heads[4].rect.x) << "one column is one head";
}

TEST(HeadsPlot, IsSortedByAnyMeasureFromTheLargestDown) {
  const HeadsCase c = case_of(2, 4, 8);
  for (const MeasureInfo& measure : all_measures()) {
    PlotOptions options;
    options.sort = measure.name;
    const std::vector<HeadCard> cards = head_cards({complete(c, options).input(), options});
    const std::vector<HeadAddress> order = order_of(drawn(c, options));
    ASSERT_EQ(order.size(), 8U);
    for (std::size_t i = 0; i < order.size(); ++i) {
      EXPECT_EQ(order[i], cards[i].at);
      if (i > 0) {
        EXPECT_GE(measure.value(measure_head(c.result, order[i - 1])),
                  measure.value(measure_head(c.result, order[i])))
            << measure.name;
      }
    }
  }
}

TEST(HeadsPlot, WritesTheMeasureAndTheLabelUnderEachHead) {
  const HeadsCase c = case_of(2, 3, 8);
  for (const MeasureInfo& measure : all_measures()) {
    if (measure.name == "induction") continue;  // depends on the tokens
    PlotOptions options;
    options.tint = measure.name;
    options.decimals = 3;
    const Figure figure = drawn(c, options);
    const std::vector<std::string> texts = texts_of(figure);
    for (const HeadAddress& at : order_of(figure)) {
      const std::optional<double> value = measure.value(measure_head(c.result, at));
      EXPECT_TRUE(std::ranges::count(texts, value ? fixed_text(*value, 3) : "–")) << measure.name;
    }
  }
  EXPECT_TRUE(says(drawn(c, {}), "first"));
  EXPECT_TRUE(says(drawn(c, {}), "previous"));
}

TEST(HeadsPlot, NoWordShrinksBelowFivePoints) {
  const HeadsCase c = case_of(2, 12, 8);
  for (const double page_scale : {1.0, 0.9}) {
    PlotOptions options;
    options.font_size = 7.0;
    options.page_scale = page_scale;
    options.width = 400.0;
    options.tint = "entropy";
    options.decimals = 9;
    for (const TextItem& text : test::items_of<TextItem>(drawn(c, options))) {
      EXPECT_GE(text.font.size * page_scale, kSmallestNumber - 1e-9) << text.text;
    }
  }
}

TEST(HeadsPlot, MarksTheChosenHeadOnScreenAlone) {
  PlotOptions options;
  options.at = {1, 0, 2};
  for (const bool on_screen : {true, false}) {
    options.on_screen = on_screen;
    const Figure figure = drawn(case_of(2, 3, 6), options);
    for (const RectItem& head : heads_in(figure)) {
      const bool chosen = on_screen && std::get<HeadHit>(head.hit).head == options.at;
      EXPECT_EQ(head.stroke == figure_theme(options.theme).accent, chosen);
      EXPECT_EQ(head.stroke_width > 0.5, chosen);
    }
  }
}

using Order = std::vector<HeadAddress>;

TEST(HeadsPlot, DrawsTheLayersAndHeadsThatAreChosenByTheirOwnNumbers) {
  const HeadsCase c = case_of(6, 8, 6);
  PlotOptions options;
  options.layers = "4";
  Figure figure = drawn(c, options);
  EXPECT_EQ(order_of(figure).size(), 8U);
  EXPECT_EQ(order_of(figure).front(), (HeadAddress{4, 0, 0}));
  EXPECT_TRUE(says(figure, "Attention weights of 8 heads, layer 5 of 6"));
  EXPECT_TRUE(says(figure, "L5 H1"));
  EXPECT_FALSE(says(figure, "L1 H1"));
  options.layers = "0,2-3";
  options.heads = "5,7";
  figure = drawn(c, options);
  EXPECT_EQ(order_of(figure),
            (Order{{0, 0, 5}, {0, 0, 7}, {2, 0, 5}, {2, 0, 7}, {3, 0, 5}, {3, 0, 7}}));
  EXPECT_TRUE(says(figure, "Attention weights of 6 heads, 3 of 6 layers, 2 of 8 heads"));
  EXPECT_TRUE(says(figure, "Head 6"));
  EXPECT_TRUE(says(figure, "Head 8"));
  EXPECT_FALSE(says(figure, "Head 1"));
  for (const RectItem& head : heads_in(figure)) {
    const HeadAddress at = std::get<HeadHit>(head.hit).head;
    const std::size_t texel = texel_at(image_of(figure), head.rect, 6, 5, 0);
    EXPECT_EQ(image_of(figure).cells->values[texel], weight(at, 5, 0));
  }
}

TEST(HeadsPlot, NamesLayersByTheNumbersTheyHave) {
  HeadsCase c = case_of(3, 4, 6);
  AttentionProblem problem = c.result.problem();
  problem.shape.layer_numbers = {3, 7, 11};
  c.result = FakeResult(problem).with(Stage::Weights, weight);
  PlotOptions options;
  for (const char* name : {"Layer 3", "Layer 7", "Layer 11"}) {
    EXPECT_TRUE(says(drawn(c, options), name)) << name;
  }
  EXPECT_FALSE(says(drawn(c, options), "Layer 2"));
  options.layers = "7";
  Figure figure = drawn(c, options);
  EXPECT_EQ(order_of(figure).front(), (HeadAddress{1, 0, 0}));
  EXPECT_TRUE(says(figure, "Attention weights of 4 heads, layer 7"));
  EXPECT_TRUE(says(figure, "Head 1"));
  options.layers = "3,11";
  EXPECT_EQ(order_of(drawn(c, options))[4], (HeadAddress{2, 0, 0}));
  for (const auto& [text, missing] : {std::pair("1", "1"), {"3-11", "4"}, {"7,12", "12"}}) {
    options.layers = text;
    const Result<Figure> refused = heads_plot({c.input(), options, FixedMetrics()});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().message, std::string("There is no layer ") + missing);
    EXPECT_EQ(refused.error().expected, "layers 3, 7, 11, or all");
  }
}

TEST(HeadsPlot, RefusesLayersAndHeadsThatAreNotThere) {
  PlotOptions options;
  const HeadsCase c = case_of(2, 3, 6);
  const auto refusal = [&] {
    const Result<Figure> figure = heads_plot({c.input(), options, FixedMetrics()});
    return figure ? "" : figure.error().message + ": " + figure.error().expected;
  };
  options.layers = "0,2-9";
  EXPECT_EQ(refusal(), "There is no layer 2: layers from 0 to 1, or all");
  options.layers = "1";
  options.heads = "3";
  EXPECT_EQ(refusal(), "There is no head 3: heads from 0 to 2, or all");
  EXPECT_TRUE(heads_needs({c.input(), options}).empty());
  options.on_screen = true;
  EXPECT_EQ(refusal(), "There is no head 4: heads from 1 to 3, or all");
  options.on_screen = false;
  options.heads = "";
  EXPECT_EQ(refusal(), "No head is chosen: heads from 0 to 2, or all");
}

TEST(HeadList, NamesSingleOnesAndThoseFromOneToAnother) {
  using Numbers = std::vector<std::size_t>;
  EXPECT_EQ(heads_named("0,3-5,4", 12), (Numbers{0, 3, 4, 5}));
  EXPECT_EQ(heads_named("all", 3), (Numbers{0, 1, 2}));
  EXPECT_EQ(heads_named("2-9", 4), (Numbers{2, 3}));
  EXPECT_EQ(heads_missing("1,2-9,7", 4), (Numbers{4, 7, 9}));
  EXPECT_EQ(heads_missing("0-99999999999", 12), (Numbers{12, 99999999999}));
  for (const char* text : {"5-3", "a", "1-", "-1", "1--2", "1,,2"}) {
    EXPECT_FALSE(heads_named(text, 12)) << text;
  }
}

TEST(HeadList, CountsFromOneWhereItIsMoved) {
  EXPECT_EQ(with_numbers_moved("0,3-5", 1), "1,4-6");
  EXPECT_EQ(with_numbers_moved("1,4-6", -1), "0,3-5");
  EXPECT_EQ(with_numbers_moved("query 2", 1), "query 3");
  for (const char* text : {"all", "", "a-b", "99999999999999999999"}) {
    EXPECT_EQ(with_numbers_moved(text, 1), text);
  }
  EXPECT_FALSE(heads_named(with_numbers_moved("0,2", -1), 12)) << "there is no head 0 on a screen";
}

TEST(HeadsPlot, ShowsOneSampleOrAll) {
  const HeadsCase c = case_of(2, 2, 5, 3);
  PlotOptions options;
  options.at.sample = 1;
  for (const HeadAddress& at : order_of(drawn(c, options))) EXPECT_EQ(at.sample, 1U);
  options.all_samples = true;
  std::set<std::size_t> samples;
  const std::vector<HeadAddress> order = order_of(drawn(c, options));
  for (const HeadAddress& at : order) samples.insert(at.sample);
  EXPECT_EQ(order.size(), 12U);
  EXPECT_EQ(samples.size(), 3U);
}

TEST(HeadsPlot, PointsAtHeadsAndAtNothingBetweenThem) {
  const Figure figure = drawn(case_of(2, 3, 6), {});
  for (const RectItem& head : heads_in(figure)) {
    const Point middle{head.rect.x + head.rect.width / 2.0, head.rect.y + head.rect.height / 2.0};
    EXPECT_EQ(hit_test(figure, middle), head.hit);
    const Point after{head.rect.x + head.rect.width + 0.5, middle.y};
    EXPECT_FALSE(std::holds_alternative<CellHit>(hit_test(figure, after)));
  }
}

TEST(HeadsPlot, PagesHoldEveryHeadOnce) {
  const HeadsCase c = case_of(40, 40, 2);
  PlotOptions options;
  std::set<std::pair<std::size_t, std::size_t>> seen;
  std::size_t pages = 0;
  for (; pages < 100; ++pages) {
    options.page = pages + 1;
    const Result<Figure> figure = heads_plot({c.input(), options, FixedMetrics()});
    if (!figure) break;
    for (const HeadAddress& at : order_of(*figure)) {
      EXPECT_TRUE(seen.insert({at.layer, at.head}).second);
    }
    EXPECT_TRUE(says(*figure, "page " + std::to_string(pages + 1)));
  }
  EXPECT_GT(pages, 1U);
  EXPECT_EQ(seen.size(), 1600U);
}

TEST(HeadsPlot, AllHeadsOfAModelFitAPageInRowsOfLayersOrSorted) {
  const HeadsCase c = case_of(12, 12, 15);
  for (const double width : {241.0, 482.0}) {
    for (const double font : {7.0, 9.0, 10.0, 11.0}) {
      for (const char* sort : {"layer", "entropy"}) {
        PlotOptions options;
        options.width = width;
        options.font_size = font;
        options.sort = sort;
        const Figure figure = drawn(c, options);
        const std::vector<RectItem> heads = heads_in(figure);
        EXPECT_LE(figure.height, kPageHeight + 0.5) << sort << ", " << width << ", " << font;
        ASSERT_EQ(heads.size(), 144U) << sort << ", " << width << ", " << font;
        const bool in_layers =
            heads[0].rect.y == heads[11].rect.y && heads[0].rect.x == heads[12].rect.x;
        EXPECT_TRUE(in_layers || sort != std::string("layer")) << width << ", " << font;
      }
    }
  }
}

TEST(HeadsPlot, UseThePaneInAsManyRowsAsMakeThemLargest) {
  const auto in_pane = [](const HeadsCase& c, double width, double height) {
    PlotOptions options;
    options.on_screen = true;
    options.font_size = 12.5;
    options.width = width;
    options.pane_height = height;
    const Figure figure = drawn(c, options);
    EXPECT_LE(figure.height, height + 0.5) << width << " × " << height;
    return heads_in(figure);
  };
  std::vector<RectItem> heads = in_pane(case_of(1, 4, 12), 400.0, 700.0);
  EXPECT_EQ(heads[0].rect.x, heads[2].rect.x) << "two beside two";
  EXPECT_GT(heads[0].rect.width, 95.0);
  heads = in_pane(case_of(2, 4, 19), 380.0, 690.0);
  EXPECT_GT(heads[0].rect.width, 80.0) << "not in rows of layers, with half of the height empty";
  heads = in_pane(case_of(1, 4, 12), 1400.0, 400.0);
  EXPECT_EQ(heads[0].rect.y, heads[3].rect.y) << "side by side";
  for (const auto& [width, height] : {std::pair{800.0, 640.0}, {400.0, 680.0}, {560.0, 400.0}}) {
    heads = in_pane(case_of(12, 12, 15), width, height);
    ASSERT_EQ(heads.size(), 144U);
    EXPECT_EQ(heads[0].rect.x, heads[12].rect.x) << "rows are layers";
    const Rect last = heads.back().rect;
    const double across = last.x + last.width - heads[0].rect.x;
    const double down = last.y + last.height - heads[0].rect.y;
    EXPECT_GT(std::max(across / width, down / height), 0.45) << width << " × " << height;
  }
}

TEST(HeadsPlot, PoolsWhatIsLargerThanItsTexels) {
  const HeadsCase c = case_of(1, 2, 50);
  PlotOptions options;
  options.pixel_budget = 16;
  options.head_range = HeadRange::Unit;
  const Figure figure = drawn(c, options);
  EXPECT_TRUE(says(figure, "their maximum"));
  const MatrixItem& m = image_of(figure);
  EXPECT_LT(m.cells->cols, 32U);
  EXPECT_EQ(*std::ranges::max_element(m.cells->values), 0.9F)
      << "the largest weight is still there";
}

TEST(HeadsPlot, TextsKeepApartAndInside) {
  for (const std::size_t heads : {2U, 12U, 40U}) {
    PlotOptions options;
    const Figure figure = drawn(case_of(4, heads, 8), options);
    EXPECT_EQ(test::text_problems(figure, FixedMetrics()), "") << heads;
  }
}

TEST(HeadsPlot, SaysWhatTheHeadUnderThePointerDoes) {
  const HeadsCase c = case_of(2, 3, 8);
  const auto texts = [](const HeadsCase& of) {
    const Figure figure = heads_plot({of.input(), {}, FixedMetrics()}).value();
    return test::items_of<TextItem>(heads_hover({of.input(), {}, FixedMetrics()}, figure,
                                                HeadHit{{1, 0, 0}},
                                                {0.0, 0.0, figure.width, figure.height}));
  };
  EXPECT_EQ(texts(c).at(0).text, "Layer 2, head 1");
  EXPECT_EQ(texts(c).at(1).text.find("first token"), std::string::npos) << "not measured yet";
  EXPECT_TRUE(texts(complete(c, {})).at(1).text.starts_with("first token · "));
}

TEST(HeadsPlot, ShowsWeightsBeforeHeadsAreMeasured) {
  const HeadsCase c = case_of(2, 3, 8);
  const Figure figure = heads_plot({c.input(), {}, FixedMetrics()}).value();
  EXPECT_EQ(heads_in(figure).size(), 6U);
  EXPECT_TRUE(says(figure, "not known yet"));
}

Rect whole(const Figure& figure) { return {0.0, 0.0, figure.width, figure.height}; }

TEST(HeadsPlot, TheHeadUnderThePointerIsLargerAndHasItsTokens) {
  const HeadsCase c = complete(case_of(2, 12, 8), {});
  const Figure figure = drawn(c, {});
  const HeadAddress at{1, 0, 1};
  const auto hover = [&](const HitId& hit) {
    return heads_hover({c.input(), {}, FixedMetrics()}, figure, hit, whole(figure));
  };
  const Figure over = hover(HeadHit{at});
  const MatrixItem& m = *find_matrix(over);
  for (std::size_t i = 0; i < m.cells->values.size(); ++i) {
    EXPECT_EQ(m.cells->values[i], weight(at, i / 8, i % 8));
  }
  EXPECT_GT(m.rect.width, 2.0 * heads_in(figure).front().rect.width);
  EXPECT_TRUE(says(over, "Layer 2, head 2"));
  EXPECT_TRUE(says(over, "word"));
  EXPECT_TRUE(hover({}).items.empty());
}

// The frame of the enlarged head.
Rect ground_of(const Figure& over) { return std::get<RectItem>(over.items.front()).rect; }

TEST(HeadsPlot, TheHeadUnderThePointerStaysInThePartThatIsSeen) {
  PlotOptions options;
  options.width = 900.0;
  const HeadsCase c = complete(case_of(12, 12, 8), options);
  const Figure figure = drawn(c, options);
  const Rect seen{0.0, 200.0, figure.width - 20.0, 400.0};
  for (const RectItem& head : heads_in(figure)) {
    const double middle = head.rect.y + head.rect.height / 2.0;
    if (middle < seen.y || middle > seen.y + seen.height) continue;
    const Rect ground =
        ground_of(heads_hover({c.input(), options, FixedMetrics()}, figure, head.hit, seen));
    EXPECT_GE(ground.x, seen.x);
    EXPECT_GE(ground.y, seen.y);
    EXPECT_LE(ground.x + ground.width, seen.x + seen.width);
    EXPECT_LE(ground.y + ground.height, seen.y + seen.height);
    const bool covers =
        ground.x < head.rect.x + head.rect.width && head.rect.x < ground.x + ground.width;
    EXPECT_FALSE(covers) << "beside the thumbnail";
  }
}

// Figures painted over each other as in the window: backgrounds, then items.
Figure laid_over(Figure figure, const Figure& over) {
  RectItem ground;
  ground.rect = {0.0, 0.0, over.width, over.height};
  ground.fill = over.background;
  figure.items.emplace_back(ground);
  figure.items.insert(figure.items.end(), over.items.begin(), over.items.end());
  return figure;
}

TEST(HeadsPlot, TheLargerHeadLeavesTheFigureAsItIsAroundIt) {
  const HeadsCase c = complete(case_of(3, 6, 8), {});
  const Figure figure = drawn(c, {});
  const std::vector<RectItem> heads = heads_in(figure);
  const Raster before = test::rasterize(figure, 1.0).value();
  for (const RectItem& head : {heads.front(), heads[5], heads[12], heads.back()}) {
    const Figure over =
        heads_hover({c.input(), {}, FixedMetrics()}, figure, head.hit, whole(figure));
    const Rect ground = ground_of(over);
    const Raster after = test::rasterize(laid_over(figure, over), 1.0).value();
    std::size_t changed_inside = 0, changed_outside = 0;
    for (std::size_t i = 0; i < before.rgba.size(); ++i) {
      const std::size_t pixel = i / 4, columns = static_cast<std::size_t>(before.width_px);
      const auto x = static_cast<double>(pixel % columns), y = static_cast<double>(pixel / columns);
      const bool inside = x >= ground.x - 2.0 && x <= ground.x + ground.width + 1.0 &&
                          y >= ground.y - 2.0 && y <= ground.y + ground.height + 1.0;
      if (before.rgba[i] != after.rgba[i]) (inside ? changed_inside : changed_outside) += 1;
    }
    EXPECT_GT(changed_inside, 1000U);
    EXPECT_EQ(changed_outside, 0U);
  }
}

TEST(HeadsPlot, TheLargerHeadUsesTheRoomBelowTheFigure) {
  const HeadsCase c = complete(case_of(1, 12, 8), {});
  const Figure figure = drawn(c, {});
  const Rect pane{0.0, 0.0, figure.width, figure.height + 500.0};
  const Rect narrow{0.0, 0.0, 260.0, figure.height + 500.0};
  for (const RectItem& head : heads_in(figure)) {
    for (const Rect& seen : {pane, narrow}) {
      if (head.rect.x + head.rect.width > seen.width) continue;
      const Rect ground =
          ground_of(heads_hover({c.input(), {}, FixedMetrics()}, figure, head.hit, seen));
      EXPECT_GE(ground.x, seen.x);
      EXPECT_LE(ground.x + ground.width, seen.x + seen.width);
      EXPECT_LE(ground.y + ground.height, seen.y + seen.height);
      const bool beside = ground.x >= head.rect.x + head.rect.width ||
                          ground.x + ground.width <= head.rect.x ||
                          ground.y >= head.rect.y + head.rect.height;
      EXPECT_TRUE(beside) << "covers the thumbnail";
    }
  }
}

using Place = std::optional<HeadAddress>;

TEST(HeadsPlot, HeadsLieBesideEachOtherAsTheyAreDrawn) {
  const Figure figure = drawn(case_of(3, 4, 5), {});
  const HeadAddress at{1, 0, 3};
  EXPECT_EQ(head_beside(figure, at, HeadStep::Left), Place({1, 0, 2}));
  EXPECT_EQ(head_beside(figure, at, HeadStep::Right), Place({2, 0, 0})) << "on in the next row";
  EXPECT_EQ(head_beside(figure, at, HeadStep::Up), Place({0, 0, 3}));
  EXPECT_EQ(head_beside(figure, at, HeadStep::Down), Place({2, 0, 3}));
  EXPECT_EQ(head_beside(figure, {0, 0, 1}, HeadStep::Up), Place()) << "no further";
  EXPECT_EQ(head_beside(figure, {2, 0, 3}, HeadStep::Right), Place());
  EXPECT_EQ(head_beside(figure, {9, 0, 0}, HeadStep::Right), Place({0, 0, 0})) << "not drawn";
}

TEST(HeadsPlot, HeadsThatAreSortedLieBesideEachOtherInThatOrder) {
  PlotOptions options;
  options.sort = all_measures().front().name;
  const Figure figure = drawn(case_of(3, 4, 5), options);
  const std::vector<RectItem> heads = heads_in(figure);
  for (std::size_t i = 0; i + 1 < heads.size(); ++i) {
    const HeadAddress from = std::get<HeadHit>(heads[i].hit).head;
    const HeadAddress next = std::get<HeadHit>(heads[i + 1].hit).head;
    EXPECT_EQ(head_beside(figure, from, HeadStep::Right), Place(next));
    EXPECT_EQ(head_beside(figure, next, HeadStep::Left), Place(from));
    EXPECT_EQ(place_of_head(figure, from), std::optional(heads[i].rect));
  }
}

}  // namespace
}  // namespace attn
