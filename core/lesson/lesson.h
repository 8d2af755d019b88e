// The documents and results of a lesson's steps, and the faults in them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/result.h"
#include "document/document.h"
#include "engine/read/result.h"
#include "figure/figure.h"
#include "lesson/formula.h"
#include "text/reader.h"

namespace attn {

// The document after the edit of a step, with its lesson and views. BadInput with the key that does
// not fit, as for a document in a file; OverMemoryLimit beyond 64 MiB. Opens only files that
// `options` allow, and adds them to `opened`; others are those that the document or the step holds.
Result<Document> with_edit(const Document& document, const LessonStep& step,
                           ReadOptions options = {.opens_files = false},
                           KnownArrays* opened = nullptr);

// The cells that a step names. Errors of cells that do not exist are added to `errors`, which may
// be null.
std::vector<NamedCells> cells_of(const std::vector<std::string>& names, const FormulaScope& scope,
                                 std::vector<Error>* errors = nullptr);

// The cells that a step marks: at most two.
std::vector<CellHit> pins_of(const LessonStep& step, const FormulaScope& scope);

// True if the answer for these cells is one number, or shares, drawn as bars; else the reader
// cannot enter a guess.
bool is_one_cell(const NamedCells& cells);
bool asks_for_shares(const NamedCells& cells);
// Uniform over the visible keys of the row, 0 for hidden ones.
std::vector<double> equal_shares(const NamedCells& row, const ResultPtr& result);
inline constexpr std::size_t kMostGuessBars = 16;

// Divergence of a guess of shares from the truth: Σ truth · ln(truth / guess), in nats; infinite
// where the guess has 0 and the truth has not. Both have equal sizes and sum to 1.
double divergence(const std::vector<double>& truth, const std::vector<double>& guess);

// Faults of the lesson, up to kMostErrors: edits, formulas, cells, views, by step, with JSON
// pointers such as /lesson/2/text. Computes the document of each step, within the limit of memory
// and some seconds, and reads the files of its edits, which the steps then hold.
std::vector<Error> lesson_faults(Document& document, const ReadOptions& options = {});

}  // namespace attn
