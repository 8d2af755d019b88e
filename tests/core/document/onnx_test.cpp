// ONNX's Attention operator written as documents, as docs/guide/onnx.md explains: each feature
// against plain loops over the operator's own inputs.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "base/number_text.h"
#include "base/random.h"
#include "base/special_numbers.h"
#include "document/problem.h"
#include "engine/compute.h"
#include "tests/core/document/documents.h"

namespace attn::test {
namespace {

struct Array {
  Shape shape;
  std::vector<float> values;

  float at(const std::vector<std::size_t>& index) const {
    std::size_t flat = 0;
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
      flat = flat * shape[axis] + index[axis];
    }
    return values[flat];
  }
};

Array random_array(const Shape& shape, Random& random) {
  Array array{shape, std::vector<float>(element_count(shape))};
  for (float& value : array.values) value = random.normal();
  return array;
}

// The operator's inputs and attributes; q, k, v are (batch, heads, sequence, head size).
struct Node {
  Array q, k, v;
  std::optional<Array> mask;  // of rank 2 … 4, axes of 1 repeat
  bool boolean_mask = false;  // 1 takes part
  std::optional<Array> past_k, past_v;
  std::vector<std::size_t> nonpad;  // per batch; empty: not given
  std::optional<double> scale;
  double softcap = 0.0;
  bool causal = false;

  std::size_t batch() const { return q.shape[0]; }
  std::size_t heads() const { return q.shape[1]; }
  std::size_t n_q() const { return q.shape[2]; }
  std::size_t past() const { return past_k ? past_k->shape[2] : 0; }
  std::size_t n_k() const { return past() + k.shape[2]; }
};

struct Outputs {
  // Outputs by qk_matmul_output_mode, each (batch, heads, n_q, n_k); and Y (batch, heads, n_q,
  // d_v).
  std::vector<double> modes[4];
  std::vector<double> y;
};

float cached(const std::optional<Array>& past, const Array& now, std::size_t b, std::size_t h,
             std::size_t row, std::size_t col) {
  const std::size_t before = past ? past->shape[2] : 0;
  return row < before ? past->at({b, h, row, col}) : now.at({b, h, row - before, col});
}

double added(const Node& node, std::size_t b, std::size_t h, std::size_t i, std::size_t j) {
  double sum = 0.0;
  if (node.mask) {
    const Shape& shape = node.mask->shape;
    const bool missing = j >= shape.back() && shape.back() != 1;
    const std::size_t full[] = {b, h, i, j};
    std::vector<std::size_t> index;
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
      index.push_back(shape[axis] == 1 ? 0 : full[4 - shape.size() + axis]);
    }
    if (missing) {
      sum = -kInfinity;
    } else {
      const auto value = static_cast<double>(node.mask->at(index));
      sum = node.boolean_mask ? (value != 0.0 ? 0.0 : -kInfinity) : value;
    }
  }
  std::ptrdiff_t offset = static_cast<std::ptrdiff_t>(node.past());
  if (!node.nonpad.empty()) {
    if (!node.past_k) {
      offset =
          static_cast<std::ptrdiff_t>(node.nonpad[b]) - static_cast<std::ptrdiff_t>(node.n_q());
    }
    if (j >= node.nonpad[b]) sum = -kInfinity;
  }
  const auto ahead = static_cast<std::ptrdiff_t>(j) - static_cast<std::ptrdiff_t>(i);
  if (node.causal && ahead > offset) sum = -kInfinity;
  return sum;
}

std::vector<double> softmax(const std::vector<double>& row) {
  const double largest = *std::max_element(row.begin(), row.end());
  std::vector<double> weights(row.size(), 0.0);
  if (largest == -kInfinity) return weights;
  double sum = 0.0;
  for (std::size_t j = 0; j < row.size(); ++j) sum += weights[j] = std::exp(row[j] - largest);
  for (double& weight : weights) weight /= sum;
  return weights;
}

void run_row(const Node& node, std::size_t b, std::size_t h, std::size_t i, Outputs& out) {
  const std::size_t kv_head = h / (node.heads() / node.k.shape[1]);
  const std::size_t d = node.q.shape[3], d_v = node.v.shape[3];
  const double scale = node.scale.value_or(1.0 / std::sqrt(static_cast<double>(d)));
  std::vector<double> row;
  for (std::size_t j = 0; j < node.n_k(); ++j) {
    double score = 0.0;
    for (std::size_t c = 0; c < d; ++c) {
      score += static_cast<double>(node.q.at({b, h, i, c})) *
               static_cast<double>(cached(node.past_k, node.k, b, kv_head, j, c));
    }
    score *= scale;
    out.modes[0].push_back(score);
    if (node.softcap > 0.0) score = node.softcap * std::tanh(score / node.softcap);
    out.modes[1].push_back(score);
    row.push_back(score + added(node, b, h, i, j));
    out.modes[2].push_back(row.back());
  }
  row = softmax(row);
  out.modes[3].insert(out.modes[3].end(), row.begin(), row.end());
  for (std::size_t c = 0; c < d_v; ++c) {
    double sum = 0.0;
    for (std::size_t j = 0; j < row.size(); ++j) {
      const double value = static_cast<double>(cached(node.past_v, node.v, b, kv_head, j, c));
      if (row[j] != 0.0) sum += row[j] * value;
    }
    out.y.push_back(sum);
  }
}

