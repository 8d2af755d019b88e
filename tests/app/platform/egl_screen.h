// OpenGL context without a window system, for tests of pixels.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "export/export.h"
#include "gui/platform/gl_graphics.h"

namespace attn::test {

// A framebuffer of 8-bit RGBA with ImGui's OpenGL backend. One at a time.
class EglScreen {
 public:
  // Null, with the reason in `why`, when the machine has no EGL without a window.
  static std::unique_ptr<EglScreen> open(int width, int height, std::string& why);
  ~EglScreen();
  EglScreen(const EglScreen&) = delete;
  EglScreen& operator=(const EglScreen&) = delete;

  gui::GlGraphics& graphics();
  // Draws one frame and returns its pixels.
  Raster frame(const std::function<void()>& draw);
  unsigned gl_error();

 private:
  EglScreen();
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace attn::test
