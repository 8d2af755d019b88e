// Plots of one export: the flags of the command as options of each plot, checked with the document.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/batch.h"
#include "cli/cli.h"
#include "cli/compute.h"
#include "export/provenance.h"
#include "session/figure_file.h"
#include "view/fields.h"

namespace attn::cli {

// Text given for a field of the plot options.
struct Setting {
  const Field<ViewOptions>* field;
  std::string text;
};

std::string flag_of(const Setting& setting);  // "--head", "--no-values"

struct ExportFlags {
  std::string format;
  std::string plot, layout;
  std::string dpi;
  std::string part;
  std::vector<std::string> pins;
  bool transparent = false;
  bool however_long = false;
  std::string text;
  std::string reference;
  std::string jobs;
  std::vector<Setting> settings;
};

// The option that sets the field in `flags`; and help of the plot in the arguments, else of all.
Flag option_of(const Field<ViewOptions>& field, const std::shared_ptr<ExportFlags>& flags);
std::string export_help(const Flags& options, const Arguments& arguments);

// A plot to draw, with the flags that concern it.
struct Panel {
  const PlotEntry* plot;
  PlotOptions options;
  ExportFlags flags;
};

// A figure with one value of each option that had a list: a plot, stage, sample, layer, head or
// step.
struct Wish {
  ExportFlags flags;
  PlaceValues places;     // of its name: these and that of the document
  FigureWanted wanted{};  // as the following, by computed_for()
  std::vector<Panel> panels{};
  std::vector<std::string> remarks{};  // for people, before it is drawn
};

// What options have as lists, of the document called `name`.
PlaceValues lists_of(const ExportFlags& flags, const std::string& name);

// Extents of what lists count: the number of queries is that of the steps, of a decoder or a flow.
AttentionShape counted_shape(const ExportFlags& flags, const Document& document);

// The figure with these values of the lists; and one of each of their combinations(), with the same
// errors.
Wish wish_of(const ExportFlags& flags, const PlaceValues& places);
Result<std::vector<Wish>> wishes_of(const ExportFlags& flags, const std::string& name,
                                    const std::optional<AttentionShape>& shape);

// A record of the call for all figures of the files, without folders and output, for a shell.
Provenance whole_call(const ExportFlags& flags, const std::vector<std::string>& files,
                      const Context& context);

// Documents that others are compared with, by their paths: each is opened once.
using References = std::map<std::pair<std::string, Influence>, Result<ReferencePtr>>;

inline bool was_given(const ExportFlags& flags, std::string_view name) {
  return std::ranges::any_of(flags.settings,
                             [&](const Setting& setting) { return setting.field->name == name; });
}

// Field to set. For plots of several layers or heads, --layer and --head choose which are drawn.
const Field<ViewOptions>& field_of(const Setting& setting, const PlotEntry& plot);
bool is_used(const Setting& setting, const PlotEntry& plot);

// Usage error for names and values that no document could have.
Status check_flags(const ExportFlags& flags, double dpi);

// Wants figures with this paper, file and hash: of the view of the document, and of the panels of
// the layout, or of the one plot, with options that are checked before computing. Gives the result
// for all figures, to which they are fitted.
Result<ResultPtr> computed_for(std::vector<Wish>& figures, const FigureWanted& like,
                               const Document& document, References& references, Context& context);

// Files of the numbers that the plot of each document shows, with its view and the flags, of all
// heads and the like that these list. Usage error for plots that show no such matrix, and for
// options that change a picture alone.
Result<int> export_numbers(const ExportFlags& flags, Context& context);

// A page for each file: of its lesson, unless plots are named, or of plots as tabs. Usage error for
// flags that suit none.
Result<int> export_pages(const ExportFlags& flags, Context& context);

}  // namespace attn::cli
