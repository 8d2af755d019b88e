// The figures of attnscope export: requests become options of plots, checked with the document.
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
#include "cli/panels.h"
#include "export/provenance.h"
#include "session/figure_file.h"
#include "session/figure_request.h"

namespace attn::cli {

// Return the flag that sets the option in a request, and help of the named plot, else of all.
Flag option_of(const Field<ViewOptions>& field, const std::shared_ptr<FigureRequest>& request);
std::string export_help(const Flags& options, const Arguments& arguments);

// Returns the record of a call for all figures of the sources, without folders, output and hash.
Provenance record_of(FigureRequest request, std::span<const Source> sources,
                     const Context& context);

// Documents that others are compared with, by their paths; each is opened once.
using References = std::map<std::pair<std::string, Influence>, Result<ReferencePtr>>;

// Refuses names and values that no document could have (Usage).
Status check_request(const FigureRequest& request, double dpi);

// Figures with all their options, and the result that they are drawn from.
struct SpecifiedFigures {
  ResultPtr result;
  std::vector<FigureSpec> specs;
};

// Returns the figure of each file: the document's view with the panels of the layout or the one
// plot. Options are checked before computing. Paper, file and hash are those of `like`.
Result<SpecifiedFigures> specified(const std::vector<RequestedFile>& files, const FigureSpec& like,
                                   const Document& document, References& references,
                                   Context& context);

// Writes files of the numbers that the plot of each document shows with its view and the options,
// for all heads and other axes that these list. Usage error for plots without such a matrix, and
// for options that only change a picture.
Result<int> export_numbers(const FigureRequest& request, Context& context);

// Writes a page for each file: of its lesson, or of the named plots as tabs. Usage error for
// options that suit none.
Result<int> export_pages(const FigureRequest& request, Context& context);

}  // namespace attn::cli
