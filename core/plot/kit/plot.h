// Types shared by all plots. A plot is a pure function from numbers and options to a figure.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/fields.h"
#include "base/files.h"
#include "base/result.h"
#include "document/document.h"
#include "engine/matrix/matrix.h"
#include "engine/read/derivation.h"
#include "engine/read/result.h"
#include "figure/figure.h"
#include "figure/text.h"
#include "figure/theme.h"
#include "view/options.h"

namespace attn {

// An immutable state to compare with, whatever happens to the document it came from. The remark
// reports changes of that document.
struct Reference {
  std::string key;     // unique within a run
  std::string label;   // "cats.attn.json", "Two heads as it was kept"
  std::string remark;  // "the document was edited since"; empty: no change
  std::string path;    // of its file, or example:NAME; empty for a stored state
  std::shared_ptr<const Document> document;  // neither is null
  ResultPtr result;
  std::optional<FileVersion> version = {};  // of the bytes that were read; none: no file to watch
};
using ReferencePtr = std::shared_ptr<const Reference>;

// Reason why a reference that a document or the user names is missing. Shared, so that options are
// cheap to copy and compare.
using NoReference = std::shared_ptr<const Error>;

// The reference at `path` is still being opened and computed.
NoReference awaited_reference(const std::string& path);
// The reference could not be opened or computed: a Usage error with file, cause and remedy.
NoReference missing_reference(const std::string& path, const Error& why);

struct Marks {
  std::vector<CellHit> pins = {};           // drawn as marks
  std::optional<TensorHit> highlight = {};  // the hovered tensor (dimensions)
  std::optional<TokenHit> focus = {};       // the hovered token, in place of the option (links)
  friend bool operator==(const Marks&, const Marks&) = default;
};

// Medium and size that a figure is drawn for.
struct Target {
  bool previewed = false;      // on a screen, in the appearance of a file
  bool on_screen = false;      // interactive; else on paper, without interactive parts
  double pane_height = 0.0;    // of a pane that scrolls: parts may fill it; 0: none
  bool line_words = true;      // lines carry their texts; not needed for painting alone
  bool shares_cells = false;   // with other figures: maps may extend beyond the view
  double dots_per_unit = 0.0;  // of a file: cells are pooled to dots; 0: to pixel_budget alone
  double page_scale = 1.0;     // factor by which the page of a file scales the figure down
  bool is_file() const { return dots_per_unit > 0.0; }
  friend bool operator==(const Target&, const Target&) = default;
};

// Options of the view, current marks, the target, and the reference for comparisons.
struct PlotOptions : ViewOptions, Marks, Target {
  ReferencePtr reference = {};    // the state to compare with (difference)
  NoReference no_reference = {};  // why a named reference is missing; null: none is named
  bool shows_histogram() const { return on_screen || histogram; }
  friend bool operator==(const PlotOptions&, const PlotOptions&) = default;
};

struct PlotInput {
  const Document& document;
  const AttentionResult& result;
  const Derivations* derivations = nullptr;  // what the plot needs, as far as it is known
};

// Whether each cell is drawn as a share of the largest of its row. Only weights on a map that is
// not diverging, which has zero in its middle.
bool has_parts_of_rows(const ViewOptions& options);

// Clamps the view of `options` to the result: a missing stage or head becomes the nearest one, a
// missing attention the last one.
PlotOptions fitted_to(const PlotOptions& options, const AttentionResult& result);

// What plots derive and draw from: the constructor fits the options, so that none that do not fit
// the result arrive.
struct FittedView : PlotInput {
  PlotOptions options;

  FittedView(const PlotInput& input, const PlotOptions& wanted)
      : PlotInput(input), options(fitted_to(wanted, input.result)) {}
  AttentionShape shape() const { return result.shape(options.at); }
};

// Also the base of the scenes of plots; borrows the metrics.
struct Drawing : FittedView {
  const TextMetrics& metrics;
  const FigureTheme& theme;

  Drawing(const PlotInput& input, const PlotOptions& wanted, const TextMetrics& of_text)
      : FittedView(input, wanted), metrics(of_text), theme(figure_theme(options.theme)) {}
  double font() const { return options.font_size; }
};

// Error unless index < count: "there is no such " + what.
Status check_index(const std::string& what, std::size_t index, std::size_t count);

// "There is no stage “Softcapped” here; “Scaled” is shown": the change that fitted_to makes to the
// stage; empty when there is none.
std::string moved_stage(const PlotOptions& options, const AttentionResult& result);

}  // namespace attn
