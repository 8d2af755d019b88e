// Bars and boxes of the dimensions plot, compared with the shapes of tensors.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "document/load/open.h"
#include "document/load/read.h"
#include "document/problem.h"
#include "engine/compute.h"
#include "plot/charts/charts.h"
#include "tests/core/plot/text_boxes.h"
#include "tests/support/fake_result.h"
#include "tests/support/figure_items.h"
#include "tests/support/golden.h"

namespace attn {
namespace {

using test::FakeResult;
using test::FixedMetrics;
using test::has_text;
using test::items_of;

float zero(const HeadAddress&, std::size_t, std::size_t) { return 0.0F; }

struct SourceCase {
  Document document;
  FakeResult result;
  PlotInput input() const { return {document, result}; }
};

Tensor embeddings(std::size_t samples, std::size_t n, std::size_t width) {
  return Tensor({samples, n, width}, std::vector<float>(samples * n * width));
}

// A problem with every stage of the source, with extents that all differ.
SourceCase case_of(const ProblemKind& kind, bool cross, std::size_t heads = 4,
                   std::size_t kv_heads = 2, std::size_t samples = 1) {
  AttentionProblem problem;
  problem.kind = &kind;
  AttentionShape& s = problem.shape;
  s.samples = samples;
  s.heads = heads;
  s.kv_heads = kv_heads;
  s.n_q = 11;
  s.n_k = cross ? 13 : 11;
  Document document;
  document.title = "Shapes";
  document.cross = cross;
  if (&kind == &kWeightsProblems) {
    return {document, FakeResult(problem).with(Stage::Weights, zero)};
  }
  s.d_k = 6;
  s.d_v = 7;
  const bool projected = &kind == &kLayerProblems;
  if (projected) {
    s.d_model = 24;
    s.d_out = 26;
    problem.query_embeddings = embeddings(samples, s.n_q, 24);
    problem.key_embeddings = embeddings(samples, s.n_k, cross ? 25 : 24);
  }
  FakeResult result(problem);
  for (const Stage stage : {Stage::Query, Stage::Key, Stage::Value, Stage::Scores, Stage::Scaled,
                            Stage::Masked, Stage::Weights, Stage::Output}) {
    result.with(stage, zero);
  }
  if (projected) result.with(Stage::Concat, zero).with(Stage::Projected, zero);
  return {document, std::move(result)};
}

const FlowBox* box_of(const std::vector<FlowColumn>& columns, std::string_view title) {
  for (const FlowColumn& column : columns) {
    for (const FlowBox& box : column) {
      if (box.title == title) return &box;
    }
  }
  return nullptr;
}

const FigureTheme& paper_theme() { return figure_theme(ThemeKind::Paper); }

// The values drawn over the bars of one tensor, left to right.
std::vector<std::string> bar_values(const Figure& figure, const TensorHit& tensor) {
  std::vector<std::pair<double, std::string>> found;
  for (const TextItem& text : items_of<TextItem>(figure)) {
    const bool number = text.text.find_first_not_of("0123456789") == std::string::npos;
    if (number && text.hit == hit_of(tensor)) found.emplace_back(text.anchor.x, text.text);
  }
  std::sort(found.begin(), found.end());
  std::vector<std::string> values;
  for (auto& [x, value] : found) values.push_back(value);
  return values;
}

using Strings = std::vector<std::string>;

TEST(DimensionBars, CarryLengthAndFeatureDimensionOfEachTensor) {
  const SourceCase c = case_of(kQkvProblems, true);
  const Figure figure = dimension_bars({c.input(), {}, FixedMetrics()});
  EXPECT_EQ(bar_values(figure, StageHit{Stage::Query}), (Strings{"11", "6"}));
  EXPECT_EQ(bar_values(figure, StageHit{Stage::Key}), (Strings{"13", "6"}));
  EXPECT_EQ(bar_values(figure, StageHit{Stage::Value}), (Strings{"13", "7"}));
  EXPECT_EQ(bar_values(figure, StageHit{Stage::Output}), (Strings{"11", "7"}));
  for (const char* title : {"Q", "K", "V", "Output"}) EXPECT_TRUE(has_text(figure, title));
}

TEST(DimensionBars, TheProjectedOutputHasBarsOfItsOwnName) {
  const SourceCase c = case_of(kLayerProblems, false);
  const Figure figure = dimension_bars({c.input(), {}, FixedMetrics()});
  EXPECT_EQ(bar_values(figure, StageHit{Stage::Projected}), (Strings{"11", "26"}));
  EXPECT_EQ(bar_values(figure, StageHit{Stage::Output}), (Strings{"11", "7"}));
  EXPECT_TRUE(has_text(figure, "Output"));
  EXPECT_TRUE(has_text(figure, "Projected"));
}

TEST(Flow, TheOutputsBiasIsNamedOnlyWhereThereIsOne) {
  const SourceCase without = case_of(kLayerProblems, false);
  const FigureTheme& theme = figure_theme(ThemeKind::Paper);
  EXPECT_EQ(box_of(flow_of(without.input(), theme), "Projected")->formula, "concat · W_O");
  AttentionProblem problem = without.result.problem();
  problem.projections.b_o = Tensor({26}, std::vector<float>(26));
  const FakeResult result = FakeResult(problem).with(Stage::Projected, zero);
  EXPECT_EQ(box_of(flow_of({without.document, result}, theme), "Projected")->formula,
            stage_info(Stage::Projected).formula);
}

TEST(DimensionBars, HeightsAreInProportion) {
  const SourceCase c = case_of(kQkvProblems, true);
  const Figure figure = dimension_bars({c.input(), {}, FixedMetrics()});
  std::vector<double> heights;
  for (const RectItem& rect : items_of<RectItem>(figure)) {
    if (rect.hit == HitId(StageHit{Stage::Key})) heights.push_back(rect.rect.height);
  }
  ASSERT_EQ(heights.size(), 2U);
  EXPECT_NEAR(heights[0] / heights[1], 13.0 / 6.0, 1e-6);
}

TEST(DimensionBars, GivenWeightsHaveOnlyLengths) {
  const SourceCase c = case_of(kWeightsProblems, true);
  const Figure figure = dimension_bars({c.input(), {}, FixedMetrics()});
  EXPECT_EQ(bar_values(figure, StageHit{Stage::Weights}), (Strings{"11", "13"}));
  EXPECT_FALSE(has_text(figure, "feature dimension"));
}

TEST(Flow, FollowsTheComputationFromEmbeddings) {
  const SourceCase c = case_of(kLayerProblems, false, 4, 4);
  const auto columns = flow_of(c.input(), paper_theme());
  Strings titles;
  for (const FlowColumn& column : columns) {
    for (const FlowBox& box : column) titles.push_back(box.title);
  }
  EXPECT_EQ(titles, (Strings{"X", "Q", "K", "V", "Scores", "Scaled", "Masked", "Weights", "Output",
                             "Concat", "Projected"}));
  EXPECT_EQ(columns[1].size(), 3U);
  EXPECT_EQ(box_of(columns, "X")->symbols, "(n, d_model)");
  EXPECT_EQ(box_of(columns, "X")->extents, "(11, 24)");
  EXPECT_EQ(box_of(columns, "Q")->symbols, "(h, n, d_k)");
  EXPECT_EQ(box_of(columns, "Q")->extents, "(4, 11, 6)");
  EXPECT_EQ(box_of(columns, "Scores")->symbols, "(h, n_q, n_k)");
  EXPECT_EQ(box_of(columns, "Concat")->extents, "(11, 28)");
  EXPECT_EQ(box_of(columns, "Projected")->symbols, "(n, d_out)");
}

TEST(Flow, QueriesKeysAndValuesNameTheirProjections) {
  SourceCase c = case_of(kLayerProblems, false);
  EXPECT_EQ(box_of(flow_of(c.input(), paper_theme()), "Q")->formula, "");
  AttentionProblem problem = c.result.problem();
  problem.projections.w_k = Tensor({24, 6}, std::vector<float>(144));
  const FakeResult result = FakeResult(problem).with(Stage::Key, zero);
  EXPECT_EQ(box_of(flow_of({c.document, result}, paper_theme()), "K")->formula, "W_K (24, 6)");
}

TEST(Flow, CrossAttentionTellsTheLengthsApart) {
  const SourceCase c = case_of(kLayerProblems, true);
  const auto columns = flow_of(c.input(), paper_theme());
  EXPECT_EQ(box_of(columns, "X (queries)")->symbols, "(n_q, d_model)");
  EXPECT_EQ(box_of(columns, "X (keys)")->extents, "(13, 25)");
  EXPECT_EQ(box_of(columns, "Scores")->extents, "(4, 11, 13)");
  EXPECT_EQ(box_of(columns, "Output")->symbols, "(h, n_q, d_v)");
}

TEST(Flow, GroupedQueriesShowTheirKeyValueHeads) {
  const SourceCase c = case_of(kQkvProblems, false, 4, 2);
  const auto columns = flow_of(c.input(), paper_theme());
  EXPECT_EQ(box_of(columns, "Q")->extents, "(4, 11, 6)");
  EXPECT_EQ(box_of(columns, "K")->symbols, "(h_kv, n, d_k)");
  EXPECT_EQ(box_of(columns, "K")->extents, "(2, 11, 6)");
  EXPECT_EQ(box_of(columns, "V")->extents, "(2, 11, 7)");
  EXPECT_EQ(columns.front().front().title, "Q");
}

TEST(Flow, SamplesAreAnAxisWhereThereAreSeveral) {
  const SourceCase c = case_of(kQkvProblems, false, 4, 4, 3);
  const auto columns = flow_of(c.input(), paper_theme());
  EXPECT_EQ(box_of(columns, "Weights")->symbols, "(samples, h, n_q, n_k)");
  EXPECT_EQ(box_of(columns, "Weights")->extents, "(3, 4, 11, 11)");
}

TEST(Flow, GivenWeightsAreOneBox) {
  const SourceCase c = case_of(kWeightsProblems, true);
  const auto columns = flow_of(c.input(), paper_theme());
  ASSERT_EQ(columns.size(), 1U);
  EXPECT_EQ(columns[0][0].title, "Weights");
  EXPECT_EQ(columns[0][0].formula, "given");
  EXPECT_EQ(columns[0][0].extents, "(4, 11, 13)");
}

TEST(Flow, ScalingIsWrittenAsTheDocumentsScoringFunctionHasIt) {
  const SourceCase c = case_of(kQkvProblems, false);
  AttentionProblem problem = c.result.problem();
  problem.scoring.function = ScoringFunction::Additive;
  problem.scoring.scale = 0.5F;
  const FakeResult result = FakeResult(problem).with(Stage::Scaled, zero);
  EXPECT_EQ(box_of(flow_of({c.document, result}, paper_theme()), "Scaled")->formula,
            formula_of(problem, Stage::Scaled));
}

// "from → to" for every pair of boxes in neighbouring columns joined by an arrow.
Strings links_of(const std::vector<FlowColumn>& columns) {
  Strings links;
  for (std::size_t c = 0; c + 1 < columns.size(); ++c) {
    for (std::size_t from = 0; from < columns[c].size(); ++from) {
      for (const FlowBox& to : columns[c + 1]) {
        if (feeds(columns[c], from, to)) links.push_back(columns[c][from].title + " → " + to.title);
      }
    }
  }
  return links;
}

Strings links_of_text(const std::string& json) {
  const Document document = read_document(json, "test").value().document;
  const ResultPtr result = compute(make_problem(document)).value();
  return links_of(flow_of({document, *result}, paper_theme()));
}

TEST(FlowLinks, GoFromEmbeddingsThroughTheAttention) {
  EXPECT_EQ(links_of_text(R"({"tokens": ["a", "b"]})"),
            (Strings{"X → Q", "X → K", "X → V", "Q → Scores", "K → Scores", "Scores → Scaled",
                     "Scaled → Masked", "Masked → Weights", "Weights → Output", "Output → Concat",
                     "Concat → Projected"}));
}

TEST(FlowLinks, KeysOfAnotherSequenceMakeKeysAndValues) {
  const Strings links =
      links_of_text(R"({"query_tokens": ["a"], "key_tokens": ["b", "c"], "position": "rope"})");
  EXPECT_EQ(Strings(links.begin(), links.begin() + 7),
            (Strings{"X (queries) → Q", "X (keys) → K", "X (keys) → V", "Q → Rotated query",
                     "K → Rotated key", "Rotated query → Scores", "Rotated key → Scores"}));
}

TEST(FlowLinks, ADecoderAttendsToItselfAndThenToItsKeys) {
  const Strings links = links_of_text(R"({"query_tokens": ["a"], "key_tokens": ["b", "c"],
      "blocks": 1, "norms": {"order": "pre"}})");
  const Strings attention = {"Q → Scores",      "K → Scores",        "Scores → Scaled",
                             "Scaled → Masked", "Masked → Weights",  "Weights → Output",
                             "Output → Concat", "Concat → Projected"};
  Strings wanted = {"X (queries) → Block input", "Block input → Attention norm",
                    "Attention norm → Q", "Attention norm → K", "Attention norm → V"};
  wanted.insert(wanted.end(), attention.begin(), attention.end());
  wanted.insert(wanted.end(),
                {"Projected → Attention residual", "Attention residual → Cross-attention norm",
                 "Cross-attention norm → Q", "X (keys) → K", "X (keys) → V"});
  wanted.insert(wanted.end(), attention.begin(), attention.end());
  wanted.push_back("Projected → Cross-attention residual");
  ASSERT_GT(links.size(), wanted.size());
  EXPECT_EQ(Strings(links.begin(), links.begin() + std::ssize(wanted)), wanted);
}

TEST(FlowLinks, ValuesOfTheirOwnMakeOnlyValues) {
  const Strings links = links_of_text(
      R"({"query_embeddings": [[1, 2]], "key_embeddings": [[1, 2]], "value_embeddings": [[3, 4]]})");
  EXPECT_EQ(Strings(links.begin(), links.begin() + 3),
            (Strings{"X (queries) → Q", "X (keys) → K", "X (values) → V"}));
}

TEST(FlowLinks, AGateIsMadeBesideWhatItOpens) {
  const Strings links = links_of_text(
      R"({"tokens": ["a", "b"], "d_model": 4, "heads": 1, "norms": {"order": "pre"},
          "blocks": [{"feed_forward": {"activation": "swiglu", "d_ff": 8}}]})");
  const auto hidden = std::ranges::find(links, "Feed-forward norm → Hidden");
  ASSERT_GE(links.end() - hidden, 4);
  EXPECT_EQ(Strings(hidden, hidden + 4),
            (Strings{"Feed-forward norm → Hidden", "Feed-forward norm → Gate", "Hidden → Activated",
                     "Gate → Activated"}));
}

