// Lessons and first steps walked by keyboard and by mouse, with what the card says at each step,
// and no concealed number anywhere on the screen, in the clipboard or in a file.
#include <algorithm>
#include <fstream>
#include <set>

#include "app/shell/app_fixture.h"
#include "base/number_text.h"
#include "base/special_numbers.h"
#include "document/load/open.h"
#include "lesson/concealed.h"
#include "lesson/lesson.h"
#include "support/sanitizers.h"

namespace attn::gui {
namespace {

class LessonsTest : public test::AppTest {
 protected:
  const LessonStep& step() const { return state().document.lesson[state().lesson.step]; }

  // A text of the step with its numbers, those of the concealed cells as "?".
  std::string filled(const std::string& text) const {
    return filled_text(
        text, {*state().result_document, state().result, focused_view(state()).options.at});
  }
  std::string expected_text() const { return filled(step().text); }

  // First digits of the concealed cells, unless a visible cell begins with them too.
  std::set<std::string> secrets() const {
    std::set<std::string> hidden, told;
    const ResultPtr whole = revealed(state().result);
    for (const NamedCells& cells : state().lesson.concealed) {
      const StageShape extents = whole->stage_shape(cells.stage, cells.at);
      for (std::size_t r = 0; r < extents.rows; ++r) {
        for (std::size_t c = 0; c < extents.cols; ++c) {
          const double number = static_cast<double>(whole->value(cells.stage, cells.at, r, c));
          const bool is_asked = is_concealed(state().result->value(cells.stage, cells.at, r, c));
          is_asked ? hidden.insert(fixed_text(number, 4)) : told.insert(fixed_text(number, 8));
        }
      }
    }
    std::erase_if(hidden, [&](const std::string& text) {
      const auto begins = [&](const std::string& other) { return other.starts_with(text); };
      return std::ranges::any_of(told, begins) || text.ends_with("00");
    });
    return hidden;
  }

  // All texts on the screen.
  std::string said() {
    std::string all;
    for (const std::string& name : ui.names()) {
      if (!name.starts_with("inputs/")) all += ui.value(name) + "\n";
    }
    return all;
  }

  void expect_nothing_told(const std::string& text, const std::string& where) {
    for (const std::string& secret : secrets()) {
      const std::size_t at = text.find(secret);
      EXPECT_EQ(at, std::string::npos)
          << secret << " " << where << ": " << text.substr(std::max<std::size_t>(at, 40) - 40, 80);
    }
  }

