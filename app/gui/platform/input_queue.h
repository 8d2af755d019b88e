// Queue of input events: at most one button or key change reaches ImGui per frame, so that a fast
// click is never lost between two frames. Keys of letters typed into a text field, which reads
// characters only, are not limited. Windows, scripts and tests push into this queue.
#pragma once

#include <imgui.h>

#include <array>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "gui/platform/imgui_compat.h"

namespace attn::gui {

struct MouseMove {
  float x = 0, y = 0;
};
struct MouseButton {
  int button = 0;
  bool down = false;
};
struct MouseWheel {
  float dx = 0, dy = 0;
};
// GLFW key codes, which ImGui 1.86 uses as well with our key map. `mods` in GLFW's bits.
struct KeyChange {
  int key = 0;
  bool down = false;
  int mods = 0;
};
struct TextInput {
  unsigned code_point = 0;
};
struct FilesDropped {
  std::vector<std::string> paths;
};
struct FocusChange {
  bool focused = true;
};

using InputEvent = std::variant<MouseMove, MouseButton, MouseWheel, KeyChange, TextInput,
                                FilesDropped, FocusChange>;

class InputQueue {
 public:
  // `seconds`: time of the event on a steady clock; by default that of the last frame.
  void push(InputEvent event, double seconds = ImGui::GetTime()) {
    events_.push_back({std::move(event), seconds});
  }
  bool empty() const { return events_.empty(); }

  // Moves events into `io` up to and including the first button or key change (consecutive moves
  // are merged). A button change waits for the frame after a move, so that the item under the
  // pointer was drawn hovered before. Letters typed into a field share a frame, as do key releases,
  // and a key and its letter. Events after a key wait until a field that it opened can have the
  // keyboard. Double-clicks are decided by the times of the events. Dropped files are appended to
  // `dropped`.
  void feed(ImGuiIO& io, std::vector<std::string>& dropped);

 private:
  struct TimedEvent {
    InputEvent event;
    double seconds = 0.0;
  };
  // Kinds of events fed in this frame.
  struct Fed {
    bool moved = false, scrolled = false, typed = false, pressed = false, released = false;
    bool full = false;
  };

  bool take(ImGuiIO& io, const TimedEvent& timed, std::vector<std::string>& dropped);
  bool take_button(ImGuiIO& io, const MouseButton& button, double seconds);
  bool take_key(ImGuiIO& io, const KeyChange& key);
  void note_alt(ImGuiIO& io, const KeyChange& key);
  int modifiers_after(const KeyChange& change);
  bool is_in_field(const ImGuiIO& io, const KeyChange& change) const;

  std::deque<TimedEvent> events_;
  Fed fed_;
  int held_ = 0;            // modifier keys that are down: bits by key code, from keys::kLeftShift
  int frames_of_text_ = 0;  // since the last change that may have moved the keyboard focus
  int frames_since_press_ = 2;  // since the last key press or button release
  bool alt_alone_ = false;      // Alt is down, and no other event followed
  bool menu_key_is_down_ = false;
  std::array<double, kMouseButtonCount> pressed_at_ = {-1e9, -1e9, -1e9, -1e9, -1e9};
};

std::string key_name(int key);  // "Page Up", "F1", "Z"

struct KeyPress {
  int key = 0;                                 // key code
  int mods = 0;                                // modifiers held with it
  std::vector<std::pair<int, int>> modifiers;  // in order, each with all then held
  unsigned character = 0;                      // typed by it; 0: none
};

// Press of the keys of that name: "Ctrl+Shift+Z", "Enter", "["; nothing if a part names no key.
std::optional<KeyPress> key_press(std::string_view text);

}  // namespace attn::gui
