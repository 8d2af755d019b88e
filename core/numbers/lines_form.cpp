// Lines of cells, as in spreadsheets, and printed tensors without brackets.
#include <algorithm>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/joined.h"
#include "base/number_text.h"
#include "base/utf8.h"
#include "numbers/forms.h"

namespace attn {

Error bad_paste(std::string message, std::string found, std::string expected, std::string hint) {
  return {.kind = ErrorKind::BadInput,
          .message = std::move(message),
          .found = std::move(found),
          .expected = std::move(expected),
          .hint = std::move(hint)};
}

std::string line_of_paste(std::size_t line) {
  return "line " + std::to_string(line) + " of the pasted text";
}

Error bad_line(std::size_t line, const std::string& message, std::string found,
               std::string expected, std::string hint) {
  return bad_paste(line_of_paste(line) + ": " + message, std::move(found), std::move(expected),
                   std::move(hint));
}

Error no_numbers() { return bad_paste("there are no numbers in the pasted text"); }

Error bad_cell(Error error, std::size_t line, std::size_t cell) {
  error.message = "line " + std::to_string(line) + ", cell " + std::to_string(cell) +
                  " of the pasted text: " + error.message;
  return error;
}

Error text_after(std::string_view what, std::string_view text, std::size_t line) {
  return bad_paste(line_of_paste(line) + " goes on after " + std::string(what),
                   "“" + shortened(printable_line(without_blanks(text.substr(0, 400))), 40) + "”");
}

Error shortened_numbers(std::string_view printed_by, std::size_t line) {
  const std::string what = printed_by.empty()
                               ? "numbers were left out"
                               : std::string(printed_by) + " shortened these numbers";
  return bad_paste(
      what + " with “...” in " + line_of_paste(line), "", "",
      printed_by == kNumPy ? "print all of them with numpy.set_printoptions(threshold=sys.maxsize)"
      : printed_by == kPyTorch ? "print all of them with torch.set_printoptions(profile=\"full\")"
                               : "paste all of them");
}

namespace {

struct Cell {
  std::string text;     // without blanks at its ends, unless quoted
  bool quoted = false;  // a label even if it looks like a number, unless numbers are quoted too
};

struct CellRow {
  std::size_t line = 1;  // of the pasted text, at the start of the row
  std::vector<Cell> cells;
};
using CellRows = std::vector<CellRow>;

constexpr std::string_view kOfQueries =
    "query";  // above the labels of rows, as the program writes it

// --- labels and numbers -----------------------------------------------------------------------

// Top left cell of the numbers of a table with labels.
struct Inner {
  std::size_t row = 0, col = 0;
};

bool is_left_out(const Cell& cell) { return !cell.quoted && is_shortened(cell.text); }

Status check_rectangle(const CellRows& rows, std::string_view printed_by) {
  const std::size_t width = rows.front().cells.size();
  for (const CellRow& row : rows) {
    if (row.cells.size() == width) continue;
    if (std::ranges::any_of(row.cells, is_left_out)) return shortened_numbers(printed_by, row.line);
    return bad_paste(line_of_paste(row.line) + " is not as long as the first",
                     counted(row.cells.size(), "cell"), std::to_string(width));
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

using IsLabel = std::function<bool(const Cell&)>;

bool has_row_labels(const CellRows& rows, const IsLabel& is_label) {
  return std::all_of(rows.begin() + 1, rows.end(), [&](const CellRow& row) {
    return !row.cells.empty() && is_label(row.cells.front());
  });
}

// True if at least half of the cells below or right of the corner are labels, some of which may
// look like numbers, such as a year among words.
bool are_mostly_labels(std::size_t labels, std::size_t cells) { return 2 * labels >= cells; }

bool are_mostly_row_labels(const CellRows& rows, const IsLabel& is_label) {
  const auto labels = std::count_if(rows.begin() + 1, rows.end(), [&](const CellRow& row) {
    return !row.cells.empty() && is_label(row.cells.front());
  });
  return are_mostly_labels(static_cast<std::size_t>(labels), rows.size() - 1);
}

// True if the cells count from 0.
bool are_counted(std::span<const Cell> cells) {
  std::size_t next = 0;
  return std::ranges::all_of(cells,
                             [&](const Cell& cell) { return cell.text == std::to_string(next++); });
}

// True for the first row that pandas writes of columns without names. With two columns it may be a
// row of weights.
bool counts_columns(const CellRows& rows) {
  const auto has_fraction = [](const CellRow& row) {
    return std::ranges::any_of(
        row.cells, [](const Cell& cell) { return cell.text.find('.') != cell.text.npos; });
  };
  return rows.front().cells.size() > 2 && are_counted(rows.front().cells) &&
         std::ranges::any_of(rows, has_fraction);
}

Inner inner_of(const CellRows& rows, const IsLabel& is_label) {
  const std::vector<Cell>& first = rows.front().cells;
  const std::size_t width = first.size();
  const bool names_rows = width > 1 && has_row_labels(rows, is_label);
  const Cell& corner = first.front();
  if (!is_label(corner)) return {counts_columns(rows) ? 1U : 0U, 0};
  const bool names_columns = std::all_of(first.begin() + 1, first.end(), is_label);
  if (rows.size() == 1 && names_columns) return {};
  if (width > 1 && rows.size() > 1 && corner.text == kOfQueries) return {1, 1};
  const auto labels =
      static_cast<std::size_t>(std::count_if(first.begin() + 1, first.end(), is_label));
  const bool are_both = width > 2 && labels > 0 && are_mostly_labels(labels, width - 1) &&
                        are_mostly_row_labels(rows, is_label);
  if (are_both && rows.size() > 2) return {1, 1};
  // An empty corner: when one side has labels, the numbers on the other are labels too; so are
  // those of both sides where columns are counted.
  if (width > 1 && !corner.quoted && corner.text.empty()) {
    const bool are_labels = names_rows || names_columns || are_counted(std::span(first).subspan(1));
    return rows.size() > 1 && are_labels ? Inner{1, 1} : Inner{};
  }
  return {names_columns ? 1U : 0U, names_rows ? 1U : 0U};
}

void add_missing_corner(CellRows& rows, const IsLabel& is_label) {
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

void take_labels(NumberTable& table, CellRows& rows, const Inner& inner) {
  for (std::size_t r = inner.row; inner.col > 0 && r < rows.size(); ++r) {
    table.row_labels.push_back(std::move(rows[r].cells.front().text));
  }
  std::vector<Cell>& first = rows.front().cells;
  if (inner.row > 0 && inner.col > 0) table.corner = std::move(first.front().text);
  for (std::size_t c = inner.col; inner.row > 0 && c < first.size(); ++c) {
    table.column_labels.push_back(std::move(first[c].text));
  }
}

// Moves labels of rows before the columns that number samples, layers and heads.
void move_labels_forward(CellRows& rows) {
  const std::vector<Cell>& first = rows.front().cells;
  const auto numbers = [](const Cell& cell) { return is_numbering(cell.text); };
  const auto at = std::ranges::find_if_not(first, numbers) - first.begin();
  const bool names_queries =
      at < std::ssize(first) && first[static_cast<std::size_t>(at)].text == kOfQueries;
  const auto has_label = [&](const CellRow& row) {
    if (std::ssize(row.cells) <= at) return false;
    const Cell& cell = row.cells[static_cast<std::size_t>(at)];
    return cell.quoted || !looks_numeric(cell.text) || names_queries;
  };
  if (at == 0 || rows.size() < 2 || !std::ranges::all_of(rows, has_label)) return;
  for (CellRow& row : rows) {
    std::rotate(row.cells.begin(), row.cells.begin() + at, row.cells.begin() + at + 1);
  }
}

// Separates labels from numbers: a first row, except its first cell, or a first column without any
// numeric cell. A first row that is one cell shorter than the others labels all columns except the
// first. `printed_by` is the program known to shorten such tables, or empty.
Result<NumberTable> table_of_cells(CellRows rows, NonFinite non_finite,
                                   std::string_view printed_by = {}) {
  if (rows.empty() || rows.front().cells.empty()) return no_numbers();
  move_labels_forward(rows);
  const auto is_label = [quotes = quotes_mean_text(rows)](const Cell& cell) {
    return (cell.quoted && quotes) || !looks_numeric(cell.text);
  };
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

// --- lines of cells between separators --------------------------------------------------------

constexpr char kBlank = ' ';

bool is_digit_or_point(char c) { return (c >= '0' && c <= '9') || c == '.'; }

// "1,5 2,5": the commas are decimal ones.
bool has_blank_between_numbers(std::string_view text) {
  for (std::size_t at = text.find(kBlank); at != text.npos; at = text.find(kBlank, at + 1)) {
    const std::size_t next = text.find_first_not_of(kBlank, at);
    if (next == text.npos) return false;
    const bool begins = is_digit_or_point(text[next]) || text[next] == '-';
    if (begins && at > 0 && is_digit_or_point(text[at - 1])) return true;
    at = next;
  }
  return false;
}

char separator_of(std::string_view text) {
  for (const char separator : {'\t', ';'}) {
    if (text.find(separator) != text.npos) return separator;
  }
  return text.find(',') != text.npos && !has_blank_between_numbers(text) ? ',' : kBlank;
}

// Position in the text, which is read cell by cell.
struct CellWalk {
  std::string_view text;
  char separator = kBlank;
  std::size_t at = 0, line = 1;

  bool is_at(char c) const { return at < text.size() && text[at] == c; }
  bool is_at_break() const { return at >= text.size() || text[at] == '\n'; }
  void skip_blanks() {
    while (is_at(' ') || is_at('\r') || (separator != '\t' && is_at('\t'))) ++at;
  }
};

Result<Cell> quoted_cell(CellWalk& walk) {
  const std::size_t end = end_of_quoted(walk.text, walk.at);
  if (end == walk.text.npos) {
    return bad_paste("the quotation mark in " + line_of_paste(walk.line) + " is not closed");
  }
  const std::string_view inner = walk.text.substr(walk.at + 1, end - walk.at - 2);
  walk.at = end;
  walk.line += static_cast<std::size_t>(std::ranges::count(inner, '\n'));
  const bool is_apart = walk.is_at(walk.separator);
  walk.skip_blanks();
  if (is_apart || walk.is_at(walk.separator) || walk.is_at_break()) {
    return Cell{with_replaced(inner, "\"\"", "\""), true};
  }
  return text_after("a quotation mark", walk.text.substr(end), walk.line);
}

Cell bare_cell(CellWalk& walk) {
  const char ends[] = {walk.separator, '\n'};
  const std::size_t end = walk.text.find_first_of(std::string_view(ends, 2), walk.at);
  const std::string_view cell = walk.text.substr(walk.at, end - walk.at);
  walk.at = std::min(end, walk.text.size());
  return {std::string(without_blanks(cell)), false};
}

// Reads up to the line break; a line of blanks has no cells.
Result<CellRow> next_row(CellWalk& walk) {
  CellRow row{walk.line, {}};
  walk.skip_blanks();
  if (walk.is_at_break()) return row;
  while (true) {
    Result<Cell> cell = walk.is_at('"') ? quoted_cell(walk) : Result<Cell>(bare_cell(walk));
    if (!cell) return cell.error();
    row.cells.push_back(*std::move(cell));
    if (walk.separator == kBlank) walk.skip_blanks();
    if (walk.is_at_break()) return row;
    if (walk.is_at(walk.separator)) ++walk.at;
    walk.skip_blanks();
  }
}

Result<std::vector<CellRow>> rows_of_lines(CellWalk walk) {
  std::vector<CellRow> rows;
  while (walk.at < walk.text.size()) {
    Result<CellRow> row = next_row(walk);
    if (!row) return row.error();
    if (!rows.empty() || !row->cells.empty()) rows.push_back(*std::move(row));
    ++walk.at;
    ++walk.line;
  }
  while (!rows.empty() && rows.back().cells.empty()) rows.pop_back();
  return rows;
}

// Some programs write a separator after every cell.
void drop_trailing_separators(std::vector<CellRow>& rows) {
  const bool end_empty = std::ranges::all_of(rows, [](const CellRow& row) {
    return row.cells.size() > 1 && !row.cells.back().quoted && row.cells.back().text.empty();
  });
  if (!end_empty) return;
  for (CellRow& row : rows) row.cells.pop_back();
}

// Two columns of whole numbers separated by commas, or one of numbers with decimal commas:
// ambiguous, and a wrong guess would go unnoticed.
bool may_have_decimal_commas(const std::vector<CellRow>& rows, std::string_view text) {
  return !rows.empty() && text.find(", ") == text.npos &&
         std::ranges::all_of(rows, [](const CellRow& row) {
           const std::vector<Cell>& cells = row.cells;
           return cells.size() == 2 && !cells[0].quoted && !cells[1].quoted &&
                  may_be_one_number(cells[0].text, cells[1].text);
         });
}

Error decimal_comma(const CellRow& row) {
  const std::string number = row.cells[0].text + "," + row.cells[1].text;
  Error error = bad_cell(number_of_cell(number, NonFinite::Refused).error(), row.line, 1);
  error.hint += ", or a blank between two numbers: 1, 5";
  return error;
}

}  // namespace

Result<NumberTable> read_lines(std::string_view text, NonFinite non_finite) {
  const char separator = separator_of(outline_of(text));
  Result<std::vector<CellRow>> rows = rows_of_lines({text, separator});
  if (!rows) return rows.error();
  if (separator == ',' && may_have_decimal_commas(*rows, text)) return decimal_comma(rows->front());
  if (separator == ',' || separator == ';') drop_trailing_separators(*rows);
  return table_of_cells(*std::move(rows), non_finite);
}

namespace {

// --- printed tensors --------------------------------------------------------------------------
// In blocks of columns, with a scale before the numbers or the type after them, as PyTorch's C++
// and older Python versions print them.

// "Columns 0 to 9", the last one included; `rest` is the remaining line.
struct ColumnBlock {
  std::size_t first = 0, last = 0;
  std::string_view rest;
};

std::string_view next_word(std::string_view& line) {
  line = without_blanks(line);
  return take_before(line, " \t\r");
}

std::optional<ColumnBlock> column_block(std::string_view line) {
  if (next_word(line) != "Columns") return std::nullopt;
  const auto first = number_spelt<std::size_t>(next_word(line));
  const std::string_view to = next_word(line);
  const auto last = number_spelt<std::size_t>(next_word(line));
  if (!first || !last || (to != "to" && to != "through") || *last < *first) return std::nullopt;
  return ColumnBlock{*first, *last, without_blanks(line)};
}

std::optional<Scale> scale_line(std::string_view line) {
  const std::optional<Scale> scale = scale_at(line);
  return scale && scale->end == line.size() ? scale : std::nullopt;
}

// "[ CPUFloatType{2,2} ]" and "[torch.FloatTensor of size 2x2]"
bool is_type_line(std::string_view line) {
  return line.starts_with('[') && line.ends_with(']') &&
         (line.find("Type{") != line.npos || line.find("Tensor of size") != line.npos);
}

// State of reading.
struct PrintWalk {
  std::size_t line = 0;
  int power = 0;
  std::size_t columns = 0;      // of the block; 0 when unknown
  std::size_t columns_end = 0;  // first column of the next block
  std::size_t row = 0;          // of the block
  bool adds_columns = false;    // to the rows of the blocks before
  bool is_over = false;
  CellRows rows;
};

Status end_columns(const PrintWalk& walk) {
  if (walk.row == walk.rows.size()) return ok_status();
  return bad_line(walk.line, "the columns before it have a different number of rows",
                  std::to_string(walk.row), std::to_string(walk.rows.size()));
}

Status begin_columns(PrintWalk& walk, const ColumnBlock& block) {
  if (const Status ended = end_columns(walk); !ended) return ended.error();
  walk.adds_columns = walk.columns > 0;
  if (!walk.adds_columns && walk.row > 0) return text_after("numbers", "Columns", walk.line);
  if (walk.adds_columns ? block.first != walk.columns_end : block.first > 1) {
    return bad_line(walk.line, "the columns before these are missing",
                    "column " + std::to_string(block.first),
                    walk.adds_columns ? std::to_string(walk.columns_end) : "0 or 1");
  }
  walk.columns = block.last - block.first + 1;
  walk.columns_end = block.last + 1;
  walk.row = 0;
  return ok_status();
}

Status take_row(PrintWalk& walk, std::string_view line) {
  if (!walk.adds_columns) walk.rows.push_back({walk.line, {}});
  if (walk.row == walk.rows.size()) {
    return bad_line(walk.line, "the columns before these have fewer rows");
  }
  std::vector<Cell>& cells = walk.rows[walk.row++].cells;
  std::size_t count = 0;
  for (; !line.empty(); ++count) {
    cells.push_back({scaled_number(next_word(line), walk.power)});
    if (is_left_out(cells.back())) return shortened_numbers(kPyTorch, walk.line);
  }
  if (walk.columns == 0 || count == walk.columns) return ok_status();
  return bad_line(walk.line, "the row does not have one number per column", std::to_string(count),
                  std::to_string(walk.columns));
}

// Reads a line without blanks at its ends.
Status take_line(PrintWalk& walk, std::string_view line) {
  ++walk.line;
  if (walk.is_over && !line.empty()) return text_after("the tensor", line, walk.line);
  if (const std::optional<ColumnBlock> block = column_block(line)) {
    if (const Status begun = begin_columns(walk, *block); !begun) return begun.error();
    line = block->rest;
  }
  walk.is_over = walk.is_over || is_type_line(line);
  if (walk.is_over || line.empty()) return ok_status();
  const std::optional<Scale> scale = scale_line(line);
  if (!scale) return take_row(walk, line);
  walk.power = scale->power;
  return ok_status();
}

}  // namespace

bool is_print(std::string_view outline) {
  while (!outline.empty()) {
    const std::string_view line = without_blanks(take_before(outline, "\n"));
    if (column_block(line) || scale_line(line) || is_type_line(line)) return true;
  }
  return false;
}

Result<NumberTable> read_print(std::string_view text, NonFinite non_finite) {
  PrintWalk walk;
  while (!text.empty()) {
    const Status taken = take_line(walk, without_blanks(take_before(text, "\n")));
    if (!taken) return taken.error();
  }
  if (const Status ended = end_columns(walk); !ended) return ended.error();
  return table_of_cells(std::move(walk.rows), non_finite, kPyTorch);
}

}  // namespace attn
