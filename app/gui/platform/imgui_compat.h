// Key codes, and a common interface to Dear ImGui 1.86 and later releases. Tested with 1.86 and
// 1.90.
#pragma once

#include <imgui.h>

#include <string>

namespace attn::gui {

// GLFW key codes, for code that does not include GLFW. Letters and digits are their ASCII capitals.
namespace keys {
inline constexpr int kSpace = 32;
inline constexpr int kComma = 44;
inline constexpr int kMinus = 45;
inline constexpr int kPeriod = 46;
inline constexpr int kSlash = 47;
inline constexpr int kEqual = 61;
inline constexpr int kLeftBracket = 91;
inline constexpr int kBackslash = 92;
inline constexpr int kRightBracket = 93;
inline constexpr int kEscape = 256;
inline constexpr int kEnter = 257;
inline constexpr int kTab = 258;
inline constexpr int kBackspace = 259;
inline constexpr int kInsert = 260;
inline constexpr int kDelete = 261;
inline constexpr int kRight = 262;
inline constexpr int kLeft = 263;
inline constexpr int kDown = 264;
inline constexpr int kUp = 265;
inline constexpr int kPageUp = 266;
inline constexpr int kPageDown = 267;
inline constexpr int kHome = 268;
inline constexpr int kEnd = 269;
inline constexpr int kF1 = 290;
inline constexpr int kMenuRow = 299;  // F10
inline constexpr int kF12 = 301;
inline constexpr int kKeypad0 = 320;
inline constexpr int kKeypadSubtract = 333;
inline constexpr int kKeypadAdd = 334;
inline constexpr int kKeypadEnter = 335;
inline constexpr int kLeftShift = 340;
inline constexpr int kLeftControl = 341;
inline constexpr int kLeftAlt = 342;
inline constexpr int kLeftSuper = 343;
inline constexpr int kRightShift = 344;
inline constexpr int kRightControl = 345;
inline constexpr int kRightAlt = 346;
inline constexpr int kRightSuper = 347;
inline constexpr int kCount = 512;
}  // namespace keys

// Bits of `KeyChange::mods`, as in GLFW.
inline constexpr int kModShift = 1;
inline constexpr int kModControl = 2;
inline constexpr int kModAlt = 4;
inline constexpr int kModSuper = 8;

inline constexpr int kMouseButtonCount = 5;

// Settings of every context, with or without a window: key map, no files written by ImGui.
void configure_imgui();

// True if the key with this GLFW code was pressed in this frame (or repeats).
bool key_pressed(int key, bool repeat = true);

// True if Enter was pressed in this frame, on the main block or the keypad.
inline bool enter_pressed(bool repeat = false) {
  return key_pressed(keys::kEnter, repeat) || key_pressed(keys::kKeypadEnter, repeat);
}

// True if the key is held down and no other key is.
bool only_key_down(int key);

// True if a menu, list or question is open.
bool is_popup_open();

// Invisible button; items drawn over it later take the pointer from it.
void overlappable_button(const char* id, ImVec2 size_px);

// Rectangle and keyboard state of a custom text field, as wide as ImGui's next item.
struct TextFieldItem {
  ImGuiID id = 0;
  ImVec2 min{0, 0}, max{0, 0};
  bool hovered = false;
  bool active = false;           // has the keyboard, unless it is cleared in this frame
  bool focus_requested = false;  // by Tab or ImGui::SetKeyboardFocusHere()
};
// `height_px` 0: one line.
TextFieldItem text_field_item(const char* id, float height_px = 0.0F);
// Text typed since the last frame and not yet read, as UTF-8; clears ImGui's queue. Letters with
// Ctrl or Alt are shortcuts and left out; AltGr arrives as both and is text.
std::string take_typed_text();
// Keeps ImGui from handling Tab in this frame. Call before any item is drawn.
void take_tab();
// Activates an item in the next frame, as a click would; a text field gets the keyboard.
void press_item(ImGuiID id, bool text_field);

// Call in every frame in which a field keeps the keyboard: disables shortcuts, and lets the next
// click act at once.
void keep_text_input();

// Raw input for the coming frame.
void put_mouse_position(ImGuiIO& io, float x, float y);
void put_mouse_button(ImGuiIO& io, int button, bool down);
void put_mouse_wheel(ImGuiIO& io, float dx, float dy);
void put_key(ImGuiIO& io, int key, bool down);
void put_modifiers(ImGuiIO& io, int mods);
void put_character(ImGuiIO& io, unsigned code_point);
void put_focus(ImGuiIO& io, bool focused);

}  // namespace attn::gui
