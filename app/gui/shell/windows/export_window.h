// Dialog of exports: a preview, the options of figure and file, and the equivalent command line.
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
  std::string chosen;  // last path chosen in the file dialog
  LengthUnit unit = LengthUnit::Millimetres;
  std::string title;  // restored when the title is switched on again
  bool focus_path = false;
  bool browsing = false;   // the file dialog is open and returns here
  bool answering = false;  // the overwrite question is open; “no” keeps the path
  FieldInteractions typing;
  FigureCache figure;
};

// Conversion from points to the unit and back; pixels depend on the resolution.
double in_unit(double points, LengthUnit unit, double dpi);
double in_points(double length, LengthUnit unit, double dpi);

// Enter exports, Esc closes. Probe names: "export", "export/path", "export/browse",
// "export/format/png", "export/width", "export/height", "export/unit", "export/FIELD",
// "export/command", "export/copy_command", "export/accept", "export/cancel", "export/problem",
// "export/preview".
void export_window(Ui& ui, const AppState& state, ExportView& view);

}  // namespace attn::gui
