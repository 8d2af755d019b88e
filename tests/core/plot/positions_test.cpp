// Figures of encodings and of attention from only positions.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "document/load/read.h"
#include "document/problem.h"
#include "engine/compute.h"
#include "plot/maps/maps.h"
#include "tests/core/plot/computed_case.h"
#include "tests/core/plot/heatmap_cases.h"
#include "tests/core/plot/text_boxes.h"
#include "tests/support/fake_result.h"

namespace attn {
namespace {

using test::ComputedCase;
using test::FixedMetrics;

ComputedCase case_of(const std::string& json) {
  Result<Reading> report = read_document(json, "test");
  EXPECT_TRUE(report.ok()) << describe(report.error());
  return test::computed_case(report.value().document);
}

std::string layer(const std::string& more) {
  return R"({"tokens": ["a", "b", "c", "d"], "d_model": 8, "heads": 2, "seed": 3, )" + more + "}";
}

// The whole problem computed with other tensors.
std::vector<float> weights_of(AttentionProblem problem, const HeadAddress& head) {
  const std::size_t n_q = problem.shape.n_q;
  const std::size_t n_k = problem.shape.n_k;
  const ResultPtr result = compute(std::move(problem)).value();
  std::vector<float> weights(n_q * n_k);
  result->read(Stage::Weights, head, {0, 0, n_q, n_k}, weights.data());
  return weights;
}

std::vector<float> position_weights(const ComputedCase& own, const HeadAddress& head) {
  PlotOptions options;
  options.at = head;
  const Derivations all = derive_all(*plot_named("positions"), own.document, own.result, options);
  const MatrixId id{Stage::Weights, head, made::FromPositions{}};
  const MatrixPtr matrix = matrix_in({own.document, *own.result, &all}, id);
  const StageShape extents = matrix->extents();
  std::vector<float> cells(extents.rows * extents.cols);
  matrix->read({0, 0, extents.rows, extents.cols}, cells.data());
  return cells;
}

void expect_near(const std::vector<float>& a, const std::vector<float>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-6) << i;
}

TEST(PositionWeights, OfAddedPositionsAreThoseOfEmptyEmbeddings) {
  for (const char* kind : {"sinusoidal", "learned"}) {
    const ComputedCase own = case_of(layer(
        R"("mask": {"causal": true, "causal_offset": 1, "alibi": true}, "position": {"kind": ")" +
        std::string(kind) + "\"}"));
    AttentionProblem empty = make_problem(own.document);
    for (Tensor* x : {&empty.query_embeddings, &empty.key_embeddings, &empty.value_embeddings}) {
      *x = Tensor(x->shape(), std::vector<float>(x->size(), 0.0F));
    }
    for (std::size_t head = 0; head < 2; ++head) {
      expect_near(position_weights(own, {0, 0, head}), weights_of(empty, {0, 0, head}));
    }
  }
}

// Two equal vectors of ones rotated by i and j: every pair contributes 2 cos((i − j) θ).
TEST(PositionWeights, OfRotaryPositionsSeeOnlyDistances) {
  const ComputedCase own = case_of(layer(R"("position": {"kind": "rope"})"));
  const AttentionProblem& problem = own.result->problem();
  const std::vector<float> weights = position_weights(own, {});
  for (std::size_t i = 0; i < 4; ++i) {
    std::vector<double> row(4);
    double sum = 0.0;
    for (std::size_t j = 0; j < 4; ++j) {
      double score = 0.0;
      for (std::size_t pair = 0; pair < problem.shape.d_k / 2; ++pair) {
        score += 2.0 * std::cos(rope_angle(problem.position, static_cast<std::int64_t>(i), pair,
                                           problem.shape.d_k) -
                                rope_angle(problem.position, static_cast<std::int64_t>(j), pair,
                                           problem.shape.d_k));
      }
      row[j] = std::exp(score / std::sqrt(static_cast<double>(problem.shape.d_k)));
      sum += row[j];
    }
    for (std::size_t j = 0; j < 4; ++j) EXPECT_NEAR(weights[i * 4 + j], row[j] / sum, 1e-5);
  }
}

TEST(PositionWeights, OfBiasesAloneAreTheirSoftmax) {
  const ComputedCase own = case_of(layer(R"("mask": {"alibi": [0.5, 2], "causal": true})"));
  const std::vector<float> weights = position_weights(own, {0, 0, 1});
  for (std::size_t i = 0; i < 4; ++i) {
    double sum = 0.0;
    for (std::size_t j = 0; j <= i; ++j) sum += std::exp(-2.0 * static_cast<double>(i - j));
    for (std::size_t j = 0; j < 4; ++j) {
      const double expected = j > i ? 0.0 : std::exp(-2.0 * static_cast<double>(i - j)) / sum;
      EXPECT_NEAR(weights[i * 4 + j], expected, 1e-6);
    }
  }
}

