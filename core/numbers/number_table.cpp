// The list of copied formats, and the writing of each.
#include "numbers/number_table.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/json_writer.h"
#include "base/number_text.h"
#include "numbers/read_numbers.h"

namespace attn {
namespace {

bool is_plain(char c) {
  const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  return is_letter || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
         static_cast<unsigned char>(c) >= 0x80;
}

// Unquoted, it could be read as a number or as other syntax.
bool needs_quotes(std::string_view label) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  return label.empty() || !std::ranges::all_of(label, is_plain) || looks_numeric(label) ||
         label.starts_with(kByteOrderMark);
}

std::string quoted_label(std::string_view label) {
  if (!needs_quotes(label)) return std::string(label);
  std::string text = "\"";
  for (const char c : label) text.append(c == '"' ? 2 : 1, c);
  return text + '"';
}

void append_column_names(std::string& text, const NumberTable& table, char separator) {
  if (!table.row_labels.empty()) text += separator;
  for (std::size_t c = 0; c < table.cols; ++c) {
    if (c > 0) text += separator;
    text += quoted_label(table.column_labels[c]);
  }
  text += '\n';
}

// `number(r, c)` is the text of a cell.
template <class Number>
std::string separated_text(const NumberTable& table, char separator, Number&& number) {
  std::string text;
  if (!table.column_labels.empty()) append_column_names(text, table, separator);
  for (std::size_t r = 0; r < table.rows; ++r) {
    if (!table.row_labels.empty()) text += quoted_label(table.row_labels[r]) + separator;
    for (std::size_t c = 0; c < table.cols; ++c) {
      if (c > 0) text += separator;
      text += number(r, c);
    }
    text += '\n';
  }
  return text;
}

// Without a point, "1,5" in every line could be a number with a decimal comma.
bool needs_points(const NumberTable& table) {
  if (table.cols != 2 || !table.row_labels.empty() || !table.column_labels.empty()) return false;
  for (std::size_t r = 0; r < table.rows; ++r) {
    const std::string before = shortest_text(table.at(r, 0)), after = shortest_text(table.at(r, 1));
    if (!may_be_one_number(before, after)) return false;
  }
  return true;
}

std::string csv_text(const NumberTable& table) {
  const std::string_view point = needs_points(table) ? ".0" : "";
  return separated_text(table, ',', [&](std::size_t r, std::size_t c) {
    return shortest_text(table.at(r, c)) + std::string(c == 0 ? point : "");
  });
}

bool is_negative_zero(float value) { return value == 0.0F && std::signbit(value); }

// Integers of programs lose the sign of zero.
std::string json_number(float value) {
  std::string text;
  append_json(text, value);
  return is_negative_zero(value) ? "-0.0" : text;
}

std::string numpy_number(float value) {
  if (std::isnan(value)) return "np.nan";
  if (std::isinf(value)) return value > 0.0F ? "np.inf" : "-np.inf";
  return is_negative_zero(value) ? "-0.0" : shortest_text(value);
}

using NumberText = std::string (*)(float value);

// "[1, 2]"
void append_list_of(std::string& text, const NumberTable& table, std::size_t row,
                    NumberText number) {
  text += '[';
  for (std::size_t c = 0; c < table.cols; ++c) {
    if (c > 0) text += ", ";
    text += number(table.at(row, c));
  }
  text += ']';
}

std::string json_lists(const NumberTable& table) {
  if (table.rows == 0) return "[]\n";
  std::string text;
  append_list(text, table.rows, 0,
              [&](std::size_t r) { append_list_of(text, table, r, json_number); });
  return text + '\n';
}

std::string numpy_text(const NumberTable& table) {
  std::string text = "np.array([";
  for (std::size_t r = 0; r < table.rows; ++r) {
    if (r > 0) text += ",\n          ";
    append_list_of(text, table, r, numpy_number);
  }
  return text + "], dtype=np.float32)\n";
}

std::string latex_number(float value) {
  if (std::isnan(value)) return "\\mathrm{nan}";
  if (std::isinf(value)) return value > 0.0F ? "\\infty" : "-\\infty";
  std::string text = shortest_text(value);
  const std::size_t e = text.find('e');
  if (e == std::string::npos) return text;
  const std::int64_t exponent = *parse_integer(std::string_view(text).substr(e + 1));
  return text.substr(0, e) + " \\times 10^{" + std::to_string(exponent) + "}";
}

struct Delimiters {
  std::string begin, end;
};

// A bmatrix has at most ten columns by default.
Delimiters latex_delimiters(std::size_t cols) {
  constexpr std::size_t kMostOfMatrix = 10;
  if (cols <= kMostOfMatrix) return {"\\begin{bmatrix}\n", "\\end{bmatrix}\n"};
  return {"\\left[\\begin{array}{*{" + std::to_string(cols) + "}{r}}\n", "\\end{array}\\right]\n"};
}

std::string latex_text(const NumberTable& table) {
  const Delimiters delimiters = latex_delimiters(table.cols);
  std::string text = delimiters.begin;
  for (std::size_t r = 0; r < table.rows; ++r) {
    for (std::size_t c = 0; c < table.cols; ++c) {
      if (c > 0) text += " & ";
      text += latex_number(table.at(r, c));
    }
    text += r + 1 < table.rows ? " \\\\\n" : "\n";
  }
  return text + delimiters.end;
}

std::string with_escapes(std::string_view label) {
  constexpr std::string_view kActing = "\\`*_[]<>|&~$#\"";
  std::string text;
  for (const char c : label) {
    if (kActing.find(c) != kActing.npos) text += '\\';
    text += c == '\n' ? std::string("<br>") : std::string(1, c);
  }
  return text;
}

// Escapes syntax; line breaks become <br>, as a row has one line.
std::string markdown_label(std::string label) {
  std::erase(label, '\r');
  if (looks_numeric(label)) return "`" + std::string(without_blanks(label)) + "`";
  const bool is_rule = !label.empty() && label.find_first_not_of(":-") == label.npos;
  return (is_rule ? "\\" : "") + with_escapes(label);
}

std::string markdown_names(const NumberTable& table) {
  std::string names = "|", dashes = "|";
  if (!table.row_labels.empty()) {
    names += "  |";
    dashes += " --- |";
  }
  for (std::size_t c = 0; c < table.cols; ++c) {
    const bool has_name = !table.column_labels.empty();
    names += " " + (has_name ? markdown_label(table.column_labels[c]) : "") + " |";
    dashes += " ---: |";
  }
  return names + "\n" + dashes + "\n";
}

std::string markdown_text(const NumberTable& table) {
  if (table.values.empty()) return "";
  std::string text = markdown_names(table);
  for (std::size_t r = 0; r < table.rows; ++r) {
    text += '|';
    if (!table.row_labels.empty()) text += " " + markdown_label(table.row_labels[r]) + " |";
    for (std::size_t c = 0; c < table.cols; ++c) text += " " + shortest_text(table.at(r, c)) + " |";
    text += '\n';
  }
  return text;
}

constexpr std::array<NumberFormat, 6> kFormats = {{
    {"tsv", "TSV (tab-separated)", "For spreadsheets, and to paste into a matrix here", tsv_text},
    {"csv", "CSV (comma-separated)", "For files that other programs read", csv_text},
    {"json", "JSON (nested lists)", "For documents and programs", json_lists},
    {"numpy", "NumPy (Python)", "An array of 32-bit numbers for Python", numpy_text},
    {"latex", "LaTeX (bmatrix)", "A matrix for a formula, with amsmath", latex_text},
    {"markdown", "Markdown (table)", "A table for notes and pull requests", markdown_text},
}};

}  // namespace

NumberTable cut_table(const MatrixView& matrix, std::size_t row, std::size_t col, std::size_t rows,
                      std::size_t cols) {
  NumberTable table;
  table.rows = rows;
  table.cols = cols;
  table.values.reserve(rows * cols);
  for (std::size_t r = row; r < row + rows; ++r) {
    const auto cells = matrix.row(r).subspan(col, cols);
    table.values.insert(table.values.end(), cells.begin(), cells.end());
  }
  return table;
}

std::string tsv_text(const NumberTable& table) {
  return separated_text(
      table, '\t', [&](std::size_t r, std::size_t c) { return shortest_text(table.at(r, c)); });
}

std::span<const NumberFormat> all_number_formats() { return kFormats; }

}  // namespace attn
