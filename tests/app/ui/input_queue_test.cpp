// Fast input is spread over frames, so that none is lost.
#include "gui/platform/input_queue.h"

#include <gtest/gtest.h>

#include <cfloat>

#include "gui/platform/imgui_compat.h"
#include "support/ui_harness.h"

namespace attn::test {
namespace {

using namespace gui;  // NOLINT(google-build-using-namespace)

struct Buttons {
  int pressed = 0;
  std::string text;
  void operator()(Ui& ui) {
    if (ImGui::Button("Press", ImVec2(80, 30))) ++pressed;
    ui.mark("press");
    char buffer[64] = {};
    text.copy(buffer, sizeof buffer - 1);
    if (ImGui::InputText("##text", buffer, sizeof buffer)) text = buffer;
    ui.mark("text");
  }
};

TEST(InputQueue, EveryFastClickArrives) {
  UiHarness ui;
  Buttons buttons;
  const auto draw = [&](Ui& u) { buttons(u); };
  ui.frame(draw);
  const ImVec2 at = ui.find("press")->centre();
  // Pushes all at once, like fifty clicks during a slow frame.
  for (int i = 0; i < 50; ++i) {
    ui.push(MouseMove{at.x, at.y});
    ui.push(MouseButton{0, true});
    ui.push(MouseButton{0, false});
    ui.push(MouseMove{at.x + 300, at.y + 300});
  }
  int frames = 0;
  for (; !ui.input.empty() && frames < 1000; ++frames) ui.frame(draw);
  EXPECT_EQ(buttons.pressed, 50);
  EXPECT_LE(frames, 201);
}

TEST(InputQueue, PressComesAFrameAfterTheMoveToItsPlace) {
  UiHarness ui;
  bool hovered_before_press = false, hovered = false;
  const auto draw = [&](Ui& u) {
    ImGui::Button("Press", ImVec2(80, 30));
    u.mark("press");
    if (ImGui::IsItemActivated()) hovered_before_press = hovered;
    hovered = ImGui::IsItemHovered();
  };
  ui.frame(draw);
  ui.click("press");
  EXPECT_TRUE(hovered_before_press);
}

TEST(InputQueue, OneButtonOrKeyChangePerFrameInOrder) {
  UiHarness ui;
  ui.frame([](Ui&) {});
  ui.push(MouseButton{0, true});
  ui.push(KeyChange{'A', true, 0});
  ui.push(KeyChange{'A', false, 0});
  ui.push(MouseButton{0, false});
  std::vector<std::string> seen;
  const ImGuiIO& io = ImGui::GetIO();
  while (!ui.input.empty()) {
    ui.frames(1);
    seen.push_back(std::string(io.MouseDown[0] ? "M" : "-") + (only_key_down('A') ? "A" : "-"));
  }
  EXPECT_EQ(seen, (std::vector<std::string>{"M-", "MA", "M-", "--"}));
}

std::vector<int> named_keys() {
  std::vector<int> named = {
      keys::kSpace,        keys::kComma,      keys::kMinus,       keys::kPeriod,
      keys::kSlash,        keys::kEqual,      keys::kLeftBracket, keys::kBackslash,
      keys::kRightBracket, keys::kEscape,     keys::kEnter,       keys::kTab,
      keys::kBackspace,    keys::kInsert,     keys::kDelete,      keys::kRight,
      keys::kLeft,         keys::kDown,       keys::kUp,          keys::kPageUp,
      keys::kPageDown,     keys::kHome,       keys::kEnd,         keys::kKeypadSubtract,
      keys::kKeypadAdd,    keys::kKeypadEnter};
  const auto add = [&named](int first, int last) {
    for (int key = first; key <= last; ++key) named.push_back(key);
  };
  add('0', '9');
  add('A', 'Z');
  add(keys::kF1, keys::kF12);
  add(keys::kKeypad0, keys::kKeypad0 + 9);
  add(keys::kLeftShift, keys::kRightSuper);
  return named;
}

TEST(InputQueue, EveryKeyWithANameArrivesAndIsReleased) {
  UiHarness ui;
  ui.frame([](Ui&) {});
  for (const int key : named_keys()) {
    ui.push(KeyChange{key, true, 0});
    ui.frames(1);
    EXPECT_TRUE(only_key_down(key)) << key;
    ui.push(KeyChange{key, false, 0});
    ui.frames(1);
    EXPECT_FALSE(only_key_down(key)) << key;
  }
}

TEST(InputQueue, TextAndKeysKeepTheirOrder) {
  UiHarness ui;
  Buttons buttons;
  ui.frame([&](Ui& u) { buttons(u); });
  ui.click("text");
  for (const char c : std::string("abc")) {
    ui.push(KeyChange{c - 'a' + 'A', true, 0});
    ui.push(TextInput{static_cast<unsigned>(c)});
    ui.push(KeyChange{c - 'a' + 'A', false, 0});
  }
  ui.push(KeyChange{keys::kBackspace, true, 0});
  ui.push(KeyChange{keys::kBackspace, false, 0});
  ui.push(TextInput{'x'});
  ui.type("");
  EXPECT_EQ(buttons.text, "abx");
}

void push_letter(UiHarness& ui, char c) {
  const int key = c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c;
  ui.push(KeyChange{key, true, 0});
  ui.push(TextInput{static_cast<unsigned>(c)});
  ui.push(KeyChange{key, false, 0});
}

TEST(InputQueue, FastTypingIntoAFieldTakesFewFrames) {
  UiHarness ui;
  Buttons buttons;
  ui.frame([&](Ui& u) { buttons(u); });
  ui.click("text");
  const std::string words = "the quick brown fox jumps over a lazy dog";
  for (const char c : words) push_letter(ui, c);
  int frames = 0;
  for (; !ui.input.empty() && frames < 1000; ++frames) ui.frames(1);
  ui.frames(1);
  EXPECT_EQ(buttons.text, words);
  EXPECT_LE(frames, 4);
}

TEST(InputQueue, LettersOutsideOfAFieldKeepFramesOfTheirOwn) {
  UiHarness ui;
  int presses = 0;
  ui.frame([&](Ui&) { presses += key_pressed('M', false) ? 1 : 0; });
  for (int i = 0; i < 5; ++i) push_letter(ui, 'm');
  while (!ui.input.empty()) ui.frames(1);
  EXPECT_EQ(presses, 5);
}

// Text, a shortcut, text, an editing key, text and a letter's key that is still down when Control
// is pressed, all at once: each acts on the text typed before it.
TEST(InputQueue, EditingKeysActBetweenTheLettersAroundThem) {
  UiHarness ui;
  Buttons buttons;
  ui.frame([&](Ui& u) { buttons(u); });
  ui.click("text");
  ui.frames(3);
  const auto press = [&](int key, int mods = 0) {
    ui.push(KeyChange{key, true, mods});
    ui.push(KeyChange{key, false, mods});
  };
  for (const char c : std::string("one")) push_letter(ui, c);
  ui.push(KeyChange{keys::kLeftControl, true, 0});
  press('A', kModControl);
  ui.push(KeyChange{keys::kLeftControl, false, kModControl});
  for (const char c : std::string("abcd")) push_letter(ui, c);
  press(keys::kLeft);
  press(keys::kBackspace);
  for (const char c : std::string("xy")) push_letter(ui, c);
  ui.push(KeyChange{'A', true, 0});
  ui.push(TextInput{'a'});
  ui.push(KeyChange{keys::kLeftControl, true, 0});  // not Ctrl+A: that A was typed
  ui.push(KeyChange{'A', false, kModControl});
  ui.push(KeyChange{keys::kLeftControl, false, kModControl});
  push_letter(ui, 'z');
  while (!ui.input.empty()) ui.frames(1);
  ui.frames(1);
  EXPECT_EQ(buttons.text, "abxyazd");
}

TEST(InputQueue, LettersAfterTheFieldWasLeftAreKeysAgain) {
  UiHarness ui;
  Buttons buttons;
  int presses = 0;
  ui.frame([&](Ui& u) {
    buttons(u);
    presses += key_pressed('M', false) && !ImGui::GetIO().WantTextInput ? 1 : 0;
  });
  ui.click("text");
  ui.frames(3);
  push_letter(ui, 'm');
  ui.push(KeyChange{keys::kEnter, true, 0});
  ui.push(KeyChange{keys::kEnter, false, 0});
  push_letter(ui, 'm');
  push_letter(ui, 'm');
  while (!ui.input.empty()) ui.frames(1);
  EXPECT_EQ(buttons.text, "m");
  EXPECT_EQ(presses, 2);
}

TEST(InputQueue, ModifiersHoldUntilTheirKeyIsReleased) {
  UiHarness ui;
  ui.frame([](Ui&) {});
  const ImGuiIO& io = ImGui::GetIO();
  // X11 reports a modifier's event without its own bit.
  ui.push(KeyChange{keys::kLeftControl, true, 0});
  ui.frames(1);
  EXPECT_TRUE(io.KeyCtrl);
  ui.push(KeyChange{'Z', true, kModControl});
  ui.push(KeyChange{'Z', false, kModControl});
  ui.frames(2);
  EXPECT_TRUE(io.KeyCtrl);
  ui.push(KeyChange{keys::kLeftControl, false, kModControl});
  ui.frames(1);
  EXPECT_FALSE(io.KeyCtrl);
}

TEST(InputQueue, LosingTheFocusReleasesEverything) {
  UiHarness ui;
  ui.frame([](Ui&) {});
  ui.push(KeyChange{'A', true, 0});
  ui.frames(1);
  EXPECT_TRUE(only_key_down('A'));
  ui.push(KeyChange{keys::kLeftShift, true, 0});
  ui.push(MouseButton{0, true});
  ui.frames(2);
  ui.push(FocusChange{false});
  ui.frames(1);
  const ImGuiIO& io = ImGui::GetIO();
  EXPECT_FALSE(io.KeyShift);
  EXPECT_FALSE(io.MouseDown[0]);
  ui.push(FocusChange{true});
  ui.push(KeyChange{'B', true, 0});
  ui.frames(2);
  EXPECT_TRUE(only_key_down('B')) << "the others were released";
}

// Clicks that ImGui counts for presses at these times, when each frame takes `frame_seconds`.
std::vector<int> counted_clicks(float frame_seconds, const std::vector<double>& pressed) {
  UiHarness ui;
  std::vector<int> counts;
  ui.frame([&](Ui&) {
    if (ImGui::IsMouseClicked(0)) counts.push_back(ImGui::GetIO().MouseClickedCount[0]);
  });
  ImGui::GetIO().DeltaTime = frame_seconds;
  ui.input.push(MouseMove{50, 50}, pressed.front());
  for (const double seconds : pressed) {
    ui.input.push(MouseButton{0, true}, seconds);
    ui.input.push(MouseButton{0, false}, seconds + 0.01);
  }
  while (!ui.input.empty()) ui.frames(1);
  return counts;
}

TEST(InputQueue, AFastDoubleClickIsOneHoweverSlowFramesAre) {
  EXPECT_EQ(counted_clicks(0.25F, {1.0, 1.06}), (std::vector<int>{1, 2}));
  EXPECT_EQ(counted_clicks(0.25F, {1.0, 1.1, 1.2}), (std::vector<int>{1, 2, 3}));
}

TEST(InputQueue, TwoSlowClicksAreTwoHoweverLateTheyArrive) {
  EXPECT_EQ(counted_clicks(1.0F / 60.0F, {1.0, 1.5}), (std::vector<int>{1, 1}));
  EXPECT_EQ(counted_clicks(0.25F, {1.0, 1.4, 1.5}), (std::vector<int>{1, 1, 2}));
}

TEST(InputQueue, CapitalsTypedIntoAFieldTakeNoMoreFrames) {
  UiHarness ui;
  Buttons buttons;
  ui.frame([&](Ui& u) { buttons(u); });
  ui.click("text");
  for (const char c : std::string("AbCd: Ef")) {
    const bool shifted = c == ':' || (c >= 'A' && c <= 'Z');
    if (shifted) ui.push(KeyChange{keys::kLeftShift, true, 0});
    ui.push(KeyChange{c == ':'   ? ';'
                      : c >= 'a' ? c - 'a' + 'A'
                                 : c,
                      true, shifted ? kModShift : 0});
    ui.push(TextInput{static_cast<unsigned>(c)});
    ui.push(KeyChange{c == ':' ? ';' : c >= 'a' ? c - 'a' + 'A' : c, false, 0});
    if (shifted) ui.push(KeyChange{keys::kLeftShift, false, kModShift});
  }
  ui.frames(2);
  EXPECT_TRUE(ui.input.empty());
  ui.frames(1);
  EXPECT_EQ(buttons.text, "AbCd: Ef");
}

TEST(InputQueue, AnEditingKeyAmongLettersTakesAFrame) {
  UiHarness ui;
  Buttons buttons;
  ui.frame([&](Ui& u) { buttons(u); });
  ui.click("text");
  for (const char c : std::string("abc")) push_letter(ui, c);
  for (int i = 0; i < 3; ++i) {
    ui.push(KeyChange{keys::kBackspace, true, 0});
    ui.push(KeyChange{keys::kBackspace, false, 0});
    for (const char c : std::string("xyz")) push_letter(ui, c);
  }
  int frames = 0;
  for (; !ui.input.empty() && frames < 1000; ++frames) ui.frames(1);
  ui.frames(1);
  EXPECT_EQ(buttons.text, "abxyxyxyz");
  EXPECT_LE(frames, 8);
}

TEST(InputQueue, AltAloneIsTheKeyOfTheMenus) {
  UiHarness ui;
  int asked = 0;
  ui.frame([&](Ui&) { asked += key_pressed(keys::kMenuRow, false) ? 1 : 0; });
  const auto alt = [&](const std::vector<InputEvent>& between) {
    asked = 0;
    ui.push(KeyChange{keys::kLeftAlt, true, 0});
    for (const InputEvent& event : between) ui.push(event);
    ui.push(KeyChange{keys::kLeftAlt, false, kModAlt});
    while (!ui.input.empty()) ui.frames(1);
    ui.frames(3);
    return asked;
  };
  EXPECT_EQ(alt({}), 1);
  EXPECT_EQ(alt({MouseMove{10, 10}}), 1);
  EXPECT_EQ(alt({MouseMove{-FLT_MAX, -FLT_MAX}}), 0) << "the desktop moves the window";
  EXPECT_EQ(alt({MouseWheel{0, 1}}), 0);
  EXPECT_EQ(alt({KeyChange{keys::kLeft, true, kModAlt}, KeyChange{keys::kLeft, false, kModAlt}}),
            0);
  EXPECT_EQ(alt({FocusChange{false}, FocusChange{true}}), 0);
  ui.push(MouseButton{0, true});
  EXPECT_EQ(alt({}), 0) << "it is held while something is dragged";
}

TEST(InputQueue, HandsOutDroppedFilesAndIgnoresUnknownKeys) {
  UiHarness ui;
  ui.frame([](Ui&) {});
  ui.push(KeyChange{-1, true, 0});
  ui.push(KeyChange{100000, true, 0});
  ui.push(MouseButton{99, true});
  ui.drop({"/tmp/a b.json", "/tmp/猫.json"});
  EXPECT_EQ(ui.take_dropped_files(), (std::vector<std::string>{"/tmp/a b.json", "/tmp/猫.json"}));
  EXPECT_TRUE(ui.take_dropped_files().empty());
}

}  // namespace
}  // namespace attn::test
