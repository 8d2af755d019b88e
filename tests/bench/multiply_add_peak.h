// How many multiply-adds this machine can do, measured.
#pragma once

namespace attn {

// 10⁹ operations a second, two for each multiply-add in float, with registers alone, on `threads`
// threads: the best of some tries. With the instruction set that kernels run with.
double multiply_add_peak(unsigned threads);

}  // namespace attn
