// Labels around a table and the numbers inside.
#include <algorithm>
#include <utility>

#include "base/utf8.h"
#include "numbers/forms.h"
#include "numbers/number_cell.h"

namespace attn {
namespace {

using CellRows = std::vector<CellRow>;

// Top left cell of the numbers of a table with labels.
struct Inner {
  std::size_t row = 0, col = 0;
};

Error ragged_line(std::size_t line, std::size_t found, std::size_t expected) {
  Error error = bad_paste(line_of_paste(line) + " is not as long as the first");
  error.found = std::to_string(found) + (found == 1 ? " cell" : " cells");
  error.expected = std::to_string(expected);
  return error;
}

bool is_left_out(const Cell& cell) { return !cell.quoted && is_shortened(cell.text); }

Status check_rectangle(const CellRows& rows, std::string_view printed_by) {
  const std::size_t width = rows.front().cells.size();
  for (const CellRow& row : rows) {
    if (row.cells.size() == width) continue;
    if (std::ranges::any_of(row.cells, is_left_out)) {
      return shortened_numbers(printed_by, row.line);
    }
    return ragged_line(row.line, row.cells.size(), width);
  }
  return ok_status();
}

// Quotes carry no information when everything is quoted, or a cell that is no label.
bool quotes_mean_text(const CellRows& rows) {
  bool some_unquoted = false;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const std::vector<Cell>& cells = rows[r].cells;
    for (std::size_t c = 0; c < cells.size(); ++c) {
      if (r > 0 && c > 0 && cells[c].quoted) return false;
      some_unquoted = some_unquoted || (!cells[c].quoted && !cells[c].text.empty());
    }
  }
  return some_unquoted;
}

struct LabelRule {
  bool quotes = false;
  bool operator()(const Cell& cell) const {
    return (cell.quoted && quotes) || !looks_numeric(cell.text);
  }
};

bool has_row_labels(const CellRows& rows, const LabelRule& is_label) {
  return std::all_of(rows.begin() + 1, rows.end(), [&](const CellRow& row) {
    return !row.cells.empty() && is_label(row.cells.front());
  });
}

bool has_column_labels(const CellRow& first, const LabelRule& is_label) {
  return std::all_of(first.cells.begin() + 1, first.cells.end(), is_label);
}

Inner inner_of(const CellRows& rows, const LabelRule& is_label) {
  const std::size_t width = rows.front().cells.size();
  const bool names_rows = width > 1 && has_row_labels(rows, is_label);
  const Cell& corner = rows.front().cells.front();
  if (!is_label(corner)) return {};
  const bool names_columns = rows.size() > 1 && has_column_labels(rows.front(), is_label);
  if (rows.size() == 1 && has_column_labels(rows.front(), is_label)) return {};
  // An empty corner: when one side has labels, the numbers on the other are labels too.
  if (width > 1 && !corner.quoted && corner.text.empty()) {
    return rows.size() > 1 && (names_rows || names_columns) ? Inner{1, 1} : Inner{};
  }
  return {names_columns ? 1U : 0U, names_rows ? 1U : 0U};
}

void add_missing_corner(CellRows& rows, const LabelRule& is_label) {
  if (rows.size() < 2 || rows[0].cells.size() + 1 != rows[1].cells.size()) return;
  if (!std::ranges::all_of(rows[0].cells, is_label) || !has_row_labels(rows, is_label)) return;
  rows[0].cells.insert(rows[0].cells.begin(), Cell{});
}

Result<float> number_at(const CellRow& row, std::size_t col, NonFinite non_finite,
                        std::string_view printed_by) {
  const Cell& cell = row.cells[col];
  if (is_left_out(cell)) return shortened_numbers(printed_by, row.line);
  Result<float> number = number_of_cell(cell.text, non_finite);
  if (!number) return bad_cell(number.error(), row.line, col + 1);
  return number;
}

std::vector<std::string> taken_labels(std::vector<Cell> cells, std::size_t from) {
  std::vector<std::string> labels;
  for (std::size_t c = from; c < cells.size(); ++c) labels.push_back(std::move(cells[c].text));
  return labels;
}

void take_labels(NumberTable& table, CellRows& rows, const Inner& inner) {
  for (std::size_t r = inner.row; inner.col > 0 && r < rows.size(); ++r) {
    table.row_labels.push_back(std::move(rows[r].cells.front().text));
  }
  if (inner.row == 0) return;
  table.column_labels = taken_labels(std::move(rows.front().cells), inner.col);
}

}  // namespace

Result<NumberTable> table_of_cells(CellRows rows, NonFinite non_finite,
                                   std::string_view printed_by) {
  if (rows.empty() || rows.front().cells.empty()) return no_numbers();
  const LabelRule is_label{quotes_mean_text(rows)};
  add_missing_corner(rows, is_label);
  if (const Status sound = check_rectangle(rows, printed_by); !sound) return sound.error();
  const Inner inner = inner_of(rows, is_label);
  if (inner.row == rows.size()) return no_numbers();
  NumberTable table;
  table.rows = rows.size() - inner.row;
  table.cols = rows.front().cells.size() - inner.col;
  table.values.reserve(table.rows * table.cols);
  for (std::size_t r = inner.row; r < rows.size(); ++r) {
    for (std::size_t c = inner.col; c < rows[r].cells.size(); ++c) {
      const Result<float> number = number_at(rows[r], c, non_finite, printed_by);
      if (!number) return number.error();
      table.values.push_back(*number);
    }
  }
  take_labels(table, rows, inner);
  return table;
}

Error bad_paste(std::string message) {
  Error error;
  error.kind = ErrorKind::BadInput;
  error.message = std::move(message);
  return error;
}

std::string line_of_paste(std::size_t line) {
  return "line " + std::to_string(line) + " of the pasted text";
}

Error bad_line(std::size_t line, const std::string& message) {
  return bad_paste(line_of_paste(line) + ": " + message);
}

Error no_numbers() { return bad_paste("there are no numbers in the pasted text"); }

Error bad_cell(Error error, std::size_t line, std::size_t cell) {
  error.message = "line " + std::to_string(line) + ", cell " + std::to_string(cell) +
                  " of the pasted text: " + error.message;
  return error;
}

Error text_after(std::string_view what, std::string_view text, std::size_t line) {
  Error error = bad_paste(line_of_paste(line) + " goes on after " + std::string(what));
  error.found = "“" + shortened(printable_line(without_blanks(text.substr(0, 400))), 40) + "”";
  return error;
}

Error shortened_numbers(std::string_view printed_by, std::size_t line) {
  const std::string with = " with “...” in " + line_of_paste(line);
  Error error =
      bad_paste(printed_by.empty() ? "numbers were left out" + with
                                   : std::string(printed_by) + " shortened these numbers" + with);
  error.hint = "paste all of them";
  if (printed_by == kNumPy) {
    error.hint = "print all of them with numpy.set_printoptions(threshold=sys.maxsize)";
  } else if (printed_by == kPyTorch) {
    error.hint = "print all of them with torch.set_printoptions(profile=\"full\")";
  }
  return error;
}

}  // namespace attn
