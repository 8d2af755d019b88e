// Plots of one export: the flags of the command as options of each plot, checked with the document.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "cli/load.h"
#include "session/figure_file.h"
#include "view/fields.h"

namespace attn::cli {

// Text given for a field of the plot options.
struct Setting {
  const Field<ViewOptions>* field;
  std::string text;
};

struct ExportFlags {
  std::string format;
  std::string plot, layout;
  std::string dpi;
  std::string part;
  std::vector<std::string> pins;
  bool transparent = false;
  bool however_long = false;
  std::string text;
  std::string reference;
  std::vector<Setting> settings;
};

// A plot to draw, with the flags that concern it.
struct Panel {
  const PlotEntry* plot;
  PlotOptions options;
  ExportFlags flags;
};

inline bool was_given(const ExportFlags& flags, std::string_view name) {
  return std::ranges::any_of(flags.settings,
                             [&](const Setting& setting) { return setting.field->name == name; });
}

Error unknown_name(const std::string& what, const std::string& name,
                   const std::vector<std::string_view>& known);

// The panels of the layout, or the one plot; `wanted` gets the options of the page.
Result<std::vector<Panel>> panels_of(const ExportFlags& flags, FigureWanted& wanted);

// The result for the panels, whose options are checked before and fitted after computing.
Result<ResultPtr> computed_for(std::vector<Panel>& panels, const Document& document, double dpi,
                               Context& context);

// Puts the views of the panels in the panes of the layout, and what they are compared with.
void put_into(FigureWanted& wanted, const std::vector<Panel>& panels);

}  // namespace attn::cli
