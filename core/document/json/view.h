// The view that a document was saved with, by the description of what can be set of plots. Internal
// to core/document.
#pragma once

#include <string>
#include <vector>

#include "text/reader.h"
#include "view/layout.h"

namespace attn {

// Reads an object of settings; what is not set is as usual. A name of a kind that grows from
// version to version (a colour map) becomes a note when it is not known, other values are refused.
// False with an error in json.reader().errors().
bool read_view(JsonValue json, View& view, std::vector<std::string>& notes);

// Reads a tree of panes: {"view": …} or {"split": "right", "parts": […]}, with shares. Panes are
// numbered as they are read.
bool read_layout(JsonValue json, Panes& panes, std::vector<std::string>& notes);

}  // namespace attn
