// Evidence for and against readings of arrays.
#pragma once

#include <string>
#include <vector>

#include "attention/stage.h"
#include "document/load/array_reading.h"

namespace attn {

// Numbers and tokens by which a mask is judged.
struct MaskedNumbers {
  AttentionShape shape;
  TokenFacts tokens;
  Tensor weights;                 // given weights, else empty
  std::vector<std::string> axes;  // of them
};

// The axes of a mask that fit the attention, those of lists (sample, key) first if its name is one
// of padding; one axis more than the shape has if its first axis joins samples and heads.
std::vector<std::vector<std::string>> axes_of_mask(const Shape& mask, bool is_padding,
                                                   const AttentionShape& shape);
// The shape with an extent for each of the axes.
Shape shape_of_mask(const Shape& mask, const std::vector<std::string>& axes,
                    const AttentionShape& shape);
// True if a mask of the axes has a row for each sample and none for queries.
bool lists_keys(const std::vector<std::string>& axes);

inline constexpr int kMostLikelyMargin = 5;  // of masks that are never certain

// Decides whether true attends or hides. Precondition: the mask has axes, and the flags an extent
// for each.
void judge_mask(const MaskedNumbers& numbers, const BoolTensor& flags,
                const std::optional<KnownName>& known, MaskReading& mask);

}  // namespace attn
