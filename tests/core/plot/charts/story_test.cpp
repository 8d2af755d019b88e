// The flow of a cell: its frames, and that every number in them is that of the result.
#include "plot/charts/story.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "base/number_text.h"
#include "document/load/read.h"
#include "tests/core/plot/computed_case.h"
#include "tests/core/plot/text_boxes.h"
#include "tests/support/fake_result.h"
#include "tests/support/figure_items.h"

namespace attn {
namespace {

using test::computed_case;
using test::computed_example;
using test::ComputedCase;
using test::FixedMetrics;
using test::has_text;
using test::items_of;
using test::says;

// Masks, heads, layers, biases, other functions and normalisers, and several scripts.
constexpr const char* kExamples[] = {"i-love-cats",
                                     "translation-alignment",
                                     "the-animal-was-tired",
                                     "causal-decoder",
                                     "random-batch",
                                     "luong-general",
                                     "luong-concat",
                                     "luong-location",
                                     "additive-bahdanau",
                                     "sparsemax-vs-softmax",
                                     "sigmoid",
                                     "temperature-softcap",
                                     "attention-sinks",
                                     "padding-batch",
                                     "mask-and-bias",
                                     "rope",
                                     "alibi",
                                     "t5-relative",
                                     "four-heads",
                                     "grouped-query",
                                     "todays-block",
                                     "cross-attention-fr-en",
                                     "transformer-decoder",
                                     "encoder-decoder",
                                     "pytorch-layer",
                                     "induction-head"};

std::string step_text(const char* json, const PlotOptions& options) {
  return std::string(json) + " at step " + std::to_string(options.step);
}

Figure flow_figure(const ComputedCase& own, const PlotOptions& options,
                   const TextMetrics& metrics = FixedMetrics()) {
  const Result<Figure> figure = test::draw("flow", own.input(), options, metrics);
  EXPECT_TRUE(figure.ok()) << (figure.ok() ? "" : describe(figure.error()));
  return figure.ok() ? *figure : Figure();
}

ComputedCase flow_case(const char* json) {
  return computed_case(read_document(json, "flow").value().document);
}

std::size_t flow_steps(const ComputedCase& own, const HeadAddress& at = {}) {
  return story_steps(own.result->problem(), at);
}

// Cells of the stage whose numbers the figure shows; each is that of the result.
std::size_t expect_flow_numbers(const Figure& figure, const ComputedCase& own,
                                const PlotOptions& options, Stage stage) {
  std::size_t count = 0;
  for (const TextItem& text : items_of<TextItem>(figure)) {
    const auto* hit = std::get_if<CellHit>(&text.hit);
    if (hit == nullptr) continue;
    const auto value = static_cast<double>(
        own.result->value(hit->matrix.stage, hit->matrix.head, hit->row, hit->col));
    const bool is_fine = text.text != story_number(value, options.decimals, false);
    EXPECT_EQ(text.text, story_number(value, options.decimals, is_fine))
        << own.document.title << ", " << stage_info(hit->matrix.stage).name;
    if (hit->matrix.stage == stage) ++count;
  }
  return count;
}

TEST(Story, EveryNumberOfEveryFrameIsThatOfTheStage) {
  for (const char* name : kExamples) {
    const ComputedCase own = computed_example(name);
    const std::size_t steps = flow_steps(own);
    PlotOptions options;
    options.width = 900.0;
    options.decimals = 6;
    for (options.step = 0; options.step <= steps; ++options.step) {
      const Figure figure = flow_figure(own, options);
      const std::size_t weights = expect_flow_numbers(figure, own, options, Stage::Weights);
      const std::size_t scores = expect_flow_numbers(figure, own, options, Stage::Scores);
      if (options.step == 0 || options.step == steps) {
        EXPECT_GT(weights, 0U) << name;
        EXPECT_EQ(scores > 0, has_scores(own.result->problem())) << name;
      }
      if (options.step == 1 && steps > 1) {
        EXPECT_EQ(weights, 0U) << step_text(name, options);
      }
    }
  }
}

TEST(Story, ExponentialsAndTheirSumMakeTheWeights) {
  const ComputedCase own = computed_example("attention-sinks");
  const FittedView view(own.input(), {});
  const Derivations all = derive_all(*plot_named("flow"), own.document, own.result, {});
  const auto numbers = best_of<Account>(account_needs(view), &all);
  ASSERT_TRUE(numbers);
  const SoftmaxSum& softmax = numbers->softmax;
  double sum = softmax.sink;
  for (const std::size_t key : numbers->largest) sum += numbers->exponential(key);
  EXPECT_NEAR(sum, softmax.sum, 1e-9);
  EXPECT_GT(softmax.sink, 0.0);
  for (const std::size_t key : numbers->largest) {
    const double weight = static_cast<double>(numbers->weights[key]);
    EXPECT_NEAR(weight, numbers->exponential(key) / softmax.sum, 1e-6);
  }
}

TEST(Story, ThePageKeepsItsSizeAndNothingOverlapsWhenItHasArrived) {
  for (const char* name : {"i-love-cats", "causal-decoder", "t5-relative", "translation-alignment",
                           "additive-bahdanau", "attention-sinks", "todays-block"}) {
    const ComputedCase own = computed_example(name);
    for (const double width : {241.0, 482.0, 900.0}) {
      PlotOptions options;
      options.width = width;
      options.on_screen = true;
      const double height = flow_figure(own, options, pango_metrics()).height;
      for (options.step = 1; options.step <= flow_steps(own); ++options.step) {
        for (const double glide : {0.0, 0.4, 1.0}) {
          options.glide = glide;
          const Figure figure = flow_figure(own, options, pango_metrics());
          EXPECT_EQ(figure.height, height) << step_text(name, options) << ", " << width;
          if (glide < 1.0) continue;
          EXPECT_EQ(test::text_problems(figure, pango_metrics()), "") << step_text(name, options);
        }
      }
    }
  }
}

TEST(Story, LowPanesShowTheLargestDimensionsOfTheOutput) {
  const ComputedCase own = flow_case(R"({"tokens": ["a"], "q": [[1]], "k": [[1]],
    "v": [[1, 2, 8, 9]]})");
  PlotOptions options;
  options.pane_height = 100.0;
  const Figure figure = flow_figure(own, options);
  EXPECT_TRUE(has_text(figure, "w · V, 3"));
  EXPECT_TRUE(has_text(figure, "w · V, 4"));
  EXPECT_FALSE(has_text(figure, "w · V, 1"));
}

TEST(Story, IsOfThePinElseOfTheLargestWeightOfTheLastQuery) {
  const ComputedCase own = computed_example("the-animal-was-tired");
  EXPECT_TRUE(says(flow_figure(own, {}), "From “tired” (query 11) to “animal” (key 2)"));
  PlotOptions options;
  options.pins = {{{Stage::Scores, {}}, 7, 5}};
  EXPECT_TRUE(says(flow_figure(own, options), "From “it” (query 8) to “street” (key 6)"));
  options.pins = {{{Stage::Value, {}}, 1, 0}};
  EXPECT_TRUE(says(flow_figure(own, options), "From “tired”")) << "a cell of values has no flow";
}

TEST(Story, HasTheFramesThatTheDocumentHas) {
  EXPECT_EQ(flow_steps(computed_example("i-love-cats")), 7U);
  EXPECT_EQ(flow_steps(computed_example("causal-decoder")), 8U) << "a mask";
  EXPECT_EQ(flow_steps(computed_example("sparsemax-vs-softmax")), 6U) << "no exponentials";
  const ComputedCase weights =
      flow_case(R"({"tokens": ["a", "b"], "attention": [[1, 0], [0.5, 0.5]]})");
  EXPECT_EQ(flow_steps(weights), 1U);
  EXPECT_TRUE(
      says(flow_figure(weights, {}), "The document gives the weights of “b”: “a” gets 0.50."));
}

TEST(Story, HiddenCellsAreStamped) {
  const ComputedCase own = computed_example("causal-decoder");
  PlotOptions options;
  options.pins = {{{Stage::Weights, {}}, 3, 5}};
  options.step = 4;
  const Figure figure = flow_figure(own, options);
  EXPECT_EQ(std::ranges::count(test::texts_of(figure), "−∞"), 4);
  EXPECT_TRUE(says(figure, "“was” is hidden by causal mask"));
}

TEST(Story, FramesDifferOnTheWayAndEndAsTheyArrive) {
  const ComputedCase own = computed_example("i-love-cats");
  PlotOptions options;
  for (options.step = 1; options.step <= flow_steps(own); ++options.step) {
    options.glide = 0.5;
    const std::size_t between = flow_figure(own, options).items.size();
    options.glide = 1.0;
    const Figure arrived = flow_figure(own, options);
    EXPECT_GT(between, 0U);
    EXPECT_EQ(test::texts_of(arrived), test::texts_of(flow_figure(own, options)));
    const auto place = place_of_step(arrived, options.step);
    ASSERT_TRUE(place);
    EXPECT_GT(place->y, place_of_step(arrived, 1)->y - 1.0);
  }
}

// The bars of the weights: from those of the last key names on, at one foot.
std::vector<Rect> bars_of(const Figure& figure, const FigureTheme& theme) {
  std::vector<Rect> bars;
  for (const RectItem& item : items_of<RectItem>(figure)) {
    const bool is_bar =
        item.fill == theme.accent || item.fill == mix(theme.background, theme.accent, 0.45);
    if (is_bar && item.radius == 0.0) bars.push_back(item.rect);
  }
  return bars;
}

TEST(Story, NothingIsSmallerThanZero) {
  const ComputedCase own = flow_case(R"({"query_tokens": ["q"], "key_tokens": ["a", "b", "c"],
      "attention": [[0.9988, 0.0012, 0]]})");
  const Figure figure = flow_figure(own, {});
  EXPECT_TRUE(has_text(figure, "0")) << "exactly";
  EXPECT_TRUE(has_text(figure, "0.00")) << "rounded";
  const std::vector<Rect> bars = bars_of(figure, figure_theme({}));
  ASSERT_EQ(bars.size(), 2U) << "0 has none";
  EXPECT_GE(bars[1].height, 0.75);
}