  // Checks the texts, the question and the concealed cells of the shown step.
  void check_step(const std::string& name) {
    const std::size_t number = state().lesson.step + 1, count = state().document.lesson.size();
    const std::string where = name + " step " + std::to_string(number);
    EXPECT_EQ(ui.value("lesson/place"), std::to_string(number) + " of " + std::to_string(count));
    EXPECT_EQ(ui.value("lesson/text"), expected_text()) << where;
    EXPECT_EQ(expected_text().find('{'), std::string::npos) << where << " has a formula left";
    EXPECT_FALSE(differs_from_lesson(state())) << where;
    EXPECT_EQ(ui.shows("lesson/reveal"), !step().ask.empty()) << where;
    if (step().ask.empty()) return;
    expect_nothing_told(said(), where);
    if (name.ends_with(".zh")) return;  // with the numbers of the English one
    const std::string file = path("figure.svg");
    app.apply(command::Export{file, true});
    show();
    std::ifstream written(file);
    expect_nothing_told({std::istreambuf_iterator<char>(written), {}}, where + " in the SVG");
    ui.clipboard.clear();
    ui.key("Ctrl+C");
    expect_nothing_told(ui.clipboard, where + " in the clipboard");
  }
};

std::vector<std::string> shipped_lessons() {
  std::vector<std::string> all;
  std::size_t seen = 0;
  for (const Example& example : all_examples()) {
    if (!example.name.starts_with("lesson-")) continue;
    if (seen++ % test::kEvery == 0) all.push_back(example_path(example));
  }
  return all;
}

TEST_F(LessonsTest, AreWalkedByKeyboard) {
  for (const std::string& name : shipped_lessons()) {
    open(name);
    const std::size_t count = state().document.lesson.size();
    for (std::size_t i = 0; i < count; ++i) {
      ASSERT_EQ(state().lesson.step, i) << name;
      check_step(name);
      if (!step().ask.empty()) {
        ui.key("Ctrl+Enter");
        show();
        EXPECT_TRUE(state().lesson.concealed.empty()) << name;
        EXPECT_EQ(ui.value("lesson/text"), expected_text()) << name;
        EXPECT_EQ(ui.value("lesson/answer"), filled(step().after)) << name;
      }
      ui.key("Right");
      show();
    }
    EXPECT_EQ(state().lesson.step, count - 1) << "nothing follows the last";
    for (std::size_t i = count; i-- > 1;) ui.key("Left");
    show();
    EXPECT_EQ(state().lesson.step, 0U) << name;
    EXPECT_FALSE(has_unsaved_changes(state())) << name;
  }
}

TEST_F(LessonsTest, AreWalkedByMouse) {
  for (const std::string& name : shipped_lessons()) {
    if (name.ends_with(".zh")) continue;
    open(name);
    const std::size_t count = state().document.lesson.size();
    for (std::size_t i = 0; i < count; ++i) {
      check_step(name);
      if (ui.shows("lesson/guess/0")) ui.drag("lesson/guess/0", 20, 0);
      if (ui.shows("lesson/reveal")) ui.click("lesson/reveal");
      show();
      EXPECT_FALSE(ui.shows("lesson/reveal")) << name;
      if (i + 1 < count) ui.click("lesson/next");
      show();
    }
    const std::optional<std::string> next = lesson_after(name);
    EXPECT_EQ(ui.shows("lesson/after"), next.has_value()) << name;
    if (!next) {
      EXPECT_FALSE(ui.enabled("lesson/next")) << name;
      EXPECT_FALSE(ui.shows("lesson/next/keys")) << name;
    }
    ui.click("lesson/back");
    show();
    EXPECT_EQ(state().lesson.step, count - 2) << name;
  }
}

class LessonSizes : public test::AppTest, public ::testing::WithParamInterface<ImVec2> {
 protected:
  LessonSizes() : AppTest({.width = GetParam().x, .height = GetParam().y, .scale = 1.0F}) {}
};

// The number that a step asks to change stands whole in Inputs, below the whole name of its column.
TEST_P(LessonSizes, ShowTheWholeNumberThatAStepFrames) {
  std::size_t framed = 0;
  for (const std::string& name : shipped_lessons()) {
    open(name);
    const std::vector<LessonStep> steps = state().document.lesson;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      if (i > 0) ui.key("PageDown");
      show();
      if (steps[i].input.empty()) continue;
      ui.frames(5);
      const std::optional<InputCell> cell = input_cell(state().document, steps[i].input);
      ASSERT_TRUE(cell) << name;
      const std::string place = std::to_string(cell->row) + "," + std::to_string(cell->col);
      const auto shown = ui.find("inputs/grid/cell/" + place);
      ASSERT_TRUE(shown) << name << " " << place;
      EXPECT_GT(shown->max.y - shown->min.y, 18.0F) << name;
      EXPECT_GT(shown->max.x - shown->min.x, 40.0F) << name;
      ++framed;
    }
  }
  EXPECT_GE(framed, test::kEvery == 1 ? 10U : 1U);
}

INSTANTIATE_TEST_SUITE_P(Sizes, LessonSizes,
                         ::testing::Values(ImVec2(900, 600), ImVec2(1280, 800)));

TEST_F(LessonsTest, SayHowFarAGuessIsOffInPercentagePointsFirst) {
  std::ofstream(path("a.json")) << R"({"tokens": ["a", "b", "c"], "attention":
    [[0.5, 0.25, 0.25], [1, 0, 0], [1, 0, 0]],
    "lesson": [{"text": "x", "ask": "weights[1, :]"}, {}]})";
  const auto verdict_on = [this](std::vector<double> guess) {
    open(path("a.json"));
    app.apply(command::Guess{std::move(guess)});
    app.apply(command::Reveal{});
    show();
    EXPECT_EQ(ui.value("lesson/key"), "Full: the answer. Frame: your guess.");
    return ui.value("lesson/verdict");
  };
  EXPECT_EQ(verdict_on({0.52, 0.23, 0.25}),
            "Very close: at most 2 percentage points off (KL 0.0012 nats).");
  EXPECT_EQ(verdict_on({0.6, 0.2, 0.2}).substr(0, 43),
            "Close: at most 10 percentage points off (KL");
  EXPECT_EQ(verdict_on({0.1, 0.8, 0.1}).substr(0, 36), "At most 55 percentage points off (KL");
}

