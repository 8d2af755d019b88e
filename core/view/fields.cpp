// Descriptions of the options of plots, one row each.
#include "view/fields.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "base/enum_table.h"
#include "base/joined.h"
#include "base/number_text.h"
#include "base/parsed_number.h"
#include "base/utf8.h"
#include "engine/measures.h"
#include "figure/colormap.h"
#include "view/length.h"

namespace attn {
namespace {

constexpr std::array<std::string_view, 3> kMinusFrom = {"auto", "document", "reference"};
constexpr std::array<std::string_view, 3> kCompared = {"difference", "a", "b"};
constexpr std::array<std::string_view, 3> kOrientations = {"auto", "columns", "rows"};
constexpr std::array<std::string_view, 3> kTextDirections = {"both", "gives", "gets"};
constexpr std::array<std::string_view, 2> kPoolings = {"maximum", "mean"};
constexpr std::array<std::string_view, 5> kSpans = {"auto", "unit", "head", "heads", "rows"};
constexpr std::array<std::string_view, 4> kMapRows = {"queries", "queries_up", "keys", "keys_up"};
constexpr std::array<std::string_view, 4> kHeadRanges = {"auto", "head", "shared", "unit"};

static_assert(count_of<Option>() <= 128, "an OptionSet has 128 bits");

constexpr std::string_view kSameStage = "same";

// A choice that no table has, and the texts of the rows of one.
template <class Rows, class Member>
std::vector<std::string_view> with_names(std::string_view first, const Rows& rows, Member member) {
  std::vector<std::string_view> names = names_of(rows, member);
  names.insert(names.begin(), first);
  return names;
}

Field<ViewOptions> minus_stage_field() {
  return choice_field<ViewOptions>(
      "minus_stage", "Stage of the subtracted matrix", &ViewOptions::minus_stage,
      with_names(kSameStage, all_stages(), &StageInfo::name),
      [](const std::optional<Stage>& stage) {
        return stage ? stage_info(*stage).name : kSameStage;
      },
      [](std::string_view name) -> std::optional<std::optional<Stage>> {
        if (name == kSameStage) return std::optional<Stage>();
        if (const std::optional<Stage> stage = stage_named(name)) return stage;
        return std::nullopt;
      });
}

Field<ViewOptions> colormap_field() {
  const auto names = with_names(kAutomaticColormap, all_colormaps(), &ColorMap::name);
  Field<ViewOptions> field = choice_field<ViewOptions>(
      "colormap",
      "Colour map, or colours as in #fff,#08306b; auto is viridis for weights and redblue for "
      "signed stages",
      &ViewOptions::colormap, names,
      [](const std::string& name) -> std::string_view { return name; },
      [names](std::string_view text) -> std::optional<std::string> {
        const std::string name = in_small_letters(text);
        return std::ranges::find(names, name) == names.end() ? std::nullopt : std::optional(name);
      });
  field.label = "Colour map";
  field.choice_labels = with_names("Automatic", all_colormaps(), &ColorMap::label);
  field.grows = true;
  field.may_list = true;
  field.set = [named = field.set](ViewOptions& options, std::string_view text,
                                  Spelling spelling) -> Status {
    if (!lists_colors(text)) return named(options, text, spelling);
    const Result<const ColorMap*> map = listed_colormap(text);
    if (!map) {
      return fields_detail::refusal(spelt("colormap", spelling), map.error().found,
                                    map.error().expected);
    }
    options.colormap = (*map)->name;
    return ok_status();
  };
  return field;
}

Field<ViewOptions> length_field(const char* name, const char* help, double ViewOptions::*member,
                                double least, double most) {
  Field<ViewOptions> field = number_field<ViewOptions>(name, help, member, least, most, "pt");
  field.is_length = true;
  const auto read = [least, most](std::string_view text) {
    const std::optional<double> points = points_of(text);
    return points && *points >= least && *points <= most ? points : std::nullopt;
  };
  const std::string expected = "a length from " + plain_text(least) + " to " + plain_text(most) +
                               " points, which may be in mm, cm, in, pt or px, such as 85mm";
  field.set = fields_detail::setter<ViewOptions>(name, member, read, expected);
  return field;
}

// List of heads or layers.
Field<ViewOptions> list_field(const char* name, const char* help,
                              std::string ViewOptions::*member) {
  return text_field<ViewOptions>(
      name, help, member, [](std::string_view text) { return heads_named(text, 0).has_value(); },
      "all, or a list such as 0,3-5");
}

// Alias from the time when a map had two ranges, still read from documents and scripts.
Field<ViewOptions> own_range_field() {
  Field<ViewOptions> field =
      flag_field<ViewOptions>("own_range", "Same as range head", &ViewOptions::values);
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

Field<ViewOptions> without(Field<ViewOptions> field, std::vector<std::string_view> dropped) {
  field.dropped = std::move(dropped);
  return field;
}

// NOLINTNEXTLINE(readability-function-size): one list
std::vector<Field<ViewOptions>> make_fields() {
  using O = ViewOptions;
  constexpr double kMany = 1e6;
  return {
      table_field<ViewOptions>("stage", "Stage of the computation", &O::stage, all_stages(),
                               &StageInfo::stage, &StageInfo::label),
      table_field<ViewOptions>(
          "attention", "Which attention of a decoder",
          [](auto& o) -> auto& { return o.at.attention; }, all_attentions(),
          &AttentionInfo::attention, &AttentionInfo::label),
      number_field<O>(
          "layer", "Layer, counted from 0; figures count from 1",
          [](auto& o) -> auto& { return o.at.layer; }, 0, kMany),
      number_field<O>(
          "sample", "Sample, counted from 0; figures count from 1",
          [](auto& o) -> auto& { return o.at.sample; }, 0, kMany),
      number_field<O>(
          "head", "Head, counted from 0; figures count from 1",
          [](auto& o) -> auto& { return o.at.head; }, 0, kMany),
      colormap_field(),
      flag_field<O>("values", "Numbers in the cells when they fit", &O::values),
      text_field<O>(
          "annotate", "Cells that have numbers: all, none, top K or above T", &O::annotate,
          [](std::string_view text) { return numbered_cells(text).has_value(); },
          "all, none, top K such as top 5, or above T such as above 0.3"),
      number_field<O>("decimals", "Digits after the point of those numbers", &O::decimals, 0, 9,
                      "digits"),
      without(
          enum_field<O>("range",
                        "Range of the colours of weights; auto is 0 to 1, uneven so that an "
                        "equal share of the keys stands a third up",
                        &O::range, kSpans,
                        {"0 to 1, uneven", "0 to 1, even", "This head", "All heads", "Each row"}),
          {"percentile"}),
      own_range_field(),
      flag_field<O>("log", "Logarithmic colours of weights", &O::log),
      number_field<O>("range_low", "Value of the lowest colour", &O::range_low),
      number_field<O>("range_high", "Value of the highest colour", &O::range_high),
      flag_field<O>("histogram",
                    "Histogram of the cells beside the colour bar of an exported figure; lengths "
                    "are square roots of counts",
                    &O::histogram),
      flag_field<O>("overview",
                    "Small map of the whole matrix in a corner while only a part is in view",
                    &O::overview),
      enum_field<O>("pooling", "What a pixel shows when it holds several cells", &O::pooling,
                    kPoolings),
      number_field<O>("pixel_budget", "Pixels per side before cells are pooled", &O::pixel_budget,
                      16, 8192, "pixels"),
      number_field<O>("step",
                      "Steps that are drawn, of a decoder or of one cell's flow; 0 draws all",
                      &O::step, 0, kMany, "steps"),
      number_field<O>("kernel", "Width of the convolution in tokens", &O::kernel, kLeastKernel,
                      kMostKernel, "tokens"),
      table_field<ViewOptions>(
          "matrix", "Which derived matrix: through all layers, over heads, or with values",
          &O::derived, all_derived(), &DerivedInfo::derived, &DerivedInfo::label),
      number_field<O>("residual", "Share of a layer's input that bypasses its attention",
                      &O::residual, 0, 1),
      labelled(flag_field<O>(
                   "without_first",
                   "Rollout without the share of the first token; the rest of each row sums to 1",
                   &O::without_first),
               "Leave out the first token"),
      flag_field<O>("all_samples", "The heads of all samples, not of one", &O::all_samples),
      name_field<O>("sort", "Order of the heads: by layer, or from the largest measure down",
                    &O::sort, with_names("layer", all_measures(), &MeasureInfo::name)),
      name_field<O>("tint", "Measure under each head, tinted", &O::tint,
                    with_names("none", all_measures(), &MeasureInfo::name)),
      without(enum_field<O>("head_range",
                            "Range of the colours of the heads; auto is 0 to 1, uneven as in a map",
                            &O::head_range, kHeadRanges,
                            {"0 to 1, uneven", "Each head", "All heads alike", "0 to 1, even"}),
              {"beside_strongest", "percentile"}),
      number_field<O>("page", "Page of heads, counted from 1, when one cannot hold all", &O::page,
                      1, kMany),
      list_field("layers", "Layers that are drawn: all, or numbers counted from 0, such as 0,3-5",
                 &O::layers),
      list_field("heads", "Heads that are drawn: all, or numbers counted from 0, such as 0,3-5",
                 &O::heads),
      number_field<O>("row_share", "Share of each row up to which its largest weights are drawn",
                      &O::row_share, 0, 1),
      number_field<O>("least", "Smallest weight that is drawn, instead of a share of each row",
                      &O::least, 0, 1),
      enum_field<O>("orientation",
                    "Tokens in two columns or two rows; auto takes rows for Chinese, Japanese and "
                    "Korean",
                    &O::orientation, kOrientations),
      text_field<O>(
          "token",
          "The selected token, such as query 2, counted from 0: only its links, row or cell are "
          "drawn",
          &O::token, [](std::string_view text) { return text.empty() || token_chosen(text); },
          "query 2, key 5, or nothing"),
      number_field<O>("first_query", "First query in view, counted from 0", &O::first_query, 0,
                      kMany, "tokens"),
      number_field<O>("first_key", "First key in view, counted from 0", &O::first_key, 0, kMany,
                      "tokens"),
      number_field<O>("tokens_shown", "Most tokens of each side in view", &O::tokens_shown, 1,
                      static_cast<double>(kMostTokensShown), "tokens"),
      enum_field<O>("direction",
                    "What tints a token: what it gives to the chosen one, what it gets from it, or "
                    "both",
                    &O::direction, kTextDirections),
      labelled(flag_field<O>("words",
                             "Pieces of words joined: the weights of their keys summed, the mean "
                             "over their queries",
                             &O::words),
               "Whole words"),
      enum_field<O>("minus",
                    "Source of the subtracted matrix; auto is the reference if there is one",
                    &O::minus, kMinusFrom),
      minus_stage_field(),
      number_field<O>(
          "minus_layer",
          "Layer of the subtracted matrix, counted from 0; default: that of the drawn matrix",
          &O::minus_layer, 0, kMany),
      number_field<O>(
          "minus_sample",
          "Sample of the subtracted matrix, counted from 0; default: that of the drawn matrix",
          &O::minus_sample, 0, kMany),
      number_field<O>(
          "minus_head",
          "Head of the subtracted matrix, counted from 0; default: that of the drawn matrix",
          &O::minus_head, 0, kMany),
      enum_field<O>("show", "The difference, or one of its two sides", &O::show, kCompared),
      number_field<O>("changes", "Largest changes that are listed", &O::changes, 0, 20, "changes"),
      flag_field<O>("tokens_as_written",
                    "Tokens as their vocabulary writes them: Ġcat or ▁cat in place of ␣cat",
                    &O::tokens_as_written),
      number_field<O>("axis_from", "Left end of the horizontal axis; default: fits the numbers",
                      &O::axis_from),
      number_field<O>("axis_to", "Right end of the horizontal axis; default: fits the numbers",
                      &O::axis_to),
      labelled(flag_field<O>("axis_log", "Logarithmic vertical axis", &O::axis_log),
               "Logarithmic axis"),
      number_field<O>("bins", "Number of bins of the histogram", &O::bins,
                      static_cast<double>(kFewestBins), static_cast<double>(kMostBins), "bins"),
      flag_field<O>("axes", "Titles and labels of the axes", &O::axes),
      labelled(enum_field<O>("map_rows", "Rows of a map in a file; _up: from below", &O::map_rows,
                             kMapRows),
               "Rows"),
      text_field<O>("x_title", "Title of the horizontal axis, or none", &O::x_title),
      text_field<O>("y_title", "Title of the vertical axis, or none", &O::y_title),
      labelled(flag_field<O>("color_bar", "The colour bar beside the matrix", &O::color_bar),
               "Colour bar"),
      text_field<O>("title", "Title instead of the document's; none for no title", &O::title),
      flag_field<O>("notes",
                    "Sentences below a figure, and how the colours range beside a colour bar",
                    &O::notes),
      table_field<ViewOptions>("theme", "Colours of the figure", &O::theme, all_themes(),
                               &ThemeInfo::kind),
      length_field("width", "Width in points (1/72 inch), or as 85mm, 8.5cm, 3.3in or 1000px",
                   &O::width, 100, 10000),
      length_field("height",
                   "Height in points, or as 60mm, 6cm, 2.4in or 700px; 0 takes what the content "
                   "needs",
                   &O::height, 0, 10000),
      number_field<O>("font_size",
                      "Size of labels in points; secondary text is at most 1.5 points smaller",
                      &O::font_size, 4, 72, "pt"),
      text_field<O>("font", "Font family, such as DejaVu Serif; empty: Noto Sans", &O::font),
      flag_field<O>("letters", "Letters a, b, c of several plots on one page", &O::letters),
      flag_field<O>("by_effect", "Rows of the atlas from the head with the largest effect down",
                    &O::by_effect),
      labelled(flag_field<O>("from_reference",
                             "Each head alone gives what it gives in the document compared with; "
                             "otherwise it is taken out",
                             &O::from_reference),
               "Heads of the reference"),
  };
}

std::vector<std::size_t> all_of(std::size_t heads) {
  std::vector<std::size_t> all(heads);
  std::iota(all.begin(), all.end(), 0U);
  return all;
}

std::vector<std::size_t> each_once(std::vector<std::size_t> numbers) {
  std::ranges::sort(numbers);
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return numbers;
}

constexpr std::string_view kQuery = "query ", kKey = "key ";

}  // namespace

std::span<const Field<ViewOptions>> plot_option_fields() {
  static const std::vector<Field<ViewOptions>> kFields = make_fields();
  return kFields;
}

std::optional<Option> option_named(std::string_view name) {
  const auto fields = plot_option_fields();
  const auto found = std::ranges::find(fields, name, &Field<ViewOptions>::name);
  if (found == fields.end()) return std::nullopt;
  return static_cast<Option>(found - fields.begin());
}

const Field<ViewOptions>* plot_option_named(std::string_view name) {
  const std::optional<Option> option = option_named(name);
  return option ? &plot_option_fields()[static_cast<std::size_t>(*option)] : nullptr;
}

std::vector<std::string_view> names_of(OptionSet options) {
  std::vector<std::string_view> names;
  for (const Field<ViewOptions>& field : plot_option_fields()) {
    if (options.contains(*option_named(field.name))) names.push_back(field.name);
  }
  return names;
}

bool is_of_the_strip(std::string_view field_name) {
  using enum Option;
  return (Stage | Attention | Layer | Sample | Head).contains(*option_named(field_name));
}

bool is_of_a_file(std::string_view field_name) {
  using enum Option;
  return (Axes | MapRows | XTitle | YTitle | ColorBar | Histogram | Title | Theme | Width | Height |
          FontSize | Font | Letters)
      .contains(*option_named(field_name));
}

bool each_span(std::string_view text, const std::function<void(std::size_t, std::size_t)>& visit) {
  while (!text.empty()) {
    const std::string_view part = take_before(text, ",");
    const std::size_t dash = part.find('-');
    const Result<std::int64_t> first = parse_integer(part.substr(0, dash));
    const Result<std::int64_t> last =
        dash == part.npos ? first : parse_integer(part.substr(dash + 1));
    if (!first || !last || *first < 0 || *last < *first) return false;
    visit(static_cast<std::size_t>(*first), static_cast<std::size_t>(*last));
  }
  return true;
}

std::optional<std::vector<std::size_t>> heads_named(std::string_view text, std::size_t heads) {
  return layers_named(text, {.layers = heads});
}

std::vector<std::size_t> heads_missing(std::string_view text, std::size_t heads) {
  return layers_missing(text, {.layers = heads});
}

std::optional<std::vector<std::size_t>> layers_named(std::string_view text,
                                                     const AttentionShape& shape) {
  if (text == kAllHeads) return all_of(shape.layers);
  std::vector<std::size_t> shown;
  const bool is_list = each_span(text, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = 0; i < shape.layers; ++i) {
      const std::uint64_t number = layer_number(shape, i, 0);
      if (first <= number && number <= last) shown.push_back(i);
    }
  });
  return is_list ? std::optional(each_once(std::move(shown))) : std::nullopt;
}

