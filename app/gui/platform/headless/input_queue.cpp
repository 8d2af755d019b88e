#include "gui/platform/input_queue.h"

#include "gui/platform/imgui_compat.h"

namespace attn::gui {
namespace {

bool is_modifier(int key) { return key >= keys::kLeftShift && key <= keys::kRightSuper; }

// Left and right keys of one modifier are four codes apart, in the order of the modifier bits.
int modifiers_of(int held) { return (held | (held >> 4)) & 0xF; }

}  // namespace

int InputQueue::modifiers_after(const KeyChange& change) {
  if (is_modifier(change.key)) {
    const int bit = 1 << (change.key - keys::kLeftShift);
    held_ = change.down ? held_ | bit : held_ & ~bit;
    return modifiers_of(held_);
  }
  return modifiers_of(held_) | (change.down ? change.mods & 0xF : 0);
}

void InputQueue::feed(ImGuiIO& io, std::vector<std::string>& dropped) {
  bool moved = false, scrolled = false, full = false;
  while (!full && !events_.empty()) {
    const InputEvent& event = events_.front();
    if (const auto* move = std::get_if<MouseMove>(&event)) {
      if (scrolled) return;
      put_mouse_position(io, move->x, move->y);
      moved = true;
    } else if (const auto* button = std::get_if<MouseButton>(&event)) {
      if (moved) return;
      put_mouse_button(io, button->button, button->down);
      full = true;
    } else if (const auto* wheel = std::get_if<MouseWheel>(&event)) {
      put_mouse_wheel(io, wheel->dx, wheel->dy);
      scrolled = true;
    } else if (const auto* key = std::get_if<KeyChange>(&event)) {
      put_key(io, key->key, key->down);
      put_modifiers(io, modifiers_after(*key));
      full = true;
    } else if (const auto* text = std::get_if<TextInput>(&event)) {
      put_character(io, text->code_point);
    } else if (const auto* drop = std::get_if<FilesDropped>(&event)) {
      dropped.insert(dropped.end(), drop->paths.begin(), drop->paths.end());
    } else if (const auto* focus = std::get_if<FocusChange>(&event)) {
      put_focus(io, focus->focused);
      held_ = 0;
    }
    events_.pop_front();
  }
}

}  // namespace attn::gui
