// Start page: recent files, search of examples, opening them by mouse and keys.
#include "gui/shell/windows/start_window.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include "app/shell/app_fixture.h"

namespace attn::gui {
namespace {

class StartTest : public test::AppTest {
 protected:
  void open_page() {
    app.apply(command::ShowOverlay{Overlay::Start});
    show();
  }
  void write(const std::string& name) { std::ofstream(path(name)) << R"({"tokens": ["a", "b"]})"; }
};

TEST(FirstSentence, EndsWithItsFullStop) {
  EXPECT_EQ(first_sentence("One 0.5 is. Two is."), "One 0.5 is.");
  EXPECT_EQ(first_sentence("One."), "One.");
  EXPECT_EQ(first_sentence(""), "");
}

TEST(MatchingExamples, HaveEveryWordWhateverItsCase) {
  EXPECT_EQ(matching_examples("").size(), all_examples().size());
  const auto found = matching_examples("ROTARY positions gate");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0]->name, "todays-block");
  EXPECT_TRUE(matching_examples("no such words").empty());
  EXPECT_EQ(matching_examples("four heads").front()->title, "Four heads, four habits");
  for (const Example* example : matching_examples("masks")) {
    const std::string words =
        std::string(example->group) + std::string(example->name) + example->description;
    EXPECT_NE(words.find("ask"), std::string::npos) << example->name;
  }
}

TEST(CardRows, BeginWithEachGroup) {
  const auto all = all_examples().subspan(2);
  const auto other = std::ranges::find_if(
      all, [&](const Example& example) { return example.group != all.front().group; });
  const std::vector<const Example*> first = {&all[0], &all[1], &all[2], &other[0], &other[1]};
  const auto rows = card_rows(first, 2);
  EXPECT_EQ(rows, (std::vector<std::size_t>{0, 0, 1, 2, 2}));
  EXPECT_EQ(card_below(rows, 1, 1), 2U) << "the last of a shorter row";
  EXPECT_EQ(card_below(rows, 2, 1), 3U);
  EXPECT_EQ(card_below(rows, 3, -1), 2U);
  EXPECT_EQ(card_below(rows, 4, 1), 4U);
  EXPECT_EQ(card_below(rows, 0, -1), 0U);
}

TEST(Thumbnails, OfEveryExampleShowSomethingInEveryTheme) {
  for (const Example& example : all_examples()) {
    for (const ThemeKind theme : {ThemeKind::Dark, ThemeKind::Light}) {
      const Thumbnail thumbnail = thumbnail_of(example, theme);
      EXPECT_GT(thumbnail.part.width, 10.0) << example.name;
      EXPECT_GT(thumbnail.part.height, 10.0) << example.name;
      EXPECT_EQ(thumbnail.figure.background, figure_theme(theme).background) << example.name;
      for (const FigureItem& item : thumbnail.figure.items) {
        EXPECT_FALSE(std::holds_alternative<TextItem>(item)) << example.name;
      }
      EXPECT_EQ(thumbnail.figure.items.capacity(), thumbnail.figure.items.size()) << example.name;
    }
  }
}

TEST_F(StartTest, AClickOpensAnExampleAndClosesThePage) {
  open("example:four-heads");
  ui.click("menu/Help");
  ui.click("menu/Help/start_page");
  const std::string lesson = "lesson-what-attention-computes";
  ASSERT_TRUE(ui.shows("start/example/" + lesson));
  ui.click("start/example/" + lesson);
  show();
  EXPECT_EQ(state().source_path, "example:" + lesson);
  EXPECT_FALSE(state().overlay);
}

TEST_F(StartTest, BeginsWithModelsThatOneCanTypeInto) {
  open("example:four-heads");
  open_page();
  ui.key("Enter");
  show();
  EXPECT_EQ(state().source_path, "example:what-it-means");
  EXPECT_TRUE(ui.shows("model/text"));
}

TEST_F(StartTest, WordsAndEnterOpenTheFirstThatIsFound) {
  open("example:four-heads");
  open_page();
  ui.type("sparsemax weak");
  show();
  EXPECT_EQ(ui.names("start/example/"),
            std::vector<std::string>{"start/example/sparsemax-vs-softmax"});
  ui.key("Enter");
  show();
  EXPECT_EQ(state().source_path, "example:sparsemax-vs-softmax");
}

TEST_F(StartTest, ArrowsWalkTheCards) {
  open("example:four-heads");
  open_page();
  ui.key("Right");
  ui.key("Enter");
  show();
  EXPECT_EQ(state().source_path, example_path(all_examples()[1]));
  open_page();
  for (std::size_t i = 0; i < all_examples().size(); ++i) ui.key("Down");
  ui.key("Enter");
  show();
  const auto last = std::ranges::find(all_examples(), state().source_path, example_path);
  ASSERT_NE(last, all_examples().end());
  EXPECT_EQ(last->group, all_examples().back().group);
}

TEST_F(StartTest, TabWalksTheControlsAndEnterOpensTheOneWithTheFocus) {
  open("example:i-love-cats");
  open_page();
  const std::string wanted = "start/example/" + std::string(all_examples()[1].name);
  for (int i = 0; i < 12 && ui.focused() != wanted; ++i) ui.key("Tab");
  ASSERT_EQ(ui.focused(), wanted);
  ui.key("Enter");
  show();
  EXPECT_EQ(state().source_path, example_path(all_examples()[1]));
  EXPECT_FALSE(state().overlay);
}

TEST_F(StartTest, EscAndTheButtonCloseIt) {
  open("example:four-heads");
  open_page();
  ui.key("Esc");
  EXPECT_FALSE(state().overlay);
  open_page();
  ui.click("start/close");
  EXPECT_FALSE(state().overlay);
  EXPECT_EQ(state().source_path, "example:four-heads");
}

