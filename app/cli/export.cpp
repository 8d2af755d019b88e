// attnscope export: writes a figure, drawn as in the window.
#include "export/export.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>
#include <memory>

#include "base/number_text.h"
#include "cli/cli.h"
#include "cli/console.h"
#include "cli/load.h"
#include "document/load/open.h"
#include "document/tensors/tensor_file.h"
#include "engine/matrix/layer_flow.h"
#include "engine/matrix/matrix.h"
#include "plot/all_plots.h"
#include "plot/colors/color_range.h"
#include "plot/kit/cells.h"
#include "plot/kit/page.h"
#include "session/figure_file.h"
#include "text/nearest.h"
#include "view/fields.h"
#include "view/length.h"

namespace attn::cli {
namespace {

// Text given for a field of the plot options.
struct Setting {
  const Field<ViewOptions>* field;
  std::string text;
};

struct ExportFlags {
  std::string format;
  std::string plot;
  std::string dpi;
  std::string part;
  std::vector<std::string> pins;
  bool transparent = false;
  bool however_long = false;
  std::string text;
  std::string reference;
  std::vector<Setting> settings;
};

std::string value_name(const Field<ViewOptions>& field) {
  const FieldKind kind = field.kind;
  if (field.is_length) return "LENGTH";
  if (kind == FieldKind::Integer) return "N";
  if (kind == FieldKind::Number) return "X";
  return kind == FieldKind::Text ? "TEXT" : "NAME";
}

std::string field_help(const Field<ViewOptions>& field) {
  std::string help(field.help);
  if (!field.choices.empty()) help += ": " + joined(field.choices);
  const std::string usual = field.get(ViewOptions{});
  if (!usual.empty()) help += " (default: the view's, else " + usual + ")";
  return help;
}

Flag option_of(const Field<ViewOptions>& field, const std::shared_ptr<ExportFlags>& flags) {
  const std::string flag = spelt(field.name, Spelling::Flag);
  const Flag::Keep keep = [flags, &field](const std::string& text) {
    flags->settings.push_back({&field, text});
  };
  if (field.kind != FieldKind::Flag) {
    return {flag, value_name(field), field_help(field), keep, false, field.choices};
  }
  const char* usual = field.get(ViewOptions{}) == "true" ? "on)" : "off)";
  return {"--[no-]" + flag.substr(2), "",
          std::string(field.help) + " (default: the view's, else " + usual, keep};
}

Error unknown_name(const std::string& what, const std::string& name,
                   const std::vector<std::string_view>& known) {
  return {.kind = ErrorKind::Usage,
          .message = "there is no " + what + " named " + name,
          .expected = joined(known),
          .hint = did_you_mean(name, known)};
}

// The plots that use `field` have the flag.
Error unused(const PlotEntry& plot, const std::string& flag, std::string_view field) {
  Error error = usage_error("the " + std::string(plot.name) + " plot has no option " + flag);
  for (const PlotEntry& other : all_plots()) {
    if (!uses(other, field)) continue;
    error.hint +=
        (error.hint.empty() ? "it is an option of --plot " : ", ") + std::string(other.name);
  }
  return error;
}

Error unused(const Setting& setting, const PlotEntry& plot) {
  const std::string_view field = setting.field->name;
  std::string flag = spelt(field, Spelling::Flag);
  if (setting.field->kind == FieldKind::Flag && setting.text == "false") flag.insert(2, "no-");
  Error error = unused(plot, flag, field);
  const std::string_view near = nearest(field, names_of(plot.options));
  if (!near.empty()) error.expected = "such as " + spelt(near, Spelling::Flag);
  return error;
}

// Field to set. For plots of several layers or heads, --layer and --head choose which are drawn.
const Field<ViewOptions>& field_of(const Setting& setting, const PlotEntry& plot) {
  const std::string several = std::string(setting.field->name) + "s";
  const bool names_one = !uses(plot, setting.field->name) && uses(plot, several);
  return names_one ? *plot_option_named(several) : *setting.field;
}

// Refuses options that have no effect on the plot.
Status check_used(const PlotEntry& plot, const ExportFlags& flags) {
  for (const Setting& setting : flags.settings) {
    if (!uses(plot, field_of(setting, plot).name)) return unused(setting, plot);
  }
  if (flags.part.empty() || uses(plot, Option::Axes)) return ok_status();
  return usage_error("the " + std::string(plot.name) + " plot has no part of a matrix to show",
                     "leave out --part");
}

// Pixels are the dots of this file, so that a PNG is as wide as its --width in px.
std::string with_dots(const Setting& setting, double dpi) {
  const bool in_pixels = setting.field->is_length && setting.text.ends_with("px");
  const std::optional<double> points = in_pixels ? points_of(setting.text, dpi) : std::nullopt;
  return points ? shortest_text(static_cast<float>(*points)) : setting.text;
}

Status apply_settings(ViewOptions& options, const PlotEntry& plot, const ExportFlags& flags,
                      double dpi) {
  for (const Setting& setting : flags.settings) {
    const Status set =
        field_of(setting, plot).set(options, with_dots(setting, dpi), Spelling::Flag);
    if (set) continue;
    Error error = set.error();
    if (error.hint.empty()) error.hint = did_you_mean(setting.text, setting.field->choices);
    return error;
  }
  return ok_status();
}

bool was_given(const ExportFlags& flags, std::string_view name) {
  return std::ranges::any_of(flags.settings,
                             [&](const Setting& setting) { return setting.field->name == name; });
}

Error idle(const Setting& setting, std::string why) {
  why.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(why.front())));
  const std::string flag = spelt(setting.field->name, Spelling::Flag);
  return usage_error(flag + " would change nothing: " + why, "leave out " + flag);
}

