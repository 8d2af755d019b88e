// Positions and overlaps of the texts of a figure.
#pragma once

#include <string>

#include "figure/figure.h"
#include "figure/text.h"

namespace attn::test {

// Centre of the text's rotated box.
Point middle_of(const TextItem& text, const TextMetrics& metrics);

// Lists every pair of overlapping texts and every text outside the figure, one per line; "" when
// there are none.
std::string text_problems(const Figure& figure, const TextMetrics& metrics);

}  // namespace attn::test
