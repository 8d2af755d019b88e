// Which head lies beside which in the figure of all heads.
#pragma once

#include <optional>

#include "figure/figure.h"

namespace attn {

enum class HeadStep { Left, Right, Up, Down };

// To the left and right in the order of the figure, on in the next row where one ends; up and down
// in the same column. The first where `from` is not in the figure; nothing beyond its ends.
std::optional<HeadAddress> head_beside(const Figure& heads, const HeadAddress& from, HeadStep step);

// The head's thumbnail.
std::optional<Rect> place_of_head(const Figure& heads, const HeadAddress& head);

}  // namespace attn
