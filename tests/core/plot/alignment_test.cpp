// Numbers, sentences and bars of the alignment plot, compared with the result.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/number_text.h"
#include "document/load/read.h"
#include "plot/maps/maps.h"
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
using test::says;

PlotOptions wide() {
  PlotOptions options;
  options.width = 900.0;
  return options;
}

std::vector<const MatrixItem*> maps_of(const Figure& figure) {
  std::vector<const MatrixItem*> maps;
  for (const FigureItem& item : figure.items) {
    const auto* matrix = std::get_if<MatrixItem>(&item);
    if (matrix != nullptr && matrix->cells->cols > 1) maps.push_back(matrix);
  }
  return maps;
}

std::vector<const TextItem*> texts_in(const Figure& figure, const Rect& rect) {
  std::vector<const TextItem*> texts;
  for (const FigureItem& item : figure.items) {
    const auto* text = std::get_if<TextItem>(&item);
    if (text != nullptr && rect.contains(text->anchor)) texts.push_back(text);
  }
  return texts;
}

// Compares every number of a map with the stage; rows of later steps are empty.
void expect_map(const Figure& figure, const MatrixItem& map, const ComputedCase& shown, Stage stage,
                std::size_t steps) {
  const StageShape shape = shown.result->stage_shape(stage);
  const double width = map.rect.width / static_cast<double>(shape.cols);
  const double height = map.rect.height / static_cast<double>(shape.rows);
  for (std::size_t q = 0; q < shape.rows; ++q) {
    for (std::size_t k = 0; k < shape.cols; ++k) {
      const Rect cell{map.rect.x + width * static_cast<double>(k),
                      map.rect.y + height * static_cast<double>(q), width, height};
      const std::vector<const TextItem*> texts = texts_in(figure, cell);
      ASSERT_EQ(texts.size(), q < steps ? 1U : 0U) << q << "," << k;
      if (q >= steps) continue;
      const auto value = static_cast<double>(shown.result->value(stage, {}, q, k));
      EXPECT_EQ(texts.front()->text, fixed_text(value, 2)) << q << "," << k;
    }
  }
  EXPECT_NEAR(map.clip.height, height * static_cast<double>(steps), 1e-9);
}

TEST(Alignment, DrawsTheNumbersOfTheStepsSoFar) {
  const ComputedCase shown = computed_example("encoder-decoder");
  for (const std::size_t step : {0U, 1U, 4U, 7U, 99U}) {
    PlotOptions options = wide();
    options.step = step;
    const Figure figure = alignment_plot({shown.input(), options, FixedMetrics()}).value();
    const std::size_t steps = step == 0 ? 7 : std::min<std::size_t>(step, 7);
    EXPECT_EQ(shown_steps(*shown.result, options), steps);
    const std::vector<const MatrixItem*> maps = maps_of(figure);
    ASSERT_EQ(maps.size(), 3U);
    expect_map(figure, *maps[0], shown, Stage::Weights, steps);
    expect_map(figure, *maps[1], shown, Stage::Influence, steps);
    expect_map(figure, *maps[2], shown, Stage::FixedInfluence, steps);
  }
}

TEST(Alignment, SaysWhatTheLastStepReads) {
  const ComputedCase shown = computed_example("encoder-decoder");
  PlotOptions options = wide();
  options.step = 2;
  const Figure figure = alignment_plot({shown.input(), options, FixedMetrics()}).value();
  EXPECT_TRUE(says(figure, "after step 2 of 7, “red”"));
  const double share = 100.0 * static_cast<double>(shown.result->value(Stage::Weights, {}, 1, 2));
  EXPECT_TRUE(says(figure, "reads " + fixed_text(share, 1) + " % from “rouge”"));
}

std::vector<double> bar_lengths(const Figure& figure) {
  std::vector<double> lengths;
  for (const FigureItem& item : figure.items) {
    const auto* bar = std::get_if<RectItem>(&item);
    if (bar != nullptr && bar->hit == HitId(StageHit{Stage::Survival})) {
      lengths.push_back(bar->rect.width);
    }
  }
  return lengths;
}

// One bar per source token, as long as its norm, followed by its number.
TEST(Alignment, BarsAreAsLongAsWhatSurvives) {
  const ComputedCase shown = computed_example("encoder-decoder");
  const Figure figure = alignment_plot({shown.input(), wide(), FixedMetrics()}).value();
  const std::vector<double> lengths = bar_lengths(figure);
  ASSERT_EQ(lengths.size(), 7U);
  const double unit =
      lengths[0] / static_cast<double>(shown.result->value(Stage::Survival, {}, 0, 0));
  for (std::size_t j = 0; j < lengths.size(); ++j) {
    const auto value = static_cast<double>(shown.result->value(Stage::Survival, {}, j, 0));
    EXPECT_NEAR(lengths[j], unit * value, 1e-6);
    EXPECT_TRUE(says(figure, fixed_text(value, 3))) << j;
  }
}

ComputedCase computed_text(const std::string& json) {
  return computed_case(read_document(json, "text").value().document);
}

