// Chooses the next events of the window at random.
#include "random/random_events.h"

#include <iterator>

#include "gui/platform/imgui_compat.h"

namespace attn::test {
namespace {

using namespace gui;  // NOLINT(google-build-using-namespace)
using Events = std::vector<InputEvent>;

constexpr int kRandomKeys[] = {
    keys::kEnter,       keys::kEscape,      keys::kTab,    keys::kBackspace, keys::kDelete,
    keys::kInsert,      keys::kUp,          keys::kDown,   keys::kLeft,      keys::kRight,
    keys::kHome,        keys::kEnd,         keys::kPageUp, keys::kSpace,     keys::kSlash,
    keys::kPageDown,    keys::kLeftBracket, keys::kMinus,  keys::kEqual,     keys::kPeriod,
    keys::kComma,       keys::kF1,          keys::kF1 + 1, keys::kF1 + 4,    keys::kF12,
    keys::kRightBracket};
// Letters of several scripts, a combining mark, a control, a noncharacter.
constexpr unsigned kOddLetters[] = {0xE4, 0x4E2D, 0x1F600, 0x301, 0x7, 0xFFFE, 0x202E, 0x0627};

int below(Random& random, std::size_t count) { return static_cast<int>(random.next() % count); }

MouseMove anywhere(Random& random, const RandomPlace& place) {
  return {random.uniform() * place.window.x, random.uniform() * place.window.y};
}

// Now and then a widget, which is small, so that a random point rarely meets it.
MouseMove somewhere(Random& random, const Probe& probe, const RandomPlace& place) {
  std::vector<ImVec2> centres;
  for (const auto& [name, widget] : probe.all()) {
    if (widget.frame >= ImGui::GetFrameCount() - 1) centres.push_back(widget.centre());
  }
  if (centres.empty() || below(random, 3) == 0) return anywhere(random, place);
  const ImVec2 centre = centres[random.next() % centres.size()];
  return {centre.x, centre.y};
}

int any_button(Random& random) {
  return below(random, 8) != 0 ? 0 : below(random, kMouseButtonCount);
}

Events click(Random& random, MouseMove at) {
  const int button = any_button(random);
  Events events{at, MouseButton{button, true}, MouseButton{button, false}};
  if (below(random, 8) != 0) return events;
  events.insert(events.end(), {MouseButton{button, true}, MouseButton{button, false}});
  return events;
}

Events any_key(Random& random) {
  constexpr std::pair<int, int> kHeld[] = {
      {kModShift, keys::kLeftShift}, {kModControl, keys::kLeftControl}, {kModAlt, keys::kLeftAlt}};
  const bool named = below(random, 2) == 0;
  const int key = named                   ? kRandomKeys[random.next() % std::size(kRandomKeys)]
                  : below(random, 3) == 0 ? '0' + below(random, 10)
                                          : 'A' + below(random, 26);
  int mods = 0;
  Events before, after;
  for (const auto& [bit, code] : kHeld) {
    if (below(random, 3) != 0) continue;
    mods |= bit;
    before.emplace_back(KeyChange{code, true, mods});
    after.emplace_back(KeyChange{code, false, 0});
  }
  before.insert(before.end(), {KeyChange{key, true, mods}, KeyChange{key, false, mods}});
  before.insert(before.end(), after.begin(), after.end());
  return before;
}

Events letters(Random& random) {
  Events events;
  const int count = 1 + below(random, 4);
  for (int i = 0; i < count; ++i) {
    const bool odd = below(random, 8) == 0;
    events.emplace_back(TextInput{odd ? kOddLetters[random.next() % std::size(kOddLetters)]
                                      : static_cast<unsigned>(' ' + below(random, 95))});
  }
  return events;
}

Events drop(Random& random, const RandomPlace& place) {
  if (place.files.empty() || below(random, 10) != 0) return {};
  return {FilesDropped{{place.files[random.next() % place.files.size()]}}};
}

Events wheel(Random& random, MouseMove at) {
  return {at, MouseWheel{below(random, 4) == 0 ? 1.0F : 0.0F, random.uniform() * 6.0F - 3.0F}};
}

}  // namespace

Events random_events(Random& random, const Probe& probe, const RandomPlace& place) {
  const MouseMove at = somewhere(random, probe, place);
  switch (below(random, 12)) {
    case 0:
    case 1:
      return {at};
    case 2:
      return {at, MouseButton{any_button(random), true}};
    case 3:
      return {anywhere(random, place), MouseButton{any_button(random), false}};
    case 4:
      return wheel(random, at);
    case 5:
      return letters(random);
    case 6:
    case 7:
      return any_key(random);
    case 8:
      return drop(random, place);
    case 9:
      return {FocusChange{below(random, 4) != 0}};
    default:
      return click(random, at);
  }
}

}  // namespace attn::test
