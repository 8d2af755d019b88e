// The small parts of a block against PyTorch, and what no reference holds.
#include "engine/kernels/block_rows.h"

#include <gtest/gtest.h>

#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "base/special_numbers.h"
#include "engine/compute.h"
#include "engine/kernels/panel_store.h"
#include "problems.h"
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

// --- packed weights that computations share: which are kept, and that results have the same bits

Tensor matrix_of(std::size_t rows, std::size_t cols, std::uint64_t seed) {
  Random random(seed);
  std::vector<float> values(rows * cols);
  for (float& value : values) value = random.normal();
  return {{rows, cols}, std::move(values)};
}

// Bytes of a packed matrix of 8 rows of 16 columns.
std::uint64_t matrix_bytes() {
  PackedPanels panels;
  pack_map(matrix_of(8, 16, 0), panels);
  return panels.bytes();
}

TEST(PanelStore, PacksAMatrixOnce) {
  PanelStore store(2 * matrix_bytes());
  const Tensor w = matrix_of(8, 16, 1);
  const auto first = store.panels_of(w);
  EXPECT_EQ(store.panels_of(w), first);
  EXPECT_EQ(store.panels_of(w.reshaped({8, 16})), first);
  EXPECT_EQ(store.bytes(), matrix_bytes());
  for (std::size_t r = 0; r < 8; ++r) {
    for (std::size_t c = 0; c < 16; ++c) EXPECT_EQ(*first->at(r, c), w[r * 16 + c]);
  }
}

TEST(PanelStore, KeepsApartMatricesThatBeginAtOneAddress) {
  PanelStore store(4 * matrix_bytes());
  const Tensor w = matrix_of(16, 16, 1);
  EXPECT_NE(store.panels_of(w), store.panels_of(w.reshaped({8, 32})));
  const Tensor beginning({8, 16}, w.data(), std::make_shared<Tensor>(w));
  EXPECT_EQ(store.panels_of(beginning)->depth(), 8U);
}

TEST(PanelStore, MakesRoomOfWhatTwoPassesDidNotUse) {
  PanelStore store(2 * matrix_bytes());
  const Tensor a = matrix_of(8, 16, 1), b = matrix_of(8, 16, 2), c = matrix_of(8, 16, 3);
  store.begin_pass();
  const auto of_a = store.panels_of(a);
  const auto of_b = store.panels_of(b);
  EXPECT_NE(store.panels_of(c), store.panels_of(c));  // there is no room, and it is not kept
  store.begin_pass();
  EXPECT_EQ(store.panels_of(a), of_a);
  store.begin_pass();
  const auto of_c = store.panels_of(c);  // in place of b
  EXPECT_EQ(store.panels_of(c), of_c);
  EXPECT_EQ(store.panels_of(a), of_a);
  EXPECT_NE(store.panels_of(b), of_b);
  EXPECT_EQ(store.bytes(), 2 * matrix_bytes());
}

TEST(PanelStore, KeepsNothingInNoMemory) {
  PanelStore store(0);
  const Tensor w = matrix_of(8, 16, 1);
  EXPECT_NE(store.panels_of(w), nullptr);
  EXPECT_EQ(store.bytes(), 0U);
}

// A stack whose sums are taken in float.
AttentionProblem long_stack(std::uint64_t seed) {
  Random random(seed);
  AttentionProblem problem = stack_problem(seed);
  const std::size_t n = 700;
  problem.shape.n_q = problem.shape.n_k = n;
  problem.query_embeddings = problem.key_embeddings = problem.value_embeddings =
      random_tensor({problem.shape.samples, n, problem.shape.d_model}, random);
  problem.mask = {};
  problem.layer_masks.clear();
  return problem;
}

void expect_same_layers(const ResultPtr& a, const ResultPtr& b) {
  for (const HeadAddress& head : heads_of(a->shape(), kLastAttention)) {
    for (const Stage stage : {Stage::Weights, Stage::FeedForward, Stage::Projected}) {
      if (!a->has(stage)) continue;
      EXPECT_TRUE(same_bits(cells(*a, stage, head), cells(*b, stage, head)));
    }
  }
}

TEST(PanelStore, LeavesTheBitsOfResultsUnderGatesAndEdits) {
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(mix(seed, 5));
    AttentionProblem problem = long_stack(seed), plain = problem;
    // Not all matrices fit for some seeds.
    problem.panels = std::make_shared<PanelStore>(seed % 2 == 0 ? 1U << 22U : 1U << 12U);
    ComputeOptions options;
    options.before = compute(problem).value();
    for (int step = 0; step < 6; ++step) {
      const std::size_t layer = uniform(random, 0, problem.shape.layers - 1);
      if (step % 3 == 2) {
        Tensor& w = problem.stack.blocks[layer].projections.w_o;
        w = w.with(uniform(random, 0, w.size() - 1), random.normal());
      } else {
        set_gate(problem.what_if, {layer, 0, 0}, random.uniform());
      }
      plain.stack = problem.stack;
      plain.what_if = problem.what_if;
      options.threads = step % 2 == 0 ? 1 : 8;
      options.before = compute(problem, options).value();
      EXPECT_GT(problem.panels->bytes(), 0U);
      expect_same_layers(options.before, compute(plain).value());
    }
  }
}

TEST(PanelStore, IsThatOfTheResultBefore) {
  AttentionProblem problem = stack_problem(1);
  ComputeOptions options;
  const auto first = shared_panels(problem, options);
  EXPECT_NE(shared_panels(problem, options), first);
  problem.panels = first;
  options.before = compute(problem).value();
  EXPECT_EQ(shared_panels(problem, options), first);
  EXPECT_LE(shared_panel_bytes(problem), std::uint64_t{512} << 20U);
}

}  // namespace
}  // namespace attn::test
