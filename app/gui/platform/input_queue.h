// Input events in a queue of our own: at most one button or key change reaches ImGui per frame, so
// a fast click is never lost between two frames. Keys of letters typed into a text field, which
// reads the characters alone, do not count. Windows, scripts and tests push into the same queue.
#pragma once

#include <imgui.h>

#include <deque>
#include <string>
#include <utility>
#include <variant>
#include <vector>

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
// GLFW key codes, which ImGui 1.86 with our key map uses too. `mods` as bits of GLFW.
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
  void push(InputEvent event) { events_.push_back(std::move(event)); }
  bool empty() const { return events_.empty(); }

  // Moves events into `io` up to and including the first button or key change (consecutive moves
  // merge). A button change waits for the frame after a move, so that what is under
  // the pointer was drawn hovered before. Letters typed into a field share a frame; what comes
  // after them waits for the next one. Dropped files are appended to `dropped`.
  void feed(ImGuiIO& io, std::vector<std::string>& dropped);

 private:
  int modifiers_after(const KeyChange& change);
  bool only_types(const ImGuiIO& io, const KeyChange& change) const;

  std::deque<InputEvent> events_;
  int held_ = 0;  // modifier keys that are down: bits by key code from keys::kLeftShift on
  int frames_of_text_ = 0;  // since the last change that may have moved the keyboard elsewhere
};

}  // namespace attn::gui