Outputs run(const Node& node) {
  Outputs out;
  for (std::size_t b = 0; b < node.batch(); ++b) {
    for (std::size_t h = 0; h < node.heads(); ++h) {
      for (std::size_t i = 0; i < node.n_q(); ++i) run_row(node, b, h, i, out);
    }
  }
  return out;
}

// --- the same as a document ------------------------------------------------------------------

std::string number(float value) {
  const std::string text = shortest_text(value);
  return std::isfinite(value) ? text : "\"" + text + "\"";
}

// Nested lists of any depth.
std::string nested(const Array& array, std::size_t axis = 0, std::size_t first = 0) {
  if (axis == array.shape.size()) return number(array.values[first]);
  const Shape inner(array.shape.begin() + static_cast<std::ptrdiff_t>(axis) + 1, array.shape.end());
  std::string text;
  for (std::size_t i = 0; i < array.shape[axis]; ++i) {
    text += (i > 0 ? "," : "") + nested(array, axis + 1, first + i * element_count(inner));
  }
  return "[" + text + "]";
}

// present_key, present_value: the past in front.
Array with_past(const std::optional<Array>& past, const Array& now) {
  if (!past) return now;
  Array all{now.shape, {}};
  all.shape[2] += past->shape[2];
  for (std::size_t b = 0; b < all.shape[0]; ++b) {
    for (std::size_t h = 0; h < all.shape[1]; ++h) {
      for (std::size_t i = 0; i < all.shape[2] * all.shape[3]; ++i) {
        all.values.push_back(cached(past, now, b, h, i / all.shape[3], i % all.shape[3]));
      }
    }
  }
  return all;
}

// The missing columns hide.
Array with_whole_rows(const Array& mask, bool boolean, std::size_t n_k) {
  const std::size_t there = mask.shape.back();
  if (there == 1 || there == n_k) return mask;
  Array whole{mask.shape, {}};
  whole.shape.back() = n_k;
  const float hidden = boolean ? 0.0F : -std::numeric_limits<float>::infinity();
  for (std::size_t row = 0; row < mask.values.size() / there; ++row) {
    for (std::size_t j = 0; j < n_k; ++j) {
      whole.values.push_back(j < there ? mask.values[row * there + j] : hidden);
    }
  }
  return whole;
}

std::string mask_text(const Node& node) {
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  if (node.mask) {
    const Array whole = with_whole_rows(*node.mask, node.boolean_mask, node.n_k());
    add((node.boolean_mask ? "\"visible\": " : "\"bias\": ") + nested(whole));
  }
  std::string offsets, lengths;
  for (const std::size_t length : node.nonpad) {
    const auto offset =
        static_cast<std::ptrdiff_t>(length) - static_cast<std::ptrdiff_t>(node.n_q());
    offsets += (offsets.empty() ? "" : ", ") + std::to_string(offset);
    lengths += (lengths.empty() ? "" : ", ") + std::to_string(length);
  }
  if (!node.nonpad.empty()) add("\"key_lengths\": [" + lengths + "]");
  if (node.causal) {
    add("\"causal\": true");
    const bool by_length = !node.nonpad.empty() && !node.past_k;
    add("\"causal_offset\": " + (by_length ? "[" + offsets + "]" : std::to_string(node.past())));
  }
  return "{" + text + "}";
}

std::string document_of(const Node& node) {
  std::string scoring;
  if (node.scale) scoring = "\"scale\": " + number(static_cast<float>(*node.scale));
  if (node.softcap > 0.0) {
    scoring += (scoring.empty() ? "" : ", ") + std::string("\"softcap\": ") +
               number(static_cast<float>(node.softcap));
  }
  return "{\"q\": " + nested(node.q) + ", \"k\": " + nested(with_past(node.past_k, node.k)) +
         ", \"v\": " + nested(with_past(node.past_v, node.v)) + ", \"scoring\": {" + scoring +
         "}, \"mask\": " + mask_text(node) + "}";
}

