// Properties of transformer blocks for any numbers, including NaN and infinities.
#include <gtest/gtest.h>

#include <cmath>

#include "base/special_numbers.h"
#include "problems.h"
#include "row_check.h"

namespace attn::test {
namespace {

constexpr std::uint64_t kRandomBlocks = 150;

using Row = std::vector<float>;

// Checks one row of one block: every stage around the attention, given the stage before it.
class BlockRowCheck {
 public:
  BlockRowCheck(const AttentionResult& result, std::size_t layer, std::size_t sample, std::size_t r)
      : result_(result),
        problem_(result_.problem()),
        stack_(problem_.stack),
        block_(stack_.blocks[layer]),
        at_{layer, sample, 0, kSelfAttention},
        r_(r) {}

  void check_input() const {
    const Row input = row(Stage::BlockInput);
    if (at_.layer > 0) {
      HeadAddress before = at_;
      --before.layer;
      return expect_bits("block_input", input, row_at(Stage::BlockOutput, before));
    }
    const std::span<const float> x = matrix_at(problem_.query_embeddings, at_.sample).row(r_);
    Row expected(x.begin(), x.end());
    const Stack& stack = problem_.stack;
    if (is_added(problem_.position)) {
      const std::int64_t first = mask_of(problem_, at_).offset_of(at_.sample);
      for (std::size_t c = 0; c < expected.size(); ++c) {
        expected[c] += static_cast<float>(position_value(
            problem_.position, first + static_cast<std::int64_t>(r_), c, expected.size()));
      }
    }
    if (!stack.embedding_norm) return expect_bits("block_input", input, expected);
    expect_normed(Stage::BlockInput, *stack.embedding_norm, expected);
  }

  void check_attention() const {
    const AttentionShape& s = problem_.shape;
    const Row input = row(attention_input());
    const Projections& by = block_.projections;
    const Row k = mapped(input, by.w_k, by.b_k);
    const Row v = mapped(input, by.w_v, by.b_v);
    for (std::size_t head = 0; head < s.heads; ++head) {
      const HeadAddress at = at_.moved_to(at_.layer, at_.sample, head);
      const std::size_t kv_head = head / (s.heads / s.kv_heads);
      expect_bits("k", row_at(Stage::Key, at), part(k, kv_head, s.d_k));
      expect_bits("v", row_at(Stage::Value, at), part(v, kv_head, s.d_v));
    }
    check_queries(at_, by, input);
  }

  // Checks that rows of a decoder attend to the keys, which every block projects.
  void check_cross() const {
    if (!block_.cross) return;
    const AttentionShape& s = problem_.shape;
    const HeadAddress across{at_.layer, at_.sample, 0};
    const Projections& by = block_.cross->projections;
    for (std::size_t key = 0; key < s.n_k; ++key) {
      const std::span<const float> x = matrix_at(problem_.key_embeddings, at_.sample).row(key);
      const Row k = mapped(Row(x.begin(), x.end()), by.w_k, by.b_k);
      Row got(s.d_k);
      const HeadAddress last{at_.layer, at_.sample, s.heads - 1};
      result_.read(Stage::Key, last, {key, 0, 1, s.d_k}, got.data());
      expect_bits("cross k", got, part(k, s.kv_heads - 1, s.d_k));
    }
    check_queries(across, by, row(cross_input()));
    expect_bits("cross_residual", row(Stage::CrossResidual),
                sum(row(before_cross()), added(Stage::CrossOutNorm, block_.cross->out_norm,
                                               row_at(Stage::Projected, across))));
    if (norms_outputs(stack_.order) && !pre()) return;
    expect_normed(Stage::CrossNorm, block_.cross->norm,
                  pre() ? Stage::AttentionResidual : Stage::CrossResidual);
  }

  void check_norms() const {
    if (pre() || post()) {
      expect_normed(Stage::AttentionNorm, block_.attention_norm,
                    pre() ? Stage::BlockInput : Stage::AttentionResidual);
    }
    if (pre()) {
      expect_normed(Stage::FeedForwardNorm, block_.feed_forward_norm, read_by_network());
    } else if (post()) {
      expect_normed(Stage::BlockOutput, block_.feed_forward_norm, Stage::FeedForwardResidual);
    }
    const bool last = at_.layer + 1 == stack_.blocks.size();
    if (last && stack_.final_norm) {
      expect_normed(Stage::FinalNorm, *stack_.final_norm, Stage::BlockOutput);
    }
  }

