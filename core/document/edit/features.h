// Names of features kept true to a document whose extents have changed. Internal to core/document.
#pragma once

#include "document/document.h"

namespace attn {

// Forgets the names of columns that the document does not have any more.
void fit_features(Document& document);

}  // namespace attn
