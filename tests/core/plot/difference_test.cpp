// Figure of the difference of two matrices: cells, list, texts, either side instead, errors.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/number_text.h"
#include "lesson/concealed.h"
#include "plot/kit/names.h"
#include "plot/maps/maps.h"
#include "support/golden.h"
#include "tests/core/plot/computed_case.h"
#include "tests/support/fake_result.h"
#include "tests/support/figure_items.h"

namespace attn {
namespace {

using test::ComputedCase;
using test::FixedMetrics;
using test::says;

constexpr const char* kTwoHeads = R"({"title": "Two heads", "tokens": ["I", "love", "cats"],
  "q": [[[1, 0], [0, 1], [1, 1]], [[2, 0], [0, 2], [1, 0]]],
  "k": [[[1, 0], [0, 1], [0.5, 0.5]], [[1, 1], [0, 1], [1, 0]]],
  "v": [[[1, 0], [0, 1], [0.5, 0.5]], [[3, 0], [0, 3], [1, 2]]]})";

ComputedCase two_heads() {
  return test::computed_case(read_document(kTwoHeads, "two_heads").value().document);
}

ReferencePtr reference_to(const ComputedCase& other, const std::string& remark = "") {
  return std::make_shared<const Reference>(
      Reference{"1", "b.attn.json", remark, "", std::make_shared<const Document>(other.document),
                other.result});
}

Result<Figure> drawn(const ComputedCase& shown, const PlotOptions& options) {
  return test::draw("difference", shown.input(), options, FixedMetrics());
}

PlotOptions compared_with(const ComputedCase& other, const std::string& remark = "") {
  PlotOptions options;
  options.reference = reference_to(other, remark);
  return options;
}

const MatrixItem& map_in(const Figure& figure) { return *find_matrix(figure); }

void expect_cells(const Figure& figure, const AttentionResult& a, const HeadAddress& at_a,
                  const AttentionResult& b, const HeadAddress& at_b, Stage stage) {
  const MatrixCells& cells = *map_in(figure).cells;
  for (std::size_t i = 0; i < cells.values.size(); ++i) {
    const std::size_t row = i / cells.cols, col = i % cells.cols;
    EXPECT_EQ(cells.values[i], a.value(stage, at_a, row, col) - b.value(stage, at_b, row, col));
  }
}

TEST(DifferencePlot, OfAFileReadsAllRowsForItsColours) {
  const ComputedCase shown = test::computed_case(
      read_document(R"({"tokens": 700, "heads": 2, "d_model": 4})", "long").value().document);
  PlotOptions options;
  options.dots_per_unit = 1.0;
  const Figure figure = drawn(shown, options).value();
  EXPECT_FALSE(says(figure, "so far"));
  EXPECT_TRUE(says(figure, "largest magnitude of"));
}

TEST(DifferencePlot, IsOfTheNextHeadUnlessSaidOtherwise) {
  const ComputedCase shown = two_heads();
  const Figure figure = drawn(shown, {}).value();
  expect_cells(figure, *shown.result, {0, 0, 0}, *shown.result, {0, 0, 1}, Stage::Weights);
  EXPECT_TRUE(says(figure, "A − B: Weights, head 1 of 2 minus Weights, head 2 of 2"));
  const MatrixItem& map = map_in(figure);
  EXPECT_EQ(map.scale.low, -map.scale.high) << "zero stands in the middle";
  EXPECT_TRUE(map.scale.map->diverging);
  EXPECT_TRUE(says(figure, "Difference"));
}

TEST(DifferencePlot, ListsTheLargestChangesWithTheirNumbersAndCells) {
  const ComputedCase shown = two_heads();
  PlotOptions options;
  options.changes = 3;
  const Figure figure = drawn(shown, options).value();
  std::vector<std::tuple<float, std::size_t, std::size_t>> changes;
  for (std::size_t row = 0; row < 3; ++row) {
    for (std::size_t col = 0; col < 3; ++col) {
      const float by = shown.result->value(Stage::Weights, {}, row, col) -
                       shown.result->value(Stage::Weights, {0, 0, 1}, row, col);
      changes.emplace_back(-std::abs(by), row, col);
    }
  }
  std::ranges::sort(changes);
  std::vector<std::pair<std::size_t, std::size_t>> hits;
  for (const FigureItem& item : figure.items) {
    const auto* area = std::get_if<RectItem>(&item);
    if (area == nullptr) continue;
    if (const auto* cell = std::get_if<CellHit>(&area->hit))
      hits.emplace_back(cell->row, cell->col);
  }
  ASSERT_EQ(hits.size(), 3U);
  const char* tokens[] = {"I", "love", "cats"};
  for (std::size_t i = 0; i < 3; ++i) {
    const auto [size, row, col] = changes[i];
    EXPECT_EQ(hits[i], std::pair(row, col)) << i;
    EXPECT_TRUE(says(figure, std::string(tokens[row]) + " → " + tokens[col]));
    EXPECT_TRUE(says(figure, fixed_text(static_cast<double>(-size), 3)));
  }
  const auto changed =
      std::ranges::count_if(changes, [](const auto& change) { return std::get<0>(change) < 0.0F; });
  EXPECT_TRUE(says(
      figure, std::to_string(changed) + " of 9 cells differ; the largest changes, from B to A:"));
}

TEST(DifferencePlot, LeavesOutWhatIsConcealed) {
  ComputedCase of = test::computed_case(read_document(kTwoHeads, "two").value().document);
  of.result = concealed(of.result, {{Stage::Weights, {}, {0, 0, 1, 3}}});
  const Figure figure = drawn(of, {}).value();
  EXPECT_TRUE(says(figure, "of 6 cells"));
  EXPECT_TRUE(says(figure, "3 cells are concealed until the guess."));
  of.result = concealed(of.result, {{Stage::Weights, {}, {0, 0, 3, 3}}});
  EXPECT_TRUE(says(drawn(of, {}).value(), "There are no cells to compare"));
}

