// Runs frames of the interface without window or graphics card: draw, point, click, type, look.
#pragma once

#include <imgui.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gui/platform/input_queue.h"
#include "gui/ui/context.h"
#include "gui/ui/probe.h"
#include "support/null_graphics.h"

namespace attn::test {

struct HarnessOptions {
  float width = 1280.0F, height = 800.0F;  // pixels
  float scale = 1.0F;
  ThemeKind theme = ThemeKind::Dark;
  bool host_window = true;  // draw inside one window that fills the screen
};

// One at a time. All input goes through the same queue as a window's. A widget that an action names
// must be on screen, otherwise the action fails the test and does nothing.
class UiHarness {
 public:
  using Draw = std::function<void(gui::Ui&)>;

  explicit UiHarness(const HarnessOptions& options = {});
  ~UiHarness();
  UiHarness(const UiHarness&) = delete;
  UiHarness& operator=(const UiHarness&) = delete;

  // Draws one frame and remembers what to draw in those that actions need.
  void frame(const Draw& draw);
  // Frames of what was last drawn; an action already draws until its input has arrived and shown.
  void frames(int count = 1);

  void hover(std::string_view name);
  void hover_at(ImVec2 pixel);
  void click(std::string_view name, int button = 0);
  void click_at(ImVec2 pixel, int button = 0);
  void double_click(std::string_view name);
  void shift_click(std::string_view name);
  // Presses at the widget's centre, moves by (dx, dy) pixels in `steps`, releases.
  void drag(std::string_view name, float dx, float dy, int steps = 4);
  void press(std::string_view name);
  void move_by(float dx, float dy);
  void release();
  void wheel(std::string_view name, float notches);
  void type(std::string_view text);     // UTF-8
  void key(std::string_view shortcut);  // "Ctrl+Shift+Z", "Enter", "F1", "["
  void hold(std::string_view modifier);
  void let_go(std::string_view modifier);
  void drop(std::vector<std::string> paths);
  void push(gui::InputEvent event) { input.push(std::move(event)); }

  // Widgets as the last frame drew them.
  bool shows(std::string_view name) const { return find(name).has_value(); }
  std::optional<gui::ProbedWidget> find(std::string_view name) const;
  std::string value(std::string_view name) const;  // fails the test when it is not there
  bool enabled(std::string_view name) const;
  std::vector<std::string> names(std::string_view prefix = {}) const;

  // The control with a visible focus of the keyboard; empty without one.
  std::string focused() const { return ui_.focus.focused(); }

  // Frame in which an action last opened controls of panels.
  int frame_of_request() const { return ui_.frame_of_request; }

  // Commands in the order they were sent. `on_command` sees each after its frame.
  std::vector<Command> sent;
  std::function<void(const Command&)> on_command;
  std::function<void()> after_frame;  // when it is rendered, before its commands are seen
  template <class T>
  std::size_t count() const {
    std::size_t n = 0;
    for (const Command& command : sent) n += command.get_if<T>() != nullptr ? 1U : 0U;
    return n;
  }
  // The newest command of a kind, or null.
  template <class T>
  const T* last() const {
    for (auto command = sent.rbegin(); command != sent.rend(); ++command) {
      if (const T* found = command->get_if<T>()) return found;
    }
    return nullptr;
  }

  const ImDrawData& draw_data() const { return *ImGui::GetDrawData(); }
  std::vector<std::string> take_dropped_files();
  std::string clipboard;

  gui::NullGraphics graphics;
  gui::InputQueue input;
  gui::Probe probe;

 private:
  void one_frame();
  void settle();
  std::optional<ImVec2> centre(std::string_view name) const;

  HarnessOptions options_;
  ImGuiContext* context_;
  gui::LabelCache labels_;
  gui::Ui ui_;
  Draw draw_;
  std::vector<std::string> dropped_;
  ImVec2 pointer_{0, 0};
  int held_ = 0;
};

}  // namespace attn::test
