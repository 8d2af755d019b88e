// The steps of docs/TUTORIAL.md have the described results.
#include <gtest/gtest.h>

#include "app/shell/app_fixture.h"
#include "base/number_text.h"

namespace attn::gui {
namespace {

class TutorialTest : public test::AppTest {
 protected:
  TutorialTest() { open("example:i-love-cats"); }
  std::string shown(std::size_t q, std::size_t k) const {
    return fixed_text(static_cast<double>(weight(q, k)), 2);
  }
  std::vector<std::string> row(std::size_t q) const {
    return {shown(q, 0), shown(q, 1), shown(q, 2)};
  }
  // Continues where the steps reach two heads of a sentence.
  void go_on_to_two_heads() {
    ui.key("Ctrl+Shift+E");
    ui.type("The cat sat because it was tired");
    ui.key("Enter");
    ui.key("Ctrl+Shift+D");
    ui.click("structure/heads/more");
    ui.key("Enter");
    ui.frames(2);
  }
};

using ShownRow = std::vector<std::string>;

TEST_F(TutorialTest, ReadsPointsAndPins) {
  EXPECT_EQ(row(0), (ShownRow{"0.46", "0.22", "0.32"}));
  ui.click("plot/heatmap/cell/0,2");
  EXPECT_EQ(ui.value("inspector/sentence"),
            "“I” (query 1) takes 32.0 % from “cats” (key 3), head 1");
  EXPECT_EQ(ui.value("inspector/chain/scores"), "0.5");
  EXPECT_EQ(ui.value("inspector/chain/scaled"), "0.3536");
  EXPECT_EQ(ui.value("inspector/chain/exp"), "1.424");
  EXPECT_EQ(ui.value("inspector/chain/weights"), "0.3199");
  ui.key("Alt+Left");
  EXPECT_EQ(ui.value("strip/stage/masked"), "on");
}

TEST_F(TutorialTest, EditsACellByASum) {
  ui.click("inputs/K");
  ui.double_click("inputs/grid/cell/2,1");
  ui.type("2*3");
  ui.key("Enter");
  EXPECT_EQ(shown(1, 2), "0.96");
  EXPECT_EQ(shown(2, 2), "0.96");
  EXPECT_EQ(row(0), (ShownRow{"0.46", "0.22", "0.32"}));
  ui.key("Ctrl+Z");
  EXPECT_EQ(shown(1, 2), "0.32");
}

TEST_F(TutorialTest, HidesTheFutureAndSharpens) {
  ui.click("masks/causal");
  EXPECT_EQ(row(0), (ShownRow{"1.00", "0.00", "0.00"}));
  EXPECT_EQ(row(1), (ShownRow{"0.33", "0.67", "0.00"}));
  ui.type("c");
  ui.click("rules/Scoring");
  ui.click("scoring/temperature");
  EXPECT_EQ(ui.value("scoring/temperature/value"), "1");
  ui.click("scoring/temperature/value");
  ui.key("Ctrl+A");
  ui.type("0.5");
  ui.key("Enter");
  EXPECT_EQ(row(0), (ShownRow{"0.58", "0.14", "0.28"}));
}

TEST_F(TutorialTest, MakesTwoHeadsOfASentenceAndTwoPanes) {
  go_on_to_two_heads();
  EXPECT_EQ(token(3), "because");
  ui.type("2");
  EXPECT_EQ(focused_view(state()).options.at.head, 1U);
  ui.key("Ctrl+\\");
  show_plot("links");
  EXPECT_EQ(focused_view(state()).plot, "links");
  ui.hover("pane/2/plot/heatmap/cell/3,1");
  EXPECT_TRUE(ui.value("inspector/sentence").starts_with("“because” (query 4) takes"));
}

TEST_F(TutorialTest, HidesATokenAndSeesWhatChanges) {
  go_on_to_two_heads();
  const float taken = weight(3, 1), other = weight(3, 2);
  EXPECT_GT(taken, 0.0F);
  ui.click("menu/View");
  ui.click("menu/View/Difference");
  ui.click("menu/View/Difference/keep_reference");
  ui.click("masks/key/1");
  show_plot("difference");
  ASSERT_NE(state().reference, nullptr);
  EXPECT_EQ(weight(3, 1), 0.0F);
  EXPECT_GT(weight(3, 2), other);
}

TEST_F(TutorialTest, CopiesNumbersAndShowsTheCallOfAFigure) {
  go_on_to_two_heads();
  ui.type("2");
  ui.click("plot/heatmap/cell/3,1");
  ui.click("plot/heatmap/cell/3,1", 1);
  EXPECT_TRUE(ui.shows("context/copy_numbers/"));
  EXPECT_TRUE(ui.shows("context/copy_sentence"));
  ui.key("Esc");
  ui.key("Ctrl+E");
  ui.frames(2);
  EXPECT_NE(ui.value("export/command").find("--head 1"), std::string::npos);
}

}  // namespace
}  // namespace attn::gui
