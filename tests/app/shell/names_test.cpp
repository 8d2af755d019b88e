// Feature names typed into headers, tokens as written, and pasted documents.
#include <gtest/gtest.h>

#include "app/shell/app_fixture.h"

namespace attn::gui {
namespace {

constexpr const char* kLayer = R"({"tokens": ["The", "Ġcat", "Ġsat"], "d_model": 4, "heads": 2,
  "features": {"d_model": ["animal"]}})";

class NamesTest : public test::AppTest {
 protected:
  NamesTest() { open_text(kLayer); }
  std::string name(FeatureAxis axis, std::size_t column) const {
    const std::string* name = state().document.features.name_of(axis, column);
    return name == nullptr ? "" : *name;
  }
  void run(const std::string& action_id) {
    const std::vector<Action> actions = all_actions(state());
    const auto action = std::ranges::find(actions, action_id, &Action::id);
    ASSERT_NE(action, actions.end()) << action_id;
    ui.key("Ctrl+Shift+P");
    ui.type(action->label);
    ui.key("Enter");
    show();
  }
};

TEST_F(NamesTest, HeadersShowThem) {
  EXPECT_EQ(ui.value("inputs/grid/col/0"), "animal");
  EXPECT_EQ(ui.value("inputs/grid/col/1"), "2");
  ui.click("inputs/W_Q");
  EXPECT_EQ(ui.value("inputs/grid/row/0"), "animal");
  EXPECT_EQ(ui.value("inputs/grid/row/1"), "2");
}

TEST_F(NamesTest, ADoubleClickOnAHeaderNamesTheColumn) {
  ui.double_click("inputs/grid/col/1");
  ASSERT_TRUE(ui.shows("inputs/grid/name"));
  EXPECT_EQ(ui.value("inputs/grid/name"), "");
  ui.type("复数 – plural");
  ui.key("Enter");
  show();
  EXPECT_EQ(name(FeatureAxis::Model, 1), "复数 – plural");
  EXPECT_EQ(ui.value("inputs/grid/col/1"), "复数 – plural");
  EXPECT_FALSE(ui.shows("inputs/grid/name"));
  EXPECT_EQ(state().history.past.size(), 1U);
}

TEST_F(NamesTest, EscLeavesTheNameAsItWas) {
  ui.double_click("inputs/grid/col/0");
  EXPECT_EQ(ui.value("inputs/grid/name"), "animal");
  ui.type("plant");
  ui.key("Esc");
  show();
  EXPECT_FALSE(ui.shows("inputs/grid/name"));
  EXPECT_EQ(name(FeatureAxis::Model, 0), "animal");
  EXPECT_EQ(ui.count<command::RenameFeature>(), 0U);
}

TEST_F(NamesTest, AnEmptyNameTakesItAway) {
  ui.double_click("inputs/grid/col/0");
  ui.key("Delete");
  ui.key("Enter");
  show();
  EXPECT_TRUE(state().document.features.none());
  EXPECT_EQ(ui.value("inputs/grid/col/0"), "1");
}

TEST_F(NamesTest, F2NamesAColumnThatIsSelectedAsAWhole) {
  ui.click("inputs/grid/col/1");
  ui.key("F2");
  ASSERT_TRUE(ui.shows("inputs/grid/name"));
  ui.type("plural");
  ui.key("Tab");
  show();
  EXPECT_EQ(name(FeatureAxis::Model, 1), "plural");
  ASSERT_TRUE(ui.shows("inputs/grid/name")) << "of the next column";
  ui.type("alive");
  ui.key("Enter");
  show();
  EXPECT_EQ(name(FeatureAxis::Model, 2), "alive");
  ui.click("inputs/grid/cell/1,1");
  ui.key("F2");
  EXPECT_TRUE(ui.shows("inputs/grid/edit")) << "of one cell its number";
}

