// Edits of blocks as wholes: order and kind of norms, activation, number of blocks. Internal to
// core/document.
#pragma once

#include "document/edit/model.h"

namespace attn {

extern const ModelEdit kBlocksEdit;

}  // namespace attn
