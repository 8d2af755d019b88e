// Shortening names whose ends both tell them apart, such as tokens and paths.
#pragma once

#include <string>
#include <string_view>

#include "figure/text.h"

namespace attn {

// Cuts letters out of the middle of `text` for "…" so that it fits `width` units; empty where not
// even that fits.
std::string cut_in_middle(const TextMetrics& metrics, std::string_view text, const FontStyle& font,
                          double width);

}  // namespace attn
