// What the things in a figure are called, for those who point at them: tests, scripts, readers of a
// drawing.
#pragma once

#include <string>

#include "figure/figure.h"

namespace attn {

// A path counted from 0: "token/query/2", "stage/weights", "input/X", "head/3", "label/3/local",
// "colorbar"; "" of nothing and of cells, which are named by whoever knows their matrix.
std::string hit_name(const HitId& hit);

// Words counted from 1, as sentences do: "query 3", "Weights", "head 4"; "" also of colour
// bars, which their ticks explain.
std::string hit_words(const HitId& hit);

}  // namespace attn