std::string recurrent_text(const std::string& asks) {
  return R"({"query_tokens": ["a", "b"], "key_tokens": ["c", "d", "e"], "d_model": 3,
             "recurrent": {"cell": "lstm", "hidden": 4, "asks": ")" +
         asks + R"("}})";
}

TEST(FlowLinks, OfARecurrentModelEndWhereADecoderBeginsAgain) {
  EXPECT_EQ(links_of_text(recurrent_text("previous")),
            (Strings{"X (queries) → Q", "X (keys) → K", "X (keys) → V", "X (keys) → Encoder memory",
                     "Q → Scores", "K → Scores", "Scores → Scaled", "Scaled → Masked",
                     "Masked → Weights", "Weights → Output", "Output → Decoder state",
                     "Output → Decoder memory", "Decoder state → Decoder output",
                     "State without attention → Output without attention"}));
}

TEST(FlowLinks, AStateThatAsksIsNotMadeFromItsContext) {
  const Strings links = links_of_text(recurrent_text("current"));
  EXPECT_EQ(
      Strings(links.begin() + 9, links.end()),
      (Strings{"Weights → Output", "Output → Decoder output", "Decoder state → Decoder output",
               "State without attention → Output without attention"}));
}

TEST(ShapeFlow, EveryBoxIsHitAndTheHighlightedOneStandsOut) {
  const SourceCase c = case_of(kLayerProblems, false);
  for (const TensorHit& wanted :
       {TensorHit(StageHit{Stage::Weights}), TensorHit(InputHit{"/embeddings", ""})}) {
    PlotOptions options;
    options.highlight = wanted;
    const Figure figure = shape_flow({c.input(), options, FixedMetrics()});
    const std::vector<RectItem> boxes = items_of<RectItem>(figure);
    EXPECT_EQ(boxes.size(), 11U);
    for (const RectItem& box : boxes) {
      const Point middle{box.rect.x + box.rect.width / 2, box.rect.y + box.rect.height / 2};
      ASSERT_TRUE(tensor_of(box.hit));
      EXPECT_EQ(hit_test(figure, middle), box.hit);
      EXPECT_EQ(box.stroke == paper_theme().accent, box.hit == hit_of(wanted));
    }
  }
}