  void check_sums() const {
    expect_bits(
        "attention_residual", row(Stage::AttentionResidual),
        sum(row(Stage::BlockInput),
            added(Stage::AttentionOutNorm, block_.attention_out_norm, row(Stage::Projected))));
    expect_bits(
        "after the network", row(post() ? Stage::FeedForwardResidual : Stage::BlockOutput),
        sum(row(before_network()), added(Stage::FeedForwardOutNorm, block_.feed_forward_out_norm,
                                         row(Stage::FeedForward))));
  }

  void check_network() const {
    const FeedForward& network = block_.feed_forward;
    const Row input = row(pre() ? Stage::FeedForwardNorm : read_by_network());
    const Row hidden = row(Stage::Hidden);
    const bool gated = activation_info(network.activation).gated;
    expect_bits("hidden", hidden, mapped(input, network.w_1, network.b_1));
    Row gate(hidden.size());
    if (gated) {
      gate = row(Stage::Gate);
      expect_bits("gate", gate, mapped(input, network.w_gate, network.b_gate));
    }
    const Row active = row(Stage::Activated);
    for (std::size_t c = 0; c < hidden.size(); ++c) {
      const double expected = activated(network.activation, wide(hidden[c]), wide(gate[c]));
      expect_bits("activated", {active[c]}, {static_cast<float>(expected)});
    }
    expect_bits("feed_forward", row(Stage::FeedForward), mapped(active, network.w_2, network.b_2));
  }

 private:
  bool pre() const { return norms_rows(stack_.order); }
  bool post() const { return stack_.order == NormOrder::Post; }
  Stage attention_input() const { return pre() ? Stage::AttentionNorm : Stage::BlockInput; }
  Stage before_cross() const { return post() ? Stage::AttentionNorm : Stage::AttentionResidual; }
  Stage cross_input() const { return pre() ? Stage::CrossNorm : before_cross(); }
  Stage before_network() const {
    if (!block_.cross) return before_cross();
    return post() ? Stage::CrossNorm : Stage::CrossResidual;
  }
  Stage read_by_network() const { return stack_.parallel ? Stage::BlockInput : before_network(); }

  // Rows that are added for an output: itself or, checked, its norm.
  Row added(Stage normed, const Norm& norm, const Row& output) const {
    if (!norms_outputs(stack_.order)) return output;
    expect_normed(normed, norm, output);
    return row(normed);
  }

  // Checks the stages from the projected queries to the projected output of one attention.
  void check_queries(const HeadAddress& of, const Projections& by, const Row& input) const {
    const AttentionShape& s = result_.shape();
    const Row q = mapped(input, by.w_q, by.b_q);
    Row side_by_side;
    for (std::size_t head = 0; head < s.heads; ++head) {
      const HeadAddress at = of.moved_to(at_.layer, at_.sample, head);
      expect_bits("q", row_at(Stage::Query, at), part(q, head, s.d_k));
      expect_ieee_row(result_, at, r_);
      const Row output = row_at(Stage::Output, at);
      side_by_side.insert(side_by_side.end(), output.begin(), output.end());
    }
    expect_bits("concat", row_at(Stage::Concat, of), side_by_side);
    expect_bits("projected", row_at(Stage::Projected, of), mapped(side_by_side, by.w_o, by.b_o));
  }

  Row row_at(Stage stage, const HeadAddress& at) const {
    Row out(result_.stage_shape(stage, at).cols);
    result_.read(stage, at, {r_, 0, 1, out.size()}, out.data());
    return out;
  }
  Row row(Stage stage) const { return row_at(stage, at_); }

  static Row part(const Row& all, std::size_t head, std::size_t width) {
    const auto from = all.begin() + static_cast<std::ptrdiff_t>(head * width);
    return {from, from + static_cast<std::ptrdiff_t>(width)};
  }

  static Row sum(Row a, const Row& b) {
    for (std::size_t c = 0; c < a.size(); ++c) a[c] += b[c];
    return a;
  }

