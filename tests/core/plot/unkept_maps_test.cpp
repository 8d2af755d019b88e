// Maps that are not materialised: plots draw them from parts, with the values of materialised maps.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <string_view>

#include "document/load/read.h"
#include "document/problem.h"
#include "engine/compute.h"
#include "plot/all_plots.h"
#include "plot/maps/heads.h"
#include "support/fake_result.h"
#include "support/figure_items.h"

namespace attn::test {
namespace {

// Counts the cells of maps that are read.
class CountingResult final : public AttentionResult {
 public:
  explicit CountingResult(ResultPtr result) : result_(std::move(result)) {}
  const AttentionProblem& problem() const override { return result_->problem(); }
  const std::vector<Stage>& stages(const HeadAddress& at) const override {
    return result_->stages(at);
  }
  void read(Stage stage, const HeadAddress& head, const CellRange& range,
            float* out) const override {
    if (stage_info(stage).token_by_token()) cells += range.rows * range.cols;
    result_->read(stage, head, range, out);
  }
  std::optional<std::uint64_t> non_finite_count(Stage stage, const HeadAddress& at) const override {
    return result_->non_finite_count(stage, at);
  }
  std::optional<Range> range(Stage stage, const HeadAddress& head) const override {
    return result_->range(stage, head);
  }
  const std::vector<ResultNote>& notes(const HeadAddress& at) const override {
    return result_->notes(at);
  }

  mutable std::atomic<std::size_t> cells = 0;