TEST_F(LessonsTest, OpenTheRulesThatTheyName) {
  open("example:lesson-why-divide-by-sqrt-dk");
  while (state().lesson.step + 1 < state().document.lesson.size()) {
    app.apply(command::StepLesson{1});
    app.wait_until_idle();
    show();
  }
  EXPECT_TRUE(ui.shows("scoring/function"));
  EXPECT_FALSE(ui.shows("masks/causal"));
}

TEST_F(LessonsTest, ArrowsMoveTheBarOfAGuess) {
  open(first_lesson());
  while (state().lesson.concealed.empty()) {
    app.apply(command::StepLesson{1});
    app.wait_until_idle();
  }
  show();
  const std::size_t step = state().lesson.step;
  ui.key("Tab");
  ASSERT_TRUE(ui.focused().starts_with("lesson/guess/")) << ui.focused();
  ui.key("Right");
  show();
  EXPECT_EQ(state().lesson.step, step);
  EXPECT_FALSE(shown_answer(state()).guess.empty());
}

TEST_F(LessonsTest, AreReachedByTab) {
  open("example:lesson-what-attention-computes");
  ui.key("Tab");
  EXPECT_EQ(ui.focused(), "lesson/next");
  while (step().ask.empty()) ui.key("PageDown");
  show();
  EXPECT_TRUE(ui.shows("lesson/reveal/keys"));
  const auto first_share = [this] {
    const std::vector<double>& guess = shown_answer(state()).guess;
    return guess.empty() ? 0.0 : guess.front();
  };
  ui.key("Tab");
  EXPECT_EQ(ui.focused(), "lesson/guess/0");
  const double before = first_share();
  ui.key("Up");
  show();
  EXPECT_GT(first_share(), before);
  ui.key("Tab");
  EXPECT_EQ(ui.focused(), "lesson/guess/1");
  ui.key("Ctrl+Enter");
  show();
  ui.key("PageDown");
  show();
  ui.click("lesson/back");
  show();
  ui.click("lesson/next");
  show();
  ui.click("inputs/K");
  ui.key("Tab");
  EXPECT_FALSE(ui.focused().starts_with("lesson/")) << "something else was chosen since";
}

// The pointer rests on each control of the card, and the tooltip covers none of them.
TEST_F(LessonsTest, TooltipsOfTheCardAndOfInputsKeepOffTheOtherControls) {
  open("example:lesson-what-attention-computes");
  while (step().ask.empty()) ui.key("PageDown");
  show();
  const std::vector<std::string> controls = {"lesson/back", "lesson/next",    "lesson/reveal",
                                             "lesson/end",  "lesson/guess/0", "lesson/guess/1",
                                             "inputs/Q",    "inputs/K",       "inputs/V"};
  for (const std::string& name : controls) {
    ASSERT_TRUE(ui.shows(name)) << name;
    ui.hover(name);
    ui.frames(60);
    const auto tip = ui.find("tooltip");
    ASSERT_TRUE(tip) << name;
    for (const std::string& other : controls) {
      const auto at = ui.find(other);
      const bool apart = tip->min.x >= at->max.x || tip->max.x <= at->min.x ||
                         tip->min.y >= at->max.y || tip->max.y <= at->min.y;
      EXPECT_TRUE(apart) << "that of " << name << " lies over " << other;
    }
    EXPECT_LE(tip->max.x, 1600.0F);
    EXPECT_LE(tip->max.y, 1200.0F);
    EXPECT_GE(tip->min.y, 0.0F);
  }
}

