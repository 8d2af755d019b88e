// Allocations of computing, counted in the allocator.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "kinds/blocks/model.h"
#include "problems.h"
#include "support/sanitizers.h"

#ifndef ATTNSCOPE_SANITIZED_ALLOCATOR

namespace {

std::atomic<std::size_t> live_bytes{0};
std::atomic<std::size_t> peak_bytes{0};

constexpr std::size_t kHeader = alignof(std::max_align_t);

}  // namespace

// Each block stores its size in front of it.
void* operator new(std::size_t size) {
  void* block = std::malloc(size + kHeader);
  if (block == nullptr) throw std::bad_alloc();
  *static_cast<std::size_t*>(block) = size;
  const std::size_t live = live_bytes += size;
  std::size_t peak = peak_bytes;
  while (peak < live && !peak_bytes.compare_exchange_weak(peak, live)) {
  }
  return static_cast<char*>(block) + kHeader;
}

void operator delete(void* memory) noexcept {
  if (memory == nullptr) return;
  void* block = static_cast<char*>(memory) - kHeader;
  live_bytes -= *static_cast<std::size_t*>(block);
  std::free(block);
}

void operator delete(void* memory, std::size_t) noexcept { operator delete(memory); }

// Large memory, which packed matrices take, is counted by itself.
static std::atomic<std::size_t> live_large_bytes{0};
static std::atomic<std::size_t> peak_large_bytes{0};

void* operator new(std::size_t size, std::align_val_t alignment) {
  const auto step = static_cast<std::size_t>(alignment);
  void* block = std::aligned_alloc(step, (size + 2 * step - 1) / step * step);
  if (block == nullptr) throw std::bad_alloc();
  *static_cast<std::size_t*>(block) = size;
  const std::size_t live = live_large_bytes += size;
  std::size_t peak = peak_large_bytes;
  while (peak < live && !peak_large_bytes.compare_exchange_weak(peak, live)) {
  }
  return static_cast<char*>(block) + step;
}

void operator delete(void* memory, std::align_val_t alignment) noexcept {
  if (memory == nullptr) return;
  void* block = static_cast<char*>(memory) - static_cast<std::size_t>(alignment);
  live_large_bytes -= *static_cast<std::size_t*>(block);
  std::free(block);
}

namespace attn::test {
namespace {

// Bookkeeping: the result, summaries of matrices, one row's rules and bias; independent of the
// sequences' lengths.
constexpr std::size_t kSlack = 32 * 1024;

void expect_prediction(const AttentionProblem& problem, std::size_t slack = kSlack) {
  const std::size_t before = live_bytes;
  peak_bytes = before;
  const ResultPtr result = computed(problem);
  const std::size_t predicted = predicted_bytes(problem);
  EXPECT_GE(peak_bytes - before, predicted);
  EXPECT_LE(peak_bytes - before, predicted + slack);
  EXPECT_GE(live_bytes - before, predicted);
  EXPECT_LE(live_bytes - before, predicted + slack);
}

TEST(Memory, OfQkvIsAsPredicted) {
  AttentionProblem problem = qkv_problem(2, 4, 130, 90, 16, 1);
  expect_prediction(problem);
  problem.mask.causal = true;
  problem.mask.bias = Tensor({90}, std::vector<float>(90, 0.5F));
  expect_prediction(problem);
  problem.scoring.softcap = 10.0F;
  expect_prediction(problem);
}

TEST(Memory, OfRandomProblemsIsAsPredicted) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) expect_prediction(random_problem(seed));
}

TEST(Memory, OfALayerIsAsPredicted) {
  Random random(1);
  AttentionProblem problem;
  problem.kind = &kLayerProblems;
  problem.shape = {1, 1, 4, 2, 200, 150, 32, 24, 64, 80};
  problem.query_embeddings = random_tensor({1, 200, 64}, random);
  problem.key_embeddings = problem.value_embeddings = random_tensor({1, 150, 64}, random);
  problem.projections.w_q = random_tensor({64, 128}, random);
  problem.projections.w_k = random_tensor({64, 64}, random);
  problem.projections.w_v = random_tensor({64, 48}, random);
  problem.projections.w_o = random_tensor({96, 80}, random);
  expect_prediction(problem);
}

TEST(Memory, OfADecoderIsAsPredicted) {
  // Up to three blocks store a problem and a result for each of their attentions.
  for (std::uint64_t seed = 0; seed < 20; ++seed)
    expect_prediction(decoder_problem(seed), 2 * kSlack);
}

// Blocks with a gated network that is wider than all else.
AttentionProblem wide_stack() {
  constexpr std::size_t kWidth = 256, kHidden = 1024, kRows = 24, kHeads = 64;
  Random random(2);
  AttentionProblem problem = qkv_problem(1, 4, kRows, kRows, 16, 3);
  problem.kind = &kBlockProblems;
  problem.q = problem.k = problem.v = Tensor();
  problem.shape.layers = 3;
  problem.shape.d_model = problem.shape.d_out = kWidth;
  problem.shape.d_ff = kHidden;
  problem.query_embeddings = random_tensor({1, kRows, kWidth}, random);
  problem.key_embeddings = problem.value_embeddings = problem.query_embeddings;
  for (std::size_t layer = 0; layer < problem.shape.layers; ++layer) {
    TransformerBlock& block = problem.stack.blocks.emplace_back();
    Projections& by = block.projections;
    for (Tensor* w : {&by.w_q, &by.w_k, &by.w_v}) *w = random_tensor({kWidth, kHeads}, random);
    by.w_o = random_tensor({kHeads, kWidth}, random);
    FeedForward& network = block.feed_forward;
    network.activation = Activation::SwiGlu;
    network.w_1 = random_tensor({kWidth, kHidden}, random);
    network.w_gate = random_tensor({kWidth, kHidden}, random);
    network.w_2 = random_tensor({kHidden, kWidth}, random);
  }
  return problem;
}

TEST(Memory, OfPackedMatricesIsThatOfTheLargest) {
  AttentionProblem problem = wide_stack();
  for (const bool materialises : {true, false}) {
    if (!materialises) problem.most_materialised_map_bytes = 0;
    peak_large_bytes = live_large_bytes.load();
    const std::size_t before = live_large_bytes;
    const ResultPtr result = computed(problem);
    const std::size_t packed = peak_large_bytes - before, predicted = laid_out_bytes(problem);
    EXPECT_GE(packed, predicted);
    EXPECT_LE(packed, predicted + predicted / 8) << "padding, and the keys and values of heads";
    EXPECT_LT(live_large_bytes - before, predicted / 8) << "no map is kept";
  }
}

TEST(Memory, OfGivenWeightsIsThatOfTheTensorAlone) {
  expect_prediction(weights_problem({2, 1, 3, 100, 100}, std::vector<float>(60'000, 0.01F)));
}

TEST(Memory, IsAllGivenBack) {
  const AttentionProblem problem = qkv_problem(1, 4, 100, 100, 16, 1);
  const std::size_t before = live_bytes;
  { const ResultPtr result = computed(problem); }
  EXPECT_EQ(live_bytes, before);
}

}  // namespace
}  // namespace attn::test

#else

// Headers in front of blocks would hide overflows from the sanitizer.
TEST(Memory, IsAsPredicted) {
  GTEST_SKIP() << "the sanitizer's allocator cannot be counted through ours";
}

#endif
