// From what goes into the normaliser to weights, one row at a time. Internal to the engine.
#pragma once

#include <cstddef>
#include <span>

#include "attention/mask.h"
#include "attention/scoring.h"

namespace attn {

// Divides by the temperature and normalises; hidden cells get exactly 0. Rows have the same size.
void normalise_row(const Scoring& scoring, std::size_t head, std::span<const float> masked,
                   std::span<const HiddenRules> rules, std::span<float> weights);

// 1 / (1 + e⁻ˣ) of each visible cell, in double, rounded once. Here and below `weights` may be
// `masked`.
void sigmoid_row(std::span<const float> masked, std::span<const HiddenRules> rules,
                 std::span<float> weights);

// The point of the simplex nearest to the visible cells. When one of them is NaN or +Inf, or all
// are -Inf, the visible weights are NaN, as for softmax.
void sparsemax_row(std::span<const float> masked, std::span<const HiddenRules> rules,
                   std::span<float> weights);

}  // namespace attn
