// Implementation of the differences between ImGui 1.86 and later releases.
#include "gui/platform/imgui_compat.h"

#include <imgui_internal.h>

#include <cfloat>
#include <utility>

#include "base/utf8.h"

namespace attn::gui {

#if IMGUI_VERSION_NUM < 18700

namespace {

constexpr std::pair<ImGuiKey_, int> kKeyMap[] = {
    {ImGuiKey_Tab, keys::kTab},
    {ImGuiKey_LeftArrow, keys::kLeft},
    {ImGuiKey_RightArrow, keys::kRight},
    {ImGuiKey_UpArrow, keys::kUp},
    {ImGuiKey_DownArrow, keys::kDown},
    {ImGuiKey_PageUp, keys::kPageUp},
    {ImGuiKey_PageDown, keys::kPageDown},
    {ImGuiKey_Home, keys::kHome},
    {ImGuiKey_End, keys::kEnd},
    {ImGuiKey_Insert, keys::kInsert},
    {ImGuiKey_Delete, keys::kDelete},
    {ImGuiKey_Backspace, keys::kBackspace},
    {ImGuiKey_Space, keys::kSpace},
    {ImGuiKey_Enter, keys::kEnter},
    {ImGuiKey_Escape, keys::kEscape},
    {ImGuiKey_KeyPadEnter, keys::kKeypadEnter},
    {ImGuiKey_A, 'A'},
    {ImGuiKey_C, 'C'},
    {ImGuiKey_V, 'V'},
    {ImGuiKey_X, 'X'},
    {ImGuiKey_Y, 'Y'},
    {ImGuiKey_Z, 'Z'},
};

void configure_input(ImGuiIO& io) {
  for (const auto& [name, key] : kKeyMap) io.KeyMap[name] = key;
}

}  // namespace

bool key_pressed(int key, bool repeat) { return ImGui::IsKeyPressed(key, repeat); }

bool only_key_down(int key) {
  const bool* const down = ImGui::GetIO().KeysDown;
  for (int other = 0; other < keys::kCount; ++other) {
    if (other != key && down[other]) return false;
  }
  return down[key];
}

void overlappable_button(const char* id, ImVec2 size_px) {
  ImGui::InvisibleButton(id, size_px,
                         static_cast<ImGuiButtonFlags>(ImGuiButtonFlags_AllowItemOverlap));
  ImGui::SetItemAllowOverlap();
}

void put_mouse_position(ImGuiIO& io, float x, float y) { io.MousePos = ImVec2(x, y); }

void put_mouse_button(ImGuiIO& io, int button, bool down) {
  if (button >= 0 && button < kMouseButtonCount) io.MouseDown[button] = down;
}

void put_mouse_wheel(ImGuiIO& io, float dx, float dy) {
  io.MouseWheelH += dx;
  io.MouseWheel += dy;
}

void put_key(ImGuiIO& io, int key, bool down) {
  if (key >= 0 && key < keys::kCount) io.KeysDown[key] = down;
}

void put_modifiers(ImGuiIO& io, int mods) {
  io.KeyShift = (mods & kModShift) != 0;
  io.KeyCtrl = (mods & kModControl) != 0;
  io.KeyAlt = (mods & kModAlt) != 0;
  io.KeySuper = (mods & kModSuper) != 0;
}

void put_focus(ImGuiIO& io, bool focused) {
  if (focused) return;
  for (bool& down : io.KeysDown) down = false;
  for (bool& down : io.MouseDown) down = false;
  put_modifiers(io, 0);
  io.ClearInputCharacters();
}

#else

namespace {

// InputQueue already spreads events over frames; ImGui's own queue would also delay letters.
void configure_input(ImGuiIO& io) { io.ConfigInputTrickleEventQueue = false; }

constexpr std::pair<int, ImGuiKey> kNamedKeys[] = {{keys::kSpace, ImGuiKey_Space},
                                                   {keys::kComma, ImGuiKey_Comma},
                                                   {keys::kMinus, ImGuiKey_Minus},
                                                   {keys::kPeriod, ImGuiKey_Period},
                                                   {keys::kSlash, ImGuiKey_Slash},
                                                   {keys::kEqual, ImGuiKey_Equal},
                                                   {keys::kLeftBracket, ImGuiKey_LeftBracket},
                                                   {keys::kBackslash, ImGuiKey_Backslash},
                                                   {keys::kRightBracket, ImGuiKey_RightBracket},
                                                   {keys::kEscape, ImGuiKey_Escape},
                                                   {keys::kEnter, ImGuiKey_Enter},
                                                   {keys::kTab, ImGuiKey_Tab},
                                                   {keys::kBackspace, ImGuiKey_Backspace},
                                                   {keys::kInsert, ImGuiKey_Insert},
                                                   {keys::kDelete, ImGuiKey_Delete},
                                                   {keys::kRight, ImGuiKey_RightArrow},
                                                   {keys::kLeft, ImGuiKey_LeftArrow},
                                                   {keys::kDown, ImGuiKey_DownArrow},
                                                   {keys::kUp, ImGuiKey_UpArrow},
                                                   {keys::kPageUp, ImGuiKey_PageUp},
                                                   {keys::kPageDown, ImGuiKey_PageDown},
                                                   {keys::kHome, ImGuiKey_Home},
                                                   {keys::kEnd, ImGuiKey_End},
                                                   {keys::kKeypadEnter, ImGuiKey_KeypadEnter},
                                                   {keys::kKeypadAdd, ImGuiKey_KeypadAdd},
                                                   {keys::kKeypadSubtract, ImGuiKey_KeypadSubtract},
                                                   {keys::kLeftShift, ImGuiKey_LeftShift},
                                                   {keys::kLeftControl, ImGuiKey_LeftCtrl},
                                                   {keys::kLeftAlt, ImGuiKey_LeftAlt},
                                                   {keys::kLeftSuper, ImGuiKey_LeftSuper},
                                                   {keys::kRightShift, ImGuiKey_RightShift},
                                                   {keys::kRightControl, ImGuiKey_RightCtrl},
                                                   {keys::kRightAlt, ImGuiKey_RightAlt},
                                                   {keys::kRightSuper, ImGuiKey_RightSuper}};

ImGuiKey named_key(int key) {
  if (key >= 'A' && key <= 'Z') return ImGuiKey(ImGuiKey_A + (key - 'A'));
  if (key >= '0' && key <= '9') return ImGuiKey(ImGuiKey_0 + (key - '0'));
  if (key >= keys::kF1 && key <= keys::kF12) return ImGuiKey(ImGuiKey_F1 + (key - keys::kF1));
  if (key >= keys::kKeypad0 && key < keys::kKeypad0 + 10) {
    return ImGuiKey(ImGuiKey_Keypad0 + (key - keys::kKeypad0));
  }
  for (const auto& [known, name] : kNamedKeys) {
    if (known == key) return name;
  }
  return ImGuiKey_None;
}

}  // namespace

bool key_pressed(int key, bool repeat) { return ImGui::IsKeyPressed(named_key(key), repeat); }

bool only_key_down(int key) {
  for (int other = ImGuiKey_Tab; other <= ImGuiKey_KeypadEqual; ++other) {
    if (other != named_key(key) && ImGui::IsKeyDown(ImGuiKey(other))) return false;
  }
  return ImGui::IsKeyDown(named_key(key));
}

void overlappable_button(const char* id, ImVec2 size_px) {
  ImGui::SetNextItemAllowOverlap();
  ImGui::InvisibleButton(id, size_px);
}

void put_mouse_position(ImGuiIO& io, float x, float y) { io.AddMousePosEvent(x, y); }

void put_mouse_button(ImGuiIO& io, int button, bool down) {
  if (button >= 0 && button < kMouseButtonCount) io.AddMouseButtonEvent(button, down);
}

void put_mouse_wheel(ImGuiIO& io, float dx, float dy) { io.AddMouseWheelEvent(dx, dy); }

void put_key(ImGuiIO& io, int key, bool down) {
  const ImGuiKey named = named_key(key);
  if (named != ImGuiKey_None) io.AddKeyEvent(named, down);
}

void put_modifiers(ImGuiIO& io, int mods) {
#if IMGUI_VERSION_NUM < 18900
  constexpr ImGuiKey kNames[] = {ImGuiKey_ModShift, ImGuiKey_ModCtrl, ImGuiKey_ModAlt,
                                 ImGuiKey_ModSuper};
#else
  constexpr ImGuiKey kNames[] = {ImGuiMod_Shift, ImGuiMod_Ctrl, ImGuiMod_Alt, ImGuiMod_Super};
#endif
  for (int bit = 0; bit < 4; ++bit) io.AddKeyEvent(kNames[bit], ((mods >> bit) & 1) != 0);
}

void put_focus(ImGuiIO& io, bool focused) { io.AddFocusEvent(focused); }

#endif

namespace {

bool focus_was_requested(ImGuiID id) {
  const ImGuiContext& g = *ImGui::GetCurrentContext();
#if IMGUI_VERSION_NUM < 18700
  const bool by_tab = (g.LastItemData.StatusFlags & ImGuiItemStatusFlags_FocusedByTabbing) != 0;
  return by_tab || g.NavActivateInputId == id;
#else
  return g.NavActivateId == id && (g.NavActivateFlags & ImGuiActivateFlags_PreferInput) != 0;
#endif
}

}  // namespace

TextFieldItem text_field_item(const char* id, float height_px) {
  TextFieldItem item;
  const ImVec2 size(ImGui::CalcItemWidth(), height_px > 0.0F ? height_px : ImGui::GetFrameHeight());
  item.id = ImGui::GetID(id);
  item.min = ImGui::GetCursorScreenPos();
  item.max = ImVec2(item.min.x + size.x, item.min.y + size.y);
  const ImRect box(item.min, item.max);
  ImGui::ItemSize(size, ImGui::GetStyle().FramePadding.y);
  item.active = ImGui::GetCurrentContext()->ActiveId == item.id;
  if (!ImGui::ItemAdd(box, item.id, nullptr, ImGuiItemFlags_Inputable)) return item;
#if IMGUI_VERSION_NUM < 18940
  item.hovered = ImGui::ItemHoverable(box, item.id);
#else
  item.hovered = ImGui::ItemHoverable(box, item.id, ImGuiItemFlags_Inputable);
#endif
  item.focus_requested = focus_was_requested(item.id);
  return item;
}

bool is_popup_open() {
  return ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
}

void take_tab() { ImGui::NavMoveRequestCancel(); }

void press_item(ImGuiID id, bool text_field) {
  ImGuiContext& g = *ImGui::GetCurrentContext();
  g.NavNextActivateId = id;
  g.NavNextActivateFlags = text_field ? ImGuiActivateFlags_PreferInput : ImGuiActivateFlags_None;
}

// Bypasses the event queue of later releases, which would reorder surrogate pairs. With 16-bit
// characters ImGui drops code points above U+FFFF, so they are stored as pairs; take_typed_text()
// joins them.
void put_character(ImGuiIO& io, unsigned code_point) {
  const auto put = [&io](unsigned unit) {
    io.InputQueueCharacters.push_back(static_cast<ImWchar>(unit));
  };
  if (code_point == 0 || code_point > 0x10FFFF) return;
  if (sizeof(ImWchar) == 2 && code_point > 0xFFFF) {
    put(0xD800 + ((code_point - 0x10000) >> 10U));
    put(0xDC00 + (code_point & 0x3FFU));
  } else {
    put(code_point);
  }
}

std::string take_typed_text() {
  ImGuiIO& io = ImGui::GetIO();
  std::string text;
  unsigned high = 0;
  for (const ImWchar unit : io.InputQueueCharacters) {
    const auto c = static_cast<unsigned>(unit);
    const bool second_half = c >= 0xDC00 && c < 0xE000;
    if (second_half && high != 0) {
      append_utf8(text, 0x10000 + ((high - 0xD800) << 10U) + (c - 0xDC00));
    } else if (c >= 0x20 && c != 0x7F && (c < 0xD800 || c >= 0xE000)) {
      append_utf8(text, c);
    }
    high = c >= 0xD800 && c < 0xDC00 ? c : 0;
  }
  io.InputQueueCharacters.resize(0);
  return io.KeyCtrl == io.KeyAlt ? text : "";
}

void keep_text_input() {
  ImGuiContext& g = *ImGui::GetCurrentContext();
  g.WantTextInputNextFrame = 1;
  g.ActiveIdAllowOverlap = !g.IO.MouseDown[0];
}

void configure_imgui() {
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.LogFilename = nullptr;
  io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
  io.ConfigWindowsMoveFromTitleBarOnly = true;
  io.ConfigInputTextCursorBlink = false;  // no animation while idle
  configure_input(io);
  put_mouse_position(io, -FLT_MAX, -FLT_MAX);
}

}  // namespace attn::gui
