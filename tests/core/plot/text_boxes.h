// Where the texts of a figure are, and whether they get in each other's way.
#pragma once

#include <string>

#include "figure/figure.h"
#include "figure/text.h"

namespace attn::test {

// The middle of the text's turned box.
Point middle_of(const TextItem& text, const TextMetrics& metrics);

// Every pair of texts that overlap and every text outside the figure, one per line; "" when all is
// well.
std::string text_problems(const Figure& figure, const TextMetrics& metrics);

}  // namespace attn::test
