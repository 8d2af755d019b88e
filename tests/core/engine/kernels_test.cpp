// Matrix products and row kernels at the sizes where their loops change.
#include <gtest/gtest.h>

#include <cmath>

#include "base/special_numbers.h"
#include "engine/kernels/matmul.h"
#include "engine/kernels/normalise.h"
#include "engine/kernels/row_kernels.h"
#include "every_instruction_set.h"
#include "problems.h"

namespace attn::test {
namespace {

MatrixView view(const Tensor& tensor) { return matrix_at(tensor, 0); }

float product_cell(const MatrixView& a, const MatrixView& b, std::size_t row, std::size_t col) {
  double sum = 0.0;
  for (std::size_t k = 0; k < a.cols; ++k) {
    sum += static_cast<double>(a.at(row, k)) * static_cast<double>(b.at(k, col));
  }
  return static_cast<float>(sum);
}

Tensor transposed(const Tensor& matrix) {
  const MatrixView from = view(matrix);
  std::vector<float> values;
  for (std::size_t c = 0; c < from.cols; ++c) {
    for (std::size_t r = 0; r < from.rows; ++r) values.push_back(from.at(r, c));
  }
  return Tensor({from.cols, from.rows}, std::move(values));
}

// Writes into a wider matrix and checks that its other columns are unchanged.
void check_products(std::size_t rows, std::size_t depth, std::size_t cols) {
  SCOPED_TRACE(shape_text({rows, depth, cols}));
  Random random(rows * 1000 + depth * 10 + cols);
  const Tensor a = random_tensor({rows, depth}, random);
  const Tensor b = random_tensor({depth, cols}, random);
  const Tensor b_transposed = transposed(b);
  const std::size_t stride = cols + 3;
  std::vector<float> plain(rows * stride, 7.0F);
  std::vector<float> by_transposed = plain;
  multiply(view(a), view(b), {plain.data(), rows, cols, stride});
  multiply_by_transposed(view(a), view(b_transposed), {by_transposed.data(), rows, cols, stride});
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t c = 0; c < stride; ++c) {
      const float expected = c < cols ? product_cell(view(a), view(b), r, c) : 7.0F;
      ASSERT_EQ(plain[r * stride + c], expected) << r << ", " << c;
      ASSERT_EQ(by_transposed[r * stride + c], expected) << r << ", " << c;
    }
  }
}

class DoubleProducts : public EveryInstructionSet {};
INSTANTIATE_TEST_SUITE_P(Kernels, DoubleProducts, testing::ValuesIn(instruction_sets()),
                         name_of_set);

TEST_P(DoubleProducts, HaveTheSameBits) {
  for (const std::size_t rows : {1U, 2U, 5U, 6U, 12U, 13U, 64U, 65U}) {
    for (const std::size_t cols : {1U, 8U, 17U}) check_products(rows, 300, cols);
  }
}

TEST(InstructionSets, OneThatIsNotThereChangesNothing) {
  EXPECT_FALSE(instruction_sets().empty());
  EXPECT_FALSE(use_instruction_set("abacus"));
}

TEST(Multiply, IsTheRoundedSumInDoubleForEveryShape) {
  for (const std::size_t rows : {1U, 2U, 3U, 4U, 64U, 67U}) {
    for (const std::size_t cols : {1U, 7U, 8U, 9U}) {
      for (const std::size_t depth : {1U, 5U}) check_products(rows, depth, cols);
    }
  }
  for (const std::size_t depth : {255U, 256U, 257U, 600U}) check_products(5, depth, 9);
}

TEST(Multiply, DoesNotOverflowInTheMiddleOfASum) {
  const Tensor a({1, 3}, {1e30F, 1e30F, 1.0F});
  const Tensor b({3, 1}, {1e30F, -1e30F, 2.0F});
  float out = 0.0F;
  multiply(view(a), view(b), {&out, 1, 1, 1});
  EXPECT_EQ(out, 2.0F);
}

TEST(MultiplyVisibleRow, HasTheBitsOfMultiplyWhereValuesAreFinite) {
  Random random(1);
  const Tensor values = random_tensor({300, 5}, random);
  std::vector<float> weights(300);
  std::vector<HiddenRules> rules(300);
  for (std::size_t k = 0; k < 300; ++k) {
    rules[k] = k % 3 == 0 ? kHiddenByHand : kVisible;
    weights[k] = rules[k] == kVisible ? random.uniform() : 0.0F;
  }
  std::vector<float> all(5);
  std::vector<float> visible(5);
  multiply({weights.data(), 1, 300, 300}, view(values), {all.data(), 1, 5, 5});
  multiply_visible_row(weights, rules, view(values), visible.data());
  EXPECT_TRUE(same_bits(all, visible));
}

