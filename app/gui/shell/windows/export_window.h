// The dialog of exports: a preview, everything that can be set of the figure and its file, and the
// call of the command line that does the same.
#pragma once

#include <string>

#include "gui/panels/controls/field_control.h"
#include "gui/panels/pane/figure_cache.h"
#include "session/state.h"

namespace attn::gui {

enum class LengthUnit { Millimetres, Inches, Pixels, Points };

struct ExportView {
  bool was_open = false;
  std::string path;
  std::string problem;
  std::string chosen;  // the path that the dialog for files handed over last
  LengthUnit unit = LengthUnit::Millimetres;
  std::string title;  // that comes back when the title is switched on again
  bool focus_path = false;
  bool browsing = false;   // folders; leads back to what was typed
  bool answering = false;  // whether to overwrite: “no” leads back to what was typed
  FieldInteractions typing;
  FigureCache figure;
};

// Points in the unit, and back; pixels depend on the resolution.
double in_unit(double points, LengthUnit unit, double dpi);
double in_points(double length, LengthUnit unit, double dpi);

// Enter exports, Esc closes. Probe names: "export", "export/path", "export/browse",
// "export/format/png", "export/width", "export/height", "export/unit", "export/FIELD",
// "export/command", "export/copy_command", "export/accept", "export/cancel", "export/problem",
// "export/preview".
void export_window(Ui& ui, const AppState& state, ExportView& view);

}  // namespace attn::gui
