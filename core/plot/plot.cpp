#include "plot/plot.h"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "plot/alignment.h"
#include "plot/compare.h"
#include "plot/cost.h"
#include "plot/derived.h"
#include "plot/dimensions.h"
#include "plot/heatmap.h"
#include "plot/measures.h"
#include "plot/positions.h"
#include "plot/sharpness.h"

namespace attn {
namespace {

// Reach functions for members of members, of constant and of mutable options.
struct ReachStage {
  auto& operator()(auto& options) const { return options.view.stage; }
};
struct ReachAttention {
  auto& operator()(auto& options) const { return options.view.attention; }
};
struct ReachLayer {
  auto& operator()(auto& options) const { return options.view.head.layer; }
};
struct ReachSample {
  auto& operator()(auto& options) const { return options.view.head.sample; }
};
struct ReachHead {
  auto& operator()(auto& options) const { return options.view.head.head; }
};
struct ReachColormap {
  auto& operator()(auto& options) const { return options.view.colormap; }
};
struct ReachValues {
  auto& operator()(auto& options) const { return options.view.values; }
};
struct ReachOwnRange {
  auto& operator()(auto& options) const { return options.view.own_range; }
};

template <class Range, class Member>
std::vector<std::string_view> names_of(const Range& entries, Member member) {
  std::vector<std::string_view> names;
  for (const auto& entry : entries) names.push_back(entry.*member);
  return names;
}

std::string_view stage_name(Stage stage) { return stage_info(stage).name; }

std::optional<std::string> known_colormap(std::string_view name) {
  const ColorMapChoice* choice = colormap_choice_named(name);
  return choice != nullptr ? std::optional(std::string(choice->name)) : std::nullopt;
}

constexpr std::array<std::string_view, 3> kThemes = {"paper", "light", "dark"};
constexpr std::array<std::string_view, 2> kPoolings = {"maximum", "mean"};

std::string_view part_name(AttentionPart part) { return attention_part_info(part).name; }

std::optional<AttentionPart> part_named(std::string_view name) {
  for (const AttentionPartInfo& info : all_attention_parts()) {
    if (info.name == name) return info.part;
  }
  return std::nullopt;
}

std::string_view derived_name(Derived derived) { return derived_info(derived).name; }

std::optional<Derived> derived_named(std::string_view name) {
  for (const DerivedInfo& info : all_derived()) {
    if (info.name == name) return info.derived;
  }
  return std::nullopt;
}

template <class Enum, const auto& Names>
std::string_view enum_name(Enum value) {
  return Names[static_cast<std::size_t>(value)];
}

template <class Enum, const auto& Names>
std::optional<Enum> enum_named(std::string_view name) {
  const auto found = std::find(Names.begin(), Names.end(), name);
  if (found == Names.end()) return std::nullopt;
  return static_cast<Enum>(found - Names.begin());
}

std::vector<Field<PlotOptions>> make_fields() {
  using O = PlotOptions;
  constexpr double kMany = 1e6;
  return {
      choice_field<O>("stage", "Stage of the computation", ReachStage{},
                      names_of(all_stages(), &StageInfo::name), stage_name, stage_named),
      choice_field<O>("attention", "Which attention of a decoder's blocks", ReachAttention{},
                      names_of(all_attention_parts(), &AttentionPartInfo::name), part_name,
                      part_named),
      number_field<O>("layer", "Layer, counted from 0", ReachLayer{}, 0, kMany),
      number_field<O>("sample", "Sample, counted from 0", ReachSample{}, 0, kMany),
      number_field<O>("head", "Head, counted from 0", ReachHead{}, 0, kMany),
      choice_field<O>(
          "colormap", "Colour map; auto is viridis for weights and redblue for signed stages",
          ReachColormap{}, names_of(all_colormap_choices(), &ColorMapChoice::name),
          [](const std::string& name) -> std::string_view { return name; }, known_colormap),
      flag_field<O>("values", "Numbers in the cells when they fit", ReachValues{}),
      number_field<O>("decimals", "Digits after the point of those numbers", &O::decimals, 0, 9),
      flag_field<O>("own_range",
                    "Colours of weights from this head's smallest to its largest value",
                    ReachOwnRange{}),
      number_field<O>("range_low", "Value of the lowest colour", &O::range_low),
      number_field<O>("range_high", "Value of the highest colour", &O::range_high),
      choice_field<O>("pooling", "What a pixel shows when it holds several cells", &O::pooling,
                      {kPoolings.begin(), kPoolings.end()}, enum_name<Pooling, kPoolings>,
                      enum_named<Pooling, kPoolings>),
      number_field<O>("pixel_budget", "Pixels per side before cells are pooled", &O::pixel_budget,
                      16, 8192),
      number_field<O>("step", "Decoder steps that are drawn; 0 draws all", &O::step, 0, kMany),
      number_field<O>("kernel", "Tokens that a convolution sees at once", &O::kernel, kLeastKernel,
                      kMostKernel),
      choice_field<O>(
          "matrix", "Which derived matrix: through all layers, over heads, or with values",
          &O::derived, names_of(all_derived(), &DerivedInfo::name), derived_name, derived_named),
      number_field<O>("residual", "Part of a layer's input that goes past its attention",
                      &O::residual, 0, 1),
      text_field<O>("title", "Title instead of the document's; none for no title", &O::title),
      choice_field<O>("theme", "Colours of the figure", &O::theme, {kThemes.begin(), kThemes.end()},
                      enum_name<ThemeKind, kThemes>, enum_named<ThemeKind, kThemes>),
      number_field<O>("width", "Width in points (1/72 inch)", &O::width, 100, 10000),
      number_field<O>("height", "Height in points; 0 takes what the content needs", &O::height, 0,
                      10000),
      number_field<O>("font_size", "Size of labels in points", &O::font_size, 4, 72),
  };
}

// A plot that has something to show of every document.
template <Figure (*Draw)(const PlotInput&, const PlotOptions&, const TextMetrics&)>
Result<Figure> always(const PlotInput& input, const PlotOptions& options,
                      const TextMetrics& metrics) {
  return Draw(input, options, metrics);
}

std::size_t clamped(std::size_t index, std::size_t count) {
  return std::min(index, count > 0 ? count - 1 : 0);
}

// The stage that is there and nearest in the order of computation; the later one of two.
Stage nearest_stage(Stage wanted, const std::vector<Stage>& stages) {
  const auto distance = [&](Stage s) {
    return std::abs(static_cast<int>(s) - static_cast<int>(wanted));
  };
  Stage best = stages.empty() ? wanted : stages.front();
  for (const Stage stage : stages) {
    if (distance(stage) <= distance(best)) best = stage;
  }
  return best;
}

}  // namespace

std::span<const PlotEntry> all_plots() {
  static const std::vector<PlotEntry> kPlots = {
      {"heatmap",
       "Heatmap",
       "One stage of one head as coloured cells: rows are queries, columns keys",
       always<heatmap>,
       {"stage", "attention", "layer", "sample", "head", "colormap", "values", "decimals",
        "own_range", "range_low", "range_high", "pooling", "pixel_budget", "title", "theme",
        "width", "height", "font_size"}},
      {"measures",
       "Measures",
       "What each head of a layer does: entropy, distance, shares, and words for them",
       measures,
       {"attention", "layer", "sample", "values", "decimals", "title", "theme", "width", "height",
        "font_size"}},
      {"derived",
       "Derived",
       "What tokens contribute through all layers, and other matrices made from weights",
       derived_matrix,
       {"attention", "layer", "sample", "head", "colormap", "values", "decimals", "own_range",
        "range_low", "range_high", "pooling", "pixel_budget", "matrix", "residual", "title",
        "theme", "width", "height", "font_size"}},
      {"alignment",
       "Alignment",
       "A recurrent decoder's attention as it grows step by step, beside one fixed vector",
       alignment_plot,
       {"sample", "colormap", "values", "decimals", "own_range", "step", "title", "theme", "width",
        "height", "font_size"},
       true},
      {"dimensions",
       "Dimensions",
       "The shape of every tensor, as bars and as a flow",
       always<dimensions>,
       {"attention", "title", "theme", "width", "height", "font_size"}},
      {"compare",
       "Compare",
       "The weights of one head under every scoring function, side by side",
       compare,
       {"attention", "layer", "sample", "head", "colormap", "values", "decimals", "own_range",
        "title", "theme", "width", "height", "font_size"}},
      {"sharpness",
       "Sharpness",
       "Why scores are divided by √d_k: the softmax over the width of queries and keys",
       always<sharpness_plot>,
       {"attention", "layer", "sample", "head", "title", "theme", "width", "height", "font_size"}},
      {"cost",
       "Cost",
       "Operations, steps, path and memory beside recurrence and convolution",
       always<cost_plot>,
       {"kernel", "title", "theme", "width", "height", "font_size"}},
      {"positions",
       "Positions",
       "The encoding of every position, and attention from positions alone",
       positions_plot,
       {"attention", "sample", "head", "colormap", "values", "decimals", "own_range", "title",
        "theme", "width", "height", "font_size"}},
  };
  return kPlots;
}

const PlotEntry* plot_named(std::string_view name) {
  for (const PlotEntry& plot : all_plots()) {
    if (plot.name == name) return &plot;
  }
  return nullptr;
}

bool applies_to(const PlotEntry& plot, const Document& document) {
  return !plot.of_recurrence || recurrent_of(document) != nullptr;
}

bool uses(const PlotEntry& plot, std::string_view field_name) {
  return std::find(plot.options.begin(), plot.options.end(), field_name) != plot.options.end();
}

std::span<const Field<PlotOptions>> plot_option_fields() {
  static const std::vector<Field<PlotOptions>> kFields = make_fields();
  return kFields;
}

Result<Figure> draw_plot(const PlotEntry& plot, const PlotInput& input, const PlotOptions& options,
                         const TextMetrics& metrics) {
  const AttentionPart part = options.view.attention;
  const AttentionResult& result = input.result.attended(part);
  const PlotOptions fitted = fitted_to(options, result);
  if (!is_decoder(input.document)) return plot.draw({input.document, result}, fitted, metrics);
  return plot.draw({attended(input.document, part), result}, fitted, metrics);
}

Error refused_plot(std::string reason, std::string hint) {
  Error error;
  error.kind = ErrorKind::Usage;
  error.message = std::move(reason);
  error.hint = std::move(hint);
  return error;
}

PlotOptions fitted_to(const PlotOptions& options, const AttentionResult& whole) {
  PlotOptions fitted = options;
  const AttentionResult& result = whole.attended(options.view.attention);
  const AttentionShape& shape = result.shape();
  if (!result.has(fitted.view.stage)) {
    fitted.view.stage = nearest_stage(fitted.view.stage, result.stages());
  }
  HeadAddress& head = fitted.view.head;
  head.layer = clamped(head.layer, shape.layers);
  head.sample = clamped(head.sample, shape.samples);
  head.head = clamped(head.head, shape.heads);
  return fitted;
}

}  // namespace attn
