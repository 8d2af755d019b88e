// The text of documents that read a model's folder. Internal to core/document.
#pragma once

#include "document/document.h"
#include "document/json/document_text.h"

namespace attn {

// Returns what the document says beyond its folder: the text, rules that differ and edited tensors;
// or `whole` if its structure is no longer that of the folder. Precondition: it has a source_model.
DocumentText less_source(DocumentText whole, const Document& document);

}  // namespace attn
