// The list of plots, and the computation of their needs.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/compute.h"
#include "plot/kit/plot.h"

namespace attn {

struct PlotEntry {
  std::string_view name;   // "heatmap"
  std::string_view label;  // "Heatmap"
  std::string_view help;   // one line
  // Returns a Usage error with the reason when the document has nothing to show.
  Result<Figure> (*draw)(const Drawing&);
  OptionSet options;
  // Reason why there is nothing to show of such a problem; "" when there is something. Null: there
  // always is.
  std::string (*nothing)(const AttentionProblem&, const HeadAddress&) = nullptr;
  std::vector<Need> (*needs)(const FittedView&) = nullptr;  // null: none
  bool fills_room = false;  // one matrix as large as the pane; else a page as long as needed
  // Overlay for the hovered hit, within the visible part of the figure; without items for most
  // hits.
  Figure (*hover)(const Drawing&, const Figure& drawn, const HitId&, const Rect& visible) = nullptr;
  bool of_shapes = false;  // depends on shapes alone, not on numbers
};

std::span<const PlotEntry> all_plots();
const PlotEntry* plot_named(std::string_view name);

// Sentence about a view whose plot is not in the list.
std::string unknown_plot(const std::string& name);

// Draws the plot with fitted options. Every plot is drawn through this function. Returns a Usage
// error when there is nothing to show. Adds a footnote on generated numbers to figures of files,
// unless the title is "none".
Result<Figure> draw_plot(const PlotEntry& plot, const PlotInput& input, const PlotOptions& options,
                         const TextMetrics& metrics);

// Draws with the letters of the options' font.
Result<Figure> with_family(const ViewOptions& options, const TextMetrics& metrics,
                           const std::function<Result<Figure>(const TextMetrics&)>& draw);

// Reason why the plot has nothing to show of one attention; "" when it has something.
std::string why_nothing(const PlotEntry& plot, const AttentionResult& result,
                        const HeadAddress& at = {});

// Whether the option changes the figure of this plot.
inline bool uses(const PlotEntry& plot, Option option) { return plot.options.contains(option); }
bool uses(const PlotEntry& plot, std::string_view field_name);

// Reason why a field that the plot uses has no effect with these options; "" when it has.
std::string why_idle(const PlotEntry& plot, const ViewOptions& options,
                     std::string_view field_name);

// Needs of the plot for a result; fits the options. Cheap: called after every command.
std::vector<Need> needs_of(const PlotEntry& plot, const PlotInput& input,
                           const PlotOptions& options);

// Progress and limits of deriving.
struct DerivingOptions {
  Progress* progress = nullptr;  // borrowed; may be null
  std::uint64_t memory_limit_bytes = kUsualMemoryLimitBytes;
  std::uint64_t in_use_bytes = 0;  // by earlier derivations
};

// Derives a need. OverMemoryLimit, with the figures and before any allocation, when the need
// exceeds the limit minus the result and other memory in use; also when the system has no memory
// left.
Result<DerivationPtr> derive(const Need& need, const Document& document, const ResultPtr& result,
                             const DerivingOptions& how = {});

// Derives all needs of the plot in sequence, without a limit of time; keeps errors too.
Derivations derive_all(const PlotEntry& plot, const Document& document, const ResultPtr& result,
                       const PlotOptions& options, const DerivingOptions& how = {});

// The figure with all its needs, computed synchronously: for files and tests.
Result<Figure> draw_complete(const PlotEntry& plot, const Document& document,
                             const ResultPtr& result, const PlotOptions& options,
                             const TextMetrics& metrics);

}  // namespace attn
