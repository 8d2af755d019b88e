// attnscope export: writes a figure, drawn as in the window.
#include "export/export.h"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <utility>

#include "base/number_text.h"
#include "cli/cli.h"
#include "cli/console.h"
#include "cli/export_panels.h"
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

// Returns the placeholder of the value of an option; empty for switches.
std::string value_name(const Field<ViewOptions>& field) {
  const FieldKind kind = field.kind;
  if (kind == FieldKind::Flag) return "";
  if (std::ranges::count(numbered_axes(), field.name, &NumberedAxis::name) > 0) return kNumbersName;
  if (field.name == "stage") return "NAMES";
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
  if (field.name == "token" || field.name.starts_with("first_")) help += "; or a text, it#2";
  if (!usual.empty()) help += " (default " + usual + ")";
  return help;
}

// Returns the formats of pictures, animations and equations.
std::vector<std::string_view> drawn_formats() {
  std::vector<std::string_view> names = names_of(all_exporters(), &Exporter::extension);
  names.push_back(kAnimation);
  std::ranges::copy(names_of(all_equation_exporters(), &Exporter::extension),
                    std::back_inserter(names));
  return names;
}

const Exporter* any_exporter_for(std::string_view path) {
  const Exporter* picture = exporter_for(path);
  return picture != nullptr ? picture : equation_exporter_for(path);
}

// Chooses the exporter by the extension of the output, or by --format.
Result<const Exporter*> chosen_exporter(const Destination& destination) {
  const std::string &out = destination.path, &format = destination.format;
  std::vector<std::string_view> known = drawn_formats();
  const bool to_stdout = out == "-";
  if (to_stdout && format.empty()) {
    return usage_error("standard output has no extension to choose the format by",
                       "add --format " + joined(known, " or --format "));
  }
  const Exporter* by_extension = to_stdout ? nullptr : any_exporter_for(out);
  const Exporter* by_format = any_exporter_for("figure." + format);
  if (by_extension != nullptr && by_format != nullptr && by_extension != by_format) {
    return usage_error("--format " + format + " and the extension of " + out + " disagree",
                       "leave out --format or change the name");
  }
  const Exporter* const chosen = format.empty() ? by_extension : by_format;
  if (chosen != nullptr) return chosen;
  std::ranges::copy(number_formats(), std::back_inserter(known));
  return Error{.kind = ErrorKind::Usage,
               .message = "the format of " + (format.empty() ? out : format) + " is not known",
               .expected = joined(known, " or "),
               .hint = format.empty() ? "end the name in ." + joined(known, " or .") : ""};
}

// Returns the values of --svg-text.
std::vector<std::string_view> text_names() { return {"live", "outlines"}; }

Result<ExportOptions> export_options(const FigureRequest& request, bool animates) {
  ExportOptions options;
  options.transparent = request.transparent;
  options.outlines = request.svg_text == "outlines";
  if (!request.svg_text.empty() && request.svg_text != "live" && !options.outlines) {
    return unknown_name("way to write text", request.svg_text, text_names());
  }
  const auto dpi = number_given("--dpi", request.dpi, kSmallestDpi, kLargestDpi);
  if (!dpi) return dpi.error();
  options.dpi = dpi->value_or(animates ? kAnimationDpi : options.dpi);
  return options;
}

// Returns the size of the smallest text in points; infinite without text.
double smallest_letters(const Figure& figure) {
  double smallest = std::numeric_limits<double>::infinity();
  for (const FigureItem& item : figure.items) {
    const auto* text = std::get_if<TextItem>(&item);
    if (text != nullptr && !text->text.empty()) smallest = std::min(smallest, text->font.size);
  }
  return smallest;
}

// Returns the changes of options that make figures of this plot lower.
std::string what_makes_lower(const PlotEntry& plot) {
  std::string words = "a larger --width, a smaller --font-size";
  for (const std::string_view option : {"layers", "heads", "tokens_shown", "changes"}) {
    if (uses(plot, option)) words += ", fewer " + spelt(option, Spelling::Flag);
  }
  return uses(plot, Option::Axes) ? words + ", a --part" : words;
}

