// Tolerances for agreement with PyTorch.
#pragma once

#include <string>
#include <vector>

#include "reference_case.h"

namespace attn::test {

// True within 2e-6 (absolute and relative) of PyTorch's float32 result, or if nearer to its float64
// result than that. NaN and infinities agree with themselves only.
bool agrees(double got, double torch, double exact);

// Compares every element with the output `name` of the case.
void expect_agreement(const std::vector<double>& got, const ReferenceCase& reference,
                      const std::string& name);

}  // namespace attn::test
