// Feeds input to ImGui frame by frame and records what widgets and commands come of it.
#include "support/ui_harness.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <utility>

#include "gui/platform/fonts.h"
#include "gui/platform/imgui_compat.h"
#include "gui/ui/style.h"

namespace attn::test {
namespace {

using namespace gui;  // NOLINT(google-build-using-namespace)

constexpr std::pair<std::string_view, int> kNamedKeys[] = {
    {"Enter", keys::kEnter},   {"Esc", keys::kEscape},        {"Tab", keys::kTab},
    {"Space", keys::kSpace},   {"Delete", keys::kDelete},     {"Backspace", keys::kBackspace},
    {"Left", keys::kLeft},     {"Right", keys::kRight},       {"Up", keys::kUp},
    {"Down", keys::kDown},     {"Home", keys::kHome},         {"End", keys::kEnd},
    {"PageUp", keys::kPageUp}, {"PageDown", keys::kPageDown}, {"Insert", keys::kInsert},
    {"[", keys::kLeftBracket}, {"]", keys::kRightBracket},    {"/", keys::kSlash},
    {",", keys::kComma},       {".", keys::kPeriod},          {"-", keys::kMinus},
    {"=", keys::kEqual},       {"?", keys::kSlash},
};

constexpr std::pair<std::string_view, std::pair<int, int>> kModifiers[] = {
    {"Shift", {kModShift, keys::kLeftShift}},
    {"Ctrl", {kModControl, keys::kLeftControl}},
    {"Alt", {kModAlt, keys::kLeftAlt}},
    {"Super", {kModSuper, keys::kLeftSuper}},
};

int key_named(std::string_view name) {
  for (const auto& [known, key] : kNamedKeys) {
    if (known == name) return key;
  }
  if (name.size() == 1) return name[0] >= 'a' && name[0] <= 'z' ? name[0] - 'a' + 'A' : name[0];
  if (name.size() >= 2 && name[0] == 'F')
    return keys::kF1 + std::stoi(std::string(name.substr(1))) - 1;
  ADD_FAILURE() << "no key is called " << name;
  return 0;
}

const std::pair<int, int>* modifier_named(std::string_view name) {
  for (const auto& [known, modifier] : kModifiers) {
    if (known == name) return &modifier;
  }
  return nullptr;
}

// Loading fonts takes longer than most tests: done once in a process for each scale.
struct LoadedFonts {
  ImFontAtlas atlas;
  Fonts fonts;
};

LoadedFonts& loaded_fonts(float scale) {
  static std::map<float, LoadedFonts> loaded;
  const auto [entry, is_new] = loaded.try_emplace(scale);
  LoadedFonts& there = entry->second;
  if (is_new) {
    there.fonts = load_fonts(there.atlas, scale);
    unsigned char* pixels = nullptr;
    int width = 0, height = 0;
    there.atlas.GetTexDataAsAlpha8(&pixels, &width, &height);
    // The texture is not null, so that text drawn with another one is noticed, as in a window.
    there.atlas.SetTexID(&there.atlas);
  }
  return there;
}

ImGuiContext* make_context(const HarnessOptions& options) {
  ImGuiContext* context = ImGui::CreateContext(&loaded_fonts(options.scale).atlas);
  ImGui::SetCurrentContext(context);
  configure_imgui();
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = ImVec2(options.width, options.height);
  io.DeltaTime = 1.0F / 60.0F;
  return context;
}

}  // namespace

UiHarness::UiHarness(const HarnessOptions& options)
    : options_(options),
      context_(make_context(options)),
      labels_(graphics),
      ui_{graphics, labels_, loaded_fonts(options.scale).fonts, options.theme, options.scale,
          &probe,   {}} {
  ImGuiIO& io = ImGui::GetIO();
  io.ClipboardUserData = this;
  io.GetClipboardTextFn = [](void* self) -> const char* {
    return static_cast<UiHarness*>(self)->clipboard.c_str();
  };
  io.SetClipboardTextFn = [](void* self, const char* text) {
    static_cast<UiHarness*>(self)->clipboard = text;
  };
  apply_style(options.theme, options.scale);
}

UiHarness::~UiHarness() { ImGui::DestroyContext(context_); }

void UiHarness::frame(const Draw& draw) {
  draw_ = draw;
  one_frame();
}

void UiHarness::frames(int count) {
  for (int i = 0; i < count; ++i) one_frame();
}

void UiHarness::one_frame() {
  input.feed(ImGui::GetIO(), dropped_);
  ImGui::NewFrame();
  if (options_.host_window) {
    ImGui::SetNextWindowPos(ImVec2(0, 0));
    ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
    ImGui::Begin("host", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoBringToFrontOnFocus);
  }
  if (draw_) draw_(ui_);
  if (options_.host_window) ImGui::End();
  ImGui::Render();
  labels_.end_frame();
  graphics.end_frame();
  if (after_frame) after_frame();
  for (Command& command : std::exchange(ui_.commands, {})) {
    sent.push_back(command);
    if (on_command) on_command(command);
  }
}

void UiHarness::settle() {
  while (!input.empty()) one_frame();
  // Two frames show the effect of the last event and make a text field that it opened ready.
  frames(2);
}

std::optional<ProbedWidget> UiHarness::find(std::string_view name) const {
  const auto& all = probe.all();
  const auto found = all.find(name);
  if (found == all.end() || found->second.frame != ImGui::GetFrameCount()) return std::nullopt;
  return found->second;
}

std::optional<ImVec2> UiHarness::centre(std::string_view name) const {
  const auto widget = find(name);
  if (!widget) {
    ADD_FAILURE() << "nothing on screen is called " << name;
    return std::nullopt;
  }
  return widget->centre();
}

std::string UiHarness::value(std::string_view name) const {
  const auto widget = find(name);
  if (!widget) ADD_FAILURE() << "nothing on screen is called " << name;
  return widget ? widget->value : std::string();
}

bool UiHarness::enabled(std::string_view name) const {
  const auto widget = find(name);
  if (!widget) ADD_FAILURE() << "nothing on screen is called " << name;
  return widget && widget->enabled;
}

std::vector<std::string> UiHarness::names(std::string_view prefix) const {
  std::vector<std::string> found;
  for (const auto& [name, widget] : probe.all()) {
    if (widget.frame == ImGui::GetFrameCount() && name.starts_with(prefix)) found.push_back(name);
  }
  return found;
}

void UiHarness::hover_at(ImVec2 pixel) {
  pointer_ = pixel;
  input.push(MouseMove{pixel.x, pixel.y});
  settle();
}

void UiHarness::hover(std::string_view name) {
  if (const auto at = centre(name)) hover_at(*at);
}

void UiHarness::click_at(ImVec2 pixel, int button) {
  pointer_ = pixel;
  input.push(MouseMove{pixel.x, pixel.y});
  input.push(MouseButton{button, true});
  input.push(MouseButton{button, false});
  settle();
}

void UiHarness::click(std::string_view name, int button) {
  if (const auto at = centre(name)) click_at(*at, button);
}

void UiHarness::double_click(std::string_view name) {
  const auto at = centre(name);
  if (!at) return;
  pointer_ = *at;
  input.push(MouseMove{at->x, at->y});
  for (const bool down : {true, false, true, false}) input.push(MouseButton{0, down});
  settle();
}

void UiHarness::shift_click(std::string_view name) {
  hold("Shift");
  click(name);
  let_go("Shift");
}

void UiHarness::press(std::string_view name) {
  const auto at = centre(name);
  if (!at) return;
  pointer_ = *at;
  input.push(MouseMove{at->x, at->y});
  input.push(MouseButton{0, true});
  while (!input.empty()) one_frame();
}

void UiHarness::move_by(float dx, float dy) {
  pointer_ = ImVec2(pointer_.x + dx, pointer_.y + dy);
  input.push(MouseMove{pointer_.x, pointer_.y});
  while (!input.empty()) one_frame();
}

void UiHarness::release() {
  input.push(MouseButton{0, false});
  settle();
}

void UiHarness::drag(std::string_view name, float dx, float dy, int steps) {
  if (!centre(name)) return;
  press(name);
  for (int i = 0; i < steps; ++i) {
    move_by(dx / static_cast<float>(steps), dy / static_cast<float>(steps));
  }
  release();
}

void UiHarness::wheel(std::string_view name, float notches) {
  const auto at = centre(name);
  if (!at) return;
  hover_at(*at);
  input.push(MouseWheel{0.0F, notches});
  settle();
}

void UiHarness::type(std::string_view text) {
  const std::string owned(text);
  for (const char* p = owned.c_str(); *p != '\0';) {
    const auto lead = static_cast<unsigned char>(*p++);
    const int more = lead < 0x80 ? 0 : lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : 3;
    unsigned code_point = more == 0 ? lead : lead & (0x3FU >> more);
    for (int i = 0; i < more && *p != '\0'; ++i) {
      code_point = (code_point << 6U) | (static_cast<unsigned char>(*p++) & 0x3FU);
    }
    input.push(TextInput{code_point});
  }
  settle();
}

void UiHarness::key(std::string_view shortcut) {
  std::vector<int> held_keys;
  int mods = held_;
  std::string_view rest = shortcut;
  for (std::size_t plus = rest.find('+'); plus != std::string_view::npos && rest.size() > 1;
       plus = rest.find('+')) {
    const auto* modifier = modifier_named(rest.substr(0, plus));
    if (modifier == nullptr) break;
    mods |= modifier->first;
    input.push(KeyChange{modifier->second, true, mods});
    held_keys.push_back(modifier->second);
    rest = rest.substr(plus + 1);
  }
  const int code = key_named(rest);
  input.push(KeyChange{code, true, mods});
  input.push(KeyChange{code, false, mods});
  for (auto held = held_keys.rbegin(); held != held_keys.rend(); ++held) {
    input.push(KeyChange{*held, false, 0});
  }
  settle();
}

void UiHarness::hold(std::string_view modifier) {
  const auto* known = modifier_named(modifier);
  if (known == nullptr) {
    ADD_FAILURE() << "no modifier is called " << modifier;
    return;
  }
  held_ |= known->first;
  input.push(KeyChange{known->second, true, held_});
  settle();
}

void UiHarness::let_go(std::string_view modifier) {
  const auto* known = modifier_named(modifier);
  if (known == nullptr) return;
  held_ &= ~known->first;
  input.push(KeyChange{known->second, false, held_});
  settle();
}

void UiHarness::drop(std::vector<std::string> paths) {
  input.push(FilesDropped{std::move(paths)});
  settle();
}

std::vector<std::string> UiHarness::take_dropped_files() { return std::exchange(dropped_, {}); }

}  // namespace attn::test
