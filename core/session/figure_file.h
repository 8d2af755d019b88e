// Figures for files, from the window and the command line, and the equivalent `attnscope export`
// call.
#pragma once

#include <string>

#include "plot/all_plots.h"
#include "session/state.h"

namespace attn {

// Figure for a file of the given dots per inch, with all derivations made. The view is clamped to
// the result's bounds; viewports are extended to whole cells.
Result<Figure> figure_for_file(const Document& document, const ResultPtr& result,
                               const std::string& plot, const PlotOptions& options, double dpi,
                               const DerivingOptions& how = {});

// Bytes of figure_for_file() in the format that the extension of `path` names. Progress covers
// derivations, painting and encoding.
Result<std::string> figure_file(const Document& document, const ResultPtr& result,
                                const std::string& plot, const PlotOptions& options,
                                const ExportOptions& export_options, const std::string& path,
                                const DerivingOptions& how = {});

// Call for the focused pane, with pins and viewport, for a shell: "attnscope export cats.attn.json
// -o cats.png --head 1". Options that the saved view has are left out.
std::string export_call(const AppState& state, const std::string& path);
// What it needs first, such as saving; empty: nothing.
std::string export_remark(const OpenDocument& open);

// Quotes a word for a shell where necessary.
std::string shell_word(const std::string& text);

}  // namespace attn