// Adds remarks on a figure that does not fit a page or cannot be read on it.
void add_what_suits_no_page(const Figure& figure, const PlotEntry& plot,
                            std::vector<std::string>& remarks) {
  const double letters = smallest_letters(figure);
  if (figure.height > kPageHeight + 0.5) {
    remarks.push_back("the figure is " + fixed_text(figure.height / kUnitsPerInch, 1) +
                      " in high, more than a page (" + fixed_text(kPageHeight / kUnitsPerInch, 1) +
                      " in); to make it lower, use " + what_makes_lower(plot));
  }
  if (letters < 0.995 * kSmallestNumber) {
    remarks.push_back("the smallest letters have " + fixed_text(letters, 1) +
                      " points, hard to read on paper; a larger --width or --height makes room");
  }
}

// Returns remarks on parts that are missing or have another size than requested.
std::vector<std::string> what_is_missing(const Figure& figure, const FigureSpec& spec,
                                         const FigureRequest& request) {
  const PlotEntry& plot = *plot_named(views_of(spec).front().plot);
  std::vector<std::string> remarks = figure.advice;
  add_what_suits_no_page(figure, plot, remarks);
  if (figure.scale < 0.995) {
    remarks.push_back("letters have " + fixed_text(100.0 * figure.scale, 0) +
                      " % of their size, so that the figure fits --height " +
                      short_text(spec.options.height));
  }
  const auto is_given = [&](std::string_view option) {
    return setting_of(request, option) != nullptr;
  };
  const bool numbers = is_given("values") || is_given("annotate") || is_given("decimals");
  if (!numbers || !uses(plot, Option::Values)) return remarks;
  const std::string why = why_no_numbers(figure, spec.options, pango_metrics());
  if (!why.empty()) remarks.push_back(why);
  return remarks;
}

// A PDF or an animation of all figures of a call.
class PagesFile {
 public:
  PagesFile(Console& console, const Destination& destination, Provenance made, bool animates)
      : console_(console), made_(std::move(made)), output_(console, destination) {
    if (!animates) pages_.emplace(output_.text());
  }

  void add_hash(const std::string& hash) { made_.hash += (made_.hash.empty() ? "" : ", ") + hash; }

  // Adds a frame of an animation. Each figure is added after its frames.
  Status add_frame(Raster raster, double seconds, Progress* progress) {
    return frames_.add(std::move(raster), seconds, progress);
  }

  // Adds a page; none can follow one that failed.
  Status add(const Figure& figure, const std::string& name, const ExportOptions& paper) {
    if (count_++ == 0) whole_.title = figure.title;
    if (whole_.title != figure.title) whole_.title.clear();
    Status added = pages_ ? pages_->add(figure, name, paper, nullptr) : ok_status();
    if (added && !output_.pass_on()) added = output_.finish();
    console_.write_failed |= !added.ok();
    return added;
  }

  // Writes the file if it has pages.
  Status finish() {
    if (count_ == 0) return ok_status();
    whole_.provenance = provenance_text(made_);
    if (!pages_) frames_.finish(whole_.provenance);
    const Status whole = pages_ ? pages_->finish(whole_) : ok_status();
    return whole ? output_.finish() : whole;
  }

 private:
  Console& console_;
  Provenance made_;
  Output output_;
  std::optional<PdfPages> pages_ = {};  // none: it is an animation
  GifFrames frames_{output_.text()};
  Figure whole_ = {};
  std::size_t count_ = 0;
};

// The format and the options with which a call writes figures.
struct Call {
  const Exporter& exporter;
  ExportOptions paper;
  unsigned jobs;                          // 0: as many as suit
  std::unique_ptr<PagesFile> pages = {};  // null: each figure has a file
  References references = {};
  std::set<std::string> said = {};  // remarks that were shown, each once
  bool animates() const { return pages && exporter.extension == kAnimation; }

  void say(const std::vector<std::string>& remarks, Console& console) {
    for (const std::string& remark : remarks) {
      if (said.insert(remark).second) console.message(remark);
    }
  }
};

// The bytes of a figure, or the figure itself if it is for a page, and remarks on it.
struct Made {
  Result<std::string> bytes;
  Figure figure = {};
  std::vector<std::string> remarks = {};
};

