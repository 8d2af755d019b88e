// One row of every stage against its formula applied to the stage before it, so that overflow in
// one stage is followed through the next ones.
#pragma once

#include "engine/read/result.h"

namespace attn::test {

double wide(float value);

// NaN is near NaN only, an infinity near itself.
bool near(double got, double expected, double absolute, double relative);

// Checks one head from Scores to Output: equal bits, weights within the errors of the exponential.
// Hidden cells are -inf, then 0, whatever the hidden values.
void expect_ieee_row(const AttentionResult& result, const HeadAddress& head, std::size_t q);

}  // namespace attn::test
