// Edits of recurrent encoder–decoders as wholes. Internal to core/document.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "document/edit/model.h"

namespace attn {

extern const ModelEdit kRecurrentEdit;

// Gives a recurrent model what fits the widths: tensors of another shape are dropped, missing ones
// that it cannot do without generated, and w_initial also where the model had it or its bias. Names
// of these are added to `made`. Numbers are the steps of `count`.
void complete_recurrent(Recurrent& model, const RecurrentWidths& widths, std::uint64_t seed,
                        std::vector<std::string>& made, StepCount* count = nullptr);

}  // namespace attn
