// Derives what a plot needs, draws it for the dots of its file and has it painted; puts the call
// that does so together, flag by flag.
#include "session/figure_file.h"

#include <array>
#include <charconv>
#include <utility>

#include "engine/compute.h"
#include "export/export.h"
#include "plot/all_plots.h"
#include "plot/parts/matrix_item.h"
#include "view/fields.h"

namespace attn {
namespace {

// A plot whose options were checked, as a file gets it.
struct FilePlot {
  const PlotEntry* plot;
  PlotOptions options;
};

Result<FilePlot> plot_for_file(const ResultPtr& result, const std::string& plot_name,
                               const PlotOptions& options, double dpi) {
  const PlotEntry* plot = plot_named(plot_name);
  if (plot == nullptr) return usage_error("there is no plot named " + plot_name);
  if (const Status sound = check_options(options, *result); !sound) return sound.error();
  if (uses(*plot, "axis_from")) {
    if (const Status axis = check_axis(options); !axis) return axis.error();
  }
  FilePlot file{plot, options};
  file.options.dots_per_unit = dpi / kUnitsPerInch;
  file.options.on_screen = false;
  file.options.window = whole_cells(options.window);
  return file;
}

Result<Figure> figure_derived_for(const FilePlot& file, const Document& document,
                                  const ResultPtr& result, const DerivingOptions& how) {
  const Derivations all = derive_all(*file.plot, document, result, file.options, how);
  if (how.progress != nullptr && how.progress->cancelled) return stopped();
  return draw_plot(*file.plot, {document, *result, &all}, file.options, pango_metrics());
}

// Of the whole work of a file.
float share_of_deriving(const FilePlot& file, const Document& document, const ResultPtr& result) {
  return needs_of(*file.plot, {document, *result}, file.options).empty() ? 0.0F : 0.5F;
}

std::string exact_text(double number) {
  std::array<char, 32> text{};
  const auto written = std::to_chars(text.data(), text.data() + text.size(), number);
  return {text.data(), written.ptr};
}

void add(std::string& command, const std::string& word) { command += " " + shell_word(word); }

void add_field(std::string& command, const Field<ViewOptions>& field, const std::string& text) {
  std::string flag = spelt(field.name, Spelling::Flag);
  if (field.kind == FieldKind::Flag) {
    if (text == "false") flag.insert(2, "no-");
    return add(command, flag);
  }
  add(command, flag);
  add(command, text);
}

void add_options(std::string& command, const View& shown, const View& saved) {
  const PlotEntry* plot = plot_named(shown.plot);
  if (plot == nullptr) return;
  if (shown.plot != saved.plot) {
    add(command, "--plot");
    add(command, shown.plot);
  }
  for (const Field<ViewOptions>& field : plot_option_fields()) {
    if (field.alias || !uses(*plot, field.name)) continue;
    if (!why_idle(*plot, shown.options, field.name).empty()) continue;
    const std::string text = field.get(shown.options);
    if (text != field.get(saved.options)) add_field(command, field, text);
  }
}

void add_part(std::string& command, const CellWindow& window) {
  if (window.rows <= 0.0) return;
  std::string numbers;
  for (const double number : {window.row, window.col, window.rows, window.cols}) {
    numbers += (numbers.empty() ? "" : ",") + exact_text(number);
  }
  add(command, "--part");
  add(command, numbers);
}

void add_paper(std::string& command, const ExportOptions& paper) {
  if (paper.dpi != ExportOptions{}.dpi) {
    add(command, "--dpi");
    add(command, exact_text(paper.dpi));
  }
  if (paper.transparent) add(command, "--transparent");
  if (!paper.outlines) return;
  add(command, "--text");
  add(command, "outlines");
}

// The document to compare with, where the plot does and it has a file.
void add_reference(std::string& command, const AppState& state) {
  if (!shown_plot_uses(state, "minus") || state.reference == nullptr) return;
  const std::string& path = state.reference_source.path;
  if (path.empty() || path == state.file_reference) return;
  add(command, "--reference");
  add(command, path);
}

// What there is of the document for the call to read.
std::string document_word(const AppState& state) {
  if (!state.path.empty()) return state.path;
  return state.source_path.empty() ? "DOCUMENT.attn.json" : state.source_path;
}

std::string remark_of(const AppState& state) {
  if (state.path.empty() && state.source_path.empty()) {
    return "The document has no file yet: save it first";
  }
  if (has_unsaved_changes(state)) {
    return "The command uses the saved file; save to include your changes";
  }
  const bool compares = shown_plot_uses(state, "minus") && state.reference != nullptr;
  if (compares && state.reference->path.empty()) {
    return "What it is compared with has no file yet: save that first";
  }
  return "";
}

}  // namespace

Result<Figure> figure_for_file(const Document& document, const ResultPtr& result,
                               const std::string& plot_name, const PlotOptions& options, double dpi,
                               const DerivingOptions& how) {
  const Result<FilePlot> file = plot_for_file(result, plot_name, options, dpi);
  return file ? figure_derived_for(*file, document, result, how) : file.error();
}

Result<std::string> figure_file(const Document& document, const ResultPtr& result,
                                const std::string& plot_name, const PlotOptions& options,
                                const ExportOptions& export_options, const std::string& path,
                                const DerivingOptions& how) {
  const Exporter* exporter = exporter_for(path);
  if (exporter == nullptr) return usage_error("the format of " + path + " is not known");
  const Result<FilePlot> file = plot_for_file(result, plot_name, options, export_options.dpi);
  if (!file) return file.error();
  const float deriving = share_of_deriving(*file, document, result);
  Result<Figure> figure = Figure();
  {
    const ProgressPart part(how.progress, 0.0F, deriving);
    figure = figure_derived_for(*file, document, result, how);
  }
  if (!figure) return figure.error();
  const ProgressPart part(how.progress, deriving, 1.0F - deriving);
  return exporter->write(*figure, export_options, how.progress);
}

std::string shell_word(const std::string& text) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./,:=+@%";
  const bool plain = !text.empty() && text.find_first_not_of(kPlain) == std::string::npos;
  if (plain) return text;
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'') {
      quoted += "'\\''";
    } else {
      quoted += c;
    }
  }
  return quoted + "'";
}

ExportCall export_call(const AppState& state, const std::string& path) {
  std::string command = "attnscope export";
  add(command, document_word(state));
  add(command, "-o");
  add(command, path);
  const View& shown = focused_view(state);
  add_options(command, shown, state.file_view);
  const PlotEntry* plot = plot_named(shown.plot);
  if (plot != nullptr && plot->fills_room) add_part(command, shown.options.window);
  for (const CellHit& pin : plot_options(state).pins) {
    add(command, "--pin");
    add(command, std::to_string(pin.row) + "," + std::to_string(pin.col));
  }
  add_paper(command, state.preferences.export_options);
  add_reference(command, state);
  return {command, remark_of(state)};
}

}  // namespace attn
