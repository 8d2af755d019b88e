// Keys become walks and moves.
#include "gui/panels/pane/cell_keys.h"

#include <cstdlib>

#include "gui/platform/imgui_compat.h"

namespace attn::gui {
namespace {

constexpr std::int64_t kToTheEnd = std::int64_t{1} << 40U;
constexpr double kPanShare = 0.1;  // of what is in view

struct CellKey {
  int key;
  std::int64_t rows, cols;
};
constexpr CellKey kCellKeys[] = {{keys::kLeft, 0, -1},         {keys::kRight, 0, 1},
                                 {keys::kUp, -1, 0},           {keys::kDown, 1, 0},
                                 {keys::kHome, 0, -kToTheEnd}, {keys::kEnd, 0, kToTheEnd}};

void walk(const PaneScope& scope, const MatrixItem& matrix, const CellKey& key) {
  const bool pans = scope.state.pins.empty() && scope.options().window.rows > 0.0;
  const bool step = std::abs(key.rows) + std::abs(key.cols) == 1;
  if (!pans) {
    scope.ui.send(command::WalkPin{key.rows, key.cols, ImGui::GetIO().KeyShift, *matrix.origin});
  } else if (step) {
    scope.ui.send(command::Pan{kPanShare * static_cast<double>(key.rows),
                               kPanShare * static_cast<double>(key.cols),
                               gesture_of(scope.view.gesture, scope.ui)});
  }
}

}  // namespace

bool has_plain_keys(const PaneScope& scope) {
  const ImGuiIO& io = ImGui::GetIO();
  const bool popup =
      ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
  const bool plain = !io.KeyCtrl && !io.KeyAlt && !io.KeySuper;
  return scope.pane.id == scope.state.focus && plain && !popup && !is_covered(scope.state) &&
         !scope.ui.arrow_keys_taken();
}

void cell_keys(const PaneScope& scope, const MatrixItem* matrix) {
  if (matrix == nullptr || !matrix->origin || !has_plain_keys(scope)) return;
  for (const CellKey& key : kCellKeys) {
    if (key_pressed(key.key)) return walk(scope, *matrix, key);
  }
}

}  // namespace attn::gui
