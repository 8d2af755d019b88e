// No item is outside of the window or overlaps another, from 900 × 600 on.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "app/shell/app_fixture.h"
#include "document/load/open.h"

namespace attn::gui {
namespace {

struct Size {
  float width, height, scale;
};

class LayoutTest : public test::AppTest, public ::testing::WithParamInterface<Size> {
 protected:
  LayoutTest()
      : AppTest(
            {.width = GetParam().width, .height = GetParam().height, .scale = GetParam().scale}) {}
};

bool overlap(const ProbedWidget& a, const ProbedWidget& b) {
  return a.min.x < b.max.x - 0.5F && b.min.x < a.max.x - 0.5F && a.min.y < b.max.y - 0.5F &&
         b.min.y < a.max.y - 0.5F;
}

bool is_part_of(const std::string& name, const std::string& whole) {
  return name.starts_with(whole + "/");
}

TEST_P(LayoutTest, TheHeatmapIsLargeEnoughToRead) {
  open("example:four-heads");
  ui.frames(5);
  const auto map = ui.find("plot/heatmap");
  ASSERT_TRUE(map);
  EXPECT_GE(map->max.x - map->min.x, 380.0F * GetParam().scale);
  EXPECT_GE(map->max.y - map->min.y, 240.0F * GetParam().scale);
}

TEST_P(LayoutTest, TheControlsThatEverybodyNeedsAreInView) {
  open("example:four-heads");
  ui.frames(5);
  for (const char* name : {"menu/File", "document/title", "tokens/0", "tokens/add", "tokens/down",
                           "inputs/X", "inputs/grid/cell/0,0", "strip/stage/weights", "strip/head",
                           "plot/options", "plot/values", "masks/causal", "status/shape"}) {
    EXPECT_TRUE(ui.shows(name)) << name;
  }
}

TEST_P(LayoutTest, TheSignOfOtherEyesIsInView) {
  open("example:transformer-decoder");
  app.apply(command::SetPreference{"simulate", "deuteranopia"});
  ui.frames(5);
  ASSERT_TRUE(ui.shows("status/vision"));
  const auto sign = ui.find("status/vision");
  EXPECT_GE(sign->min.x, ui.find("status/shape")->max.x);
  EXPECT_LE(sign->max.x, GetParam().width);
  EXPECT_LE(sign->max.y, GetParam().height);
}

// The tab of the selected document is also its title.
bool share_a_place(const std::string& a, const std::string& b) {
  const auto is_tab = [](const std::string& name) {
    return name.starts_with("tabs/") && name.find('/', 5) == std::string::npos &&
           name != "tabs/new";
  };
  return (a == "document/title" && is_tab(b)) || (b == "document/title" && is_tab(a));
}

bool is_part_of_plot(const std::string& name) {
  const std::size_t plot = name.find("plot/");
  return plot != std::string::npos && name.find('/', plot + 5) != std::string::npos;
}

// A canvas and a grid contain their parts; the areas of their rows are one item each.
void expect_no_overlaps(const test::UiHarness& ui, const std::string& where) {
  const std::vector<std::string> names = ui.names();
  for (std::size_t i = 0; i < names.size(); ++i) {
    for (std::size_t j = i + 1; j < names.size(); ++j) {
      if (is_part_of(names[j], names[i]) || names[i].starts_with("panel/") ||
          names[j].starts_with("panel/") || names[i].starts_with("plot/heatmap") ||
          names[i].starts_with("inputs/grid") || is_part_of_plot(names[i]) ||
          share_a_place(names[i], names[j])) {
        continue;
      }
      EXPECT_FALSE(overlap(*ui.find(names[i]), *ui.find(names[j])))
          << names[i] << " and " << names[j] << " in " << where;
    }
  }
}

TEST_P(LayoutTest, NoControlLiesOverAnother) {
  for (const char* example : {"example:four-heads", "example:cross-attention-fr-en"}) {
    open(example);
    ui.frames(5);
    expect_no_overlaps(ui, example);
  }
}

TEST_P(LayoutTest, NoControlLiesOverAnotherInALesson) {
  open("example:lesson-from-bottleneck-to-alignment");
  for (std::size_t i = 0; i < state().document.lesson.size(); ++i) {
    ui.frames(5);
    expect_no_overlaps(ui, "step " + std::to_string(i + 1));
    ui.key("PageDown");
  }
}

// All options of scoring, masks and positions that are shown together.
constexpr const char* kAllRules = R"({
  "tokens": ["a", "b", "c", "d"], "d_model": 8,
  "scoring": {"softcap": 30, "temperature": 0.5, "scale": 2, "sinks": [1, 2]},
  "mask": {"causal": true, "prefix": 1, "window": [2, 2], "segments": [0, 0, 1, 1],
           "alibi": true, "relative_buckets": {"table": [0, 0, 0, 0]}},
  "position": {"kind": "rope", "scaling": "ntk", "factor": 2}})";