// The figures of a document and how they are drawn. All is borrowed.
struct Batch {
  const Document& document;
  const std::vector<RequestedFile>& files;
  const SpecifiedFigures& figures;
  Call& call;
  std::uint64_t limit_bytes;
  Console& console;
};

Status add_frames(const Batch& batch, const FigureSpec& spec) {
  return with_progress(batch.console, "Drawing", [&](Progress* progress) {
    return each_moment(batch.document, batch.figures.result, spec, {progress, batch.limit_bytes},
                       [&](Raster raster, double seconds) {
                         return batch.call.pages->add_frame(std::move(raster), seconds, progress);
                       });
  });
}

Made made_of(const Batch& batch, std::size_t i) {
  const FigureSpec& spec = batch.figures.specs[i];
  const Call& call = batch.call;
  Result<Figure> figure = with_progress(batch.console, "Drawing", [&](Progress* progress) {
    return figure_for_file(batch.document, batch.figures.result, spec,
                           {progress, batch.limit_bytes});
  });
  if (!figure) return {figure.error()};
  Status good = add_provenance(*figure, batch.document, spec);
  Made made{std::string(), *std::move(figure)};
  made.remarks = what_is_missing(made.figure, spec, batch.files[i].request);
  if (call.animates() && good) good = add_frames(batch, spec);
  if (!good) made.bytes = good.error();
  if (call.pages || !good) return made;
  made.bytes = with_progress(batch.console, "Writing", [&](Progress* progress) {
    return call.exporter.write(made.figure, call.paper, progress);
  });
  return made;
}

// Returns the number of figures at a time that cores and memory allow.
unsigned usual_jobs(const std::vector<FigureSpec>& specs, const PlotInput& input,
                    std::uint64_t free_bytes) {
  const AttentionShape& shape = input.result.shape();
  std::uint64_t largest = 0;
  for (const FigureSpec& spec : specs) {
    std::uint64_t bytes = (std::uint64_t{64} << 20U) + element_count({32, shape.n_q, shape.n_k});
    PlotOptions options = spec.options;
    for (const View& view : views_of(spec)) {
      static_cast<ViewOptions&>(options) = view.options;
      for (const Need& need : needs_of(*plot_named(view.plot), input, options)) bytes += need.bytes;
    }
    largest = std::max(largest, bytes);
  }
  const std::uint64_t most = std::min<std::uint64_t>(specs.size(), threads_in_use());
  return static_cast<unsigned>(std::clamp<std::uint64_t>(free_bytes / largest, 1, most));
}

unsigned jobs_of(const Call& call, const std::vector<FigureSpec>& specs, const PlotInput& input,
                 std::uint64_t free_bytes) {
  if (call.animates()) return 1;  // its frames are in order
  return call.jobs > 0 ? call.jobs : usual_jobs(specs, input, free_bytes);
}

Status check_numbers(const Document& document, const FigureSpec& spec) {
  if (Status whole = check_files(document); !whole) return whole;
  const ReferencePtr& reference = spec.options.reference;
  return reference ? check_files(*reference->document) : ok_status();
}

Status put_out(const Batch& batch, std::size_t i, const Made& made) {
  const RequestedFile& file = batch.files[i];
  Call& call = batch.call;
  call.say(made.remarks, batch.console);
  if (Status good = check_numbers(batch.document, batch.figures.specs[i]); !good) return good;
  if (!made.bytes) return made.bytes.error();
  if (call.pages) return call.pages->add(made.figure, output_name(file.places), call.paper);
  return write_output(batch.console, file.destination, *made.bytes);
}

// Draws the figures on several threads, and writes them in order.
Result<int> draw_all(const Batch& batch, unsigned jobs, Progress* progress) {
  const std::size_t count = batch.files.size();
  Failures failures(batch.console, count, "figures");
  std::mutex mutex;
  std::map<std::size_t, Made> waiting;
  std::size_t next = 0;
  std::atomic<bool> goes_on = true;
  parallel_for(count, jobs, nullptr, [&](std::size_t i) {
    if (!goes_on) return;
    Made made = made_of(batch, i);
    const std::lock_guard lock(mutex);
    waiting.emplace(i, std::move(made));
    for (; goes_on && waiting.contains(next); ++next) {
      const Status good = put_out(batch, next, waiting.extract(next).mapped());
      report(progress, next + 1, count);
      if (!good) goes_on = failures.add(output_name(batch.files[next].places), good.error());
    }
  });
  return failures.result();
}