// Hits of the boxes that arrow heads touch from outside.
std::vector<HitId> pointed_at(const Figure& figure) {
  std::vector<HitId> pointed;
  for (const PathItem& head : items_of<PathItem>(figure)) {
    for (const RectItem& box : items_of<RectItem>(figure)) {
      const Rect& r = box.rect;
      const Rect around{r.x - 2.0, r.y - 2.0, r.width + 4.0, r.height + 4.0};
      if (around.contains(head.points.front())) pointed.push_back(box.hit);
    }
  }
  return pointed;
}

TEST(ShapeFlow, EveryBoxThatIsMadeFromOthersIsReachedHoweverNarrowTheFigure) {
  const Document document = read_document(recurrent_text("previous"), "test").value().document;
  const ResultPtr result = compute(make_problem(document)).value();
  for (double width = 150.0; width <= 1500.0; width += 50.0) {
    PlotOptions options;
    options.width = width;
    const Figure figure = shape_flow({{document, *result}, options, FixedMetrics()});
    const std::vector<HitId> pointed = pointed_at(figure);
    const auto columns = flow_of({document, *result}, paper_theme());
    for (std::size_t c = 1; c < columns.size(); ++c) {
      for (const FlowBox& box : columns[c]) {
        bool made = false;
        for (std::size_t i = 0; i < columns[c - 1].size(); ++i) {
          made = made || feeds(columns[c - 1], i, box);
        }
        EXPECT_EQ(std::ranges::count(pointed, hit_of(box.tensor)) > 0, made)
            << box.title << " at " << width;
      }
    }
  }
}

