// Figures of attnscope export: its request as options of each plot, checked with the document.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cli/batch.h"
#include "cli/cli.h"
#include "cli/compute.h"
#include "export/provenance.h"
#include "session/figure_file.h"
#include "session/figure_request.h"

namespace attn::cli {

// The flag that sets the option in a request; and help of the plot in the arguments, else of all.
Flag option_of(const Field<ViewOptions>& field, const std::shared_ptr<FigureRequest>& request);
std::string export_help(const Flags& options, const Arguments& arguments);

// The record of a call for all figures of the sources, without folders, output and hash.
Provenance record_of(FigureRequest request, std::span<const Source> sources,
                     const Context& context);

// Documents that others are compared with, by their paths: each is opened once.
using References = std::map<std::pair<std::string, Influence>, Result<ReferencePtr>>;

// Field to set. For plots of several layers or heads, --layer and --head choose which are drawn.
const Field<ViewOptions>& field_of(const Setting& setting, const PlotEntry& plot);
bool is_used(const Setting& setting, const PlotEntry& plot);

// Usage error for names and values that no document could have.
Status check_request(const FigureRequest& request, double dpi);

// Figures with all their options, and the result that all of them are drawn of.
struct SpecifiedFigures {
  ResultPtr result;
  std::vector<FigureSpec> specs;
};

// The figure of each file: of the document's view, with the panels of the layout or the one plot,
// and options that are checked before computing. Paper, file and hash are those of `like`.
Result<SpecifiedFigures> specified(const std::vector<RequestedFile>& files, const FigureSpec& like,
                                   const Document& document, References& references,
                                   Context& context);

// Files of the numbers that the plot of each document shows, with its view and the options, of all
// heads and the like that these list. Usage error for plots that show no such matrix, and for
// options that change a picture alone.
Result<int> export_numbers(const FigureRequest& request, Context& context);

// A page for each file: of its lesson, unless plots are named, or of plots as tabs. Usage error for
// options that suit none.
Result<int> export_pages(const FigureRequest& request, Context& context);

}  // namespace attn::cli
