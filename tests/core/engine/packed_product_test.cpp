// Products in float by their definition, cell by cell, for every instruction set and split.
#include "engine/kernels/packed_product.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "base/random.h"
#include "base/special_numbers.h"
#include "engine/kernels/matmul.h"
#include "every_instruction_set.h"
#include "problems.h"

namespace attn::test {
namespace {

class PackedProduct : public EveryInstructionSet {
 protected:
  // A cell by definition, from its row and its column.
  float cell(const MatrixView& rows, const MatrixView& right, std::size_t r, std::size_t c) const {
    const bool is_fused = has_fused_multiply_add(GetParam());
    float total = 0.0F;
    for (std::size_t begin = 0; begin < rows.cols; begin += kSumBlock) {
      float sum = 0.0F;
      for (std::size_t p = begin; p < std::min(rows.cols, begin + kSumBlock); ++p) {
        const float product = rows.at(r, p) * right.at(p, c);
        sum = is_fused ? std::fma(rows.at(r, p), right.at(p, c), sum) : product + sum;
      }
      total += sum;
    }
    return total;
  }
};
INSTANTIATE_TEST_SUITE_P(Kernels, PackedProduct, testing::ValuesIn(instruction_sets()),
                         name_of_set);

MatrixView view(const std::vector<float>& values, std::size_t rows, std::size_t cols) {
  return {values.data(), rows, cols, cols};
}

std::vector<float> normal_values(std::size_t count, Random& random) {
  std::vector<float> values(count);
  for (float& value : values) value = random.normal();
  return values;
}

// Occasional numbers that overflow or underflow.
std::vector<float> extreme_values(std::size_t count, Random& random) {
  constexpr float kExtremes[] = {1e30F, -1e30F, 1e-30F,    -1e-38F,   0.0F,
                                 -0.0F, kNaN,   kInfinity, -kInfinity};
  std::vector<float> values = normal_values(count, random);
  for (float& value : values) {
    if (uniform(random, 0, 19) == 0)
      value = kExtremes[uniform(random, 0, std::size(kExtremes) - 1)];
  }
  return values;
}

std::vector<float> transposed(const std::vector<float>& matrix, std::size_t rows) {
  const std::size_t cols = matrix.size() / rows;
  std::vector<float> out;
  for (std::size_t c = 0; c < cols; ++c) {
    for (std::size_t r = 0; r < rows; ++r) out.push_back(matrix[r * cols + c]);
  }
  return out;
}

struct Sizes {
  std::size_t rows, depth, cols;
};

// Sizes at all edges: of tiles, registers, panels and blocks of sums.
std::vector<Sizes> all_sizes() {
  std::vector<Sizes> sizes;
  for (const std::size_t rows : {1U, 2U, 3U, 4U, 5U, 6U, 7U, 13U, 24U}) {
    for (const std::size_t cols : {1U, 4U, 15U, 16U, 17U, 33U, 63U, 64U, 65U, 130U}) {
      for (const std::size_t depth : {1U, 5U, 64U}) sizes.push_back({rows, depth, cols});
    }
  }
  for (const std::size_t depth : {255U, 256U, 257U, 600U, 8193U}) sizes.push_back({7, depth, 21});
  return sizes;
}

TEST_P(PackedProduct, IsItsDefinitionForEveryShape) {
  for (const Sizes& size : all_sizes()) {
    SCOPED_TRACE(shape_text({size.rows, size.depth, size.cols}));
    Random random(size.rows * 1000 + size.depth * 10 + size.cols);
    const bool is_extreme = size.rows % 2 == 0;
    const auto values = is_extreme ? extreme_values : normal_values;
    const std::vector<float> a = values(size.rows * size.depth, random);
    const std::vector<float> b = values(size.depth * size.cols, random);
    const std::vector<float> b_transposed = transposed(b, size.depth);
    PackedPanels by_columns;
    PackedPanels by_rows;
    by_columns.pack_columns(view(b, size.depth, size.cols));
    by_rows.pack_rows(view(b_transposed, size.cols, size.depth));
    const std::size_t stride = size.cols + 3;
    std::vector<float> out(size.rows * stride, 7.0F);
    std::vector<float> out_by_rows = out;
    const MatrixView rows = view(a, size.rows, size.depth);
    multiply_packed(rows, by_columns, 0, {out.data(), size.rows, size.cols, stride});
    multiply_packed(rows, by_rows, 0, {out_by_rows.data(), size.rows, size.cols, stride});
    for (std::size_t r = 0; r < size.rows; ++r) {
      for (std::size_t c = 0; c < stride; ++c) {
        const float expected =
            c < size.cols ? cell(rows, view(b, size.depth, size.cols), r, c) : 7.0F;
        const float got = out[r * stride + c];
        ASSERT_TRUE(std::isnan(expected) ? std::isnan(got) : got == expected) << got << expected;
        ASSERT_TRUE(std::isnan(got) || out_by_rows[r * stride + c] == got);
      }
    }
  }
}

// Error bound: half a unit in the last place per addition, of the sum of absolute values.
TEST_P(PackedProduct, IsNearTheSumInDouble) {
  constexpr std::size_t kDepth = 3000;
  Random random(5);
  const std::vector<float> a = normal_values(6 * kDepth, random);
  const std::vector<float> b = normal_values(kDepth * 20, random);
  PackedPanels packed;
  packed.pack_columns(view(b, kDepth, 20));
  std::vector<float> out(6 * 20U);
  multiply_packed(view(a, 6, kDepth), packed, 0, {out.data(), 6, 20, 20});
  for (std::size_t i = 0; i < out.size(); ++i) {
    double sum = 0.0;
    double size = 0.0;
    for (std::size_t p = 0; p < kDepth; ++p) {
      const double product =
          static_cast<double>(a[i / 20 * kDepth + p]) * static_cast<double>(b[p * 20 + i % 20]);
      sum += product;
      size += std::abs(product);
    }
    const double sums = kSumBlock + kDepth / kSumBlock + 2.0;
    EXPECT_NEAR(out[i], sum, size * sums * 6e-8 * 0.1);
  }
}

// Sums of many equal parts must not drift, as in a single chain of additions.
TEST_P(PackedProduct, AddsAHundredThousandEqualPartsWell) {
  constexpr std::size_t kDepth = 131'072;
  const std::vector<float> a(kDepth, 1.0F / 131'071.0F);
  const std::vector<float> b(kDepth, 1.0F);
  PackedPanels packed;
  packed.pack_columns(view(b, kDepth, 1));
  float out = 0.0F;
  multiply_packed(view(a, 1, kDepth), packed, 0, {&out, 1, 1, 1});
  EXPECT_NEAR(out, 131'072.0 / 131'071.0, 2e-5);
}

TEST_P(PackedProduct, HasTheSameBitsForEveryCut) {
  Random random(3);
  const std::vector<float> a = normal_values(25 * 700, random);
  const std::vector<float> b = normal_values(700 * 150, random);
  PackedPanels packed;
  packed.pack_columns(view(b, 700, 150));
  std::vector<float> whole(25 * 150U);
  multiply_packed(view(a, 25, 700), packed, 0, {whole.data(), 25, 150, 150}, 0.3F);
  for (int i = 0; i < 50; ++i) {
    const std::size_t row = uniform(random, 0, 24);
    const std::size_t rows = uniform(random, 1, 25 - row);
    const std::size_t col = uniform(random, 0, 149);
    const std::size_t cols = uniform(random, 1, 150 - col);
    std::vector<float> part(rows * cols);
    multiply_packed({a.data() + row * 700, rows, 700, 700}, packed, col,
                    {part.data(), rows, cols, cols}, 0.3F);
    for (std::size_t k = 0; k < part.size(); ++k) {
      ASSERT_EQ(part[k], whole[(row + k / cols) * 150 + col + k % cols]);
    }
  }
}

TEST_P(PackedProduct, ContinuesSumsAndSkipsZeros) {
  Random random(4);
  std::vector<float> a = normal_values(7 * 2000, random);
  const std::vector<float> b = normal_values(2000 * 40, random);
  for (std::size_t r = 0; r < 7; ++r) {
    for (std::size_t k = 0; k < 2000; ++k) {
      if (k < 300 || (k >= 512 && k < 1024) || k >= 1500) a[r * 2000 + k] = 0.0F;
    }
  }
  PackedPanels packed;
  packed.pack_columns(view(b, 2000, 40));
  std::vector<float> whole(7 * 40U);
  std::vector<float> parts(7 * 40U);
  multiply_packed(view(a, 7, 2000), packed, 0, {whole.data(), 7, 40, 40});
  for (const auto& [begin, end] : {std::pair{300U, 512U}, {1024U, 1280U}, {1280U, 1500U}}) {
    add_packed({a.data() + begin, 7, end - begin, 2000}, packed, begin, {parts.data(), 7, 40, 40});
  }
  EXPECT_TRUE(same_bits(whole, parts));
}

TEST_P(PackedProduct, TakesVisibleRowsAlone) {
  Random random(6);
  std::vector<float> b = normal_values(600 * 37, random);
  std::vector<float> weights = normal_values(600, random);
  std::vector<HiddenRules> rules(600);
  for (std::size_t k = 0; k < 600; k += 3) {
    rules[k] = kHiddenByHand;
    weights[k] = 0.0F;
  }
  PackedPanels packed;
  packed.pack_columns(view(b, 600, 37));
  std::vector<float> all(37);
  std::vector<float> visible(37);
  multiply_packed(view(weights, 1, 600), packed, 0, {all.data(), 1, 37, 37});
  for (std::size_t k = 0; k < 600; k += 3) b[k * 37 + k % 37] = kNaN;
  packed.pack_columns(view(b, 600, 37));
  multiply_visible_packed(weights, rules, packed, visible.data());
  EXPECT_TRUE(same_bits(all, visible));
}

TEST(PackedPanels, TakeEditsOfColumns) {
  Random random(7);
  std::vector<float> b = normal_values(20 * 90, random);
  PackedPanels edited;
  edited.pack_columns(view(b, 20, 90));
  for (std::size_t r = 0; r < 20; ++r) b[r * 90 + 70] = random.normal();
  edited.set_column(70, transposed(b, 20).data() + 70 * 20);
  for (std::size_t r = 0; r < 20; ++r) {
    for (std::size_t c = 0; c < 90; ++c) EXPECT_EQ(*edited.at(r, c), b[r * 90 + c]);
  }
}

TEST(Sums, AreInDoubleForSmallProblemsAlone) {
  EXPECT_EQ(sums_for(1), Sums::Double);
  EXPECT_EQ(sums_for(524'288), Sums::Double);
  EXPECT_EQ(sums_for(524'289), Sums::Float);
}

}  // namespace
}  // namespace attn::test
