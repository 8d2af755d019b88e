// attnscope export: writes a figure, drawn as in the window.
#include "export/export.h"

#include <algorithm>
#include <limits>
#include <memory>

#include "base/number_text.h"
#include "cli/cli.h"
#include "cli/console.h"
#include "cli/export_panels.h"
#include "cli/load.h"
#include "document/tensors/tensor_file.h"
#include "plot/all_plots.h"
#include "plot/kit/cells.h"
#include "plot/kit/page.h"
#include "session/figure_file.h"
#include "view/fields.h"
#include "view/length.h"

namespace attn::cli {
namespace {

// Empty for switches.
std::string value_name(const Field<ViewOptions>& field) {
  const FieldKind kind = field.kind;
  if (kind == FieldKind::Flag) return "";
  if (field.is_length) return "LENGTH";
  if (kind == FieldKind::Integer) return "N";
  if (kind == FieldKind::Number) return "X";
  return kind == FieldKind::Text ? "TEXT" : "NAME";
}

std::string field_help(const Field<ViewOptions>& field) {
  std::string help(field.help);
  if (!field.choices.empty()) help += ": " + joined(field.choices);
  std::string usual = field.get(ViewOptions{});
  if (field.kind == FieldKind::Flag) usual = usual == "true" ? "on" : "off";
  if (!usual.empty()) help += " (default: the view's, else " + usual + ")";
  return help;
}

Flag option_of(const Field<ViewOptions>& field, const std::shared_ptr<ExportFlags>& flags) {
  const std::string flag = spelt(field.name, Spelling::Flag);
  const Flag::Keep keep = [flags, &field](const std::string& text) {
    flags->settings.push_back({&field, text});
  };
  const bool is_switch = field.kind == FieldKind::Flag;
  return {is_switch ? "--[no-]" + flag.substr(2) : flag,
          value_name(field),
          field_help(field),
          keep,
          false,
          field.choices};
}

// By the extension of the output, or by --format.
Result<const Exporter*> chosen_exporter(const std::string& format, const std::string& out) {
  const std::vector<std::string_view> known = names_of(all_exporters(), &Exporter::extension);
  const bool to_stdout = out == "-";
  if (to_stdout && format.empty()) {
    return usage_error("standard output has no extension to choose the format by",
                       "add --format " + joined(known, " or --format "));
  }
  const Exporter* by_extension = to_stdout ? nullptr : exporter_for(out);
  const Exporter* by_format = exporter_for("figure." + format);
  if (by_extension != nullptr && by_format != nullptr && by_extension != by_format) {
    return usage_error("--format " + format + " and the extension of " + out + " disagree",
                       "leave out --format or change the name");
  }
  const Exporter* const chosen = format.empty() ? by_extension : by_format;
  if (chosen != nullptr) return chosen;
  return Error{.kind = ErrorKind::Usage,
               .message = "the format of " + (format.empty() ? out : format) + " is not known",
               .expected = joined(known, " or "),
               .hint = format.empty() ? "end the name in ." + joined(known, " or .") : ""};
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

Result<std::string> encoded(const Figure& figure, const Exporter& exporter,
                            const ExportOptions& paper, Console& console) {
  if (paper.outlines && exporter.extension != "svg") {
    console.message("--text outlines has no effect: only SVG asks readers for fonts");
  }
  Result<std::string> bytes = std::string();
  with_progress(console, "Writing",
                [&](Progress* progress) { bytes = exporter.write(figure, paper, progress); });
  return bytes;
}

// Figure of the document, computed if necessary.
Result<Figure> drawn(const Document& document, const ExportFlags& flags, FigureWanted& wanted,
                     Context& context) {
  Result<std::vector<Panel>> panels = panels_of(flags, wanted);
  if (!panels) return panels.error();
  const Result<ResultPtr> result =
      computed_for(*panels, document, wanted.export_options.dpi, context);
  if (!result) return result.error();
  put_into(wanted, *panels);
  Result<Figure> figure = Figure();
  with_progress(context.console, "Drawing", [&](Progress* progress) {
    figure =
        figure_for_file(document, *result, wanted, {progress, context.common.memory_limit_bytes});
  });
  if (!figure) return figure;
  const auto& [plot, options, own] = panels->front();
  say_what_is_missing(*figure, *plot, wanted.options, flags, context.console);
  if (Status named = add_provenance(*figure, document, wanted); !named) return named.error();
  return figure;
}

Result<int> run(const ExportFlags& flags, Context& context) {
  const std::string& file = context.common.file;
  const Destination& destination = context.common.destination;
  const Result<const Exporter*> exporter = chosen_exporter(flags.format, destination.path);
  if (!exporter) return exporter.error();
  const Result<ExportOptions> paper = export_options(flags);
  if (!paper) return paper.error();
  if (const Status free = check_destination(destination, {&file, 1}); !free) return free.error();
  const Result<Reading> report = load_document(file, context);
  if (!report) return report.error();
  const View saved = focused_view(report->document.panes.value_or(Panes{}));
  FigureWanted wanted{{},    {saved.options, {}, {}},   {}, *paper, file,
                      saved, context.common.seed_number};
  const Result<Figure> figure = drawn(report->document, flags, wanted, context);
  if (!figure) return figure.error();
  const Result<std::string> bytes = encoded(*figure, **exporter, *paper, context.console);
  if (!bytes) return bytes.error();
  if (const Status whole = check_files(report->document); !whole) return whole.error();
  if (const ReferencePtr& reference = wanted.options.reference) {
    if (const Status whole = check_files(*reference->document); !whole) return whole.error();
  }
  return done(write_output(context.console, destination, *bytes));
}

std::string plots_help() {
  std::vector<HelpLine> lines;
  for (const PlotEntry& plot : all_plots()) {
    lines.push_back({std::string(plot.name), std::string(plot.help)});
    const auto flag_of = [](std::string_view option) { return spelt(option, Spelling::Flag); };
    lines.push_back({"", joined(names_of(plot.options), ", ", flag_of)});
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
      {"--layout", "PLOTS",
       "Several plots on one page: beside each other by |, below by /, each with its own options, "
       "as in 'heatmap head=2 | links / heads'",
       &flags->layout},
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
