// Settings of the program, each described once, and their JSON file.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/fields.h"
#include "base/result.h"
#include "session/state.h"

namespace attn {

// Fields in the order of the window of preferences. Window places and open files are no settings.
std::span<const Field<Preferences>> preference_fields();
// Null if unknown.
const Field<Preferences>* preference_named(std::string_view name);

// Options of figures that the next export begins with, unless its view says otherwise.
std::span<const std::string_view> remembered_options();

// A name of the preference `theme` that follows the desktop.
inline constexpr std::string_view kDesktopTheme = "system";

std::string preferences_text(const Preferences& preferences);
// Missing, unknown or ill-typed entries get their defaults.
Preferences parse_preferences(std::string_view text);

// Ok if config_folder()/preferences.json is absent or was written by this program.
Status check_preferences();

// Writes that file (mode 600) and its folder. CannotWrite; ok without a config folder, where
// nothing is stored.
Status store_preferences(const Preferences& preferences);

// Reads config_folder()/preferences.json; defaults if missing or broken.
Preferences load_preferences();

}  // namespace attn
