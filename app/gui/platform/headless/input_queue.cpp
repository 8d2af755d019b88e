// Feeds queued input to ImGui, one press or release per frame, so that no fast click is lost;
// names of keys.
#include "gui/platform/input_queue.h"

#include <algorithm>
#include <cfloat>

#include "base/parsed_number.h"
#include "gui/platform/imgui_compat.h"

namespace attn::gui {
namespace {

constexpr double kDoubleClickSeconds = 0.3;
// ImGui reports some frames late whether a text field has the keyboard; fields opened by a key get
// it sooner.
constexpr int kFramesUntilKnown = 3, kFramesUntilOpen = 2;
constexpr int kEditingKeys[] = {keys::kBackspace, keys::kDelete, keys::kLeft,
                                keys::kRight,     keys::kHome,   keys::kEnd};

bool is_modifier(int key) { return key >= keys::kLeftShift && key <= keys::kRightSuper; }
bool is_shift(int key) { return key == keys::kLeftShift || key == keys::kRightShift; }
bool is_printable(int key) { return key >= ' ' && key < 128; }

// Left and right keys of a modifier are four codes apart, in the order of the modifier bits.
int modifiers_of(int held) { return (held | (held >> 4)) & 0xF; }

// --- Names of keys

constexpr std::pair<std::string_view, int> kNamedKeys[] = {
    {"Enter", keys::kEnter},   {"Left", keys::kLeft},     {"Page Up", keys::kPageUp},
    {"Esc", keys::kEscape},    {"Right", keys::kRight},   {"Page Down", keys::kPageDown},
    {"Escape", keys::kEscape}, {"Up", keys::kUp},         {"PageDown", keys::kPageDown},
    {"Tab", keys::kTab},       {"Down", keys::kDown},     {"Backspace", keys::kBackspace},
    {"Space", keys::kSpace},   {"?", keys::kSlash},       {"Keypad +", keys::kKeypadAdd},
    {"Home", keys::kHome},     {"Minus", keys::kMinus},   {"Keypad −", keys::kKeypadSubtract},
    {"End", keys::kEnd},       {"PageUp", keys::kPageUp}, {"Plus", keys::kEqual},
    {"Delete", keys::kDelete},
};

constexpr std::pair<std::string_view, int> kModifiers[] = {
    {"Ctrl", keys::kLeftControl}, {"Shift", keys::kLeftShift}, {"Alt", keys::kLeftAlt}};

int key_named(std::string_view name) {
  for (const auto& [known, key] : kNamedKeys) {
    if (known == name) return key;
  }
  if (name.size() == 1 && name[0] > ' ' && name[0] < '\x7F') {
    return name[0] >= 'a' && name[0] <= 'z' ? name[0] - 'a' + 'A' : name[0];
  }
  if (name.size() < 2 || name[0] != 'F') return 0;
  const Result<std::int64_t> number = parse_integer(name.substr(1));
  const bool is_key = number && *number >= 1 && *number <= 12;
  return is_key ? keys::kF1 + static_cast<int>(*number) - 1 : 0;
}

}  // namespace

int InputQueue::modifiers_after(const KeyChange& change) {
  if (is_modifier(change.key)) {
    const int bit = 1 << (change.key - keys::kLeftShift);
    held_ = change.down ? held_ | bit : held_ & ~bit;
    return modifiers_of(held_);
  }
  return modifiers_of(held_) | (change.down ? change.mods & 0xF : 0);
}

bool InputQueue::is_in_field(const ImGuiIO& io, const KeyChange& change) const {
  const int modifiers = modifiers_of(held_) | (change.mods & 0xF);
  return io.WantTextInput && frames_of_text_ >= kFramesUntilKnown && (modifiers & ~kModShift) == 0;
}

void InputQueue::feed(ImGuiIO& io, std::vector<std::string>& dropped) {
  if (menu_key_is_down_) put_key(io, keys::kMenuRow, false);
  menu_key_is_down_ = false;
  ++frames_of_text_;
  ++frames_since_press_;
  fed_ = {};
  while (!events_.empty() && take(io, events_.front(), dropped)) events_.pop_front();
}

// Returns false when the event must wait for the next frame.
bool InputQueue::take(ImGuiIO& io, const TimedEvent& timed, std::vector<std::string>& dropped) {
  const InputEvent& event = timed.event;
  const auto* text = std::get_if<TextInput>(&event);
  if (fed_.full && !(text != nullptr && fed_.pressed)) return false;
  if (const auto* move = std::get_if<MouseMove>(&event)) {
    if (fed_.scrolled) return false;
    put_mouse_position(io, move->x, move->y);
    fed_.moved = true;
    if (move->x == -FLT_MAX) alt_alone_ = false;  // the pointer left the window
  } else if (const auto* button = std::get_if<MouseButton>(&event)) {
    return take_button(io, *button, timed.seconds);
  } else if (const auto* wheel = std::get_if<MouseWheel>(&event)) {
    put_mouse_wheel(io, wheel->dx, wheel->dy);
    fed_.scrolled = true;
    alt_alone_ = false;
  } else if (const auto* key = std::get_if<KeyChange>(&event)) {
    return take_key(io, *key);
  } else if (text != nullptr) {
    if (!fed_.pressed && frames_since_press_ < kFramesUntilOpen) return false;
    put_character(io, text->code_point);
    fed_.typed = true;
  } else if (const auto* drop = std::get_if<FilesDropped>(&event)) {
    dropped.insert(dropped.end(), drop->paths.begin(), drop->paths.end());
  } else if (const auto* focus = std::get_if<FocusChange>(&event)) {
    put_focus(io, focus->focused);
    held_ = 0;
    alt_alone_ = false;
  }
  return true;
}

bool InputQueue::take_button(ImGuiIO& io, const MouseButton& button, double seconds) {
  if (fed_.moved || fed_.typed || fed_.released) return false;
  const int index = button.button;
  if (button.down && index >= 0 && index < kMouseButtonCount) {
    // ImGui would compare frame times, which are late when frames are slow.
    double& before = pressed_at_[static_cast<std::size_t>(index)];
    io.MouseDoubleClickTime = seconds - before < kDoubleClickSeconds ? FLT_MAX : -1.0F;
    before = seconds;
  }
  put_mouse_button(io, index, button.down);
  fed_.full = true;
  frames_of_text_ = 0;
  if (!button.down) frames_since_press_ = 0;
  alt_alone_ = false;
  return true;
}

bool InputQueue::take_key(ImGuiIO& io, const KeyChange& key) {
  const bool in_field = is_in_field(io, key), modifier = is_modifier(key.key);
  const bool types = in_field && (is_printable(key.key) || is_shift(key.key));
  if (types) {
    fed_.typed = true;
  } else if (key.down) {
    const bool edits = in_field && std::ranges::count(kEditingKeys, key.key) > 0;
    const bool unknown = io.WantTextInput && !in_field && frames_of_text_ < kFramesUntilKnown;
    const bool is_early =
        frames_since_press_ < kFramesUntilOpen || (unknown && is_printable(key.key));
    if (fed_.typed || fed_.released || (is_early && !modifier && !edits)) return false;
    fed_.full = fed_.pressed = true;
    if (!edits && !modifier) frames_of_text_ = frames_since_press_ = 0;
  } else {
    if (fed_.typed && modifier) return false;
    fed_.released = true;
  }
  put_key(io, key.key, key.down);
  put_modifiers(io, modifiers_after(key));
  note_alt(io, key);
  return true;
}

// Alt pressed and released without another key acts as the menu key.
void InputQueue::note_alt(ImGuiIO& io, const KeyChange& key) {
  const bool was_alone = std::exchange(alt_alone_, false);
  if (key.key != keys::kLeftAlt) return;
  const bool drags = std::ranges::count(io.MouseDown, true) > 0;
  alt_alone_ = key.down && !drags && modifiers_of(held_) == kModAlt;
  if (!was_alone || key.down) return;
  put_key(io, keys::kMenuRow, true);
  menu_key_is_down_ = fed_.full = true;
}

std::string key_name(int key) {
  const auto known = std::ranges::find(kNamedKeys, key, &std::pair<std::string_view, int>::second);
  if (known != std::end(kNamedKeys)) return std::string(known->first);
  if (key >= keys::kF1 && key <= keys::kF12) return "F" + std::to_string(key - keys::kF1 + 1);
  return std::string(1, static_cast<char>(key));
}

std::optional<KeyPress> key_press(std::string_view text) {
  KeyPress press;
  for (std::size_t plus = text.find('+'); plus != std::string_view::npos && text.size() > 1;
       plus = text.find('+')) {
    const auto named = [&](const auto& modifier) { return modifier.first == text.substr(0, plus); };
    const auto modifier = std::ranges::find_if(kModifiers, named);
    if (modifier == std::end(kModifiers)) return std::nullopt;
    press.mods |= modifiers_of(1 << (modifier->second - keys::kLeftShift));
    press.modifiers.emplace_back(modifier->second, press.mods);
    text.remove_prefix(plus + 1);
  }
  press.key = key_named(text);
  if (press.key == 0) return std::nullopt;
  const bool types = text.size() == 1 && (press.mods & (kModControl | kModAlt)) == 0;
  if (types) press.character = static_cast<unsigned char>(text[0]);
  if (text == "Space") press.character = ' ';
  return press;
}

}  // namespace attn::gui