  // One sum in double, rounded once.
  static Row mapped(const Row& x, const Tensor& w, const Tensor& b) {
    Row out;
    for (std::size_t c = 0; c < w.extent(1); ++c) {
      double total = 0.0;
      for (std::size_t i = 0; i < x.size(); ++i) total += wide(x[i]) * wide(w[i * w.extent(1) + c]);
      out.push_back(static_cast<float>(total) + (b.empty() ? 0.0F : b[c]));
    }
    return out;
  }

  // The formulas of NormKind in double.
  void expect_normed(Stage stage, const Norm& norm, Stage from) const {
    expect_normed(stage, norm, row(from));
  }
  void expect_normed(Stage stage, const Norm& norm, const Row& x) const {
    const Row got = row(stage);
    if (norm.none) return expect_bits("no norm", got, x);
    const auto n = static_cast<double>(x.size());
    double mean = 0.0;
    for (const float value : x) mean += wide(value);
    mean = stack_.norm == NormKind::Rms ? 0.0 : mean / n;
    double variance = 0.0;
    for (const float value : x) variance += (wide(value) - mean) * (wide(value) - mean);
    variance /= n;
    for (std::size_t c = 0; c < x.size(); ++c) {
      const double weight =
          norm.weight.empty() ? 1.0 : wide(norm.weight[c]) + wide(stack_.weight_offset);
      const double bias = norm.bias.empty() ? 0.0 : wide(norm.bias[c]);
      const double size = std::sqrt(variance + wide(stack_.eps));
      const double expected = (wide(x[c]) - mean) / size * weight + bias;
      // Overflow gives an infinity.
      EXPECT_TRUE(near(wide(got[c]), wide(static_cast<float>(expected)), 1e-6, 1e-5))
          << stage_info(stage).name << " " << c << ": " << got[c] << ", expected " << expected;
    }
  }

  void expect_bits(const char* what, const Row& got, const Row& expected) const {
    EXPECT_TRUE(same_bits(got, expected)) << what << ", layer " << at_.layer << ", row " << r_;
  }

