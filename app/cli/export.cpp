// attnscope export: a figure, drawn as the window draws it.
#include "export/export.h"

#include <algorithm>
#include <cctype>
#include <limits>
#include <memory>

#include "base/number_text.h"
#include "cli/export_cells.h"
#include "cli/help.h"
#include "cli/load.h"
#include "cli/subcommand.h"
#include "document/load/tensor_file.h"
#include "document/open.h"
#include "engine/matrix/layer_flow.h"
#include "plot/all_plots.h"
#include "plot/parts/cell_numbers.h"
#include "session/figure_file.h"
#include "text/nearest.h"
#include "view/fields.h"

namespace attn::cli {
namespace {

// The text given for a field of the plot options.
struct Setting {
  const Field<ViewOptions>* field;
  std::string text;
};

struct ExportFlags {
  std::string file;
  Destination destination{"", false};
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
  CommonFlags common;
};

constexpr std::string_view kLive = "live", kOutlines = "outlines";

std::string joined(const std::vector<std::string_view>& names, std::string_view separator) {
  std::string text;
  for (const std::string_view name : names) {
    if (!text.empty()) text += separator;
    text += name;
  }
  return text;
}

std::string value_name(const Field<ViewOptions>& field) {
  switch (field.kind) {
    case FieldKind::Integer:
      return "N";
    case FieldKind::Number:
      return "X";
    case FieldKind::Text:
      return "TEXT";
    default:
      return "NAME";
  }
}

std::string field_help(const Field<ViewOptions>& field) {
  std::string help(field.help);
  if (!field.choices.empty()) help += ": " + joined(field.choices, ", ");
  const std::string usual = field.get(ViewOptions{});
  if (!usual.empty()) help += " (default: the view's, else " + usual + ")";
  return help;
}

void add_field(CLI::App& parser, const Field<ViewOptions>& field,
               const std::shared_ptr<ExportFlags>& flags) {
  const std::string flag = spelt(field.name, Spelling::Flag);
  const auto keep = [flags, &field](const std::string& text) {
    flags->settings.push_back({&field, text});
  };
  if (field.kind == FieldKind::Flag) {
    const bool on = field.get(ViewOptions{}) == "true";
    const std::string help = std::string(field.help) + (on ? " (default: the view's, else on)"
                                                           : " (default: the view's, else off)");
    return add_on_or_off(parser, flag, help, [keep](bool set) { keep(set ? "true" : "false"); });
  }
  add_setting(parser, {flag, field_help(field), value_name(field)}, keep);
}

template <class Entries, class Name>
std::vector<std::string_view> names_of(const Entries& entries, Name name) {
  std::vector<std::string_view> names;
  for (const auto& entry : entries) names.push_back(entry.*name);
  return names;
}

Error unknown_name(const std::string& what, const std::string& name,
                   const std::vector<std::string_view>& known) {
  Error error = usage_error("there is no " + what + " named " + name);
  error.expected = joined(known, ", ");
  const std::string_view meant = nearest(name, known);
  if (!meant.empty()) error.hint = "did you mean " + std::string(meant) + "?";
  return error;
}

std::string flags_of(const PlotEntry& plot) {
  std::string flags;
  for (const std::string_view name : plot.options) {
    flags += (flags.empty() ? "" : ", ") + spelt(name, Spelling::Flag);
  }
  return flags;
}

Error unused(const Setting& setting, const PlotEntry& plot) {
  const std::string_view field = setting.field->name;
  std::string flag = spelt(field, Spelling::Flag);
  if (setting.field->kind == FieldKind::Flag && setting.text == "false") flag.insert(2, "no-");
  Error error = usage_error("the " + std::string(plot.name) + " plot has no option " + flag);
  if (const std::string_view near = nearest(field, plot.options); !near.empty()) {
    error.expected = "such as " + spelt(near, Spelling::Flag);
  }
  for (const PlotEntry& other : all_plots()) {
    if (!uses(other, field)) continue;
    error.hint +=
        (error.hint.empty() ? "it is an option of --plot " : ", ") + std::string(other.name);
  }
  return error;
}

// The field that is set. Of a plot that draws several layers or heads, --layer or --head names
// those that are drawn.
const Field<ViewOptions>& field_of(const Setting& setting, const PlotEntry& plot) {
  const std::string several = std::string(setting.field->name) + "s";
  const bool names_one = !uses(plot, setting.field->name) && uses(plot, several);
  return names_one ? *plot_option_named(several) : *setting.field;
}

// An option that would change nothing is refused, so that nobody looks for what it changed.
Status check_plot(const std::string& name, const ExportFlags& flags) {
  const PlotEntry* plot = plot_named(name);
  if (plot == nullptr) return unknown_name("plot", name, names_of(all_plots(), &PlotEntry::name));
  for (const Setting& setting : flags.settings) {
    if (!uses(*plot, field_of(setting, *plot).name)) return unused(setting, *plot);
  }
  if (flags.part.empty() || uses(*plot, "axes")) return ok_status();
  return usage_error("the " + name + " plot has no part of a matrix to show", "leave out --part");
}

// The refusal of a field, with what was meant.
Error refused(Error error, const Setting& setting) {
  const std::string_view meant = nearest(setting.text, setting.field->choices);
  if (error.hint.empty() && !meant.empty()) error.hint = "did you mean " + std::string(meant) + "?";
  return error;
}

Status apply_settings(ViewOptions& options, const PlotEntry& plot, const ExportFlags& flags) {
  for (const Setting& setting : flags.settings) {
    const Status set = field_of(setting, plot).set(options, setting.text, Spelling::Flag);
    if (!set) return refused(set.error(), setting);
  }
  return ok_status();
}

bool was_given(const ExportFlags& flags, std::string_view name) {
  return std::any_of(flags.settings.begin(), flags.settings.end(),
                     [&](const Setting& setting) { return setting.field->name == name; });
}

Status check_index(std::string_view name, const std::string& text, std::size_t count) {
  const Result<std::int64_t> index = parse_integer(text);
  if (index && *index >= 0 && static_cast<std::uint64_t>(*index) < count) return ok_status();
  Error error = usage_error("there is no " + std::string(name) + " " + text);
  error.expected = "--" + std::string(name) +
                   (count == 1 ? " 0, the only one" : " 0 to " + std::to_string(count - 1));
  return error;
}

Error stage_missing(Stage stage, const AttentionResult& result) {
  std::vector<std::string_view> there;
  for (const Stage known : result.stages()) there.push_back(stage_info(known).name);
  Error error = usage_error("this document has no stage " + std::string(stage_info(stage).name));
  error.expected = joined(there, ", ");
  return error;
}

Error idle(const Setting& setting, std::string why) {
  why.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(why.front())));
  const std::string flag = spelt(setting.field->name, Spelling::Flag);
  return usage_error(flag + " would change nothing: " + why, "leave out " + flag);
}