// Checks the document's bounds before those of all documents.
Status check_indices(const ExportFlags& flags, const AttentionShape& shape) {
  const std::pair<std::string_view, std::size_t> extents[] = {
      {"layer", shape.layers}, {"sample", shape.samples}, {"head", shape.heads}};
  for (const Setting& setting : flags.settings) {
    for (const auto& [name, count] : extents) {
      const Result<std::int64_t> index = parse_integer(setting.text);
      const bool there = index && *index >= 0 && static_cast<std::uint64_t>(*index) < count;
      if (there || setting.field->name != name) continue;
      return Error{
          .kind = ErrorKind::Usage,
          .message = "there is no " + std::string(name) + " " + setting.text,
          .expected = "--" + std::string(name) +
                      (count == 1 ? " 0, the only one" : " 0 to " + std::to_string(count - 1))};
    }
  }
  return ok_status();
}

// Refuses given options that do not exist or do not suit the numbers; those of the document's view
// are clamped by the plot.
Status check_view(const ExportFlags& flags, const PlotEntry& plot, const PlotOptions& options,
                  const AttentionResult& result) {
  if (was_given(flags, "attention") && attentions_of(result.problem()).size() == 1) {
    return Error{.kind = ErrorKind::Usage,
                 .message = "this document has one attention only",
                 .expected = "--attention with the blocks of a decoder"};
  }
  if (was_given(flags, "stage") && !result.has(options.stage, options.at)) {
    std::vector<std::string_view> there;
    for (const Stage stage : result.stages(options.at)) there.push_back(stage_info(stage).name);
    return Error{
        .kind = ErrorKind::Usage,
        .message = "this document has no stage " + std::string(stage_info(options.stage).name),
        .expected = joined(there)};
  }
  for (const Setting& setting : flags.settings) {
    const PlotOptions fitted = fitted_to(options, result);
    const std::string why = why_idle(plot, fitted, setting.field->name);
    if (!why.empty()) return idle(setting, why);
    const bool spans = uses(plot, Option::Stage) && setting.field->name == "range";
    const bool of_weights = fitted.range != ColorSpan::Automatic &&
                            fitted.range != ColorSpan::Head && fitted.range != ColorSpan::Heads;
    if (spans && of_weights && fitted.stage != Stage::Weights) {
      return idle(setting, "Colours of this stage span auto, head or heads");
    }
  }
  return check_options(options, result, Spelling::Flag);
}

