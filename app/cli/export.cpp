// attnscope export: writes a figure, drawn as in the window.
#include "export/export.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <set>
#include <utility>

#include "base/number_text.h"
#include "cli/cli.h"
#include "cli/console.h"
#include "cli/export_panels.h"
#include "cli/export_wishes.h"
#include "cli/in_order.h"
#include "cli/load.h"
#include "document/cost.h"
#include "document/tensors/tensor_file.h"
#include "engine/kernels/parallel.h"
#include "export/provenance.h"
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

// Says what does not fit a page or cannot be read on it.
void add_what_suits_no_page(const Figure& figure, const PlotEntry& plot,
                            std::vector<std::string>& remarks) {
  const double letters = smallest_letters(figure);
  if (figure.height > kPageHeight + 0.5) {
    remarks.push_back("the figure is " + fixed_text(figure.height / kUnitsPerInch, 1) +
                      " in high, more than a page (" + fixed_text(kPageHeight / kUnitsPerInch, 1) +
                      " in); lower with " + what_makes_lower(plot));
  }
  if (letters < 0.995 * kSmallestNumber) {
    remarks.push_back("the smallest letters have " + fixed_text(letters, 1) +
                      " points, hard to read on paper; a larger --width or --height makes room");
  }
}

// Says which parts are missing or of another size than requested.
std::vector<std::string> what_is_missing(const Figure& figure, const PlotEntry& plot,
                                         const PlotOptions& options, const ExportFlags& flags) {
  std::vector<std::string> remarks;
  add_what_suits_no_page(figure, plot, remarks);
  if (figure.scale < 0.995) {
    remarks.push_back("letters have " + fixed_text(100.0 * figure.scale, 0) +
                      " % of their size, so that the figure fits --height " +
                      short_text(options.height));
  }
  const bool asked = was_given(flags, "values") || was_given(flags, "decimals");
  if (!asked || !uses(plot, Option::Values)) return remarks;
  const std::string why = why_no_numbers(figure, options, pango_metrics());
  if (!why.empty()) remarks.push_back(why);
  return remarks;
}

// A PDF of all figures of a call.
class PagesFile {
 public:
  PagesFile(Console& console, const Destination& destination, Provenance made)
      : console_(console), made_(std::move(made)), output_(console, destination) {}

  void add_hash(const std::string& hash) { made_.hash += (made_.hash.empty() ? "" : ", ") + hash; }

  // No page can follow one that failed.
  Status add(const Figure& figure, const std::string& name, const ExportOptions& paper) {
    if (count_++ == 0) whole_.title = figure.title;
    if (whole_.title != figure.title) whole_.title.clear();
    Status added = pages_.add(figure, name, paper, nullptr);
    if (added && !output_.pass_on()) added = output_.finish();
    console_.write_failed |= !added.ok();
    return added;
  }

  // Writes the file if it has pages.
  Status finish() {
    if (count_ == 0) return ok_status();
    whole_.provenance = provenance_text(made_);
    const Status whole = pages_.finish(whole_, nullptr);
    return whole ? output_.finish() : whole;
  }

 private:
  Console& console_;
  Provenance made_;
  Output output_;
  PdfPages pages_{output_.text()};
  Figure whole_ = {};
  std::size_t count_ = 0;
};

// A document of the call with the figures asked for.
struct Source {
  std::string file;
  std::optional<Result<Reading>> reading = {};  // none: not read yet
  std::size_t first = 0;                        // number of its first figure
  std::vector<Wish> wishes = {};
};

// What becomes of the figures of a call.
struct Call {
  const Exporter& exporter;
  ExportOptions paper;
  std::size_t jobs;                       // 0: as many as suit
  std::vector<Destination> outputs = {};  // of each figure, or of all as pages
  std::unique_ptr<PagesFile> pages = {};  // null: files of their own
  References references = {};
  std::set<std::string> said = {};  // remarks, which are made once
  Progress* progress = nullptr;
  std::size_t count = 0;  // of figures

  void say(const std::vector<std::string>& remarks, Console& console) {
    for (const std::string& remark : remarks) {
      if (said.insert(remark).second) console.message(remark);
    }
  }
};

// A figure, and its bytes unless it is for a page.
struct Made {
  Result<Figure> figure;
  Result<std::string> bytes = std::string();
  std::vector<std::string> remarks = {};
};

