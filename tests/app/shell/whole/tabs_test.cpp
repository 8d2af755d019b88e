// Names and menus of tabs.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "app/shell/app_fixture.h"
#include "session/command.h"

namespace attn::gui {
namespace {

class TabsTest : public test::AppTest {};

TEST_F(TabsTest, TabsShowTheFileAndNoNameIsCutWhereThereIsRoom) {
  for (const char* name : {"first.attn.json", "second.attn.json", "third.attn.json"}) {
    std::ofstream(path(name)) << R"({"title": "One title", "tokens": ["a", "b"]})";
    app.apply(command::Open{path(name)});
    app.wait_until_idle();
    app.apply(command::SetCausal{true});
  }
  show();
  EXPECT_EQ(ui.value("document/title"), "third");
  EXPECT_EQ(ui.value("tabs/0"), "first •");
  EXPECT_EQ(ui.value("tabs/1"), "second •");
}

TEST_F(TabsTest, TabsOfDocumentsWithoutAFileAreNumbered) {
  for (int i = 0; i < 3; ++i) {
    app.apply(command::NewDocument{});
    app.wait_until_idle();
    app.apply(command::SetCausal{true});
  }
  show();
  EXPECT_EQ(ui.value("tabs/0"), "Untitled (1) •");
  EXPECT_EQ(ui.value("tabs/1"), "Untitled (2) •");
  EXPECT_EQ(ui.value("document/title"), "Untitled (3)");
}

TEST_F(TabsTest, TabsOfFilesInTwoFoldersNameTheFolder) {
  for (const char* folder_name : {"papers", "talks"}) {
    std::filesystem::create_directory(path(folder_name));
    const std::string file = path(folder_name) + "/cats.attn.json";
    std::ofstream(file) << R"({"tokens": ["a", "b"]})";
    app.apply(command::Open{file});
    app.wait_until_idle();
  }
  show();
  EXPECT_EQ(ui.value("tabs/0"), "papers/cats");
  EXPECT_EQ(ui.value("document/title"), "talks/cats");
}

TEST_F(TabsTest, LongTabsShowWhereTheirNamesDiffer) {
  const std::string begin = "the_attention_of_every_layer_of_a_model_猫_number_";
  for (const char* end : {"one", "two", "six"}) {
    std::ofstream(path(begin + end + ".attn.json")) << R"({"tokens": ["a", "b"]})";
    app.apply(command::Open{path(begin + end + ".attn.json")});
    app.wait_until_idle();
  }
  show();
  for (const auto& [tab, end] : {std::pair("tabs/0", "…one"), {"tabs/1", "…two"}}) {
    const std::string text = ui.value(tab);
    EXPECT_TRUE(text.ends_with(end)) << text;
    EXPECT_TRUE(text.starts_with("the_attention")) << text;
  }
}

TEST_F(TabsTest, TheMenuOfATabIsAboutThatTab) {
  for (const char* name : {"first.attn.json", "second.attn.json"}) {
    std::ofstream(path(name)) << R"({"tokens": ["a", "b"]})";
    app.apply(command::Open{path(name)});
    app.wait_until_idle();
  }
  show();
  ui.click("tabs/0", 1);
  ui.click("context/copy_path");
  EXPECT_EQ(ui.clipboard, path("first.attn.json"));
  ui.click("tabs/0", 1);
  ui.click("context/close_others");
  EXPECT_EQ(open_documents(state()).size(), 1U);
  EXPECT_EQ(state().path, path("first.attn.json"));
}

}  // namespace
}  // namespace attn::gui
