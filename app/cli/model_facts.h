// Facts about the model of a folder and about changed heads, for attnscope info.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "document/load/read.h"

namespace attn::cli {

// Returns names and texts of the heads that a what_if changes, and of what was understood of a
// model and of what it reads; those of a model are absent without one.
std::vector<std::pair<std::string, std::string>> model_facts(const Reading& reading);

}  // namespace attn::cli