Made made_of(const PlannedFigure& planned, const Document& document, const ResultPtr& result,
             const Call& call, const DerivingOptions& how) {
  constexpr float kDrawing = 0.5F;  // its share of the progress
  const FigureWanted& wanted = planned.wanted;
  Made made{Figure()};
  {
    const ProgressPart part(how.progress, 0.0F, kDrawing);
    made.figure = figure_for_file(document, result, wanted, how);
  }
  if (!made.figure) return made;
  Figure& figure = *made.figure;
  made.remarks =
      what_is_missing(figure, *planned.panels.front().plot, wanted.options, planned.flags);
  const Status named = add_provenance(figure, document, wanted);
  if (call.pages || !named) return named ? std::move(made) : Made{named.error()};
  const ProgressPart part(how.progress, kDrawing, 1.0F - kDrawing);
  made.bytes = call.exporter.write(figure, call.paper, how.progress);
  return made;
}

// Figures of a document at a time: as many as there are cores and memory, but one where a plot
// derives something, which takes all cores by itself.
std::size_t jobs_for(const std::vector<PlannedFigure>& figures, const PlotInput& input,
                     std::uint64_t free_bytes) {
  for (const PlannedFigure& figure : figures) {
    for (const Panel& panel : figure.panels) {
      if (!needs_of(*panel.plot, input, panel.options).empty()) return 1;
    }
  }
  const AttentionShape& shape = input.result.shape();
  const std::uint64_t each = (std::uint64_t{64} << 20U) + element_count({32, shape.n_q, shape.n_k});
  return std::clamp<std::uint64_t>(free_bytes / each, 1, threads_in_use());
}

Status check_numbers(const Document& document, const FigureWanted& wanted) {
  if (Status whole = check_files(document); !whole) return whole;
  const ReferencePtr& reference = wanted.options.reference;
  return reference ? check_files(*reference->document) : ok_status();
}

Status put_out(Made made, std::size_t number, const std::string& name, Call& call,
               Console& console) {
  if (!made.figure) return made.figure.error();
  if (!made.bytes) return made.bytes.error();
  if (!call.pages) return write_output(console, call.outputs[number], *made.bytes);
  return call.pages->add(*made.figure, name, call.paper);
}

// Draws what is wished of a document.
Result<int> draw(const Source& source, const Document& document, Call& call, Context& context) {
  const View saved = focused_view(document.panes.value_or(Panes{}));
  const FigureWanted usual{{},    {saved.options, {}, {}},   {}, call.paper, source.file,
                           saved, context.common.seed_number};
  std::vector<PlannedFigure> figures;
  for (const Wish& wish : source.wishes) figures.push_back({wish.flags, usual});
  const Result<ResultPtr> result = computed_for(figures, document, call.references, context);
  if (!result) return result.error();
  const Result<std::string> hash = hash_of(document);
  if (!hash) return hash.error();
  if (call.pages) call.pages->add_hash(*hash);
  for (PlannedFigure& figure : figures) {
    figure.wanted.hash = *hash;
    call.say(figure.remarks, context.console);
  }
  const std::uint64_t limit = context.common.memory_limit_bytes;
  const std::uint64_t held =
      std::min(limit, needed_bytes((*result)->problem(), entered_bytes(document)));
  const std::size_t jobs =
      call.jobs > 0 ? call.jobs : jobs_for(figures, {document, **result}, limit - held);
  Failures failures(context.console, figures.size(), "figures");
  const auto all = [&](Progress* progress) {
    const DerivingOptions how{progress, held + (limit - held) / jobs};
    in_order<Made>(
        figures.size(), jobs,
        [&](std::size_t i) { return made_of(figures[i], document, *result, call, how); },
        [&](std::size_t i, Made made) {
          const std::size_t number = source.first + i;
          const std::string name = name_of(source.wishes[i]);
          call.say(made.remarks, context.console);
          Status good = check_numbers(document, figures[i].wanted);
          if (good) good = put_out(std::move(made), number, name, call, context.console);
          report(call.progress, number + 1, call.count);
          return good || failures.add(name, good.error());
        });
  };
  with_progress(context.console, "Drawing", all);
  return failures.result();
}

Result<int> read_and_draw(Source& source, Call& call, Context& context) {
  if (!source.reading) source.reading = load_document(source.file, context);
  context.console.file = source.file;
  const Result<Reading> reading = *std::exchange(source.reading, std::nullopt);
  return reading ? draw(source, reading->document, call, context) : reading.error();
}

Error too_much_to_keep(std::uint64_t bytes, std::uint64_t limit) {
  return over_memory("the documents of the call take too much together", bytes, limit,
                     "name numbers in place of all: then one is read after the other");
}

