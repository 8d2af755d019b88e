// Scoring, masks by distance and positions set by real widgets change the document and the numbers.
#include <gtest/gtest.h>

#include "app/shell/app_fixture.h"
#include "base/number_text.h"
#include "document/problem.h"
#include "engine/terms.h"
#include "figure/text.h"
#include "support/oracle/reference.h"

namespace attn::gui {
namespace {

class RulesTest : public test::AppTest {
 protected:
  RulesTest() { open("example:i-love-cats"); }

  void enter(const std::string& field, const std::string& text) {
    ui.click(field);
    ui.key("Ctrl+A");
    ui.type(text.empty() ? " " : text);
    ui.key("Enter");
  }
  void choose(const std::string& combo, std::string_view label) {
    ui.click(combo);
    ui.click(combo + "/" + std::string(label));
  }
  void undo() {
    ui.click("menu/Edit");
    ui.click("menu/Edit/undo");
  }
  // The weights on screen agree with the reference for the document.
  void expect_true_weights(const std::string& what) const {
    const AttentionProblem problem = make_problem(state().document);
    const HeadAddress& head = focused_view(state()).options.at;
    const auto expected = reference::compute(problem, Stage::Weights, head);
    for (std::size_t q = 0; q < expected.rows; ++q) {
      for (std::size_t k = 0; k < expected.cols; ++k) {
        EXPECT_NEAR(static_cast<double>(weight(q, k)), expected.at(q, k), 1e-5)
            << what << " " << q << "," << k;
      }
    }
  }
  // Rejected text stays with its reason and changes nothing; Esc restores the value.
  void expect_refused(const std::string& field, const std::string& text) {
    const Document before = state().document;
    const std::string shown = ui.value(field);
    enter(field, text);
    EXPECT_EQ(ui.value(field), text);
    EXPECT_TRUE(ui.shows(field + "/problem")) << text;
    EXPECT_TRUE(state().document == before) << text;
    ui.click(field);
    ui.key("Esc");
    EXPECT_EQ(ui.value(field), shown) << "Esc takes " << text << " back";
    EXPECT_FALSE(ui.shows(field + "/problem"));
  }
  float row_sum(std::size_t q) const {
    float sum = 0.0F;
    for (std::size_t k = 0; k < state().result->shape().n_k; ++k) sum += weight(q, k);
    return sum;
  }
  const Scoring& scoring() const { return state().document.scoring; }
  const Mask& mask() const { return state().document.mask; }
  const Position& position() const { return state().document.position; }
};

TEST_F(RulesTest, EveryScoringFunctionCanBeChosenAndTakenBack) {
  ui.click("rules/Scoring");
  const Document before = state().document;
  for (const ScoringFunctionInfo& info : all_scoring_functions()) {
    if (info.function == before.scoring.function) continue;
    choose("scoring/function", info.label);
    EXPECT_EQ(scoring().function, info.function);
    EXPECT_EQ(ui.value("scoring/function"), info.label);
    expect_true_weights(std::string(info.name));
    EXPECT_EQ(state().result->problem().scoring.function, info.function);
    undo();
    EXPECT_TRUE(state().document == before) << info.name;
    EXPECT_EQ(ui.value("scoring/function"), "Scaled dot product");
  }
}

TEST_F(RulesTest, MatricesOfAScoringFunctionStandUnderInputsAndCanBeEdited) {
  ui.click("rules/Scoring");
  const std::pair<std::string, std::vector<std::string>> cases[] = {
      {"General", {"W"}},
      {"Concat", {"W", "v"}},
      {"Additive (Bahdanau)", {"W_q", "W_k", "v"}},
      {"Location-based", {"W"}},
  };
  float number = 1.5F;
  for (const auto& [function, matrices] : cases) {
    choose("scoring/function", function);
    for (const std::string& matrix : matrices) {
      ASSERT_TRUE(ui.shows("inputs/" + matrix)) << function << " " << matrix;
      ui.click("inputs/" + matrix);
      const float before = weight(0, 0);
      ui.double_click("inputs/grid/cell/0,0");
      ui.key("Ctrl+A");
      ui.type(shortest_text(number += 0.25F));
      ui.key("Enter");
      EXPECT_EQ(matrix_of(state().document, state().grid.matrix).at(0, 0), number) << function;
      EXPECT_NE(weight(0, 0), before) << function << " " << matrix;
      expect_true_weights(function + " " + matrix);
    }
  }
  choose("scoring/function", "Dot product");
  EXPECT_FALSE(ui.shows("inputs/W"));
  EXPECT_TRUE(ui.shows("inputs/Q"));
  EXPECT_TRUE(ui.shows("inputs/grid/cell/0,0")) << "a matrix that is gone leaves no empty grid";
}

TEST_F(RulesTest, TheInspectorShowsWhatEveryFunctionSumsUp) {
  ui.click("rules/Scoring");
  ui.click("plot/heatmap/cell/1,2");
  for (const ScoringFunctionInfo& info : all_scoring_functions()) {
    if (info.function != scoring().function) choose("scoring/function", info.label);
    ui.hover("plot/heatmap/cell/1,2");
    EXPECT_TRUE(ui.shows("section/" + std::string(info.terms))) << info.terms;
    double sum = 0.0;
    for (const ScoreTerm& term : score_terms(*state().result, {}, 1, 2)) {
      const std::string name = "inspector/product/" + std::to_string(term.index);
      EXPECT_EQ(ui.value(name), short_text(term.product())) << info.name;
      sum += term.product();
    }
    const auto score = static_cast<double>(state().result->value(Stage::Scores, {}, 1, 2));
    EXPECT_NEAR(sum, score, 1e-5) << info.name;
    EXPECT_EQ(ui.value("inspector/chain/scores"), with_minus(short_text(score)));
  }
}

TEST_F(RulesTest, TheScaleCanBeReplacedAndRefusesWhatIsNoNumber) {
  ui.click("rules/Scoring");
  ui.click("scoring/usual_scale");
  EXPECT_EQ(scoring().scale, 1.0F);
  enter("scoring/scale/value", "2");
  EXPECT_EQ(scoring().scale, 2.0F);
  expect_true_weights("scale 2");
  expect_refused("scoring/scale/value", "abc");
  expect_refused("scoring/scale/value", "1,5");
  undo();
  EXPECT_EQ(ui.value("scoring/scale/value"), "1");
}

TEST_F(RulesTest, TemperatureSharpensAndFlattens) {
  ui.click("rules/Scoring");
  const float usual = weight(0, 0);
  ui.click("scoring/temperature");
  EXPECT_EQ(scoring().temperature, 1.0F);
  EXPECT_EQ(weight(0, 0), usual) << "from where it is raised or lowered";
  enter("scoring/temperature/value", "0.5");
  EXPECT_GT(weight(0, 0), usual);
  enter("scoring/temperature/value", "4");
  EXPECT_LT(weight(0, 0), usual);
  expect_true_weights("temperature 4");
  for (const char* text : {"0", "-1", "abc", "1,5", "1e99"}) {
    expect_refused("scoring/temperature/value", text);
  }
  undo();
  EXPECT_EQ(ui.value("scoring/temperature/value"), "0.5") << "the field follows undo";
  ui.click("scoring/temperature");
  EXPECT_FALSE(scoring().temperature.has_value());
  EXPECT_FALSE(ui.shows("scoring/temperature/value"));
  EXPECT_EQ(weight(0, 0), usual);
}

TEST_F(RulesTest, TheSoftcapKeepsScoresWithinItsRange) {
  ui.click("rules/Scoring");
  ui.click("scoring/softcap");
  EXPECT_EQ(scoring().softcap, 30.0F);
  EXPECT_TRUE(state().result->has(Stage::Softcapped));
  enter("scoring/softcap/value", "0.1");
  EXPECT_LE(state().result->range(Stage::Softcapped, {})->high, 0.1F);
  expect_true_weights("softcap 0.1");
  expect_refused("scoring/softcap/value", "0");
  undo();
  EXPECT_EQ(ui.value("scoring/softcap/value"), "30");
}

TEST_F(RulesTest, EveryNormaliserCanBeChosen) {
  ui.click("rules/Scoring");
  choose("scoring/normaliser", "Sigmoid");
  expect_true_weights("sigmoid");
  EXPECT_GT(std::abs(row_sum(0) - 1.0F), 1e-3F);
  EXPECT_FALSE(ui.shows("scoring/sinks/value")) << "only a softmax has sinks";
  choose("scoring/normaliser", "Sparsemax");
  expect_true_weights("sparsemax");
  EXPECT_NEAR(row_sum(0), 1.0F, 1e-6F);
  undo();
  undo();
  EXPECT_EQ(scoring().normaliser, Normaliser::Softmax);
  EXPECT_NEAR(weight(0, 0), 0.4555F, 5e-5F);
}

TEST_F(RulesTest, SinksTakeAShare) {
  ui.click("rules/Scoring");
  enter("scoring/sinks/value", "0");
  ASSERT_EQ(scoring().sinks, std::vector<float>{0.0F});
  EXPECT_LT(row_sum(0), 1.0F);
  expect_true_weights("a sink");
  expect_refused("scoring/sinks/value", "abc");
  expect_refused("scoring/sinks/value", "1,5");
  enter("scoring/sinks/value", "1 2");  // one head
  EXPECT_EQ(scoring().sinks, std::vector<float>{0.0F});
  EXPECT_TRUE(ui.shows("notice/0")) << "what does not fit is said";
  choose("scoring/normaliser", "Sparsemax");
  EXPECT_TRUE(scoring().sinks.empty());
  choose("scoring/normaliser", "Softmax");
  enter("scoring/sinks/value", "-1.5");
  enter("scoring/sinks/value", "");
  EXPECT_TRUE(scoring().sinks.empty());
  EXPECT_NEAR(row_sum(0), 1.0F, 1e-6F);
}

TEST_F(RulesTest, TheSlidingWindowHidesWhatIsFar) {
  open("example:the-animal-was-tired");
  ui.click("masks/window");
  ASSERT_TRUE(mask().window.has_value());
  EXPECT_EQ(weight(5, 8), 0.0F);
  EXPECT_GT(weight(5, 7), 0.0F);
  enter("masks/window_left/value", "1");
  enter("masks/window_right/value", "0");
  EXPECT_EQ(weight(5, 3), 0.0F);
  EXPECT_GT(weight(5, 4), 0.0F);
  EXPECT_EQ(weight(5, 6), 0.0F);
  EXPECT_NE(ui.value("plot/heatmap/cell/5,4"), "hidden");
  EXPECT_EQ(ui.value("plot/heatmap/cell/5,6"), "hidden");
  enter("masks/dilation/value", "3");
  EXPECT_EQ(weight(5, 4), 0.0F);
  EXPECT_GT(weight(5, 2), 0.0F);
  enter("masks/sink_tokens/value", "1");
  EXPECT_GT(weight(5, 0), 0.0F);
  expect_true_weights("window");
  enter("masks/window_left/value", "");
  EXPECT_FALSE(mask().window->left.has_value());
  expect_refused("masks/dilation/value", "0");
  expect_refused("masks/window_right/value", "-1");
  expect_refused("masks/window_right/value", "1,5");
  expect_refused("masks/sink_tokens/value", "abc");
  undo();
  EXPECT_EQ(ui.value("masks/window_left/value"), "1");
  ui.click("masks/window");
  EXPECT_FALSE(mask().window.has_value());
  EXPECT_EQ(mask().sink_tokens, 0U);
}

TEST_F(RulesTest, APrefixIsSeenByEveryQuery) {
  EXPECT_FALSE(ui.shows("masks/prefix/value")) << "it is an exception from the causal mask";
  ui.click("masks/causal");
  enter("masks/prefix/value", "2");
  EXPECT_GT(weight(0, 1), 0.0F);
  EXPECT_EQ(weight(0, 2), 0.0F);
  expect_true_weights("prefix");
  expect_refused("masks/prefix/value", "-1");
  undo();
  EXPECT_EQ(ui.value("masks/prefix/value"), "0");
  EXPECT_EQ(weight(0, 1), 0.0F);
}

TEST_F(RulesTest, SegmentsSeeOnlyThemselves) {
  enter("masks/segments/value", "0 0 1");
  EXPECT_EQ(weight(0, 2), 0.0F);
  EXPECT_EQ(weight(2, 2), 1.0F);
  expect_true_weights("segments");
  EXPECT_EQ(ui.value("masks/segments/value"), "0 0 1");
  for (const char* text : {"0 0 x", "0,0,1", "0 0 1.5"}) {
    expect_refused("masks/segments/value", text);
  }
  const Document before = state().document;
  enter("masks/segments/value", "0 1");
  EXPECT_TRUE(state().document == before);
  EXPECT_TRUE(ui.shows("notice/0")) << "two numbers for three tokens";
  enter("masks/segments/value", "");
  EXPECT_TRUE(mask().query_segments.empty());
  undo();
  EXPECT_EQ(ui.value("masks/segments/value"), "0 0 1");
}

TEST_F(RulesTest, LargeSegmentNumbersStayWhatTheyAre) {
  enter("masks/segments/value", "16777217 16777216 16777217");
  EXPECT_EQ(ui.value("masks/segments/value"), "16777217 16777216 16777217");
  EXPECT_EQ(weight(0, 1), 0.0F);
  EXPECT_GT(weight(0, 2), 0.0F);
}

TEST_F(RulesTest, BiasesByDistanceChangeTheScores) {
  const float usual = weight(0, 2);
  ui.click("masks/alibi");
  EXPECT_LT(weight(0, 2), usual);
  expect_true_weights("ALiBi");
  ui.click("masks/alibi");
  EXPECT_EQ(weight(0, 2), usual);
  ui.click("masks/relative");
  EXPECT_EQ(weight(0, 2), usual) << "buckets begin with 0";
  ui.click("inputs/R");
  ui.double_click("inputs/grid/cell/0,0");  // distance 0
  ui.key("Ctrl+A");
  ui.type("3");
  ui.key("Enter");
  EXPECT_GT(weight(1, 1), 0.7F);
  expect_true_weights("relative buckets");
  undo();
  undo();
  EXPECT_FALSE(mask().relative.has_value());
  EXPECT_FALSE(ui.shows("inputs/R"));
}

TEST_F(RulesTest, ABiasAndAWindowGoTogether) {
  ui.click("masks/alibi");
  ui.click("masks/window");
  enter("masks/window_left/value", "0");
  EXPECT_EQ(ui.value("masks/hidden"), "3 of 9 cells hidden");
  expect_true_weights("ALiBi in a window");
}

TEST_F(RulesTest, CellsCanBePaintedBesideABias) {
  ui.click("masks/alibi");
  ui.click("plot/options");
  ui.click("plot/paint");
  ui.click("plot/heatmap/cell/0,1");
  EXPECT_EQ(ui.value("masks/hidden"), "1 of 9 cells hidden");
  EXPECT_EQ(weight(0, 1), 0.0F);
}

TEST_F(RulesTest, PositionsThatNeedEmbeddingsAreRefusedForQKV) {
  ui.click("rules/Positions");
  const Document before = state().document;
  choose("positions/kind", position_info(PositionKind::Sinusoidal).label);
  EXPECT_TRUE(state().document == before);
  EXPECT_TRUE(ui.shows("notice/0"));
  EXPECT_EQ(ui.value("positions/kind"), position_info(PositionKind::None).label);
  choose("positions/kind", position_info(PositionKind::Rope).label);
  EXPECT_EQ(position().kind, PositionKind::Rope);
  expect_true_weights("rope");
}

TEST_F(RulesTest, EveryKindOfPositionCanBeChosen) {
  open_text(R"({"tokens": ["a", "b", "a", "c"], "d_model": 8})");
  ui.click("rules/Positions");
  const float usual = weight(0, 0);
  EXPECT_EQ(weight(0, 0), weight(0, 2)) << "the same token twice";
  for (const PositionKindInfo& info : all_position_kinds()) {
    if (info.kind == PositionKind::None) continue;
    choose("positions/kind", info.label);
    EXPECT_EQ(position().kind, info.kind);
    EXPECT_NE(weight(0, 0), weight(0, 2)) << info.label;
    expect_true_weights(std::string(info.label));
    EXPECT_EQ(ui.shows("inputs/P"), info.kind == PositionKind::Learned);
    undo();
    EXPECT_EQ(weight(0, 0), usual);
  }
}

TEST_F(RulesTest, ALearnedTableCanBeEdited) {
  open_text(R"({"tokens": ["a", "b", "a", "c"], "d_model": 8})");
  ui.click("rules/Positions");
  choose("positions/kind", position_info(PositionKind::Learned).label);
  ui.click("inputs/P");
  const float before = weight(0, 1);
  ui.double_click("inputs/grid/cell/0,0");
  ui.key("Ctrl+A");
  ui.type("4");
  ui.key("Enter");
  EXPECT_EQ(position().table[0], 4.0F);
  EXPECT_NE(weight(0, 1), before);
  expect_true_weights("learned");
}

TEST_F(RulesTest, RotaryPositionsHaveLayoutBaseAndScaling) {
  open_text(R"({"tokens": ["a", "b", "a", "c"], "d_model": 8})");
  ui.click("rules/Positions");
  choose("positions/kind", position_info(PositionKind::Rope).label);
  EXPECT_EQ(position().layout, PositionLayout::Halves);
  const float halves = weight(3, 0);
  ui.click("positions/layout/Interleaved");
  EXPECT_NE(weight(3, 0), halves);
  expect_true_weights("interleaved");
  enter("positions/base/value", "100");
  EXPECT_EQ(position().base, 100.0F);
  for (const char* text : {"0", "abc", "1,5"}) expect_refused("positions/base/value", text);
  EXPECT_FALSE(ui.shows("positions/factor/value"));
  ui.click("positions/scaling/Linear");
  EXPECT_EQ(position().factor, 2.0F);
  enter("positions/factor/value", "4");
  expect_true_weights("linear scaling");
  ui.click("positions/scaling/NTK");
  EXPECT_EQ(position().factor, 4.0F);
  expect_true_weights("NTK");
  undo();
  undo();
  EXPECT_EQ(ui.value("positions/factor/value"), "2");
}

TEST_F(RulesTest, FinishedWeightsHaveNothingToScore) {
  open("example:translation-alignment");
  ui.click("rules/Scoring");
  EXPECT_FALSE(ui.shows("scoring/function"));
  ui.click("rules/Positions");
  EXPECT_FALSE(ui.shows("positions/kind"));
  ui.click("rules/Masks");
  EXPECT_FALSE(ui.shows("masks/alibi"));
  EXPECT_TRUE(ui.shows("masks/window"));
}

class SmallRulesTest : public test::AppTest {
 protected:
  SmallRulesTest() : AppTest({.width = 1280, .height = 760}) { open("example:i-love-cats"); }
};

TEST_F(SmallRulesTest, TheTabsStayWhereTheyAreWhileTheContentScrolls) {
  ui.click("rules/Scoring");
  const auto tab = ui.find("rules/Masks");
  const auto normaliser = ui.find("scoring/function");
  ASSERT_TRUE(tab && normaliser);
  ui.wheel("scoring/function", -1);
  const auto after = ui.find("rules/Masks");
  ASSERT_TRUE(after);
  EXPECT_EQ(after->min.y, tab->min.y);
  EXPECT_EQ(after->max.y, tab->max.y);
  const auto moved = ui.find("scoring/function");
  EXPECT_TRUE(!moved || moved->min.y < normaliser->min.y || moved->max.y < normaliser->max.y)
      << "the content has scrolled";
}

TEST_F(SmallRulesTest, AReasonBelowTheEdgeOfThePanelScrollsIntoView) {
  ui.click("rules/Scoring");
  for (int i = 0; i < 10 && !ui.shows("scoring/temperature"); ++i) {
    ui.wheel("scoring/normaliser", -1);
  }
  ui.click("scoring/temperature");
  ui.click("scoring/temperature/value");
  ui.key("Ctrl+A");
  ui.type("0");
  ui.key("Enter");
  EXPECT_EQ(ui.value("scoring/temperature/value/problem"), "A number above 0");
  EXPECT_TRUE(ui.shows("scoring/temperature/value")) << "its field is still there";
}

}  // namespace
}  // namespace attn::gui
