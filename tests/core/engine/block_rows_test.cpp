// The small parts of a block against PyTorch, and what no reference holds.
#include "engine/kernels/block_rows.h"

#include <gtest/gtest.h>

#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "base/special_numbers.h"
#include "reference_case.h"
#include "support/shared_data.h"

namespace attn::test {
namespace {

bool agrees(double got, double torch, double exact) {
  if (std::isnan(torch)) return std::isnan(got);
  if (std::isinf(torch)) return got == torch;
  return std::abs(got - torch) <= 2e-6 + 2e-6 * std::abs(torch) ||
         std::abs(got - exact) <= std::abs(torch - exact);
}

Tensor floats(const CaseTensor& tensor) {
  std::vector<float> values;
  for (const double value : tensor.values) values.push_back(static_cast<float>(value));
  return Tensor(tensor.shape, std::move(values));
}

void expect_output(const std::vector<float>& got, const ReferenceCase& reference,
                   const std::string& name) {
  const CaseTensor& torch = reference.outputs.at(name);
  ASSERT_EQ(got.size(), torch.values.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    EXPECT_TRUE(agrees(static_cast<double>(got[i]), torch.values[i],
                       reference.outputs_f64.at(name).values[i]))
        << reference.name << " " << name << " " << i << ": " << got[i] << ", PyTorch "
        << torch.values[i];
  }
}

std::vector<float> normed(const Tensor& x, NormKind kind, float eps, const Norm& norm) {
  std::vector<float> out(x.size());
  const MatrixView rows = matrix_at(x, 0);
  norm_rows(rows, {kind, eps}, norm, {out.data(), rows.rows, rows.cols, rows.cols});
  return out;
}

class NormCases : public testing::TestWithParam<std::string> {};

TEST_P(NormCases, AgreeWithPyTorch) {
  const ReferenceCase reference = read_reference_case(reference_case_path(GetParam()));
  const Tensor x = floats(reference.inputs.at("x"));
  const auto eps = static_cast<float>(reference.numbers.at("eps"));
  const NormKind kind = reference.op == "rmsnorm" ? NormKind::Rms : NormKind::Layer;
  Norm norm{floats(reference.inputs.at("weight")), {}};
  if (reference.inputs.contains("bias")) norm.bias = floats(reference.inputs.at("bias"));
  expect_output(normed(x, kind, eps, norm), reference, "y");
  if (reference.outputs.contains("y_plain")) {
    expect_output(normed(x, kind, eps, {}), reference, "y_plain");
  }
}

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(NormCases);
INSTANTIATE_TEST_SUITE_P(PyTorch, NormCases,
                         testing::ValuesIn(reference_case_names({"layernorm", "rmsnorm"})));

TEST(Activations, AgreeWithPyTorch) {
  ATTNSCOPE_SKIP_WITHOUT(shared_file("reference/torch"));
  const std::pair<const char*, Activation> cases[] = {{"gelu_erf", Activation::Gelu},
                                                      {"gelu_tanh", Activation::GeluTanh}};
  for (const auto& [name, activation] : cases) {
    const ReferenceCase reference = read_reference_case(reference_case_path(name));
    const Tensor x = floats(reference.inputs.at("x"));
    std::vector<float> out(x.size());
    activate_rows(activation, {x.data(), 1, x.size(), x.size()}, {},
                  {out.data(), 1, x.size(), x.size()}, Sums::Double);
    expect_output(out, reference, "y");
  }
}

// Numbers on both sides of 0, from the smallest to the largest.
std::vector<float> many_numbers() {
  std::vector<float> numbers = {0.0F, -0.0F, kNaN, kInfinity, -kInfinity, 1e-30F, -1e-30F, 3e38F};
  for (int i = -1200; i <= 1200; ++i) numbers.push_back(0.01F * static_cast<float>(i));
  return numbers;
}

std::vector<float> activated_row(Activation activation, std::span<const float> x, Sums sums) {
  std::vector<float> out(x.size());
  const std::vector<float> factors(x.size(), 0.5F);
  const MatrixView rows{x.data(), 1, x.size(), x.size()},
      factor{factors.data(), 1, x.size(), x.size()};
  const bool gated = activation_info(activation).gated;
  activate_rows(activation, gated ? factor : rows, gated ? rows : MatrixView{},
                {out.data(), 1, x.size(), x.size()}, sums);
  return out;
}

TEST(Activations, InFloatKeepTheirDigits) {
  const std::vector<float> x = many_numbers();
  for (const ActivationInfo& info : all_activations()) {
    const std::vector<float> fast = activated_row(info.activation, x, Sums::Float),
                             plain = activated_row(info.activation, x, Sums::Double);
    for (std::size_t i = 0; i < x.size(); ++i) {
      SCOPED_TRACE(std::string(info.name) + " of " + std::to_string(x[i]));
      if (std::isnan(plain[i])) {
        EXPECT_TRUE(std::isnan(fast[i]));
      } else if (std::isinf(plain[i])) {
        EXPECT_EQ(fast[i], plain[i]);
      } else {
        // e^z has an error of |z| units where z is rounded; |z| < 104 where e^z is not 0.
        EXPECT_NEAR(fast[i], plain[i], 1e-5 * std::abs(static_cast<double>(plain[i])) + 1e-37);
      }
    }
  }
}

TEST(Activations, FollowTheirFormulas) {
  EXPECT_EQ(activated(Activation::Relu, -2.0, 0.0), 0.0);
  EXPECT_EQ(activated(Activation::Relu, 3.0, 0.0), 3.0);
  EXPECT_TRUE(std::isnan(activated(Activation::Relu, std::nan(""), 0.0)));
  EXPECT_NEAR(activated(Activation::SwiGlu, 2.0, 1.0), 2.0 / (1.0 + std::exp(-1.0)), 1e-15);
  EXPECT_NEAR(activated(Activation::Gelu, -6.0, 0.0), -5.9195e-9, 1e-12);
  // Tables of the normal distribution, and what PyTorch gives.
  EXPECT_NEAR(activated(Activation::Gelu, 1.0, 0.0), 0.8413447461, 1e-10);
  EXPECT_NEAR(activated(Activation::Gelu, -2.0, 0.0), -2.0 * 0.0227501319, 1e-10);
  EXPECT_NEAR(activated(Activation::GeluTanh, 1.0, 0.0), 0.8411920, 1e-7);
  EXPECT_NEAR(activated(Activation::GeluTanh, -2.0, 0.0), -0.0454023, 1e-7);
  EXPECT_NEAR(activated(Activation::GeGlu, 3.0, 1.0), 3.0 * 0.8413447461, 1e-9);
  EXPECT_NEAR(activated(Activation::GeGluTanh, 3.0, 1.0), 3.0 * 0.8411920, 1e-6);
  EXPECT_NEAR(activated(Activation::Silu, 1.0, 0.0), 0.7310585786, 1e-10);
  EXPECT_NEAR(activated(Activation::QuickGelu, 1.0, 0.0), 0.8457957660, 1e-9);
  EXPECT_EQ(activated(Activation::Relu2, -3.0, 0.0), 0.0);
  EXPECT_EQ(activated(Activation::Relu2, 3.0, 0.0), 9.0);
}

TEST(FeedForward, AgreesWithPyTorch) {
  ATTNSCOPE_SKIP_WITHOUT(shared_file("reference/torch"));
  const ReferenceCase reference = read_reference_case(reference_case_path("ffn_relu"));
  const Tensor x = floats(reference.inputs.at("x"));
  const auto turned = [&](const char* name) {
    const CaseTensor& w = reference.inputs.at(name);
    std::vector<float> values(w.values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i % w.shape[1] * w.shape[0] + i / w.shape[1]] = static_cast<float>(w.values[i]);
    }
    return Tensor({w.shape[1], w.shape[0]}, std::move(values));
  };
  const Tensor w_1 = turned("W1");
  const Tensor w_2 = turned("W2");
  std::vector<float> hidden(x.extent(0) * w_1.extent(1));
  const MutableMatrix units{hidden.data(), x.extent(0), w_1.extent(1), w_1.extent(1)};
  const MatrixView view{hidden.data(), units.rows, units.cols, units.cols};
  map_rows(matrix_at(x, 0), w_1, floats(reference.inputs.at("b1")), units);
  activate_rows(Activation::Relu, view, {}, units, Sums::Double);
  std::vector<float> out(x.size());
  map_rows(view, w_2, floats(reference.inputs.at("b2")),
           {out.data(), x.extent(0), x.extent(1), x.extent(1)});
  expect_output(out, reference, "y");
}

}  // namespace
}  // namespace attn::test