TEST_F(NamesTest, AColumnOfOneHeadIsNamedForAllHeads) {
  ui.click("inputs/W_K");
  ui.click("inputs/grid/cell/0,0");
  ui.key("Ctrl+Right");
  show();
  ui.double_click("inputs/grid/col/3");
  ui.type("where");
  ui.key("Enter");
  show();
  EXPECT_EQ(name(FeatureAxis::Key, 1), "where");
  EXPECT_EQ(ui.value("inputs/grid/col/3"), "h2 where");
  ui.click("inputs/grid/cell/0,3");
  ui.key("Ctrl+Left");
  show();
  EXPECT_EQ(ui.value("inputs/grid/col/1"), "h1 where");
  ui.double_click("inputs/grid/col/1");
  EXPECT_EQ(ui.value("inputs/grid/name"), "where");
}

TEST_F(NamesTest, AnActionNamesTheColumnOfTheCursor) {
  ui.click("inputs/grid/cell/0,2");
  run("name_column");
  ASSERT_TRUE(ui.shows("inputs/grid/name"));
  ui.type("alive");
  ui.key("Enter");
  show();
  EXPECT_EQ(name(FeatureAxis::Model, 2), "alive");
}

TEST_F(NamesTest, ColumnsThatAreTokensHaveNoOther) {
  open_text(R"({"attention": [[1, 0], [0.5, 0.5]]})");
  ui.double_click("inputs/grid/col/1");
  EXPECT_FALSE(ui.shows("inputs/grid/name"));
  const std::vector<Action> actions = all_actions(state());
  EXPECT_FALSE(std::ranges::find(actions, "name_column", &Action::id)->enabled);
}

TEST_F(NamesTest, TheInspectorSumsByName) {
  open_stage("q");
  ui.click("plot/heatmap/cell/1,0");
  show();
  EXPECT_TRUE(ui.shows("inspector/linear/0"));
  EXPECT_NE(ui.value("inspector/sentence").find("“␣cat” (query 2), feature 1"), std::string::npos);
}

TEST_F(NamesTest, TokensAreShownAsTheyAreWrittenOnDemand) {
  ui.click("plot/heatmap/cell/1,1");
  show();
  EXPECT_NE(ui.value("inspector/sentence").find("“␣cat”"), std::string::npos);
  EXPECT_EQ(ui.value("inputs/grid/row/1"), "␣cat");
  run("option/tokens_as_written");
  EXPECT_TRUE(focused_view(state()).options.tokens_as_written);
  EXPECT_NE(ui.value("inspector/sentence").find("“Ġcat”"), std::string::npos);
  EXPECT_EQ(ui.value("inputs/grid/row/1"), "Ġcat");
  EXPECT_EQ(ui.value("tokens/1"), "Ġcat");
}

TEST_F(NamesTest, TheTagSpellsTokensAsThePaneThatIsPointedAt) {
  const PaneId left = state().focus;
  app.apply(command::SplitPane{left, SplitDirection::Right});
  app.apply(command::LinkPane{state().focus, false});
  app.apply(command::SetOption{"tokens_as_written", "true", state().focus});
  show();
  ASSERT_NE(state().focus, left);
  const std::string unfocused = "pane/" + std::to_string(left) + "/plot/";
  ui.hover(unfocused + "heatmap/cell/1,0");
  EXPECT_TRUE(ui.value(unfocused + "tag").starts_with("“␣cat” → “The” "));
  ui.hover(unfocused + "heatmap/token/query/1");
  EXPECT_EQ(ui.value(unfocused + "tag"), "“␣cat”, written “Ġcat” query 2 of 3");
  ui.hover("plot/heatmap/cell/1,0");
  EXPECT_TRUE(ui.value("plot/tag").starts_with("“Ġcat” → “The” "));
  app.apply(command::FocusPane{left});
  show();
  const std::string right = "pane/" + std::to_string(panes_of(state().layout)[1]->id) + "/plot/";
  ui.hover(right + "heatmap/cell/1,0");
  EXPECT_TRUE(ui.value(right + "tag").starts_with("“Ġcat” → “The” "));
}

