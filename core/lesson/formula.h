// Formulas over the numbers of a document, as in the text of lessons: weights["I", "cats"].
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "document/document.h"
#include "engine/read/result.h"

namespace attn {

// Values of names in formulas. The document is borrowed.
struct FormulaScope {
  const Document& document;
  ResultPtr result;  // not null
  HeadAddress at{};  // of stages without layer, sample or head; the nearest existing one
};

// Cells of one stage of one head.
struct NamedCells {
  Stage stage = Stage::Weights;
  HeadAddress at{};
  CellRange range{};
  friend bool operator==(const NamedCells&, const NamedCells&) = default;
};

std::vector<double> numbers_in(const AttentionResult& result, const NamedCells& cells);

// Cells such as `weights["I", "cats"]`, `q["I", 0]`, `weights[head 2, "it", :]`: a stage by its
// name; layer, sample and head by their numbers from 1 on; a row and a column, each a token by its
// text or its number from 1 on, a feature by its name or its number from 0 on, or `:` for all.
// Usage errors list what exists.
Result<NamedCells> cells_named(std::string_view text, const FormulaScope& scope);

// The text with each {formula} or {formula:format} replaced by its value, in the form of `%`, `.3`,
// `.1%`, or with three significant digits; `{{` is a brace. A formula without a value is not
// replaced, and its error, of Usage, is added to `errors`, up to kMostErrors; without these it is
// "?", as in a document that was changed. All formulas of a text together read at most 16,384
// numbers. Formulas have numbers, cells, `d_k`, `d_v`, `d_model`, `heads`, `layers`, `n_q`, `n_k`,
// `scale` of the scores and `temperature`; + − * / ^ and parentheses, cell by cell; exp, ln, sqrt,
// abs of cells; sum, mean, max, min of all of them; argmax and argmin, which name the token or
// feature of one row or column.
std::string filled_text(std::string_view text, const FormulaScope& scope,
                        std::vector<Error>* errors = nullptr);

}  // namespace attn
