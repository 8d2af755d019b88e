// Values other than the usual ones for whatever can be set of plots.
#pragma once

#include <string>

#include "view/fields.h"

namespace attn::test {

// A text that the field takes and that is not the usual value.
std::string another_value(const Field<ViewOptions>& field);

}  // namespace attn::test