bool is_of_weights(ColorSpan span) {
  return span != ColorSpan::Automatic && span != ColorSpan::Head && span != ColorSpan::Heads;
}

// The document's own bounds, before those that hold for every document.
Status check_indices(const ExportFlags& flags, const AttentionShape& shape) {
  const std::pair<std::string_view, std::size_t> extents[] = {
      {"layer", shape.layers}, {"sample", shape.samples}, {"head", shape.heads}};
  for (const Setting& setting : flags.settings) {
    for (const auto& [name, count] : extents) {
      if (setting.field->name != name) continue;
      if (const Status there = check_index(name, setting.text, count); !there) {
        return there.error();
      }
    }
  }
  return ok_status();
}

// What was asked for by name is refused when it is not there or does not suit the numbers; what the
// document remembers is brought into bounds by the plot.
Status check_view(const ExportFlags& flags, const PlotEntry& plot, const PlotOptions& options,
                  const AttentionResult& result) {
  if (was_given(flags, "attention") && attentions_of(result.problem()).size() == 1) {
    Error error = usage_error("this document has one attention only");
    error.expected = "--attention with the blocks of a decoder";
    return error;
  }
  const AttentionResult& shown = result.attended(options.attention);
  if (was_given(flags, "stage") && !shown.has(options.stage)) {
    return stage_missing(options.stage, shown);
  }
  for (const Setting& setting : flags.settings) {
    const PlotOptions fitted = fitted_to(options, result);
    const std::string why = why_idle(plot, fitted, setting.field->name);
    if (!why.empty()) return idle(setting, why);
    const bool spans = uses(plot, "stage") && setting.field->name == "range";
    if (spans && is_of_weights(fitted.range) && fitted.stage != Stage::Weights) {
      return idle(setting, "Colours of this stage span auto, head or heads");
    }
  }
  return check_options(options, result, Spelling::Flag);
}

