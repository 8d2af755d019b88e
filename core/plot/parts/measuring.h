// How heads are measured whose weights nobody keeps: some rows first, where all of them take long.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "engine/measures.h"
#include "engine/result.h"

namespace attn {

// One row of so many stands for all where measuring these heads takes long; 1: all rows are read.
std::size_t row_step_soon(const AttentionResult& result, std::size_t heads);

// Nanoseconds, about; saturates.
std::uint64_t steps_to_measure_heads(const AttentionResult& result, std::size_t heads,
                                     std::size_t row_step);

// "1,024 of 131,072 queries so far"; empty where all were read.
std::string rows_measured_words(const HeadMeasures& measures, std::size_t rows);

}  // namespace attn
