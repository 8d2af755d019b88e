// Window through GLFW: forwards its events and presents frames.
#include "gui/platform/window.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <backends/imgui_impl_opengl3.h>

#include <algorithm>
#include <array>
#include <cfloat>
#include <span>

#include "gui/platform/gl_graphics.h"
#include "gui/platform/imgui_compat.h"

namespace attn::gui {
namespace {

static_assert(keys::kSpace == GLFW_KEY_SPACE && keys::kSlash == GLFW_KEY_SLASH &&
              keys::kEscape == GLFW_KEY_ESCAPE && keys::kDelete == GLFW_KEY_DELETE &&
              keys::kUp == GLFW_KEY_UP && keys::kEnd == GLFW_KEY_END && keys::kF1 == GLFW_KEY_F1 &&
              keys::kKeypad0 == GLFW_KEY_KP_0 && keys::kKeypadEnter == GLFW_KEY_KP_ENTER &&
              keys::kLeftShift == GLFW_KEY_LEFT_SHIFT &&
              keys::kRightSuper == GLFW_KEY_RIGHT_SUPER && kModSuper == GLFW_MOD_SUPER &&
              kModControl == GLFW_MOD_CONTROL && kModShift == GLFW_MOD_SHIFT);

constexpr double kForever = 1e6;  // seconds

Error no_display(std::string message, std::string hint) {
  const char* details = nullptr;
  glfwGetError(&details);
  return {.kind = ErrorKind::NoDisplay,
          .message = std::move(message),
          .found = details != nullptr ? details : "",
          .hint = std::move(hint)};
}

GLFWcursor* standard_cursor(ImGuiMouseCursor cursor) {
  constexpr std::pair<ImGuiMouseCursor, int> kCursors[] = {
      {ImGuiMouseCursor_TextInput, GLFW_IBEAM_CURSOR},
      {ImGuiMouseCursor_ResizeNS, GLFW_VRESIZE_CURSOR},
      {ImGuiMouseCursor_ResizeEW, GLFW_HRESIZE_CURSOR},
      {ImGuiMouseCursor_Hand, GLFW_HAND_CURSOR}};
  for (const auto& [known, shape] : kCursors) {
    if (known == cursor) return glfwCreateStandardCursor(shape);
  }
  return glfwCreateStandardCursor(GLFW_ARROW_CURSOR);
}

// No change when neither window manager nor screen reports a size.
void fit_screen(int& width, int& height) {
  GLFWmonitor* monitor = glfwGetPrimaryMonitor();
  if (monitor == nullptr) return;
  int x = 0, y = 0, most_width = 0, most_height = 0;
  glfwGetMonitorWorkarea(monitor, &x, &y, &most_width, &most_height);
  if (most_width > 0) width = std::min(width, most_width);
  if (most_height > 0) height = std::min(height, most_height);
}

void set_size(GLFWwindow* window, const WindowOptions& options) {
  int width = 0, height = 0;
  glfwGetWindowSize(window, &width, &height);
  const auto [given_width, given_height] = std::pair{width, height};
  if (options.scale > 0.0) {
    width = static_cast<int>(options.width * options.scale);
    height = static_cast<int>(options.height * options.scale);
  }
  if (options.fits_screen) fit_screen(width, height);
  if (width == given_width && height == given_height) return;
  glfwSetWindowSize(window, width, height);
}

bool any_button_down(GLFWwindow* window) {
  for (int button = 0; button < kMouseButtonCount; ++button) {
    if (glfwGetMouseButton(window, button) == GLFW_PRESS) return true;
  }
  return false;
}

std::span<GLFWmonitor* const> all_screens() {
  int count = 0;
  GLFWmonitor** screens = glfwGetMonitors(&count);
  return {screens, static_cast<std::size_t>(count)};
}

// True if some screen shows enough of the upper edge to move the window by.
bool is_on_a_screen(const WindowPlace& rect) {
  constexpr int kHold = 80;
  for (GLFWmonitor* screen : all_screens()) {
    int x = 0, y = 0, width = 0, height = 0;
    glfwGetMonitorWorkarea(screen, &x, &y, &width, &height);
    const int seen = std::min(rect.x + rect.width, x + width) - std::max(rect.x, x);
    if (seen >= kHold && rect.y >= y && rect.y < y + height - kHold) return true;
  }
  return false;
}

// The screen with most of the window; null without any.
GLFWmonitor* screen_of(const WindowPlace& rect) {
  GLFWmonitor* best = glfwGetPrimaryMonitor();
  double most = 0.0;
  for (GLFWmonitor* screen : all_screens()) {
    int x = 0, y = 0, width = 0, height = 0;
    glfwGetMonitorWorkarea(screen, &x, &y, &width, &height);
    const double across = std::min(rect.x + rect.width, x + width) - std::max(rect.x, x);
    const double down = std::min(rect.y + rect.height, y + height) - std::max(rect.y, y);
    const double area = std::max(across, 0.0) * std::max(down, 0.0);
    if (area > most) best = screen;
    most = std::max(most, area);
  }
  return best;
}

}  // namespace

struct Window::Impl {
  GLFWwindow* window = nullptr;
  ImGuiContext* context = nullptr;
  bool backend = false;
  GlApi gl;
  std::unique_ptr<GlGraphics> graphics;
  InputQueue input;
  std::vector<std::string> dropped;
  bool close_requested = false, scale_changed = false, focus_gained = false, redraw = true;
  std::optional<WindowPlace> before_whole;  // while it fills the screen
  double last_time = 0.0;
  std::array<GLFWcursor*, ImGuiMouseCursor_COUNT> cursors{};

