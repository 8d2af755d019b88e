// Measures the peak of multiply-adds of this machine.
#pragma once

namespace attn {

// 10⁹ operations per second, two for each multiply-add in float, using only registers, on `threads`
// threads: the best of some tries. Uses the instruction set of the kernels.
double multiply_add_peak(unsigned threads);

}  // namespace attn