// The name by whose extension the format is chosen.
Result<std::string> format_name(const ExportFlags& flags) {
  const std::vector<std::string_view> known = names_of(all_exporters(), &Exporter::extension);
  const bool to_stdout = flags.destination.path == "-";
  if (to_stdout && flags.format.empty()) {
    return usage_error("standard output has no extension to choose the format by",
                       "add --format " + joined(known, " or --format "));
  }
  const Exporter* by_extension = to_stdout ? nullptr : exporter_for(flags.destination.path);
  const Exporter* by_format = exporter_for("figure." + flags.format);
  if (by_extension != nullptr && by_format != nullptr && by_extension != by_format) {
    return usage_error("--format " + flags.format + " and the extension of " +
                           flags.destination.path + " disagree",
                       "leave out --format or change the name");
  }
  const std::string name = flags.format.empty() ? flags.destination.path : "figure." + flags.format;
  if (exporter_for(name)) return name;
  Error error = usage_error("the format of " + (flags.format.empty() ? name : flags.format) +
                            " is not known");
  error.expected = joined(known, " or ");
  error.hint = flags.format.empty() ? "end the name in ." + joined(known, " or .") : "";
  return error;
}

Status check_text(const std::string& text) {
  if (text.empty() || text == kLive || text == kOutlines) return ok_status();
  return unknown_name("way to write text", text, {kLive, kOutlines});
}

Result<ExportOptions> export_options(const ExportFlags& flags) {
  ExportOptions options;
  options.transparent = flags.transparent;
  if (const Status known = check_text(flags.text); !known) return known.error();
  options.outlines = flags.text == kOutlines;
  if (flags.dpi.empty()) return options;
  const Result<double> dpi = parse_flag_number("--dpi", flags.dpi, kSmallestDpi, kLargestDpi);
  if (!dpi) return dpi.error();
  options.dpi = *dpi;
  return options;
}

// Another document to compare with is of use to one plot.
Status check_reference(const std::string& plot, const ExportFlags& flags) {
  if (flags.reference.empty() || uses(*plot_named(plot), "minus")) return ok_status();
  Error error = usage_error("the " + plot + " plot has no option --reference");
  for (const PlotEntry& other : all_plots()) {
    if (uses(other, "minus")) error.hint = "it is an option of --plot " + std::string(other.name);
  }
  return error;
}

// The flag's, or the document's own where the plot has a use for it.
std::string reference_of(const std::string& plot, const ExportFlags& flags,
                         const Document& document) {
  if (!flags.reference.empty()) return flags.reference;
  return uses(*plot_named(plot), "minus") ? document.reference : "";
}

// What the plot shows is computed however long it takes.
Influence influence_in(const PlotEntry& plot, const ViewOptions& options) {
  const auto shows = [&](Stage stage) { return stage_info(stage).role == StageRole::Influence; };
  const bool as_stage = uses(plot, "stage") && shows(options.stage);
  const bool as_b = uses(plot, "minus_stage") && options.minus_stage && shows(*options.minus_stage);
  return uses(plot, "step") || as_stage || as_b ? Influence::LookedAt : Influence::IfQuick;
}

Result<ReferencePtr> open_reference(const std::string& path, const ExportFlags& flags,
                                    Influence influence, Console& console) {
  Result<ReadReport> report = load_document(path, flags.common, console);
  if (!report) return report.error();
  const Result<ResultPtr> result =
      compute_document(report->document, flags.common, console, influence);
  if (!result) return result.error();
  const std::string name = path.substr(path.rfind('/') + 1);
  return ReferencePtr(std::make_shared<const Reference>(
      Reference{"1", name, "", path, std::make_shared<const Document>(std::move(report->document)),
                *result}));
}

// Of the one that the document names.
bool may_compare(const std::string& path, const ExportFlags& flags) {
  return allows_outside(flags.common) || path.starts_with(kExamplePrefix) ||
         !leads_outside(path, folder_of(flags.file));
}