// Reads a source and draws the figures that are requested of it.
Result<int> draw(Source& source, Call& call, Progress* progress, Context& context) {
  const Result<Reading> reading = source.read(context);
  if (!reading) return reading.error();
  const Document& document = reading->document;
  const Result<std::string> hash = hash_of(*reading);
  if (!hash) return hash.error();
  if (call.pages) call.pages->add_hash(*hash);
  const FigureSpec like{
      .plot = {}, .options = {}, .export_options = call.paper, .file = source.file, .hash = *hash};
  const auto figures = specified(source.outputs, like, document, call.references, context);
  if (!figures) return figures.error();
  for (const FigureSpec& spec : figures->specs) call.say(spec.remarks, context.console);
  const AttentionResult& result = *figures->result;
  const std::uint64_t limit = context.common.memory_limit_bytes;
  const std::uint64_t held =
      std::min(limit, needed_bytes(result.problem(), entered_bytes(document)));
  const unsigned jobs = jobs_of(call, figures->specs, {document, result}, limit - held);
  return draw_all(
      {document, source.outputs, *figures, call, held + (limit - held) / jobs, context.console},
      jobs, progress);
}

// Names the outputs; several figures without places in the name become pages.
Status choose_outputs(Call& call, std::vector<Source>& sources, const FigureRequest& request,
                      Context& context) {
  std::size_t count = 0;
  for (const Source& source : sources) count += source.outputs.size();
  const bool lacks_places = count > 1 && !has_places(context.common.destination.path);
  const bool animates = call.exporter.extension == kAnimation;
  const bool as_pages = lacks_places && (call.exporter.extension == "pdf" || animates);
  const auto named = name_outputs(sources, request.reference, as_pages, context);
  if (!named) {
    Error error = named.error();
    if (lacks_places && error.kind == ErrorKind::Usage)
      error.hint += ", or write a PDF, of which they become pages, or a GIF";
    return error;
  }
  if (!as_pages) return ok_status();
  call.pages = std::make_unique<PagesFile>(context.console, named->front(),
                                           record_of(request, sources, context), animates);
  return ok_status();
}

// Refuses the name of a plot where a file is expected.
Status check_files_exist(const std::vector<std::string>& files) {
  for (const std::string& file : files) {
    std::error_code failed;
    if (plot_named(file) == nullptr || std::filesystem::exists(file, failed)) continue;
    return usage_error("there is no file named " + file, "for the plot, add --plot " + file);
  }
  return ok_status();
}

Result<int> draw_sources(std::vector<Source>& sources, Call& call, Context& context) {
  const Result<int> code =
      each_source(sources, "Figure", context,
                  [&](Source& source, auto&&... of) { return draw(source, call, of...); });
  const bool has_pages = call.pages && !context.console.write_failed;
  const Status written = has_pages ? call.pages->finish() : ok_status();
  return written ? code : written.error();
}

Result<int> draw_pictures(FigureRequest request, const Exporter& exporter, Context& context) {
  const bool animates = exporter.extension == kAnimation;
  if (animates && is_played(request.plot) && setting_of(request, "step") == nullptr) {
    set_text(request, "step", "all");
  }
  const Result<ExportOptions> paper = export_options(request, animates);
  if (!paper) return paper.error();
  const auto jobs = number_given("--jobs", context.common.jobs, 1.0, kMostThreads);
  if (!jobs) return jobs.error();
  auto sources = sources_of(context, request, lists_of(request));
  if (!sources) return sources.error();
  for (const RequestedFile& output : sources->front().outputs) {
    const Status sound = check_request(output.request, paper->dpi);
    if (!sound) return sound.error();
  }
  Call call{exporter, *paper, static_cast<unsigned>(jobs->value_or(0.0))};
  if (const Status chosen = choose_outputs(call, *sources, request, context); !chosen) {
    return chosen.error();
  }
  if (paper->outlines && exporter.extension != "svg") {
    context.console.message("--svg-text outlines has no effect: only SVG asks readers for fonts");
  }
  return draw_sources(*sources, call, context);
}

