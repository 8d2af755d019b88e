// Packed weights that computations share: which are kept, and that results have the same bits.
#include "engine/kernels/panel_store.h"

#include <gtest/gtest.h>

#include "engine/compute.h"
#include "engine/kernels/block_rows.h"
#include "problems.h"

namespace attn::test {
namespace {

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
    // Of some seeds not all matrices fit.
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
