// Scripts of input: parsing them, and their effect on the application.
#include "gui/shell/replay.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "app/shell/app_fixture.h"
#include "gui/platform/input_queue.h"

namespace attn::gui {
namespace {

TEST(ParseReplay, ReadsEveryKindOfStep) {
  const auto steps = parse_replay(
      "# a comment\n\nclick menu/View/Colour map\ndrag inputs/grid/cell/0,1 12 -3.5\n"
      "wheel plot/heatmap -2\ntype two words\nwait\n",
      "x.replay");
  ASSERT_TRUE(steps.ok());
  ASSERT_EQ(steps->size(), 5U);
  EXPECT_EQ((*steps)[0].argument, "menu/View/Colour map");
  EXPECT_EQ((*steps)[1].argument, "inputs/grid/cell/0,1");
  EXPECT_FLOAT_EQ((*steps)[1].dx, 12.0F);
  EXPECT_FLOAT_EQ((*steps)[1].dy, -3.5F);
  EXPECT_FLOAT_EQ((*steps)[2].dy, -2.0F);
  EXPECT_EQ((*steps)[3].argument, "two words");
  EXPECT_EQ((*steps)[3].line, 6U);
}

TEST(ParseReplay, RefusesWhatItDoesNotKnowWithTheLine) {
  const auto unknown = parse_replay("wait\ntickle x\n", "x.replay");
  ASSERT_FALSE(unknown.ok());
  EXPECT_EQ(unknown.error().line, 2U);
  EXPECT_NE(unknown.error().expected.find("click"), std::string::npos);
  EXPECT_FALSE(parse_replay("drag name 3", "x").ok());
  EXPECT_FALSE(parse_replay("click", "x").ok());
}

TEST(KeyPress, KnowsModifiersNamesAndCharacters) {
  const auto undo = key_press("Ctrl+Shift+Z");
  ASSERT_TRUE(undo);
  EXPECT_EQ(undo->key, 'Z');
  EXPECT_EQ(undo->modifiers.size(), 2U);
  EXPECT_EQ(undo->character, 0U);
  EXPECT_EQ(key_press("[")->character, static_cast<unsigned>('['));
  EXPECT_FALSE(key_press("Hyper+Q"));
  EXPECT_FALSE(key_press("Banana"));
}

class ReplayTest : public test::AppTest {
 protected:
  // Plays the script; returns its error, if any.
  Status play(const std::string& script, Overwrite overwrite = Overwrite::Refuse) {
    auto steps = parse_replay(script, "test.replay");
    if (!steps) return steps.error();
    Replay replay(*std::move(steps), "test.replay");
    const ReplayWorld world{
        app, ui.input, ui.probe, [](const std::string&) { return ok_status(); }, frames, overwrite};
    for (int frame = 0; frame < 2000; ++frame) {
      ui.frames(1);
      const Result<bool> ended = replay.advance(world);
      if (!ended) return ended.error();
      if (*ended) return ok_status();
    }
    ADD_FAILURE() << "the script did not end";
    return ok_status();
  }

  std::vector<double> frames;
};

TEST_F(ReplayTest, ClicksTypesAndWritesWhatIsShown) {
  open("example:i-love-cats");
  const Status played = play(
      "click masks/causal\nkey f\nkey Ctrl+Z\nkey Ctrl+Y\nclick tokens/0\n"
      "key F2\nkey Ctrl+A\ntype We\nkey Enter\nstate " +
      path("state.json") + "\ndocument " + path("now.attn.json") + "\n");
  ASSERT_TRUE(played.ok()) << describe(played.error());
  EXPECT_TRUE(state().document.mask.causal);
  EXPECT_EQ(token(0), "We");
  const auto json = nlohmann::json::parse(test::read_text(path("state.json")));
  EXPECT_EQ(json["stage"], "weights");
  EXPECT_TRUE(json["unsaved"].get<bool>());
  EXPECT_EQ(json["widgets"]["tokens/0"]["value"], "We");
  EXPECT_NE(test::read_text(path("now.attn.json")).find("\"We\""), std::string::npos);
}

TEST_F(ReplayTest, TheRightButtonOpensTheMenuOfACell) {
  open("example:i-love-cats");
  const Status played = play("right-click plot/heatmap/cell/1,1\nwait\n");
  ASSERT_TRUE(played.ok()) << describe(played.error());
  EXPECT_FALSE(ui.names("context/").empty());
}

TEST_F(ReplayTest, ReplacesNoFileUnlessThatIsWanted) {
  open("example:i-love-cats");
  const std::string there = path("there");
  for (const char* step : {"document ", "state ", "frames "}) {
    ASSERT_TRUE(write_file_atomically(there, "precious", Overwrite::Replace));
    const Status refused = play(step + there + "\n");
    ASSERT_FALSE(refused.ok()) << step;
    EXPECT_EQ(refused.error().kind, ErrorKind::CannotWrite) << step;
    EXPECT_EQ(test::read_text(there), "precious") << step;
    EXPECT_TRUE(play(step + there + "\n", Overwrite::Replace).ok()) << step;
    EXPECT_NE(test::read_text(there), "precious") << step;
  }
}

TEST_F(ReplayTest, SaysWhichNamesExistWhenOneDoesNot) {
  open("example:i-love-cats");
  const Status played = play("wait\nclick tokens/nowhere\n");
  ASSERT_FALSE(played.ok());
  EXPECT_EQ(played.error().line, 2U);
  EXPECT_NE(played.error().expected.find("inputs/"), std::string::npos);
}

}  // namespace
}  // namespace attn::gui
