// The colour bar's histogram, the ends to drag, and ranges that are still being found.
#include "plot/colors/color_bar.h"

#include <gtest/gtest.h>

#include <numeric>

#include "plot/colors/range_handle.h"
#include "plot/colors/spread.h"
#include "plot/colors/weight_range.h"
#include "plot/maps/heatmap.h"
#include "plot/needs.h"
#include "tests/core/plot/computed_case.h"
#include "tests/core/plot/heatmap_cases.h"
#include "tests/support/fake_result.h"

namespace attn {
namespace {

using namespace test;

MatrixPtr matrix_of_values(std::size_t rows, std::size_t cols, std::vector<float> values) {
  return stored_matrix({}, {rows, cols, std::move(values), {}});
}

std::uint64_t sum_of(const std::vector<std::uint64_t>& cells) {
  return std::accumulate(cells.begin(), cells.end(), std::uint64_t{0});
}

TEST(Spread, CountsEveryFiniteCellInItsBin) {
  std::vector<float> values;
  std::vector<std::uint64_t> wanted(10);
  for (std::size_t i = 0; i < 600; ++i) {
    const std::size_t bin = (i * i) % 10;
    values.push_back((static_cast<float>(bin) + 0.5F) / 10.0F);
    ++wanted[bin];
  }
  values[599] = std::numeric_limits<float>::quiet_NaN();
  --wanted[(599 * 599) % 10];
  const Spread spread = spread_of(*matrix_of_values(20, 30, values), false);
  EXPECT_EQ(binned(spread, {nullptr, 0.0F, 1.0F}, false, 10), wanted);
}

TEST(Spread, KeepsTheEndsOfTheRangeInAndWhatIsBeyondOut) {
  const Spread spread =
      spread_of(*matrix_of_values(1, 6, {-2, -0.61F, 0.1F, 0.3F, 0.617F, 5}), false);
  const auto cells = binned(spread, {nullptr, -0.61F, 0.617F}, false, 4);
  EXPECT_EQ(cells, (std::vector<std::uint64_t>{1, 0, 2, 1}));
}

TEST(Spread, GoesByTheLogarithmAndByPartsOfRows) {
  const MatrixPtr matrix = matrix_of_values(2, 3, {0.001F, 0.01F, 0.0F, 0.2F, 0.05F, 0.1F});
  const Spread spread = spread_of(*matrix, false);
  EXPECT_EQ(binned(spread, {nullptr, -3.5F, -0.5F}, true, 3), (std::vector<std::uint64_t>{1, 1, 3}))
      << "0 has no logarithm";
  EXPECT_EQ(binned(spread_of(*matrix, true), {nullptr, 0.0F, 1.0F}, false, 4),
            (std::vector<std::uint64_t>{2, 1, 1, 2}));
}

TEST(Spread, OfALargeMatrixIsOfRowsAtEqualDistances) {
  std::vector<float> values(1000 * 100);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i / 100);
  const Spread spread = spread_of(*matrix_of_values(1000, 100, values), false, 10'000);
  const auto cells = binned(spread, {nullptr, 0.0F, 1000.0F}, false, 4);
  EXPECT_LE(sum_of(cells), 10'000U);
  for (const std::uint64_t part : cells) EXPECT_NEAR(static_cast<double>(part), 2500.0, 100.0);
}

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
  const Figure figure = heatmap({document, result}, options, FixedMetrics());
  const MatrixItem bar = items_of<MatrixItem>(figure)[1];
  const std::vector<RectItem> bins = bins_of(figure, bar);
  ASSERT_EQ(bins.size(), 3U) << "bins without a cell have no bar";
  EXPECT_GT(bins[0].rect.width, bins[1].rect.width);
  EXPECT_GT(bins[1].rect.width, bins[2].rect.width);
  EXPECT_NEAR(bins[1].rect.width / bins[0].rect.width, std::sqrt(8.0 / 55.0), 1e-6);
  EXPECT_NEAR(bins[2].rect.y, bar.rect.y, bins[2].rect.height);
  options.histogram = false;
  const Figure without = heatmap({document, result}, options, FixedMetrics());
  EXPECT_TRUE(bins_of(without, items_of<MatrixItem>(without)[1]).empty());
}

TEST(Handles, AreDrawnWhereAskedForOnly) {
  const FakeResult result = FakeResult(problem_of(4, 4)).with(Stage::Weights, cell_value);
  const Document document = cross_document(4, 4);
  PlotOptions options;
  const auto ends_in = [&] {
    std::vector<RangeHit> ends;
    for (const PathItem& path :
         items_of<PathItem>(heatmap({document, result}, options, FixedMetrics()))) {
      if (const auto* end = std::get_if<RangeHit>(&path.hit)) ends.push_back(*end);
    }
    return ends;
  };
  EXPECT_TRUE(ends_in().empty()) << "not in what is exported";
  options.handles = true;
  const std::vector<RangeHit> ends = ends_in();
  ASSERT_EQ(ends.size(), 2U);
  EXPECT_FALSE(ends[0].is_high);
  EXPECT_TRUE(ends[1].is_high);
  EXPECT_EQ(ends[1].high, result.range(Stage::Weights, {})->high);
}

TEST(Handles, BecomeWhatStoodUnderThePointer) {
  const RangeHit high{true, 1.0F, 3.0F, 200.0, false, false};
  EXPECT_EQ(dragged_ends(high, -50.0), (ColorEnds{{}, 2.5}));
  EXPECT_EQ(dragged_ends(high, 100.0), (ColorEnds{{}, 4.0}));
  EXPECT_GT(*dragged_ends(high, -1000.0).high, 1.0) << "never at the other end";
  const RangeHit low{false, 1.0F, 3.0F, 200.0, false, false};
  EXPECT_EQ(dragged_ends(low, 50.0), (ColorEnds{1.5, {}}));
  EXPECT_LT(*dragged_ends(low, 1000.0).low, 3.0);
}

TEST(Handles, MoveBothEndsWhereZeroIsInTheMiddleAndExponentsOfLogarithms) {
  const RangeHit mirrored{true, -2.0F, 2.0F, 100.0, false, true};
  EXPECT_EQ(dragged_ends(mirrored, -25.0), (ColorEnds{-1.0, 1.0}));
  RangeHit low = mirrored;
  low.is_high = false;
  EXPECT_EQ(dragged_ends(low, 25.0), (ColorEnds{-1.0, 1.0}));
  const RangeHit log{true, -4.0F, 0.0F, 100.0, true, false};
  EXPECT_NEAR(*dragged_ends(log, -25.0).high, 0.1, 1e-12);
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
    for (const TextItem& text : items_of<TextItem>(heatmap(input, options_, FixedMetrics()))) {
      if (text.text.find("so far") != std::string::npos) return true;
    }
    return false;
  }
  float high_of(const PlotInput& input) {
    const Figure figure = heatmap(input, options_, FixedMetrics());
    return find_matrix(figure)->scale.high;
  }

  std::unique_ptr<FakeResult> result_;
  Document document_ = cross_document(600, 600);
  PlotOptions options_ = [] {
    PlotOptions options;
    options.range = ColorSpan::Head;
    return options;
  }();
};

TEST_F(LongDocument, TheRangeSaysSoFarUntilItIsFoundAndThenOnlyGrew) {
  const PlotInput early{document_, *result_};
  EXPECT_TRUE(says_so_far(early));
  Derivations derivations;
  for (const Need& need : heatmap_needs(early, options_)) {
    EXPECT_FALSE(need.awaited) << need.key;
    derivations.keep(need.key, derive(need, document_, borrowed(*result_)));
  }
  EXPECT_EQ(derivations.size(), 2U) << "the range and the histogram";
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
