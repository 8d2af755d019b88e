// Figures for files, from the window and the command line, and the equivalent `attnscope export`
// call.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "export/page/page.h"
#include "plot/all_plots.h"
#include "session/figure_request.h"
#include "session/state.h"

namespace attn {

// A figure for a file with the values of all its options: one plot, or several on one page.
struct FigureSpec {
  std::string plot;
  PlotOptions options;                // of it, or of the page
  std::optional<Layout> layout = {};  // the plots of the page
  ExportOptions export_options = {};
  std::string file = {};                   // path of the document, or its example; empty: none
  View saved = {};                         // the view in that file
  std::optional<std::uint64_t> seed = {};  // read in place of the document's
  std::string left_out = {};               // tokens, as the command line names them
  WhatIfTexts what_if = {};                // of the call
  bool of_lesson = false;  // a page of the lesson, which starts from the document before its steps
  std::string hash = {};   // hash_of() the document where it is known
  HtmlPage::Place place = {};             // on a page
  std::vector<std::string> remarks = {};  // for people, before it is drawn
};

// Returns the plots of the figure, in reading order.
std::vector<View> views_of(const FigureSpec& spec);

// Makes the figure one of all panes, with the pins that each of them shows.
void set_layout(FigureSpec& spec, const Layout& layout, const std::vector<CellHit>& pins);

// True if an export to the path is a page of export/page/page.h.
bool is_page(const std::string& path);

// True if an export to the path is an animation of all steps of a flow.
bool is_story(const FigureSpec& spec, const std::string& path);
inline constexpr double kAnimationDpi = 120.0;

// Visits the frames of the glide to the figure, and last the figure, with the seconds to show each.
Status each_moment(const Document& document, const ResultPtr& result, FigureSpec spec,
                   const DerivingOptions& how,
                   const std::function<Status(Raster raster, double seconds)>& visit);

// Returns what a call states for a page: no layer and head, and for a lesson only theme and font.
FigureSpec as_page(FigureSpec spec);

// Returns the figure of the focused pane, or of all panes when the user exports them.
FigureSpec figure_spec(const AppState& state);

// Returns the figure with all derivations made. Views are clamped to the result's bounds; viewports
// are extended to whole cells.
Result<Figure> figure_for_file(const Document& document, const ResultPtr& result,
                               const FigureSpec& spec, const DerivingOptions& how = {});

// Records in the figure how it is made: program, document, and the call with all options that are
// neither usual nor in the saved view; no folders. Error when the document's numbers are gone.
Status add_provenance(Figure& figure, const Document& document, const FigureSpec& spec);

// "AttnScope 0.1.0"
std::string recorded_program();

// Returns the bytes of figure_for_file() with its provenance, in the format that the extension of
// `path` names. Progress covers derivations, painting and encoding.
Result<std::string> figure_file(const Document& document, const ResultPtr& result,
                                const FigureSpec& spec, const std::string& path,
                                const DerivingOptions& how = {});

// Returns the call for figure_spec(), with pins and viewport, for a shell: "attnscope export
// cats.attn.json -o cats.png --head 1". Options that the saved view has are left out.
std::string export_call(const AppState& state, const std::string& path);
// Returns what the user must do first, such as saving, or a remark on the call; empty: nothing.
std::string export_remark(const OpenDocument& open);

}  // namespace attn
