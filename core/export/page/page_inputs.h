// Data with which the script of a page recomputes attention from numbers that readers change.
#pragma once

#include <cstddef>
#include <string_view>

#include "attention/problem.h"
#include "base/json.h"
#include "document/document.h"

namespace attn {

// Limit above which a change would not show within a frame.
inline constexpr std::size_t kMostInputsOfPage = 4000, kMostWeightsOfPage = 40'000;

// Reason why the script cannot compute the document, as a key of its sentences; "": it can. "kind":
// neither Q and K nor one layer; "pattern": heads have one (what_if.h); "size"; "finite": some
// input is NaN or infinite.
std::string_view why_not_in_page(const Document& document, const AttentionProblem& problem);

// Inputs with their labels, and rules. A precondition: the script can compute the document.
Json inputs_of_page(const Document& document, const AttentionProblem& problem);

}  // namespace attn