// The buttons follow the text, and the spreadsheet takes the rest of the card's side.
TEST_F(LessonsTest, TakeTheRoomThatTheirTextNeeds) {
  open("example:lesson-what-attention-computes");
  float widest_gap = 0.0F, lowest = 0.0F, highest = 1e9F;
  for (std::size_t i = 0; i < state().document.lesson.size(); ++i) {
    show();
    ui.frames(3);
    widest_gap =
        std::max(widest_gap, ui.find("lesson/back")->min.y - ui.find("lesson/text")->max.y);
    lowest = std::max(lowest, ui.find("panel/inputs")->min.y);
    highest = std::min(highest, ui.find("panel/inputs")->min.y);
    ui.key("PageDown");
  }
  EXPECT_LT(widest_gap, 150.0F) << "no more than three bars lie between";
  EXPECT_GT(lowest - highest, 30.0F);
}

TEST_F(LessonsTest, FrameTheNumberToChangeUntilItIsChanged) {
  for (const auto& [lesson, cell] :
       {std::pair("what-attention-computes", "2,2"), std::pair("many-heads", "7,5"),
        std::pair("reading-a-models-heads", "6,3"), std::pair("luongs-scores", "1,1")}) {
    open("example:lesson-" + std::string(lesson));
    EXPECT_EQ(meant_control(state()), "") << lesson;
    while (ui.shows("lesson/next") && ui.enabled("lesson/next")) ui.key("PageDown");
    show();
    ui.frames(5);
    const std::string control = "inputs/grid/cell/" + std::string(cell);
    ASSERT_TRUE(ui.shows(control)) << lesson << " is not scrolled to it";
    EXPECT_EQ(meant_control(state()), control);
    ui.drag(control, -30, 0);
    show();
    EXPECT_EQ(meant_control(state()), "") << lesson;
    ui.key("Ctrl+Z");
    show();
    EXPECT_EQ(meant_control(state()), control) << lesson;
  }
}

TEST_F(LessonsTest, LeadOnToTheNextOne) {
  open("example:lesson-what-attention-computes");
  while (ui.shows("lesson/next")) ui.key("PageDown");
  ui.click("lesson/after");
  show();
  EXPECT_EQ(state().source_path, "example:lesson-why-divide-by-sqrt-dk");
  EXPECT_EQ(state().lesson.step, 0U);
}

TEST_F(LessonsTest, AskForASingleNumber) {
  open("example:lesson-a-transformer-block");
  for (int i = 0; i < 3; ++i) ui.key("Right");
  show();
  ui.click("lesson/guess/number");
  ui.type("half");
  ui.key("Enter");
  show();
  EXPECT_TRUE(ui.shows("lesson/guess/number/problem"));
  ui.click("lesson/guess/number");
  ui.key("Ctrl+A");
  ui.type("0.5");
  ui.key("Enter");
  show();
  EXPECT_EQ(shown_answer(state()).guess, std::vector{0.5});
  ui.click("lesson/reveal");
  show();
  EXPECT_FALSE(ui.shows("lesson/guess/number"));
}

TEST_F(LessonsTest, ArePagedFromWithinTheSpreadsheet) {
  open("example:lesson-what-attention-computes");
  ui.click("inputs/grid/cell/0,0");
  ui.key("PageDown");
  show();
  EXPECT_EQ(state().lesson.step, 1U);
  ui.key("PageUp");
  show();
  EXPECT_EQ(state().lesson.step, 0U);
}

