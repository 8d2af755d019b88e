// Inputs, options and needs of all plots. A plot is a pure function from numbers and options to a
// figure; derivations beyond the computed stages are made before.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/fields.h"
#include "base/files.h"
#include "base/progress.h"
#include "base/result.h"
#include "document/document.h"
#include "engine/compute.h"
#include "engine/matrix/matrix.h"
#include "engine/read/derivation.h"
#include "engine/read/result.h"
#include "figure/colormap.h"
#include "figure/figure.h"
#include "figure/text.h"
#include "view/layout.h"
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
  std::vector<CellHit> pins = {};                              // drawn as marks
  std::map<PaneId, std::vector<CellHit>> pins_of_panels = {};  // of a page of several plots
  std::optional<TensorHit> highlight = {};                     // the hovered tensor (dimensions)
  std::optional<std::size_t> pointed_layer = {};  // whose part of a derivation comes first (atlas)
  std::optional<TokenHit> focus = {};  // the hovered token, in place of the option (links)
  friend bool operator==(const Marks&, const Marks&) = default;
};

// Medium and size that a figure is drawn for.
struct Target {
  bool previewed = false;      // on a screen, in the appearance of a file
  bool on_screen = false;      // interactive; else on paper, without interactive parts
  bool at_bar = false;         // the pointer is at the colour bar: its ends have handles
  double pane_height = 0.0;    // of a pane that scrolls: parts may fill it; 0: none
  bool line_words = true;      // lines carry their texts; not needed only to paint
  bool shares_cells = false;   // with other figures: maps may extend beyond the view
  double dots_per_unit = 0.0;  // of a file: cells are pooled to dots; 0: only to pixel_budget
  bool is_panel = false;       // of a page of several plots: has no title but its letter
  double page_scale = 1.0;     // factor by which the page of a file scales the figure down
  double map_top = 0.0;        // least height above the cells of a map, units
  double most_cell = 0.0;      // largest cell of a map, units; 0: the usual bound
  double glide = 1.0;          // from the step before, 0, to the one that is shown, 1
  // Ends of colours that follow the numbers, held while these are dragged; nothing: computed again.
  std::optional<std::pair<float, float>> held_ends = {};
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
  const Derivations* derivations = nullptr;  // derivations for the plot, as far as they are known
};

// True if each cell is drawn as a share of the largest of its row. Only weights on a map that is
// not diverging, which has zero in its middle.
bool has_parts_of_rows(const ViewOptions& options);

// True if the cells are in memory, or there are none.
inline bool is_materialised(const AttentionResult& result, Stage stage, const HeadAddress& at) {
  return !result.has(stage, at) || result.range(stage, at);
}

// True if the weights of an attention are from 0 to 1: all that are computed, and given ones as far
// as a sample of their rows shows.
bool gives_shares(const AttentionResult& result, const HeadAddress& of);

// Clamps the view of `options` to the result: a missing stage or head becomes the nearest one, a
// missing attention the last one.
PlotOptions fitted_to(const PlotOptions& options, const AttentionResult& result);

// Input from which plots derive and draw: the constructor fits the options to the result.
struct FittedView : PlotInput {
  PlotOptions options;

  // Given weights of both signs have a map of colours with zero in its middle, unless one is
  // chosen.
  FittedView(const PlotInput& input, const PlotOptions& wanted);
  AttentionShape shape() const { return result.shape(options.at); }
};

// Is the base of the scenes of plots, too; borrows the metrics.
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

// Input of a derivation.
struct Sources {
  const Document& document;
  const ResultPtr& result;
  Progress* progress = nullptr;  // may be null
};

struct Need {
  std::string key;                // equal keys of one result have equal derivations
  std::string label;              // shown while the job runs: "Attention rollout"
  std::uint64_t nanoseconds = 0;  // predicted; saturates
  // Makes it on any thread; captures no borrowed data. Interrupted when it is cancelled.
  std::function<Result<DerivationPtr>(const Sources&)> derive;
  // Predicted peak of memory in addition to the result, saturates. 0: too small to count.
  std::uint64_t bytes = 0;
  bool awaited = true;  // false: the plot is drawn without it, with a remark, until it is there
  // True: only files wait for it; a window shows a faster approximation.
  bool only_for_files = false;
};

