// The operating system's window and its OpenGL context, through GLFW.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "export/export.h"
#include "gui/platform/graphics.h"
#include "gui/platform/input_queue.h"

struct GLFWwindow;

namespace attn::gui {

// In screen coordinates; of a maximised window the rest is where it would be without.
struct WindowRect {
  int x = 0, y = 0, width = 0, height = 0;
  bool maximised = false;
};

struct WindowOptions {
  std::string title = "AttnScope";
  int width = 1400, height = 900;  // screen coordinates
  double scale = 0.0;        // > 0: the size is meant at scale 1 and brought to this one; 0: as the
                             // display has it
  bool fits_screen = false;  // it is made as small as the screen's room for windows
  std::optional<WindowRect> rect;  // instead of width, height and scale, where a screen shows it
  bool visible = true;
};

// One window with ImGui set up to draw into it. UI thread only; at most one at a time.
class Window {
 public:
  // NoDisplay when there is no display or no OpenGL 3.2, saying which and what to do.
  static Result<std::unique_ptr<Window>> open(const WindowOptions& options);
  ~Window();
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  Graphics& graphics();
  InputQueue& input();

  // Collects events; waits for the first when `wait` and none is there, at most `timeout_seconds`.
  void collect_events(bool wait, double timeout_seconds);
  // Safe from any thread: ends a wait.
  static void wake();

  // One frame around `draw`: feeds the input queue first, shows the result, ends the frame of
  // graphics(). Dropped files are handed out by take_dropped_files().
  void frame(const std::function<void()>& draw);
  std::vector<std::string> take_dropped_files();

  // True once after the user asked to close it.
  bool take_close_request();
  bool take_focus_gain();        // whoever uses it comes back from other programs
  double content_scale() const;  // 2 on a display with twice the density
  bool take_scale_change();      // fonts must be rebuilt
  void rebuild_fonts_texture();  // after the font atlas was filled anew, between frames
  WindowRect rect() const;
  void set_title(const std::string& title);
  std::string clipboard() const;
  Raster read_pixels() const;  // of the last frame
  GraphicsDescription graphics_description() const;

 private:
  Window();
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace attn::gui
