// What can be set of the program, each described once, and what is remembered from one start to the
// next as a small file of JSON.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/fields.h"
#include "base/result.h"
#include "session/state.h"

namespace attn {

// In the order of the window. Places of windows and files that were open are no settings.
std::span<const Field<Preferences>> preference_fields();
// Null when none has the name.
const Field<Preferences>* preference_named(std::string_view name);

std::string preferences_text(const Preferences& preferences);
// What is missing, unknown or of the wrong type is as by default.
Preferences parse_preferences(std::string_view text);

// Whether config_folder()/preferences.json may be written: it is not there, or the program's own.
Status check_preferences();

// Writes that file for the user alone to read, making the folder. CannotWrite; without a config
// folder nothing is stored, which is fine.
Status store_preferences(const Preferences& preferences);

// Preferences as JSON in config_folder()/preferences.json; defaults when missing or broken.
Preferences load_preferences();

}  // namespace attn