 private:
  ResultPtr result_;
};

struct TwoResults {
  Document document;
  ResultPtr kept, unkept;
};

TwoResults both_results(const std::string& json) {
  const auto report = read_document(json, "two.json", {});
  EXPECT_TRUE(report.ok());
  TwoResults two{report->document, nullptr, nullptr};
  AttentionProblem problem = make_problem(two.document);
  two.kept = *compute(problem);
  problem.most_materialised_map_bytes = 0;
  two.unkept = *compute(problem);
  EXPECT_TRUE(two.kept->range(Stage::Weights, {}));
  EXPECT_FALSE(two.unkept->range(Stage::Weights, {}));
  return two;
}

TwoResults two_heads(const std::string& more = "") {
  return both_results(
      R"({"tokens": 40, "d_model": 16, "heads": 2, "seed": 3, "mask": {"causal": true)" + more +
      "}}");
}

Figure complete(const char* plot, const TwoResults& two, const ResultPtr& result,
                const PlotOptions& options) {
  const auto figure =
      draw_complete(*plot_named(plot), two.document, result, options, FixedMetrics());
  EXPECT_TRUE(figure.ok()) << plot;
  return figure.ok() ? *figure : Figure{};
}

bool same_values(const std::vector<float>& a, const std::vector<float>& b,
                 const std::vector<HiddenRules>& hidden) {
  bool same = a.size() == b.size();
  for (std::size_t i = 0; same && i < a.size(); ++i) {
    const bool is_hidden = !hidden.empty() && hidden[i] != kVisible;
    same = is_hidden || a[i] == b[i] || (std::isnan(a[i]) && std::isnan(b[i]));
  }
  return same;
}

void expect_same(const MatrixItem& kept, const MatrixItem& unkept) {
  EXPECT_EQ(kept.cells->hidden, unkept.cells->hidden);
  EXPECT_TRUE(same_values(kept.cells->values, unkept.cells->values, kept.cells->hidden));
  EXPECT_TRUE(same_values(kept.cells->tints, unkept.cells->tints, kept.cells->hidden));
  EXPECT_EQ(kept.scale.low, unkept.scale.low);
  EXPECT_EQ(kept.scale.high, unkept.scale.high);
}

void expect_same_matrices(const char* plot, const TwoResults& two, const PlotOptions& options) {
  SCOPED_TRACE(std::string(plot) + " of " + std::string(stage_info(options.stage).name));
  const auto kept = items_of<MatrixItem>(complete(plot, two, two.kept, options));
  const auto unkept = items_of<MatrixItem>(complete(plot, two, two.unkept, options));
  ASSERT_EQ(kept.size(), unkept.size());
  ASSERT_GT(kept.size(), 0U);
  for (std::size_t i = 0; i < kept.size(); ++i) expect_same(kept[i], unkept[i]);
}

// Options under which plots read differently.
std::vector<PlotOptions> many_options() {
  std::vector<PlotOptions> all(1);
  for (const ColorSpan span :
       {ColorSpan::Unit, ColorSpan::Head, ColorSpan::Heads, ColorSpan::Rows}) {
    PlotOptions options;
    options.range = span;
    options.log = span == ColorSpan::Rows || span == ColorSpan::Head;
    options.window = {10.0, 2.0, 12.0, 6.0};
    all.push_back(options);
  }
  PlotOptions mean;
  mean.pooling = Pooling::Mean;
  mean.pixel_budget = 7;
  all.push_back(mean);
  for (const Stage stage : {Stage::Scores, Stage::Masked, Stage::Output}) {
    PlotOptions options;
    options.stage = stage;
    all.push_back(options);
  }
  for (const Compared side : {Compared::A, Compared::B}) {
    PlotOptions options;
    options.show = side;
    all.push_back(options);
  }
  return all;
}

TEST(UnkeptMaps, LookTheSameAsKeptOnes) {
  const TwoResults two = two_heads();
  for (const PlotOptions& options : many_options()) {
    if (options.pooling == Pooling::Mean) continue;  // parts keep their resolution
    expect_same_matrices("heatmap", two, options);
    expect_same_matrices("difference", two, options);
    expect_same_matrices("heads", two, options);
  }
  for (const Derived derived : {Derived::HeadMean, Derived::ValueNorm, Derived::Rollout}) {
    PlotOptions options;
    options.derived = derived;
    expect_same_matrices("derived", two, options);
  }
}

TEST(UnkeptMaps, OfEveryLayerAndSampleStandInTheirPlaces) {
  const TwoResults two = both_results(
      R"({"tokens": [["a", "b", "c"], ["d", "e", "f"]], "d_model": 8, "heads": 2, "blocks": 3})");
  PlotOptions options;
  for (const bool all_samples : {false, true}) {
    options.all_samples = all_samples;
    options.at.sample = 1;
    expect_same_matrices("heads", two, options);
  }
}

TEST(UnkeptMaps, OfWhatWouldBeHaveTheCellsOfKeptOnes) {
  const TwoResults two = two_heads(R"(, "alibi": true}, "position": {"kind": "sinusoidal")");
  PlotOptions options;
  options.at.head = 1;
  for (const char* plot : {"compare", "positions"}) {
    const auto kept = items_of<MatrixItem>(complete(plot, two, two.kept, options));
    const auto unkept = items_of<MatrixItem>(complete(plot, two, two.unkept, options));
    ASSERT_EQ(kept.size(), unkept.size()) << plot;
    for (std::size_t i = 0; i < kept.size(); ++i) {
      if (!kept[i].origin || !is_token_by_token(*kept[i].origin)) continue;
      EXPECT_EQ(kept[i].cells->hidden, unkept[i].cells->hidden) << plot;
      EXPECT_TRUE(
          same_values(kept[i].cells->values, unkept[i].cells->values, kept[i].cells->hidden))
          << plot;
    }
  }
}

TEST(UnkeptMaps, AreNotReadWhileAPlotDraws) {
  const TwoResults two = two_heads();
  const auto counting = std::make_shared<CountingResult>(two.unkept);
  for (const PlotEntry& plot : all_plots()) {
    for (PlotOptions options : many_options()) {
      for (const Derived derived : {Derived::HeadMean, Derived::ValueNorm}) {
        options.derived = derived;
        const Derivations known = derive_all(plot, two.document, counting, options);
        const Derivations nothing;
        counting->cells = 0;
        for (const Derivations* derivations : {&known, &nothing}) {
          const auto figure =
              draw_plot(plot, {two.document, *counting, derivations}, options, FixedMetrics());
          EXPECT_EQ(counting->cells, 0U) << plot.name;
        }
      }
    }
  }
}

TEST(UnkeptMaps, AreRefusedUntilSomethingIsKnownOfThem) {
  const TwoResults two = two_heads();
  const Derivations nothing;
  for (const char* plot : {"heatmap", "heads", "difference", "derived"}) {
    const auto figure =
        draw_plot(*plot_named(plot), {two.document, *two.unkept, &nothing}, {}, FixedMetrics());
    ASSERT_FALSE(figure.ok()) << plot;
    EXPECT_NE(figure.error().message.find("not computed yet"), std::string::npos) << plot;
  }
}

TEST(UnkeptMaps, CloseUpShowsTheHeadsCells) {
  const TwoResults two = two_heads();
  const PlotEntry& plot = *plot_named("heads");
  const Derivations known = derive_all(plot, two.document, two.unkept, {});
  const PlotInput input{two.document, *two.unkept, &known};
  const Figure heads = draw_plot(plot, input, {}, FixedMetrics()).value();
  const HitId second = HeadHit{{0, 0, 1}};
  const Figure over = heads_hover({input, {}, FixedMetrics()}, heads, second,
                                  {0.0, 0.0, heads.width, heads.height});
  const MatrixItem item = items_of<MatrixItem>(over).front();
  std::vector<float> cells(40 * 40);
  two.kept->read(Stage::Weights, {0, 0, 1}, {0, 0, 40, 40}, cells.data());
  EXPECT_EQ(item.cells->values[30 * 40 + 7], cells[30 * 40 + 7]);
  const Derivations nothing;
  EXPECT_TRUE(heads_hover({{two.document, *two.unkept, &nothing}, {}, FixedMetrics()}, heads,
                          second, {0.0, 0.0, heads.width, heads.height})
                  .items.empty());
}

// --- sequences that are too long for tests to read ---------------------------------------------

class LongResult final : public AttentionResult {
 public:
  explicit LongResult(std::size_t layers, std::size_t heads) {
    problem_.shape.layers = layers;
    problem_.shape.heads = problem_.shape.kv_heads = heads;
    problem_.shape.samples = 1;
    problem_.shape.n_q = problem_.shape.n_k = 60'000;
    problem_.shape.d_k = problem_.shape.d_v = 64;
  }
  const AttentionProblem& problem() const override { return problem_; }
  const std::vector<Stage>& stages(const HeadAddress& /*at*/) const override { return stages_; }
  void read(Stage, const HeadAddress&, const CellRange& range, float* out) const override {
    std::fill_n(out, range.rows * range.cols, 0.5F);
  }
  std::optional<std::uint64_t> non_finite_count(Stage, const HeadAddress&) const override {
    return std::nullopt;
  }
  std::optional<Range> range(Stage, const HeadAddress&) const override { return std::nullopt; }

