// The list of plots, and the drawing of plots and deriving of their needs.
#include "plot/all_plots.h"

#include <algorithm>
#include <new>

#include "base/number_text.h"
#include "document/provenance.h"
#include "engine/measures.h"
#include "figure/text.h"
#include "kinds/parts/atlas.h"
#include "kinds/parts/logits.h"
#include "plot/account/account.h"
#include "plot/charts/charts.h"
#include "plot/kit/page.h"
#include "plot/maps/heads.h"
#include "plot/maps/heatmap.h"
#include "plot/maps/maps.h"
#include "text/nearest.h"
#include "view/fields.h"

namespace attn {
namespace {

using O = Option;

constexpr OptionSet kPaper = O::Title | O::Theme | O::Width | O::Height | O::FontSize | O::Font;
constexpr OptionSet kFigure = kPaper | O::Notes;
constexpr OptionSet kAddress = O::Attention | O::Layer | O::Sample | O::Head;
constexpr OptionSet kCells = kFigure | O::Colormap | O::Values | O::Annotate | O::Decimals |
                             O::TokensAsWritten | O::Axes | O::ColorBar;
constexpr OptionSet kSpan = O::Range | O::OwnRange;
constexpr OptionSet kLargeMap = kCells | O::MapRows | O::XTitle | O::YTitle | O::RangeLow |
                                O::RangeHigh | O::Histogram | O::Overview | O::Pooling |
                                O::PixelBudget;
constexpr OptionSet kAxis = kFigure | O::AxisFrom | O::AxisTo;
constexpr OptionSet kOneChart = kAxis | O::XTitle | O::YTitle;

constexpr std::string_view kModelRemedy = "open the folder of a language model";

std::string why_idle_of_stage(Stage stage) {
  return stage_info(stage).per_head ? "" : "This stage joins all heads";
}

std::string why_idle_of_derived(Derived derived, Option option) {
  const bool of_all_layers = derived_info(derived).of_all_layers;
  switch (option) {
    case Option::Residual:
      return of_all_layers ? "" : "Only matrices through all layers have a residual share";
    case Option::WithoutFirst:
      return derived == Derived::Rollout ? "" : "Only a rollout leaves the first token out";
    case Option::Layer:
      return of_all_layers ? "This matrix goes through all layers" : "";
    case Option::Head:
      return derived == Derived::ValueNorm ? "" : "This matrix joins all heads";
    default:
      return "";
  }
}

// Plots without a choice of the stage show weights.
void set_stage(const PlotEntry& plot, FittedView& view) {
  if (!uses(plot, Option::Stage)) view.options.stage = Stage::Weights;
}

Result<Figure> drawn_once(const PlotEntry& plot, const PlotInput& input, const PlotOptions& options,
                          const TextMetrics& metrics) {
  const bool as_written = uses(plot, Option::TokensAsWritten) && options.tokens_as_written;
  const Document spelt = as_written ? with_spelling(input.document) : Document();
  Drawing drawing({as_written ? spelt : input.document, input.result, input.derivations}, options,
                  metrics);
  set_stage(plot, drawing);
  const std::string nothing = why_nothing(plot, input.result, drawing.options.at);
  if (!nothing.empty()) return usage_error(nothing, std::string(plot.remedy));
  return plot.draw(drawing);
}

// Draws again when the page scales the figure down, as the scale decides the number of dots.
Result<Figure> drawn_for_file(const PlotEntry& plot, const PlotInput& input,
                              const PlotOptions& options, const TextMetrics& metrics) {
  Result<Figure> figure = drawn_once(plot, input, options, metrics);
  if (!figure || figure->scale >= 1.0) return figure;
  PlotOptions smaller = options;
  smaller.page_scale = figure->scale;
  return drawn_once(plot, input, smaller, metrics);
}

class FamilyMetrics final : public TextMetrics {
 public:
  FamilyMetrics(const TextMetrics& metrics, const std::string* family)
      : metrics_(metrics), family_(family) {}
  TextExtent measure(std::string_view text, const FontStyle& font) const override {
    FontStyle own = font;
    own.family = family_;
    return metrics_.measure(text, own);
  }