// The source of the second sample is shorter, that of the third only padding.
TEST(Alignment, SpeaksOfTheTokensThatAreRead) {
  const ComputedCase shown = computed_text(
      R"({"query_tokens": ["x", "y"], "key_tokens": [["a", "b", "c"], ["d", "e"], ["f", "g"]],
          "mask": {"key_padding": [[true, true, true], [false, true, false],
                                   [false, false, false]]},
          "recurrent": {"hidden": 2}})");
  PlotOptions options = wide();
  const auto drawn = [&](std::size_t sample) {
    options.at.sample = sample;
    return alignment_plot({shown.input(), options, FixedMetrics()}).value();
  };
  EXPECT_TRUE(says(drawn(0), "of all steps, sample 1 of 3"));
  EXPECT_TRUE(says(drawn(0), "by “a” has the norm"));
  EXPECT_TRUE(says(drawn(1), "by “e” has the norm"));
  EXPECT_FALSE(says(drawn(1), ", by “"));
  EXPECT_TRUE(says(drawn(2), "Every source token is padding"));
  EXPECT_TRUE(says(drawn(2), "sees no source token"));
  EXPECT_FALSE(says(drawn(2), " % from "));
}

TEST(Alignment, SpeaksOfStatesWhereThereAreNoOutputs) {
  const ComputedCase shown = computed_text(
      R"({"query_tokens": ["x"], "key_tokens": ["a"],
          "recurrent": {"hidden": 1, "w_output": null}})");
  const Figure figure = alignment_plot({shown.input(), wide(), FixedMetrics()}).value();
  EXPECT_TRUE(says(figure, "on each state of the decoder"));
  EXPECT_FALSE(says(figure, "each output"));
  EXPECT_TRUE(says(figure, "one vector of 1 number. Its derivative by “a”"));
}

TEST(Alignment, SaysWhereWeightsAreNoNumbers) {
  const ComputedCase shown = computed_text(
      R"({"query_tokens": ["x"], "key_tokens": ["a", "b"], "recurrent": {"hidden": 2},
          "mask": {"bias": [["nan", 0]]}})");
  const Figure figure = alignment_plot({shown.input(), wide(), FixedMetrics()}).value();
  EXPECT_TRUE(says(figure, "weights that are not numbers"));
}

TEST(Alignment, DrawsNoBarOfWhatIsNoNumber) {
  const ComputedCase shown = computed_text(
      R"({"query_tokens": ["x"], "key_tokens": ["a", "b"], "recurrent": {"hidden": 2},
          "query_embeddings": [[1, 2]], "key_embeddings": [["nan", 1], [0, 1]]})");
  const Figure figure = alignment_plot({shown.input(), wide(), FixedMetrics()}).value();
  EXPECT_EQ(bar_lengths(figure), (std::vector<double>{0.0, 0.0}));
}

// Bars for single tokens would be invisible; the longest of each group is shown.
TEST(Alignment, HasAsManyBarsAsCanBeSeen) {
  const ComputedCase shown = computed_text(
      R"({"query_tokens": ["x"], "key_tokens": 20000, "d_model": 2, "recurrent": {"hidden": 1}})");
  const Figure figure = alignment_plot({shown.input(), wide(), FixedMetrics()}).value();
  const std::vector<double> lengths = bar_lengths(figure);
  EXPECT_LT(lengths.size(), 1000U);
  EXPECT_GT(lengths.size(), 200U);
  std::vector<float> norms(20000);
  shown.result->read(Stage::Survival, {}, {0, 0, norms.size(), 1}, norms.data());
  const auto largest = static_cast<std::size_t>(std::ranges::max_element(norms) - norms.begin());
  const auto longest =
      static_cast<std::size_t>(std::ranges::max_element(lengths) - lengths.begin());
  EXPECT_EQ(longest, largest / ((norms.size() + lengths.size() - 1) / lengths.size()));
}

// A cell for every pair of thousands of tokens is more than an image can hold.
TEST(Alignment, PoolsLongDocuments) {
  std::string tokens;
  for (int i = 0; i < 1500; ++i) tokens += (i == 0 ? "\"" : ", \"") + std::to_string(i) + "\"";
  const ComputedCase shown = computed_text("{\"query_tokens\": [\"x\", \"y\"], \"key_tokens\": [" +
                                           tokens + "], \"recurrent\": {\"hidden\": 2}}");
  PlotOptions options = wide();
  options.step = 1;
  const Figure figure = alignment_plot({shown.input(), options, FixedMetrics()}).value();
  const MatrixItem& map = *maps_of(figure).front();
  EXPECT_LE(map.cells->cols, 1024U);
  EXPECT_EQ(map.col_count, 1500U);
  EXPECT_NEAR(map.rect.width, map.clip.width, 1e-6);
  const float expected = std::max(shown.result->value(Stage::Weights, {}, 0, 1498),
                                  shown.result->value(Stage::Weights, {}, 0, 1499));
  EXPECT_EQ(map.cells->values[749], expected);
}

TEST(Alignment, TextsLeaveEachOtherRoom) {
  for (const char* name : {"encoder-decoder", "encoder-decoder-luong"}) {
    const ComputedCase shown = computed_example(name);
    for (const double width : {300.0, 576.0, 1200.0}) {
      PlotOptions options;
      options.width = width;
      const Figure figure = alignment_plot({shown.input(), options, FixedMetrics()}).value();
      EXPECT_EQ(test::text_problems(figure, FixedMetrics()), "") << name << " " << width;
    }
  }
}

TEST(Alignment, SaysWhereThereIsNothingToFollow) {
  const ComputedCase shown = computed_example("four-heads");
  const Result<Figure> refused = test::draw("alignment", shown.input(), wide(), FixedMetrics());
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("no recurrent"), std::string::npos);
}

}  // namespace
}  // namespace attn
