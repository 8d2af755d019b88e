// The tensors behind the matrices that a person edits. Internal to core/document.
#pragma once

#include "document/document.h"
#include "document/edit.h"

namespace attn {

// Every tensor of the rules beside the model.
void list_rules(TensorList& list, const Document& document, const AttentionShape& shape);

}  // namespace attn
