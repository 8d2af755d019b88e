// Services of the desktop: its theme, a folder for pictures, and a clipboard for them, which needs
// a helper program because the window library only transfers text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "export/export.h"
#include "figure/colormap.h"

namespace attn {

// Theme by a settings.ini of GTK, by kdeglobals, or by the settings portal's answer; nothing
// without one.
std::optional<ThemeKind> theme_in(std::string_view text);

// The first theme found in GTK_THEME, the settings portal (org.freedesktop.appearance), which is
// waited for at most a second, and the settings of GTK and KDE; dark without one.
ThemeKind theme_of_desktop();

// Folder for pictures (XDG_PICTURES_DIR of the environment, else of user-dirs.dirs), else the home
// folder; empty if there is none.
std::string pictures_folder();

// "cats 2026-11-23 16.05.06", from a document's name without extensions and path separators, and
// the seconds since 1970 as local time.
std::string screenshot_name(std::string_view document, std::int64_t seconds);

// Writes a PNG into the folder, as "NAME (2)" and so on if the name is taken; returns its path.
// CannotWrite.
Result<std::string> write_screenshot(const std::string& folder, const std::string& name,
                                     const Raster& raster);

// Path of wl-copy or xclip for the display of the environment; empty if not in PATH. Reads the
// disk.
std::string find_picture_helper();

// Sends a PNG to the helper and waits at most five seconds for it. Errors: Internal.
Status copy_picture(const std::string& helper, std::string_view png);

}  // namespace attn