 private:
  AttentionProblem problem_;
  std::vector<Stage> stages_{Stage::Weights};
};

TEST(UnkeptMaps, OfManyHeadsComeWithSomeRowsFirst) {
  const std::vector<Need> few = head_map_needs({{Document(), LongResult(1, 12)}, {}});
  ASSERT_EQ(few.size(), 13U);
  EXPECT_TRUE(few[0].awaited);
  EXPECT_LE(few[0].nanoseconds, 300'000'000U);
  for (std::size_t i = 1; i < few.size(); ++i) EXPECT_FALSE(few[i].awaited);
  const std::vector<Need> many = head_map_needs({{Document(), LongResult(12, 12)}, {}});
  EXPECT_EQ(many.size(), 49U) << "three heads at a time";
}

TEST(UnkeptMaps, HaveExactRangesInFilesAlone) {
  const LongResult result(1, 2);
  const Document document;
  PlotOptions options;
  options.histogram = true;
  options.range = ColorSpan::Head;
  std::size_t for_files = 0, for_all = 0;
  for (const Need& need : plot_named("heatmap")->needs({{document, result}, options})) {
    const bool is_range = need.label == "Range of the colours" || need.label.starts_with("Hist");
    if (!is_range) continue;
    (need.only_for_files ? for_files : for_all) += 1;
    EXPECT_EQ(need.nanoseconds > 5'000'000'000U, need.only_for_files);
    EXPECT_EQ(need.nanoseconds < 600'000'000U, !need.only_for_files);
  }
  EXPECT_EQ(for_files, 1U) << "of the range and the histogram";
  EXPECT_EQ(for_all, 1U);
}

TEST(UnkeptMaps, SayOfHowManyRowsRangeAndHistogramAre) {
  const LongResult result(1, 1);
  Document document;
  document.query_tokens = {TokenList(60'000, "word")};
  PlotOptions options;
  options.histogram = true;
  options.range = ColorSpan::Head;
  options.width = options.height = 3000.0;
  Derivations known;
  const PlotInput input{document, result, &known};
  for (const Need& need : plot_named("heatmap")->needs({{document, result}, options})) {
    if (need.only_for_files || need.label == "Map") continue;
    known.keep(need.key, need.derive({document, borrowed(result)}));
  }
  const auto figure = draw_plot(*plot_named("heatmap"), input, options, FixedMetrics());
  ASSERT_TRUE(figure.ok());
  EXPECT_TRUE(says(*figure, "59 of 60,000 rows so far"));
  EXPECT_TRUE(says(*figure, "1,017 of 60,000 rows so far"));
}

TEST(UnkeptMaps, SomeRowsStandForAllInAThumbnail) {
  PooledPart map;
  map.range = {0, 0, 8, 4};
  map.rows_read = 2;
  map.cells = {2, 4, 4, 1, {1, 2, 3, 4, 5, 6, 7, 8}, std::vector<std::uint8_t>(8)};
  const PooledCells cells =
      with_steps(map.cells, {map.range.rows, map.range.cols}, 2, 2, Pooling::Maximum);
  EXPECT_EQ(cells.values, (std::vector<float>{2, 4, 2, 4, 6, 8, 6, 8}));
  EXPECT_EQ(with_steps(map.cells, {map.range.rows, map.range.cols}, 2, 2, Pooling::Mean).values,
            (std::vector<float>{1.5, 3.5, 1.5, 3.5, 5.5, 7.5, 5.5, 7.5}));
}

TEST(UnkeptMaps, ThumbnailsShowTheRulesThatAllCellsUnderAPointShare) {
  constexpr std::uint8_t kBoth = kHiddenByKeyPadding | kHiddenByCausal;
  const PooledCells cells{
      2, 2, 1, 1, {1, 2, 3, 4}, {kBoth, kHiddenByCausal, kBoth, kHiddenByCausal}};
  EXPECT_EQ(with_steps(cells, {2, 2}, 2, 2, Pooling::Maximum).hidden,
            std::vector<std::uint8_t>{kHiddenByCausal})
      << "as in maps that are materialised";
}

struct LongFile {
  Document document =
      read_document(R"({"tokens": 131072, "d_model": 2, "heads": 1, "mask": {"causal": true}})",
                    "long", {})
          .value()
          .document;
  ResultPtr result = *compute(make_problem(document));

  std::vector<Need> needs(std::string_view plot, PlotOptions options) const {
    options.dots_per_unit = 4.0;
    return needs_of(*plot_named(plot), {document, *result}, options);
  }
};

TEST(LongFiles, HaveAsManyRowsAsAMinuteAffords) {
  const LongFile file;
  for (const char* plot : {"links", "measures", "distances", "distribution"}) {
    EXPECT_EQ(file.needs(plot, {}).size(), 1U) << plot;
  }
  for (const PlotEntry& plot : all_plots()) {
    if (plot.name == "derived") continue;  // needs all rows
    for (const Need& need : file.needs(plot.name, {})) {
      if (need.label.starts_with("Maps")) continue;  // exact, by a faster way
      EXPECT_LE(need.nanoseconds, 61'000'000'000U) << need.label;
    }
  }
}

TEST(LongFiles, APartUnderGivenColoursCostsWhatThePartDoes) {
  const LongFile file;
  PlotOptions options;
  options.window = {1000.0, 900.0, 6.0, 6.0};
  EXPECT_GT(file.needs("heatmap", options).size(), 2U);
  options.histogram = options.overview = false;
  const auto steps_of_all = [&] {
    std::uint64_t steps = 0;
    for (const Need& need : file.needs("heatmap", options)) steps += need.nanoseconds;
    return steps;
  };
  options.range = ColorSpan::Unit;
  EXPECT_LT(steps_of_all(), 200'000'000U) << "weights are from 0 to 1";
  options.range = ColorSpan::Automatic;
  options.range_low = 0.0;
  options.range_high = 1.0;
  EXPECT_LT(steps_of_all(), 200'000'000U);
  const Result<Figure> figure = [&] {
    options.dots_per_unit = 4.0;
    return draw_complete(*plot_named("heatmap"), file.document, file.result, options,
                         FixedMetrics());
  }();
  ASSERT_TRUE(figure.ok()) << describe(figure.error());
  const MatrixItem* matrix = find_matrix(*figure);
  ASSERT_NE(matrix, nullptr);
  std::vector<float> cells(36);
  file.result->read(Stage::Weights, {}, {1000, 900, 6, 6}, cells.data());
  EXPECT_EQ(matrix->cells->values, cells);
}

}  // namespace
}  // namespace attn::test
