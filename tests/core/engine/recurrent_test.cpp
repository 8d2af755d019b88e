// Recurrent encoder–decoders: against PyTorch, against the oracle, and their derivatives.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <thread>

#include "agreement.h"
#include "engine/compute.h"
#include "engine/kernels/recurrent_cell.h"
#include "kinds/recurrent/model.h"
#include "problems.h"
#include "reference_case.h"
#include "support/oracle/reference.h"
#include "support/shared_data.h"

namespace attn::test {
namespace {

std::vector<double> doubles(const std::vector<float>& values) {
  return {values.begin(), values.end()};
}

// All samples of a stage, one after another.
std::vector<double> all_samples(const AttentionResult& result, Stage stage) {
  std::vector<double> values;
  for (std::size_t sample = 0; sample < result.shape().samples; ++sample) {
    const std::vector<double> one = doubles(cells(result, stage, {0, sample, 0}));
    values.insert(values.end(), one.begin(), one.end());
  }
  return values;
}

class Seq2Seq : public testing::TestWithParam<std::string> {};

TEST_P(Seq2Seq, AgreesWithPyTorch) {
  const ReferenceCase reference = read_reference_case(reference_case_path(GetParam()));
  const ResultPtr result = computed(problem_of(reference));
  expect_agreement(all_samples(*result, Stage::Key), reference, "encoder_states");
  expect_agreement(all_samples(*result, Stage::Weights), reference, "weights");
  expect_agreement(all_samples(*result, Stage::Output), reference, "context");
  expect_agreement(all_samples(*result, Stage::DecoderState), reference, "decoder_states");
}

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Seq2Seq);
INSTANTIATE_TEST_SUITE_P(PyTorch, Seq2Seq, testing::ValuesIn(reference_case_names({"seq2seq"})));

TEST(RecurrentCell, StepAgreesWithPyTorch) {
  ATTNSCOPE_SKIP_WITHOUT(shared_file("reference/torch"));
  const ReferenceCase reference = read_reference_case(reference_case_path("gru_cell_step"));
  const RecurrentCell cell = cell_of(reference, "w_ih", "w_hh", "b_ih", "b_hh");
  const CaseTensor& x = reference.inputs.at("x");
  const CaseTensor& h = reference.inputs.at("h");
  std::vector<double> next;
  for (std::size_t row = 0; row < x.shape[0]; ++row) {
    const auto part = [row](const CaseTensor& tensor) {
      const std::size_t cols = tensor.shape[1];
      const auto begin = tensor.values.begin() + static_cast<std::ptrdiff_t>(row * cols);
      std::vector<float> values;
      for (auto at = begin; at != begin + static_cast<std::ptrdiff_t>(cols); ++at) {
        values.push_back(static_cast<float>(*at));
      }
      return values;
    };
    std::vector<float> state = part(h);
    step_cell(stepping(CellKind::Gru, cell), part(x), state, {});
    next.insert(next.end(), state.begin(), state.end());
  }
  expect_agreement(next, reference, "h_next");
}

// Relative to the largest number of the matrix, as derivatives vary in size.
void expect_near_reference(const AttentionResult& result, Stage stage, const HeadAddress& at,
                           double tolerance) {
  const reference::Matrix exact = reference::compute(result.problem(), stage, at);
  const std::vector<float> got = cells(result, stage, at);
  ASSERT_EQ(got.size(), exact.values.size()) << stage_info(stage).name;
  double largest = 1.0;
  for (const double value : exact.values) {
    if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
  }
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (std::isinf(exact.values[i])) {
      EXPECT_EQ(static_cast<double>(got[i]), exact.values[i]);
      continue;
    }
    EXPECT_NEAR(static_cast<double>(got[i]), exact.values[i], tolerance * largest)
        << stage_info(stage).name << " element " << i;
  }
}

bool is_derivative(Stage stage) { return stage_info(stage).role == StageRole::Influence; }

class RandomModels : public testing::TestWithParam<std::uint64_t> {};

