// What a recurrent encoder–decoder of given widths needs. Internal to core/document.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "attention/recurrent.h"
#include "base/progress.h"

namespace attn {

// Gives a recurrent model what fits the widths: tensors of another shape are dropped, missing ones
// that it cannot do without generated, and w_initial also where the model had it or its bias. Names
// of these are added to `made`. Numbers are the steps of `count`.
void complete_recurrent(Recurrent& model, const RecurrentWidths& widths, std::uint64_t seed,
                        std::vector<std::string>& made, StepCount* count = nullptr);

}  // namespace attn
