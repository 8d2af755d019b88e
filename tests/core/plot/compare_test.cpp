// Compared scoring functions, checked against documents with each of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

#include "document/edit.h"
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

using test::computed_case;
using test::ComputedCase;
using test::FixedMetrics;

Document read(const std::string& json) {
  Result<Reading> report = read_document(json, "test");
  EXPECT_TRUE(report.ok()) << describe(report.error());
  return report.value().document;
}

Document masked_layer() {
  return read(R"({"tokens": ["a", "b", "c", "d"], "d_model": 8, "heads": 2, "seed": 5,
                  "position": {"kind": "rope"},
                  "scoring": {"softcap": 4, "temperature": 0.7, "sinks": [0.5, -1]},
                  "mask": {"causal": true, "alibi": true}})");
}

// The result of a document with that function.
std::vector<float> weights_under(const Document& document, ScoringFunction function,
                                 const HeadAddress& head) {
  Scoring scoring = document.scoring;
  scoring.function = function;
  const ComputedCase chosen = computed_case(with_scoring(document, scoring).value());
  const StageShape cells = chosen.result->stage_shape(Stage::Weights);
  std::vector<float> weights(cells.rows * cells.cols);
  chosen.result->read(Stage::Weights, head, {0, 0, cells.rows, cells.cols}, weights.data());
  return weights;
}

std::vector<float> cells_of(const Matrix& matrix) {
  const StageShape extents = matrix.extents();
  std::vector<float> cells(extents.rows * extents.cols);
  matrix.read({0, 0, extents.rows, extents.cols}, cells.data());
  return cells;
}

// The functions with their weights computed.
std::vector<ComparedFunction> all_functions(const ComputedCase& own, const HeadAddress& head) {
  PlotOptions options;
  options.at = head;
  const Derivations all = derive_all(*plot_named("compare"), own.document, own.result, options);
  return compared_functions({own.document, *own.result, &all}, head);
}

void expect_as_chosen(const Document& document) {
  const ComputedCase own = computed_case(document);
  const AttentionShape& shape = own.result->shape();
  for (std::size_t sample = 0; sample < shape.samples; ++sample) {
    for (std::size_t head = 0; head < shape.heads; ++head) {
      const HeadAddress at{0, sample, head};
      const std::vector<ComparedFunction> functions = all_functions(own, at);
      ASSERT_EQ(functions.size(), all_scoring_functions().size());
      for (const ComparedFunction& function : functions) {
        const std::vector<float> expected = weights_under(document, function.function, at);
        ASSERT_NE(function.weights, nullptr) << function.missing;
        const std::vector<float> weights = cells_of(*function.weights);
        ASSERT_EQ(weights.size(), expected.size());
        for (std::size_t i = 0; i < expected.size(); ++i) {
          EXPECT_NEAR(weights[i], expected[i], 1e-6) << function.weights->formula() << " " << i;
        }
      }
    }
  }
}

TEST(CompareFunctions, GivesWhatChoosingEachWouldGive) { expect_as_chosen(masked_layer()); }

TEST(CompareFunctions, KeepsGroupsOfHeadsAndMatricesPerHead) {
  expect_as_chosen(read(R"({"tokens": ["a", "b", "c"],
      "q": [[[1, 0], [0.5, 1], [0, 2]], [[1, 1], [0, -1], [2, 0]]],
      "k": [[[1, 0], [0, 1], [1, 1]]], "v": [[[1], [2], [3]]],
      "scoring": {"function": "general", "w": [[[1, 0.5], [0, 1]], [[-1, 2], [0.25, 1]]]},
      "mask": {"visible": [[[true, true, false], [true, true, true], [true, false, true]],
                           [[true, false, true], [false, true, true], [true, true, true]]]}})"));
}

TEST(CompareFunctions, KeepsTheMaskOfEachSampleAndHead) {
  Document document = read(R"({"tokens": [["a", "b", "c", "d"], ["e", "f", "g"]], "seed": 2,
      "d_model": 8, "heads": 2, "mask": {"causal": true, "relative_buckets":
        {"table": [[1, -1], [2, 0], [3, 0.5], [4, 2]]}}})");
  document.mask.causal_offset = {0, 1};
  document.mask.prefix = {2, 0};
  document.mask.window = Window{2, {}};
  document.mask.query_segments = {{0, 0, 1, 1}, {0, 1, 1, 1}};
  document.mask.bias = Tensor({2, 1, 1, 4}, {0.0F, 1.0F, 2.0F, 0.0F, 1.0F, 0.0F, 0.0F, 3.0F});
  expect_as_chosen(document);
}