std::vector<std::size_t> layers_missing(std::string_view text, const AttentionShape& shape) {
  if (text == kAllHeads) return {};
  std::vector<std::size_t> missing;
  const bool is_list = each_span(text, [&](std::size_t first, std::size_t last) {
    while (first <= last && layer_numbered(shape, first, 0)) ++first;
    if (first <= last) missing.insert(missing.end(), {first, last});
  });
  return is_list ? each_once(std::move(missing)) : std::vector<std::size_t>{};
}

std::string with_numbers_moved(std::string_view text, std::int64_t by) {
  constexpr std::string_view kDigits = "0123456789";
  std::string out;
  while (!text.empty()) {
    const std::size_t begin = std::min(text.find_first_of(kDigits), text.size());
    const std::size_t end = std::min(text.find_first_not_of(kDigits, begin), text.size());
    const std::string_view digits = text.substr(begin, end - begin);
    const Result<std::int64_t> number = parse_integer(digits);
    out += text.substr(0, begin);
    out += number ? std::to_string(*number + by) : std::string(digits);
    text.remove_prefix(end);
  }
  return out;
}

std::string with_head_toggled(std::string_view text, std::size_t head, std::size_t heads) {
  std::vector<std::size_t> shown = heads_named(text, heads).value_or(all_of(heads));
  const auto at = std::lower_bound(shown.begin(), shown.end(), head);
  if (at != shown.end() && *at == head) {
    shown.erase(at);
  } else {
    shown.insert(at, head);
  }
  if (shown.size() == heads) return std::string(kAllHeads);
  return joined(shown, ",", [](std::size_t each) { return std::to_string(each); });
}

