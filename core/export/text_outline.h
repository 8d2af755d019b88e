// Texts as shapes, for files that must look alike where a font is missing.
#pragma once

#include <string>

#include "figure/figure.h"

namespace attn {

// SVG path data of the item's letters about its anchor, before its rotation; empty of blanks.
std::string text_outline(const TextItem& item);

}  // namespace attn
