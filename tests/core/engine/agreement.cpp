// Comparison with PyTorch within the error of sums.
#include "agreement.h"

#include <gtest/gtest.h>

#include <cmath>

namespace attn::test {
namespace {

constexpr double kAgreed = 2e-6;

bool same(double got, double expected) {
  if (std::isnan(expected)) return std::isnan(got);
  if (std::isinf(expected)) return got == expected;
  return std::abs(got - expected) <= kAgreed + kAgreed * std::abs(expected);
}

}  // namespace

bool agrees(double got, double torch, double exact) {
  return same(got, torch) || std::abs(got - exact) <= std::abs(torch - exact);
}

void expect_agreement(const std::vector<double>& got, const ReferenceCase& reference,
                      const std::string& name) {
  const CaseTensor& torch = reference.outputs.at(name);
  const CaseTensor& exact = reference.outputs_f64.at(name);
  ASSERT_EQ(got.size(), torch.values.size()) << name;
  for (std::size_t i = 0; i < got.size(); ++i) {
    EXPECT_TRUE(agrees(got[i], torch.values[i], exact.values[i]))
        << name << " element " << i << ": " << got[i] << ", PyTorch " << torch.values[i]
        << ", in float64 " << exact.values[i];
  }
}

}  // namespace attn::test
