// Does in each frame what the program's loop around its window does.
#include "frame_loop.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <utility>

#include "gui/platform/fonts.h"
#include "gui/platform/imgui_compat.h"
#include "gui/shell/replay.h"
#include "gui/ui/style.h"

namespace attn::gui {
namespace {

constexpr float kWidth = 1600.0F, kHeight = 1000.0F, kScale = 1.0F;
constexpr int kFramesAfterResult = 3;  // as the program's loop draws

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

Fonts loaded_fonts(ImFontAtlas& atlas) {
  const Fonts fonts = load_fonts(atlas, kScale);
  unsigned char* pixels = nullptr;
  int width = 0, height = 0;
  atlas.GetTexDataAsAlpha8(&pixels, &width, &height);
  atlas.SetTexID(&atlas);  // not null, so that text drawn with another texture is noticed
  return fonts;
}

ImGuiContext* make_context(ImFontAtlas& atlas) {
  ImGuiContext* context = ImGui::CreateContext(&atlas);
  ImGui::SetCurrentContext(context);
  configure_imgui();
  ImGui::GetIO().DisplaySize = ImVec2(kWidth, kHeight);
  ImGui::GetIO().DeltaTime = 1.0F / 60.0F;
  apply_style(ThemeKind::Dark, kScale);
  return context;
}

}  // namespace

FrameLoop::FrameLoop()
    : fonts_(loaded_fonts(atlas_)),
      context_(make_context(atlas_)),
      labels_(graphics_),
      ui_{graphics_, labels_, fonts_, ThemeKind::Dark, kScale, nullptr, {}} {
  app_.start_with({}, std::nullopt);  // nothing of the person who measures is read or written
}

FrameLoop::~FrameLoop() { ImGui::DestroyContext(context_); }

void FrameLoop::draw() {
  input_.feed(ImGui::GetIO(), dropped_);
  ImGui::NewFrame();
  const std::chrono::duration<double> now = Clock::now().time_since_epoch();
  app_.draw(ui_, now.count());
  ImGui::Render();
  labels_.end_frame();
  graphics_.end_frame();
}

double FrameLoop::frame() {
  const double start = thread_seconds();
  app_.take_results();
  glyphs_.add_state(app_.state());
  draw();
  for (const std::string& file : std::exchange(dropped_, {})) app_.apply(command::Open{file});
  for (const Command& command : std::exchange(ui_.commands, {})) app_.apply(command);
  title_ = window_title(app_.state());
  return thread_seconds() - start;
}

bool FrameLoop::settle(double seconds) {
  const auto start = Clock::now();
  for (int quiet = 0; quiet < kFramesAfterResult; quiet = app_.is_idle() ? quiet + 1 : 0) {
    if (seconds_since(start) > seconds) return false;
    frame();
    if (!app_.is_idle()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

void FrameLoop::forget_drawing() {
  float& seconds_kept = ImGui::GetIO().ConfigMemoryCompactTimer;
  const float usual = std::exchange(seconds_kept, 0.0F);
  for (int empty = 0; empty < kFramesAfterResult; ++empty) {
    ImGui::NewFrame();
    ImGui::Render();
  }
  seconds_kept = usual;
}

void FrameLoop::resize(ImVec2 pixels) { ImGui::GetIO().DisplaySize = pixels; }

ImVec2 FrameLoop::centre_of(std::string_view name) {
  ui_.probe = &probe_;
  frame();
  const auto widget = probe_.find(name);
  ui_.probe = nullptr;
  if (widget) return widget->centre();
  std::fprintf(stderr, "nothing on screen is called %s\n", std::string(name).c_str());
  std::exit(1);
}

}  // namespace attn::gui
