// What the desktop chooses for all programs: light or dark.
#pragma once

#include <optional>
#include <string_view>

#include "figure/colormap.h"

namespace attn {

// Choice in a settings.ini of GTK, in kdeglobals, or in the settings portal's answer; nothing
// without one.
std::optional<ThemeKind> theme_in(std::string_view text);

// The first choice among GTK_THEME, the settings portal (org.freedesktop.appearance), which is
// waited for at most a second, and the settings of GTK and KDE; dark without one.
ThemeKind theme_of_desktop();

}  // namespace attn
