// The list of copied formats, the writing of each, and the spellings of one number.
#include "numbers/number_table.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>

#include "base/joined.h"
#include "base/json_writer.h"
#include "base/parsed_number.h"
#include "base/special_numbers.h"
#include "base/utf8.h"

namespace attn {
namespace {

// The numbers of a row with the separator between them.
std::string row_text(const NumberTable& table, std::size_t row, std::string_view separator,
                     std::string (*number)(float value)) {
  std::string text;
  for (std::size_t c = 0; c < table.cols; ++c) {
    if (c > 0) text += separator;
    text += number(table.at(row, c));
  }
  return text;
}

std::string separated_text(const NumberTable& table, std::string_view separator) {
  const bool names_rows = !table.row_labels.empty();
  std::string text;
  if (!table.column_labels.empty()) {
    if (names_rows) text += separator;
    text += joined(table.column_labels, separator, quoted_label) + "\n";
  }
  for (std::size_t r = 0; r < table.rows; ++r) {
    if (names_rows) text += quoted_label(table.row_labels[r]).append(separator);
    text += row_text(table, r, separator, shortest_text) + "\n";
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
  return separated_text(table, needs_points(table) ? ".0," : ",");
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

std::string list_text(const NumberTable& table, std::size_t row, std::string (*number)(float)) {
  return "[" + row_text(table, row, ", ", number) + "]";
}

std::string json_lists(const NumberTable& table) {
  if (table.rows == 0) return "[]\n";
  std::string text;
  append_list(text, table.rows, 0,
              [&](std::size_t r) { text += list_text(table, r, json_number); });
  return text + '\n';
}

std::string numpy_text(const NumberTable& table) {
  std::string text = "np.array([";
  for (std::size_t r = 0; r < table.rows; ++r) {
    if (r > 0) text += ",\n          ";
    text += list_text(table, r, numpy_number);
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

// A bmatrix has at most ten columns by default.
std::string latex_text(const NumberTable& table) {
  constexpr std::size_t kMostOfMatrix = 10;
  const bool wide = table.cols > kMostOfMatrix;
  std::string text = wide ? "\\left[\\begin{array}{*{" + std::to_string(table.cols) + "}{r}}\n"
                          : "\\begin{bmatrix}\n";
  for (std::size_t r = 0; r < table.rows; ++r) {
    text += row_text(table, r, " & ", latex_number) + (r + 1 < table.rows ? " \\\\\n" : "\n");
  }
  return text + (wide ? "\\end{array}\\right]\n" : "\\end{bmatrix}\n");
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
    text += "| ";
    if (!table.row_labels.empty()) text += markdown_label(table.row_labels[r]) + " | ";
    text += row_text(table, r, " | ", shortest_text) + " |\n";
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

std::string quoted_label(std::string_view label) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  const bool is_plain = std::ranges::all_of(label, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0x80 || std::isalnum(byte) != 0 || c == '_' || c == '-';
  });
  const bool is_label =
      !label.empty() && is_plain && !label.starts_with('-') && !looks_numeric(label);
  if (is_label && !label.starts_with(kByteOrderMark)) return std::string(label);
  return '"' + with_replaced(label, "\"", "\"\"") + '"';
}

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

std::string tsv_text(const NumberTable& table) { return separated_text(table, "\t"); }

std::span<const NumberFormat> all_number_formats() { return kFormats; }

namespace {

std::string with_plain_minus(std::string_view text) { return with_replaced(text, "\u2212", "-"); }

std::string_view without_module(std::string_view word) {
  for (const std::string_view module : {"np.", "numpy.", "math.", "torch."}) {
    if (word.starts_with(module)) return word.substr(module.size());
  }
  return word;
}

// Precondition: the text has a plain minus sign.
std::optional<float> special_number(std::string_view text) {
  text = without_blanks(text);
  const bool is_negative = text.starts_with('-');
  if (is_negative || text.starts_with('+')) text.remove_prefix(1);
  const std::string word = in_small_letters(without_module(text));
  if (word == "nan") return kNaN;
  if (word != "inf" && word != "infinity" && word != "∞") return std::nullopt;
  return is_negative ? -kInfinity : kInfinity;
}

bool is_numeral(char c) { return c >= '0' && c <= '9'; }

// Position of an 'e' before an exponent; the end when there is none.
std::size_t exponent_at(std::string_view text) {
  return std::min(text.find_first_of("eE"), text.size());
}

std::optional<int> written_exponent(std::string_view text) {
  std::string_view digits = text.substr(std::min(exponent_at(text) + 1, text.size()));
  if (exponent_at(text) == text.size()) return 0;
  if (digits.starts_with('+')) digits.remove_prefix(1);
  int exponent = 0;
  const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), exponent);
  const bool whole = code == std::errc{} && end == digits.data() + digits.size();
  constexpr int kLargest = 1'000'000;
  if (!whole || exponent > kLargest || exponent < -kLargest) return std::nullopt;
  return exponent;
}

}  // namespace

Result<float> number_of_cell(std::string_view text, NonFinite non_finite) {
  const std::string plain = with_plain_minus(text);
  const std::optional<float> special = special_number(plain);
  if (!special) return parse_number(plain);
  if (non_finite == NonFinite::Refused) return parse_number(shortest_text(*special));
  return *special;
}

bool looks_numeric(std::string_view text) {
  const std::string plain = with_plain_minus(without_blanks(text));
  if (special_number(plain)) return true;
  return std::ranges::any_of(plain, is_numeral) &&
         plain.find_first_not_of("0123456789.,+-eE_%' ±") == std::string::npos;
}

bool may_be_one_number(std::string_view before, std::string_view after) {
  if (!before.empty() && (before[0] == '-' || before[0] == '+')) before.remove_prefix(1);
  return !before.empty() && std::ranges::all_of(before, is_numeral) && !after.empty() &&
         is_numeral(after.front()) && is_numeral(after.back()) &&
         after.find_first_not_of("0123456789eE+-") == std::string_view::npos;
}

bool is_numbering(std::string_view label) {
  return label == "sample" || label == "layer" || label == "head";
}

bool is_shortened(std::string_view text) { return text == "..." || text == "…"; }

std::optional<int> power_of_ten(std::string_view text) {
  const std::string_view mantissa = text.substr(0, exponent_at(text));
  const std::optional<int> exponent = written_exponent(text);
  const std::size_t one = mantissa.find('1');
  const bool is_one = std::ranges::count(mantissa, '1') == 1 &&
                      std::ranges::count(mantissa, '.') <= 1 &&
                      mantissa.find_first_not_of("01.") == std::string_view::npos;
  if (!is_one || !exponent) return std::nullopt;
  const std::size_t point = std::min(mantissa.find('.'), mantissa.size());
  const auto places = static_cast<int>(point) - static_cast<int>(one);
  return *exponent + (places > 0 ? places - 1 : places);
}

std::string scaled_number(std::string_view text, int power) {
  std::string plain = with_plain_minus(text);
  const std::optional<int> exponent = written_exponent(plain);
  if (power == 0 || !exponent || !looks_numeric(plain) || special_number(plain)) return plain;
  plain.erase(exponent_at(plain));
  return plain + "e" + std::to_string(*exponent + power);
}

}  // namespace attn
