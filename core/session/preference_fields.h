// What can be set of the program, each described once: the file of preferences and the settings
// window iterate over it.
#pragma once

#include <span>
#include <string_view>

#include "base/fields.h"
#include "session/state.h"

namespace attn {

// In the order of the window. Places of windows and files that were open are no settings.
std::span<const Field<Preferences>> preference_fields();
// Null when none has the name.
const Field<Preferences>* preference_named(std::string_view name);

}  // namespace attn