  static Impl& of(GLFWwindow* window) {
    return *static_cast<Impl*>(glfwGetWindowUserPointer(window));
  }
  void push(InputEvent event) {
    input.push(std::move(event), glfwGetTime());
    redraw = true;
  }
  void watch() {
    glfwSetCursorPosCallback(window, [](GLFWwindow* w, double x, double y) {
      of(w).push(MouseMove{static_cast<float>(x), static_cast<float>(y)});
    });
    glfwSetCursorEnterCallback(window, [](GLFWwindow* w, int entered) {
      // A drag continues outside of the window.
      if (entered == 0 && !any_button_down(w)) of(w).push(MouseMove{-FLT_MAX, -FLT_MAX});
    });
    glfwSetMouseButtonCallback(window, [](GLFWwindow* w, int button, int action, int) {
      of(w).push(MouseButton{button, action == GLFW_PRESS});
    });
    glfwSetScrollCallback(window, [](GLFWwindow* w, double dx, double dy) {
      of(w).push(MouseWheel{static_cast<float>(dx), static_cast<float>(dy)});
    });
    glfwSetKeyCallback(window, [](GLFWwindow* w, int key, int, int action, int mods) {
      // ImGui repeats held keys itself; the event only wakes it up.
      if (action == GLFW_REPEAT) {
        of(w).redraw = true;
      } else {
        of(w).push(KeyChange{key, action == GLFW_PRESS, mods});
      }
    });
    glfwSetCharCallback(window, [](GLFWwindow* w, unsigned code) { of(w).push(TextInput{code}); });
    glfwSetDropCallback(window, [](GLFWwindow* w, int count, const char** paths) {
      of(w).push(FilesDropped{std::vector<std::string>(paths, paths + count)});
    });
  }
  void watch_window() {
    glfwSetWindowFocusCallback(window, [](GLFWwindow* w, int focused) {
      of(w).push(FocusChange{focused != 0});
      if (focused != 0) of(w).focus_gained = true;
    });
    glfwSetWindowCloseCallback(window, [](GLFWwindow* w) {
      glfwSetWindowShouldClose(w, GLFW_FALSE);
      of(w).close_requested = of(w).redraw = true;
    });
    glfwSetWindowContentScaleCallback(
        window, [](GLFWwindow* w, float, float) { of(w).scale_changed = of(w).redraw = true; });
    glfwSetFramebufferSizeCallback(window, [](GLFWwindow* w, int, int) { of(w).redraw = true; });
    glfwSetWindowRefreshCallback(window, [](GLFWwindow* w) { of(w).redraw = true; });
  }
  Status start_drawing() {
    glfwMakeContextCurrent(window);
    glfwSwapInterval(1);
    const char* missing = load_gl(gl, glfwGetProcAddress);
    if (missing != nullptr) {
      return no_display(std::string("the graphics driver lacks ") + missing,
                        "update the driver, or use a subcommand that needs no window");
    }
    context = ImGui::CreateContext();
    configure_imgui();
    ImGuiIO& io = ImGui::GetIO();
    io.BackendFlags |= ImGuiBackendFlags_HasMouseCursors;
    io.ClipboardUserData = this;
    io.SetClipboardTextFn = [](void* self, const char* text) {
      glfwSetClipboardString(static_cast<Impl*>(self)->window, text);
    };
    io.GetClipboardTextFn = [](void* self) -> const char* {
      return glfwGetClipboardString(static_cast<Impl*>(self)->window);
    };
    backend = ImGui_ImplOpenGL3_Init("#version 150");
    Result<std::unique_ptr<GlGraphics>> made = GlGraphics::make(gl);
    if (!made.ok()) return made.error();
    graphics = std::move(made).value();
    return ok_status();
  }
  void begin_frame() {
    ImGuiIO& io = ImGui::GetIO();
    int width = 0, height = 0, pixel_width = 0, pixel_height = 0;
    glfwGetWindowSize(window, &width, &height);
    glfwGetFramebufferSize(window, &pixel_width, &pixel_height);
    io.DisplaySize = ImVec2(static_cast<float>(width), static_cast<float>(height));
    if (width > 0 && height > 0) {
      io.DisplayFramebufferScale =
          ImVec2(static_cast<float>(pixel_width) / static_cast<float>(width),
                 static_cast<float>(pixel_height) / static_cast<float>(height));
    }
    const double now = glfwGetTime();
    io.DeltaTime = static_cast<float>(std::max(1e-5, now - last_time));
    last_time = now;
    ImGui_ImplOpenGL3_NewFrame();
    ImGui::NewFrame();
  }
  void render() const {
    ImDrawData& data = *ImGui::GetDrawData();
    const ImVec4 background = ImGui::GetStyleColorVec4(ImGuiCol_WindowBg);
    gl.Viewport(0, 0, static_cast<int>(data.DisplaySize.x * data.FramebufferScale.x),
                static_cast<int>(data.DisplaySize.y * data.FramebufferScale.y));
    gl.ClearColor(background.x, background.y, background.z, 1.0F);
    gl.Clear(GL_COLOR_BUFFER_BIT);
    ImGui_ImplOpenGL3_RenderDrawData(&data);
  }
  void show_cursor() {
    const ImGuiMouseCursor wanted = ImGui::GetMouseCursor();
    if (wanted < 0) return;
    GLFWcursor*& cursor = cursors[static_cast<std::size_t>(wanted)];
    if (cursor == nullptr) cursor = standard_cursor(wanted);
    glfwSetCursor(window, cursor);
  }
};

Window::Window() : impl_(std::make_unique<Impl>()) {}

Window::~Window() {
  impl_->graphics.reset();
  if (impl_->backend) ImGui_ImplOpenGL3_Shutdown();
  if (impl_->context != nullptr) ImGui::DestroyContext(impl_->context);
  for (GLFWcursor* cursor : impl_->cursors) {
    if (cursor != nullptr) glfwDestroyCursor(cursor);
  }
  if (impl_->window != nullptr) glfwDestroyWindow(impl_->window);
  glfwTerminate();
}

Result<std::unique_ptr<Window>> Window::open(const WindowOptions& options) {
  constexpr const char* kElse = "use “attnscope export” or another subcommand that needs no window";
  if (glfwInit() != GLFW_TRUE) {
    return no_display("there is no display to open a window on",
                      std::string("set DISPLAY, or ") + kElse);
  }
  std::unique_ptr<Window> window(new Window());
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 2);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
  glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
  glfwWindowHint(GLFW_VISIBLE, options.visible ? GLFW_TRUE : GLFW_FALSE);
  glfwWindowHintString(GLFW_X11_CLASS_NAME, "attnscope");
  glfwWindowHintString(GLFW_X11_INSTANCE_NAME, "attnscope");
  Impl& impl = *window->impl_;
  impl.window =
      glfwCreateWindow(options.width, options.height, options.title.c_str(), nullptr, nullptr);
  if (impl.window == nullptr) {
    return no_display(
        "the display offers no OpenGL 3.2",
        std::string("install a driver, such as the package libgl1-mesa-dri, or ") + kElse);
  }
  glfwSetWindowUserPointer(impl.window, &impl);
  if (options.place && is_on_a_screen(*options.place)) {
    const WindowPlace& rect = *options.place;
    glfwSetWindowSize(impl.window, rect.width, rect.height);
    glfwSetWindowPos(impl.window, rect.x, rect.y);
    if (rect.maximised) glfwMaximizeWindow(impl.window);
  } else {
    set_size(impl.window, options);
  }
  glfwSetWindowSizeLimits(impl.window, 640, 400, GLFW_DONT_CARE, GLFW_DONT_CARE);
  impl.watch();
  impl.watch_window();
  const Status started = impl.start_drawing();
  if (!started.ok()) return started.error();
  return window;
}