// True if a straight line from `a` to `b` crosses the inside of `r`.
bool crosses(Point a, Point b, const Rect& r) {
  constexpr double kEdge = 1.5;
  const Rect inside{r.x + kEdge, r.y + kEdge, r.width - 2 * kEdge, r.height - 2 * kEdge};
  for (int i = 0; i <= 200; ++i) {
    const double t = i / 200.0;
    if (inside.contains({a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)})) return true;
  }
  return false;
}

TEST(ShapeFlow, NoArrowPassesBehindABox) {
  const std::string gated =
      R"({"tokens": ["a", "b"], "d_model": 4, "heads": 1, "position": "rope",
          "blocks": [{"feed_forward": {"activation": "swiglu", "d_ff": 8}}]})";
  for (const std::string& text : {gated, recurrent_text("previous"), recurrent_text("current")}) {
    const Document document = read_document(text, "test").value().document;
    const ResultPtr result = compute(make_problem(document)).value();
    for (double width = 200.0; width <= 1500.0; width += 50.0) {
      PlotOptions options;
      options.width = width;
      const Figure figure = shape_flow({{document, *result}, options, FixedMetrics()});
      for (const LineItem& line : items_of<LineItem>(figure)) {
        for (const RectItem& box : items_of<RectItem>(figure)) {
          EXPECT_FALSE(crosses(line.from, line.to, box.rect)) << text << " at " << width;
        }
      }
    }
  }
}

