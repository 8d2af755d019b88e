// The operating system's window and its OpenGL context, through GLFW.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "export/export.h"
#include "gui/platform/graphics.h"
#include "gui/platform/input_queue.h"
#include "session/state.h"

struct GLFWwindow;

namespace attn::gui {

struct WindowOptions {
  std::string title = "AttnScope";
  int width = 1400, height = 900;    // screen coordinates
  double scale = 0.0;                // > 0: width and height are multiplied by it; 0: scale of the
                                     // display
  bool fits_screen = false;          // limited to the screen's work area
  std::optional<WindowPlace> place;  // replaces width, height and scale if a screen shows it
  bool visible = true;
};

// A window that ImGui draws into. UI thread only; at most one at a time.
class Window {
 public:
  // NoDisplay, with reason and hint, when there is no display or no OpenGL 3.2.
  static Result<std::unique_ptr<Window>> open(const WindowOptions& options);
  ~Window();
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  Graphics& graphics();
  InputQueue& input();

  // Collects events; with `wait`, blocks until the first one, at most `timeout_seconds`.
  void collect_events(bool wait, double timeout_seconds);
  // True if the system requests a frame, as after a change of size.
  bool wants_frame() const;
  // Ends a wait. Thread-safe.
  static void wake();

  // Runs one frame around `draw`: feeds the input queue, presents the result, ends the frame of
  // graphics(). Dropped files are returned by take_dropped_files().
  void frame(const std::function<void()>& draw);
  std::vector<std::string> take_dropped_files();

  // True once after the user requested to close the window.
  bool take_close_request();
  bool take_focus_gain();        // the user returned from another program
  double content_scale() const;  // 2 on a display with twice the density
  bool take_scale_change();      // the fonts must be rebuilt
  void rebuild_fonts_texture();  // call after the font atlas was filled again, between frames
  WindowPlace place() const;     // in screen coordinates; on the whole screen, that before it
  void fill_screen(bool whole);  // the one with most of the window, or back to where it was
  void set_title(const std::string& title);
  Raster read_pixels() const;  // of the last frame

  // Names and values of the graphics driver in the order to show, without unknown ones.
  std::vector<std::pair<std::string, std::string>> graphics_description() const;

 private:
  Window();
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace attn::gui