TEST_P(LayoutTest, FieldsOfRulesAreWholeAndApart) {
  open_text(kAllRules);
  const std::pair<const char*, std::vector<const char*>> tabs[] = {
      {"rules/Masks",
       {"masks/prefix/value", "masks/window_left/value", "masks/dilation/value",
        "masks/sink_tokens/value", "masks/segments/value"}},
      {"rules/Scoring",
       {"scoring/scale/value", "scoring/softcap/value", "scoring/temperature/value",
        "scoring/sinks/value"}},
      {"rules/Positions",
       {"positions/base/value", "positions/factor/value", "positions/layout/Halves",
        "positions/scaling/NTK"}},
  };
  for (const auto& [tab, fields] : tabs) {
    ui.click(tab);
    expect_no_overlaps(ui, tab);
    const std::string panel =
        std::string(fields[0]).substr(0, std::string(fields[0]).find('/') + 1);
    const auto scroll = [&](float notches) {
      const std::vector<std::string> in_view = ui.names(panel);
      if (!in_view.empty()) ui.wheel(in_view.front(), notches);
    };
    for (const char* field : fields) {
      for (int i = 0; i < 20 && !ui.shows(field); ++i) scroll(-1);
      const auto place = ui.find(field);
      ASSERT_TRUE(place) << field;
      const bool choice =
          std::string(field).starts_with("positions/") && !std::string(field).ends_with("/value");
      const float least = choice ? 40.0F : 70.0F;
      EXPECT_GE(place->max.x - place->min.x, least * GetParam().scale) << field;
    }
    scroll(100);
  }
}

TEST_P(LayoutTest, NoticesFloatAndMoveNothing) {
  open("example:four-heads");
  ui.frames(3);
  std::map<std::string, ImVec2> before;
  for (const std::string& name : ui.names()) before[name] = ui.find(name)->min;
  EXPECT_FALSE(ui.shows("notices"));
  std::string words = "Something is not as it should be in this document";
  for (int i = 0; i < 3; ++i) {
    words += ", and " + words;
    app.apply(command::Notify{Notice::Level::Warning, words, ""});
  }
  ui.frames(4);
  const auto cards = ui.find("notices");
  ASSERT_TRUE(cards);
  EXPECT_LE(cards->max.y - cards->min.y, GetParam().height * 0.6F + 1.0F);
  EXPECT_LE(cards->max.y, ui.find("status/shape")->min.y);
  EXPECT_TRUE(ui.shows("notice/2/dismiss"));
  for (const auto& [name, min] : before) {
    ASSERT_TRUE(ui.shows(name)) << name;
    EXPECT_EQ(ui.find(name)->min.x, min.x) << name;
    EXPECT_EQ(ui.find(name)->min.y, min.y) << name;
  }
  while (!state().notices.empty()) app.apply(command::DismissNotice{state().notices.front().id});
  ui.frames(2);
  EXPECT_FALSE(ui.shows("notices"));
}

class LargeScaleTest : public test::AppTest {
 protected:
  LargeScaleTest() : AppTest({.width = 900, .height = 600, .scale = 1.5F}) {}
};