TEST(ShapeFlow, NoLineEndsWhereArrowsWouldMeet) {
  const std::string text = R"({"query_tokens": ["a"], "key_tokens": ["b", "c"], "blocks": 1})";
  const Document document = read_document(text, "test").value().document;
  const ResultPtr result = compute(make_problem(document)).value();
  for (double width = 300.0; width <= 1500.0; width += 10.0) {
    PlotOptions options;
    options.width = width;
    double given = 0.0, made = -1.0;
    for (const RectItem& box :
         items_of<RectItem>(shape_flow({{document, *result}, options, FixedMetrics()}))) {
      if (box.hit == HitId(InputHit{"/key_embeddings", ""})) given = box.rect.x;
      if (box.hit == HitId(StageHit{Stage::Key})) made = box.rect.x;
    }
    EXPECT_LT(given, made) << width;
  }
}

TEST(ShapeFlow, AChainThatBeginsAgainHasALineOfItsOwn) {
  const Document document = read_document(recurrent_text("previous"), "test").value().document;
  const ResultPtr result = compute(make_problem(document)).value();
  PlotOptions options;
  options.width = 10000.0;
  std::vector<double> lefts;
  for (const RectItem& box :
       items_of<RectItem>(shape_flow({{document, *result}, options, FixedMetrics()}))) {
    if (box.hit == HitId(StageHit{Stage::FixedState}) ||
        box.hit == HitId(StageHit{Stage::Influence})) {
      lefts.push_back(box.rect.x);
    }
  }
  EXPECT_EQ(lefts, (std::vector<double>{0.0, 0.0}));
}

