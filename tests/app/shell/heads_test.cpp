// Plot of all heads in the window: navigation by arrows, opening, comparing.
#include <gtest/gtest.h>

#include "app/shell/app_fixture.h"
#include "engine/compute.h"

namespace attn::gui {
namespace {

class HeadsTest : public test::AppTest {
 protected:
  HeadsTest() : AppTest({.width = 1400, .height = 900}) {
    open("example:four-heads");
    show_plot("heads");
    ui.frames(2);
  }
  std::size_t head() const { return focused_view(state()).options.at.head; }
  std::size_t panes() const { return panes_of(state().layout).size(); }
};

TEST_F(HeadsTest, ArrowsWalkThemAndEnterOpensOne) {
  ui.key("Right");
  ui.key("Right");
  EXPECT_EQ(head(), 2U);
  ui.key("Left");
  EXPECT_EQ(head(), 1U);
  EXPECT_EQ(focused_view(state()).plot, "heads");
  ui.key("Enter");
  ui.frames(2);
  EXPECT_EQ(focused_view(state()).plot, "heatmap");
  EXPECT_EQ(head(), 1U);
}

// The maps count heads from 1; documents and the command line count from 0.
TEST_F(HeadsTest, TheirFieldCountsFromOne) {
  const std::string field = "plot/options/heads";
  ui.click("plot/options");
  const auto type = [&](const char* text) {
    ui.click(field);
    ui.key("Ctrl+A");
    ui.type(text);
    ui.key("Enter");
    show();
  };
  EXPECT_EQ(ui.value(field), "all");
  type("1,3-4");
  EXPECT_EQ(focused_view(state()).options.heads, "0,2-3");
  EXPECT_EQ(ui.value(field), "1,3-4");
  type("0");
  EXPECT_EQ(focused_view(state()).options.heads, "0,2-3") << "there is no head 0";
  EXPECT_EQ(ui.value(field + "/problem"), "All, or a list such as 1,4-6");
}

TEST_F(HeadsTest, ArrowsMeanTheCellsWhereTheSpreadsheetHasTheKeyboard) {
  ui.click("inputs/grid/cell/0,0");
  ui.key("Right");
  EXPECT_EQ(head(), 0U);
  EXPECT_EQ(state().grid.col, 1U);
}

TEST_F(HeadsTest, ArrowsDoNothingUnderAWindow) {
  ui.key("F1");
  ui.frames(2);
  ASSERT_EQ(state().overlay, Overlay::Shortcuts);
  ui.key("Right");
  EXPECT_EQ(head(), 0U);
}

TEST_F(HeadsTest, AClickOpensAndAShiftClickCompares) {
  ui.shift_click("plot/heads/head/2");
  ui.frames(2);
  ASSERT_EQ(panes(), 2U);
  EXPECT_EQ(focused_view(state()).plot, "heads");
  EXPECT_EQ(head(), 0U) << "the one looked at stays";
  EXPECT_EQ(panes_of(state().layout)[1]->view.plot, "difference");
  ui.click("plot/heads/head/3");
  ui.frames(2);
  EXPECT_EQ(head(), 3U);
}

class ManyHeadsTest : public test::AppTest {
 protected:
  ManyHeadsTest() : AppTest({.width = 1100, .height = 500}) {
    open_text(R"({"tokens": ["a", "b", "c"], "d_model": 8, "heads": 4,
                  "blocks": 60})");
    show_plot("heads");
    ui.frames(2);
  }
};

TEST_F(ManyHeadsTest, TheOneThatAnArrowLeadsToIsScrolledIntoView) {
  ASSERT_FALSE(ui.shows("plot/heads/layer/59/head/0"));
  for (int i = 0; i < 59; ++i) ui.key("Down");
  ui.frames(2);
  EXPECT_EQ(focused_view(state()).options.at.layer, 59U);
  EXPECT_TRUE(ui.shows("plot/heads/layer/59/head/0"));
  EXPECT_FALSE(ui.shows("plot/heads/head/0"));
}

// --- gates: sliders, keys, menus, the inspector, undo, and what they keep

class GatesTest : public test::AppTest {
 protected:
  GatesTest() : AppTest({.width = 1400, .height = 900}) {
    open("example:what-it-means");
    show_plot("heads");
    show();
  }
  void send(const Command& command) {
    app.apply(command);
    app.wait_until_idle();
    ui.frames(3);
  }
  // Clicks a cell of the atlas: "head/1/layer/1/head/0" is the head taken out and the one read.
  void click_in_atlas(const std::string& pair) {
    show_plot("atlas");
    app.wait_until_idle();
    show();
    ui.click("plot/atlas/atlas/" + pair);
    app.wait_until_idle();
    show();
  }
  const std::vector<HeadGate>& gates() const { return state().document.what_if.gates; }
  static std::string strip(std::size_t layer, std::size_t head) {
    return "plot/heads/gate/" + (layer > 0 ? "layer/" + std::to_string(layer) + "/" : "") +
           "head/" + std::to_string(head);
  }
};

TEST_F(GatesTest, ADragIsOneStepOfUndoAndRestoresEveryBit) {
  const Document before = state().document;
  const ResultPtr result = state().result;
  const std::size_t steps = state().history.past.size();
  ui.drag(strip(0, 1), -400, 0);
  app.wait_until_idle();
  show();
  ASSERT_EQ(gates().size(), 1U);
  EXPECT_EQ(gates().front().at, (HeadAddress{0, 0, 1}));
  EXPECT_EQ(gates().front().factor, 0.0F);
  EXPECT_EQ(state().history.past.size(), steps + 1);
  ASSERT_NE(state().reference, nullptr) << "keeps what it was by itself";
  EXPECT_EQ(state().reference->result, result);
  EXPECT_NE(state().result->value(Stage::Weights, {1, 0, 0}, 3, 1),
            result->value(Stage::Weights, {1, 0, 0}, 3, 1));
  ui.key("Ctrl+Z");
  app.wait_until_idle();
  EXPECT_EQ(state().document, before);
}

TEST_F(GatesTest, ADoubleClickSetsOneAgain) {
  ui.drag(strip(1, 0), 400, 0);
  show();
  ASSERT_EQ(gates().size(), 1U);
  EXPECT_EQ(gates().front().factor, 2.0F);
  ui.double_click(strip(1, 0));
  show();
  EXPECT_TRUE(gates().empty());
}

// The knob is where the pointer is, and all strips stay where they are.
TEST_F(GatesTest, ADragSetsTheFactorUnderThePointer) {
  for (const char* document : {"example:what-it-means", "attnscope:stories-decoder"}) {
    open(document);
    app.wait_until_idle();
    show_plot("heads");
    show();
    for (const float share : {-0.4F, -0.15F, 0.3F}) {
      const ProbedWidget before = *ui.find(strip(0, 1));
      const float width = before.max.x - before.min.x;
      ui.drag(strip(0, 1), share * width, 0);
      app.wait_until_idle();
      show();
      ASSERT_EQ(gates().size(), 1U) << document << " " << share;
      EXPECT_NEAR(gates().front().factor, 1.0F + 2.0F * share, 0.06F) << document;
      EXPECT_EQ(ui.find(strip(0, 1))->min.y, before.min.y) << document << " " << share;
      EXPECT_EQ(ui.find(strip(0, 1))->max.x, before.max.x) << document << " " << share;
      send(command::SetGates{{{gates().front().at, 1.0F}}});
    }
  }
}

TEST_F(GatesTest, AClickAloneChangesNothingAndOpensNoHead) {
  ui.click(strip(0, 1));
  EXPECT_TRUE(gates().empty());
  EXPECT_EQ(focused_view(state()).plot, "heads");
}

TEST_F(GatesTest, TheMenuSetsRowsAndColumns) {
  const AttentionShape shape = shape_of(state().document);
  ui.click(strip(1, 1), 1);
  ui.click("plot/gates/All heads of layer 2: × 0");
  show();
  EXPECT_EQ(gates().size(), shape.heads);
  ui.click(strip(1, 1), 1);
  ui.click("plot/gates/All heads: × 1");
  show();
  EXPECT_TRUE(gates().empty());
  ui.click(strip(1, 1), 1);
  ui.click("plot/gates/Head 2 of all layers: × 0");
  show();
  EXPECT_EQ(gates().size(), shape.layers);
}

TEST_F(GatesTest, TheKeyTakesTheShownHeadOutAndPutsItBack) {
  ui.type("g");
  show();
  ASSERT_EQ(gates().size(), 1U);
  EXPECT_EQ(gates().front().factor, 0.0F);
  ui.type("g");
  show();
  EXPECT_TRUE(gates().empty());
}

TEST_F(GatesTest, TheInspectorListsThemAndWhatChangedMost) {
  send(command::SetGates{{{{0, 0, 0}, 0.0F}, {{0, 0, 1}, 0.25F}}});
  app.wait_until_idle();
  show();
  EXPECT_EQ(ui.value("what_if/1/value"), "0.25");
  EXPECT_TRUE(ui.shows("what_if/changed/0"));
  EXPECT_EQ(ui.value("what_if/unchanged"), "Weights of layer 1 are unchanged, bit by bit");
  ui.click("what_if/0/remove");
  show();
  EXPECT_EQ(gates().size(), 1U);
  ui.click("what_if/reset");
  show();
  EXPECT_TRUE(gates().empty());
  EXPECT_FALSE(ui.shows("what_if/reset"));
}

// A frame waits for no layer that is computed last, while a gate is dragged.
TEST_F(GatesTest, FramesReadNoLayerThatIsNotComputed) {
  open_text(R"({"tokens": 64, "d_model": 256, "heads": 4, "blocks": 6,
                "norms": {"order": "pre", "final": {}}})");
  show_plot("heatmap");
  send(command::MaximisePane{true});
  send(command::SetGates{{{{0, 0, 0}, 0.5F}}});
  app.apply(command::Pin{{{Stage::Weights, {}}, 1, 1}});
  const ResultPtr some = compute(state().result->problem(), {.layers = 1}).value();
  app.apply(command::Computed{state().revision, some, 0.01});
  ui.frames(1);
  EXPECT_EQ(some->layers_ready(), 1U);
  app.wait_until_idle();
  show();
  EXPECT_EQ(state().result->layers_ready(), 6U) << "the others follow";
  EXPECT_EQ(some->layers_ready(), 1U);
  app.apply(command::Unpin{});
  show();
  EXPECT_TRUE(ui.shows("what_if/changed/0"));
}