TEST_F(LargeScaleTest, TheHeatmapKeepsItsRoomAndStagesAreADropDown) {
  open("example:four-heads");
  ui.frames(5);
  const auto map = ui.find("plot/heatmap");
  ASSERT_TRUE(map);
  EXPECT_GE(map->max.x - map->min.x, 320.0F);
  EXPECT_GE(map->max.y - map->min.y, 270.0F);
  open_stage("scores");
  EXPECT_EQ(focused_view(state()).options.stage, Stage::Scores);
  ui.click("plot/options");
  const bool values = focused_view(state()).options.values;
  ui.click("plot/options/values");
  EXPECT_EQ(focused_view(state()).options.values, !values);
}

TEST_F(LargeScaleTest, TokensKeepTheirNamesAndTheBarIsOneRow) {
  open("example:four-heads");
  ui.frames(5);
  const auto row = ui.find("tokens/0");
  ASSERT_TRUE(row);
  EXPECT_GE(row->max.x - row->min.x, 60.0F * 1.5F);
  EXPECT_EQ(ui.find("plot/options")->min.y, ui.find("plot/tab")->min.y);
}

TEST_F(LargeScaleTest, ThePlotsAreADropDown) {
  open("example:four-heads");
  ui.click("plot/tab");
  ui.click("plot/tab/Compare");
  EXPECT_EQ(focused_view(state()).plot, "compare");
  EXPECT_EQ(ui.value("plot/tab"), "Compare");
}

// A scrollbar must not come and go with the row of buttons below the tokens.
TEST_P(LayoutTest, TheTokensKeepTheirPlaces) {
  open("example:four-heads");
  ui.frames(5);
  const auto before = ui.find("tokens/add");
  ASSERT_TRUE(before);
  for (int i = 0; i < 3; ++i) {
    ui.frames(1);
    const auto after = ui.find("tokens/add");
    ASSERT_TRUE(after);
    EXPECT_EQ(after->min.x, before->min.x);
    EXPECT_EQ(after->min.y, before->min.y);
  }
}

class StartSizeTest : public test::AppTest {
 protected:
  StartSizeTest() : AppTest({.width = 1280, .height = 800, .scale = 1.0F}) {}
};

TEST_F(StartSizeTest, ThePlotsHaveMostOfTheWindow) {
  open("example:i-love-cats");
  ui.frames(3);
  const auto plots = ui.find("panel/plots");
  ASSERT_TRUE(plots);
  const float area = (plots->max.x - plots->min.x) * (plots->max.y - plots->min.y);
  EXPECT_GE(area, 0.55F * 1280 * 800);
}

TEST_F(StartSizeTest, ABeginnerMeetsFewControls) {
  app.apply(command::SetSides{});
  open("example:i-love-cats");
  app.apply(command::BeginFirstSteps{});
  app.wait_until_idle();
  ui.frames(5);
  std::vector<std::string> controls = ui.names();
  // Leaves out the panels and their edges, and counts all cells as one.
  std::erase_if(controls, [&](const std::string& name) {
    const bool is_edge = name.starts_with("layout/") && !name.starts_with("layout/fold");
    return !ui.find(name)->is_control || name.starts_with("panel/") || is_edge;
  });
  EXPECT_LE(controls.size(), 32U) << ::testing::PrintToString(controls);
  for (const char* hidden : {"inputs/random", "strip/stage/masked", "masks/clear", "plot/paint",
                             "plot/colormap", "masks/alibi", "rules/Scoring"}) {
    EXPECT_FALSE(ui.shows(hidden)) << hidden;
  }
  ui.click("rules/more");
  EXPECT_TRUE(ui.shows("rules/Scoring"));
  EXPECT_TRUE(ui.shows("masks/alibi"));
  app.apply(command::SetSides{});
  app.apply(command::SetCausal{true});
  ui.frames(2);
  EXPECT_TRUE(ui.shows("strip/stage/masked"));
  EXPECT_TRUE(ui.shows("masks/clear"));
}

