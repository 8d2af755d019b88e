// Tables of Markdown: rows of cells between pipes, a first row of names and a row of dashes.
#include <algorithm>
#include <utility>

#include "numbers/cells.h"
#include "numbers/forms.h"
#include "numbers/number_cell.h"

namespace attn {
namespace {

constexpr std::string_view kBreak = "<br>";

struct PipeLine {
  std::size_t number = 1;
  std::string_view text;  // not empty, without blanks at its ends
};

std::vector<PipeLine> pipe_lines(std::string_view text) {
  std::vector<PipeLine> lines;
  for (std::size_t number = 1;; ++number) {
    const std::size_t end = text.find('\n');
    const std::string_view line = without_blanks(text.substr(0, end));
    if (!line.empty()) lines.push_back({number, line});
    if (end == text.npos) return lines;
    text.remove_prefix(end + 1);
  }
}

// The next pipe from `at` on that is not escaped, or the end.
std::size_t pipe_at(std::string_view line, std::size_t at) {
  while (at < line.size() && line[at] != '|') at += line[at] == '\\' ? 2 : 1;
  return std::min(at, line.size());
}

std::vector<std::string_view> split_at_pipes(std::string_view line) {
  if (line.starts_with('|')) line.remove_prefix(1);
  std::vector<std::string_view> cells;
  for (std::size_t at = 0;; ++at) {
    const std::size_t end = pipe_at(line, at);
    const std::string_view cell = without_blanks(line.substr(at, end - at));
    const bool is_after_last = end == line.size() && cell.empty() && !cells.empty();
    if (!is_after_last) cells.push_back(cell);
    if (end == line.size()) return cells;
    at = end;
  }
}

bool is_dashes(std::string_view cell) {
  return cell.find('-') != cell.npos && cell.find_first_not_of(":-") == cell.npos;
}

bool is_dashed_line(std::string_view line) {
  return line.find('|') != line.npos && std::ranges::all_of(split_at_pipes(line), is_dashes);
}

bool is_punctuation(char c) {
  return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') ||
         (c >= '{' && c <= '~');
}

std::string without_escapes(std::string_view cell) {
  std::string text;
  for (std::size_t i = 0; i < cell.size(); ++i) {
    if (cell.substr(i, kBreak.size()) == kBreak) {
      text += '\n';
      i += kBreak.size() - 1;
      continue;
    }
    if (cell[i] == '\\' && i + 1 < cell.size() && is_punctuation(cell[i + 1])) ++i;
    text += cell[i];
  }
  return text;
}

// "**0.5**" is bold.
std::string_view without_emphasis(std::string_view cell) {
  while (cell.size() > 2 && cell.front() == '*' && cell.back() == '*') {
    cell = cell.substr(1, cell.size() - 2);
  }
  return cell;
}

Cell markdown_cell(std::string_view cell) {
  const bool is_code = cell.size() > 2 && cell.front() == '`' && cell.back() == '`';
  if (is_code) return {std::string(cell.substr(1, cell.size() - 2)), true};
  return {without_escapes(without_emphasis(cell)), false};
}

CellRow row_of_pipes(const PipeLine& line) {
  CellRow row{line.number, {}};
  for (const std::string_view cell : split_at_pipes(line.text))
    row.cells.push_back(markdown_cell(cell));
  return row;
}

}  // namespace

bool is_markdown(std::string_view outline) {
  const std::vector<PipeLine> lines = pipe_lines(outline);
  if (lines.size() > 1 && lines[0].text.find('|') != outline.npos &&
      is_dashed_line(lines[1].text)) {
    return true;
  }
  return !lines.empty() &&
         std::ranges::all_of(lines, [](const PipeLine& line) { return line.text[0] == '|'; });
}

Result<NumberTable> read_markdown(std::string_view text, NonFinite non_finite) {
  const std::vector<PipeLine> lines = pipe_lines(text);
  const bool has_names = lines.size() > 1 && is_dashed_line(lines[1].text);
  std::vector<CellRow> rows;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (!has_names || i != 1) rows.push_back(row_of_pipes(lines[i]));
  }
  const FirstRow first_row = has_names ? FirstRow::IsLabels : FirstRow::MayBeLabels;
  return table_of_cells(std::move(rows), first_row, non_finite);
}

}  // namespace attn
