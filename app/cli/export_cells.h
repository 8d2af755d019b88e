// Cells that a call of export names: the part of a matrix that is drawn, and those that are marked.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "engine/result.h"
#include "plot/all_plots.h"
#include "plot/kit/plot.h"

namespace attn::cli {

// "4,0,8.5,12": first row and column, and how many of each; empty: all of the matrix. Usage.
Status set_part(PlotOptions& options, const std::string& text);

// "8,1": row and column, at most two of them, of the matrix that the plot shows first. Usage where
// it has no such cell.
Status set_pins(PlotOptions& options, const std::vector<std::string>& texts,
                const Document& document, const ResultPtr& result, const std::string& plot,
                const DerivingOptions& how);

}  // namespace attn::cli
