// The plot of the atlas: order of its rows, and heads of another text; and sliders of heads.
#include "kinds/parts/atlas.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "tests/core/plot/computed_case.h"
#include "tests/core/plot/text_boxes.h"
#include "tests/support/figure_items.h"

namespace attn {
namespace {

using test::FixedMetrics;
using test::items_of;

const test::ComputedCase& here() {
  static const test::ComputedCase kCase = test::computed_model(
      "the animal did not cross the street because it was too tired . so the [MASK] was tired .");
  return kCase;
}

ReferencePtr reference_to(const std::string& text) {
  const test::ComputedCase other = test::computed_model(text);
  return std::make_shared<const Reference>(Reference{
      "1", "the other", "", "", std::make_shared<const Document>(other.document), other.result});
}

// The heads that rows take out, from top to bottom, and what the bars say of them.
std::vector<AtlasHit> effect_rows(const Figure& figure) {
  std::map<double, AtlasHit> rows;
  for (const RectItem& item : items_of<RectItem>(figure)) {
    const auto* hit = std::get_if<AtlasHit>(&item.hit);
    if (hit != nullptr && hit->out == hit->read && !hit->number.empty()) {
      rows.emplace(item.rect.y, *hit);
    }
  }
  std::vector<AtlasHit> all;
  for (const auto& [y, hit] : rows) all.push_back(hit);
  return all;
}

std::vector<AtlasHit> rows_with(const PlotOptions& options) {
  return effect_rows(test::draw("atlas", here().input(), options, FixedMetrics()).value());
}

TEST(AtlasPlot, HasRowsByLayerOrFromTheLargestEffectDown) {
  PlotOptions options;
  const std::vector<AtlasHit> by_layer = rows_with(options);
  ASSERT_EQ(by_layer.size(), 12U);
  EXPECT_EQ(by_layer[5].out, (HeadAddress{1, 0, 1}));
  options.by_effect = true;
  const std::vector<AtlasHit> by_effect = rows_with(options);
  constexpr std::size_t kMask = 16;
  auto effects = atlas_of(here().result, {{}, kMask}, nullptr).value()->effects;
  std::ranges::stable_sort(effects, std::ranges::greater{}, &HeadEffect::divergence);
  for (std::size_t i = 0; i < effects.size(); ++i) EXPECT_EQ(by_effect[i].out, effects[i].at) << i;
}

TEST(AtlasPlot, PutsInTheHeadsOfTheReference) {
  PlotOptions options;
  options.from_reference = true;
  options.reference = reference_to(
      "the animal did not cross the street because it was too wide . so the [MASK] was wide .");
  const Figure figure = test::draw("atlas", here().input(), options, FixedMetrics()).value();
  EXPECT_TRUE(test::says(figure, "each head alone is that of the other"));
  const std::vector<AtlasHit> rows = effect_rows(figure);
  ASSERT_EQ(rows.size(), 12U);
  EXPECT_EQ(rows.front().what, "L1 H1 as in the other");
  EXPECT_TRUE(test::says(figure, "Carried"));
}

TEST(AtlasPlot, StaysInsideOfNarrowFigures) {
  for (const double width : {220.0, 300.0, 400.0, 600.0}) {
    PlotOptions options;
    options.width = width;
    const Figure figure = test::draw("atlas", here().input(), options, FixedMetrics()).value();
    EXPECT_EQ(test::text_problems(figure, FixedMetrics()), "") << width;
  }
}

TEST(AtlasPlot, SaysWhyNoHeadsOfTheReferenceFit) {
  PlotOptions options;
  options.from_reference = true;
  const auto why = [&] {
    return test::draw("atlas", here().input(), options, FixedMetrics()).error().message;
  };
  EXPECT_NE(why().find("No document to compare with"), std::string::npos) << why();
  options.reference = reference_to("the animal was tired .");
  EXPECT_NE(why().find("21 and 7 tokens"), std::string::npos) << why();
}

// A model that takes long is computed layer by layer, and its rows are drawn as they are known.
TEST(AtlasPlot, ShowsTheLayersThatAreKnown) {
  std::string tokens;
  for (int i = 0; i < 64; ++i) tokens += (i > 0 ? ", \"t" : "\"t") + std::to_string(i) + "\"";
  const test::ComputedCase large = test::computed_json(
      R"({"tokens": [)" + tokens + R"(], "blocks": 4, "heads": 8, "d_model": 256, "seed": 1})");
  const PlotOptions options;
  const std::vector<Need> needs = needs_of(*plot_named("atlas"), large.input(), options);
  ASSERT_EQ(needs.size(), 4U);
  EXPECT_TRUE(needs.front().awaited);
  EXPECT_FALSE(needs.back().awaited);
  Derivations known;
  known.keep(needs[1].key, needs[1].derive({large.document, large.result}));
  PlotInput input = large.input();
  input.derivations = &known;
  const Figure part = draw_plot(*plot_named("atlas"), input, options, FixedMetrics()).value();
  EXPECT_TRUE(test::says(part, "8 of 32 heads so far"));
  const auto atlas = known.get<Atlas>(needs[1].key);
  std::size_t unknown = 0, changed = 0;
  for (const RectItem& item : items_of<RectItem>(part)) {
    const auto* hit = std::get_if<AtlasHit>(&item.hit);
    if (hit == nullptr) continue;
    unknown += hit->number == "not known yet" ? 1 : 0;
    if (hit->number.find("changes by") != std::string::npos) {
      EXPECT_EQ(hit->out.layer, 2U);
      ++changed;
    }
  }
  EXPECT_EQ(unknown, 24U);
  EXPECT_EQ(changed, 8U * 8U);
  for (const Need& need : needs) known.keep(need.key, need.derive({large.document, large.result}));
  const Figure whole = draw_plot(*plot_named("atlas"), input, options, FixedMetrics()).value();
  EXPECT_FALSE(test::says(whole, "so far"));
  const auto all = atlas_of(large.result, {}, nullptr).value();
  for (std::size_t i = 0; i < 8; ++i)
    EXPECT_EQ(all->effects[16 + i].changes, atlas->effects[i].changes);
}

// Sliders and overviews are where they are seen, wherever a page puts them.
TEST(HeadsPlot, PlacesInHitsAreThoseOfTheirShapes) {
  const test::ComputedCase model = test::computed_example("what-it-means");
  std::size_t found = 0;
  for (const double width : {300.0, 700.0, 1500.0}) {
    for (const double height : {0.0, 200.0, 900.0}) {
      PlotOptions options;
      options.on_screen = true;
      options.width = width;
      options.pane_height = height;
      const Figure figure = test::draw("heads", model.input(), options, FixedMetrics()).value();
      for (const RectItem& item : items_of<RectItem>(figure)) {
        const auto* gate = std::get_if<GateHit>(&item.hit);
        if (gate == nullptr) continue;
        ++found;
        EXPECT_NEAR(gate->track.x, item.rect.x, 2.0) << width << " × " << height;
        EXPECT_NEAR(gate->track.right(), item.rect.right(), 2.0) << width << " × " << height;
      }
    }
  }
  EXPECT_GT(found, 20U);
}

}  // namespace
}  // namespace attn
