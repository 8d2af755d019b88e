// Sends what opens a stage or a head.
#include "gui/panels/pane/opening.h"

#include <string>

namespace attn::gui {
namespace {

PaneId opening_pane(const PaneScope& scope) {
  for (const Pane* pane : panes_of(scope.state.layout)) {
    if (pane->view.plot == kUsualPlot && pane->linked) return pane->id;
  }
  return scope.pane.id;
}

}  // namespace

void open_stage(const PaneScope& scope, Stage stage) {
  const PaneId pane = opening_pane(scope);
  scope.ui.send(command::FocusPane{pane});
  scope.ui.send(command::SelectStage{stage});
  scope.ui.send(command::SelectPlot{std::string(kUsualPlot), pane});
}

void open_weights(const PaneScope& scope, const HeadAddress& head) {
  scope.ui.send(command::SelectHead{head});
  open_stage(scope, Stage::Weights);
}

}  // namespace attn::gui
