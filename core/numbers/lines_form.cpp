// Lines of cells separated by tabs, semicolons, commas or blanks, as in spreadsheets.
#include <algorithm>
#include <utility>

#include "numbers/forms.h"
#include "numbers/number_cell.h"

namespace attn {
namespace {

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
  std::size_t at = 0;
  std::size_t line = 1;

  bool is_at(char c) const { return at < text.size() && text[at] == c; }
  bool is_at_break() const { return at >= text.size() || text[at] == '\n'; }
  void skip_blanks() {
    while (is_at(' ') || is_at('\r') || (separator != '\t' && is_at('\t'))) ++at;
  }
};

std::string unquoted(std::string_view inner) {
  std::string text;
  for (std::size_t i = 0; i < inner.size(); ++i) {
    text += inner[i];
    if (inner[i] == '"') ++i;
  }
  return text;
}

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
    return Cell{unquoted(inner), true};
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

bool is_split_number(const CellRow& row) {
  return row.cells.size() == 2 && !row.cells[0].quoted && !row.cells[1].quoted &&
         may_be_one_number(row.cells[0].text, row.cells[1].text);
}

// Two columns of whole numbers separated by commas, or one of numbers with decimal commas:
// ambiguous, and a wrong guess would go unnoticed.
bool may_have_decimal_commas(const std::vector<CellRow>& rows, std::string_view text) {
  return !rows.empty() && text.find(", ") == text.npos &&
         std::ranges::all_of(rows, is_split_number);
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
  if (separator == ',' && may_have_decimal_commas(*rows, text)) {
    return decimal_comma(rows->front());
  }
  if (separator == ',' || separator == ';') drop_trailing_separators(*rows);
  return table_of_cells(*std::move(rows), non_finite);
}

}  // namespace attn