std::optional<NumberedCells> numbered_cells(std::string_view text) {
  if (text == "all") return NumberedCells{};
  if (text == "none") return NumberedCells{.most = 0};
  constexpr std::string_view kTop = "top", kAbove = "above";
  if (text.starts_with(kTop)) {
    const Result<std::int64_t> most = parse_integer(text.substr(kTop.size()));
    if (!most || *most < 0) return std::nullopt;
    return NumberedCells{.most = static_cast<std::size_t>(*most)};
  }
  if (!text.starts_with(kAbove)) return std::nullopt;
  const Result<float> bound = parse_number(text.substr(kAbove.size()));
  return bound ? std::optional(NumberedCells{.above = *bound}) : std::nullopt;
}

std::optional<TokenHit> token_chosen(std::string_view text) {
  const bool of_keys = text.starts_with(kKey);
  if (!of_keys && !text.starts_with(kQuery)) return std::nullopt;
  const Result<std::int64_t> index = parse_integer(text.substr((of_keys ? kKey : kQuery).size()));
  if (!index || *index < 0) return std::nullopt;
  return TokenHit{of_keys ? Side::Key : Side::Query, 0, static_cast<std::size_t>(*index)};
}

std::string text_of(const TokenHit& token) {
  return std::string(token.side == Side::Key ? kKey : kQuery) + std::to_string(token.index);
}

}  // namespace attn
