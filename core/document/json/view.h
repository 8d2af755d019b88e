// The view that a document was saved with, by the description of what can be set of plots. Internal
// to core/document.
#pragma once

#include <string>
#include <vector>

#include "text/cursor.h"
#include "view/layout.h"

namespace attn {

// Reads an object of settings; what is not set is as usual. A name of a kind that grows from
// version to version (a colour map) becomes a note when it is not known, other values are refused.
// False with an error in cursor.errors().
bool read_view(JsonCursor& cursor, View& view, std::vector<std::string>& notes);

// Reads a tree of panes: {"view": …} or {"split": "right", "parts": […]}, with shares. Panes are
// numbered as they are read.
bool read_layout(JsonCursor& cursor, Panes& panes, std::vector<std::string>& notes);

}  // namespace attn
