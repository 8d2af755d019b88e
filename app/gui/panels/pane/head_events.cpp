// Clicks on heads and keys that walk them become commands.
#include "gui/panels/pane/head_events.h"

#include "gui/panels/pane/cell_keys.h"
#include "gui/panels/pane/opening.h"
#include "gui/platform/imgui_compat.h"
#include "plot/maps/heads.h"
#include "session/command.h"

namespace attn::gui {
namespace {

void click(const PaneScope& scope, const HeadAddress& head, bool shift) {
  if (shift) {
    scope.ui.send(command::CompareHead{scope.pane.id, head});
  } else {
    open_weights(scope, head);
  }
}

struct WalkKey {
  int key;
  HeadStep step;
};
constexpr WalkKey kWalkKeys[] = {{keys::kLeft, HeadStep::Left},
                                 {keys::kRight, HeadStep::Right},
                                 {keys::kUp, HeadStep::Up},
                                 {keys::kDown, HeadStep::Down}};

void walk(const PaneScope& scope, const Figure& figure) {
  for (const auto& [key, step] : kWalkKeys) {
    if (!key_pressed(key)) continue;
    const auto next = head_beside(figure, scope.options().at, step);
    if (!next) return;
    scope.ui.send(command::SelectHead{*next});
    scope.view.walked_to = *next;
  }
}

// Enter presses the control that has the ring, where one has.
void open_by_key(const PaneScope& scope) {
  const std::string& ring = scope.ui.focus.focused();
  const bool pressed = key_pressed(keys::kEnter, false) || key_pressed(keys::kKeypadEnter, false);
  if (pressed && ring.empty()) open_weights(scope, scope.options().at);
}

// As little as brings the thumbnail and some room about it into view.
void scroll_to(const PaneScope& scope, const Rect& thumbnail) {
  const Ui& ui = scope.ui;
  const float origin = ImGui::GetItemRectMin().y - ImGui::GetWindowPos().y + ImGui::GetScrollY();
  const auto y = [&](double units) { return origin + ui.px(static_cast<float>(units)); };
  const double air = 0.5 * thumbnail.height;
  const float top = y(thumbnail.y - air), bottom = y(thumbnail.y + thumbnail.height + air);
  const float room = ImGui::GetWindowHeight();
  if (bottom > ImGui::GetScrollY() + room) ImGui::SetScrollY(bottom - room);
  if (top < ImGui::GetScrollY()) ImGui::SetScrollY(top);
}

void follow(const PaneScope& scope, const Figure& figure) {
  if (!scope.view.walked_to) return;
  if (const auto place = place_of_head(figure, *scope.view.walked_to)) scroll_to(scope, *place);
  scope.view.walked_to.reset();
}

}  // namespace

void head_events(const PaneScope& scope, const Figure& figure, const CanvasEvents& events) {
  const auto* clicked = events.clicked ? std::get_if<HeadHit>(&*events.clicked) : nullptr;
  if (clicked != nullptr) click(scope, clicked->head, events.shift);
  if (scope.plot.name != "heads") return;
  follow(scope, figure);
  if (!has_plain_keys(scope) || ImGui::GetIO().KeyShift) return;
  walk(scope, figure);
  open_by_key(scope);
}

}  // namespace attn::gui
