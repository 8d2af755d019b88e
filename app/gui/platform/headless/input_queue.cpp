#include "gui/platform/input_queue.h"

namespace attn::gui {
namespace {

constexpr int kModShift = 1;
constexpr int kModControl = 2;
constexpr int kModAlt = 4;
constexpr int kModSuper = 8;
constexpr int kKeyCount = 512;
constexpr int kButtonCount = 5;

// Each returns true when nothing more may follow in this frame.
bool apply(ImGuiIO& io, const MouseMove& move) {
  io.MousePos = ImVec2(move.x, move.y);
  return false;
}

bool apply(ImGuiIO& io, const MouseButton& button) {
  if (button.button >= 0 && button.button < kButtonCount) {
    io.MouseDown[button.button] = button.down;
  }
  return true;
}

bool apply(ImGuiIO& io, const MouseWheel& wheel) {
  io.MouseWheelH += wheel.dx;
  io.MouseWheel += wheel.dy;
  return false;
}

bool apply(ImGuiIO& io, const KeyChange& change) {
  if (change.key >= 0 && change.key < kKeyCount) io.KeysDown[change.key] = change.down;
  io.KeyShift = (change.mods & kModShift) != 0;
  io.KeyCtrl = (change.mods & kModControl) != 0;
  io.KeyAlt = (change.mods & kModAlt) != 0;
  io.KeySuper = (change.mods & kModSuper) != 0;
  return true;
}

bool apply(ImGuiIO& io, const TextInput& text) {
  io.AddInputCharacter(text.code_point);
  return false;
}

bool apply(ImGuiIO& io, const FocusChange& focus) {
  if (!focus.focused) {
    for (bool& down : io.KeysDown) down = false;
    for (bool& down : io.MouseDown) down = false;
    io.KeyShift = io.KeyCtrl = io.KeyAlt = io.KeySuper = false;
    io.ClearInputCharacters();
  }
  return false;
}

}  // namespace

void InputQueue::feed(ImGuiIO& io, std::vector<std::string>& dropped) {
  bool full = false;
  while (!full && !events_.empty()) {
    const InputEvent event = std::move(events_.front());
    events_.pop_front();
    if (const auto* drop = std::get_if<FilesDropped>(&event)) {
      dropped.insert(dropped.end(), drop->paths.begin(), drop->paths.end());
      continue;
    }
    full = std::visit(
        [&io](const auto& what) {
          if constexpr (std::is_same_v<std::decay_t<decltype(what)>, FilesDropped>) {
            return false;
          } else {
            return apply(io, what);
          }
        },
        event);
  }
}

}  // namespace attn::gui