// Name whose extension chooses the format.
Result<std::string> format_name(const ExportFlags& flags, const std::string& out) {
  const std::vector<std::string_view> known = names_of(all_exporters(), &Exporter::extension);
  const bool to_stdout = out == "-";
  if (to_stdout && flags.format.empty()) {
    return usage_error("standard output has no extension to choose the format by",
                       "add --format " + joined(known, " or --format "));
  }
  const Exporter* by_extension = to_stdout ? nullptr : exporter_for(out);
  const Exporter* by_format = exporter_for("figure." + flags.format);
  if (by_extension != nullptr && by_format != nullptr && by_extension != by_format) {
    return usage_error("--format " + flags.format + " and the extension of " + out + " disagree",
                       "leave out --format or change the name");
  }
  const std::string name = flags.format.empty() ? out : "figure." + flags.format;
  if (exporter_for(name)) return name;
  return Error{
      .kind = ErrorKind::Usage,
      .message = "the format of " + (flags.format.empty() ? name : flags.format) + " is not known",
      .expected = joined(known, " or "),
      .hint = flags.format.empty() ? "end the name in ." + joined(known, " or .") : ""};
}

// Of SVG.
std::vector<std::string_view> text_names() { return {"live", "outlines"}; }

Result<ExportOptions> export_options(const ExportFlags& flags) {
  ExportOptions options;
  options.transparent = flags.transparent;
  options.outlines = flags.text == "outlines";
  if (!flags.text.empty() && flags.text != "live" && !options.outlines) {
    return unknown_name("way to write text", flags.text, text_names());
  }
  if (flags.dpi.empty()) return options;
  const Result<double> dpi = parse_flag_number("--dpi", flags.dpi, kSmallestDpi, kLargestDpi);
  if (!dpi) return dpi.error();
  options.dpi = *dpi;
  return options;
}

// Computes what the plot shows, however long it takes.
Influence influence_in(const PlotEntry& plot, const ViewOptions& options) {
  const auto shows = [&](Stage stage) { return stage_info(stage).role == StageRole::Influence; };
  const bool as_stage = uses(plot, Option::Stage) && shows(options.stage);
  const bool as_b =
      uses(plot, Option::MinusStage) && options.minus_stage && shows(*options.minus_stage);
  return uses(plot, Option::Step) || as_stage || as_b ? Influence::Always : Influence::IfQuick;
}

Result<ReferencePtr> open_reference(const std::string& path, Influence influence,
                                    Context& context) {
  Result<Reading> report = load_document(path, context);
  if (!report) return report.error();
  const Result<ResultPtr> result = compute_document(report->document, context, influence);
  if (!result) return result.error();
  return ReferencePtr(std::make_shared<const Reference>(
      Reference{"1", file_name(path), "", path,
                std::make_shared<const Document>(std::move(report->document)), *result}));
}

// A given reference must exist; if the document's own is missing, the plot says so.
Status set_reference(PlotOptions& options, const PlotEntry& plot, const ExportFlags& flags,
                     const Document& document, Context& context) {
  const bool asked = !flags.reference.empty();
  const std::string path = asked ? flags.reference : document.reference;
  if (path.empty() || !uses(plot, Option::Minus) || options.minus == MinusFrom::Document) {
    return ok_status();
  }
  if (!asked && !context.common.allow_outside && !path.starts_with(kExamplePrefix) &&
      leads_outside(path, folder_of(context.common.file))) {
    options.no_reference = missing_reference(
        path, usage_error("the document to compare with lies outside of the folder of this one",
                          "add --allow-outside, or name it with --reference"));
    return ok_status();
  }
  const Result<ReferencePtr> reference = open_reference(path, influence_in(plot, options), context);
  if (reference) {
    options.reference = *reference;
  } else if (asked) {
    return reference.error();
  } else {
    options.no_reference = missing_reference(path, reference.error());
  }
  return ok_status();
}

// Size of the smallest text in points; infinite without text.
double smallest_letters(const Figure& figure) {
  double smallest = std::numeric_limits<double>::infinity();
  for (const FigureItem& item : figure.items) {
    const auto* text = std::get_if<TextItem>(&item);
    if (text != nullptr && !text->text.empty()) smallest = std::min(smallest, text->font.size);
  }
  return smallest;
}