TEST_F(GatesTest, AnotherTextIsComparedWithItselfWithoutThem) {
  send(command::SetGates{{{{0, 0, 0}, 0.0F}}});
  send(command::SetText{"the dog was tired ."});
  app.wait_until_idle();
  show();
  ASSERT_NE(state().reference, nullptr);
  Document untouched = state().document;
  untouched.what_if = {};
  EXPECT_EQ(*state().reference->document, untouched);
}

TEST_F(GatesTest, DocumentsThatAPersonComparesWithStay) {
  send(command::CompareWith{"example:four-heads"});
  app.wait_until_idle();
  const ReferencePtr chosen = state().reference;
  ASSERT_NE(chosen, nullptr);
  send(command::SetGates{{{{0, 0, 0}, 0.0F}}});
  app.wait_until_idle();
  EXPECT_EQ(state().reference, chosen);
}

TEST_F(GatesTest, AClickInTheAtlasTakesAHeadOutAndShowsAnother) {
  click_in_atlas("head/1/layer/1/head/0");
  ASSERT_EQ(gates().size(), 1U);
  EXPECT_EQ(gates().front().at, (HeadAddress{0, 0, 1}));
  EXPECT_EQ(focused_view(state()).options.at, (HeadAddress{1, 0, 0}));
}

