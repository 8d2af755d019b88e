// Derives, draws and paints figures for files, and writes the equivalent command line.
#include "session/figure_file.h"

#include <array>
#include <charconv>
#include <utility>

#include "engine/compute.h"
#include "export/export.h"
#include "plot/all_plots.h"
#include "plot/colors/color_range.h"
#include "plot/kit/cells.h"
#include "view/fields.h"

namespace attn {
namespace {

// Checked options for a file.
Result<PlotOptions> options_for_file(const ResultPtr& result, const std::string& plot_name,
                                     PlotOptions options, double dpi) {
  const PlotEntry* plot = plot_named(plot_name);
  if (plot == nullptr) return usage_error("there is no plot named " + plot_name);
  if (const Status sound = check_options(options, *result); !sound) return sound.error();
  const Status axis = uses(*plot, Option::AxisFrom) ? check_axis(options) : ok_status();
  if (!axis) return axis.error();
  options.dots_per_unit = dpi / kUnitsPerInch;
  options.on_screen = false;
  options.window = whole_cells(options.window);
  return options;
}

Result<Figure> figure_derived_for(const PlotEntry& plot, const PlotOptions& options,
                                  const Document& document, const ResultPtr& result,
                                  const DerivingOptions& how) {
  const Derivations all = derive_all(plot, document, result, options, how);
  if (how.progress != nullptr && how.progress->cancelled) return stopped();
  return draw_plot(plot, {document, *result, &all}, options, pango_metrics());
}

std::string exact_text(double number) {
  std::array<char, 32> text{};
  const auto written = std::to_chars(text.data(), text.data() + text.size(), number);
  return {text.data(), written.ptr};
}

template <class... Words>
void add(std::string& command, const Words&... words) {
  ((command += " " + shell_word(words)), ...);
}

void add_field(std::string& command, const Field<ViewOptions>& field, const std::string& text) {
  std::string flag = spelt(field.name, Spelling::Flag);
  if (field.kind == FieldKind::Flag) {
    if (text == "false") flag.insert(2, "no-");
    return add(command, flag);
  }
  add(command, flag, text);
}

void add_options(std::string& command, const View& shown, const View& saved) {
  const PlotEntry* plot = plot_named(shown.plot);
  if (plot == nullptr) return;
  if (shown.plot != saved.plot) add(command, "--plot", shown.plot);
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
  add(command, "--part", numbers);
}

void add_paper(std::string& command, const ExportOptions& paper) {
  if (paper.dpi != ExportOptions{}.dpi) add(command, "--dpi", exact_text(paper.dpi));
  if (paper.transparent) add(command, "--transparent");
  if (paper.outlines) add(command, "--text", "outlines");
}

// Adds the reference's file, if the plot compares and it has one.
void add_reference(std::string& command, const OpenDocument& open) {
  if (!shown_plot_uses(open, Option::Minus) || open.reference == nullptr) return;
  const std::string& path = open.reference_source.path;
  if (path.empty() || path == open.file_reference) return;
  add(command, "--reference", path);
}

}  // namespace

Result<Figure> figure_for_file(const Document& document, const ResultPtr& result,
                               const std::string& plot_name, const PlotOptions& options, double dpi,
                               const DerivingOptions& how) {
  const Result<PlotOptions> file = options_for_file(result, plot_name, options, dpi);
  if (!file) return file.error();
  return figure_derived_for(*plot_named(plot_name), *file, document, result, how);
}

Result<std::string> figure_file(const Document& document, const ResultPtr& result,
                                const std::string& plot_name, const PlotOptions& options,
                                const ExportOptions& export_options, const std::string& path,
                                const DerivingOptions& how) {
  const Exporter* exporter = exporter_for(path);
  if (exporter == nullptr) return usage_error("the format of " + path + " is not known");
  const Result<PlotOptions> file = options_for_file(result, plot_name, options, export_options.dpi);
  if (!file) return file.error();
  const PlotEntry& plot = *plot_named(plot_name);
  const bool derives = !needs_of(plot, {document, *result}, *file).empty();
  const float deriving = derives ? 0.5F : 0.0F;  // its share of the progress
  Result<Figure> figure = Figure();
  {
    const ProgressPart part(how.progress, 0.0F, deriving);
    figure = figure_derived_for(plot, *file, document, result, how);
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
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string export_call(const AppState& state, const std::string& path) {
  std::string command = "attnscope export";
  const std::string& file = origin_of(state);
  add(command, file.empty() ? "DOCUMENT.attn.json" : file, "-o", path);
  const View& shown = focused_view(state);
  add_options(command, shown, state.file_view);
  const PlotEntry* plot = plot_named(shown.plot);
  if (plot != nullptr && plot->fills_room) add_part(command, shown.options.window);
  for (const CellHit& pin : plot_options(state).pins) {
    add(command, "--pin", std::to_string(pin.row) + "," + std::to_string(pin.col));
  }
  add_paper(command, state.preferences.export_options);
  add_reference(command, state);
  return command;
}

std::string export_remark(const OpenDocument& open) {
  if (origin_of(open).empty()) return "The document has no file yet: save it first";
  if (has_unsaved_changes(open)) {
    return "The command uses the saved file; save to include your changes";
  }
  const bool compares = shown_plot_uses(open, Option::Minus) && open.reference != nullptr;
  const bool has_other = !compares || !open.reference->path.empty();
  return has_other ? "" : "What it is compared with has no file yet: save that first";
}

}  // namespace attn
