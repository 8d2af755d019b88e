// When a number of ours counts as PyTorch's.
#pragma once

#include <string>
#include <vector>

#include "reference_case.h"

namespace attn::test {

// As good as PyTorch: within 2e-6 (absolute and relative) of its float32 result, or nearer to the
// float64 one than it is. NaN and infinities agree with themselves only.
bool agrees(double got, double torch, double exact);

// Every element against the output `name` of the case.
void expect_agreement(const std::vector<double>& got, const ReferenceCase& reference,
                      const std::string& name);

}  // namespace attn::test
