// A block of numbers with labels of its rows and columns, to copy and paste, and the list of copied
// formats.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/tensor.h"

namespace attn {

struct NumberTable {
  std::size_t rows = 0, cols = 0;
  std::vector<float> values{};               // row-major
  std::vector<std::string> row_labels{};     // any texts, one per row, or none
  std::vector<std::string> column_labels{};  // one per column, or none

  float at(std::size_t row, std::size_t col) const { return values[row * cols + col]; }
};

// `rows` × `cols` numbers of the matrix from (row, col) on, without labels. Precondition: they
// exist.
NumberTable cut_table(const MatrixView& matrix, std::size_t row, std::size_t col, std::size_t rows,
                      std::size_t cols);

struct NumberFormat {
  std::string_view name;   // "tsv"
  std::string_view label;  // "TSV (tab-separated)"
  std::string_view help;   // its audience, a sentence without a full stop
  // Numbers are the shortest that read back to the same bits. TSV, CSV and Markdown have labels.
  // Tables with cells are read back by read_numbers unchanged, except LaTeX and Markdown.
  std::string (*write)(const NumberTable& table);
};

// TSV, the format of spreadsheets, comes first.
std::span<const NumberFormat> all_number_formats();

std::string tsv_text(const NumberTable& table);

}  // namespace attn
