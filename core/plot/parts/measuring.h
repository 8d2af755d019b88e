// How heads are measured whose weights nobody keeps: some rows first, where all of them take long.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/measures.h"
#include "engine/read/result.h"
#include "plot/plot.h"

namespace attn {

// How heads are measured, one after the other: one row of so many stands for all, 1 reads all. A
// window begins with what is soon there; a file has as many rows as a minute affords.
std::vector<std::size_t> row_steps(const AttentionResult& result, std::size_t heads,
                                   const PlotOptions& options);

// Nanoseconds, about; saturates.
std::uint64_t steps_to_measure_heads(const AttentionResult& result, std::size_t heads,
                                     std::size_t row_step);

// "1,024 of 131,072 queries", in a window "so far"; empty where all were read.
std::string rows_measured_words(std::size_t read, std::size_t rows, const PlotOptions& options);

}  // namespace attn
