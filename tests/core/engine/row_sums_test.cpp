// Exponentials, sums and summaries of rows: accuracy, tails, equal bits with all instruction sets.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "base/random.h"
#include "base/special_numbers.h"
#include "engine/kernels/packed_product.h"
#include "engine/kernels/row_kernels.h"
#include "every_instruction_set.h"
#include "problems.h"

namespace attn::test {
namespace {

class RowSums : public EveryInstructionSet {};
INSTANTIATE_TEST_SUITE_P(Kernels, RowSums, testing::ValuesIn(instruction_sets()), name_of_set);

double ulp_of(double value) {
  const auto rounded = static_cast<float>(value);
  return static_cast<double>(std::nextafter(rounded, kInfinity)) - static_cast<double>(rounded);
}

// Exponentials are monotonic, which pooling relies on: at borders between powers of two and
// elsewhere.
TEST_P(RowSums, ExponentialsNeverFall) {
  Random random(3);
  std::vector<float> in(4096), out(in.size());
  for (int times = 0; times < 300; ++times) {
    const double border = -0.69314718056 * (times / 2 + 0.5);
    float x = times % 2 == 0 ? static_cast<float>(border) : -104.0F * random.uniform();
    for (std::size_t i = 0; i < in.size() / 2; ++i) x = std::nextafter(x, -kInfinity);
    for (float& cell : in) cell = x = std::nextafter(x, 0.0F);
    exponentials(in, 0.0F, out);
    ASSERT_TRUE(std::ranges::is_sorted(out)) << in.front();
  }
}

TEST_P(RowSums, ExponentialsAreRightWithinTwoUnits) {
  std::vector<float> x;
  for (float value = 0.0F; value > -105.0F; value -= 0.0007F) x.push_back(value);
  for (float value = -1e-9F; value > -1.0F; value *= 1.5F) x.push_back(value);
  std::vector<float> e(x.size());
  exponentials(x, 0.0F, e);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double expected = std::exp(static_cast<double>(x[i]));
    ASSERT_NEAR(e[i], expected, 2.0 * ulp_of(expected)) << x[i];
  }
}

TEST_P(RowSums, ExponentialsAreExactAtTheirEnds) {
  std::vector<float> e{0.0F, -0.0F, -104.5F, -200.0F, -1e30F, -kInfinity, kNaN};
  exponentials(e, 0.0F, e);
  EXPECT_EQ(e[0], 1.0F);
  EXPECT_EQ(e[1], 1.0F);
  for (std::size_t i = 2; i < 6; ++i) EXPECT_EQ(e[i], 0.0F) << i;
  EXPECT_TRUE(std::isnan(e[6]));
}

TEST_P(RowSums, CappingIsRightWithinThreeUnits) {
  std::vector<float> x;
  for (float value = -12.0F; value < 12.0F; value += 0.0003F) x.push_back(value);
  for (float value = 1e-38F; value < 1.0F; value *= 1.7F) x.push_back(value);
  std::vector<float> out(x.size());
  softcap_row(x, 1.0F, out);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double expected = std::tanh(static_cast<double>(x[i]));
    ASSERT_NEAR(out[i], expected, 3.0 * ulp_of(std::abs(expected))) << x[i];
  }
}

constexpr std::size_t kLengths[] = {1,  2,   15,  16,  17,  31,   63,   64,
                                    65, 511, 512, 513, 700, 1024, 8191, 8192};

std::vector<float> logits(std::size_t size, std::uint64_t seed) {
  Random random(seed);
  std::vector<float> values(size);
  for (float& value : values) {
    value = 4.0F * random.normal();
    if (uniform(random, 0, 9) == 0) value = -kInfinity;
  }
  return values;
}

// Sixteen lanes in float, halves added to halves, blocks of 512 in double.
double sum_by_definition(const std::vector<float>& e) {
  double total = 0.0;
  for (std::size_t begin = 0; begin < e.size(); begin += 512) {
    std::vector<float> lanes(16);
    for (std::size_t i = begin; i < std::min(e.size(), begin + 512); ++i) lanes[i % 16] += e[i];
    for (std::size_t half = 8; half > 0; half /= 2) {
      for (std::size_t i = 0; i < half; ++i) lanes[i] += lanes[i + half];
    }
    total += static_cast<double>(lanes[0]);
  }
  return total;
}

TEST_P(RowSums, SumsAreTheirDefinitionForEveryLength) {
  for (const std::size_t size : kLengths) {
    const std::vector<float> in = logits(size, size);
    std::vector<float> e = in;
    const RowPart part{e.data(), e.size()};
    RowSum written;
    chunk_exponentials({&part, 1}, {&written, 1});
    EXPECT_EQ(written.total, sum_by_definition(e)) << size;
    const RowSum read = chunk_sum(in);
    EXPECT_EQ(read.total, written.total);
    EXPECT_EQ(read.shift, written.shift);
    EXPECT_EQ(read.shift, *std::ranges::max_element(in));
  }
}

TEST_P(RowSums, HiddenEndsMayBeLeftOut) {
  std::vector<float> in = logits(2000, 1);
  std::fill_n(in.begin(), 725, -kInfinity);
  std::fill(in.begin() + 1301, in.end(), -kInfinity);
  const RowSum whole = chunk_sum(in);
  const RowSum part = chunk_sum(std::span(in).subspan(720, 1301 - 720), 720);
  EXPECT_EQ(whole.total, part.total);
  EXPECT_EQ(whole.shift, part.shift);
}