// A file that was asked for by name must be there; without the one that the document names, the
// plot says what is missing.
Status set_reference(PlotOptions& options, const std::string& plot, const ExportFlags& flags,
                     const Document& document, Console& console) {
  const std::string path = reference_of(plot, flags, document);
  if (path.empty() || options.minus == MinusFrom::Document) return ok_status();
  if (flags.reference.empty() && !may_compare(path, flags)) {
    options.no_reference = missing_reference(
        path, usage_error("the document to compare with lies outside of the folder of this one",
                          "add --allow-outside, or name it with --reference"));
    return ok_status();
  }
  const Influence influence = influence_in(*plot_named(plot), options);
  const Result<ReferencePtr> reference = open_reference(path, flags, influence, console);
  if (reference) {
    options.reference = *reference;
    return ok_status();
  }
  if (!flags.reference.empty()) return reference.error();
  options.no_reference = missing_reference(path, reference.error());
  return ok_status();
}

// Says which stage takes the place of one that the document's own view names.
void settle_stage(PlotOptions& options, const std::string& plot, const AttentionResult& result,
                  Console& console) {
  if (!uses(*plot_named(plot), "stage")) return;
  const std::string moved = moved_stage(options, result);
  if (!moved.empty()) console.message(moved);
}

// Of the letters, in points; the largest there may be where there are none.
double smallest_letters(const Figure& figure) {
  double smallest = std::numeric_limits<double>::infinity();
  for (const FigureItem& item : figure.items) {
    const auto* text = std::get_if<TextItem>(&item);
    if (text != nullptr && !text->text.empty()) smallest = std::min(smallest, text->font.size);
  }
  return smallest;
}

// What no page has room for, and what nobody can read on it.
void say_what_suits_no_page(const Figure& figure, Console& console) {
  constexpr double kPage = 9.5, kLegible = 5.0;  // inches and points
  const double height = figure.height / kUnitsPerInch, letters = smallest_letters(figure);
  if (height > kPage) {
    console.message("the figure is " + fixed_text(height, 1) + " in high, more than a page (" +
                    fixed_text(kPage, 1) +
                    " in); a larger --width or a smaller --font-size makes it lower");
  }
  if (letters < 0.995 * kLegible) {
    console.message("the smallest letters have " + fixed_text(letters, 1) +
                    " points, hard to read on paper; a larger --width or --height makes room");
  }
}

// What was asked for and is not there, or not in its size.
void say_what_is_missing(const Figure& figure, const std::string& plot, const PlotOptions& options,
                         const ExportFlags& flags, Console& console) {
  say_what_suits_no_page(figure, console);
  if (figure.scale < 0.995) {
    console.message("letters have " + fixed_text(100.0 * figure.scale, 0) +
                    " % of their size, so that the figure fits --height " +
                    short_text(options.height));
  }
  const bool asked = was_given(flags, "values") || was_given(flags, "decimals");
  if (!asked || !uses(*plot_named(plot), "values")) return;
  const std::string why = why_no_numbers(figure, options, pango_metrics());
  if (!why.empty()) console.message(why);
}

