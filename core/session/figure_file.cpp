// Derives what a plot needs, draws it for the dots of its file and has it painted.
#include "session/figure_file.h"

#include <utility>

#include "engine/compute.h"
#include "export/export.h"
#include "plot/all_plots.h"
#include "plot/parts/matrix_item.h"

namespace attn {

Result<Figure> figure_for_file(const Document& document, const ResultPtr& result,
                               const std::string& plot_name, const PlotOptions& options, double dpi,
                               const DerivingOptions& how) {
  const PlotEntry* plot = plot_named(plot_name);
  if (plot == nullptr) return usage_error("there is no plot named " + plot_name);
  if (const Status sound = check_options(options, *result); !sound) return sound.error();
  if (uses(*plot, "axis_from")) {
    if (const Status axis = check_axis(options); !axis) return axis.error();
  }
  PlotOptions of_file = options;
  of_file.dots_per_unit = dpi / kUnitsPerInch;
  of_file.window = whole_cells(options.window);
  const Derivations all = derive_all(*plot, document, result, of_file, how);
  if (how.progress != nullptr && how.progress->cancelled) return stopped();
  return draw_plot(*plot, {document, *result, &all}, of_file, pango_metrics());
}

Result<std::string> figure_file(const Document& document, const ResultPtr& result,
                                const std::string& plot, const PlotOptions& options,
                                const ExportOptions& export_options, const std::string& path,
                                const DerivingOptions& how) {
  const Exporter* exporter = exporter_for(path);
  if (exporter == nullptr) return usage_error("the format of " + path + " is not known");
  const Result<Figure> figure =
      figure_for_file(document, result, plot, options, export_options.dpi, how);
  if (!figure) return figure.error();
  return exporter->write(*figure, export_options);
}

}  // namespace attn