// Reads the documents first where their shapes say how many figures there are.
Result<std::vector<Source>> sources_of(const std::vector<std::string>& files,
                                       const ExportFlags& flags, double dpi, Context& context) {
  std::vector<Source> sources;
  std::size_t count = 0;
  const std::uint64_t limit = context.common.memory_limit_bytes;
  std::uint64_t held = 0;
  for (const std::string& file : files) {
    Source& source = sources.emplace_back(Source{file});
    std::optional<AttentionShape> shape;
    if (needs_shape(flags)) {
      source.reading = load_document(file, context);
      if (*source.reading) held += entered_bytes((*source.reading)->document);
      if (held > limit) source.reading = too_much_to_keep(held, limit);
      if (!*source.reading) continue;
      shape = shape_of((*source.reading)->document);
    }
    Result<std::vector<Wish>> wishes = wishes_of(flags, stem_of(file), shape);
    if (!wishes) return wishes.error();
    for (std::size_t i = 0; count == 0 && i < wishes->size(); ++i) {
      if (const Status sound = check_flags((*wishes)[i].flags, dpi); !sound) return sound.error();
    }
    source.first = count;
    source.wishes = *std::move(wishes);
    count += source.wishes.size();
  }
  return sources;
}

// Names the outputs; several figures without places in the name become pages.
Status choose_outputs(Call& call, const std::vector<Source>& sources, const ExportFlags& flags,
                      const std::vector<std::string>& files, Context& context) {
  const Destination& destination = context.common.destination;
  std::vector<PlaceValues> places;
  for (const Source& source : sources) {
    for (const Wish& wish : source.wishes) places.push_back(wish.places);
  }
  call.count = places.size();
  const Result<bool> has = has_places(destination.path);
  if (!has) return has.error();
  const bool as_pages = call.count > 1 && !*has && call.exporter.extension == "pdf";
  if (as_pages) places.resize(1);
  Result<std::vector<Destination>> outputs = destinations(destination, places, files);
  if (!outputs) {
    Error error = outputs.error();
    const bool lacks = call.count > 1 && !*has && error.kind == ErrorKind::Usage;
    if (lacks) error.hint += ", or write a PDF, of which they become pages";
    return error;
  }
  call.outputs = *std::move(outputs);
  if (as_pages) {
    const auto name = [](const std::string& file) { return file_name(file); };
    call.pages = std::make_unique<PagesFile>(
        context.console, call.outputs[0],
        Provenance{recorded_program(), joined(files, ", ", name), "",
                   whole_call(flags, files, context.common.seed_number)});
  }
  return ok_status();
}

Result<std::size_t> jobs_asked(const std::string& text) {
  const Result<std::int64_t> jobs = parse_integer(text.empty() ? "1" : text);
  if (jobs && *jobs >= 1 && *jobs <= kMostThreads) {
    return text.empty() ? 0 : static_cast<std::size_t>(*jobs);
  }
  return no_value("--jobs is not a number of figures at a time", text,
                  "1 to " + std::to_string(kMostThreads));
}

Result<int> run(const ExportFlags& flags, Context& context) {
  const Destination& destination = context.common.destination;
  const Result<const Exporter*> exporter = chosen_exporter(flags.format, destination.path);
  if (!exporter) return exporter.error();
  const Result<ExportOptions> paper = export_options(flags);
  if (!paper) return paper.error();
  const Result<std::size_t> jobs = jobs_asked(flags.jobs);
  if (!jobs) return jobs.error();
  const auto files = matched_files(context.common.files);
  if (!files) return files.error();
  auto sources = sources_of(*files, flags, paper->dpi, context);
  if (!sources) return sources.error();
  Call call{**exporter, *paper, *jobs};
  if (const Status chosen = choose_outputs(call, *sources, flags, *files, context); !chosen) {
    return chosen.error();
  }
  if (paper->outlines && call.exporter.extension != "svg") {
    context.console.message("--text outlines has no effect: only SVG asks readers for fonts");
  }
  Result<int> code = 0;
  with_count(context.console, "Figure", call.count, [&](Progress* progress) {
    call.progress = progress;
    code = each_file(*files, {}, context, [&, next = sources->begin()](Context& of_file) mutable {
      return read_and_draw(*next++, call, of_file);
    });
  });
  const bool has_pages = call.pages && !context.console.write_failed;
  const Status written = has_pages ? call.pages->finish() : ok_status();
  return written ? code : written.error();
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
      {"FILE", "", kFilesHelp, &common.files, true},
      {"-o,--output", "OUT",
       "The picture; its extension chooses the format (" + joined(formats) +
           "); - is standard output. Several have a name such as 'fig-{name}-{layer}-{head}.svg' "
           "or are pages of one PDF",
       &common.destination.path, true},
      {"-f,--force", "", kForceHelp, &common.destination.force},
      {"--format", "NAME", "The format, whatever the extension", &flags->format, false, formats},
      {"--plot", "NAMES", "What to draw: one or several of " + joined(plots) + " (default heatmap)",
       &flags->plot, false, plots},
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
      {"--jobs", "N", "How many figures are drawn at a time (default: as cores and memory allow)",
       &flags->jobs},
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