// Heads are looked through one after another.
TEST_F(GatesTest, AClickInTheAtlasPutsBackWhatTheLastOneTookOut) {
  open("attnscope:stories-decoder");
  app.wait_until_idle();
  click_in_atlas("head/1/layer/1/head/0");
  ui.click("plot/atlas");
  app.wait_until_idle();
  EXPECT_TRUE(gates().empty());
  click_in_atlas("head/0/layer/1/head/0");
  click_in_atlas("head/1/layer/1/head/0");
  ASSERT_EQ(gates().size(), 1U);
  EXPECT_EQ(gates().front().at, (HeadAddress{0, 0, 1}));
}

TEST_F(GatesTest, TheWayBackFromAnAtlasKeepsAFactorOfOnesOwn) {
  open("attnscope:stories-decoder");
  app.wait_until_idle();
  send(command::SetGates{{{{0, 0, 1}, 0.5F}}});
  click_in_atlas("head/1/layer/1/head/0");
  EXPECT_EQ(gates().front().factor, 0.0F);
  ui.click("plot/atlas");
  app.wait_until_idle();
  ASSERT_EQ(gates().size(), 1U);
  EXPECT_EQ(gates().front().factor, 0.5F);
}

TEST_F(GatesTest, ChangedHeadsAreThoseOfBothAttentionsOfADecoder) {
  open("example:transformer-decoder");
  show_plot("heads");
  send(command::Unpin{});
  send(command::SetGates{{{{.attention = kSelfAttention}, 0.0F}}});
  app.wait_until_idle();
  show();
  ASSERT_EQ(gates().size(), 1U);
  EXPECT_EQ(ui.names("what_if/changed/").size(), 5U) << "two heads of self-attention, four across";
}