TEST_F(StartSizeTest, RareRulesOfADocumentAreShown) {
  app.apply(command::SetSides{});
  open("example:alibi");
  EXPECT_TRUE(ui.shows("rules/Scoring"));
  EXPECT_TRUE(ui.shows("masks/alibi"));
}

INSTANTIATE_TEST_SUITE_P(Sizes, LayoutTest,
                         ::testing::Values(Size{900, 600, 1}, Size{1280, 800, 1},
                                           Size{1800, 1200, 2}, Size{3840, 2160, 2}));

TEST_F(LargeScaleTest, NoticesStandWhereTheyStayFromTheirFirstFrame) {
  open("example:four-heads");
  app.apply(command::Notify{Notice::Level::Warning,
                            "One thing that takes more than a line to say: "
                            "it goes on and on and then goes on",
                            ""});
  app.apply(command::Notify{Notice::Level::Info, "Another", ""});
  ui.frames(1);
  ASSERT_TRUE(ui.shows("notice/0/copy"));
  std::map<std::string, ImVec2> first;
  for (const std::string& name : ui.names("notice")) first[name] = ui.find(name)->min;
  ui.frames(3);
  for (const auto& [name, min] : first) {
    EXPECT_EQ(ui.find(name)->min.x, min.x) << name;
    EXPECT_EQ(ui.find(name)->min.y, min.y) << name;
  }
  EXPECT_LE(ui.find("notice/0/copy")->max.y, ui.find("notice/1")->min.y);
}

class NarrowTokensTest : public test::AppTest {
 protected:
  NarrowTokensTest() : AppTest({.width = 900, .height = 600}) {}
};

TEST_F(NarrowTokensTest, MessagesThatStayLieOverTheSideOnTheRight) {
  app.apply(command::Notify{Notice::Level::Warning, "Could not write a picture", "", ""});
  show();
  const auto notice = ui.find("notices");
  ASSERT_TRUE(notice);
  EXPECT_GT(notice->min.x, 600.0F);
}

TEST_F(NarrowTokensTest, MessagesThatPassAreInTheStatusBarAndCoverNothing) {
  app.apply(command::Notify{Notice::Level::Info, "Wrote a picture of the window", "/tmp/a.png",
                            "/tmp/a.png"});
  show();
  EXPECT_FALSE(ui.shows("notices"));
  const auto message = ui.find("notice/0"), copy = ui.find("notice/0/copy");
  ASSERT_TRUE(message && copy && ui.shows("notice/0/dismiss"));
  EXPECT_GT(message->min.x, 450.0F);
  EXPECT_GE(message->min.y, ui.find("panel/rules")->max.y);
  EXPECT_LE(message->max.x, copy->min.x);
  ui.click("notice/0/dismiss");
  EXPECT_FALSE(ui.shows("notice/0"));
}

TEST_F(NarrowTokensTest, PanesThatWouldBeTooNarrowBesideEachOtherAreStacked) {
  open("example:lesson-luongs-scores");
  ui.frames(5);
  const std::vector<const Pane*> panes = panes_of(state().layout);
  const auto below = ui.find("pane/" + std::to_string(panes[1]->id) + "/plot/heatmap");
  ASSERT_TRUE(below);
  EXPECT_GE(below->min.y, ui.find("plot/heatmap")->max.y);
}

TEST_F(NarrowTokensTest, TitlesAndButtonsOfTokensKeepToOneRow) {
  open("example:transformer-decoder");
  EXPECT_TRUE(ui.shows("section/Queries")) << "the whole title has no room beside the columns";
  EXPECT_TRUE(ui.shows("section/Key tokens"));
  const auto remove = ui.find("tokens/query/delete"), sentence = ui.find("tokens/query/sentence");
  ASSERT_TRUE(remove && sentence);
  EXPECT_EQ(remove->min.y, sentence->min.y);
  EXPECT_FALSE(ui.shows("tokens/query/rename")) << "F2 and a double-click need no room";
}