Result<int> run(const FigureRequest& request, Context& context) {
  if (const Status good = check_files_exist(context.common.files); !good) return good.error();
  const Destination& destination = context.common.destination;
  const std::string name =
      destination.format.empty() ? ending_of(destination.path) : destination.format;
  if (std::ranges::count(number_formats(), name) > 0) return export_numbers(request, context);
  const Result<const Exporter*> exporter = chosen_exporter(destination);
  if (!exporter) return exporter.error();
  if ((*exporter)->extension == "html") return export_pages(request, context);
  return draw_pictures(request, **exporter, context);
}

}  // namespace

Provenance record_of(FigureRequest request, std::span<const Source> sources,
                     const Context& context) {
  request.files.clear();
  for (const Source& source : sources) request.files.push_back(file_name(source.file));
  request.reference = file_name(request.reference);
  request.svg_text.clear();
  const auto& seed = context.common.seed_number;
  request.seed = seed ? std::to_string(*seed) : "";
  request.left_out = context.common.left_out;
  request.what_if = context.common.what_if;
  request.text = context.common.text.value_or("");
  request.ids = context.common.ids;
  request.of_several = true;
  return {recorded_program(), joined(request.files, ", "), "", call_of(request)};
}

Flag option_of(const Field<ViewOptions>& field, const std::shared_ptr<FigureRequest>& request) {
  const std::string flag = spelt(field.name, Spelling::Flag);
  const bool is_switch = field.kind == FieldKind::Flag;
  return {is_switch ? "--[no-]" + flag.substr(2) : flag,
          value_name(field),
          field_help(field),
          kept_in(request, field.name),
          false,
          field.choices};
}

Definition define_export(CommonFlags& common) {
  auto request = std::make_shared<FigureRequest>();
  std::vector<std::string_view> formats = drawn_formats();
  std::ranges::copy(number_formats(), std::back_inserter(formats));
  const auto plots = names_of(all_plots(), &PlotEntry::name);
  Flags options{
      {"FILE", "", kFilesHelp, &common.files, true},
      {"-o,--output", "OUT",
       "The picture, the numbers that it shows, or the equation of --plot why; its extension "
       "chooses the format (" +
           joined(formats) +
           "); - is standard output. Several have a name such as 'fig-{name}-{layer}-{head}.svg' "
           "or are pages of one PDF or frames of a GIF",
       &common.destination.path, true},
      {"-f,--force", "", kForceHelp, &common.destination.force},
      {"--format", "NAME", "The format, whatever the extension", &common.destination.format, false,
       formats},
      {"--plot", "NAMES",
       "What to draw: one or several of " + joined(plots) + " (default: the view's, else heatmap)",
       &request->plot, false, plots},
      {"--layout", "PLOTS",
       "Several plots on one page: beside each other by |, below by /, each with its own options, "
       "as in 'heatmap head=2 | links / heads'",
       &request->layout},
      {"--dpi", "X",
       "Dots per inch of raster pictures; in every format cells are pooled to them (default 300)",
       &request->dpi},
      {"--svg-text", "NAME",
       "Text of SVG: live, which can be edited, or outlines, which need no fonts (default live)",
       &request->svg_text, false, text_names()},
      {"--reference", "FILE", "Another document, whose matrix the difference plot subtracts",
       &request->reference},
      {"--jobs", "N", "How many figures are drawn at a time (default: as cores and memory allow)",
       &common.jobs},
      {"--transparent", "", "No background", &request->transparent},
      {"--long", "", "Also draw what takes more than an hour", &common.however_long},
      {"--part", "ROW,COL,ROWS,COLS", "Only a part of the matrix, in cells counted from 0",
       &request->part},
      {"--pin", "ROW,COL",
       "Marks a cell, also it#2,cat, or names that of --plot why; may come twice", &request->pins}};
  for (const Field<ViewOptions>& field : plot_option_fields()) {
    options.push_back(option_of(field, request));
  }
  add_shared(options, common, kSeed | kChanges | kComputing | kMessages);
  return {std::move(options),
          [request, &common](Context& context) {
            common.checks_lessons = true;
            return run(*request, context);
          },
          "Defaults of a plot's options hold where the document's view says nothing else.\n",
          export_help};
}

}  // namespace attn::cli
