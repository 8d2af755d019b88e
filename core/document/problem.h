// Checks that the parts of a document fit each other, and its conversion to a problem.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "attention/problem.h"
#include "base/error.h"
#include "base/result.h"
#include "document/document.h"
#include "kinds/parts/findings.h"

namespace attn {

// One error per misfit with its JSON pointer in the written document; empty if the document is
// consistent. The reader adds places in its text.
std::vector<Error> inconsistencies(const Document& document);

// Checks of the input's tensors only. If they pass, shape_of() may be called. Messages mark
// projections in `generated` as such, since they are not in the text.
std::vector<Error> input_inconsistencies(const Document& document,
                                         std::span<const std::string> generated = {});

void check_position(Findings& findings, const Document& document);

// The document, or its first misfit.
Result<Document> if_consistent(Document document);

// BadInput with the JSON pointer of the first shape that does not fit the others.
Status check(const Document& document);

// Refusals of layers, samples, heads and tokens that a view names and the document lacks, with its
// keys as pointers: "/head".
std::vector<Error> missing_in_view(const Document& document, const ViewOptions& options);

// Tensors at full rank, sharing their numbers. Precondition: check(document) passed.
AttentionProblem make_problem(const Document& document);

}  // namespace attn
