// Requests of other programs to open a document, as files of a folder.
#pragma once

#include <optional>
#include <string>

#include "base/descriptor.h"
#include "session/command.h"

namespace attn {

// "inbox" in state_folder(), which is made if needed; empty if there can be none.
std::string inbox_folder();

// The absolute path in {"open": "/path"}, and the "text" that a model in that folder reads. Removes
// the file; nothing if it holds no such request, or another window took it. Files that begin with a
// point are still being written.
std::optional<command::Open> take_request(const std::string& file);

// Tells other programs that a window takes requests in the folder: several windows share its lock
// (flock), each until its descriptor is closed.
Descriptor lock_shared(const std::string& folder);

}  // namespace attn
