// Figures as files get them, of the window and of the command line.
#pragma once

#include <string>

#include "plot/all_plots.h"
#include "session/effect.h"

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

}  // namespace attn