// What makes figures of this plot lower.
std::string what_makes_lower(const PlotEntry& plot) {
  std::string words = "a larger --width, a smaller --font-size";
  for (const std::string_view option : {"layers", "heads", "tokens_shown", "changes"}) {
    if (uses(plot, option)) words += ", fewer " + spelt(option, Spelling::Flag);
  }
  return uses(plot, Option::Axes) ? words + ", a --part" : words;
}

// Warns of figures that do not fit a page or cannot be read on it.
void say_what_suits_no_page(const Figure& figure, const PlotEntry& plot, Console& console) {
  const double letters = smallest_letters(figure);
  if (figure.height > kPageHeight + 0.5) {
    console.message("the figure is " + fixed_text(figure.height / kUnitsPerInch, 1) +
                    " in high, more than a page (" + fixed_text(kPageHeight / kUnitsPerInch, 1) +
                    " in); lower with " + what_makes_lower(plot));
  }
  if (letters < 0.995 * kSmallestNumber) {
    console.message("the smallest letters have " + fixed_text(letters, 1) +
                    " points, hard to read on paper; a larger --width or --height makes room");
  }
}

// Warns of parts that are missing or of another size than requested.
void say_what_is_missing(const Figure& figure, const PlotEntry& plot, const PlotOptions& options,
                         const ExportFlags& flags, Console& console) {
  say_what_suits_no_page(figure, plot, console);
  if (figure.scale < 0.995) {
    console.message("letters have " + fixed_text(100.0 * figure.scale, 0) +
                    " % of their size, so that the figure fits --height " +
                    short_text(options.height));
  }
  const bool asked = was_given(flags, "values") || was_given(flags, "decimals");
  if (!asked || !uses(plot, Option::Values)) return;
  const std::string why = why_no_numbers(figure, options, pango_metrics());
  if (!why.empty()) console.message(why);
}

// Reports the time of attention flow; refuses more than an hour unless forced.
Status check_time(const AttentionShape& shape, const PlotEntry& plot, const PlotOptions& options,
                  const ExportFlags& flags, Console& console) {
  constexpr double kLong = 5.0;
  if (plot.name != "derived" || options.derived != Derived::Flow) return ok_status();
  if (Status soon = check_flow_time(shape); !soon && !flags.however_long) return soon;
  const double seconds = flow_seconds(shape);
  if (seconds > kLong) console.message("attention flow takes about " + duration_text(seconds));
  return ok_status();
}

Result<std::string> encoded(const Figure& figure, const std::string& format,
                            const ExportOptions& paper, Console& console) {
  const Exporter& exporter = *exporter_for(format);
  if (paper.outlines && exporter.extension != "svg") {
    console.message("--text outlines has no effect: only SVG asks readers for fonts");
  }
  Result<std::string> bytes = std::string();
  with_progress(console, "Writing",
                [&](Progress* progress) { bytes = exporter.write(figure, paper, progress); });
  return bytes;
}

constexpr std::size_t kMostPins = 2;

// So many non-negative numbers, separated by commas.
Result<std::vector<double>> numbers_of(const std::string& flag, const std::string& text,
                                       std::size_t count, const std::string& expected) {
  std::vector<double> numbers;
  const char *at = text.data(), *end = at + text.size();
  bool more = true;
  while (more && numbers.size() < count) {
    double number = 0.0;
    const auto read = std::from_chars(at, end, number);
    if (read.ec != std::errc() || !std::isfinite(number) || number < 0.0) break;
    numbers.push_back(number);
    more = read.ptr != end && *read.ptr == ',';
    at = more ? read.ptr + 1 : read.ptr;
  }
  if (numbers.size() == count && !more && at == end) return numbers;
  return Error{.kind = ErrorKind::Usage,
               .message = flag + " cannot have this value",
               .found = text,
               .expected = expected};
}

