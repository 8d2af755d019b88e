// Facts about the model of a folder, for attnscope info.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "document/load/read.h"

namespace attn::cli {

// Returns names and texts of what was understood of a model and of what it reads; empty without a
// model.
std::vector<std::pair<std::string, std::string>> model_facts(const Reading& reading);

}  // namespace attn::cli