TEST(Dimensions, EveryBarPointsAtABoxOfTheFlow) {
  for (const ProblemKind* kind : {&kQkvProblems, &kLayerProblems, &kWeightsProblems}) {
    for (const bool cross : {false, true}) {
      const SourceCase c = case_of(*kind, cross);
      std::vector<TensorHit> boxes;
      for (const FlowColumn& column : flow_of(c.input(), paper_theme())) {
        for (const FlowBox& box : column) boxes.push_back(box.tensor);
      }
      for (const RectItem& bar :
           items_of<RectItem>(dimension_bars({c.input(), {}, FixedMetrics()}))) {
        if (std::holds_alternative<std::monostate>(bar.hit)) continue;  // the legend
        PlotOptions options;
        options.highlight = tensor_of(bar.hit);
        ASSERT_TRUE(options.highlight);
        EXPECT_NE(std::find(boxes.begin(), boxes.end(), *options.highlight), boxes.end());
        for (const RectItem& other :
             items_of<RectItem>(dimension_bars({c.input(), options, FixedMetrics()}))) {
          EXPECT_EQ(other.stroke == paper_theme().accent, other.hit == bar.hit);
        }
      }
    }
  }
}

TEST(DimensionBars, EmbeddingsHaveBarsOfTheirOwn) {
  const SourceCase c = case_of(kLayerProblems, true);
  const Figure figure = dimension_bars({c.input(), {}, FixedMetrics()});
  EXPECT_EQ(bar_values(figure, InputHit{"/query_embeddings", ""}), (Strings{"11", "24"}));
  EXPECT_EQ(bar_values(figure, InputHit{"/key_embeddings", ""}), (Strings{"13", "25"}));
}