// "4,0,8.5,12": first row, first column, number of rows and of columns; empty: the whole matrix.
Status set_part(PlotOptions& options, const std::string& text) {
  if (text.empty()) return ok_status();
  const auto numbers = numbers_of("--part", text, 4, "ROW,COLUMN,ROWS,COLUMNS in cells, from 0 on");
  if (!numbers) return numbers.error();
  const auto& part = *numbers;
  options.window = {part[0], part[1], part[2], part[3]};
  if (part[2] > 0.0 && part[3] > 0.0) return ok_status();
  return usage_error("--part has no rows or no columns");
}

// "8,1": row and column of the matrix that the plot shows first; at most two pins.
Status set_pins(PlotOptions& options, const std::vector<std::string>& texts,
                const Document& document, const ResultPtr& result, const std::string& plot,
                const DerivingOptions& how) {
  if (texts.empty()) return ok_status();
  if (texts.size() > kMostPins) return usage_error("--pin can be given twice, no more");
  const Result<Figure> drawn = figure_for_file(document, result, plot, options, 72.0, how);
  if (!drawn) return drawn.error();
  const MatrixItem* matrix = find_matrix(*drawn);
  if (matrix == nullptr || !matrix->origin) {
    return usage_error("the " + plot + " plot has no cells to mark");
  }
  for (const std::string& text : texts) {
    const auto place = numbers_of("--pin", text, 2, "ROW,COLUMN of a cell, counted from 0");
    if (!place) return place.error();
    const double row = (*place)[0], col = (*place)[1];
    const bool there = row < static_cast<double>(matrix->row_count) &&
                       col < static_cast<double>(matrix->col_count);
    if (!there || row != std::floor(row) || col != std::floor(col)) {
      return Error{.kind = ErrorKind::Usage,
                   .message = "there is no cell " + text,
                   .expected = std::to_string(matrix->row_count) + " rows and " +
                               std::to_string(matrix->col_count) + " columns, counted from 0"};
    }
    options.pins.push_back(
        {*matrix->origin, static_cast<std::size_t>(row), static_cast<std::size_t>(col)});
  }
  return ok_status();
}

// View of the document with the given options, checked as far as possible before computing.
Status set_options(PlotOptions& options, const PlotEntry& plot, const ExportFlags& flags,
                   const AttentionShape& shape, double dpi) {
  if (Status known = check_used(plot, flags); !known) return known;
  if (Status there = check_indices(flags, shape); !there) return there;
  if (Status set = apply_settings(options, plot, flags, dpi); !set) return set;
  if (Status set = set_part(options, flags.part); !set) return set;
  if (!flags.reference.empty() && !uses(plot, Option::Minus)) {
    return unused(plot, "--reference", "minus");
  }
  if (Status sound = check_options(options, Spelling::Flag); !sound) return sound;
  return uses(plot, Option::AxisFrom) ? check_axis(options, Spelling::Flag) : ok_status();
}

// Options that depend on the result: an existing stage, the reference, and cells to mark.
Status fit_options(PlotOptions& options, const PlotEntry& plot, const ExportFlags& flags,
                   const Document& document, const ResultPtr& result, Context& context) {
  if (Status there = check_view(flags, plot, options, *result); !there) return there;
  const std::string moved = uses(plot, Option::Stage) ? moved_stage(options, *result) : "";
  if (!moved.empty()) context.console.message(moved);
  if (Status set = set_reference(options, plot, flags, document, context); !set) return set;
  return set_pins(options, flags.pins, document, result, std::string(plot.name),
                  {nullptr, context.common.memory_limit_bytes});
}

// Figure of the document, computed if necessary.
Result<Figure> drawn(const Document& document, const PlotEntry& plot, PlotOptions& options,
                     const ExportFlags& flags, double dpi, Context& context) {
  Console& console = context.console;
  const AttentionShape shape = shape_of(document);
  if (const Status set = set_options(options, plot, flags, shape, dpi); !set) return set.error();
  if (const Status soon = check_time(shape, plot, options, flags, console); !soon) {
    return soon.error();
  }
  const Result<ResultPtr> result = compute_document(document, context, influence_in(plot, options));
  if (!result) return result.error();
  const Status fit = fit_options(options, plot, flags, document, *result, context);
  if (!fit) return fit.error();
  Result<Figure> figure = Figure();
  with_progress(console, "Drawing", [&](Progress* progress) {
    figure = figure_for_file(document, *result, std::string(plot.name), options, dpi,
                             {progress, context.common.memory_limit_bytes});
  });
  if (figure) say_what_is_missing(*figure, plot, options, flags, console);
  return figure;
}

