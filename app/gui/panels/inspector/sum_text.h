// The sum of a cell as text to be copied: read aloud, set by LaTeX, or as a table of Markdown.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gui/panels/inspector/inspector_sum.h"

namespace attn::gui {

struct SumFormat {
  std::string_view name;   // "latex"
  std::string_view label;  // "LaTeX"
  // `sentence` says what the number is; `lines` how it came about, each with all of its summands.
  std::string (*write)(const std::string& sentence, const std::vector<SumLine>& lines);
};

std::span<const SumFormat> all_sum_formats();

}  // namespace attn::gui