TEST(CompareFunctions, LeavesOutWhatNeedsEqualWidths) {
  const ComputedCase wide =
      computed_case(read(R"({"tokens": ["a", "b"], "q": [[1, 0, 2], [0, 1, 1]],
      "k": [[1, 0], [0, 1]], "v": [[1], [2]], "scoring": {"function": "general"}})"));
  for (const ComparedFunction& function : all_functions(wide, {})) {
    const bool left_out = scoring_info(function.function).needs_equal_widths;
    EXPECT_EQ(function.weights == nullptr, left_out);
    EXPECT_EQ(function.missing.empty(), !left_out);
  }
}

TEST(CompareFunctions, HasNothingForFinishedWeights) {
  const ComputedCase given =
      computed_case(read(R"({"tokens": ["a", "b"], "attention": [[1, 0], [0.5, 0.5]]})"));
  EXPECT_TRUE(all_functions(given, {}).empty());
  EXPECT_NE(nothing_to_compare(given.result->problem()).find("computed elsewhere"),
            std::string::npos);
  const Result<Figure> figure = test::draw("compare", given.input(), {}, FixedMetrics());
  ASSERT_FALSE(figure);
  EXPECT_EQ(figure.error().kind, ErrorKind::Usage);
  EXPECT_EQ(figure.error().message, nothing_to_compare(given.result->problem()));
}

TEST(CompareFunctions, SaysHowLongItTakesHoweverLong) {
  test::FakeResult result(test::problem_of(3000, 3000));
  const auto zero = [](auto&, auto, auto) { return 0.0F; };
  result.with(Stage::Query, zero).with(Stage::Key, zero);
  EXPECT_EQ(nothing_to_compare(result.problem()), "");
  const Document document;
  std::map<std::string, std::uint64_t> steps;  // by label
  for (const Need& need : compare_needs({{document, result}, {}}))
    steps[need.label] += need.nanoseconds;
  EXPECT_EQ(steps.size(), all_scoring_functions().size());
  for (const auto& [label, sum] : steps) EXPECT_GT(sum, 9'000'000U) << label;
}

std::vector<MatrixItem> maps_in(const Figure& figure) {
  std::vector<MatrixItem> maps = test::items_of<MatrixItem>(figure);
  std::erase_if(maps, [](const MatrixItem& m) { return !m.origin; });  // colour bar, swatches
  return maps;
}

TEST(Compare, DrawsTheNumbersOfEveryFunctionInOneRange) {
  const ComputedCase own = computed_case(masked_layer());
  PlotOptions options;
  options.at.head = 1;
  const Figure figure = test::draw("compare", own.input(), options, FixedMetrics()).value();
  const Figure map = test::draw("heatmap", own.input(), options, FixedMetrics()).value();
  const std::vector<MatrixItem> maps = maps_in(figure);
  const std::vector<ComparedFunction> functions = all_functions(own, options.at);
  ASSERT_EQ(maps.size(), functions.size());
  for (std::size_t i = 0; i < maps.size(); ++i) {
    EXPECT_EQ(maps[i].cells->values, cells_of(*functions[i].weights));
    EXPECT_EQ(maps[i].origin, functions[i].weights->id());
    EXPECT_EQ(maps[i].scale, find_matrix(map)->scale);
    EXPECT_EQ(maps[i].cells->hidden[1], kHiddenByCausal);
  }
  EXPECT_EQ(test::text_problems(figure, FixedMetrics()), "");
}

TEST(Compare, NamesEveryFunctionWithItsFormula) {
  PlotOptions options;
  options.width = 700.0;
  const Figure figure =
      test::draw("compare", computed_case(masked_layer()).input(), options, FixedMetrics(0.3))
          .value();
  const std::vector<TextItem> texts = test::items_of<TextItem>(figure);
  const auto says = [&](std::string_view words) {
    return std::ranges::any_of(texts, [&](const TextItem& t) { return t.text == words; });
  };
  for (const ScoringFunctionInfo& info : all_scoring_functions()) EXPECT_TRUE(says(info.label));
  EXPECT_TRUE(says("QKᵀ · 0.5"));
  EXPECT_TRUE(says("vᵀ tanh(W_q q + W_k k + b)"));
}

TEST(Compare, ManyTokensKeepTheirDistance) {
  std::string tokens;
  for (int i = 0; i < 30; ++i) tokens += (i == 0 ? "\"" : ", \"") + std::string("word\"");
  const ComputedCase many = computed_case(read("[" + tokens + "]"));
  for (const double width : {200.0, 576.0, 1200.0}) {
    PlotOptions options;
    options.width = width;
    const Figure figure = test::draw("compare", many.input(), options, FixedMetrics()).value();
    EXPECT_EQ(maps_in(figure).size(), all_scoring_functions().size());
    EXPECT_EQ(test::text_problems(figure, FixedMetrics()), "") << width;
  }
}

}  // namespace
}  // namespace attn
