// Figures as files get them, of the window and of the command line, and the call of the command
// line that writes what the window would write.
#pragma once

#include <string>

#include "plot/all_plots.h"
#include "session/effect.h"
#include "session/state.h"

namespace attn {

// The figure that a file of so many dots per inch gets, with all that it needs. The view is brought
// into the result's bounds; of a part of a matrix whole cells are drawn.
Result<Figure> figure_for_file(const Document& document, const ResultPtr& result,
                               const std::string& plot, const PlotOptions& options, double dpi,
                               const DerivingOptions& how = {});

// The bytes of the figure file that `path` names by its extension: figure_for_file, written. The
// progress goes from deriving, if there is anything to derive, through painting and encoding.
Result<std::string> figure_file(const Document& document, const ResultPtr& result,
                                const std::string& plot, const PlotOptions& options,
                                const ExportOptions& export_options, const std::string& path,
                                const DerivingOptions& how = {});

struct ExportCall {
  std::string command;  // for a shell: "attnscope export cats.attn.json -o cats.png --head 1"
  std::string remark;   // what it needs first, such as saving; empty: nothing
};

// Of the pane with the focus, with what is pinned and the part in view. Options that the saved
// document's own view has already are left out.
ExportCall export_call(const AppState& state, const std::string& path);

// A word as a shell reads it back: as it is, or in quotes.
std::string shell_word(const std::string& text);

}  // namespace attn
