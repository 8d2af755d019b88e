// The argument for √d_k against the theory of random vectors.
#include "engine/sharpness.h"

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cmath>
#include <vector>

namespace attn {
namespace {

constexpr std::array<std::size_t, 5> kWidths = {1, 4, 16, 100, 512};

TEST(Sharpness, VarianceOfStandardNormalsIsTheWidth) {
  for (const std::size_t keys : {1U, 3U, 16U, 64U}) {
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
      const auto points = sharpness_by_width({.keys = keys, .seed = seed}, kWidths);
      ASSERT_EQ(points.size(), kWidths.size());
      for (const SharpnessPoint& point : points) {
        const auto d_k = static_cast<double>(point.d_k);
        if (point.d_k >= 100 && keys > 1) {
          EXPECT_NEAR(point.unscaled.variance / d_k, 1.0, 0.25) << keys << " " << d_k;
        }
        EXPECT_NEAR(point.scaled.variance, point.unscaled.variance / d_k, 1e-9);
      }
    }
  }
}

// σ_q²σ_k² + σ_q²μ_k² + σ_k²μ_q² per column, by the rules for products of independent numbers.
TEST(Sharpness, VarianceFollowsMeanAndDeviation) {
  const SharpnessSetup setup{
      .q_mean = 0.5, .q_deviation = 2.0, .k_mean = -1.0, .k_deviation = 0.5, .keys = 64};
  const double per_column = 4.0 * 0.25 + 4.0 * 1.0 + 0.25 * 0.25;
  const auto points = sharpness_by_width(setup, kWidths);
  EXPECT_NEAR(points.back().unscaled.variance / (512.0 * per_column), 1.0, 0.3);
}

TEST(Sharpness, ScalingKeepsTheSoftmaxSoftAndItsGradientAlive) {
  const auto points = sharpness_by_width({.keys = 16}, kWidths);
  EXPECT_GT(points.back().unscaled.largest, 0.95);
  EXPECT_LT(points.back().unscaled.gradient, 0.1);
  EXPECT_LT(points.back().unscaled.entropy, 0.15);
  for (const SharpnessPoint& point : points) {
    EXPECT_GT(point.scaled.gradient, 0.15) << point.d_k;
    EXPECT_GT(point.scaled.entropy, 1.5) << point.d_k;
    EXPECT_LE(point.scaled.entropy, std::log(16.0));
  }
  // At width 1 the scale is 1.
  EXPECT_EQ(points.front().scaled.largest, points.front().unscaled.largest);
}

TEST(Sharpness, EqualKeysGiveEqualWeights) {
  const auto points =
      sharpness_by_width({.q_deviation = 0.0, .k_deviation = 0.0, .keys = 4}, kWidths);
  for (const SharpnessPoint& point : points) {
    EXPECT_EQ(point.unscaled.variance, 0.0);
    EXPECT_DOUBLE_EQ(point.unscaled.largest, 0.25);
    EXPECT_NEAR(point.unscaled.entropy, std::log(4.0), 1e-12);
  }
}

TEST(Sharpness, IsDeterministicAndDependsOnTheSeed) {
  const auto first = sharpness_by_width({.keys = 8, .seed = 7}, kWidths);
  EXPECT_EQ(first.back().unscaled.entropy,
            sharpness_by_width({.keys = 8, .seed = 7}, kWidths).back().unscaled.entropy);
  EXPECT_NE(first.back().unscaled.entropy,
            sharpness_by_width({.keys = 8, .seed = 8}, kWidths).back().unscaled.entropy);
}

// Narrower widths are the first columns of wider ones, so requesting fewer changes nothing.
TEST(Sharpness, PointsDoNotDependOnTheOthers) {
  const std::array<std::size_t, 1> only = {100};
  EXPECT_EQ(sharpness_by_width({}, only).front().unscaled.variance,
            sharpness_by_width({}, kWidths)[3].unscaled.variance);
}

// Equal scores, against the explicit matrix.
TEST(Sharpness, GradientIsTheFrobeniusNormOfTheDerivative) {
  for (const std::size_t keys : {1U, 2U, 8U}) {
    const SharpnessSetup equal{.q_deviation = 0.0, .k_deviation = 0.0, .keys = keys};
    const Sharpness got = sharpness_by_width(equal, kWidths).front().scaled;
    const double p = 1.0 / static_cast<double>(keys);
    double sum = 0.0;
    for (std::size_t i = 0; i < keys * keys; ++i) {
      const double entry = (i % (keys + 1) == 0 ? p : 0.0) - p * p;
      sum += entry * entry;
    }
    EXPECT_NEAR(got.gradient, std::sqrt(sum), 1e-12);
    EXPECT_NEAR(got.entropy, -std::log(p), 1e-12);
  }
}

}  // namespace
}  // namespace attn
