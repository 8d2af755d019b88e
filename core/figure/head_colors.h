// A hue for each head of a layer, so that links of several heads can be told apart.
#pragma once

#include <cstddef>

#include "figure/theme.h"

namespace attn {

// The same for a head whichever others are shown. Hues go round the circle once; neighbours differ
// in lightness too. All read on the theme's background.
Color head_color(std::size_t head, std::size_t heads, ThemeKind theme);

}  // namespace attn
