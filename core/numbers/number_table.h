// A block of numbers with the names of its rows and columns, as it is copied and pasted, and the
// one list of formats in which it is copied.
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
  std::vector<std::string> row_labels{};     // any texts, one for each row, or none at all
  std::vector<std::string> column_labels{};  // the same for columns

  float at(std::size_t row, std::size_t col) const { return values[row * cols + col]; }
};

// `rows` × `cols` numbers of the matrix from (row, col) on, without labels.
// Precondition: the matrix has them.
NumberTable cut_table(const MatrixView& matrix, std::size_t row, std::size_t col, std::size_t rows,
                      std::size_t cols);

struct NumberFormat {
  std::string_view name;   // "tsv"
  std::string_view label;  // "TSV (tab-separated)"
  std::string_view help;   // for whom it is, a sentence without a full stop
  // Numbers are the shortest that read back to the same bits. Labels are part of TSV, CSV and
  // Markdown. What has a cell is read by read_numbers as it was, but for LaTeX and
  // Markdown.
  std::string (*write)(const NumberTable& table);
};

// TSV first, which is what spreadsheets copy and paste.
std::span<const NumberFormat> all_number_formats();

std::string tsv_text(const NumberTable& table);

}  // namespace attn
