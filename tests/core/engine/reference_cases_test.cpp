// The engine against PyTorch, case by case. Intended differences are listed here with the expected
// values.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

#include "agreement.h"
#include "engine/compute.h"
#include "reference_case.h"
#include "support/shared_data.h"

namespace attn::test {
namespace {

struct StageOfCase {
  std::string output;  // name in the case
  Stage stage;
};

// PyTorch's "scores" are already scaled.
std::vector<StageOfCase> stages_of(const ReferenceCase& reference) {
  if (reference.op == "softmax") return {{"y", Stage::Weights}};
  if (reference.op == "rope") return {{"y", Stage::RotatedQuery}, {"y", Stage::RotatedKey}};
  if (reference.op == "positional_encoding") return {{"pe", Stage::QueryInput}};
  if (reference.op == "mha") {
    return {{"q", Stage::Query},
            {"k", Stage::Key},
            {"v", Stage::Value},
            {"weights", Stage::Weights},
            {"head_output", Stage::Output},
            {"output", Stage::Projected}};
  }
  if (reference.op == "mha_gpt2") {
    return {{"q", Stage::Query},
            {"k", Stage::Key},
            {"v", Stage::Value},
            {"scores", Stage::Scaled},
            {"masked_scores", Stage::Masked},
            {"weights", Stage::Weights},
            {"head_output", Stage::Output},
            {"output", Stage::Projected}};
  }
  return {{"scores", Stage::Scaled},
          {"masked_scores", Stage::Masked},
          {"weights", Stage::Weights},
          {"output", Stage::Output}};
}

// Queries without visible keys: PyTorch's weights and output are NaN, ours 0.
bool has_rows_without_key(const std::string& name) {
  static const std::set<std::string> kNames{
      "sdpa_causal_bottom_right_long_q", "sdpa_fully_masked_all",    "sdpa_fully_masked_bool",
      "sdpa_fully_masked_neginf",        "sdpa_left_padding_causal", "mha_all_padding"};
  return kNames.contains(name);
}

// NaN at a hidden key: PyTorch's NaN reaches cells that ours does not. The named case has PyTorch's
// result with selection instead of addition.
std::string clean_twin_of(const std::string& name) {
  if (name == "sdpa_nan_k_masked_out") return "sdpa_nan_k_masked_fill";
  return "";
}

std::vector<float> read_stage(const AttentionResult& result, Stage stage) {
  const StageShape shape = result.stage_shape(stage);
  const AttentionShape& s = result.shape();
  const std::size_t heads = stage_info(stage).per_head ? s.heads : 1;
  std::vector<float> cells;
  for (std::size_t matrix = 0; matrix < s.samples * heads; ++matrix) {
    std::vector<float> one(shape.rows * shape.cols);
    result.read(stage, {0, matrix / heads, matrix % heads}, {0, 0, shape.rows, shape.cols},
                one.data());
    cells.insert(cells.end(), one.begin(), one.end());
  }
  return cells;
}

bool row_sees_no_key(const AttentionResult& result, Stage stage, std::size_t row) {
  const AttentionShape& s = result.shape();
  if (stage == Stage::Projected) {  // one row of all heads
    return result.sees_no_key({0, row / s.n_q, 0}, row % s.n_q);
  }
  const std::size_t matrix = row / s.n_q;
  return result.sees_no_key({0, matrix / s.heads, matrix % s.heads}, row % s.n_q);
}

// 0 in weights and output; the projection's bias after it.
double expected_without_key(const AttentionResult& result, Stage stage, std::size_t col) {
  const Tensor& bias = result.problem().projections.b_o;
  return stage == Stage::Projected && !bias.empty() ? static_cast<double>(bias[col]) : 0.0;
}

class ReferenceCases : public testing::TestWithParam<std::string> {};

TEST_P(ReferenceCases, EngineAgreesWithPyTorch) {
  ReferenceCase reference = read_reference_case(reference_case_path(GetParam()));
  const Result<ResultPtr> computed = compute(problem_of(reference));
  ASSERT_TRUE(computed) << describe(computed.error());
  const AttentionResult& result = **computed;
  if (const std::string twin = clean_twin_of(GetParam()); !twin.empty()) {
    const ReferenceCase clean = read_reference_case(reference_case_path(twin));
    reference.outputs = clean.outputs;
    reference.outputs_f64 = clean.outputs_f64;
  }
  std::size_t rows_without_key = 0;
  for (const auto& [name, stage] : stages_of(reference)) {
    const CaseTensor& torch = reference.outputs.at(name);
    const CaseTensor& exact = reference.outputs_f64.at(name);
    const std::vector<float> cells = read_stage(result, stage);
    ASSERT_EQ(cells.size(), torch.values.size()) << name;
    const std::size_t cols = torch.shape.back();
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const double got = static_cast<double>(cells[i]);
      if (stage >= Stage::Weights && row_sees_no_key(result, stage, i / cols)) {
        ++rows_without_key;
        EXPECT_TRUE(std::isnan(torch.values[i])) << name << " element " << i;
        EXPECT_EQ(got, expected_without_key(result, stage, i % cols)) << name << " element " << i;
        continue;
      }
      if (GetParam() == "sdpa_nan_v_masked_out" && stage == Stage::Output && i % cols == 1) {
        // NaN of a hidden key in column 1 does not reach our output.
        EXPECT_TRUE(std::isnan(torch.values[i]));
        EXPECT_TRUE(std::isfinite(got));
        continue;
      }
      EXPECT_TRUE(agrees(got, torch.values[i], exact.values[i]))
          << name << " element " << i << ": " << got << ", PyTorch " << torch.values[i]
          << ", in float64 " << exact.values[i];
    }
  }
  EXPECT_EQ(rows_without_key > 0, has_rows_without_key(GetParam()));
}

// One stage of one layer, all samples and heads, against an output of the case.
void expect_stage(const AttentionResult& result, Stage stage, std::size_t layer,
                  const ReferenceCase& reference, const std::string& output,
                  std::size_t attention = kLastAttention) {
  const CaseTensor& torch = reference.outputs.at(output);
  const CaseTensor& exact = reference.outputs_f64.at(output);
  const StageShape shape = result.stage_shape(stage, {.attention = attention});
  const std::size_t heads = stage_info(stage).per_head ? result.shape().heads : 1;
  ASSERT_EQ(torch.values.size(), result.shape().samples * heads * shape.rows * shape.cols);
  for (std::size_t i = 0; i < torch.values.size(); ++i) {
    const std::size_t matrix = i / (shape.rows * shape.cols);
    const HeadAddress head{layer, matrix / heads, matrix % heads, attention};
    const auto got =
        static_cast<double>(result.value(stage, head, i / shape.cols % shape.rows, i % shape.cols));
    EXPECT_TRUE(agrees(got, torch.values[i], exact.values[i]))
        << output << " element " << i << ": " << got << ", PyTorch " << torch.values[i]
        << ", in float64 " << exact.values[i];
  }
}

class EncoderCases : public testing::TestWithParam<std::string> {};

TEST_P(EncoderCases, BlocksAgreeWithPyTorch) {
  const ReferenceCase reference = read_reference_case(reference_case_path(GetParam()));
  const Result<ResultPtr> computed = compute(problem_of(reference));
  ASSERT_TRUE(computed) << describe(computed.error());
  const AttentionResult& result = **computed;
  const std::size_t layers = result.shape().layers;
  for (std::size_t layer = 0; layer < layers; ++layer) {
    const std::string number = std::to_string(layer);
    expect_stage(result, Stage::Weights, layer, reference, "weights_" + number);
    expect_stage(result, Stage::BlockOutput, layer, reference, "hidden_" + number);
  }
  const Stage last = result.has(Stage::FinalNorm) ? Stage::FinalNorm : Stage::BlockOutput;
  expect_stage(result, last, layers - 1, reference, "output");
}

class DecoderCases : public testing::TestWithParam<std::string> {};

TEST_P(DecoderCases, BothAttentionsAgreeWithPyTorch) {
  const ReferenceCase reference = read_reference_case(reference_case_path(GetParam()));
  const Result<ResultPtr> computed = compute(problem_of(reference));
  ASSERT_TRUE(computed) << describe(computed.error());
  const AttentionResult& result = **computed;
  expect_stage(result, Stage::Weights, 0, reference, "self_weights", kSelfAttention);
  expect_stage(result, Stage::Weights, 0, reference, "cross_weights");
  expect_stage(result, Stage::BlockOutput, 0, reference, "output");
}

std::string name_of(const testing::TestParamInfo<std::string>& test) {
  std::string name = test.param;
  for (char& c : name) c = c == '.' ? '_' : c;
  return name;
}

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(EncoderCases);
INSTANTIATE_TEST_SUITE_P(PyTorch, EncoderCases,
                         testing::ValuesIn(reference_case_names({"encoder"})), name_of);

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(DecoderCases);
INSTANTIATE_TEST_SUITE_P(PyTorch, DecoderCases,
                         testing::ValuesIn(reference_case_names({"decoder"})), name_of);

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(ReferenceCases);
INSTANTIATE_TEST_SUITE_P(PyTorch, ReferenceCases,
                         testing::ValuesIn(reference_case_names({"sdpa", "article", "gqa", "mqa",
                                                                 "mha", "softmax", "additive",
                                                                 "luong", "rope", "pe"})),
                         name_of);

TEST(ReferenceCasesFolder, HoldsTheExpectedNumberOfCases) {
  ATTNSCOPE_SKIP_WITHOUT(shared_file("reference/torch"));
  EXPECT_EQ(reference_case_names({"sdpa", "article"}).size(), 62U);
  EXPECT_EQ(reference_case_names({"softmax"}).size(), 13U);
  EXPECT_EQ(reference_case_names({"mha", "gqa", "mqa"}).size(), 16U);
  EXPECT_EQ(reference_case_names({"additive", "luong"}).size(), 9U);
  EXPECT_EQ(reference_case_names({"rope", "pe"}).size(), 9U);
  EXPECT_EQ(reference_case_names({"encoder"}).size(), 14U);
  EXPECT_EQ(reference_case_names({"decoder"}).size(), 2U);
  EXPECT_EQ(reference_case_names({"seq2seq", "gru"}).size(), 5U);
}

}  // namespace
}  // namespace attn::test
