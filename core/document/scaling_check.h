// Checks of the scaling of rotary positions. Internal to core/document.
#pragma once

#include <cstddef>
#include <string>

#include "attention/position.h"
#include "kinds/parts/findings.h"

namespace attn {

// Checks the settings of the scaling for this many pairs of columns, below a place.
void check_scaling(Findings& findings, const Position& position, const std::string& place,
                   std::size_t pairs);

}  // namespace attn
