// A recurrent encoder–decoder in the window: steps, options, matrices.
#include <gtest/gtest.h>

#include "app/shell/app_fixture.h"
#include "base/number_text.h"
#include "document/problem.h"
#include "support/oracle/reference.h"

namespace attn::gui {
namespace {

class RecurrentTest : public test::AppTest {
 protected:
  RecurrentTest() { open("example:encoder-decoder"); }

  const Recurrent& model() const {
    return std::get<RecurrentModel>(state().document.model).recurrent;
  }
  void expect_true_weights() const {
    const auto expected = reference::compute(make_problem(state().document), Stage::Weights,
                                             focused_view(state()).options.at);
    for (std::size_t q = 0; q < expected.rows; ++q) {
      for (std::size_t k = 0; k < expected.cols; ++k) {
        EXPECT_NEAR(static_cast<double>(weight(q, k)), expected.at(q, k), 1e-5);
      }
    }
  }
};

TEST_F(RecurrentTest, OpensOnItsAlignmentAndGrowsStepByStep) {
  EXPECT_EQ(focused_view(state()).plot, "alignment");
  ui.click("plot/step/next");
  EXPECT_EQ(focused_view(state()).options.step, 1U);
  ui.type(".");
  EXPECT_EQ(focused_view(state()).options.step, 2U);
  ui.type(",");
  EXPECT_EQ(focused_view(state()).options.step, 1U);
  ui.click("plot/step/value");
  ui.key("Ctrl+A");
  ui.type("5");
  ui.key("Enter");
  EXPECT_EQ(focused_view(state()).options.step, 5U);
  ui.click("plot/step/all");
  EXPECT_EQ(focused_view(state()).options.step, 0U);
  open("example:four-heads");
  ui.click("plot/tab");
  ui.hover("plot/tab/Alignment");
  pass(1.0);
  EXPECT_NE(ui.value("tooltip").find("no steps to follow"), std::string::npos);
}

TEST_F(RecurrentTest, ItsCellsAreChosenAndTakenBack) {
  const Document before = state().document;
  ui.click("rules/Recurrent");
  ui.click("recurrent/cell/LSTM");
  EXPECT_EQ(model().cell, CellKind::Lstm);
  expect_true_weights();
  ui.click("recurrent/bidirectional");
  EXPECT_FALSE(is_bidirectional(model()));
  ui.click("recurrent/asks");
  ui.click("recurrent/asks/State of the step");
  EXPECT_EQ(model().asks, QueryState::Current);
  ui.click("recurrent/outputs");
  EXPECT_TRUE(model().w_output.empty());
  expect_true_weights();
  for (int i = 0; i < 4; ++i) {
    ui.click("menu/Edit");
    ui.click("menu/Edit/undo");
  }
  EXPECT_EQ(state().document, before);
}

TEST_F(RecurrentTest, TheNumberOfUnitsIsEntered) {
  ui.click("rules/Recurrent");
  ui.click("recurrent/hidden/value");
  ui.key("Ctrl+A");
  ui.type("3");
  ui.key("Enter");
  EXPECT_EQ(hidden_columns(model().decoder), 3U);
  EXPECT_EQ(shape_of(state().document).d_k, 6U);
  expect_true_weights();
}

// Influence is not a step from score to weight, and masks do not hide it.
TEST_F(RecurrentTest, InfluenceIsInspectedAsItIs) {
  open_text(R"({"query_tokens": ["x", "y"], "key_tokens": ["a", "b", "c"],
                "mask": {"causal": true}, "recurrent": {"hidden": 3},
                "view": {"plot": "heatmap", "stage": "influence"}})");
  ui.hover("plot/heatmap/cell/0,1");
  EXPECT_EQ(ui.value("inspector/sentence").find("Influence of “b” (key 2)"), 0U);
  EXPECT_TRUE(ui.shows("inspector/chain/weights"));
  EXPECT_FALSE(ui.shows("inspector/chain/influence"));
  EXPECT_EQ(ui.value("inspector/row/1"),
            short_text(static_cast<double>(state().result->value(Stage::Influence, {}, 0, 1))));
}

// The stage has one column, so a row of it would be a single bar.
TEST_F(RecurrentTest, SurvivalIsInspectedBesideThatOfEverySourceToken) {
  open_text(R"({"query_tokens": ["x", "y"], "key_tokens": ["a", "b", "c"],
                "recurrent": {"hidden": 3}, "view": {"plot": "heatmap", "stage": "survival"}})");
  ui.hover("plot/heatmap/cell/1,0");
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_EQ(ui.value("inspector/row/" + std::to_string(k)),
              short_text(static_cast<double>(state().result->value(Stage::Survival, {}, k, 0))));
  }
}

TEST_F(RecurrentTest, PositionsAreSaidToBeOutOfPlace) {
  ui.click("rules/Positions");
  EXPECT_FALSE(ui.shows("positions/kind"));
}

}  // namespace
}  // namespace attn::gui
