// The list of plots, and the one way in which they are drawn.
#include "plot/all_plots.h"

#include <algorithm>

#include "document/provenance.h"
#include "engine/distance_profile.h"
#include "figure/lettering.h"
#include "plot/charts/cost.h"
#include "plot/charts/dimensions.h"
#include "plot/charts/distances.h"
#include "plot/charts/distribution.h"
#include "plot/charts/link_needs.h"
#include "plot/charts/links.h"
#include "plot/charts/measures.h"
#include "plot/charts/sharpness.h"
#include "plot/maps/alignment.h"
#include "plot/maps/compare.h"
#include "plot/maps/derived.h"
#include "plot/maps/difference.h"
#include "plot/maps/heads.h"
#include "plot/maps/heatmap.h"
#include "plot/maps/positions.h"
#include "plot/parts/items.h"
#include "text/nearest.h"

namespace attn {
namespace {

// A plot that has something to show of every document.
template <Figure (*Draw)(const PlotInput&, const PlotOptions&, const TextMetrics&)>
Result<Figure> always(const PlotInput& input, const PlotOptions& options,
                      const TextMetrics& metrics) {
  return Draw(input, options, metrics);
}

}  // namespace

// NOLINTNEXTLINE(readability-function-size): one list
std::span<const PlotEntry> all_plots() {
  static const std::vector<PlotEntry> kPlots = {
      {"heatmap",
       "Heatmap",
       "One stage of one head as coloured cells: rows are queries, columns keys",
       heatmap_plot,
       {"stage",      "attention", "layer",    "sample",    "head",         "colormap",
        "values",     "decimals",  "range",    "own_range", "log",          "range_low",
        "range_high", "histogram", "overview", "pooling",   "pixel_budget", "tokens_as_written",
        "axes",       "color_bar", "title",    "theme",     "width",        "height",
        "font_size"},
       nullptr,
       heatmap_needs,
       true},
      {"heads",
       "Heads",
       "All heads of all layers as small heatmaps, in the order of layers or of a measure",
       heads_plot,
       {"attention", "sample", "colormap", "decimals", "pooling", "pixel_budget", "all_samples",
        "sort", "tint", "head_range", "page", "layers", "heads", "color_bar", "title", "theme",
        "width", "height", "font_size"},
       nullptr,
       heads_needs,
       false,
       heads_hover},
      {"links",
       "Links",
       "Tokens of both sides joined by lines as opaque as the weights, for any number of heads",
       links_plot,
       {"attention", "layer", "sample", "heads", "row_share", "least", "orientation", "token",
        "first_query", "first_key", "tokens_shown", "tokens_as_written", "title", "theme", "width",
        "height", "font_size"},
       nullptr,
       links_needs},
      {"measures",
       "Measures",
       "What each head of a layer does: entropy, distance, shares, and words for them",
       measures,
       {"attention", "layer", "sample", "values", "decimals", "color_bar", "title", "theme",
        "width", "height", "font_size"},
       nullptr,
       measures_needs},
      {"derived",
       "Derived",
       "What tokens contribute through all layers, and other matrices made from weights",
       derived_matrix,
       {"attention",    "layer",      "sample",    "head",          "colormap",
        "values",       "decimals",   "range",     "own_range",     "log",
        "range_low",    "range_high", "histogram", "overview",      "pooling",
        "pixel_budget", "matrix",     "residual",  "without_first", "tokens_as_written",
        "axes",         "color_bar",  "title",     "theme",         "width",
        "height",       "font_size"},
       nullptr,
       derived_needs,
       true},
      {"difference",
       "Difference",
       "One matrix minus another: heads, layers, stages, samples, or a reference",
       difference_plot,
       {"stage",       "attention",
        "layer",       "sample",
        "head",        "colormap",
        "values",      "decimals",
        "range_low",   "range_high",
        "histogram",   "overview",
        "pooling",     "pixel_budget",
        "minus",       "minus_stage",
        "minus_layer", "minus_sample",
        "minus_head",  "show",
        "changes",     "tokens_as_written",
        "axes",        "color_bar",
        "title",       "theme",
        "width",       "height",
        "font_size"},
       nullptr,
       difference_needs,
       true},
      {"alignment",
       "Alignment",
       "A recurrent decoder's attention as it grows step by step, beside one fixed vector",
       alignment_plot,
       {"sample", "colormap", "values", "decimals", "range", "own_range", "step",
        "tokens_as_written", "axes", "color_bar", "title", "theme", "width", "height", "font_size"},
       nothing_to_follow},
      {"dimensions",
       "Dimensions",
       "The shape of every tensor, as bars and as a flow",
       always<dimensions>,
       {"attention", "title", "theme", "width", "height", "font_size"},
       nullptr,
       nullptr,
       false,
       nullptr,
       true},
      {"compare",
       "Compare",
       "The weights of one head under every scoring function, side by side",
       compare,
       {"attention", "layer", "sample", "head", "colormap", "values", "decimals", "range",
        "own_range", "tokens_as_written", "axes", "color_bar", "title", "theme", "width", "height",
        "font_size"},
       nothing_to_compare,
       compare_needs},
      {"sharpness",
       "Sharpness",
       "Why scores are divided by √d_k: the softmax over the width of queries and keys",
       sharpness_plot,
       {"attention", "layer", "sample", "head", "axis_from", "axis_to", "title", "theme", "width",
        "height", "font_size"},
       nullptr,
       sharpness_needs},
      {"distribution",
       "Distribution",
       "How often which number occurs in one stage of one head",
       distribution_plot,
       {"stage", "attention", "layer", "sample", "head", "axis_from", "axis_to", "axis_log", "bins",
        "title", "theme", "width", "height", "font_size"},
       nullptr,
       distribution_needs},
      {"distances",
       "Distances",
       "How much weight goes how far: the mean weight by the distance from key to query",
       distances_plot,
       {"attention", "layer", "sample", "head", "axis_from", "axis_to", "axis_log", "title",
        "theme", "width", "height", "font_size"},
       nothing_at_distances,
       distances_needs},
      {"cost",
       "Cost",
       "Operations, steps, path and memory beside recurrence and convolution",
       cost_plot,
       {"kernel", "axis_from", "axis_to", "title", "theme", "width", "height", "font_size"},
       nothing_to_count,
       nullptr,
       false,
       nullptr,
       true},
      {"positions",
       "Positions",
       "The encoding of every position, and attention from positions alone",
       positions_plot,
       {"attention", "sample", "head", "colormap", "values", "decimals", "range", "own_range",
        "tokens_as_written", "axes", "color_bar", "title", "theme", "width", "height", "font_size"},
       nothing_positioned,
       positions_needs},
  };
  return kPlots;
}

const PlotEntry* plot_named(std::string_view name) {
  for (const PlotEntry& plot : all_plots()) {
    if (plot.name == name) return &plot;
  }
  return nullptr;
}

std::string unknown_plot(const std::string& name) {
  std::vector<std::string_view> names;
  for (const PlotEntry& plot : all_plots()) names.push_back(plot.name);
  return unknown_in_view("plot", name, names, std::string(kUsualPlot));
}

std::string why_nothing(const PlotEntry& plot, const AttentionResult& result) {
  return plot.nothing == nullptr ? "" : plot.nothing(result.problem());
}

bool uses(const PlotEntry& plot, std::string_view field_name) {
  return std::find(plot.options.begin(), plot.options.end(), field_name) != plot.options.end();
}

namespace {

std::string why_idle_of_stage(Stage stage) {
  return stage_info(stage).per_head ? "" : "This stage joins all heads";
}

std::string why_idle_of_derived(Derived derived, std::string_view field) {
  const bool of_all_layers = derived_info(derived).of_all_layers;
  if (field == "residual") {
    return of_all_layers ? "" : "Only matrices through all layers have a residual share";
  }
  if (field == "without_first") {
    return derived == Derived::Rollout ? "" : "Only a rollout leaves the first token out";
  }
  if (field == "layer") return of_all_layers ? "This matrix goes through all layers" : "";
  if (field != "head" || derived == Derived::ValueNorm) return "";
  return "This matrix joins all heads";
}

}  // namespace

std::string why_idle(const PlotEntry& plot, const ViewOptions& options,
                     std::string_view field_name) {
  if (uses(plot, "matrix")) return why_idle_of_derived(options.derived, field_name);
  if (!uses(plot, "stage")) return "";
  if (field_name == "head") return why_idle_of_stage(options.stage);
  if (field_name == "log" && options.stage != Stage::Weights)
    return "Only weights have a logarithm";
  if (field_name != "minus_head") return "";
  return why_idle_of_stage(options.minus_stage.value_or(options.stage));
}

namespace {

Result<Figure> drawn_once(const PlotEntry& plot, const PlotInput& input, const PlotOptions& options,
                          const TextMetrics& metrics) {
  const AttentionPart part = options.attention;
  const AttentionResult& result = input.result.attended(part);
  const PlotOptions fitted = fitted_to(options, result);
  const bool as_written = uses(plot, "tokens_as_written") && options.tokens_as_written;
  const bool one = attentions_of(input.document).size() == 1;  // which needs no copy
  if (one && !as_written) {
    return plot.draw({input.document, result, input.derivations}, fitted, metrics);
  }
  const Document shown = with_spelling(attended(input.document, part), as_written);
  return plot.draw({shown, result, input.derivations}, fitted, metrics);
}

// A second time where the page makes what is drawn smaller, which its dots are then counted by.
Result<Figure> drawn_for_file(const PlotEntry& plot, const PlotInput& input,
                              const PlotOptions& options, const TextMetrics& metrics) {
  Result<Figure> figure = drawn_once(plot, input, options, metrics);
  if (!figure || figure->scale >= 1.0) return figure;
  PlotOptions smaller = options;
  smaller.page_scale = figure->scale;
  return drawn_once(plot, input, smaller, metrics);
}

constexpr double kNoteMargin = 0.9;  // ems: that of pages

// Lines below a figure.
struct Footnote {
  std::vector<std::string> lines;
  FontStyle font;
  double height() const { return 1.5 * font.size * static_cast<double>(lines.size()); }
};

Footnote footnote_of(const PlotEntry& plot, const Document& document, const PlotOptions& options,
                     const TextMetrics& metrics) {
  const FontStyle font{secondary_size(options.font_size), false, false, true};
  if (plot.of_shapes || options.title == "none") return {{}, font};
  const double width = options.width - 2.0 * kNoteMargin * options.font_size;
  return {wrapped(metrics, generated_sentence(document), font, width, 3), font};
}

void add_footnote(Figure& figure, const Footnote& note, const PlotOptions& options) {
  for (const std::string& line : note.lines) {
    const Point at{kNoteMargin * options.font_size, figure.height + note.font.size};
    figure.items.emplace_back(text_item(at, line, note.font, figure_theme(options.theme).muted));
    figure.height += 1.5 * note.font.size;
    figure.alt_text += (&line == note.lines.data() ? ". " : " ") + line;
  }
}

}  // namespace

Result<Figure> draw_plot(const PlotEntry& plot, const PlotInput& input, const PlotOptions& options,
                         const TextMetrics& metrics) {
  const bool is_of_a_file = options.dots_per_unit > 0.0 || options.previewed;
  if (!is_of_a_file) return drawn_once(plot, input, options, metrics);
  const Footnote note = footnote_of(plot, input.document, options, metrics);
  PlotOptions above = options;
  if (options.height > 0.0) above.height = std::max(options.height - note.height(), 1.0);
  Result<Figure> figure = drawn_for_file(plot, input, above, metrics);
  if (figure) add_footnote(*figure, note, options);
  return figure;
}

}  // namespace attn