TEST_F(NamesTest, TheMenuOfAHeaderNamesThatColumn) {
  ui.click("inputs/grid/cell/1,0");
  ui.click("inputs/grid/col/2", 1);
  ASSERT_TRUE(ui.shows("context/name_column"));
  ui.click("context/name_column");
  show();
  ASSERT_TRUE(ui.shows("inputs/grid/name"));
  ui.type("plural");
  ui.click("inputs/grid/col/0", 1);
  show();
  EXPECT_EQ(name(FeatureAxis::Model, 2), "plural") << "taken, as by every press elsewhere";
  EXPECT_FALSE(ui.shows("inputs/grid/name"));
  ui.click("context/name_column");
  show();
  ui.type("alive");
  ui.key("Enter");
  show();
  EXPECT_EQ(name(FeatureAxis::Model, 0), "alive");
}

TEST_F(NamesTest, TheListSaysWhichTokenIsPointedAt) {
  ui.hover("tokens/1");
  ui.frames(60);
  EXPECT_EQ(ui.value("tooltip"), "Token 2 of 3: “␣cat”, written “Ġcat”");
}

TEST_F(NamesTest, TheTagOfALabelSaysWhichTokenItIs) {
  ui.hover("plot/heatmap/token/query/1");
  show();
  EXPECT_EQ(ui.value("plot/tag"), "“␣cat”, written “Ġcat” query 2 of 3");
}

TEST_F(NamesTest, TheTagOfACellSaysTheNameOfItsColumn) {
  ui.click("inputs/W_Q");
  ui.double_click("inputs/grid/col/0");
  ui.type("what");
  ui.key("Enter");
  open_stage("q");
  ui.hover("plot/heatmap/cell/0,0");
  EXPECT_TRUE(ui.value("plot/tag").starts_with("“The”, “what” "));
  ui.hover("plot/heatmap/cell/0,1");
  EXPECT_TRUE(ui.value("plot/tag").starts_with("“The”, 2 "));
}

TEST_F(NamesTest, PastingADocumentLeavesTheSelectedCells) {
  open("example:four-heads");
  app.apply(command::SetTitle{"Keeps its tab"});
  const std::uint64_t document = state().id;
  const Document before = state().document;
  ui.click("inputs/grid/cell/1,0");
  ui.clipboard = "5\t6\n7\t8\n";
  ui.key("Ctrl+Shift+V");
  show(6);
  ASSERT_NE(state().id, document);
  app.apply(command::SelectTab{document});
  EXPECT_EQ(state().document, before);
}

TEST_F(NamesTest, ACopiedTableIsPastedAsADocument) {
  ui.clipboard = "\tle\tchat\nthe\t1\t0\ncat\t0.25\t0.75\n";
  ui.key("Ctrl+Shift+V");
  show(6);
  EXPECT_EQ(open_documents(state()).size(), 2U);
  EXPECT_TRUE(state().document.cross);
  EXPECT_EQ(weight(1, 1), 0.75F);
  EXPECT_TRUE(has_unsaved_changes(state()));
}

TEST_F(NamesTest, TokensOfTwelveScriptsAreWholeInListTableAndPlot) {
  const std::vector<std::string> tokens = {"Hello",     "Привет", "Γειά",       "Բարեւ",
                                           "გამარჯობა", "שלום",   "مرحبا",      "नमस्ते",
                                           "สวัสดี",      "你好",   "こんにちは", "안녕"};
  std::string list;
  for (const std::string& text : tokens) list += (list.empty() ? "\"" : ", \"") + text + "\"";
  open_text("{\"tokens\": [" + list + "]}");
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const std::string n = std::to_string(i);
    EXPECT_EQ(ui.value("tokens/" + n), tokens[i]);
    EXPECT_EQ(ui.value("inputs/grid/row/" + n), tokens[i]);
    EXPECT_EQ(ui.value("plot/heatmap/token/query/" + n), tokens[i]);
    EXPECT_EQ(ui.value("plot/heatmap/token/key/" + n), tokens[i]);
  }
  ui.hover("plot/heatmap/cell/8,9");
  EXPECT_NE(ui.value("inspector/sentence").find("“สวัสดี” (query 9)"), std::string::npos);
  EXPECT_NE(ui.value("inspector/sentence").find("“你好” (key 10)"), std::string::npos);
}

}  // namespace
}  // namespace attn::gui
