// Writes and reads rectangles of numbers as lines with tabs.
#include "session/number_table.h"

#include <algorithm>

#include "base/json.h"
#include "base/number_text.h"

namespace attn {
namespace {

std::vector<std::string_view> split(std::string_view text, std::string_view separators,
                                    bool merge) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t end = text.find_first_of(separators);
    const std::string_view part = text.substr(0, end);
    if (!merge || !part.empty()) parts.push_back(part);
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines = split(text, "\n", false);
  for (std::string_view& line : lines) {
    if (line.ends_with('\r')) line.remove_suffix(1);
  }
  while (!lines.empty() && lines.back().empty()) lines.pop_back();
  return lines;
}

Error no_numbers() {
  Error error;
  error.kind = ErrorKind::BadInput;
  error.message = "there are no numbers in the pasted text";
  return error;
}

Error bad_cell(Error error, std::size_t line, std::size_t cell) {
  error.message = "line " + std::to_string(line) + ", cell " + std::to_string(cell) +
                  " of the pasted text: " + error.message;
  return error;
}

Error ragged_line(std::size_t line, std::size_t found, std::size_t expected) {
  Error error;
  error.kind = ErrorKind::BadInput;
  error.message =
      "line " + std::to_string(line) + " of the pasted text is not as long as the first";
  error.found = std::to_string(found) + (found == 1 ? " cell" : " cells");
  error.expected = std::to_string(expected);
  return error;
}

Error no_lists(std::string_view text) {
  Error error;
  error.kind = ErrorKind::BadInput;
  const auto opened = std::ranges::count(text, '['), closed = std::ranges::count(text, ']');
  error.message = opened > closed   ? "a closing bracket is missing in the pasted lists"
                  : opened < closed ? "an opening bracket is missing in the pasted lists"
                                    : "the pasted text is no list of numbers";
  error.expected = "numbers with tabs between them, or lists such as [[0.5, 0.25], [1, 0]]";
  return error;
}

bool are_numbers(const Json& list) {
  return list.is_array() && !list.empty() &&
         std::ranges::all_of(list, [](const Json& item) { return item.is_number(); });
}

Result<NumberTable> parse_lists(std::string_view text) {
  Json lists = Json::parse(text, nullptr, false);
  if (are_numbers(lists)) lists = Json::array({lists});
  if (!lists.is_array() || !std::ranges::all_of(lists, are_numbers)) return no_lists(text);
  NumberTable table;
  table.rows = lists.size();
  table.cols = lists.empty() ? 0 : lists.front().size();
  for (const Json& row : lists) {
    if (row.size() != table.cols) return no_lists(text);
    for (const Json& number : row) {
      const Result<float> value = parse_number(number.dump());
      if (!value) return value.error();
      table.values.push_back(*value);
    }
  }
  if (table.rows == 0) return no_lists(text);
  return table;
}

}  // namespace

Result<NumberTable> parse_numbers(std::string_view text) {
  if (text.find_first_of("[]") != std::string_view::npos) return parse_lists(text);
  const std::vector<std::string_view> lines = lines_of(text);
  if (lines.empty()) return no_numbers();
  const bool tabs = text.find('\t') != std::string_view::npos;
  NumberTable table;
  table.rows = lines.size();
  for (std::size_t row = 0; row < lines.size(); ++row) {
    const auto cells = tabs ? split(lines[row], "\t", false) : split(lines[row], " ;", true);
    if (cells.empty() && row == 0) return no_numbers();
    if (row == 0) table.cols = cells.size();
    if (cells.size() != table.cols) return ragged_line(row + 1, cells.size(), table.cols);
    for (std::size_t col = 0; col < cells.size(); ++col) {
      const Result<float> number = parse_number(cells[col]);
      if (!number) return bad_cell(number.error(), row + 1, col + 1);
      table.values.push_back(*number);
    }
  }
  return table;
}

std::string numbers_text(const MatrixView& matrix, std::size_t row, std::size_t col,
                         std::size_t rows, std::size_t cols) {
  std::string text;
  for (std::size_t r = row; r < row + rows; ++r) {
    for (std::size_t c = col; c < col + cols; ++c) {
      if (c > col) text += '\t';
      text += shortest_text(matrix.at(r, c));
    }
    text += '\n';
  }
  return text;
}

}  // namespace attn