// The pointer stays on the cell that it compares.
TEST_F(GatesTest, NoMapMovesWhenAHeadIsChanged) {
  show_plot("heatmap");
  for (const bool alone : {false, true}) {
    send(command::MaximisePane{alone});
    const ImVec2 before = ui.find("plot/heatmap/cell/1,0")->min;
    send(command::SetGates{{{{0, 0, 0}, 0.5F}}});
    EXPECT_EQ(ui.find("plot/heatmap/cell/1,0")->min.y, before.y) << alone;
    EXPECT_EQ(ui.find("plot/heatmap/cell/1,0")->min.x, before.x) << alone;
    send(command::SetGates{{{{0, 0, 0}, 1.0F}}});
  }
}

TEST_F(GatesTest, KeptWeightsChangeNothingForNoStatedReason) {
  send(command::SetPattern{{0, 0, 0}, HeadAddress{0, 0, 0}});
  EXPECT_EQ(ui.value("what_if/unchanged"), "No weight changes");
  send(command::SetPattern{{0, 0, 0}, std::nullopt});
  send(command::SetGates{{{{2, 0, 0}, 0.0F}}});
  EXPECT_EQ(ui.value("what_if/unchanged"),
            "No weight changes: these heads are read by no later layer");
}

TEST_F(GatesTest, AButtonLeadsBackFromAMapToTheAtlas) {
  open("attnscope:stories-decoder");
  app.wait_until_idle();
  show_plot("atlas");
  app.wait_until_idle();
  show();
  ui.click("plot/atlas/atlas/head/1/layer/1/head/0");
  app.wait_until_idle();
  ASSERT_EQ(focused_view(state()).plot, kUsualPlot);
  show();
  ui.click("plot/atlas");
  app.wait_until_idle();
  EXPECT_EQ(focused_view(state()).plot, "atlas");
}

TEST_F(GatesTest, AClickInTheAtlasOfAnotherTextTakesNoHeadOut) {
  send(command::KeepReference{});
  show_plot("atlas");
  send(command::SetOption{"from_reference", "true"});
  app.wait_until_idle();
  show();
  ui.click("plot/atlas/atlas/head/1/layer/1/head/0");
  app.wait_until_idle();
  EXPECT_TRUE(gates().empty());
  EXPECT_EQ(focused_view(state()).plot, kUsualPlot);
}

