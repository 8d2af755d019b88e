// Every way in which the parts of a document do not fit each other. Internal to core/document.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/result.h"
#include "document/document.h"
#include "model/findings.h"

namespace attn {

// One error per misfit, each with the JSON pointer that the written document would have; empty when
// the document is consistent. Places in a text are added by whoever has the text.
std::vector<Error> inconsistencies(const Document& document);

// Of the tensors of the input alone. When there are none, shape_of() may be called. Projections in
// `generated` are spoken of as such, since their reader never saw them.
std::vector<Error> input_inconsistencies(const Document& document,
                                         std::span<const std::string> generated = {});

// Of the positions of a document with one attention, of this shape.
void check_position(Findings& findings, const Document& document);

// The first thing that does not fit, or the document.
Result<Document> if_consistent(Document document);

}  // namespace attn
