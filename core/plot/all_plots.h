// The one list of plots, and what they need before they are drawn.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/compute.h"
#include "engine/matrix/matrix.h"
#include "plot/kit/ask.h"
#include "plot/kit/plot.h"

namespace attn {

struct PlotEntry {
  std::string_view name;   // "heatmap"
  std::string_view label;  // "Heatmap"
  std::string_view help;   // one line
  // Refuses (Usage) a document of which it has nothing to show, with the reason.
  Result<Figure> (*draw)(const PlotInput&, const PlotOptions&, const TextMetrics&);
  OptionSet options;  // that change its figure
  // Why it has nothing to show of such a problem, for a person; "" where it has. Null: it always
  // has.
  std::string (*nothing)(const AttentionProblem&, const HeadAddress&) = nullptr;
  // What must be there before it is drawn, asked of options fitted to the result; null:
  // nothing.
  std::vector<Need> (*needs)(const PlotInput&, const PlotOptions&) = nullptr;
  bool fills_room = false;  // one matrix as large as the room; else a page, as long as it must be
  // What is painted over the figure where the pointer is, when the plot has such, within the part
  // of the figure that can be seen; without items for most hits.
  Figure (*hover)(const PlotInput&, const Figure& drawn, const PlotOptions&, const TextMetrics&,
                  const HitId&, const Rect& visible) = nullptr;
  bool of_shapes = false;  // the same whatever the numbers are
};

std::span<const PlotEntry> all_plots();
const PlotEntry* plot_named(std::string_view name);

// What is said of a view that names a plot which is not in the list.
std::string unknown_plot(const std::string& name);

// The plot as it is drawn everywhere. Views are fitted. Refuses what the plot has nothing to show
// of: a figure is never an apology. Below the figure of a file it says
// which numbers the seed made, unless the title is "none".
Result<Figure> draw_plot(const PlotEntry& plot, const PlotInput& input, const PlotOptions& options,
                         const TextMetrics& metrics);

// Why the plot has nothing to show of one attention of the result; "" where it has.
std::string why_nothing(const PlotEntry& plot, const AttentionResult& result,
                        const HeadAddress& at = {});

// Whether the option changes the figure of this plot.
inline bool uses(const PlotEntry& plot, Option option) { return plot.options.contains(option); }
bool uses(const PlotEntry& plot, std::string_view field_name);

// Why a field that the plot uses changes nothing of what these options draw, for a person; "" where
// it does.
std::string why_idle(const PlotEntry& plot, const ViewOptions& options,
                     std::string_view field_name);

// What the plot needs of a result under these options, fitted to it. Cheap: asked after every
// command.
std::vector<Need> needs_of(const PlotEntry& plot, const PlotInput& input,
                           const PlotOptions& options);

// What a person has to say about the work.
struct DerivingOptions {
  Progress* progress = nullptr;  // borrowed; may be null
  std::uint64_t memory_limit_bytes = kUsualMemoryLimitBytes;
  std::uint64_t in_use_bytes = 0;  // by what was derived before
};

// Does what the need asks for. OverMemoryLimit, before anything is allocated and with the figures,
// when the need takes more than the limit leaves beside the result and what else is in use; also
// when the system has no more.
Result<DerivationPtr> derive(const Need& need, const Document& document, const ResultPtr& result,
                             const DerivingOptions& how = {});

// Everything that the plot needs, one after the other, however long it takes; also what went wrong.
Derivations derive_all(const PlotEntry& plot, const Document& document, const ResultPtr& result,
                       const PlotOptions& options, const DerivingOptions& how = {});

// The figure with everything that it needs, computed here and now: for files and tests.
Result<Figure> draw_complete(const PlotEntry& plot, const Document& document,
                             const ResultPtr& result, const PlotOptions& options,
                             const TextMetrics& metrics);

}  // namespace attn
