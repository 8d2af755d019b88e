// The loop of the window without a window: the whole program draws frames, and the CPU time of each
// is measured.
#pragma once

#include <imgui.h>

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "gui/platform/input_queue.h"
#include "gui/shell/app.h"
#include "gui/shell/glyph_needs.h"
#include "gui/ui/context.h"
#include "gui/ui/probe.h"
#include "support/null_graphics.h"

namespace attn::gui {

// One at a time in a process.
class FrameLoop {
 public:
  FrameLoop();
  ~FrameLoop();
  FrameLoop(const FrameLoop&) = delete;
  FrameLoop& operator=(const FrameLoop&) = delete;

  App& app() { return app_; }
  void push(InputEvent event) { input_.push(std::move(event)); }

  // Seconds of this thread's CPU time for one frame: results of jobs, input, drawing, and the
  // commands that follow. Without calls to the graphics card.
  double frame();

  // Draws frames until nothing is computed and the last result is drawn; false after `seconds`.
  bool settle(double seconds);

  // Registers the widgets of each following frame by name.
  void name_widgets() { ui_.probe = &probe_; }
  void forget_names() { probe_ = {}; }
  const Probe& probe() const { return probe_; }

  // Frees the drawing buffers of ImGui's windows, whose size depends on which windows were large
  // once.
  void forget_drawing();

  void resize(ImVec2 pixels);

  // True if the window has received all input.
  bool is_fed() const { return input_.empty(); }

  std::size_t live_textures() const { return graphics_.live_textures(); }

  // The middle of a widget in a frame that is drawn for it.
  ImVec2 centre_of(std::string_view name);

 private:
  void draw();

  ImFontAtlas atlas_;
  Fonts fonts_;
  ImGuiContext* context_;
  NullGraphics graphics_;
  LabelCache labels_;
  InputQueue input_;
  Probe probe_;
  App app_;
  GlyphNeeds glyphs_;
  Ui ui_;
  std::string title_;
  std::vector<std::string> dropped_;
};

}  // namespace attn::gui