TEST(Story, NamesTheRowOfMaskedScoresAfterTheBiasInThem) {
  const ComputedCase own = flow_case(R"({"tokens": ["a", "b"], "q": [[1], [1]], "k": [[1], [2]],
      "v": [[1], [2]], "mask": {"causal": true, "bias": [[1, 2], [3, 4]]}})");
  EXPECT_TRUE(has_text(flow_figure(own, {}), "x + b"));
}

TEST(Story, LongRowsShowTheirLargestAndTheSumOfTheRest) {
  const ComputedCase own = flow_case(R"({"tokens": 3000, "d_model": 96, "heads": 1, "seed": 4})");
  const Figure figure = flow_figure(own, {});
  EXPECT_LT(figure.items.size(), 600U);
  EXPECT_TRUE(says(figure, " more"));
  EXPECT_TRUE(says(figure, "Of 3,000 keys"));
  EXPECT_TRUE(says(figure, "Of 96 dimensions of V"));
  EXPECT_TRUE(has_text(figure, "Σ 1.00"));
  const Account numbers = account_of(*own.result, {{Stage::Weights, {}}, 2999, 0});
  const double largest = numbers.number(Stage::Weights, numbers.largest.front());
  ASSERT_LT(largest, 0.005);
  EXPECT_TRUE(has_text(figure, short_text(largest, 2))) << "not 0.00";
  EXPECT_TRUE(says(figure, "The grey bar of the sum is cut."));
}

}  // namespace
}  // namespace attn
