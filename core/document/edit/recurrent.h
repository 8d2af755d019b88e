// Completion of a recurrent encoder–decoder of given widths. Internal to core/document.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "attention/recurrent.h"
#include "base/progress.h"

namespace attn {

// Drops tensors of other shapes and generates missing required ones, and w_initial also if the
// model had it or its bias. Adds names of generated ones to `made`. Each number is a step of
// `count`.
void complete_recurrent(Recurrent& model, const RecurrentWidths& widths, std::uint64_t seed,
                        std::vector<std::string>& made, StepCount* count = nullptr);

}  // namespace attn
