// Derives what a plot needs, draws it for the dots of its file and has it painted.
#include "session/figure_file.h"

#include <utility>

#include "engine/compute.h"
#include "export/export.h"
#include "plot/all_plots.h"
#include "plot/colors/color_range.h"
#include "plot/kit/cells.h"

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
  if (uses(*plot, Option::AxisFrom)) {
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

}  // namespace attn
