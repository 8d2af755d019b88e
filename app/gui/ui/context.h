// What every widget and panel is handed: fonts, colours, label textures, where commands go.
#pragma once

#include <imgui.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "figure/theme.h"
#include "gui/platform/fonts.h"
#include "gui/platform/graphics.h"
#include "gui/ui/focus.h"
#include "gui/ui/label_cache.h"
#include "gui/ui/probe.h"
#include "gui/ui/text_edit.h"
#include "session/command_list.h"

namespace attn::gui {

// What a menu of the right button is about.
enum class ContextKind { Plot, Tokens, Inputs, Stages, Inspector, Tab };

// Lives for one window. Panels read the state, draw, and send commands; they change nothing else.
struct Ui {
  Graphics& graphics;
  LabelCache& labels;
  Fonts fonts;
  ThemeKind theme = ThemeKind::Dark;
  float scale = 1.0F;              // pixels per unit
  Probe* probe = nullptr;          // null outside tests and scripts
  std::vector<Command> commands;   // sent this frame, applied after it
  std::uint64_t next_gesture = 1;  // for edits that a drag merges
  TextEdit text_edit{};            // of the field that has the keyboard
  FocusOrder focus{};              // of all controls, for Tab and F6
  // The loop waits for events at most this long, and resets it before each frame.
  double redraw_seconds = std::numeric_limits<double>::infinity();
  int plain_keys_frame = -2;  // when a widget last wanted letters, digits and arrows itself
  int arrow_keys_frame = -2;  // when one last wanted arrows alone

  std::uint64_t field_gesture = 0;  // of the drag that changed a number in this frame; 0: typed

  ContextKind context = ContextKind::Plot;
  bool context_asked = false;  // since the last frame

  // Asks for the menu of the right button, where it went up over what was drawn last.
  void ask_context(ContextKind kind) {
    context = kind;
    context_asked = true;
  }
  void send(Command command) { commands.push_back(std::move(command)); }
  std::uint64_t new_gesture() { return next_gesture++; }
  // A focused spreadsheet reads digits, arrows, Delete: shortcuts without a modifier must then
  // rest. Asked before the widgets of this frame are drawn, the answer is that of the last frame.
  void take_plain_keys() { plain_keys_frame = ImGui::GetFrameCount(); }
  bool plain_keys_taken() const {
    return ImGui::GetIO().WantTextInput || plain_keys_frame >= ImGui::GetFrameCount() - 1;
  }
  const FigureTheme& colors() const { return figure_theme(theme); }
  float px(float units) const { return units * scale; }
  // The same of a list whose rows arrows walk.
  void take_arrow_keys() { arrow_keys_frame = ImGui::GetFrameCount(); }
  bool arrow_keys_taken() const {
    return plain_keys_taken() || arrow_keys_frame >= ImGui::GetFrameCount() - 1;
  }
  // Asks for another frame within that time although nothing happens (a tooltip after a delay).
  void redraw_within(double seconds) { redraw_seconds = std::min(redraw_seconds, seconds); }
  // The words themselves. Notes that they are in view, or a tooltip's that could be.
  std::string_view say(Wording wording, std::string_view words) {
    if (probe != nullptr && !words.empty()) probe->say(wording, words);
    return words;
  }
  // Names the last ImGui item: for the keyboard, tests and scripts.
  void mark(std::string_view name, std::string_view value = {}, bool enabled = true) {
    focus.record(name, value, enabled);
    if (probe != nullptr) probe->record(name, value, enabled);
  }
};

// Puts a prefix before the probe names recorded as long as it lives.
class ProbePrefix {
 public:
  ProbePrefix(const Ui& ui, std::string prefix) : probe_(ui.probe) {
    if (probe_ != nullptr) probe_->set_prefix(std::move(prefix));
  }
  ~ProbePrefix() {
    if (probe_ != nullptr) probe_->set_prefix("");
  }
  ProbePrefix(const ProbePrefix&) = delete;
  ProbePrefix& operator=(const ProbePrefix&) = delete;

 private:
  Probe* probe_;
};

inline ImU32 to_imgui(Color c) { return IM_COL32(c.r, c.g, c.b, c.a); }
inline ImVec4 to_vec(Color c, float opacity = 1.0F) {
  ImVec4 color = ImGui::ColorConvertU32ToFloat4(to_imgui(c));
  color.w *= opacity;
  return color;
}

// A gesture without beginning or end, such as turning a wheel, as long as it goes on.
struct Gesture {
  std::uint64_t number = 0;
  double last = -1e9;  // seconds of ImGui's clock
};

// The gesture of what is done now: that of what was done less than half a second ago, else a new
// one.
inline std::uint64_t gesture_of(Gesture& gesture, Ui& ui) {
  constexpr double kPause = 0.5;
  const double now = ImGui::GetTime();
  if (now - gesture.last > kPause) gesture.number = ui.new_gesture();
  gesture.last = now;
  return gesture.number;
}

}  // namespace attn::gui
