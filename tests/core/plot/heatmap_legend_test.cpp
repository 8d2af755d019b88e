// Legend and sentence name every rule by which a mask hides.
#include <gtest/gtest.h>

#include <limits>
#include <map>

#include "attention/mask.h"
#include "figure/colormap.h"
#include "plot/kit/names.h"
#include "plot/maps/heatmap.h"
#include "tests/core/plot/heatmap_cases.h"
#include "tests/core/plot/text_boxes.h"
#include "tests/support/drawing.h"
#include "tests/support/fake_result.h"

namespace attn::test {
namespace {

constexpr std::size_t kTokens = 10;
constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();

// Masks of ten tokens, each with cells hidden by one rule only.
std::map<HiddenRule, Mask> masks_by_rule() {
  std::map<HiddenRule, Mask> masks;
  masks[kHiddenByCausal].causal = true;
  masks[kHiddenByWindow].window = Window{2, 2, 1};
  masks[kHiddenByDilation].window = Window{std::nullopt, std::nullopt, 2};
  masks[kHiddenBySegment].query_segments = {{0, 0, 0, 0, 0, 1, 1, 1, 1, 1}};
  masks[kHiddenByKeyPadding].key_padding = {{1, 1, 1, 1, 1, 1, 1, 1, 1, 0}};
  masks[kHiddenByQueryPadding].query_padding = {{1, 1, 1, 1, 1, 1, 1, 1, 0, 1}};
  masks[kHiddenByHand].visible = BoolTensor({1, kTokens}, {1, 1, 0, 1, 1, 1, 1, 1, 1, 1});
  masks[kHiddenByBias].bias = Tensor({1, kTokens}, {0, kMinusInfinity, 0, 0, 0, 0, 0, 0, 0, 0});
  return masks;
}

Mask every_rule() {
  const std::map<HiddenRule, Mask> masks = masks_by_rule();
  Mask mask = masks.at(kHiddenByHand);
  mask.causal = true;
  mask.window = Window{2, 2, 2};
  mask.query_segments = masks.at(kHiddenBySegment).query_segments;
  mask.key_padding = masks.at(kHiddenByKeyPadding).key_padding;
  mask.query_padding = masks.at(kHiddenByQueryPadding).query_padding;
  mask.bias = masks.at(kHiddenByBias).bias;
  return mask;
}

FakeResult result_of(const Mask& mask) {
  AttentionProblem problem = problem_of(kTokens, kTokens);
  problem.mask = mask;
  return FakeResult(problem).with(Stage::Weights, cell_value);
}

Figure heatmap_of(const FakeResult& result, const PlotOptions& options) {
  const Document document = cross_document(kTokens, kTokens);
  return test::heatmap({{document, result}, options, FixedMetrics()});
}

std::string joined_texts(const Figure& figure) {
  std::string all;
  for (const TextItem& text : items_of<TextItem>(figure)) all += text.text + " ";
  return all;
}

TEST(HeatmapLegend, NamesEachRuleThatHides) {
  const std::map<HiddenRule, Mask> masks = masks_by_rule();
  ASSERT_EQ(masks.size(), all_hidden_rules().size());
  for (const auto& [rule, mask] : masks) {
    const std::string sentence = hidden_sentence(rule);
    EXPECT_TRUE(has_text(heatmap_of(result_of(mask), {}), sentence)) << sentence;
  }
}

// The swatch of each kind of hatching is left of the text for its rules.
TEST(HeatmapLegend, EachKindOfRuleHasASwatchWithItsOwnLines) {
  const Figure figure = heatmap_of(result_of(every_rule()), {});
  for (const Hatch& hatch : all_hatches()) {
    int found = 0;
    for (std::size_t i = 0; i + 2 < figure.items.size(); ++i) {
      const auto* swatch = std::get_if<MatrixItem>(&figure.items[i]);
      const auto* words = std::get_if<TextItem>(&figure.items[i + 2]);
      if (swatch == nullptr || words == nullptr || swatch->cells->hidden.size() != 1) continue;
      if (hatch_lines(swatch->cells->hidden[0]) != hatch.line) continue;
      ++found;
      EXPECT_TRUE(hidden_sentence(hatch.rules).starts_with(words->text)) << words->text;
    }
    EXPECT_EQ(found, 1) << int{hatch.line};
  }
}

TEST(HeatmapLegend, NamesABiasByDistanceThatHides) {
  Mask mask;
  mask.relative.emplace();
  mask.relative->table = Tensor({4, 1}, {0, kMinusInfinity, 0, 0});
  EXPECT_TRUE(has_text(heatmap_of(result_of(mask), {}), hidden_sentence(kHiddenByBias)));
}

TEST(HeatmapLegend, FindsRoomForEightRulesAtEveryWidth) {
  const FakeResult result = result_of(every_rule());
  for (const double width : {240.0, 320.0, 480.0, 900.0}) {
    for (const double height : {0.0, 500.0}) {
      PlotOptions options;
      options.width = width;
      options.height = height;
      const Figure figure = heatmap_of(result, options);
      EXPECT_EQ(text_problems(figure, FixedMetrics()), "") << width << " x " << height;
      const std::string texts = joined_texts(figure);
      for (const HiddenRuleInfo& info : all_hidden_rules()) {
        // A name may continue on the next line.
        EXPECT_NE(texts.find(info.name), std::string::npos) << info.name << " at " << width;
      }
      EXPECT_NE(texts.find("sees no key"), std::string::npos) << width;
    }
  }
}

TEST(HeatmapLegend, KeepsRoomForTheSentenceOfPooledCells) {
  Mask mask = every_rule();
  const FakeResult result = result_of(mask);
  PlotOptions options;
  options.width = 320.0;
  options.pixel_budget = 5;
  const Figure figure = heatmap_of(result, options);
  EXPECT_NE(joined_texts(figure).find("2 × 2 cells"), std::string::npos);
  EXPECT_EQ(text_problems(figure, FixedMetrics()), "");
}

TEST(CellSentence, NamesEachRuleThatHides) {
  const Document document = cross_document(kTokens, kTokens);
  for (const auto& [rule, mask] : masks_by_rule()) {
    const FakeResult result = result_of(mask);
    std::size_t told = 0;
    for (std::size_t i = 0; i < kTokens * kTokens; ++i) {
      const CellHit cell{{Stage::Weights, {}}, i / kTokens, i % kTokens};
      if (result.hidden({}, cell.row, cell.col) != rule) continue;
      const std::string sentence = cell_sentence({document, result}, cell);
      // A query that sees nothing needs no rule per key.
      const bool blind = result.sees_no_key({}, cell.row);
      const std::string words = blind ? " sees no key" : hidden_sentence(rule);
      EXPECT_NE(sentence.find(words), std::string::npos) << sentence;
      ++told;
    }
    EXPECT_GT(told, 0U) << hidden_sentence(rule);
  }
}

}  // namespace
}  // namespace attn::test
