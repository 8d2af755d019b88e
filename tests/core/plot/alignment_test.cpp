#include "plot/alignment.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/number_text.h"
#include "tests/core/plot/computed_case.h"
#include "tests/core/plot/text_boxes.h"
#include "tests/support/fake_result.h"

namespace attn {
namespace {

using test::computed_example;
using test::ComputedCase;
using test::FixedMetrics;

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

bool says(const Figure& figure, const std::string& words) {
  return std::ranges::any_of(figure.items, [&](const FigureItem& item) {
    const auto* text = std::get_if<TextItem>(&item);
    return text != nullptr && text->text.find(words) != std::string::npos;
  });
}

// Every number in a map is that of the stage's cell under it; rows of later steps are empty.
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
    const Figure figure = alignment_plot(shown.input(), options, FixedMetrics());
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
  const Figure figure = alignment_plot(shown.input(), options, FixedMetrics());
  EXPECT_TRUE(says(figure, "after step 2 of 7, “red”"));
  const double share = 100.0 * static_cast<double>(shown.result->value(Stage::Weights, {}, 1, 2));
  EXPECT_TRUE(says(figure, "reads " + fixed_text(share, 1) + " % from “rouge”"));
}

// A bar for each source token, as long as its norm, with its number behind it.
TEST(Alignment, BarsAreAsLongAsWhatSurvives) {
  const ComputedCase shown = computed_example("encoder-decoder");
  const Figure figure = alignment_plot(shown.input(), wide(), FixedMetrics());
  std::vector<double> lengths;
  for (const FigureItem& item : figure.items) {
    const auto* bar = std::get_if<RectItem>(&item);
    if (bar != nullptr && bar->hit == HitId(StageHit{Stage::Survival})) {
      lengths.push_back(bar->rect.width);
    }
  }
  ASSERT_EQ(lengths.size(), 7U);
  const double unit =
      lengths[0] / static_cast<double>(shown.result->value(Stage::Survival, {}, 0, 0));
  for (std::size_t j = 0; j < lengths.size(); ++j) {
    const auto value = static_cast<double>(shown.result->value(Stage::Survival, {}, j, 0));
    EXPECT_NEAR(lengths[j], unit * value, 1e-6);
    EXPECT_TRUE(says(figure, fixed_text(value, 3))) << j;
  }
}

TEST(Alignment, TextsLeaveEachOtherRoom) {
  for (const char* name : {"encoder-decoder", "encoder-decoder-luong"}) {
    const ComputedCase shown = computed_example(name);
    for (const double width : {300.0, 576.0, 1200.0}) {
      PlotOptions options;
      options.width = width;
      const Figure figure = alignment_plot(shown.input(), options, FixedMetrics());
      EXPECT_EQ(test::text_problems(figure, FixedMetrics()), "") << name << " " << width;
    }
  }
}

TEST(Alignment, SaysWhereThereIsNothingToFollow) {
  const ComputedCase shown = computed_example("four-heads");
  const Figure figure = alignment_plot(shown.input(), wide(), FixedMetrics());
  EXPECT_TRUE(says(figure, "no recurrent"));
  EXPECT_TRUE(maps_of(figure).empty());
}

}  // namespace
}  // namespace attn