TEST_F(StartTest, LeadsToNewOpenGuideAndShortcuts) {
  open("example:four-heads");
  open_page();
  ui.click("start/guide");
  EXPECT_EQ(state().overlay, Overlay::Guide);
  open_page();
  ui.click("start/shortcuts");
  EXPECT_EQ(state().overlay, Overlay::Shortcuts);
  open_page();
  ui.click("start/open");
  EXPECT_EQ(state().dialog, DialogKind::Open);
  EXPECT_FALSE(state().overlay);
  app.apply(command::ShowDialog{});
  open_page();
  ui.click("start/new");
  EXPECT_EQ(state().source_path, "");
  EXPECT_FALSE(state().overlay);
}

TEST_F(StartTest, FilesThatAreGoneAreShownAndCannotBeOpened) {
  write("here.attn.json");
  write("gone.attn.json");
  open(path("gone.attn.json"));
  open(path("here.attn.json"));
  std::filesystem::remove(path("gone.attn.json"));
  open_page();
  EXPECT_TRUE(ui.enabled("start/recent/0"));
  EXPECT_FALSE(ui.enabled("start/recent/1"));
  EXPECT_EQ(ui.value("start/recent/1"), "Gone: gone.attn.json");
  ui.click("start/recent/1");
  EXPECT_EQ(state().overlay, Overlay::Start);
  write("gone.attn.json");
  ui.key("Esc");
  open_page();
  EXPECT_TRUE(ui.enabled("start/recent/1")) << "it is back";
  ui.click("start/recent/1");
  show();
  EXPECT_EQ(state().path, path("gone.attn.json"));
}

TEST_F(StartTest, TheMenuOfRecentFilesGreysThoseThatAreGone) {
  write("gone.attn.json");
  open(path("gone.attn.json"));
  std::filesystem::remove(path("gone.attn.json"));
  const std::size_t before = ui.count<command::CheckRecent>();
  ui.click("menu/File");
  ui.click("menu/File/Open recent");
  app.wait_until_idle();
  ui.frames(30);
  EXPECT_FALSE(ui.enabled("menu/File/Open recent/recent/0"));
  EXPECT_EQ(ui.count<command::CheckRecent>(), before + 1) << "once, not in every frame";
  ui.hover("menu/File/Open recent/recent/0");
  ui.frames(3);
  EXPECT_EQ(ui.value("tooltip"), "The file is gone");
}

TEST_F(StartTest, TheListOfRecentFilesIsClearedAndTheFilesStay) {
  write("here.attn.json");
  open(path("here.attn.json"));
  const auto open_list = [&] {
    ui.click("menu/File");
    ui.click("menu/File/Open recent");
  };
  open_list();
  ui.click("menu/File/Open recent/forget_recent");
  show();
  EXPECT_TRUE(state().preferences.recent_files.empty());
  EXPECT_TRUE(std::filesystem::exists(path("here.attn.json")));
  EXPECT_EQ(state().path, path("here.attn.json")) << "it stays open";
  open_list();
  EXPECT_FALSE(ui.shows("menu/File/Open recent/recent/0"));
  EXPECT_FALSE(ui.enabled("menu/File/Open recent/forget_recent"));
}

TEST_F(StartTest, PicturesAreDrawnOnceForEachTheme) {
  open("example:four-heads");
  open_page();
  app.wait_until_idle();
  ui.frames(2);
  EXPECT_TRUE(app.is_idle()) << "no other is asked for";
}

TEST_F(StartTest, TheInspectorOffersThePage) {
  open("example:i-love-cats");
  ASSERT_TRUE(ui.shows("inspector/start_page"));
  ui.click("inspector/start_page");
  EXPECT_EQ(state().overlay, Overlay::Start);
}

TEST_F(StartTest, ThePartsOfTheFormulaLeadToTheStages) {
  open("example:four-heads");
  app.apply(command::SelectPlot{"links"});
  for (const Stage stage :
       {Stage::Query, Stage::Key, Stage::Scaled, Stage::Weights, Stage::Value}) {
    const std::string name(stage_info(stage).name);
    open_page();
    EXPECT_NE(ui.value("start/attention").find("Attention lets"), std::string::npos);
    ui.click("start/formula/" + name);
    EXPECT_FALSE(state().overlay) << name;
    EXPECT_EQ(focused_view(state()).options.stage, stage) << name;
    EXPECT_EQ(focused_view(state()).plot, "heatmap");
  }
}

TEST_F(StartTest, PartsThatTheDocumentDoesNotHaveLeadNowhere) {
  open_text(R"({"tokens": ["a", "b"], "attention": [[1, 0], [0.5, 0.5]]})");
  open_page();
  EXPECT_FALSE(ui.enabled("start/formula/q"));
  EXPECT_TRUE(ui.enabled("start/formula/weights"));
}

TEST_F(StartTest, LaterStartsSayWhatAttentionIsOverTheWorkedExample) {
  Preferences later;
  later.begins_with_first_steps = false;
  app.start_with(later, later);
  app.open_at_start({});
  show();
  EXPECT_EQ(state().source_path, first_example());
  EXPECT_TRUE(ui.shows("start/attention"));
  ui.key("Esc");
  EXPECT_FALSE(state().overlay);
}

TEST_F(StartTest, WithoutSettingsTheWorkedExampleStandsAlone) {
  app.start_with({}, std::nullopt);
  app.open_at_start({});
  show();
  EXPECT_EQ(state().source_path, first_example());
  EXPECT_FALSE(state().overlay);
}

}  // namespace
}  // namespace attn::gui
