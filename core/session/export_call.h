// The call of the command line that writes the file which the window would write.
#pragma once

#include <string>

#include "session/state.h"

namespace attn {

struct ExportCall {
  std::string command;  // for a shell: "attnscope export cats.attn.json -o cats.png --head 1"
  std::string remark;   // what it needs first, such as saving; empty: nothing
};

// Of the pane with the focus, with what is pinned and the part in view. Options that the saved
// document's own view has already are left out.
ExportCall export_call(const AppState& state, const std::string& path);

// A word as a shell reads it back: as it is, or in quotes.
std::string shell_word(const std::string& text);

}  // namespace attn
