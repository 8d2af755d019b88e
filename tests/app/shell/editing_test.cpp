// Edits made with real widgets change the document, the numbers and the heatmap.
#include <gtest/gtest.h>

#include "app/shell/app_fixture.h"
#include "base/number_text.h"

namespace attn::gui {
namespace {

class EditingTest : public test::AppTest {
 protected:
  EditingTest() { open("example:i-love-cats"); }
};

TEST_F(EditingTest, EveryCellOfTheHeatmapShowsItsTensorsNumber) {
  for (std::size_t q = 0; q < 3; ++q) {
    for (std::size_t k = 0; k < 3; ++k) {
      const std::string name = "plot/heatmap/cell/" + std::to_string(q) + "," + std::to_string(k);
      EXPECT_EQ(ui.value(name), shortest_text(weight(q, k))) << name;
    }
  }
}

TEST_F(EditingTest, ATypedNumberChangesTheWeightsAndTheHeatmap) {
  const float before = weight(0, 0);
  const float other_row = weight(1, 0);
  ui.double_click("inputs/grid/cell/0,0");
  ui.key("Ctrl+A");
  ui.type("3.5");
  ui.key("Enter");
  EXPECT_FLOAT_EQ(input("/q", 0, 0), 3.5F);
  EXPECT_GT(weight(0, 0), before);
  EXPECT_EQ(weight(1, 0), other_row);
  EXPECT_EQ(ui.value("plot/heatmap/cell/0,0"), shortest_text(weight(0, 0)));
}

TEST_F(EditingTest, RefusedNumbersChangeNothingAndSayWhy) {
  for (const char* text : {"1,5", "1e99", "nan"}) {
    ui.double_click("inputs/grid/cell/0,0");
    ui.key("Ctrl+A");
    ui.type(text);
    ui.key("Enter");
    EXPECT_FLOAT_EQ(input("/q", 0, 0), 1.0F) << text;
    EXPECT_TRUE(ui.shows("inputs/grid/problem")) << text;
    ui.key("Esc");
    ui.key("Esc");
  }
  EXPECT_TRUE(state().history.past.empty());
}

TEST_F(EditingTest, DraggingACellIsOneStepOfUndo) {
  ui.drag("inputs/grid/cell/0,0", 60, 0, 8);
  EXPECT_NE(input("/q", 0, 0), 1.0F);
  EXPECT_GT(ui.count<command::SetCell>(), 1U);
  EXPECT_EQ(state().history.past.size(), 1U);
  ui.click("menu/Edit");
  EXPECT_EQ(ui.value("menu/Edit/undo"), "Undo edit Q");
  ui.click("menu/Edit/undo");
  EXPECT_FLOAT_EQ(input("/q", 0, 0), 1.0F);
  ui.key("Ctrl+Y");
  EXPECT_NE(input("/q", 0, 0), 1.0F);
}

TEST_F(EditingTest, BothKeysRedoWhatWasUndoneButNoEditOfTheView) {
  ui.double_click("inputs/grid/cell/0,0");
  ui.key("Ctrl+A");
  ui.type("3");
  ui.key("Enter");
  for (const char* redo : {"Ctrl+Y", "Ctrl+Shift+Z"}) {
    ui.key("Ctrl+Z");
    EXPECT_EQ(input("/q", 0, 0), 1.0F) << redo;
    EXPECT_FALSE(has_unsaved_changes(state())) << redo;
    ui.click("plot/values");
    ui.key(redo);
    EXPECT_EQ(input("/q", 0, 0), 3.0F) << redo;
  }
  EXPECT_EQ(state().history.past.size(), 1U) << "how it looks is no edit";
}

TEST_F(EditingTest, ShowsTheMatrixOfTheChosenTab) {
  ui.click("inputs/K");
  EXPECT_EQ(ui.value("inputs/grid/cell/2,0"), "0.50");
  ui.click("inputs/V");
  EXPECT_EQ(ui.value("inputs/grid/cell/2,1"), "6.00");
  EXPECT_EQ(ui.value("inputs/shape"), "(3, 2)");
}

TEST_F(EditingTest, FillsAndScalesMatrices) {
  ui.click("inputs/K");
  ui.click("inputs/more");
  ui.click("inputs/zeros");
  EXPECT_FLOAT_EQ(input("/k", 0, 0), 0.0F);
  ui.click("inputs/more");
  ui.click("inputs/identity");
  EXPECT_FLOAT_EQ(input("/k", 1, 1), 1.0F);
  ui.click("inputs/more");
  ui.click("inputs/scale");
  ui.key("Ctrl+A");
  ui.type("-2");
  ui.key("Enter");
  EXPECT_FLOAT_EQ(input("/k", 1, 1), -2.0F);
  EXPECT_FALSE(ui.shows("inputs/factor"));
  ui.click("inputs/more");
  ui.click("inputs/random");
  const float first = input("/k", 0, 0);
  ui.click("inputs/more");
  ui.click("inputs/random");
  EXPECT_NE(input("/k", 0, 0), first);
}

TEST_F(EditingTest, ARefusedFactorStaysInItsField) {
  ui.click("inputs/more");
  ui.click("inputs/scale");
  ui.key("Ctrl+A");
  ui.type("1,5");
  ui.key("Enter");
  EXPECT_TRUE(ui.shows("inputs/factor/problem"));
  EXPECT_FALSE(ui.enabled("inputs/apply_factor"));
  EXPECT_EQ(ui.count<command::ScaleMatrix>(), 0U);
  ui.click("inputs/cancel_factor");
  EXPECT_FALSE(ui.shows("inputs/factor"));
}

TEST_F(EditingTest, AFactorThatIsLeftIsNotApplied) {
  ui.click("inputs/K");
  const float before = input("/k", 1, 1);
  ui.click("inputs/more");
  ui.click("inputs/scale");
  ui.key("Ctrl+A");
  ui.type("3");
  ui.click("inputs/cancel_factor");
  EXPECT_EQ(ui.count<command::ScaleMatrix>(), 0U);
  ui.click("inputs/more");
  ui.click("inputs/scale");
  ui.key("Ctrl+A");
  ui.type("3");
  ui.click("inputs/apply_factor");
  EXPECT_EQ(input("/k", 1, 1), 3.0F * before);
  EXPECT_EQ(ui.count<command::ScaleMatrix>(), 1U);
}

TEST_F(EditingTest, CopiesAndPastesBlocksAsTabSeparatedText) {
  ui.click("inputs/grid/cell/0,0");
  ui.shift_click("inputs/grid/cell/1,1");
  ui.key("Ctrl+C");
  EXPECT_EQ(ui.clipboard, "1\t0\n0\t1\n");
  ui.clipboard = "7\t8\n9\t10\n";
  ui.click("inputs/grid/cell/1,0");
  ui.key("Ctrl+V");
  EXPECT_FLOAT_EQ(input("/q", 2, 1), 10.0F);
}

TEST_F(EditingTest, MinusSignsAreShownAndTypedAndHyphensCopied) {
  for (const char* typed : {"−2.5", "-2.5"}) {
    open("example:i-love-cats");
    ui.click("inputs/grid/cell/0,0");
    ui.type(typed);
    ui.key("Enter");
    EXPECT_FLOAT_EQ(input("/q", 0, 0), -2.5F) << typed;
    EXPECT_EQ(ui.value("inputs/grid/cell/0,0"), "−2.50");
    ui.click("inputs/grid/cell/0,0");
    ui.key("Ctrl+C");
    EXPECT_TRUE(ui.clipboard.starts_with("-2.5")) << ui.clipboard;
  }
}

TEST_F(EditingTest, ARefusedPasteBecomesANotice) {
  ui.clipboard = "1\tcat\n";
  ui.click("inputs/grid/cell/0,0");
  ui.key("Ctrl+V");
  EXPECT_FLOAT_EQ(input("/q", 0, 0), 1.0F);
  ASSERT_TRUE(ui.shows("notice/0"));
  EXPECT_NE(ui.value("notice/0").find("cell 2"), std::string::npos);
}

TEST_F(EditingTest, DeleteClearsTheSelection) {
  ui.click("inputs/grid/cell/2,0");
  ui.shift_click("inputs/grid/cell/2,1");
  ui.key("Delete");
  EXPECT_FLOAT_EQ(input("/q", 2, 0), 0.0F);
  EXPECT_FLOAT_EQ(input("/q", 2, 1), 0.0F);
  EXPECT_EQ(state().history.past.size(), 1U);
}

TEST_F(EditingTest, RenamesATokenInPlace) {
  ui.double_click("tokens/2");
  ui.key("Ctrl+A");
  ui.type("Katzen");
  ui.key("Enter");
  EXPECT_EQ(token(2), "Katzen");
  EXPECT_EQ(ui.value("plot/heatmap/token/key/2"), "Katzen");
}

TEST_F(EditingTest, EscTakesARenamingBack) {
  ui.click("tokens/1");
  ui.key("F2");
  ui.type("hate");
  ui.key("Esc");
  EXPECT_EQ(token(1), "love");
  EXPECT_EQ(ui.count<command::RenameToken>(), 0U);
}

TEST_F(EditingTest, AddsDeletesAndMovesTokens) {
  ui.click("tokens/new");
  ui.type("dearly");
  ui.key("Enter");
  ASSERT_EQ(state().result->shape().n_q, 4U);
  EXPECT_EQ(token(3), "dearly");
  ui.type("so");  // the field is ready for the next one
  ui.key("Enter");
  ASSERT_EQ(state().result->shape().n_q, 5U);
  ui.click("tokens/0");
  ui.click("tokens/down");
  EXPECT_EQ(token(0), "love");
  EXPECT_EQ(token(1), "I");
  EXPECT_FLOAT_EQ(input("/q", 1, 0), 1.0F);
  ui.click("tokens/delete");
  EXPECT_EQ(token(1), "cats");
  EXPECT_EQ(state().result->shape().n_k, 4U);
}

TEST_F(EditingTest, ReordersTokensByDragging) {
  const auto from = ui.find("tokens/0");
  const auto to = ui.find("tokens/2");
  ASSERT_TRUE(from && to);
  ui.drag("tokens/0", 0, to->centre().y - from->centre().y);
  EXPECT_EQ(token(2), "I");
}

TEST_F(EditingTest, TheLastTokenStays) {
  ui.click("tokens/0");
  for (int i = 0; i < 3; ++i) ui.key("Delete");
  EXPECT_EQ(state().result->shape().n_q, 1U);
  EXPECT_EQ(token(0), "cats");
}

TEST_F(EditingTest, TheCausalMaskHidesLaterKeys) {
  ui.click("masks/causal");
  EXPECT_EQ(weight(0, 1), 0.0F);
  EXPECT_EQ(ui.value("masks/hidden"), "3 of 9 cells hidden");
  EXPECT_EQ(ui.value("plot/heatmap/cell/0,2"), "hidden");
  ui.click("masks/offset_more");
  EXPECT_EQ(ui.value("masks/hidden"), "1 of 9 cells hidden");
  ui.key("Ctrl+Z");
  ui.key("Ctrl+Z");
  EXPECT_FALSE(state().document.mask.causal);
  EXPECT_NEAR(weight(0, 1), 0.2246F, 5e-5F);
}

TEST_F(EditingTest, APaddedKeyGetsNoWeightAndAPaddedQueryGivesNone) {
  ui.click("masks/key/2");
  EXPECT_EQ(weight(0, 2), 0.0F);
  EXPECT_GT(weight(0, 0), 0.0F);
  ui.click("masks/query/0");
  EXPECT_EQ(weight(0, 0), 0.0F);
  EXPECT_EQ(ui.value("masks/key/2"), "off");
}

TEST_F(EditingTest, ANewScaleChangesTheWeights) {
  ui.click("rules/Scoring");
  ui.click("scoring/usual_scale");
  ui.click("scoring/scale/value");
  ui.key("Ctrl+A");
  ui.type("0");
  ui.key("Enter");
  EXPECT_NEAR(weight(0, 0), 1.0F / 3.0F, 1e-6F);
  ui.click("scoring/usual_scale");
  EXPECT_NEAR(weight(0, 0), 0.4555F, 5e-5F);
}

TEST_F(EditingTest, PaintingHidesCellsInOneStroke) {
  ui.click("plot/options");
  ui.click("plot/paint");
  const auto from = ui.find("plot/heatmap/cell/0,0");
  const auto to = ui.find("plot/heatmap/cell/0,2");
  ASSERT_TRUE(from && to);
  ui.drag("plot/heatmap/cell/0,0", to->centre().x - from->centre().x, 0, 3);
  EXPECT_EQ(ui.value("masks/hidden"), "3 of 9 cells hidden");
  EXPECT_EQ(weight(0, 1), 0.0F);
  EXPECT_EQ(state().history.past.size(), 1U);
  ui.click("plot/heatmap/cell/0,1");
  EXPECT_EQ(ui.value("masks/hidden"), "2 of 9 cells hidden");
  EXPECT_EQ(weight(0, 1), 1.0F);
  EXPECT_TRUE(state().pins.empty());
}

TEST_F(EditingTest, AFastStrokeLeavesNoGaps) {
  ui.click("plot/options");
  ui.click("plot/paint");
  const auto from = ui.find("plot/heatmap/cell/0,0");
  const auto to = ui.find("plot/heatmap/cell/2,2");
  ASSERT_TRUE(from && to);
  ui.drag("plot/heatmap/cell/0,0", to->centre().x - from->centre().x,
          to->centre().y - from->centre().y, 1);
  EXPECT_EQ(ui.value("masks/hidden"), "3 of 9 cells hidden");
  EXPECT_EQ(ui.value("plot/heatmap/cell/1,1"), "hidden");
}

TEST_F(EditingTest, PaintingACellHiddenByAnotherRuleNamesIt) {
  ui.click("masks/causal");
  ui.click("plot/options");
  ui.click("plot/paint");
  ui.click("plot/heatmap/cell/0,2");
  ASSERT_TRUE(ui.shows("notice/0"));
  EXPECT_NE(ui.value("notice/0").find("causal mask"), std::string::npos);
  EXPECT_EQ(ui.count<command::PaintCell>(), 0U);
}

TEST_F(EditingTest, ShortcutsRestWhileTextIsTyped) {
  ui.click("tokens/new");
  ui.type("cmf1?");
  EXPECT_FALSE(state().document.mask.causal);
  EXPECT_EQ(state().tool, Tool::Inspect);
  EXPECT_FALSE(state().overlay);
  EXPECT_EQ(ui.value("tokens/new"), "cmf1?");
}

TEST_F(EditingTest, DigitsGoToTheSpreadsheetThatHasTheKeyboard) {
  ui.click("inputs/grid/cell/0,0");
  ui.type("4");
  ui.key("Enter");
  EXPECT_FLOAT_EQ(input("/q", 0, 0), 4.0F);
}

TEST_F(EditingTest, AnOffsetThatIsNoWholeNumberStaysToBePutRight) {
  open("example:causal-decoder");
  ui.click("masks/offset");
  ui.type("1.5");
  ui.key("Enter");
  EXPECT_EQ(ui.value("masks/offset"), "1.5");
  EXPECT_NE(ui.value("masks/offset/problem").find("whole number"), std::string::npos);
  EXPECT_EQ(state().document.mask.offset_of(0), 0);
}

}  // namespace
}  // namespace attn::gui