TEST(DimensionBars, TitlesAreOfOneSizeHoweverNarrow) {
  const SourceCase c = case_of(kLayerProblems, true);
  PlotOptions options;
  options.width = 260.0;
  const Figure figure = dimension_bars({c.input(), options, FixedMetrics()});
  std::vector<double> sizes;
  for (const TextItem& text : items_of<TextItem>(figure)) {
    if (text.text == "(queries)" || text.text == "Q") sizes.push_back(text.font.size);
  }
  ASSERT_EQ(sizes.size(), 2U);
  EXPECT_EQ(sizes[0], sizes[1]);
}

TEST(Flow, ValuesWithEmbeddingsOfTheirOwnHaveABoxOfTheirOwn) {
  SourceCase c = case_of(kLayerProblems, true);
  EXPECT_EQ(flow_of(c.input(), paper_theme())[0].size(), 2U);
  AttentionLayer layer;
  layer.embeddings.value = embeddings(1, 13, 27);
  c.document.model = layer;
  AttentionProblem problem = c.result.problem();
  problem.value_embeddings = layer.embeddings.value;
  const FakeResult result(problem);
  const auto columns = flow_of({c.document, result}, paper_theme());
  ASSERT_EQ(columns[0].size(), 3U);
  EXPECT_EQ(columns[0][2].title, "X (values)");
  EXPECT_EQ(columns[0][2].extents, "(13, 27)");
}

TEST(Dimensions, OfFinishedWeightsStandBesideEachOther) {
  const SourceCase c = case_of(kWeightsProblems, true);
  for (const double width : {241.0, 482.0}) {
    PlotOptions options;
    options.width = width;
    const Figure figure = dimensions({c.input(), options, FixedMetrics()}).value();
    EXPECT_LT(figure.height, width);
    Rect box, bar;
    for (const RectItem& rect : items_of<RectItem>(figure)) {
      if (rect.hit != HitId(StageHit{Stage::Weights})) continue;
      (rect.radius > 0.0 ? box : bar) = rect.rect;
    }
    EXPECT_GT(box.x, bar.x + bar.width);
  }
}

TEST(Dimensions, BarsAndFlowStandAboveEachOther) {
  const SourceCase c = case_of(kQkvProblems, false);
  const Figure figure = dimensions({c.input(), {}, FixedMetrics()}).value();
  EXPECT_TRUE(has_text(figure, "Shapes"));
  EXPECT_EQ(bar_values(figure, StageHit{Stage::Query}), (Strings{"11", "6"}));
  EXPECT_TRUE(has_text(figure, "(h, n_q, n_k)"));
  EXPECT_TRUE(has_text(figure, "(4, 11, 11)"));
}

TEST(Dimensions, NoTextOverlapsAnotherOrLeavesTheFigure) {
  const ProblemKind* const kinds[] = {&kQkvProblems, &kLayerProblems, &kWeightsProblems};
  std::mt19937 random(9);
  const auto below = [&](std::size_t n) {
    return std::uniform_int_distribution<std::size_t>(0, n - 1)(random);
  };
  for (int round = 0; round < 60; ++round) {
    const std::size_t kind = below(3);
    const SourceCase c = case_of(*kinds[kind], below(2) == 0, 4, 1 + 3 * below(2), 1 + below(2));
    PlotOptions options;
    options.width = 200 + static_cast<double>(below(1200));
    if (below(2) == 0) options.height = 150 + static_cast<double>(below(800));
    const Figure figure = dimensions({c.input(), options, FixedMetrics()}).value();
    EXPECT_EQ(test::text_problems(figure, FixedMetrics()), "")
        << "kind " << kind << " in " << options.width << " × " << options.height;
    EXPECT_EQ(figure.width, options.width);
    if (options.height > 0.0) {
      EXPECT_EQ(figure.height, options.height);
    }
  }
}

}  // namespace
}  // namespace attn