  const AttentionResult& result_;
  const AttentionProblem& problem_;
  const Stack& stack_;
  const TransformerBlock& block_;
  HeadAddress at_;  // of the attention to the rows themselves
  std::size_t r_;
};

void expect_ieee_in_extreme_blocks(AttentionProblem (*problem_of_seed)(std::uint64_t)) {
  std::size_t finite = 0;
  std::size_t non_finite = 0;
  for (std::uint64_t seed = 0; seed < kRandomBlocks && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const AttentionProblem problem = problem_of_seed(seed);
    const AttentionShape& s = problem.shape;
    const ResultPtr result = computed(problem);
    for (std::size_t i = 0; i < s.layers * s.samples * s.n_q; ++i) {
      const BlockRowCheck check(*result, i / (s.samples * s.n_q), i / s.n_q % s.samples, i % s.n_q);
      check.check_input();
      check.check_attention();
      check.check_cross();
      check.check_norms();
      check.check_sums();
      check.check_network();
    }
    const std::uint64_t bad = *result->non_finite_count(Stage::BlockOutput);
    non_finite += bad;
    finite += s.layers * s.samples * s.n_q * s.d_model - bad;
  }
  EXPECT_GT(non_finite, 1000U);  // the problems are extreme
  EXPECT_GT(finite, 1000U);      // but not entirely
}

TEST(Blocks, FollowIeeeArithmeticThroughEveryStageOfExtremeStacks) {
  expect_ieee_in_extreme_blocks(extreme_stack_problem);
}

TEST(Blocks, FollowIeeeArithmeticThroughEveryStageOfExtremeDecoders) {
  expect_ieee_in_extreme_blocks(extreme_decoder_problem);
}

// Embeddings with rows of padding replaced by NaN or infinities.
Tensor poisoned(const Tensor& x, const std::vector<std::uint8_t>& real) {
  const std::size_t n = x.extent(1);
  const std::size_t width = x.extent(2);
  Tensor out = x;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (real[i / width % n] == 0) out = out.with(i, i % 2 == 0 ? kNaN : -kInfinity);
  }
  return out;
}

// Compares rows of real tokens in all stages from hiding on.
void expect_same_real_rows(const AttentionResult& clean, const AttentionResult& dirty,
                           const std::vector<std::uint8_t>& real, const HeadAddress& of = {}) {
  for (const Stage stage : clean.stages(of)) {
    if (stage == Stage::Scores || stage == Stage::Scaled || stage == Stage::Softcapped) continue;
    for (const HeadAddress& head : heads_of(clean.shape(), of.attention)) {
      const StageShape shape = clean.stage_shape(stage, head);
      for (std::size_t r = 0; r < shape.rows; ++r) {
        if (real[r] == 0) continue;
        Row a(shape.cols);
        Row b(shape.cols);
        clean.read(stage, head, {r, 0, 1, shape.cols}, a.data());
        dirty.read(stage, head, {r, 0, 1, shape.cols}, b.data());
        ASSERT_TRUE(same_bits(a, b)) << stage_info(stage).name << ", layer " << head.layer;
      }
    }
  }
}

TEST(Blocks, PaddingPoisonsNoOtherToken) {
  for (std::uint64_t seed = 0; seed < kRandomBlocks && !HasFatalFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    AttentionProblem problem = stack_problem(seed);
    std::vector<std::uint8_t> real(problem.shape.n_q, 1);
    for (std::size_t i = 0; i < real.size(); i += 3) real[i] = 0;
    problem.mask.key_padding = {real};
    const ResultPtr clean = computed(problem);
    problem.query_embeddings = poisoned(problem.query_embeddings, real);
    problem.key_embeddings = problem.value_embeddings = problem.query_embeddings;
    const ResultPtr dirty = computed(problem);
    expect_same_real_rows(*clean, *dirty, real);
    EXPECT_GT(dirty->non_finite_count(Stage::BlockOutput), 0U);
  }
}

TEST(Blocks, LaterTokensPoisonNoEarlierOneUnderACausalMask) {
  for (std::uint64_t seed = 0; seed < kRandomBlocks && !HasFatalFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    AttentionProblem problem = stack_problem(seed);
    problem.mask.causal = true;
    std::vector<std::uint8_t> real(problem.shape.n_q, 1);
    for (std::size_t i = real.size() / 2; i < real.size(); ++i) real[i] = 0;
    const ResultPtr clean = computed(problem);
    problem.query_embeddings = poisoned(problem.query_embeddings, real);
    problem.key_embeddings = problem.value_embeddings = problem.query_embeddings;
    expect_same_real_rows(*clean, *computed(problem), real);
  }
}

// Keys hidden in cross-attention affect no row, rows hidden in self-attention no other row.
TEST(Blocks, PaddingPoisonsNoOtherTokenOfADecoder) {
  for (std::uint64_t seed = 0; seed < kRandomBlocks && !HasFatalFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    AttentionProblem problem = decoder_problem(seed);
    std::vector<std::uint8_t> real(problem.shape.n_q, 1);
    std::vector<std::uint8_t> real_keys(problem.shape.n_k, 1);
    for (std::size_t i = 0; i < real.size(); i += 3) real[i] = 0;
    for (std::size_t i = 0; i < real_keys.size(); i += 2) real_keys[i] = 0;
    problem.self_mask.key_padding = {real};
    problem.mask.key_padding = {real_keys};
    const ResultPtr clean = computed(problem);
    problem.query_embeddings = poisoned(problem.query_embeddings, real);
    problem.key_embeddings = poisoned(problem.key_embeddings, real_keys);
    problem.value_embeddings = problem.key_embeddings;
    const ResultPtr dirty = computed(problem);
    expect_same_real_rows(*clean, *dirty, real, {.attention = kSelfAttention});
    for (const HeadAddress& head : heads_of(clean->shape())) {
      for (std::size_t r = 0; r < real.size(); ++r) {
        Row a(clean->shape().n_k), b(clean->shape().n_k);
        clean->read(Stage::Weights, head, {r, 0, 1, a.size()}, a.data());
        dirty->read(Stage::Weights, head, {r, 0, 1, b.size()}, b.data());
        ASSERT_TRUE(real[r] == 0 || same_bits(a, b));
      }
    }
  }
}

}  // namespace
}  // namespace attn::test