// Predicted time beyond which some rows are derived first.
inline constexpr std::uint64_t kShortTime = 250'000'000;  // a quarter of a second
inline constexpr std::uint64_t kMinute = 60'000'000'000;

inline constexpr std::string_view kSomeRows = ", some rows";  // name of a pass

// One way to derive something: from some rows, or from all.
struct Pass {
  std::string name = {};          // suffix of the key; empty: the exact pass
  std::string label;              // shown while the job runs
  std::uint64_t nanoseconds = 0;  // as in Need
  std::size_t row_step = 1;       // every row_step-th row is read; 1: all are
  bool awaited = true;
  bool only_for_files = false;  // as in Need
};

inline void append(std::vector<Need>& needs, std::vector<Need> more) {
  std::ranges::move(more, std::back_inserter(needs));
}

// Needs of one derivation, by passes from coarse to exact. `make(sources, pass)` runs on any thread
// and captures no borrowed data; its result is incomplete when cancelled.
template <class Kind, class Make>
std::vector<Need> needs_of(const std::string& key, const std::vector<Pass>& passes,
                           const Make& make, std::uint64_t bytes = 0) {
  std::vector<Need> needs;
  for (const Pass& pass : passes) {
    const auto derive = [make, pass](const Sources& from) -> Result<DerivationPtr> {
      Result<std::shared_ptr<Kind>> made = make(from, pass);
      if (!made) return made.error();
      if (is_cancelled(from.progress)) return stopped();
      return DerivationPtr(*std::move(made));
    };
    needs.push_back({key + pass.name, pass.label, pass.nanoseconds, derive, bytes, pass.awaited,
                     pass.only_for_files});
  }
  return needs;
}

// The most exact derivation that is known; null when there is none.
template <class Kind>
std::shared_ptr<const Kind> best_of(const std::vector<Need>& needs, const Derivations* known) {
  for (auto need = needs.rbegin(); known != nullptr && need != needs.rend(); ++need) {
    if (auto found = known->get<Kind>(need->key)) return found;
  }
  return nullptr;
}

// An exact pass, preceded by one over some rows where reading all takes longer than kShortTime. A
// file gets one pass over as many rows as a minute allows. `heads` heads are read in sequence.
std::vector<Pass> passes_by_rows(const FittedView& view, std::size_t heads, std::string_view label,
                                 std::string_view label_of_some = {});

// "1,024 of 131,072 rows"; empty when all were read.
std::string rows_of_all(std::size_t read, std::size_t rows, std::string_view noun = "rows");

// ", 1,024 of 131,072 rows so far"; empty when all were read.
std::string rows_so_far(std::size_t read, std::size_t rows);

// "1,024 of 131,072 queries", in a window followed by "so far"; empty when all were read.
std::string rows_measured_words(std::size_t read, std::size_t rows, const PlotOptions& options,
                                std::string_view noun = "queries");

// The matrix with this id: a stage of the result or a derivation; null when there is none. The
// input belongs to the attention of the id and outlives the matrix.
MatrixPtr matrix_in(const PlotInput& input, const MatrixId& id);

// The error of a derivation that failed; null when it did not.
const Error* error_of(const Derivations* known, std::string_view key);

// Error for a missing derivation: why deriving failed, or that it is not computed yet.
Error why_missing(const PlotInput& input, std::string_view key);

// The most exact derivation that is known, or the reason why there is none.
template <class Kind>
Result<std::shared_ptr<const Kind>> found(const PlotInput& input, const std::vector<Need>& needs) {
  if (auto best = best_of<Kind>(needs, input.derivations)) return best;
  return why_missing(input, needs.front().key);
}

using MatrixSource = std::function<Result<MatrixPtr>(const Sources&)>;

// A need for one matrix; its key is the text of the id.
Need need_for(const MatrixId& id, std::string label, std::uint64_t nanoseconds, std::uint64_t bytes,
              const MatrixSource& make);

}  // namespace attn
