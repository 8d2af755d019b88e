// Difference plot in the window: menu, keys, panes, and a missing reference.
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>

#include "app/shell/app_fixture.h"

namespace attn::gui {
namespace {

class DifferenceTest : public test::AppTest {
 protected:
  DifferenceTest() : AppTest({.width = 1600, .height = 1000}) {}

  void choose(const std::string& item) {
    ui.click("menu/View");
    ui.click("menu/View/Difference");
    ui.click("menu/View/Difference/" + item);
    ui.frames(2);
  }
  void send(const Command& command) {
    app.apply(command);
    app.wait_until_idle();
    ui.frames(3);
  }
  Compared shown() { return focused_view(state()).options.show; }
  void write(const std::string& name, const std::string& text) {
    std::ofstream(path(name)) << text;
  }
};

constexpr const char* kA = R"({"tokens": ["a", "b"], "attention": [[1, 0], [0.25, 0.75]]})";
constexpr const char* kB = R"({"tokens": ["a", "b"], "attention": [[1, 0], [0.75, 0.25]]})";

TEST_F(DifferenceTest, TheMenuKeepsAReferenceAndForgetsIt) {
  open("example:four-heads");
  EXPECT_EQ(state().reference, nullptr);
  choose("keep_reference");
  ASSERT_NE(state().reference, nullptr);
  EXPECT_NE(state().reference->label.find("as it was kept"), std::string::npos);
  choose("forget_reference");
  EXPECT_EQ(state().reference, nullptr);
}

TEST_F(DifferenceTest, TheMenuComparesWithAnotherOpenDocument) {
  write("a.json", kA);
  write("b.json", kB);
  app.open_at_start({path("b.json"), path("a.json")});
  app.wait_until_idle();
  show();
  send(command::StepTab{1});
  ASSERT_EQ(document_name(state()), "a.json");
  const std::uint64_t id_of_b = open_documents(state()).front()->id;
  choose("compare_with/" + std::to_string(id_of_b));
  ASSERT_NE(state().reference, nullptr);
  EXPECT_EQ(state().reference->label, "b.json");
}

TEST_F(DifferenceTest, TheNoticeShowsTheDifference) {
  write("a.json", R"({"tokens": ["a", "b"], "attention": [[0.5, 0.5], [1, 0]]})");
  write("b.json", R"({"tokens": ["a", "b"], "attention": [[0.25, 0.75], [1, 0]]})");
  open(path("b.json"));
  open(path("a.json"));
  send(command::CompareWith{path("b.json")});
  app.wait_until_idle();
  send(command::StepTab{1});
  show();
  ASSERT_EQ(document_name(state()), "b.json") << "another tab than that of the notice";
  EXPECT_FALSE(ui.shows("notice/0/difference"));
  send(command::StepTab{1});
  show();
  ui.click("notice/0/difference");
  show();
  EXPECT_EQ(document_name(state()), "a.json");
  EXPECT_EQ(focused_view(state()).plot, "difference");
  EXPECT_FALSE(ui.shows("notice/0"));
  send(command::CompareWith{path("b.json")});
  app.wait_until_idle();
  show();
  EXPECT_TRUE(ui.shows("notice/0"));
  EXPECT_FALSE(ui.shows("notice/0/difference")) << "is shown";
}

TEST_F(DifferenceTest, TheNoticeOffersNoDifferenceFromTheDocumentItself) {
  open("example:four-heads");
  choose("keep_reference");
  EXPECT_TRUE(ui.shows("notice/0"));
  EXPECT_FALSE(ui.shows("notice/0/difference"));
}

TEST_F(DifferenceTest, KeysFlipBetweenTheSidesAndBackToTheDifference) {
  open("example:four-heads");
  ui.type("b");
  EXPECT_EQ(shown(), Compared::Difference) << "another plot has no sides";
  show_plot("difference");
  ui.type("b");
  EXPECT_EQ(shown(), Compared::A);
  ui.type("b");
  EXPECT_EQ(shown(), Compared::B);
  ui.type("b");
  EXPECT_EQ(shown(), Compared::A);
  ui.type("d");
  EXPECT_EQ(shown(), Compared::Difference);
}

TEST_F(DifferenceTest, APaneShowsWhatAnEditChangedBesideTheHeatmap) {
  open("example:four-heads");
  choose("keep_reference");
  ui.key("Ctrl+\\");
  ui.frames(2);
  show_plot("difference");
  EXPECT_TRUE(ui.shows("plot/difference"));
  send(command::SetCausal{!state().document.mask.causal});
  ui.frames(3);
  const PaneId other = panes_of(state().layout)[0]->id;
  EXPECT_TRUE(ui.shows("pane/" + std::to_string(other) + "/plot/heatmap"));
  ui.hover("plot/difference/cell/0,1");
  ui.frames(2);
  ASSERT_TRUE(state().hover.has_value());
  const float now = weight(0, 1);
  const float before =
      state().reference->result->value(Stage::Weights, focused_view(state()).options.at, 0, 1);
  ASSERT_NE(now, before);
  EXPECT_NE(ui.value("inspector/sentence").find("in A than in B"), std::string::npos)
      << ui.value("inspector/sentence");
}

TEST_F(DifferenceTest, AReferenceThatIsGoneIsNamedInThePlotsPlace) {
  open_text(R"({"tokens": ["a", "b"], "reference": "gone.json",
    "attention": [[[1, 0], [0.25, 0.75]], [[0.5, 0.5], [0.5, 0.5]]]})");
  show_plot("difference");
  ui.frames(2);
  ASSERT_TRUE(ui.shows("plot/refused")) << "two heads could be compared instead";
  const std::string reason = ui.value("plot/refused");
  EXPECT_NE(reason.find("gone.json"), std::string::npos) << reason;
  EXPECT_NE(reason.find("choose another reference"), std::string::npos) << reason;
  choose("forget_reference");
  EXPECT_FALSE(ui.shows("plot/refused"));
}

}  // namespace
}  // namespace attn::gui
