// Input events in a queue of our own: at most one button or key change reaches ImGui per frame, so
// a fast click is never lost between two frames. Windows, scripts and tests push into the same
// queue.
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
  // merge, text flows on). A button change waits for the frame after a move, so that what is under
  // the pointer was drawn hovered before. Dropped files are appended to `dropped`.
  void feed(ImGuiIO& io, std::vector<std::string>& dropped);

 private:
  int modifiers_after(const KeyChange& change);

  std::deque<InputEvent> events_;
  int held_ = 0;  // modifier keys that are down: bits by key code from keys::kLeftShift on
};

}  // namespace attn::gui