WindowPlace Window::place() const {
  if (impl_->before_whole) return *impl_->before_whole;
  WindowPlace rect;
  rect.maximised = glfwGetWindowAttrib(impl_->window, GLFW_MAXIMIZED) == GLFW_TRUE;
  glfwGetWindowPos(impl_->window, &rect.x, &rect.y);
  glfwGetWindowSize(impl_->window, &rect.width, &rect.height);
  return rect;
}

void Window::fill_screen(bool whole) {
  if (whole == impl_->before_whole.has_value()) return;
  const WindowPlace rect = place();
  impl_->before_whole.reset();
  if (!whole) {
    glfwSetWindowMonitor(impl_->window, nullptr, rect.x, rect.y, rect.width, rect.height, 0);
    return;
  }
  GLFWmonitor* const monitor = screen_of(rect);
  const GLFWvidmode* const mode = monitor == nullptr ? nullptr : glfwGetVideoMode(monitor);
  if (mode == nullptr) return;
  impl_->before_whole = rect;
  glfwSetWindowMonitor(impl_->window, monitor, 0, 0, mode->width, mode->height, mode->refreshRate);
}

Graphics& Window::graphics() { return *impl_->graphics; }
InputQueue& Window::input() { return impl_->input; }

void Window::collect_events(bool wait, double timeout_seconds) {
  if (!wait || !impl_->input.empty() || impl_->redraw || timeout_seconds <= 0.0) {
    glfwPollEvents();
  } else if (timeout_seconds < kForever) {
    glfwWaitEventsTimeout(timeout_seconds);
  } else {
    glfwWaitEvents();
  }
}