TEST_P(RandomModels, EveryStageAgreesWithTheReference) {
  const ResultPtr result = computed(recurrent_problem(GetParam()));
  for (const Stage stage : result->stages()) {
    for (std::size_t sample = 0; sample < result->shape().samples; ++sample) {
      expect_near_reference(*result, stage, {0, sample, 0}, is_derivative(stage) ? 2e-5 : 5e-6);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomModels, testing::Range<std::uint64_t>(1, 41));

TEST(Recurrent, BitsDoNotDependOnThreads) {
  const AttentionProblem problem = recurrent_problem(7);
  const ResultPtr one = computed(problem, 1);
  const ResultPtr three = computed(problem, 3);
  for (const Stage stage : one->stages()) {
    EXPECT_TRUE(same_bits(cells(*one, stage, {}), cells(*three, stage, {})))
        << stage_info(stage).name;
  }
}

// With one source token, attention and the fixed vector are equal.
TEST(Recurrent, OneSourceTokenLeavesNothingToChoose) {
  AttentionProblem problem = recurrent_problem(3);
  problem.mask = {};
  problem.scoring.normaliser = Normaliser::Softmax;
  problem.scoring.sinks = {};
  problem.shape.n_k = 1;
  const std::size_t width = problem.key_embeddings.extent(2);
  std::vector<float> first(problem.key_embeddings.values().begin(),
                           problem.key_embeddings.values().begin() +
                               static_cast<std::ptrdiff_t>(problem.shape.samples * width));
  problem.key_embeddings = Tensor({problem.shape.samples, 1, width}, std::move(first));
  const ResultPtr result = computed(problem);
  EXPECT_TRUE(
      same_bits(cells(*result, Stage::DecoderState, {}), cells(*result, Stage::FixedState, {})));
}

// Padding does not affect the encoder.
TEST(Recurrent, PaddedTokensHaveNoInfluence) {
  AttentionProblem problem = recurrent_problem(5);
  problem.mask = {};
  PaddingLists padding{std::vector<std::uint8_t>(problem.shape.n_k, 1)};
  padding[0].back() = 0;
  problem.mask.key_padding = padding;
  const ResultPtr result = computed(problem);
  ASSERT_TRUE(result->has(Stage::Influence));
  const std::size_t last = problem.shape.n_k - 1;
  for (std::size_t t = 0; t < problem.shape.n_q; ++t) {
    EXPECT_EQ(result->value(Stage::Influence, {}, t, last), 0.0F);
    EXPECT_EQ(result->value(Stage::FixedInfluence, {}, t, last), 0.0F);
  }
  EXPECT_EQ(result->value(Stage::Survival, {}, last, 0), 0.0F);
}

// A sample too long to finish: cancelled between two steps.
TEST(Recurrent, IsCancelledBetweenSteps) {
  AttentionProblem problem = recurrent_problem(2);
  problem.shape.n_q = 100'000;
  problem.shape.samples = 1;
  problem.query_embeddings = Tensor({1, 100'000, problem.shape.d_model},
                                    std::vector<float>(100'000 * problem.shape.d_model, 0.5F));
  problem.mask = {};
  Progress progress;
  ComputeOptions options;
  options.progress = &progress;
  std::thread canceller([&] {
    while (progress.fraction == 0.0F) std::this_thread::yield();
    progress.cancelled = true;
  });
  const Result<ResultPtr> result = compute(std::move(problem), options);
  canceller.join();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ErrorKind::Interrupted);
}

// A unidirectional GRU model with embeddings of 2 columns, all its numbers equal.
AttentionProblem plain_model(std::size_t hidden, std::size_t d_out, std::size_t n_q,
                             std::size_t n_k) {
  AttentionProblem problem;
  problem.kind = &kRecurrentProblems;
  const RecurrentWidths widths{CellKind::Gru, QueryState::Previous, 2, 2, hidden, 0, hidden, d_out};
  const auto filled = [](const Shape& shape) {
    return Tensor(shape, std::vector<float>(element_count(shape), 0.1F));
  };
  for (const RecurrentTensorInfo& info : all_recurrent_tensors()) {
    const Shape shape = recurrent_shape(info, widths);
    if (!shape.empty() && !may_be_absent(info, widths)) {
      info.write(problem.recurrent) = filled(shape);
    }
  }
  AttentionShape& s = problem.shape;
  s.n_q = n_q;
  s.n_k = n_k;
  s.d_model = 2;
  s.d_k = s.d_v = hidden;
  s.d_out = d_out;
  problem.query_embeddings = filled({1, n_q, 2});
  problem.key_embeddings = problem.value_embeddings = filled({1, n_k, 2});
  problem.scoring.function = ScoringFunction::Dot;
  return problem;
}

// A NaN score that no query sees has no effect.
TEST(Recurrent, HiddenScoresReachNoInfluence) {
  AttentionProblem problem = plain_model(2, 1, 2, 2);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  problem.scoring.function = ScoringFunction::Location;
  problem.scoring.w = Tensor({2, 2}, {0.3F, 0.2F, nan, nan});
  problem.scoring.softcap = 2.0F;
  problem.mask.visible = BoolTensor({1, 2}, {1, 0});
  const ResultPtr result = computed(problem);
  EXPECT_EQ(result->non_finite_count(Stage::Weights), 0U);
  EXPECT_EQ(result->non_finite_count(Stage::Influence), 0U);
}

// An underestimate would make the window wait for derivatives.
TEST(Recurrent, CountsTheDerivativesOfEveryScore) {
  AttentionProblem problem = plain_model(32, 3, 7, 11);
  problem.scoring.function = ScoringFunction::General;
  // W by query and key, once per score; then backwards from each output of each step through all
  // steps before it.
  EXPECT_GE(influence_multiply_adds(problem),
            7U * 11 * (2 * 32 * 32) + 3U * (7 * 8 / 2) * 11 * (32 + 32));
}

TEST(Recurrent, CountsTheDerivativesOfTheFixedVector) {
  // One output, but a wide fixed vector: back through the encoder for each of its numbers.
  const AttentionProblem problem = plain_model(128, 1, 1, 9);
  const std::uint64_t encoder = 9U * 3 * 128 * (2 + 128);
  EXPECT_GE(influence_multiply_adds(problem), 128 * encoder + 9U * 128 * 128 * 2);
}

// A limit leaves the stages out, with a note.
TEST(Recurrent, InfluenceIsLeftOutAboveTheLimitOfTheProblemOnly) {
  AttentionProblem problem = recurrent_problem(2);
  problem.most_influence_steps = influence_multiply_adds(problem);
  EXPECT_TRUE(computed(problem)->has(Stage::Influence));
  --problem.most_influence_steps;
  const ResultPtr result = computed(problem);
  EXPECT_FALSE(result->has(Stage::Influence));
  ASSERT_FALSE(result->notes().empty());
  EXPECT_NE(result->notes().front().text.find("influence"), std::string::npos);
  EXPECT_EQ(predicted_bytes(problem), materialised_bytes(problem));
}

TEST(Recurrent, InfluenceHasNoLimitUnlessOneIsSet) {
  const AttentionProblem problem = plain_model(32, 3, 4000, 11);
  ASSERT_GT(influence_multiply_adds(problem), kInfluenceStepsOfASecond);
  EXPECT_TRUE(has_influence(problem));
}

TEST(Recurrent, CountsTheMemoryOfTheSlopesOfScores) {
  const AttentionProblem problem = plain_model(32, 3, 7, 11);
  const std::uint64_t slopes = 7U * 11 * (32 + 32) * sizeof(double);
  EXPECT_GE(predicted_bytes(problem), materialised_bytes(problem) + slopes);
  ComputeOptions options;
  options.memory_limit_bytes = materialised_bytes(problem) + slopes;
  const auto refused = compute(problem, options);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::OverMemoryLimit);
  EXPECT_NE(refused.error().found.find("derivatives"), std::string::npos) << refused.error().found;
}

}  // namespace
}  // namespace attn::test
