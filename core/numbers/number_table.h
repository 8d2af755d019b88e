// Numbers to copy and paste: one number as text, a block with labels of its rows and columns, and
// the list of copied formats.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/number_text.h"
#include "base/result.h"
#include "base/tensor.h"

namespace attn {

// Treatment of NaN and infinities while reading.
enum class NonFinite { Refused, Read };

// Reads the numbers of parse_number, also with U+2212 as the minus sign; with NonFinite::Read also
// "nan", "inf", "np.inf", "-Infinity" and "−∞".
Result<float> number_of_cell(std::string_view text, NonFinite non_finite);

// True if a text is a number or a misspelt one, such as "1,5" or "12 %", with any blanks around it:
// not a label unless quoted.
bool looks_numeric(std::string_view text);

// True if a comma between these cells may be a decimal comma: "1" and "5", "-1" and "5e3".
bool may_be_one_number(std::string_view before, std::string_view after);

// "sample", "layer" or "head": names of columns in front that number the parts of a table.
bool is_numbering(std::string_view label);

// "..." or "…": numbers are missing here.
bool is_shortened(std::string_view text);

// Exponent of a power of ten: 3 for "1.0e+03", -1 for "0.1"; nothing for other texts.
std::optional<int> power_of_ten(std::string_view text);

// Text of a number times 10^power, exactly; other texts are returned unchanged.
std::string scaled_number(std::string_view text, int power);

struct NumberTable {
  std::size_t rows = 0, cols = 0;
  std::vector<float> values{};               // row-major
  std::vector<std::string> row_labels{};     // any texts, one per row, or none
  std::vector<std::string> column_labels{};  // one per column, or none
  std::string corner{};                      // text above the labels of rows

  float at(std::size_t row, std::size_t col) const { return values[row * cols + col]; }
};

// `rows` × `cols` numbers of the matrix from (row, col) on, without labels. Precondition: they
// exist.
NumberTable cut_table(const MatrixView& matrix, std::size_t row, std::size_t col, std::size_t rows,
                      std::size_t cols);

// A name of a row or column; quoted if it could be read as a number, a formula or other syntax.
std::string quoted_label(std::string_view label);

struct NumberFormat {
  std::string_view name;   // "tsv"
  std::string_view label;  // "TSV (tab-separated)"
  std::string_view help;   // its use, a sentence without a full stop
  // Numbers are the shortest that read back to the same bits. TSV, CSV and Markdown have labels.
  // Tables with cells are read back by read_numbers unchanged, except LaTeX and Markdown.
  std::string (*write)(const NumberTable& table);
};

// TSV, the format of spreadsheets, comes first.
std::span<const NumberFormat> all_number_formats();

std::string tsv_text(const NumberTable& table);

}  // namespace attn
