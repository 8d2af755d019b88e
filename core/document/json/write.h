// Documents and their tokens as JSON; exact, so that reading gives the same value.
#pragma once

#include <string>
#include <string_view>

#include "base/progress.h"
#include "document/document.h"
#include "text/reader.h"

namespace attn {

class ObjectWriter;

// Text that reads back as an equal document, bit for bit. Ends in a line break. Matrices have one
// row per line; those from files are references relative to the folder of their origin (see
// moved_to). `progress` may be null; after cancelling the text is incomplete. `known`, if given,
// takes the arrays of files and large ones, to which the text only refers.
std::string write_document(const Document& document, Progress* progress = nullptr,
                           KnownArrays* known = nullptr);

// A mask as in documents: one object, with the numbers of its tensors.
std::string mask_text(const Mask& mask);

// Members with the tokens, as in documents.
void write_tokens(ObjectWriter& object, const Document& document);

// The JSON Schema (draft-07) of documents.
std::string_view document_schema();

}  // namespace attn
