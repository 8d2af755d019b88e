// Blocks of numbers as tab-separated text, as spreadsheets copy and paste them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/tensor.h"

namespace attn {

struct NumberTable {
  std::size_t rows = 0, cols = 0;
  std::vector<float> values;
};

// Lines of cells separated by tabs (or, without any tab, by blanks or semicolons); a trailing line
// break is fine. BadInput names the line and cell that is not a number, or the ragged line.
Result<NumberTable> parse_numbers(std::string_view text);

// Shortest exact numbers, tabs and line breaks.
std::string numbers_text(const MatrixView& matrix, std::size_t row, std::size_t col,
                         std::size_t rows, std::size_t cols);

}  // namespace attn
