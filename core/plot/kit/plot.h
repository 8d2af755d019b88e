// What plots share. A plot is a pure function from numbers and options to a figure.
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
#include "view/options.h"

namespace attn {

// A value that never changes: what is compared with stays what it was, whatever becomes of the
// document it came from. That something became of it is said by the remark.
struct Reference {
  std::string key;     // tells it from all others of a run
  std::string label;   // "cats.attn.json", "Two heads as it was kept"
  std::string remark;  // "the document was edited since"; empty: nothing happened
  std::string path;    // of its file, or example:NAME; empty for a state that was kept
  std::shared_ptr<const Document> document;  // neither is null
  ResultPtr result;
  std::optional<FileVersion> version = {};  // of the bytes that were read; none: nothing to look at
};
using ReferencePtr = std::shared_ptr<const Reference>;

// Why there is no reference although a document or a person names one. Shared, so that options are
// cheap to copy and to compare.
using NoReference = std::shared_ptr<const Error>;

// The one of `path` is not there yet.
NoReference awaited_reference(const std::string& path);
// It could not be opened or computed, as `why` says: refused (Usage) with what, where, what to do.
NoReference missing_reference(const std::string& path, const Error& why);

struct Marks {
  std::vector<CellHit> pins = {};           // drawn as marks
  std::optional<TensorHit> highlight = {};  // the tensor pointed at (dimensions)
  std::optional<TokenHit> focus = {};       // the token pointed at, in place of the option (links)
  friend bool operator==(const Marks&, const Marks&) = default;
};

// Where a figure goes.
struct Target {
  bool previewed = false;      // on a screen, as a file will be
  bool on_screen = false;      // pointed at and clicked; else on paper, without what is for that
  double pane_height = 0.0;    // of a pane that scrolls: what can be that high is; 0: none
  bool line_words = true;      // lines say their words in a file; who only paints needs none
  bool shares_cells = false;   // with other figures: maps have more than what is in view
  double dots_per_unit = 0.0;  // of a file: cells are pooled to them; 0: to pixel_budget alone
  double page_scale = 1.0;     // by which a file's page will make what is drawn smaller
  bool is_file() const { return dots_per_unit > 0.0; }
  friend bool operator==(const Target&, const Target&) = default;
};

// What a view sets, what is marked at the moment, where it goes, and what there is to compare with.
struct PlotOptions : ViewOptions, Marks, Target {
  ReferencePtr reference = {};    // what the numbers may be compared with (difference)
  NoReference no_reference = {};  // why there is none although one is named; null: none is
  bool shows_histogram() const { return on_screen || histogram; }
  friend bool operator==(const PlotOptions&, const PlotOptions&) = default;
};

struct PlotInput {
  const Document& document;
  const AttentionResult& result;
  const Derivations* derivations = nullptr;  // what the plot needs, as far as it is there
};

// Each cell is drawn as part of its row's largest. Only of weights, and not on a diverging map,
// where zero is in the middle.
bool has_parts_of_rows(const ViewOptions& options);

// Brings the view of `options` into the bounds of the result: a stage or head that is not there
// becomes the nearest one that is.
PlotOptions fitted_to(const PlotOptions& options, const AttentionResult& result);

// "There is no stage “Softcapped” here; “Scaled” is shown": what fitted_to does to the stage; empty
// when it is there.
std::string moved_stage(const PlotOptions& options, const AttentionResult& result);

// The sentence of a cell, the same words everywhere:
// “sat” (query 3) takes 41.2 % from “cat” (key 2), head 1.   For other stages the value; for hidden
// cells the rules; for rows that see no key that.
std::string cell_sentence(const PlotInput& input, const CellHit& cell);

}  // namespace attn