TEST_F(LessonsTest, OfferNoBarForWhatTheMaskHides) {
  std::ofstream(path("a.json")) << R"({"tokens": ["a", "b", "c"], "mask": {"causal": true},
    "lesson": [{"text": "x", "ask": "weights[2, :]"}, {}]})";
  open(path("a.json"));
  EXPECT_TRUE(ui.shows("lesson/guess/1"));
  EXPECT_FALSE(ui.shows("lesson/guess/2"));
  ui.drag("lesson/guess/0", 20, 0);
  show();
  EXPECT_EQ(shown_answer(state()).guess[2], 0.0);
  ASSERT_FALSE(state().messages.empty());
  EXPECT_NE(state().messages.back().text.find("The lesson has 1 fault; attnscope validate"),
            std::string::npos)
      << state().messages.back().text;
}

TEST_F(LessonsTest, MoveNothingWhenTheNumberOfAnExerciseIsChanged) {
  std::ofstream(path("a.json")) << R"({"tokens": ["a", "b"], "q": [[1, 2], [3, 4]],
    "k": [[1, 2], [3, 4]], "v": [[1, 2], [3, 4]], "lesson": [{"text": "x", "input": "/q/0/0"}]})";
  open(path("a.json"));
  const float before = ui.find("inputs/grid/cell/0,0")->min.y;
  EXPECT_FALSE(ui.enabled("lesson/restore"));
  ui.drag("inputs/grid/cell/0,0", 30, 0);
  show();
  EXPECT_TRUE(ui.enabled("lesson/restore"));
  EXPECT_EQ(ui.find("inputs/grid/cell/0,0")->min.y, before);
}

TEST_F(LessonsTest, ConcealGivenWeightsAmongTheInputsToo) {
  open("example:lesson-reading-a-models-heads");
  for (int i = 0; i < 3; ++i) ui.key("Right");
  show();
  EXPECT_FALSE(ui.shows("inputs/grid/cell/0,0"));
  EXPECT_TRUE(ui.shows("lesson/guess/6"));
  EXPECT_FALSE(ui.shows("lesson/guess/7"));  // later keys, which the causal mask hides
  ui.key("Ctrl+Enter");
  show();
  EXPECT_TRUE(ui.shows("inputs/grid/cell/0,0"));
}

TEST_F(LessonsTest, ShowAllPanesOfAStepBesideTheCard) {
  open("example:lesson-many-heads");
  ui.key("F11");
  for (int i = 0; i < 8; ++i) ui.key("Right");
  show();
  const auto is_of_both = [](const std::string& name) {
    return name.find("heads/head/3") != std::string::npos;
  };
  EXPECT_TRUE(std::ranges::any_of(ui.names(), is_of_both)) << "the second pane";
}

TEST_F(LessonsTest, StayBesideAPlotAlone) {
  open("example:lesson-many-heads");
  ui.key("F11");
  show();
  EXPECT_TRUE(ui.shows("lesson/text"));
  EXPECT_FALSE(ui.shows("panel/inputs"));
  ui.key("Right");
  show();
  EXPECT_EQ(state().lesson.step, 1U);
}

class FirstStepsTest : public LessonsTest {
 protected:
  FirstStepsTest() {
    app.start_with({}, Preferences{});
    app.open_at_start({});
    show();
  }
};

TEST_F(FirstStepsTest, AreDoneByMouse) {
  EXPECT_EQ(state().source_path, first_example());
  EXPECT_FALSE(state().overlay);
  EXPECT_NE(ui.value("lesson/text").find("Drag this number"), std::string::npos);
  ui.drag("inputs/grid/cell/0,0", 40, 0);
  show();
  EXPECT_EQ(state().first_step, FirstStep::Pin);
  EXPECT_NE(ui.value("lesson/text").find("Why " + fixed_text(static_cast<double>(weight(0, 2)), 2)),
            std::string::npos)
      << ui.value("lesson/text");
  for (const char* other : {"0,0", "2,2", "1,2"}) {
    ui.click("plot/heatmap/cell/" + std::string(other));
    show();
    EXPECT_EQ(state().first_step, FirstStep::Pin) << other << " is not the cell in the text";
  }
  ui.click("plot/heatmap/cell/0,2");
  show();
  EXPECT_EQ(state().first_step, FirstStep::Open);
  ui.click("first_steps/lesson");
  show();
  EXPECT_EQ(state().first_step, FirstStep::None);
  EXPECT_TRUE(is_in_lesson(state()));
}

