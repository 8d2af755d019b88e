// What can be set of a plot: one line for each option.
#include "view/fields.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "engine/measures.h"
#include "figure/colormap.h"
#include "view/choices.h"

namespace attn {
namespace {

// Reach functions for members of members, of constant and of mutable options.
struct ReachLayer {
  auto& operator()(auto& options) const { return options.at.layer; }
};
struct ReachSample {
  auto& operator()(auto& options) const { return options.at.sample; }
};
struct ReachHead {
  auto& operator()(auto& options) const { return options.at.head; }
};

template <class Range, class Member>
std::vector<std::string_view> names_of(const Range& entries, Member member) {
  std::vector<std::string_view> names;
  for (const auto& entry : entries) names.push_back(entry.*member);
  return names;
}

std::string_view stage_name(Stage stage) { return stage_info(stage).name; }

std::string_view theme_name(ThemeKind theme) { return theme_info(theme).name; }

std::optional<std::string> known_colormap(std::string_view name) {
  const ColorMapChoice* choice = colormap_choice_named(name);
  return choice != nullptr ? std::optional(std::string(choice->name)) : std::nullopt;
}

constexpr std::array<std::string_view, 3> kMinusFrom = {"auto", "document", "reference"};
constexpr std::array<std::string_view, 3> kCompared = {"difference", "a", "b"};
constexpr std::string_view kSameStage = "same";

std::string_view minus_stage_name(const std::optional<Stage>& stage) {
  return stage ? stage_info(*stage).name : kSameStage;
}

std::optional<std::optional<Stage>> minus_stage_named(std::string_view name) {
  if (name == kSameStage) return std::optional<Stage>();
  const std::optional<Stage> stage = stage_named(name);
  if (!stage) return std::nullopt;
  return stage;
}

std::vector<std::string_view> minus_stages() {
  std::vector<std::string_view> names = names_of(all_stages(), &StageInfo::name);
  names.insert(names.begin(), kSameStage);
  return names;
}

constexpr std::array<std::string_view, 3> kOrientations = {"auto", "columns", "rows"};
static_assert(static_cast<std::size_t>(Orientation::Rows) + 1 == kOrientations.size());
constexpr std::array<std::string_view, 2> kPoolings = {"maximum", "mean"};
constexpr std::array<std::string_view, 6> kSpans = {"auto",  "unit", "head",
                                                    "heads", "rows", "percentile"};
constexpr std::array<std::string_view, 6> kSpanLabels = {
    "Auto range", "0 to 1", "This head", "All heads", "Each row", "99.5th percentile"};

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

std::string_view head_range_name(HeadRange range) { return head_range_info(range).name; }

std::optional<HeadRange> head_range_named(std::string_view name) {
  for (const HeadRangeInfo& info : all_head_ranges()) {
    if (info.name == name) return info.range;
  }
  return std::nullopt;
}

// A measure of heads by its name, or the word for none.
Field<ViewOptions> measure_field(const char* name, const char* help,
                                 std::string ViewOptions::*member, std::string_view none) {
  std::vector<std::string_view> names = names_of(all_measures(), &MeasureInfo::name);
  names.insert(names.begin(), none);
  return choice_field<ViewOptions>(
      name, help, member, names, [](const std::string& word) -> std::string_view { return word; },
      [none](std::string_view word) -> std::optional<std::string> {
        const auto found = std::ranges::find(all_measures(), word, &MeasureInfo::name);
        if (word != none && found == all_measures().end()) return std::nullopt;
        return std::string(word);
      });
}

Field<ViewOptions> colormap_field() {
  Field<ViewOptions> field = choice_field<ViewOptions>(
      "colormap", "Colour map; auto is viridis for weights and redblue for signed stages",
      &ViewOptions::colormap, names_of(all_colormap_choices(), &ColorMapChoice::name),
      [](const std::string& name) -> std::string_view { return name; }, known_colormap);
  field.label = "Colour map";
  field.choice_labels = names_of(all_colormap_choices(), &ColorMapChoice::label);
  field.grows = true;
  return field;
}

// Numbers of heads or of layers.
Field<ViewOptions> list_field(const char* name, const char* help,
                              std::string ViewOptions::*member) {
  Field<ViewOptions> field = text_field<ViewOptions>(name, help, member);
  field.set = [name, member](ViewOptions& options, std::string_view text,
                             Spelling spelling) -> Status {
    if (!heads_named(text, 0)) {
      return fields_detail::refusal(spelt(name, spelling), text, "all, or a list such as 0,3-5");
    }
    options.*member = text;
    return ok_status();
  };
  return field;
}

// How documents and scripts said it when there were two ranges.
Field<ViewOptions> own_range_field() {
  Field<ViewOptions> field =
      flag_field<ViewOptions>("own_range", "The same as range head", &ViewOptions::values);
  field.alias = true;
  field.get = [](const ViewOptions& options) -> std::string {
    return options.range == ColorSpan::Head ? "true" : "false";
  };
  field.set = [](ViewOptions& options, std::string_view text, Spelling spelling) -> Status {
    if (text != "true" && text != "false") {
      return fields_detail::refusal(spelt("own_range", spelling), text, "true or false");
    }
    if (text == "true") options.range = ColorSpan::Head;
    if (text == "false" && options.range == ColorSpan::Head) options.range = ColorSpan::Automatic;
    return ok_status();
  };
  return field;
}

Field<ViewOptions> token_field() {
  Field<ViewOptions> field = text_field<ViewOptions>(
      "token", "The token whose links alone are drawn, such as query 2, counted from 0",
      &ViewOptions::token);
  field.set = [](ViewOptions& options, std::string_view text, Spelling spelling) -> Status {
    if (!text.empty() && !token_chosen(text)) {
      return fields_detail::refusal(spelt("token", spelling), text, "query 2, key 5, or nothing");
    }
    options.token = text;
    return ok_status();
  };
  return field;
}

Field<ViewOptions> with_labels(Field<ViewOptions> field, std::vector<std::string_view> labels) {
  field.choice_labels = std::move(labels);
  return field;
}

Field<ViewOptions> labelled(Field<ViewOptions> field, std::string_view label) {
  field.label = label;
  return field;
}

// NOLINTNEXTLINE(readability-function-size): one list
std::vector<Field<ViewOptions>> make_fields() {
  using O = ViewOptions;
  constexpr double kMany = 1e6;
  return {
      with_labels(
          choice_field<O>("stage", "Stage of the computation", &O::stage,
                          names_of(all_stages(), &StageInfo::name), stage_name, stage_named),
          names_of(all_stages(), &StageInfo::label)),
      with_labels(
          choice_field<O>("attention", "Which attention of a decoder's blocks", &O::attention,
                          names_of(all_attention_parts(), &AttentionPartInfo::name), part_name,
                          part_named),
          names_of(all_attention_parts(), &AttentionPartInfo::label)),
      number_field<O>("layer", "Layer, counted from 0; figures count from 1", ReachLayer{}, 0,
                      kMany),
      number_field<O>("sample", "Sample, counted from 0; figures count from 1", ReachSample{}, 0,
                      kMany),
      number_field<O>("head", "Head, counted from 0; figures count from 1", ReachHead{}, 0, kMany),
      colormap_field(),
      flag_field<O>("values", "Numbers in the cells when they fit", &O::values),
      number_field<O>("decimals", "Digits after the point of those numbers", &O::decimals, 0, 9,
                      "digits"),
      with_labels(
          choice_field<O>("range",
                          "What the colours of weights span; auto is 0 to the largest, on a root "
                          "scale where most would look like 0",
                          &O::range, {kSpans.begin(), kSpans.end()}, enum_name<ColorSpan, kSpans>,
                          enum_named<ColorSpan, kSpans>),
          {kSpanLabels.begin(), kSpanLabels.end()}),
      own_range_field(),
      flag_field<O>("log", "Colours of weights by their logarithm", &O::log),
      number_field<O>("range_low", "Value of the lowest colour", &O::range_low),
      number_field<O>("range_high", "Value of the highest colour", &O::range_high),
      flag_field<O>(
          "histogram",
          "How many cells have which colour, beside the colour bar of an exported figure; "
          "lengths go by the square root",
          &O::histogram),
      flag_field<O>("overview",
                    "All of the matrix, small, in a corner while only a part of it is in view",
                    &O::overview),
      choice_field<O>("pooling", "What a pixel shows when it holds several cells", &O::pooling,
                      {kPoolings.begin(), kPoolings.end()}, enum_name<Pooling, kPoolings>,
                      enum_named<Pooling, kPoolings>),
      number_field<O>("pixel_budget", "Pixels per side before cells are pooled", &O::pixel_budget,
                      16, 8192, "pixels"),
      number_field<O>("step", "Decoder steps that are drawn; 0 draws all", &O::step, 0, kMany,
                      "steps"),
      number_field<O>("kernel", "Tokens that a convolution sees at once", &O::kernel, kLeastKernel,
                      kMostKernel, "tokens"),
      with_labels(
          choice_field<O>("matrix",
                          "Which derived matrix: through all layers, over heads, or with values",
                          &O::derived, names_of(all_derived(), &DerivedInfo::name), derived_name,
                          derived_named),
          names_of(all_derived(), &DerivedInfo::label)),
      number_field<O>("residual", "Part of a layer's input that goes past its attention",
                      &O::residual, 0, 1),
      labelled(flag_field<O>("without_first",
                             "A rollout leaves the share of the first token out, and the rest of "
                             "each row sums to 1",
                             &O::without_first),
               "Leave out the first token"),
      flag_field<O>("all_samples", "The heads of all samples, not of one", &O::all_samples),
      measure_field("sort", "Order of the heads: by layer, or from the largest measure down",
                    &O::sort, "layer"),
      measure_field("tint", "Measure under each head, tinted", &O::tint, "none"),
      choice_field<O>("head_range", "What the colours of each head span", &O::head_range,
                      names_of(all_head_ranges(), &HeadRangeInfo::name), head_range_name,
                      head_range_named),
      number_field<O>("page", "Page, counted from 1, where one cannot hold all heads", &O::page, 1,
                      kMany),
      list_field("layers", "Layers that are drawn: all, or numbers counted from 0, such as 0,3-5",
                 &O::layers),
      list_field("heads", "Heads that are drawn: all, or numbers counted from 0, such as 0,3-5",
                 &O::heads),
      number_field<O>("row_share", "Part of each row that its largest weights make up",
                      &O::row_share, 0, 1),
      number_field<O>("least", "Smallest weight that is drawn, in place of a part of each row",
                      &O::least, 0, 1),
      choice_field<O>("orientation",
                      "Tokens in two columns or two rows; auto takes rows for Chinese, Japanese "
                      "and Korean",
                      &O::orientation, {kOrientations.begin(), kOrientations.end()},
                      enum_name<Orientation, kOrientations>,
                      enum_named<Orientation, kOrientations>),
      token_field(),
      number_field<O>("first_query", "First query in view, counted from 0", &O::first_query, 0,
                      kMany, "tokens"),
      number_field<O>("first_key", "First key in view, counted from 0", &O::first_key, 0, kMany,
                      "tokens"),
      number_field<O>("tokens_shown", "Tokens of each side in view at most", &O::tokens_shown, 1,
                      static_cast<double>(kMostTokensShown), "tokens"),
      choice_field<O>("minus",
                      "Where what is subtracted is from; auto is the reference where there is one",
                      &O::minus, {kMinusFrom.begin(), kMinusFrom.end()},
                      enum_name<MinusFrom, kMinusFrom>, enum_named<MinusFrom, kMinusFrom>),
      choice_field<O>("minus_stage", "Stage of what is subtracted", &O::minus_stage, minus_stages(),
                      minus_stage_name, minus_stage_named),
      number_field<O>("minus_layer",
                      "Layer of what is subtracted, counted from 0; left out the same",
                      &O::minus_layer, 0, kMany),
      number_field<O>("minus_sample",
                      "Sample of what is subtracted, counted from 0; left out the same",
                      &O::minus_sample, 0, kMany),
      number_field<O>("minus_head", "Head of what is subtracted, counted from 0; left out the same",
                      &O::minus_head, 0, kMany),
      choice_field<O>("show", "The difference, or one of its two sides in its place", &O::show,
                      {kCompared.begin(), kCompared.end()}, enum_name<Compared, kCompared>,
                      enum_named<Compared, kCompared>),
      number_field<O>("changes", "Largest changes that are listed", &O::changes, 0, 20, "changes"),
      flag_field<O>("tokens_as_written",
                    "Tokens as their vocabulary writes them: Ġcat or ▁cat in place of ␣cat",
                    &O::tokens_as_written),
      number_field<O>("axis_from", "Left end of the level axis; left out as the numbers want",
                      &O::axis_from),
      number_field<O>("axis_to", "Right end of the level axis; left out as the numbers want",
                      &O::axis_to),
      labelled(flag_field<O>("axis_log", "The upright axis by the logarithm", &O::axis_log),
               "Logarithmic axis"),
      number_field<O>("bins", "Parts of the range in which numbers are counted", &O::bins,
                      static_cast<double>(kFewestBins), static_cast<double>(kMostBins), "bins"),
      flag_field<O>("axes", "Titles and labels of the axes", &O::axes),
      labelled(flag_field<O>("color_bar", "The colour bar beside the matrix", &O::color_bar),
               "Colour bar"),
      text_field<O>("title", "Title instead of the document's; none for no title", &O::title),
      choice_field<O>("theme", "Colours of the figure", &O::theme,
                      names_of(all_themes(), &ThemeInfo::name), theme_name, theme_named),
      number_field<O>("width", "Width in points (1/72 inch)", &O::width, 100, 10000, "points"),
      number_field<O>("height", "Height in points; 0 takes what the content needs", &O::height, 0,
                      10000, "points"),
      number_field<O>("font_size",
                      "Size of labels in points; secondary text is at most 1.5 points smaller",
                      &O::font_size, 4, 72, "points"),
  };
}

}  // namespace

std::span<const Field<ViewOptions>> plot_option_fields() {
  static const std::vector<Field<ViewOptions>> kFields = make_fields();
  return kFields;
}

const Field<ViewOptions>* plot_option_named(std::string_view name) {
  for (const Field<ViewOptions>& field : plot_option_fields()) {
    if (field.name == name) return &field;
  }
  return nullptr;
}

bool is_of_the_strip(std::string_view field_name) {
  constexpr std::string_view kOfTheStrip[] = {"stage", "attention", "layer", "sample", "head"};
  return std::ranges::find(kOfTheStrip, field_name) != std::end(kOfTheStrip);
}

bool is_of_a_file(std::string_view field_name) {
  constexpr std::string_view kOfFiles[] = {"axes",  "color_bar", "histogram", "title",
                                           "theme", "width",     "height",    "font_size"};
  return std::ranges::find(kOfFiles, field_name) != std::end(kOfFiles);
}

}  // namespace attn
