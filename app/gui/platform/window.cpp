#include "gui/platform/window.h"

#include <GLFW/glfw3.h>

namespace attn::gui {

void Window::wake() { glfwPostEmptyEvent(); }

}  // namespace attn::gui
