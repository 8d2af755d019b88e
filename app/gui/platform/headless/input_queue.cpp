// Feeds queued input to ImGui, one press or release per frame, so that no fast click is lost.
#include "gui/platform/input_queue.h"

#include "gui/platform/imgui_compat.h"

namespace attn::gui {
namespace {

bool is_modifier(int key) { return key >= keys::kLeftShift && key <= keys::kRightSuper; }

// Left and right keys of one modifier are four codes apart, in the order of the modifier bits.
int modifiers_of(int held) { return (held | (held >> 4)) & 0xF; }

// ImGui says a frame late whether a text field has the keyboard.
constexpr int kFramesUntilKnown = 2;

bool is_printable(int key) { return key >= ' ' && key < 128; }

}  // namespace

int InputQueue::modifiers_after(const KeyChange& change) {
  if (is_modifier(change.key)) {
    const int bit = 1 << (change.key - keys::kLeftShift);
    held_ = change.down ? held_ | bit : held_ & ~bit;
    return modifiers_of(held_);
  }
  return modifiers_of(held_) | (change.down ? change.mods & 0xF : 0);
}

// A printable key without Ctrl, Alt or Super that goes into a text field as a character anyway.
bool InputQueue::only_types(const ImGuiIO& io, const KeyChange& change) const {
  const int modifiers = modifiers_of(held_) | (change.mods & 0xF);
  return io.WantTextInput && frames_of_text_ >= kFramesUntilKnown && is_printable(change.key) &&
         (modifiers & ~kModShift) == 0;
}

void InputQueue::feed(ImGuiIO& io, std::vector<std::string>& dropped) {
  bool moved = false, scrolled = false, typed = false, full = false;
  ++frames_of_text_;
  while (!full && !events_.empty()) {
    const InputEvent& event = events_.front();
    if (const auto* move = std::get_if<MouseMove>(&event)) {
      if (scrolled) return;
      put_mouse_position(io, move->x, move->y);
      moved = true;
    } else if (const auto* button = std::get_if<MouseButton>(&event)) {
      if (moved || typed) return;
      put_mouse_button(io, button->button, button->down);
      full = true;
    } else if (const auto* wheel = std::get_if<MouseWheel>(&event)) {
      put_mouse_wheel(io, wheel->dx, wheel->dy);
      scrolled = true;
    } else if (const auto* key = std::get_if<KeyChange>(&event)) {
      const bool types = only_types(io, *key);
      if (typed && !types) return;
      put_key(io, key->key, key->down);
      put_modifiers(io, modifiers_after(*key));
      (types ? typed : full) = true;
    } else if (const auto* text = std::get_if<TextInput>(&event)) {
      put_character(io, text->code_point);
      typed = true;
    } else if (const auto* drop = std::get_if<FilesDropped>(&event)) {
      dropped.insert(dropped.end(), drop->paths.begin(), drop->paths.end());
    } else if (const auto* focus = std::get_if<FocusChange>(&event)) {
      put_focus(io, focus->focused);
      held_ = 0;
    }
    events_.pop_front();
  }
  if (full) frames_of_text_ = 0;
}

}  // namespace attn::gui