Result<int> run(const ExportFlags& flags, Context& context) {
  const std::string& file = context.common.file;
  const Destination& destination = context.common.destination;
  const Result<std::string> format = format_name(flags, destination.path);
  if (!format) return format.error();
  const Result<ExportOptions> paper = export_options(flags);
  if (!paper) return paper.error();
  if (const Status free = check_destination(destination, {&file, 1}); !free) return free.error();
  const Result<Reading> report = load_document(file, context);
  if (!report) return report.error();
  const View saved = focused_view(report->document.panes.value_or(Panes{}));
  PlotOptions options{saved.options, {}, {}};
  const std::string name = flags.plot.empty() ? saved.plot : flags.plot;
  const PlotEntry* plot = plot_named(name);
  if (plot == nullptr) return unknown_name("plot", name, names_of(all_plots(), &PlotEntry::name));
  const Result<Figure> figure = drawn(report->document, *plot, options, flags, paper->dpi, context);
  if (!figure) return figure.error();
  const Result<std::string> bytes = encoded(*figure, *format, *paper, context.console);
  if (!bytes) return bytes.error();
  if (const Status whole = check_files(report->document); !whole) return whole.error();
  if (options.reference) {
    const Status whole = check_files(*options.reference->document);
    if (!whole) return whole.error();
  }
  return done(write_output(context.console, destination, *bytes));
}

std::string plots_help() {
  std::vector<HelpLine> lines;
  for (const PlotEntry& plot : all_plots()) {
    lines.push_back({std::string(plot.name), std::string(plot.help)});
    std::string flags;
    for (const std::string_view option : names_of(plot.options)) {
      flags += (flags.empty() ? "" : ", ") + spelt(option, Spelling::Flag);
    }
    lines.push_back({"", flags});
  }
  return "Plots and their options:\n" + help_table(lines, 20);
}

}  // namespace

Definition define_export(CommonFlags& common) {
  auto flags = std::make_shared<ExportFlags>();
  const auto formats = names_of(all_exporters(), &Exporter::extension);
  const auto plots = names_of(all_plots(), &PlotEntry::name);
  Flags options{
      {"FILE", "", kFileHelp, &common.file, true},
      {"-o,--output", "OUT",
       "The picture; its extension chooses the format (" + joined(formats) +
           "); - is standard output",
       &common.destination.path, true},
      {"-f,--force", "", kForceHelp, &common.destination.force},
      {"--format", "NAME", "The format, whatever the extension", &flags->format, false, formats},
      {"--plot", "NAME", "What to draw: " + joined(plots) + " (default heatmap)", &flags->plot,
       false, plots},
      {"--dpi", "X",
       "Dots per inch of raster pictures; in every format cells are pooled to them (default 300)",
       &flags->dpi},
      {"--text", "NAME",
       "Text of SVG: live, which can be edited, or outlines, which need no fonts (default live)",
       &flags->text, false, text_names()},
      {"--reference", "FILE", "Another document, whose matrix the difference plot subtracts",
       &flags->reference},
      {"--transparent", "", "No background", &flags->transparent},
      {"--long", "", "Also draw what takes more than an hour", &flags->however_long},
      {"--part", "ROW,COL,ROWS,COLS", "Only a part of the matrix, in cells counted from 0",
       &flags->part},
      {"--pin", "ROW,COL", "Marks a cell; can be given twice", &flags->pins}};
  for (const Field<ViewOptions>& field : plot_option_fields()) {
    options.push_back(option_of(field, flags));
  }
  add_shared(options, common, kSeed | kComputing | kMessages);
  return {std::move(options), [flags](Context& context) { return run(*flags, context); },
          plots_help()};
}

}  // namespace attn::cli