TEST_F(NarrowTokensTest, TwoListsShareOneFootAndShowFourRowsEach) {
  open("example:cross-attention-fr-en");
  const auto whole_rows = [&](const std::string& list) {
    const float end = ui.find(list + "3")->max.y;
    return end <= ui.find("tokens/query/new")->min.y && ui.shows(list + "3");
  };
  ASSERT_TRUE(ui.shows("tokens/query/3") && ui.shows("tokens/key/3"));
  const float row = ui.find("tokens/key/1")->min.y - ui.find("tokens/key/0")->min.y;
  EXPECT_GE(ui.find("section/Key tokens")->min.y - ui.find("tokens/query/0")->min.y, 4 * row);
  EXPECT_TRUE(whole_rows("tokens/query/") && whole_rows("tokens/key/"));
  EXPECT_LE(ui.find("tokens/query/sentence")->max.y, ui.find("panel/tokens")->max.y);
  EXPECT_FALSE(ui.shows("tokens/key/new"));
  EXPECT_TRUE(ui.shows("inputs/grid/cell/0,0"));
}

TEST_F(NarrowTokensTest, TheSharedFootIsOfTheListInUse) {
  open("example:cross-attention-fr-en");
  ui.click("tokens/key/1");
  show();
  EXPECT_FALSE(ui.shows("tokens/query/new"));
  ui.click("tokens/key/new");
  ui.type("petit");
  ui.key("Enter");
  show();
  EXPECT_EQ(tokens_of(state().document, Side::Key, 0)[2], "petit");
  app.apply(command::MarkToken{});
  show();
  EXPECT_TRUE(ui.shows("tokens/key/sentence")) << "the list that was used last";
  ui.click("tokens/query/0");
  show();
  ui.click("tokens/query/delete");
  show();
  EXPECT_EQ(tokens_of(state().document, Side::Query, 0)[0], "black");
  EXPECT_EQ(tokens_of(state().document, Side::Query, 0).size(), 11U);
}

TEST_F(NarrowTokensTest, NothingMovesFromFrameToFrame) {
  for (const char* example : {"example:cross-attention-fr-en", "example:transformer-decoder"}) {
    open(example);
    const auto before = ui.find("tokens/key/0")->min;
    const bool shared = !ui.shows("tokens/key/new");
    for (int i = 0; i < 4; ++i) {
      ui.frames(1);
      EXPECT_EQ(ui.find("tokens/key/0")->min.y, before.y) << example;
      EXPECT_EQ(!ui.shows("tokens/key/new"), shared) << example;
    }
  }
}

TEST_F(NarrowTokensTest, TheButtonsOfAFactorAreWhole) {
  open("example:cross-attention-fr-en");
  ui.click("inputs/more");
  ui.click("inputs/scale");
  ui.frames(2);
  for (const char* name : {"inputs/apply_factor", "inputs/cancel_factor"}) {
    const auto widget = ui.find(name);
    ASSERT_TRUE(widget) << name;
    EXPECT_LT(widget->max.x, ui.find("panel/inputs")->max.x - 1.0F) << name;
  }
}

class UsualWindowTest : public test::AppTest {
 protected:
  UsualWindowTest() : AppTest({.width = 1280, .height = 800}) {}
};

TEST_F(UsualWindowTest, RulesLeaveWhatTheyDoNotFillToTheInspectorOfPins) {
  open("example:lesson-positions-sinusoidal-to-rotary");
  for (int i = 0; i < 4; ++i) ui.key("PageDown");
  ui.hover("lesson/place");
  ui.frames(5);
  const float free = ui.find("panel/rules")->max.y - ui.find("masks/relative")->max.y;
  EXPECT_GT(free, 8.0F) << "the last row is whole";
  EXPECT_LT(free, 40.0F);
  EXPECT_TRUE(ui.shows("inspector/row/0")) << "below the sums of both pins";
  const float before = ui.find("masks/causal")->min.y;
  ui.click("masks/causal");
  ui.frames(5);
  EXPECT_EQ(ui.find("masks/causal")->min.y, before) << "nothing moves under the pointer";
  ui.hover("lesson/place");
  ui.frames(5);
  EXPECT_TRUE(ui.shows("masks/clear"));
}

