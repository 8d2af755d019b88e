// What plots share. A plot is a pure function from numbers and options to a figure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/fields.h"
#include "base/result.h"
#include "document/document.h"
#include "engine/matrix/matrix.h"
#include "engine/read/derivation.h"
#include "engine/read/result.h"
#include "figure/figure.h"
#include "figure/text.h"
#include "plot/need.h"
#include "plot/reference.h"
#include "view/options.h"

namespace attn {

// What a view sets, what is marked at the moment, and what there is to compare with.
struct PlotOptions : ViewOptions {
  std::vector<CellHit> pins = {};           // drawn as marks
  std::optional<TensorHit> highlight = {};  // the tensor pointed at (dimensions)
  std::optional<TokenHit> focus = {};       // the token pointed at, in place of the option (links)
  bool previewed = false;                   // on a screen, as a file will be
  bool on_screen = false;         // pointed at and clicked; else on paper, without what is for that
  ReferencePtr reference = {};    // what the numbers may be compared with (difference)
  NoReference no_reference = {};  // why there is none although one is named; null: none is
  double pane_height = 0.0;       // of a pane that scrolls: what can be that high is; 0: none
  bool line_words = true;         // lines say their words in a file; who only paints needs none
  bool shares_cells = false;      // with other figures: maps have more than what is in view
  double dots_per_unit = 0.0;     // of a file: cells are pooled to them; 0: to pixel_budget alone
  double page_scale = 1.0;        // by which a file's page will make what is drawn smaller
  bool shows_histogram() const { return on_screen || histogram; }
  friend bool operator==(const PlotOptions&, const PlotOptions&) = default;
};

struct PlotInput {
  const Document& document;
  const AttentionResult& result;
  const Derivations* derivations = nullptr;  // what the plot needs, as far as it is there
};

// Brings the view of `options` into the bounds of the result (of a decoder: of the attention that
// the view is of): a stage or head that is not there becomes the nearest one that is.
PlotOptions fitted_to(const PlotOptions& options, const AttentionResult& result);

// "There is no stage “Softcapped” here; “Scaled” is shown": what fitted_to does to the stage; empty
// when it is there.
std::string moved_stage(const PlotOptions& options, const AttentionResult& result);

// Refuses (Usage) what no figure could honour: bounds of the colours or an axis out of order, and a
// figure too small for its letters. Plots draw regardless; ask before a figure is written. Refusals
// spell the options as asked.
Status check_options(const PlotOptions& options, Spelling spelling = Spelling::Field);
// The same of the ends of an axis, for plots that have one.
Status check_axis(const PlotOptions& options, Spelling spelling = Spelling::Field);

// Also what only the numbers tell: a single bound on the wrong side of the end that stays.
Status check_options(const PlotOptions& options, const AttentionResult& result,
                     Spelling spelling = Spelling::Field);

// The sentence of a cell, the same words everywhere:
// “sat” (query 3) takes 41.2 % from “cat” (key 2), head 1.   For other stages the value; for hidden
// cells the rules; for rows that see no key that.
std::string cell_sentence(const PlotInput& input, const CellHit& cell);

// Colour range of one stage of one head under these options, and what it is taken over. A diverging
// map has zero in its middle: bounds given there become ± the larger of them.
struct ColorRange {
  float low = 0.0F, high = 1.0F;
  std::string basis;                             // "range 0 to 0.54, this head"
  bool beyond_low = false, beyond_high = false;  // values lie below the low or above the high end
  ColorCurve curve = ColorCurve::Linear;
};
ColorRange color_range(const AttentionResult& result, const PlotOptions& options);

}  // namespace attn