ResultPtr result_of(const std::string& json) {
  const Result<ResultPtr> result = compute(make_problem(read_ok(json).document));
  EXPECT_TRUE(result.ok());
  return result.ok() ? *result : nullptr;
}

// All heads of a stage, batch by batch.
std::vector<float> stage_of(const AttentionResult& result, Stage stage) {
  std::vector<float> all;
  const StageShape shape = result.stage_shape(stage);
  for (std::size_t b = 0; b < result.shape().samples; ++b) {
    for (std::size_t h = 0; h < result.shape().heads; ++h) {
      std::vector<float> matrix(shape.rows * shape.cols);
      result.read(stage, {0, b, h}, {0, 0, shape.rows, shape.cols}, matrix.data());
      all.insert(all.end(), matrix.begin(), matrix.end());
    }
  }
  return all;
}

void expect_same(const std::vector<float>& got, const std::vector<double>& expected,
                 const std::string& what) {
  ASSERT_EQ(got.size(), expected.size()) << what;
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (expected[i] == -kInfinity) {
      EXPECT_TRUE(std::isinf(got[i]) && got[i] < 0.0F) << what << " " << i;
    } else {
      EXPECT_NEAR(static_cast<double>(got[i]), expected[i], 2e-6 * (1.0 + std::abs(expected[i])))
          << what << " " << i;
    }
  }
}

void expect_agreement(const Node& node, const std::string& json) {
  const Outputs expected = run(node);
  const ResultPtr result = result_of(json);
  ASSERT_NE(result, nullptr);
  const bool capped = node.softcap > 0.0;
  expect_same(stage_of(*result, Stage::Scaled), expected.modes[0], "mode 0");
  expect_same(stage_of(*result, capped ? Stage::Softcapped : Stage::Scaled), expected.modes[1],
              "mode 1");
  expect_same(stage_of(*result, Stage::Masked), expected.modes[2], "mode 2");
  expect_same(stage_of(*result, Stage::Weights), expected.modes[3], "mode 3");
  expect_same(stage_of(*result, Stage::Output), expected.y, "Y");
}

void expect_agreement(const Node& node) { expect_agreement(node, document_of(node)); }

// Two samples, three queries, five keys, four columns.
Node node_of(std::size_t heads, std::size_t kv_heads, std::uint64_t seed = 1) {
  Random random(seed);
  Node node;
  node.q = random_array({2, heads, 3, 4}, random);
  node.k = random_array({2, kv_heads, 5, 4}, random);
  node.v = random_array({2, kv_heads, 5, 6}, random);
  return node;
}

Array flags(const Shape& shape, std::uint64_t seed) {
  Random random(seed);
  Array array{shape, std::vector<float>(element_count(shape))};
  for (float& value : array.values) value = random.uniform() < 0.6F ? 1.0F : 0.0F;
  return array;
}

TEST(Onnx, InputsOfFourAxesAreSamplesHeadsTokensFeatures) { expect_agreement(node_of(2, 2)); }

TEST(Onnx, SeveralQueryHeadsShareAKeyValueHead) {
  expect_agreement(node_of(6, 2));
  expect_agreement(node_of(4, 1));
}

// (batch, sequence, heads · head size) split into heads, which are concatenated in a row.
Array cut(const Array& packed, std::size_t heads) {
  return {{packed.shape[0], packed.shape[1], heads, packed.shape[2] / heads}, packed.values};
}

// The axes of tokens and heads exchanged.
Array turned(const Array& a) {
  Array out{{a.shape[0], a.shape[2], a.shape[1], a.shape[3]}, {}};
  for (std::size_t b = 0; b < out.shape[0]; ++b) {
    for (std::size_t h = 0; h < out.shape[1]; ++h) {
      for (std::size_t i = 0; i < out.shape[2]; ++i) {
        for (std::size_t c = 0; c < out.shape[3]; ++c) out.values.push_back(a.at({b, i, h, c}));
      }
    }
  }
  return out;
}

TEST(Onnx, InputsOfThreeAxesHaveTheirHeadsSideBySide) {
  Random random(3);
  const std::size_t q_num_heads = 4, kv_num_heads = 2;
  const Array q = cut(random_array({2, 3, q_num_heads * 4}, random), q_num_heads);
  const Array k = cut(random_array({2, 5, kv_num_heads * 4}, random), kv_num_heads);
  const Array v = cut(random_array({2, 5, kv_num_heads * 3}, random), kv_num_heads);
  Node node;
  node.q = turned(q);
  node.k = turned(k);
  node.v = turned(v);
  expect_agreement(node, R"({"axes": ["sample", "token", "head", "feature"], "q": )" + nested(q) +
                             ", \"k\": " + nested(k) + ", \"v\": " + nested(v) + "}");
}

