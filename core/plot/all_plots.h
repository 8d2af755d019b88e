// The list of plots, the computation of their needs, and several plots on one page.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/compute.h"
#include "plot/kit/plot.h"
#include "view/layout.h"

namespace attn {

struct PlotEntry {
  std::string_view name;   // "heatmap"
  std::string_view label;  // "Heatmap"
  std::string_view help;   // one line
  Result<Figure> (*draw)(const Drawing&);
  OptionSet options;
  // Reason why the plot shows nothing of such a problem, so that it is neither drawn nor has needs;
  // "" if it shows something. Null: it always does.
  std::string (*nothing)(const AttentionProblem&, const HeadAddress&) = nullptr;
  std::string_view remedy = {};                             // what to do then
  std::vector<Need> (*needs)(const FittedView&) = nullptr;  // null: none
  bool fills_room = false;  // one matrix as large as the pane; else a page as long as needed
  // Overlay for the hovered hit, within the visible part of the figure; without items for most
  // hits.
  Figure (*hover)(const Drawing&, const Figure& drawn, const HitId&, const Rect& visible) = nullptr;
  // Number of steps that are played one after the other; null: steps are those of a decoder.
  std::size_t (*steps)(const AttentionProblem&, const HeadAddress&) = nullptr;
  bool of_one_cell = false;  // that of the first pin
  bool compares = false;     // has numbers of a reference, too
  bool of_shapes = false;    // depends only on shapes, not on numbers
};

std::span<const PlotEntry> all_plots();
const PlotEntry* plot_named(std::string_view name);

// True if the plot of this name has steps that are played.
bool is_played(std::string_view name);

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

// True if the option changes the figure of this plot.
inline bool uses(const PlotEntry& plot, Option option) { return plot.options.contains(option); }
bool uses(const PlotEntry& plot, std::string_view field_name);

// True if the plot shows a part of a matrix, in which cells can be marked.
inline bool shows_part(const PlotEntry& plot) {
  return uses(plot, Option::Annotate) && !uses(plot, Option::Token);
}

// True if pins change the figure: marks on its cells, or tokens that it is about.
inline bool takes_pins(const PlotEntry& plot) {
  return uses(plot, Option::Annotate) || uses(plot, Option::Token);
}

// Reason why a field that the plot uses has no effect with these options; "" when it has.
std::string why_idle(const PlotEntry& plot, const ViewOptions& options,
                     std::string_view field_name);

// Number of layers, from the first one on, that the plot reads; kAllLayers where it may read any.
std::size_t layers_read(const PlotEntry& plot, const ViewOptions& options);

// True if the layers that the plot reads are computed.
bool has_layers(const PlotEntry& plot, const AttentionResult& result, const ViewOptions& options);

// Needs of the plot for a result; fits the options. Cheap: called after every command.
std::vector<Need> needs_of(const PlotEntry& plot, const PlotInput& input,
                           const PlotOptions& options);

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

// Derives all needs of the plot in sequence, without a limit of time; keeps errors too, and reuses
// derivations that the result already has.
Derivations derive_all(const PlotEntry& plot, const Document& document, const ResultPtr& result,
                       const PlotOptions& options, const DerivingOptions& how = {},
                       Derivations known = {});

// The figure with all its needs, computed synchronously: for files and tests.
Result<Figure> draw_complete(const PlotEntry& plot, const Document& document,
                             const ResultPtr& result, const PlotOptions& options,
                             const TextMetrics& metrics);

// --- Several plots on one page, in the places of a layout: one title, one remark, bold letters ---

// Draws the plot of one panel with its derivations.
using DrawPlot = std::function<Result<Figure>(const PlotEntry&, const PlotOptions&)>;

// Draws the panes as panels of equal widths, whatever their shares; neighbours with equal colours
// have one colour bar. `page` has the options of the whole page, the target, the reference and the
// pins of the panels. Usage error where the page is too narrow.
Result<Figure> draw_layout(const Layout& layout, const PlotInput& input, const PlotOptions& page,
                           const TextMetrics& metrics, const DrawPlot& draw);

// True if a field belongs to the page and not to its panels: its size, title, fonts.
bool is_of_the_page(std::string_view field_name);

}  // namespace attn
