// What is remembered from one start to the next, as a small JSON file.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "session/state.h"

namespace attn {

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
