// Colour bar: histogram, draggable ends, and ranges that are not yet known.

#include "plot/colors/color_bar.h"

#include <gtest/gtest.h>

#include "plot/all_plots.h"
#include "plot/maps/heatmap.h"
#include "tests/core/plot/computed_case.h"
#include "tests/core/plot/heatmap_cases.h"
#include "tests/support/drawing.h"
#include "tests/support/fake_result.h"

namespace attn {
namespace {

using namespace test;

std::vector<RectItem> bins_of(const Figure& figure, const MatrixItem& bar) {
  std::vector<RectItem> bins;
  for (const RectItem& rect : items_of<RectItem>(figure)) {
    const bool beside =
        rect.hit == HitId(ColorBarHit{}) && rect.rect.x > bar.rect.x + bar.rect.width;
    if (beside) bins.push_back(rect);
  }
  return bins;
}

TEST(Histogram, LengthsFollowTheCountsAndTheOptionLeavesItOut) {
  const auto mostly_low = [](const HeadAddress&, std::size_t q, std::size_t k) {
    return q == 3 && k == 3 ? 1.0F : k == 0 ? 0.3F : 0.1F;
  };
  const FakeResult result = FakeResult(problem_of(8, 8)).with(Stage::Weights, mostly_low);
  const Document document = cross_document(8, 8);
  PlotOptions options;
  options.histogram = true;
  const Figure figure = heatmap({{document, result}, options, FixedMetrics()});
  const MatrixItem bar = items_of<MatrixItem>(figure)[1];
  const std::vector<RectItem> bins = bins_of(figure, bar);
  ASSERT_EQ(bins.size(), 3U) << "bins without a cell have no bar";
  EXPECT_GT(bins[0].rect.width, bins[1].rect.width);
  EXPECT_GT(bins[1].rect.width, bins[2].rect.width);
  EXPECT_NEAR(bins[1].rect.width / bins[0].rect.width, std::sqrt(8.0 / 55.0), 1e-6);
  EXPECT_NEAR(bins[2].rect.y, bar.rect.y, bins[2].rect.height);
  options.histogram = false;
  const Figure without = heatmap({{document, result}, options, FixedMetrics()});
  EXPECT_TRUE(bins_of(without, items_of<MatrixItem>(without)[1]).empty());
  options.on_screen = true;
  const Figure window = heatmap({{document, result}, options, FixedMetrics()});
  EXPECT_EQ(bins_of(window, items_of<MatrixItem>(window)[1]).size(), 3U) << "always in the window";
}

TEST(Histogram, ALineMarksTheLargestBelowAnEmptyUpperHalf) {
  const FakeResult result =
      FakeResult(problem_of(8, 8)).with(Stage::Weights, [](auto&, auto, auto) { return 0.125F; });
  PlotOptions options;
  options.histogram = true;
  const Figure figure = heatmap({{cross_document(8, 8), result}, options, FixedMetrics()});
  const MatrixItem bar = items_of<MatrixItem>(figure)[1];
  const bool is_marked = std::ranges::any_of(items_of<LineItem>(figure), [&](const LineItem& line) {
    const double third = bar.rect.bottom() - bar.rect.height / 3.0;
    return line.from.x > bar.rect.right() && std::abs(line.from.y - third) < 0.1;
  });
  EXPECT_TRUE(is_marked);
}

TEST(Handles, AreDrawnAtTheBarOnly) {
  const FakeResult result = FakeResult(problem_of(4, 4)).with(Stage::Weights, cell_value);
  const Document document = cross_document(4, 4);
  PlotOptions options;
  const auto ends_in = [&] {
    std::vector<RangeHit> ends;
    for (const PathItem& path :
         items_of<PathItem>(heatmap({{document, result}, options, FixedMetrics()}))) {
      if (const auto* end = std::get_if<RangeHit>(&path.hit)) ends.push_back(*end);
    }
    return ends;
  };
  EXPECT_TRUE(ends_in().empty()) << "not in what is exported";
  options.on_screen = true;
  EXPECT_TRUE(ends_in().empty()) << "the pointer is elsewhere";
  options.at_bar = true;
  const std::vector<RangeHit> ends = ends_in();
  ASSERT_EQ(ends.size(), 2U);
  EXPECT_FALSE(ends[0].is_high);
  EXPECT_TRUE(ends[1].is_high);
  EXPECT_EQ(ends[1].scale.high, 1.0F);
}

TEST(Handles, BecomeWhatStoodUnderThePointer) {
  const RangeHit high{true, {nullptr, 1.0F, 3.0F}, 200.0, false};
  EXPECT_EQ(dragged_ends(high, -50.0), (ColorEnds{{}, 2.5}));
  EXPECT_EQ(dragged_ends(high, 100.0), (ColorEnds{{}, 4.0}));
  EXPECT_GT(*dragged_ends(high, -1000.0).high, 1.0) << "never at the other end";
  const RangeHit low{false, {nullptr, 1.0F, 3.0F}, 200.0, false};
  EXPECT_EQ(dragged_ends(low, 50.0), (ColorEnds{1.5, {}}));
  EXPECT_LT(*dragged_ends(low, 1000.0).low, 3.0);
}

TEST(Handles, MoveBothEndsWhereZeroIsInTheMiddleAndExponentsOfLogarithms) {
  const RangeHit mirrored{true, {nullptr, -2.0F, 2.0F}, 100.0, true};
  EXPECT_EQ(dragged_ends(mirrored, -25.0), (ColorEnds{-1.0, 1.0}));
  RangeHit low = mirrored;
  low.is_high = false;
  EXPECT_EQ(dragged_ends(low, 25.0), (ColorEnds{-1.0, 1.0}));
  const RangeHit log{true, {nullptr, 1e-4F, 1.0F, kLogarithm}, 100.0, false};
  EXPECT_NEAR(*dragged_ends(log, -25.0).high, 0.1, 1e-6);
  const RangeHit bent{true, {nullptr, 0.0F, 0.8F, 0.5F}, 100.0, false};
  EXPECT_NEAR(*dragged_ends(bent, -50.0).high, 0.2, 1e-6);
}

TEST(BarTicks, NameBothEndsOfEveryScale) {
  for (const float power : {1.0F, 0.477F, 0.24F, 0.093F, kLogarithm}) {
    for (const float high : {0.54F, 0.996F, 3e-4F, 41.7F}) {
      const float low = power == kLogarithm ? high * 1e-5F : 0.0F;
      for (const double height : {60.0, 90.0, 300.0}) {
        const std::vector<Tick> ticks = bar_ticks({nullptr, low, high, power}, height, 10.0);
        EXPECT_EQ(ticks.front().value, static_cast<double>(low));
        EXPECT_EQ(ticks.back().value, static_cast<double>(high));
        EXPECT_FALSE(ticks.back().text.empty());
        for (std::size_t i = 1; i < ticks.size(); ++i) {
          const ColorScale scale{nullptr, low, high, power};
          const double apart =
              place_on(scale, ticks[i].value) - place_on(scale, ticks[i - 1].value);
          EXPECT_GE(apart * height, 10.0) << "labels do not meet";
        }
      }
    }
  }
}

TEST(BarTicks, OfSharesNameTheEqualOne) {
  const ColorRange range = color_range({Quantity::Share, 10}, {}, {});
  std::vector<std::string> texts;
  for (const Tick& tick : bar_ticks(range, 300.0, 10.0, range.share)) texts.push_back(tick.text);
  EXPECT_EQ(texts, (std::vector<std::string>{"0", "0.01", "0.1", "0.5", "1"}));
}

TEST(BarTicks, TellCloseEndsApart) {
  const std::vector<Tick> ticks = bar_ticks({nullptr, 10'000'000.0F, 10'000'002.0F}, 30.0, 10.0);
  EXPECT_NE(ticks.front().text, ticks.back().text);
}

TEST(ColorBar, SaysItsRangeBelowTheMapWhereThereIsNoRoomBeside) {
  const FakeResult result = FakeResult(problem_of(6, 6)).with(Stage::Weights, cell_value);
  PlotOptions options;
  options.width = 150.0;
  const Figure figure = heatmap({{cross_document(6, 6), result}, options, FixedMetrics()});
  const std::string end = color_range(result, options).basis;
  bool is_said = false;
  for (const TextItem& text : items_of<TextItem>(figure)) {
    is_said = is_said || text.text.find("Attention weight: 0 to 1") != std::string::npos;
  }
  EXPECT_TRUE(is_said) << end;
}

class LongDocument : public ::testing::Test {
 protected:
  LongDocument() {
    result_ = std::make_unique<FakeResult>(
        FakeResult(problem_of(600, 600))
            .with(Stage::Weights, [](const HeadAddress&, std::size_t q, std::size_t k) {
              return q == 599 && k == 7 ? 0.9F : 0.001F * static_cast<float>((q + k) % 10);
            }));
  }
  bool says_so_far(const PlotInput& input) {
    for (const TextItem& text : items_of<TextItem>(heatmap({input, options_, FixedMetrics()}))) {
      if (text.text.find("so far") != std::string::npos) return true;
    }
    return false;
  }
  float high_of(const PlotInput& input) {
    const Figure figure = heatmap({input, options_, FixedMetrics()});
    return find_matrix(figure)->scale.high;
  }