 private:
  const TextMetrics& metrics_;
  const std::string* family_;
};

// Lines below a figure.
std::vector<std::string> footnote_of(const PlotEntry& plot, const Document& document,
                                     const PlotOptions& options, const TextMetrics& metrics) {
  const bool is_plain =
      options.title == kNoTitle && document.remark.empty() && document.what_if == Interventions{};
  if (plot.of_shapes || options.is_panel || is_plain || !options.notes) return {};
  const double width = options.width - 2.0 * kMargin * options.font_size;
  return wrapped(metrics, footnote(document), words_font(options.font_size), width, 3);
}

void add_footnote(Figure& figure, const std::vector<std::string>& lines,
                  const PlotOptions& options) {
  const FontStyle font = words_font(options.font_size);
  for (const std::string& line : lines) {
    const Point at{kMargin * options.font_size, figure.height + font.size};
    figure.add(text_item(at, line, font, figure_theme(options.theme).muted));
    figure.height += 1.5 * font.size;
    const bool ends_one = figure.alt_text.ends_with('.') || &line != lines.data();
    figure.alt_text += (ends_one ? " " : ". ") + line;
  }
}

Result<Figure> drawn_with_notes(const PlotEntry& plot, const PlotInput& input,
                                const PlotOptions& options, const TextMetrics& metrics) {
  const bool is_of_a_file = options.is_file() || options.previewed;
  if (!is_of_a_file) return drawn_once(plot, input, options, metrics);
  const std::vector<std::string> note = footnote_of(plot, input.document, options, metrics);
  const double height = 1.5 * words_font(options.font_size).size * static_cast<double>(note.size());
  PlotOptions above = options;
  if (options.height > 0.0) above.height = std::max(options.height - height, 1.0);
  Result<Figure> figure = drawn_for_file(plot, input, above, metrics);
  if (figure) add_footnote(*figure, note, options);
  return figure;
}

Error out_of_memory(const std::string& label) {
  return {.kind = ErrorKind::OverMemoryLimit,
          .message = label + " needs more memory than there is",
          .hint = "use fewer tokens, or close other programs"};
}

std::string in_all(std::uint64_t bytes) {
  return bytes_text(bytes) + " (" + grouped_text(bytes) + " bytes)";
}

Status check_memory(const Need& need, const AttentionResult& result, const DerivingOptions& how) {
  const std::uint64_t limit = how.memory_limit_bytes;
  const std::uint64_t used = materialised_bytes(result.problem()) + how.in_use_bytes;
  if (need.bytes == 0 || (used <= limit && need.bytes <= limit - used)) return ok_status();
  return Error{.kind = ErrorKind::OverMemoryLimit,
               .message = need.label + " needs " + in_all(need.bytes) +
                          ", more than the memory limit allows",
               .found = bytes_text(used) + " in use already",
               .expected = "at most " + in_all(limit) + " in all",
               .hint = "use fewer tokens, or raise the memory limit"};
}

}  // namespace

// NOLINTNEXTLINE(readability-function-size): one list
std::span<const PlotEntry> all_plots() {
  static const std::vector<PlotEntry> kPlots = {
      {.name = "heatmap",
       .label = "Heatmap",
       .help = "One stage of one head as coloured cells: rows are queries, columns keys",
       .draw = heatmap_plot,
       .options = kLargeMap | kAddress | kSpan | O::Stage | O::Log,
       .needs = heatmap_needs,
       .fills_room = true},
      {.name = "heads",
       .label = "Heads",
       .help = "All heads of all layers as small heatmaps, by layer or sorted by a measure",
       .draw = heads_plot,
       .options = kFigure | O::Attention | O::Sample | O::Colormap | O::Decimals | O::Pooling |
                  O::PixelBudget | O::AllSamples | O::Sort | O::Tint | O::HeadRange | O::Page |
                  O::Layers | O::Heads | O::ColorBar,
       .needs = heads_needs,
       .hover = heads_hover,
       .compares = true},
      {.name = "links",
       .label = "Links",
       .help = "Tokens of both sides joined by lines as opaque as the weights, of any heads",
       .draw = links_plot,
       .options = kFigure | kAddress | O::Heads | O::RowShare | O::Least | O::Orientation |
                  O::Token | O::FirstQuery | O::FirstKey | O::TokensShown | O::TokensAsWritten,
       .needs = links_needs},
      {.name = "text",
       .label = "Text",
       .help = "The sentence, tinted by what one token takes from the others and gives them",
       .draw = text_plot,
       .options = kFigure | O::Attention | O::Sample | O::Layers | O::Heads | O::Token |
                  O::Direction | O::Words | O::TokensAsWritten,
       .needs = text_needs},
      {.name = "token",
       .label = "One token",
       .help = "What one token takes, or what is taken from it, in every head of every layer",
       .draw = token_plot,
       .options =
           kCells | O::Attention | O::Sample | O::Layers | O::Heads | O::Token | O::PixelBudget,
       .needs = token_needs,
       .hover = token_hover},
      {.name = "why",
       .label = "Why",
       .help = "Where one weight comes from: its score by dimension, its row, what its key adds",
       .draw = why_plot,
       .options = kFigure | kAddress | O::Token | O::Decimals | O::TokensAsWritten,
       .needs = why_needs,
       .of_one_cell = true},
      {.name = "flow",
       .label = "Flow",
       .help = "How one weight comes about, step by step, from its query and key to the output",
       .draw = story_plot,
       .options = kFigure | kAddress | O::Token | O::Step | O::Decimals | O::TokensAsWritten,
       .nothing = no_story_reason,
       .needs = account_needs,
       .steps = story_steps,
       .of_one_cell = true},
      {.name = "next",
       .label = "Next token",
       .help = "What a language model writes next, or at a mask: its likeliest tokens, in percent",
       .draw = next_plot,
       .options = kFigure | O::Token | O::Decimals | O::TokensAsWritten,
       .nothing = nothing_predicted,
       .remedy = kModelRemedy,
       .needs = next_needs,
       .compares = true},
      {.name = "lens",
       .label = "Lens",
       .help = "What a language model would write at each token if it ended after each layer",
       .draw = lens_plot,
       .options = kFigure | O::Colormap | O::Values | O::TokensAsWritten | O::Axes | O::ColorBar |
                  O::FirstQuery | O::TokensShown,
       .nothing = nothing_predicted,
       .remedy = kModelRemedy,
       .needs = lens_needs,
       .compares = true},
      {.name = "atlas",
       .label = "Atlas",
       .help = "What follows when each head alone is taken out, or is that of another text",
       .draw = atlas_plot,
       .options = kFigure | O::Attention | O::Sample | O::Token | O::Colormap | O::Values |
                  O::Decimals | O::TokensAsWritten | O::ColorBar | O::ByEffect | O::FromReference,
       .nothing = why_no_atlas,
       .remedy = kModelRemedy,
       .needs = atlas_needs,
       .compares = true},
      {.name = "measures",
       .label = "Measures",
       .help = "What each head of a layer does: entropy, distance, shares, and words for them",
       .draw = measures,
       .options =
           kFigure | O::Attention | O::Layer | O::Sample | O::Values | O::Decimals | O::ColorBar,
       .needs = measures_needs,
       .hover = measures_hover},
      {.name = "derived",
       .label = "Derived",
       .help = "What tokens contribute through all layers, and other matrices made from weights",
       .draw = derived_matrix,
       .options = kLargeMap | kAddress | kSpan | O::Log | O::Matrix | O::Residual | O::WithoutFirst,
       .needs = derived_needs,
       .fills_room = true},
      {.name = "difference",
       .label = "Difference",
       .help = "One matrix minus another: heads, layers, stages, samples, or a reference",
       .draw = difference_plot,
       .options = kLargeMap | kAddress | O::Stage | O::Minus | O::MinusStage | O::MinusLayer |
                  O::MinusSample | O::MinusHead | O::Show | O::Changes,
       .needs = difference_needs,
       .fills_room = true,
       .compares = true},
      {.name = "alignment",
       .label = "Alignment",
       .help = "A recurrent decoder's attention, growing step by step, beside one fixed vector",
       .draw = alignment_plot,
       .options = kCells | O::Sample | O::Step,
       .nothing = nothing_to_follow,
       .remedy = "open the example “Encoder–decoder”, or add \"recurrent\": {} to a document with "
                 "query_tokens and key_tokens"},
      {.name = "dimensions",
       .label = "Dimensions",
       .help = "The shape of every tensor, as bars and as a flow",
       .draw = dimensions,
       .options = kPaper | O::Attention,
       .of_shapes = true},
      {.name = "compare",
       .label = "Compare",
       .help = "The weights of one head under every scoring function, side by side",
       .draw = compare,
       .options = kCells | kAddress,
       .nothing = nothing_to_compare,
       .needs = compare_needs},
      {.name = "sharpness",
       .label = "Sharpness",
       .help = "Why scores are divided by √d_k: the softmax over the width of queries and keys",
       .draw = sharpness_plot,
       .options = kAxis | kAddress,
       .needs = sharpness_needs},
      {.name = "distribution",
       .label = "Distribution",
       .help = "Distribution of the numbers in one stage of one head",
       .draw = distribution_plot,
       .options = kOneChart | kAddress | O::Stage | O::AxisLog | O::Bins,
       .needs = distribution_needs},
      {.name = "distances",
       .label = "Distances",
       .help = "Mean weight by the distance between query and key",
       .draw = distances_plot,
       .options = kOneChart | kAddress | O::AxisLog,
       .nothing = nothing_at_distances,
       .needs = distances_needs},
      {.name = "cost",
       .label = "Cost",
       .help = "Operations, steps, path and memory beside recurrence and convolution",
       .draw = cost_plot,
       .options = kAxis | O::Kernel,
       .nothing = nothing_to_count,
       .of_shapes = true},
      {.name = "positions",
       .label = "Positions",
       .help = "The encoding of every position, and attention from positions alone",
       .draw = positions_plot,
       .options = kCells | O::Attention | O::Sample | O::Head,
       .nothing = nothing_positioned,
       .needs = positions_needs},
  };
  return kPlots;
}

const PlotEntry* plot_named(std::string_view name) {
  for (const PlotEntry& plot : all_plots()) {
    if (plot.name == name) return &plot;
  }
  return nullptr;
}

bool is_played(std::string_view name) {
  const PlotEntry* const plot = plot_named(name);
  return plot != nullptr && plot->steps != nullptr;
}

std::string unknown_plot(const std::string& name) {
  return unknown_in_view("plot", name, names_of(all_plots(), &PlotEntry::name),
                         std::string(kUsualPlot));
}

std::string why_nothing(const PlotEntry& plot, const AttentionResult& result,
                        const HeadAddress& at) {
  return plot.nothing == nullptr ? "" : plot.nothing(result.problem(), at);
}

bool uses(const PlotEntry& plot, std::string_view field_name) {
  const std::optional<Option> option = option_named(field_name);
  return option && uses(plot, *option);
}

std::string why_idle(const PlotEntry& plot, const ViewOptions& options,
                     std::string_view field_name) {
  const std::optional<Option> option = option_named(field_name);
  if (!option) return "";
  if (uses(plot, Option::Matrix)) return why_idle_of_derived(options.derived, *option);
  if (!uses(plot, Option::Stage)) return "";
  if (option == Option::Head) return why_idle_of_stage(options.stage);
  if (option == Option::Log && options.stage != Stage::Weights) {
    return "Only weights have a logarithm";
  }
  if (option != Option::MinusHead) return "";
  return why_idle_of_stage(options.minus_stage.value_or(options.stage));
}

std::size_t layers_read(const PlotEntry& plot, const ViewOptions& options) {
  if (plot.of_shapes) return 1;
  const bool reads_one = uses(plot, Option::Layer) && why_idle(plot, options, "layer").empty() &&
                         options.stage != Stage::FinalNorm &&
                         options.minus_stage != Stage::FinalNorm;
  if (!reads_one) return kAllLayers;
  const bool subtracts = uses(plot, Option::MinusLayer);
  return std::max(options.at.layer, subtracts ? options.minus_layer.value_or(0) : 0) + 1;
}

bool has_layers(const PlotEntry& plot, const AttentionResult& result, const ViewOptions& options) {
  const std::size_t ready = result.layers_ready();
  return ready >= result.shape().layers || ready >= layers_read(plot, options);
}

Result<Figure> with_family(const ViewOptions& options, const TextMetrics& metrics,
                           const std::function<Result<Figure>(const TextMetrics&)>& draw) {
  const std::string* family = options.font.empty() ? nullptr : font_family_named(options.font);
  if (family == nullptr) return draw(metrics);
  Result<Figure> figure = draw(FamilyMetrics(metrics, family));
  if (!figure) return figure;
  for (FigureItem& item : figure->items) {
    if (auto* text = std::get_if<TextItem>(&item)) text->font.family = family;
  }
  return figure;
}

Result<Figure> draw_plot(const PlotEntry& plot, const PlotInput& input, const PlotOptions& options,
                         const TextMetrics& metrics) {
  return with_family(options, metrics, [&](const TextMetrics& own) {
    return drawn_with_notes(plot, input, options, own);
  });
}

std::vector<Need> needs_of(const PlotEntry& plot, const PlotInput& input,
                           const PlotOptions& options) {
  if (plot.needs == nullptr) return {};
  FittedView view(input, options);
  set_stage(plot, view);
  if (!why_nothing(plot, input.result, view.options.at).empty()) return {};
  return plot.needs(view);
}

Result<DerivationPtr> derive(const Need& need, const Document& document, const ResultPtr& result,
                             const DerivingOptions& how) {
  if (const Status fits = check_memory(need, *result, how); !fits) return fits.error();
  try {
    return need.derive({document, result, how.progress});
  } catch (const std::bad_alloc&) {
    return out_of_memory(need.label);
  }
}

Derivations derive_all(const PlotEntry& plot, const Document& document, const ResultPtr& result,
                       const PlotOptions& options, const DerivingOptions& how, Derivations known) {
  const std::vector<Need> needs = needs_of(plot, {document, *result}, options);
  for (std::size_t i = 0; i < needs.size(); ++i) {
    if (known.find(needs[i].key) != nullptr) continue;
    const ProgressPart part(how.progress, i, needs.size());
    DerivingOptions next = how;
    next.in_use_bytes += known.bytes();
    known.keep(needs[i].key, derive(needs[i], document, result, next));
  }
  return known;
}

Result<Figure> draw_complete(const PlotEntry& plot, const Document& document,
                             const ResultPtr& result, const PlotOptions& options,
                             const TextMetrics& metrics) {
  const Derivations all = derive_all(plot, document, result, options);
  return draw_plot(plot, {document, *result, &all}, options, metrics);
}

}  // namespace attn