bool Window::wants_frame() const { return impl_->redraw; }

void Window::wake() { glfwPostEmptyEvent(); }

void Window::frame(const std::function<void()>& draw) {
  impl_->redraw = false;
  impl_->input.feed(ImGui::GetIO(), impl_->dropped);
  impl_->begin_frame();
  draw();
  glfwPollEvents();  // gives clicks during a slow frame their own times
  ImGui::Render();
  impl_->render();
  glfwSwapBuffers(impl_->window);
  impl_->graphics->end_frame();
  impl_->show_cursor();
}

std::vector<std::string> Window::take_dropped_files() { return std::exchange(impl_->dropped, {}); }

bool Window::take_close_request() { return std::exchange(impl_->close_requested, false); }

double Window::content_scale() const {
  float x = 1.0F, y = 1.0F;
  glfwGetWindowContentScale(impl_->window, &x, &y);
  return std::max(x, y) > 0.0F ? static_cast<double>(std::max(x, y)) : 1.0;
}

bool Window::take_focus_gain() { return std::exchange(impl_->focus_gained, false); }

bool Window::take_scale_change() { return std::exchange(impl_->scale_changed, false); }

void Window::rebuild_fonts_texture() {
#if IMGUI_VERSION_NUM < 19200
  ImGui_ImplOpenGL3_DestroyFontsTexture();
  ImGui_ImplOpenGL3_CreateFontsTexture();
#endif
}

void Window::set_title(const std::string& title) {
  glfwSetWindowTitle(impl_->window, title.c_str());
}

std::vector<std::pair<std::string, std::string>> Window::graphics_description() const {
  std::vector<std::pair<std::string, std::string>> rows;
  for (const auto& [name, what] : {std::pair{"OpenGL", GLenum{GL_VERSION}},
                                   {"Renderer", GLenum{GL_RENDERER}},
                                   {"Vendor", GLenum{GL_VENDOR}}}) {
    const auto* value = reinterpret_cast<const char*>(impl_->gl.GetString(what));
    if (value != nullptr && *value != '\0') rows.emplace_back(name, value);
  }
  return rows;
}

Raster Window::read_pixels() const {
  Raster raster;
  if (ImGui::GetDrawData() == nullptr) return raster;
  // The buffer is undefined after the swap, so the frame is drawn once more.
  impl_->render();
  int width = 0, height = 0;
  glfwGetFramebufferSize(impl_->window, &width, &height);
  raster.width_px = width;
  raster.height_px = height;
  const std::size_t stride = 4 * static_cast<std::size_t>(width);
  std::vector<std::uint8_t> upside_down(stride * static_cast<std::size_t>(height));
  impl_->gl.PixelStorei(GL_PACK_ALIGNMENT, 1);
  impl_->gl.ReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, upside_down.data());
  for (std::size_t i = 3; i < upside_down.size(); i += 4) upside_down[i] = 255;
  raster.rgba.reserve(upside_down.size());
  for (std::size_t y = static_cast<std::size_t>(height); y-- > 0;) {
    const auto row = upside_down.begin() + static_cast<std::ptrdiff_t>(y * stride);
    raster.rgba.insert(raster.rgba.end(), row, row + static_cast<std::ptrdiff_t>(stride));
  }
  return raster;
}

}  // namespace attn::gui