  std::unique_ptr<FakeResult> result_;
  Document document_ = cross_document(600, 600);
  PlotOptions options_ = [] {
    PlotOptions options;
    options.range = ColorSpan::Head;
    options.histogram = true;
    return options;
  }();
};

TEST_F(LongDocument, TheRangeSaysSoFarUntilItIsFoundAndThenOnlyGrew) {
  const PlotInput early{document_, *result_};
  EXPECT_TRUE(says_so_far(early));
  Derivations derivations;
  for (const Need& need : heatmap_needs({early, options_})) {
    EXPECT_FALSE(need.awaited) << need.key;
    derivations.keep(need.key, derive(need, document_, borrowed(*result_)));
  }
  EXPECT_EQ(derivations.size(), 1U) << "of the range and the histogram";
  const PlotInput late{document_, *result_, &derivations};
  EXPECT_FALSE(says_so_far(late));
  EXPECT_LE(high_of(early), high_of(late));
  EXPECT_EQ(high_of(late), 0.9F);
}

TEST_F(LongDocument, AnExportWaitsForTheExactRange) {
  const Result<Figure> figure = draw("heatmap", {document_, *result_}, options_, FixedMetrics());
  ASSERT_TRUE(figure);
  EXPECT_EQ(find_matrix(figure.value())->scale.high, 0.9F);
}

}  // namespace
}  // namespace attn