TEST(PositionTable, HoldsWhatIsAddedOrTurned) {
  const ComputedCase sinusoidal = case_of(layer(R"("position": {"kind": "sinusoidal"})"));
  const MadeCells table = position_table(sinusoidal.result->problem());
  EXPECT_EQ(table.rows, 4U);
  EXPECT_EQ(table.cols, 8U);
  EXPECT_FALSE(is_cut(sinusoidal.result->problem(), {}, {table.rows, table.cols}));
  EXPECT_FLOAT_EQ(table.values[3 * 8 + 0], std::sin(3.0F));
  EXPECT_FLOAT_EQ(table.values[3 * 8 + 1], std::cos(3.0F));
  EXPECT_FLOAT_EQ(table.values[2 * 8 + 2], std::sin(2.0F / 10.0F));
  const ComputedCase learned = case_of(layer(R"("position": {"kind": "learned"})"));
  const MadeCells given = position_table(learned.result->problem());
  const auto values = learned.document.position.table.values();
  ASSERT_EQ(given.values.size(), 32U);
  EXPECT_TRUE(std::equal(given.values.begin(), given.values.end(), values.begin()));
  const ComputedCase rope = case_of(layer(R"("position": {"kind": "rope"})"));
  const MadeCells turned = position_table(rope.result->problem());
  EXPECT_EQ(turned.cols, 2U);
  EXPECT_FLOAT_EQ(turned.values[3 * 2 + 0], std::cos(3.0F));
  EXPECT_FLOAT_EQ(turned.values[3 * 2 + 1], std::cos(3.0F / 100.0F));
}

TEST(PositionTable, ReachesToTheLastQueryAndTheLastKey) {
  using Extents = std::pair<std::size_t, std::size_t>;
  for (const auto& [queries, keys] : {Extents{2, 5}, Extents{5, 2}}) {
    AttentionProblem problem = test::problem_of(queries, keys);
    problem.shape.d_model = 4;
    problem.position.kind = PositionKind::Sinusoidal;
    EXPECT_EQ(position_table(problem).rows, 5U);
  }
}

TEST(PositionTable, ReachesToWhereTheOffsetPutsQueries) {
  AttentionProblem problem = test::problem_of(4, 4);
  problem.shape.d_model = 4;
  problem.shape.samples = 2;
  problem.position.kind = PositionKind::Sinusoidal;
  problem.mask.causal_offset = {1, 3};
  EXPECT_EQ(position_table(problem).rows, 7U);
  EXPECT_FALSE(is_cut(problem, {}, {7, 4}));
  problem.mask.causal_offset = {-3};
  EXPECT_EQ(position_table(problem).rows, 4U);
  problem.mask.causal_offset = {std::numeric_limits<std::int64_t>::max()};
  EXPECT_EQ(position_table(problem).rows, kMostPositionRows);
  EXPECT_TRUE(is_cut(problem, {}, {kMostPositionRows, 4}));
}

TEST(PositionTable, IsCutWhereItIsLarge) {
  AttentionProblem problem = test::problem_of(1000, 1000);
  problem.shape.d_model = 4000;
  problem.position.kind = PositionKind::Sinusoidal;
  const MadeCells table = position_table(problem);
  EXPECT_EQ(table.rows, kMostPositionRows);
  EXPECT_EQ(table.cols, kMostPositionColumns);
  EXPECT_TRUE(is_cut(problem, {}, {table.rows, table.cols}));
}

TEST(PositionsPlot, DrawsTheTableAndTheWeights) {
  for (const char* kind : {"sinusoidal", "learned", "rope"}) {
    const ComputedCase own =
        case_of(layer(R"("position": {"kind": ")" + std::string(kind) + "\"}"));
    for (const double width : {200.0, 576.0, 1200.0}) {
      PlotOptions options;
      options.width = width;
      options.at.head = 1;
      const Figure figure = test::draw("positions", own.input(), options, FixedMetrics()).value();
      std::vector<MatrixItem> maps = test::items_of<MatrixItem>(figure);
      std::erase_if(maps, [](const MatrixItem& m) { return m.row_count == 256; });
      ASSERT_EQ(maps.size(), 2U);
      EXPECT_EQ(maps[0].cells->values, position_table(own.result->problem()).values);
      EXPECT_EQ(maps[1].cells->values, position_weights(own, {0, 0, 1}));
      EXPECT_EQ(test::text_problems(figure, FixedMetrics()), "") << kind << " " << width;
    }
  }
}

TEST(PositionsPlot, SaysWhyThereIsNothing) {
  EXPECT_NE(
      nothing_positioned(case_of(layer(R"("title": "x")")).result->problem()).find("no positions"),
      std::string::npos);
  const ComputedCase given =
      case_of(R"({"tokens": ["a", "b"], "attention": [[1, 0], [0.5, 0.5]]})");
  EXPECT_NE(nothing_positioned(given.result->problem()).find("elsewhere"), std::string::npos);
  const Result<Figure> refused = test::draw("positions", given.input(), {}, FixedMetrics());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, nothing_positioned(given.result->problem()));
}

}  // namespace
}  // namespace attn