// Says how long attention flow takes; refuses more than an hour, unless it may.
Status check_time(const AttentionShape& shape, const std::string& plot, const PlotOptions& options,
                  const ExportFlags& flags, Console& console) {
  constexpr double kLong = 5.0;
  if (plot != "derived" || options.derived != Derived::Flow) return ok_status();
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

Result<int> save(const std::string& bytes, const ExportFlags& flags, Context& context) {
  Output output(context.console, flags.destination);
  if (const Status written = output.write(bytes); !written) return written.error();
  return done(output.finish());
}

Result<int> run(const ExportFlags& flags, Context& context) {
  if (const Status begun = begin(flags.common, context.console); !begun) return begun.error();
  const Result<std::string> format = format_name(flags);
  if (!format) return format.error();
  const Result<ExportOptions> paper = export_options(flags);
  if (!paper) return paper.error();
  if (const Status free = check_destination(flags.destination, {&flags.file, 1}); !free)
    return free.error();
  const Result<ReadReport> report = load_document(flags.file, flags.common, context.console);
  if (!report) return report.error();
  const View saved = focused_view(report->document.panes.value_or(Panes{}));
  PlotOptions options{saved.options};
  const std::string plot = flags.plot.empty() ? saved.plot : flags.plot;
  if (const Status known = check_plot(plot, flags); !known) return known.error();
  if (const Status there = check_indices(flags, shape_of(report->document)); !there) {
    return there.error();
  }
  if (const Status set = apply_settings(options, *plot_named(plot), flags); !set)
    return set.error();
  if (const Status set = set_part(options, flags.part); !set) return set.error();
  if (const Status used = check_reference(plot, flags); !used) return used.error();
  if (const Status sound = check_options(options, Spelling::Flag); !sound) return sound.error();
  if (uses(*plot_named(plot), "axis_from")) {
    if (const Status axis = check_axis(options, Spelling::Flag); !axis) return axis.error();
  }
  const AttentionShape shape = shape_of(report->document);
  if (const Status soon = check_time(shape, plot, options, flags, context.console); !soon) {
    return soon.error();
  }
  const Result<ResultPtr> result = compute_document(report->document, flags.common, context.console,
                                                    influence_in(*plot_named(plot), options));
  if (!result) return result.error();
  if (const Status there = check_view(flags, *plot_named(plot), options, **result); !there)
    return there.error();
  settle_stage(options, plot, **result, context.console);
  const Status compared = set_reference(options, plot, flags, report->document, context.console);
  if (!compared) return compared.error();
  const std::uint64_t limit = memory_limit_of(flags.common).value();
  const DerivingOptions within{nullptr, limit};
  const Status pinned = set_pins(options, flags.pins, report->document, *result, plot, within);
  if (!pinned) return pinned.error();
  Result<Figure> figure = Figure();
  with_progress(context.console, "Drawing", [&](Progress* progress) {
    figure =
        figure_for_file(report->document, *result, plot, options, paper->dpi, {progress, limit});
  });
  if (!figure) return figure.error();
  say_what_is_missing(*figure, plot, options, flags, context.console);
  const Result<std::string> bytes = encoded(*figure, *format, *paper, context.console);
  if (!bytes) return bytes.error();
  if (const Status whole = check_files(report->document); !whole) return whole.error();
  if (options.reference) {
    const Status whole = check_files(*options.reference->document);
    if (!whole) return whole.error();
  }
  return save(*bytes, flags, context);
}

std::string plots_help() {
  std::vector<HelpLine> lines;
  for (const PlotEntry& plot : all_plots()) {
    lines.push_back({std::string(plot.name), std::string(plot.help)});
    lines.push_back({"", flags_of(plot)});
  }
  return "Plots and their options:\n" + help_table(lines, 20);
}

}  // namespace

Action define_export(CLI::App& parser) {
  auto flags = std::make_shared<ExportFlags>();
  add_file(parser, flags->file);
  add_text(parser,
           {"-o,--output",
            "The picture; its extension chooses the format (" +
                joined(names_of(all_exporters(), &Exporter::extension), ", ") +
                "); - is standard output",
            "OUT", true},
           flags->destination.path);
  add_force(parser, flags->destination);
  add_text(parser, {"--format", "The format, whatever the extension", "NAME"}, flags->format);
  add_text(parser,
           {"--plot",
            "What to draw: " + joined(names_of(all_plots(), &PlotEntry::name), ", ") +
                " (default heatmap)",
            "NAME"},
           flags->plot);
  add_text(parser,
           {"--dpi",
            "Dots per inch of raster pictures; in every format cells are pooled to them "
            "(default 300)",
            "X"},
           flags->dpi);
  add_text(parser,
           {"--text",
            "Text of SVG: live, which can be edited, or outlines, which need no fonts (default "
            "live)",
            "NAME"},
           flags->text);
  add_text(parser,
           {"--reference", "Another document, of which the difference plot subtracts", "FILE"},
           flags->reference);
  add_switch(parser, "--transparent", "No background", flags->transparent);
  add_switch(parser, "--long", "Also draw what takes more than an hour", flags->however_long);
  add_text(parser,
           {"--part", "Only a part of the matrix, in cells counted from 0", "ROW,COL,ROWS,COLS"},
           flags->part);
  add_texts(parser, {"--pin", "Marks a cell; can be given twice", "ROW,COL"}, flags->pins);
  for (const Field<ViewOptions>& field : plot_option_fields()) {
    add_field(parser, field, flags);
  }
  add_seed(parser, flags->common);
  add_computing(parser, flags->common);
  add_outside(parser, flags->common);
  add_messages(parser, flags->common);
  add_footer(parser, plots_help());
  return [flags](Context& context) { return run(*flags, context); };
}

}  // namespace attn::cli
