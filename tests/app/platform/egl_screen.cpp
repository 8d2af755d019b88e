// Opens an offscreen EGL context and reads its pixels.
#include "app/platform/egl_screen.h"

#if __has_include(<EGL/egl.h>)

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <backends/imgui_impl_opengl3.h>
#include <dlfcn.h>
#include <imgui.h>

#include "gui/platform/imgui_compat.h"

namespace attn::test {
namespace {

// Resolved at run time, so that the tests build and run without the library.
struct Egl {
  void* library = dlopen("libEGL.so.1", RTLD_NOW);
  template <class F>
  F* function(const char* name) const {
    return library == nullptr ? nullptr : reinterpret_cast<F*>(dlsym(library, name));
  }
};

const Egl& egl() {
  static const Egl kEgl;
  return kEgl;
}

void (*find_gl(const char* name))() {
  const auto find = egl().function<decltype(eglGetProcAddress)>("eglGetProcAddress");
  return find == nullptr ? nullptr : find(name);
}

}  // namespace

struct EglScreen::Impl {
  EGLDisplay display = nullptr;
  EGLContext context = nullptr;
  ImGuiContext* imgui = nullptr;
  gui::GlApi gl;
  std::unique_ptr<gui::GlGraphics> graphics;
  int width = 0, height = 0;
  PFNGLGENFRAMEBUFFERSPROC gen_framebuffers = nullptr;
  PFNGLBINDFRAMEBUFFERPROC bind_framebuffer = nullptr;
  PFNGLFRAMEBUFFERTEXTURE2DPROC framebuffer_texture = nullptr;
  PFNGLGETERRORPROC get_error = nullptr;

