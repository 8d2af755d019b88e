// Guide window: opening, jumping to headings and matches, closing.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "app/shell/app_fixture.h"

namespace attn::gui {
namespace {

class GuideTest : public test::AppTest {
 protected:
  void open_guide() {
    open("example:i-love-cats");
    ui.click("menu/Help");
    ui.click("menu/Help/guide");
    ui.frames(3);
  }
  // Texts of the visible items.
  std::vector<std::string> seen() {
    std::vector<std::string> texts;
    for (const std::string& name : ui.names("guide/item/")) texts.push_back(ui.value(name));
    return texts;
  }
  bool sees(const std::string& words) {
    const auto texts = seen();
    return std::ranges::any_of(
        texts, [&](const std::string& text) { return text.find(words) != std::string::npos; });
  }
};

TEST_F(GuideTest, OpensAtItsTopAndEscClosesIt) {
  open_guide();
  EXPECT_EQ(state().overlay, Overlay::Guide);
  EXPECT_TRUE(sees("AttnScope reads a document"));
  EXPECT_FALSE(sees("Modes 1 and 2 changed places")) << "only what is in view is drawn";
  ui.key("Esc");
  EXPECT_FALSE(state().overlay);
  ui.frames(2);
  EXPECT_FALSE(ui.shows("guide/search"));
}

TEST_F(GuideTest, HeadingsLeadToTheirText) {
  open_guide();
  const std::vector<std::string> headings = ui.names("guide/heading/");
  ASSERT_GT(headings.size(), 10U);
  for (const std::string& name : headings) {
    const std::string heading = ui.value(name);
    ui.click(name);
    ui.frames(2);
    EXPECT_TRUE(sees(heading)) << heading;
  }
}

TEST_F(GuideTest, FindsWordsAndGoesFromPlaceToPlace) {
  open_guide();
  ui.type("NonPad_kv");
  ui.frames(2);
  EXPECT_EQ(ui.value("guide/found"), "1 of 2");
  EXPECT_TRUE(sees("nonpad_kv_seqlen"));
  ui.key("Enter");
  EXPECT_EQ(ui.value("guide/found"), "2 of 2");
  ui.key("Enter");
  EXPECT_EQ(ui.value("guide/found"), "1 of 2");
  ui.click("guide/previous");
  EXPECT_EQ(ui.value("guide/found"), "2 of 2");
  ui.click("guide/search");
  ui.type("xyz");
  ui.frames(2);
  EXPECT_EQ(ui.value("guide/found"), "Not found");
  EXPECT_FALSE(ui.enabled("guide/next"));
}

TEST_F(GuideTest, LinksLeadToTheirHeading) {
  open_guide();
  ui.click("guide/search");
  ui.type("alignments of translation programs open");
  ui.frames(2);
  ASSERT_TRUE(ui.shows("guide/link/guide/files.md#files"));
  ui.click("guide/link/guide/files.md#files");
  ui.frames(2);
  EXPECT_TRUE(sees("A document may take its numbers from array files"));
}

TEST_F(GuideTest, EveryItemComesIntoView) {
  open_guide();
  std::set<std::string> names;
  for (int page = 0; page < 120; ++page) {
    for (const std::string& name : ui.names("guide/item/")) names.insert(name);
    ui.key("PageDown");
    ui.frames(1);
  }
  EXPECT_TRUE(sees("Modes 1 and 2 changed places"));
  EXPECT_TRUE(names.contains("guide/item/0"));
  for (std::size_t i = 0; i < names.size(); ++i) {
    EXPECT_TRUE(names.contains("guide/item/" + std::to_string(i))) << i;
  }
}

class NarrowGuideTest : public test::AppTest {
 protected:
  NarrowGuideTest() : AppTest({.width = 600, .height = 500}) {}
};

TEST_F(NarrowGuideTest, LeavesTheRoomToTheText) {
  open("example:i-love-cats");
  app.apply(command::ShowOverlay{Overlay::Guide});
  ui.frames(3);
  EXPECT_TRUE(ui.shows("guide/item/0"));
  EXPECT_FALSE(ui.shows("guide/heading/0"));
}

}  // namespace
}  // namespace attn::gui