TEST_F(UsualWindowTest, RulesOfAChosenTabHaveTheRoomThatTheyNeed) {
  open("example:lesson-softmax-temperature-sparsemax");
  for (int i = 0; i < 7; ++i) ui.key("PageDown");
  ui.hover("lesson/place");
  ui.frames(5);
  ui.click("rules/Scoring");
  ui.frames(5);
  ASSERT_TRUE(ui.shows("scoring/temperature"));
  EXPECT_LE(ui.find("scoring/temperature")->max.y, ui.find("panel/rules")->max.y);
}

// Letters reach below the box of their line, and the scroll bar that appears makes more lines.
TEST_F(UsualWindowTest, TheVerdictOnAGuessIsWholeAboveTheButtons) {
  std::string words;
  for (int i = 0; i < 200; ++i) words += "a ";
  const auto reveal = [this](std::vector<double> guess) {
    show();
    app.apply(command::Guess{std::move(guess)});
    app.apply(command::Reveal{});
    ui.frames(5);
    return ui.find("lesson/back")->min.y - ui.find("lesson/verdict")->max.y;
  };
  open_text(R"({"tokens": ["a", "b"], "lesson": [{"text": "x", "ask": "weights[1, :]",
      "after": ")" +
            words + R"("}, {}]})");
  EXPECT_GE(reveal({0.5, 0.5}), 8.0F);
  open("example:lesson-many-heads");
  for (int i = 0; i < 3; ++i) ui.key("PageDown");
  EXPECT_GE(reveal(std::vector<double>(10, 0.1)), 8.0F);
}

class SmallestWindowTest : public test::AppTest {
 protected:
  SmallestWindowTest() : AppTest({.width = 900, .height = 600}) {}

  float top_of(const char* name) const { return ui.find(name)->min.y; }
  float end_of(const char* name) const { return ui.find(name)->max.y; }
};

TEST_F(SmallestWindowTest, RevealBringsTheVerdictAndTheAnswerIntoView) {
  for (const Example& example : all_examples()) {
    if (!example.name.starts_with("lesson-")) continue;
    open(example_path(example));
    const std::size_t count = state().document.lesson.size();
    for (std::size_t i = 0; i < count; ++i, ui.key("PageDown"), show()) {
      if (shown_step(state()).ask.empty()) continue;
      const std::string where = std::string(example.name) + " " + std::to_string(i + 1);
      const std::size_t keys = state().result->shape().n_k;
      app.apply(command::Guess{std::vector<double>(keys, 1.0)});
      app.apply(command::Reveal{});
      ui.frames(5);
      const bool is_guess_of_shares = ui.shows("lesson/guess/0");
      for (const char* name : {"lesson/verdict", "lesson/answer"}) {
        if (!is_guess_of_shares && name == std::string("lesson/verdict")) continue;
        ASSERT_TRUE(ui.shows(name)) << where;
        EXPECT_GE(top_of(name), end_of("lesson/end")) << where << name;
        EXPECT_LE(end_of(name), top_of("lesson/back")) << where << name;
      }
    }
  }
}

class LargeScaleTokensTest : public test::AppTest {
 protected:
  LargeScaleTokensTest() : AppTest({.width = 2560, .height = 1440, .scale = 2.0F}) {}
};

TEST_F(LargeScaleTokensTest, EveryListKeepsItsFootWhereThereIsRoom) {
  open("example:cross-attention-fr-en");
  for (int i = 0; i < 4; ++i) {
    ui.frames(1);
    ASSERT_TRUE(ui.shows("tokens/query/new") && ui.shows("tokens/key/new")) << i;
    EXPECT_LE(ui.find("tokens/key/sentence")->max.y, ui.find("panel/tokens")->max.y);
  }
}

}  // namespace
}  // namespace attn::gui