  bool make_context(std::string& why);
  bool make_framebuffer(std::string& why);
};

bool EglScreen::Impl::make_context(std::string& why) {
  const auto platform_display =
      reinterpret_cast<PFNEGLGETPLATFORMDISPLAYEXTPROC>(find_gl("eglGetPlatformDisplayEXT"));
  const auto initialize = egl().function<decltype(eglInitialize)>("eglInitialize");
  const auto bind_api = egl().function<decltype(eglBindAPI)>("eglBindAPI");
  const auto create = egl().function<decltype(eglCreateContext)>("eglCreateContext");
  const auto make_current = egl().function<decltype(eglMakeCurrent)>("eglMakeCurrent");
  if (platform_display == nullptr || initialize == nullptr || bind_api == nullptr ||
      create == nullptr || make_current == nullptr) {
    why = "EGL is not installed";
    return false;
  }
  constexpr EGLenum kSurfaceless = 0x31DD;  // EGL_PLATFORM_SURFACELESS_MESA
  display = platform_display(kSurfaceless, nullptr, nullptr);
  if (display == nullptr || initialize(display, nullptr, nullptr) == EGL_FALSE) {
    why = "EGL has no display without a surface";
    return false;
  }
  bind_api(EGL_OPENGL_API);
  const EGLint attributes[] = {EGL_CONTEXT_MAJOR_VERSION,
                               3,
                               EGL_CONTEXT_MINOR_VERSION,
                               2,
                               EGL_CONTEXT_OPENGL_PROFILE_MASK,
                               EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                               EGL_NONE};
  context = create(display, nullptr, EGL_NO_CONTEXT, attributes);
  if (context == nullptr ||
      make_current(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context) == EGL_FALSE) {
    why = "EGL gives no OpenGL 3.2";
    return false;
  }
  return true;
}

bool EglScreen::Impl::make_framebuffer(std::string& why) {
  if (const char* missing = gui::load_gl(gl, find_gl)) {
    why = std::string("OpenGL lacks ") + missing;
    return false;
  }
  gen_framebuffers = reinterpret_cast<PFNGLGENFRAMEBUFFERSPROC>(find_gl("glGenFramebuffers"));
  bind_framebuffer = reinterpret_cast<PFNGLBINDFRAMEBUFFERPROC>(find_gl("glBindFramebuffer"));
  framebuffer_texture =
      reinterpret_cast<PFNGLFRAMEBUFFERTEXTURE2DPROC>(find_gl("glFramebufferTexture2D"));
  get_error = reinterpret_cast<PFNGLGETERRORPROC>(find_gl("glGetError"));
  GLuint texture = 0, framebuffer = 0;
  gl.GenTextures(1, &texture);
  gl.BindTexture(GL_TEXTURE_2D, texture);
  gl.TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
  gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  gen_framebuffers(1, &framebuffer);
  bind_framebuffer(GL_FRAMEBUFFER, framebuffer);
  framebuffer_texture(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
  return true;
}

EglScreen::EglScreen() : impl_(std::make_unique<Impl>()) {}

std::unique_ptr<EglScreen> EglScreen::open(int width, int height, std::string& why) {
  std::unique_ptr<EglScreen> screen(new EglScreen());
  Impl& impl = *screen->impl_;
  impl.width = width;
  impl.height = height;
  if (!impl.make_context(why) || !impl.make_framebuffer(why)) return nullptr;
  impl.imgui = ImGui::CreateContext();
  gui::configure_imgui();
  ImGui::GetIO().DisplaySize = ImVec2(static_cast<float>(width), static_cast<float>(height));
  ImGui_ImplOpenGL3_Init("#version 150");
  auto graphics = gui::GlGraphics::make(impl.gl);
  if (!graphics.ok()) {
    why = graphics.error().message + graphics.error().found;
    return nullptr;
  }
  impl.graphics = std::move(graphics).value();
  return screen;
}

EglScreen::~EglScreen() {
  impl_->graphics.reset();
  if (impl_->imgui != nullptr) {
    ImGui_ImplOpenGL3_Shutdown();
    ImGui::DestroyContext(impl_->imgui);
  }
  if (impl_->display == nullptr) return;
  const auto make_current = egl().function<decltype(eglMakeCurrent)>("eglMakeCurrent");
  const auto destroy = egl().function<decltype(eglDestroyContext)>("eglDestroyContext");
  make_current(impl_->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
  if (impl_->context != nullptr) destroy(impl_->display, impl_->context);
}

gui::GlGraphics& EglScreen::graphics() { return *impl_->graphics; }

unsigned EglScreen::gl_error() { return impl_->get_error(); }

Raster EglScreen::frame(const std::function<void()>& draw) {
  ImGui::GetIO().DeltaTime = 1.0F / 60.0F;
  ImGui_ImplOpenGL3_NewFrame();
  ImGui::NewFrame();
  draw();
  ImGui::Render();
  impl_->gl.Viewport(0, 0, impl_->width, impl_->height);
  impl_->gl.ClearColor(0, 0, 0, 1);
  impl_->gl.Clear(GL_COLOR_BUFFER_BIT);
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
  impl_->graphics->end_frame();
  const std::size_t stride = 4 * static_cast<std::size_t>(impl_->width);
  std::vector<std::uint8_t> pixels(stride * static_cast<std::size_t>(impl_->height));
  impl_->gl.ReadPixels(0, 0, impl_->width, impl_->height, GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
  Raster raster{impl_->width, impl_->height, {}};
  for (std::size_t y = static_cast<std::size_t>(impl_->height); y-- > 0;) {
    const auto row = pixels.begin() + static_cast<std::ptrdiff_t>(y * stride);
    raster.rgba.insert(raster.rgba.end(), row, row + static_cast<std::ptrdiff_t>(stride));
  }
  return raster;
}

}  // namespace attn::test

#else

namespace attn::test {

struct EglScreen::Impl {};
EglScreen::EglScreen() = default;
EglScreen::~EglScreen() = default;
std::unique_ptr<EglScreen> EglScreen::open(int, int, std::string& why) {
  why = "the headers of EGL were not there when the tests were built";
  return nullptr;
}
gui::GlGraphics& EglScreen::graphics() { std::abort(); }
Raster EglScreen::frame(const std::function<void()>&) { return {}; }
unsigned EglScreen::gl_error() { return 0; }

}  // namespace attn::test

#endif
