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

// From the derivatives of something by a row of weights to those by the row that went into the
// normaliser, in place.
void back_through_normaliser(const Scoring& scoring, std::span<const float> weights,
                             std::span<double> by);

}  // namespace attn