TEST(Onnx, TheScaleReplacesOneOverTheRootOfTheHeadSize) {
  Node node = node_of(2, 2);
  node.scale = 0.125;
  expect_agreement(node);
}

TEST(Onnx, BooleanMasksOfEveryRankAreVisible) {
  for (const Shape& shape : {Shape{3, 5}, Shape{2, 3, 5}, Shape{2, 2, 3, 5}, Shape{2, 1, 3, 5},
                             Shape{1, 2, 1, 5}, Shape{1, 1, 3, 5}}) {
    Node node = node_of(2, 2);
    node.mask = flags(shape, 11);
    node.boolean_mask = true;
    expect_agreement(node);
  }
}

TEST(Onnx, FloatMasksOfEveryRankAreAdded) {
  for (const Shape& shape : {Shape{3, 5}, Shape{2, 3, 5}, Shape{2, 2, 3, 5}, Shape{2, 1, 3, 5}}) {
    Random random(12);
    Node node = node_of(2, 2);
    node.mask = random_array(shape, random);
    node.mask->values[1] = -std::numeric_limits<float>::infinity();
    expect_agreement(node);
  }
}

TEST(Onnx, WhatAShortMaskLacksIsHidden) {
  for (const bool boolean : {true, false}) {
    Random random(13);
    Node node = node_of(2, 2);
    node.mask = boolean ? flags({3, 4}, 13) : random_array({3, 4}, random);
    node.boolean_mask = boolean;
    expect_agreement(node);
    EXPECT_EQ(run(node).modes[3][4], 0.0) << "the fifth key gets nothing";
  }
}

TEST(Onnx, TheSoftcapComesBeforeTheMask) {
  Node node = node_of(2, 2);
  node.softcap = 0.5;
  node.mask = flags({3, 5}, 14);
  node.boolean_mask = true;
  expect_agreement(node);
}

TEST(Onnx, CausalStartsAtTheFirstKey) {
  Node node = node_of(2, 2);
  node.causal = true;
  expect_agreement(node);
  EXPECT_EQ(run(node).modes[3][0], 1.0) << "the first query sees one key";
}

TEST(Onnx, ThePastMovesTheCausalDiagonal) {
  Random random(15);
  Node node = node_of(4, 2);
  node.past_k = random_array({2, 2, 3, 4}, random);
  node.past_v = random_array({2, 2, 3, 6}, random);
  expect_agreement(node);
  node.causal = true;
  expect_agreement(node);
  EXPECT_GT(run(node).modes[3][3], 0.0) << "the first query sees the past and itself";
  EXPECT_EQ(run(node).modes[3][4], 0.0);
}

TEST(Onnx, LengthsHideTheTailAndAnchorTheCausalDiagonal) {
  Node node = node_of(2, 2);
  node.nonpad = {4, 5};
  expect_agreement(node);
  node.causal = true;
  expect_agreement(node);
  EXPECT_GT(run(node).modes[3][1], 0.0) << "4 keys - 3 queries: the first query sees two keys";
  EXPECT_EQ(run(node).modes[3][2], 0.0);
}

TEST(Onnx, AQueryWithoutKeysGivesZeros) {
  Node node = node_of(2, 2);
  node.nonpad = {2, 5};
  node.causal = true;  // two keys for three queries: the first has none
  expect_agreement(node);
  EXPECT_EQ(run(node).y[0], 0.0);
}

TEST(Onnx, EverythingAtOnce) {
  for (std::uint64_t seed = 20; seed < 30; ++seed) {
    Random random(seed);
    Node node = node_of(4, 2, seed);
    node.past_k = random_array({2, 2, 2, 4}, random);
    node.past_v = random_array({2, 2, 2, 6}, random);
    node.mask = flags({2, 1, 3, 6}, seed);
    node.boolean_mask = true;
    node.softcap = 2.0;
    node.scale = 0.75;
    node.causal = true;
    expect_agreement(node);
  }
}

// softmax_precision: exponentials and sums are taken in enough precision for rows of large and
// close scores.
TEST(Onnx, TheSoftmaxIsAsPreciseAsFloat32) {
  Node node = node_of(2, 2);
  node.scale = 40.0;
  const Outputs expected = run(node);
  const ResultPtr result = result_of(document_of(node));
  const std::vector<float> weights = stage_of(*result, Stage::Weights);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    EXPECT_NEAR(static_cast<double>(weights[i]), expected.modes[3][i], 1e-4) << i;
  }
}

}  // namespace
}  // namespace attn::test