TEST_F(FirstStepsTest, AreDoneByKeyboardAlone) {
  ui.type("2");
  ui.key("Enter");
  show();
  EXPECT_EQ(input("/q", 0, 0), 2.0F);
  EXPECT_EQ(state().first_step, FirstStep::Pin);
  for (const FirstStep now : {FirstStep::Pin, FirstStep::Pin, FirstStep::Open}) {
    ui.key("Right");
    show();
    EXPECT_EQ(state().first_step, now);
  }
}

TEST_F(FirstStepsTest, StayWhenEscClosesAMenu) {
  ui.click("menu/View");
  show();
  ui.key("Esc");
  show();
  EXPECT_EQ(state().first_step, FirstStep::Edit);
}

TEST_F(FirstStepsTest, EndForGoodByEsc) {
  EXPECT_FALSE(state().preferences.begins_with_first_steps) << "never shown again";
  ui.key("Esc");
  show();
  EXPECT_EQ(state().first_step, FirstStep::Edit) << "Esc leaves the spreadsheet first";
  ui.key("Esc");
  show();
  EXPECT_EQ(state().first_step, FirstStep::None);
  EXPECT_FALSE(ui.shows("first_steps/end"));
  EXPECT_TRUE(ui.shows("panel/tokens"));
}

TEST_F(FirstStepsTest, AreLeftByTabBehindTheLastNumber) {
  for (std::size_t i = 0; i < 5; ++i) ui.key("Tab");
  EXPECT_EQ(state().grid.row, 2U);
  EXPECT_EQ(state().grid.col, 1U);
  ui.key("Tab");
  show();
  EXPECT_EQ(state().grid.row, 2U) << "not around";
  ui.type("7");
  show();
  EXPECT_NE(input("/q", 2, 1), 7.0F) << "the spreadsheet has no keyboard any more";
}

TEST_F(FirstStepsTest, WaitForTheNumberThatTheyMean) {
  ui.key("Down");
  ui.type("5");
  ui.key("Enter");
  show();
  ASSERT_EQ(input("/q", 1, 0), 5.0F);
  EXPECT_EQ(state().first_step, FirstStep::Edit);
}

TEST_F(FirstStepsTest, LeaveTheArrowsToALessonThatIsOpened) {
  app.apply(command::Open{first_lesson()});
  app.wait_until_idle();
  show();
  ui.key("Right");
  show();
  EXPECT_EQ(state().lesson.step, 1U);
}

TEST_F(FirstStepsTest, BeginAnewFromTheirFirstStep) {
  ui.type("2");
  ui.key("Enter");
  show();
  ui.key("Esc");
  ui.key("Esc");
  show();
  ASSERT_EQ(state().first_step, FirstStep::None);
  app.apply(command::BeginFirstSteps{});
  EXPECT_TRUE(state().notices.empty()) << "does not say that they have ended";
  app.wait_until_idle();
  show();
  EXPECT_EQ(state().first_step, FirstStep::Edit);
  ui.type("3");
  ui.key("Enter");
  show();
  EXPECT_EQ(input("/q", 0, 0), 3.0F) << "its number has the keyboard";
}

TEST_F(FirstStepsTest, EndWithAFileThatIsDropped) {
  std::ofstream(path("a.json")) << R"({"tokens": ["a", "b"]})";
  ui.drag("inputs/grid/cell/0,0", 40, 0);
  ui.click("plot/heatmap/cell/0,2");
  ui.drop({path("a.json")});
  show();
  EXPECT_EQ(state().first_step, FirstStep::None);
}

}  // namespace
}  // namespace attn::gui
