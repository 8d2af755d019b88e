// Context of every widget and panel: fonts, colours, label textures, and the queue of commands.
#pragma once

#include <imgui.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "figure/colormap.h"
#include "gui/platform/fonts.h"
#include "gui/platform/graphics.h"
#include "gui/ui/focus.h"
#include "gui/ui/label_cache.h"
#include "gui/ui/probe.h"
#include "gui/ui/style.h"
#include "gui/ui/text_edit.h"
#include "session/command_list.h"

namespace attn::gui {

// Target of the context menu.
enum class ContextKind { Plot, Tokens, Inputs, Stages, Inspector, Tab, Rules };

// Lives as long as one window. Panels read the state, draw, and send commands; they change nothing
// else.
struct Ui {
  Graphics& graphics;
  LabelCache& labels;
  Fonts fonts;
  ThemeKind theme = ThemeKind::Dark;
  float scale = 1.0F;              // pixels per unit
  Probe* probe = nullptr;          // null outside tests and scripts
  std::vector<Command> commands;   // sent in this frame, applied after it
  std::uint64_t next_gesture = 1;  // merges the edits of one drag
  TextEdit text_edit{};            // of the field with the keyboard
  FocusOrder focus{};              // all controls, for Tab and F6
  // Longest time that the loop waits for events; reset before each frame.
  double redraw_seconds = std::numeric_limits<double>::infinity();
  int plain_keys_frame = -2;  // last frame in which a widget used letters, digits and arrows
  int live_frame = -2;        // last frame in which a field applied what is typed at once
  bool closes_menu = false;   // Esc closes a menu in this frame, and nothing else
  int arrow_keys_frame = -2;  // last frame in which a widget used arrows only

  std::uint64_t field_gesture = 0;  // drag that changed a number in this frame; 0: typed

  ContextKind context = ContextKind::Plot;
  bool context_requested = false;  // since the last frame

  std::vector<std::string> requested{};  // controls, by name
  int frame_of_request = 0;
  // Presses these controls, or gives them the keyboard, once the next frames draw them: an action
  // that begins in a panel.
  void request(std::vector<std::string> controls) {
    requested = std::move(controls);
    frame_of_request = ImGui::GetFrameCount();
    redraw_within(0.0);
  }
  // Called by each control.
  bool take_request(std::string_view name) {
    constexpr int kFrames = 10;  // a side unfolds, a tab opens
    const int passed = requested.empty() ? 0 : ImGui::GetFrameCount() - frame_of_request;
    if (passed < 1 || passed > kFrames || std::erase(requested, name) == 0) return false;
    redraw_within(0.0);
    return true;
  }

  // Opens the context menu at the item drawn last, after a release of the right button there.
  void request_context(ContextKind kind) {
    context = kind;
    context_requested = true;
  }
  void send(Command command) { commands.push_back(std::move(command)); }
  std::uint64_t new_gesture() { return next_gesture++; }
  // Called by a focused spreadsheet, which reads digits, arrows and Delete: shortcuts without a
  // modifier are disabled. Before the widgets of a frame are drawn, plain_keys_taken() reports the
  // last frame.
  void take_plain_keys() { plain_keys_frame = ImGui::GetFrameCount(); }
  // Called by a field whose text is applied as it is typed, so that nothing in it can be lost.
  void take_live_typing() { live_frame = ImGui::GetFrameCount(); }
  bool types_live() const { return live_frame >= ImGui::GetFrameCount() - 1; }
  bool plain_keys_taken() const {
    return ImGui::GetIO().WantTextInput || plain_keys_frame >= ImGui::GetFrameCount() - 1;
  }
  const UiColors& colors() const { return ui_colors(theme); }
  float px(float units) const { return units * scale; }
  ImVec2 px(float x, float y) const { return ImVec2(x * scale, y * scale); }
  // Width of a line that is visible on screens of low density too.
  float line_px(float units) const { return std::max(1.0F, px(units)); }
  // Size as in LabelCache, at this scale, in the current window.
  ImVec2 line_size(std::string_view text, const FontStyle& font) const {
    return labels.line_size(text, font, scale);
  }
  void draw_line(std::string_view text, ImVec2 at, const FontStyle& font, Color color) const {
    labels.draw_line(*ImGui::GetWindowDrawList(), text, at, font, color, scale);
  }
  // Draws in the interface's own font.
  void draw_text(std::string_view text, ImVec2 at, Color color) const {
    ImGui::GetWindowDrawList()->AddText(at, IM_COL32(color.r, color.g, color.b, color.a),
                                        text.data(), text.data() + text.size());
  }
  // Called by a list that is navigated by arrows.
  void take_arrow_keys() { arrow_keys_frame = ImGui::GetFrameCount(); }
  bool arrow_keys_taken() const {
    return plain_keys_taken() || arrow_keys_frame >= ImGui::GetFrameCount() - 1;
  }
  // Requests another frame within that time even without events, such as for a delayed tooltip.
  void redraw_within(double seconds) { redraw_seconds = std::min(redraw_seconds, seconds); }
  // Returns `words`, and records them for the probe as visible or as a possible tooltip.
  std::string_view text(Wording wording, std::string_view words) {
    if (probe != nullptr && !words.empty()) probe->record_text(wording, words);
    return words;
  }
  // Names a rectangle on the screen, and the current window, for tests and scripts.
  void mark_rect(std::string_view name, ImVec2 min, ImVec2 max, std::string_view value = {}) {
    if (probe != nullptr) probe->record_rect(name, min, max, value);
  }
  void mark_window(std::string_view name) {
    const ImVec2 min = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    mark_rect(name, min, min + size);
  }
  // Names the last ImGui item for the keyboard, tests and scripts.
  void mark(std::string_view name, std::string_view value = {}, bool enabled = true) {
    focus.record(name, value, enabled);
    if (probe != nullptr) probe->record(name, value, enabled);
  }
};

inline ImU32 to_imgui(Color c) { return IM_COL32(c.r, c.g, c.b, c.a); }
inline ImVec4 to_vec(Color c) { return ImGui::ColorConvertU32ToFloat4(to_imgui(c)); }

// Gesture without a begin or end event, such as turning a wheel.
struct Gesture {
  std::uint64_t number = 0;
  double last = -1e9;  // on ImGui's clock
};

// Number of the current gesture: a new one after a pause of half a second.
inline std::uint64_t gesture_of(Gesture& gesture, Ui& ui) {
  constexpr double kPause = 0.5;
  const double now = ImGui::GetTime();
  if (now - gesture.last > kPause) gesture.number = ui.new_gesture();
  gesture.last = now;
  return gesture.number;
}

}  // namespace attn::gui