std::vector<float> softmax(const std::vector<float>& scores, std::vector<HiddenRules> rules = {}) {
  rules.resize(scores.size());
  std::vector<float> masked(scores.size());
  std::vector<float> weights(scores.size());
  mask_row(scores, {}, rules, masked);
  normalise_row({}, 0, masked, rules, weights);
  return weights;
}

TEST(SoftmaxRow, IsAccurateOverTheWholeRangeOfTheExponential) {
  for (int i = 0; i <= 10'500; ++i) {
    const float x = -0.01F * static_cast<float>(i);
    // The largest score is 0, and further cells fill all lanes.
    const std::vector<float> weights = softmax({0.0F, x, -kInfinity, -kInfinity, -kInfinity});
    const double e = std::exp(static_cast<double>(x));
    const double expected = e / (1.0 + e);
    // Subnormal weights have fewer digits.
    ASSERT_NEAR(weights[1], expected, 2e-7 * expected + 1.5e-45) << x;
  }
}

TEST(SoftmaxRow, OneKeyGetsEverything) {
  for (const float score : {0.0F, -3e38F, 3e38F, 1e-42F}) {
    EXPECT_EQ(softmax({score}), std::vector<float>{1.0F});
  }
}

TEST(SoftmaxRow, EqualScoresShareEqually) {
  for (std::size_t n = 1; n < 20; ++n) {
    for (const float weight : softmax(std::vector<float>(n, 12.5F))) {
      EXPECT_EQ(weight, static_cast<float>(1.0 / static_cast<double>(n)));
    }
  }
}

TEST(SoftmaxRow, HiddenCellsAreExactZerosEvenBesideNaN) {
  const std::vector<float> weights =
      softmax({1.0F, kNaN, 2.0F, 5.0F, 1.0F},
              {kVisible, kVisible, kHiddenByHand, kHiddenByCausal, kVisible});
  EXPECT_TRUE(same_bits(weights, {kNaN, kNaN, 0.0F, 0.0F, kNaN}));
  EXPECT_EQ(softmax({1.0F, kNaN}, {kHiddenByHand, kHiddenByHand}),
            (std::vector<float>{0.0F, 0.0F}));
}

TEST(SoftmaxRow, VisibleInfinitiesGiveNaNAsIeeeSays) {
  EXPECT_TRUE(same_bits(softmax({kInfinity, 0.0F}), {kNaN, kNaN}));
  EXPECT_TRUE(same_bits(softmax({-kInfinity, -kInfinity}), {kNaN, kNaN}));
  EXPECT_TRUE(same_bits(softmax({-kInfinity, 0.0F}), {0.0F, 1.0F}));
}

TEST(SoftcapRow, IsBoundedAndOdd) {
  const std::vector<float> in{0.0F, 1.0F, -1.0F, 1e30F, -kInfinity, kNaN};
  std::vector<float> out(in.size());
  softcap_row(in, 5.0F, out);
  EXPECT_FLOAT_EQ(out[1], static_cast<float>(5.0 * std::tanh(0.2)));
  EXPECT_EQ(out[2], -out[1]);
  EXPECT_EQ(out[0], 0.0F);
  EXPECT_EQ(out[3], 5.0F);
  EXPECT_EQ(out[4], -5.0F);
  EXPECT_TRUE(std::isnan(out[5]));
}

TEST(CellSummary, CountsAndBoundsWhatIsFinite) {
  for (std::size_t n = 1; n < 12; ++n) {
    std::vector<float> cells(n, 2.0F);
    cells.back() = -1.0F;
    CellSummary summary = summary_of(cells);
    EXPECT_EQ(summary.low, -1.0F);
    EXPECT_EQ(summary.high, n > 1 ? 2.0F : -1.0F);
    EXPECT_EQ(summary.non_finite, 0U);
    for (const float bad : {kNaN, kInfinity, -kInfinity}) {
      cells.back() = bad;
      summary = summary_of(cells);
      EXPECT_EQ(summary.non_finite, 1U);
      EXPECT_EQ(summary.low, n > 1 ? 2.0F : kInfinity);
    }
  }
}

TEST(CellSummary, BoundsVisibleCellsAndCountsAll) {
  const std::vector<float> cells{9.0F, 1.0F, kNaN, 3.0F, -9.0F, kInfinity};
  const std::vector<HiddenRules> rules{kHiddenByHand, kVisible,      kHiddenByHand,
                                       kVisible,      kHiddenByHand, kVisible};
  const CellSummary summary = summary_of_visible(cells, rules);
  EXPECT_EQ(summary.low, 1.0F);
  EXPECT_EQ(summary.high, 3.0F);
  EXPECT_EQ(summary.non_finite, 2U);
}

}  // namespace
}  // namespace attn::test