TEST(DifferencePlot, SaysWhichOfTwoMasksHides) {
  const auto masked = [](const std::string& mask) {
    std::string text = kTwoHeads;
    text.back() = ',';
    return test::computed_case(
        read_document(text + R"("mask": )" + mask + "}", "masked").value().document);
  };
  const ComputedCase causal = masked(R"({"causal": true})"), all = masked("{}");
  const ComputedCase past = masked(R"({"visible": [[true, false, false], [true, true, true],
                                                   [false, true, true]]})");
  const auto said = [](const ComputedCase& a, const ComputedCase& b) {
    PlotOptions options = compared_with(b);
    options.stage = Stage::Masked;
    return drawn(a, options).value();
  };
  EXPECT_TRUE(says(said(causal, all), "hidden in A only"));
  EXPECT_TRUE(says(said(all, causal), "hidden in B only"));
  EXPECT_TRUE(says(said(causal, past), "−inf: hidden in A only; inf: hidden in B only"));
}

TEST(DifferencePlot, TakesStagesLayersSamplesAndHeadsAsB) {
  const ComputedCase shown = test::computed_example("transformer-blocks");
  PlotOptions options;
  options.at.layer = 1;
  options.minus_layer = 0;
  const Figure layers = drawn(shown, options).value();
  expect_cells(layers, *shown.result, {1, 0, 0}, *shown.result, {0, 0, 0}, Stage::Weights);
  options = {};
  options.stage = Stage::Scaled;
  options.minus_stage = Stage::Scores;
  const Figure stages = drawn(shown, options).value();
  EXPECT_EQ(map_in(stages).cells->values[1], shown.result->value(Stage::Scaled, {}, 0, 1) -
                                                 shown.result->value(Stage::Scores, {}, 0, 1));
}

TEST(DifferencePlot, OfAReferenceSaysWhoseAndWhatBecameOfIt) {
  const ComputedCase shown = two_heads();
  Document other = shown.document;
  other.mask.causal = true;
  const ComputedCase before = test::computed_case(other);
  const Figure figure = drawn(shown, compared_with(before, "it was closed since")).value();
  expect_cells(figure, *shown.result, {}, *before.result, {}, Stage::Weights);
  EXPECT_TRUE(says(figure, "minus the same of b.attn.json"));
  EXPECT_TRUE(says(figure, "b.attn.json: it was closed since"));
  const Figure same = drawn(shown, compared_with(shown)).value();
  EXPECT_TRUE(says(same, "A and B are the same in all 9 cells"));
}

TEST(DifferencePlot, FlipsBetweenAAndBInPlaceAndWithOneRange) {
  const ComputedCase shown = two_heads();
  PlotOptions options;
  options.stage = Stage::Scores;
  options.show = Compared::A;
  const Figure a = drawn(shown, options).value();
  options.show = Compared::B;
  const Figure b = drawn(shown, options).value();
  EXPECT_EQ(map_in(a).rect.x, map_in(b).rect.x);
  EXPECT_EQ(map_in(a).rect.width, map_in(b).rect.width);
  EXPECT_EQ(map_in(a).scale.low, map_in(b).scale.low);
  EXPECT_EQ(map_in(a).scale.high, map_in(b).scale.high);
  EXPECT_EQ(map_in(a).cells->values[1], shown.result->value(Stage::Scores, {}, 0, 1));
  EXPECT_EQ(map_in(b).cells->values[1], shown.result->value(Stage::Scores, {0, 0, 1}, 0, 1));
  EXPECT_TRUE(says(a, "A: Scores, head 1 of 2"));
  EXPECT_TRUE(says(b, "B: Scores, head 2 of 2"));
}

TEST(DifferencePlot, RefusesWhatCannotBeCompared) {
  const ComputedCase shown = two_heads();
  PlotOptions options;
  options.minus = MinusFrom::Reference;
  EXPECT_EQ(drawn(shown, options).error().message, "there is no reference to compare with");
  const ComputedCase long_one =
      test::computed_case(read_document(R"(["a", "b", "c", "d"])", "x").value().document);
  const Error extents = drawn(shown, compared_with(long_one)).error();
  EXPECT_EQ(extents.found, "(3, 3) and (4, 4)");
  options = {};
  options.minus_head = 2;
  EXPECT_EQ(drawn(shown, options).error().found, "2");
  options = {};
  options.minus_stage = Stage::Projected;
  EXPECT_EQ(drawn(shown, options).error().message, "B has no such stage");
  const ComputedCase one = test::computed_case(
      read_document(R"({"q": [[1]], "k": [[1]], "v": [[1]]})", "x").value().document);
  EXPECT_NE(drawn(one, {}).error().message.find("nothing to subtract"), std::string::npos);
}

TEST(DifferencePlot, CellsAreSaidInWords) {
  const ComputedCase shown = two_heads();
  const PlotEntry& plot = *plot_named("difference");
  const Derivations all = derive_all(plot, shown.document, shown.result, {});
  const PlotInput input{shown.document, *shown.result, &all};
  const Figure figure = draw_plot(plot, input, {}, FixedMetrics()).value();
  const CellHit cell{*map_in(figure).origin, 0, 2};
  const float by = map_in(figure).cells->values[2];
  EXPECT_EQ(cell_sentence(input, cell),
            "“I” (query 1) takes " + fixed_text(100.0 * std::abs(static_cast<double>(by)), 1) +
                " percentage points " + (by > 0 ? "more" : "less") +
                " from “cats” (key 3) in A than in B, head 1");
}

}  // namespace
}  // namespace attn