TEST_F(GatesTest, TheMenuCutsAnEdgeToTheShownHead) {
  open("attnscope:stories-decoder");
  app.wait_until_idle();
  show_plot("heads");
  show();
  send(command::SelectHead{{1, 0, 0}});
  app.wait_until_idle();
  const Tensor before = whole_stage(*state().result, Stage::Weights, {1, 0, 0});
  const auto choose = [&](const std::string& verb) {
    ui.click(strip(0, 1), 1);
    ui.click("plot/gates/" + verb +
             " the output of layer 1, head 2 in the queries of layer 2, head 1");
    app.wait_until_idle();
    show();
  };
  choose("Cut");
  const CutEdge edge{{1, 0, 0}, Stage::Query, {0, 0, 1}};
  EXPECT_EQ(state().document.what_if.edges, std::vector{edge});
  EXPECT_NE(whole_stage(*state().result, Stage::Weights, {1, 0, 0}), before);
  choose("Restore");
  EXPECT_TRUE(state().document.what_if.edges.empty());
  EXPECT_EQ(whole_stage(*state().result, Stage::Weights, {1, 0, 0}), before);
  choose("Cut");
  ui.click("what_if/edge/0/remove");
  EXPECT_TRUE(state().document.what_if.edges.empty());
}

TEST_F(GatesTest, TheMenuGivesAHeadTheWeightsOfTheShownOne) {
  const Document before = state().document;
  const HeadAddress shown = focused_view(state()).options.at;
  const HeadAddress other{1, 0, 1};
  ASSERT_NE(shown, other);
  const Tensor weights = whole_stage(*state().result, Stage::Weights, shown);
  ui.click(strip(1, 1), 1);
  ui.click("plot/gates/Give it the weights of layer " + std::to_string(shown.layer + 1) +
           ", head " + std::to_string(shown.head + 1));
  app.wait_until_idle();
  show();
  ASSERT_EQ(state().document.what_if.patterns.size(), 1U);
  EXPECT_EQ(state().document.what_if.patterns.front().at, other);
  EXPECT_EQ(whole_stage(*state().result, Stage::Weights, other), weights);
  ASSERT_NE(state().reference, nullptr);
  ui.click("what_if/pattern/0");
  show();
  EXPECT_EQ(state().grid.matrix.tensor, "/what_if/patterns/0/weights");
  ui.click("what_if/pattern/0/remove");
  show();
  EXPECT_EQ(state().document, before);
}

TEST_F(GatesTest, WeightsThatAreKeptCanBeEditedAndFollowTheTokens) {
  open("example:transformer-blocks");
  send(command::SetPattern{{}, HeadAddress{}});
  show();
  ASSERT_EQ(state().document.what_if.patterns.size(), 1U);
  const MatrixRef matrix{"/what_if/patterns/0/weights", {}};
  send(command::SetCell{matrix, 2, 1, 0.75F});
  EXPECT_EQ(state().result->value(Stage::Weights, {}, 2, 1), 0.75F);
  send(command::DeleteToken{Side::Query, 0});
  EXPECT_EQ(state().result->value(Stage::Weights, {}, 1, 0), 0.75F) << "one row and column less";
}

// A window of some height with a page in each of its plots.
struct Pages : test::AppTest {
  explicit Pages(float height) : AppTest({.width = 1000, .height = height}) {
    open("example:what-it-means");
  }
  void TestBody() override {}
  void expect_still(const std::string& plot) {
    app.apply(command::SelectPlot{plot});
    app.wait_until_idle();
    ui.frames(4);
    const ProbedWidget before = *ui.find("plot/" + plot);
    for (int i = 0; i < 3; ++i) {
      ui.frames(1);
      EXPECT_EQ(ui.find("plot/" + plot)->max.x, before.max.x) << plot;
      EXPECT_EQ(ui.find("plot/" + plot)->max.y, before.max.y) << plot;
    }
  }
};

// A scroll bar that appears must not make a page so low that it disappears.
TEST(PagesTest, StandStillFromFrameToFrame) {
  for (float height = 420.0F; height < 700.0F; height += 23.0F) {
    Pages pages(height);
    SCOPED_TRACE(height);
    for (const char* plot : {"heads", "next", "lens", "atlas", "measures", "token"}) {
      pages.expect_still(plot);
    }
  }
}

}  // namespace
}  // namespace attn::gui
