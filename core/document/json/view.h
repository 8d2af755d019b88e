// Readers of the saved view and panes, by the fields of plot options. Internal to core/document.
#pragma once

#include <string>
#include <vector>

#include "text/reader.h"
#include "view/layout.h"

namespace attn {

// Reads an object of options; absent ones have their defaults. An unknown name in a field whose
// values grow from version to version (a colour map) becomes a note, other values are refused.
// False with an error in json.reader().errors().
bool read_view(JsonValue json, View& view, std::vector<std::string>& notes);

// Reads a tree of panes: {"view": …} or {"split": "right", "parts": […]}, with shares. Panes are
// numbered as they are read.
bool read_layout(JsonValue json, Panes& panes, std::vector<std::string>& notes);

}  // namespace attn
