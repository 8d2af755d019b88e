// What a change of structure comes to before it is made, for whoever offers it.
#pragma once

#include <cstdint>
#include <vector>

#include "document/edit/structure.h"

namespace attn {

// Those of all_structure_rules() that the change falls under, in their order. Both normalised.
std::vector<const StructureRule*> rules_of_change(const Structure& before, const Structure& after);

// How many numbers the document's tensors would have, roughly; `wanted` is normalised.
std::uint64_t predicted_numbers(const Document& document, const Structure& wanted);

// Bytes of the document's numbers and of what computing it keeps, roughly; `wanted` is normalised.
std::uint64_t predicted_bytes(const Document& document, const Structure& wanted);

// The next value of the field upwards or downwards that nothing is said against, where one is near;
// else its neighbour, or the value itself at its bound.
std::size_t next_value(const Document& document, const Structure& wanted,
                       const StructureField& field, bool up,
                       std::uint64_t memory_limit_bytes = kUsualMemoryLimitBytes);

}  // namespace attn
