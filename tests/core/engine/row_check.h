// One row of every stage compared with its formula on the stage before it, so that extremes which
// overflow in one stage are followed through the next ones.
#pragma once

#include "engine/read/result.h"

namespace attn::test {

double wide(float value);

// NaN is near NaN alone, an infinity near itself.
bool near(double got, double expected, double absolute, double relative);

// From Scores to Output of one head: bit for bit, weights within the errors of the exponential.
// Hidden cells are -inf, then 0, whatever lies behind the mask.
void expect_ieee_row(const AttentionResult& result, const HeadAddress& head, std::size_t q);

}  // namespace attn::test