TEST_P(RowSums, WeightsOfPartsAreThoseOfTheRow) {
  for (const std::size_t size : {17U, 8193U, 20'000U}) {
    for (const float sink : {kNaN, 1.5F, 30.0F}) {
      const std::vector<float> in = logits(size, size);
      const std::vector<HiddenRules> rules(size);
      std::vector<float> whole(size);
      softmax_row(in, rules, whole, sink);
      std::vector<RowSum> chunks;
      for (std::size_t at = 0; at < size; at += kChunkKeys) {
        chunks.push_back(chunk_sum(std::span(in).subspan(at, std::min(kChunkKeys, size - at))));
      }
      const RowSum sum = row_sum(chunks, sink);
      std::vector<float> parts(size);
      for (std::size_t at = 0; at < size; at += 777) {
        const std::size_t count = std::min<std::size_t>(777, size - at);
        row_weights(std::span(in).subspan(at, count), sum, std::span(parts).subspan(at, count));
      }
      EXPECT_TRUE(same_bits(whole, parts)) << size << " " << sink;
    }
  }
}

TEST_P(RowSums, WeightsAgreeWithDouble) {
  for (const std::size_t size : {1U, 16U, 17U, 512U, 8191U, 8192U, 8193U, 30'000U}) {
    const std::vector<float> in = logits(size, size + 1);
    std::vector<float> weights(size);
    softmax_row(in, std::vector<HiddenRules>(size), weights);
    const double largest = static_cast<double>(*std::ranges::max_element(in));
    double total = 0.0;
    for (const float x : in) total += std::exp(static_cast<double>(x) - largest);
    for (std::size_t i = 0; i < size && largest > -1e30; ++i) {
      // The distance to the largest is rounded before e^x.
      const double expected = std::exp(static_cast<double>(in[i]) - largest) / total;
      ASSERT_NEAR(weights[i], expected, 4e-6 * expected);
    }
  }
}

TEST_P(RowSums, ExtremesAreWhatIeeeSays) {
  const auto is_undefined = [](std::vector<float> in) { return chunk_sum(in).is_undefined(); };
  EXPECT_TRUE(is_undefined({1.0F, kNaN}));
  EXPECT_TRUE(is_undefined({-kInfinity, kNaN}));
  EXPECT_TRUE(is_undefined({1.0F, kInfinity}));
  EXPECT_TRUE(is_undefined({-kInfinity, -kInfinity}));
  EXPECT_FALSE(is_undefined({-kInfinity, 1e30F, -1e30F}));
  const std::vector<RowSum> chunks{chunk_sum(std::vector<float>{-kInfinity, kNaN}),
                                   chunk_sum(std::vector<float>{1.0F})};
  EXPECT_TRUE(row_sum(chunks).is_undefined());
}

// Results of all row kernels for one row, concatenated.
std::vector<float> all_results(std::size_t size) {
  Random random(size);
  std::vector<float> bias(size);
  std::vector<HiddenRules> rules(size);
  for (std::size_t k = 0; k < size; ++k) {
    bias[k] = random.normal();
    rules[k] = uniform(random, 0, 4) == 0 ? kHiddenByHand : kVisible;
  }
  std::vector<float> all;
  std::vector<float> row = logits(size, size);
  const auto keep = [&] { all.insert(all.end(), row.begin(), row.end()); };
  const auto keep_summary = [&](const CellSummary& found) {
    all.insert(all.end(), {found.low, found.high, static_cast<float>(found.non_finite)});
  };
  scale_row(row, 0.7F, row), keep();
  softcap_row(row, 5.0F, row), keep();
  mask_row(row, bias, rules, row), keep();
  divide_row(row, 1.3F, row), keep();
  keep_summary(summary_of(row));
  keep_summary(summary_of_visible(row, rules));
  softmax_row(row, rules, row), keep();
  return all;
}

TEST_P(RowSums, HaveTheSameBitsAsOtherSetsWithFusedMultiplyAdd) {
  const std::string other = set_to_compare_with();
  if (other.empty()) GTEST_SKIP() << "this processor has no fused multiply-add";
  for (const std::size_t size : kLengths) {
    const std::vector<float> got = all_results(size);
    use_instruction_set(other);
    const std::vector<float> expected = all_results(size);
    use_instruction_set(GetParam());
    if (has_fused_multiply_add(GetParam())) {
      EXPECT_TRUE(same_bits(got, expected)) << size;
      continue;
    }
    for (std::size_t i = 0; i < got.size(); ++i) {
      ASSERT_TRUE(got[i] == expected[i] || std::abs(got[i] - expected[i]) < 4e-6F) << size;
    }
  }
}

TEST(FloatBuffer, IsAlignedAndKeepsItsMemory) {
  FloatBuffer buffer(3);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer.data()) % 64, 0U);
  buffer.resize(2'000'000);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer.data()) % (std::size_t{2} << 20), 0U);
  const float* before = buffer.data();
  buffer.resize(5);
  EXPECT_EQ(buffer.data(), before);
  EXPECT_EQ(buffer.size(), 5U);
}

}  // namespace
}  // namespace attn::test
