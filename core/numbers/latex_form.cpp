// Matrices and tables of LaTeX: cells between & and rows that end with \\, without what only
// decorates them.
#include <algorithm>
#include <array>
#include <utility>

#include "numbers/cells.h"
#include "numbers/forms.h"
#include "numbers/latex_environment.h"
#include "numbers/number_cell.h"

namespace attn {
namespace {

constexpr std::string_view kRowEnd = "\\\\";

bool is_command_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// How far the cells are read.
struct LatexWalk {
  std::string_view text;
  std::size_t line = 1;
  std::size_t at = 0;
  bool ended_row = false;
};

void skip_comment(LatexWalk& walk) {
  walk.at = std::min(walk.text.find('\n', walk.at), walk.text.size());
}

// "[2pt]" in front: as long as it is, and 0 of a bracket that is a cell's.
std::size_t length_of_space(std::string_view text) {
  constexpr std::size_t kLongest = 24;
  const std::size_t end = text.substr(0, kLongest).find(']');
  if (!text.starts_with('[') || end == text.npos || end < 2) return 0;
  return is_command_letter(text[end - 1]) ? end + 1 : 0;
}

// \\, \\* and \\[2pt]
void skip_row_end(LatexWalk& walk) {
  walk.at += kRowEnd.size();
  if (walk.text.substr(walk.at).starts_with('*')) ++walk.at;
  walk.at += length_of_space(walk.text.substr(walk.at));
  walk.ended_row = true;
}

void take_letter(LatexWalk& walk, std::string& cell) {
  const std::size_t length = walk.text[walk.at] == '\\' ? 2 : 1;
  const std::string_view letter = walk.text.substr(walk.at, length);
  walk.line += static_cast<std::size_t>(std::ranges::count(letter, '\n'));
  cell += letter;
  walk.at += letter.size();
}

// Up to the next & or \\, without comments; only a \\ is stepped over.
std::string raw_cell(LatexWalk& walk) {
  std::string cell;
  walk.ended_row = false;
  while (walk.at < walk.text.size() && walk.text[walk.at] != '&' && !walk.ended_row) {
    if (walk.text[walk.at] == '%') {
      skip_comment(walk);
    } else if (walk.text.substr(walk.at).starts_with(kRowEnd)) {
      skip_row_end(walk);
    } else {
      take_letter(walk, cell);
    }
  }
  return cell;
}

// "\hline"; empty where no command begins.
std::string_view command_in_front(std::string_view text) {
  if (!text.starts_with('\\')) return {};
  const auto* const end = std::ranges::find_if_not(text.substr(1), is_command_letter);
  return text.substr(0, static_cast<std::size_t>(end - text.begin()));
}

constexpr std::array<std::string_view, 12> kRules = {
    "\\hline",       "\\cline",        "\\hdashline",     "\\cdashline",
    "\\toprule",     "\\midrule",      "\\bottomrule",    "\\cmidrule",
    "\\specialrule", "\\addlinespace", "\\morecmidrules", "\\centering"};

// Rules between rows stand in front of a row's first cell.
std::string_view without_rules(std::string_view cell) {
  while (true) {
    cell = without_blanks(cell);
    const std::string_view command = command_in_front(cell);
    if (std::ranges::find(kRules, command) == kRules.end()) return cell;
    cell.remove_prefix(command.size());
    cell.remove_prefix(length_of_arguments(cell));
  }
}

bool strip(std::string_view& cell, std::string_view begin, std::string_view end) {
  const bool both =
      cell.size() >= begin.size() + end.size() && cell.starts_with(begin) && cell.ends_with(end);
  if (both) cell = cell.substr(begin.size(), cell.size() - begin.size() - end.size());
  return both;
}

bool strip_space(std::string_view& cell) {
  for (const std::string_view space : {"~", "\\,", "\\;", "\\:", "\\!", "\\ ", "\\quad"}) {
    if (strip(cell, space, "") || strip(cell, "", space)) return true;
  }
  return false;
}

// "\mathbf{0.5}" and "{0.5}", and "\bf 0.5"
bool strip_command(std::string_view& cell) {
  if (strip(cell, "{", "}")) return true;
  const std::string_view command = command_in_front(cell);
  if (command.size() < 2) return false;
  std::string_view rest = cell.substr(command.size());
  const bool is_switch =
      rest.starts_with(' ') && (command == "\\bf" || command.ends_with("series"));
  if (!is_switch && !strip(rest, "{", "}")) return false;
  cell = rest;
  return true;
}

std::string_view undecorated(std::string_view cell) {
  do {
    cell = without_blanks(cell);
  } while (strip(cell, "$", "$") || strip(cell, "\\(", "\\)") || strip_space(cell) ||
           strip_command(cell));
  return cell;
}

// Backslashes that only keep a letter from meaning something else.
std::string without_backslashes(std::string_view cell) {
  constexpr std::string_view kEscaped = "&%$#_{}";
  std::string text;
  for (std::size_t i = 0; i < cell.size(); ++i) {
    const char next = i + 1 < cell.size() ? cell[i + 1] : ' ';
    if (cell[i] != '\\' || kEscaped.find(next) == kEscaped.npos) text += cell[i];
  }
  return text;
}

// "e-3" of "10^{-3}"; empty where there is no power of ten.
std::string exponent_text(std::string_view power) {
  power = without_blanks(power);
  if (!power.starts_with("10^")) return "";
  power.remove_prefix(3);
  strip(power, "{", "}");
  return "e" + std::string(power);
}

// "1.5 \times 10^{-3}" as "1.5e-3", other texts as they are.
std::string with_exponent(std::string_view cell) {
  if (const std::string alone = exponent_text(cell); !alone.empty()) return "1" + alone;
  for (const std::string_view times : {"\\times", "\\cdot"}) {
    const std::size_t at = cell.find(times);
    if (at == cell.npos) continue;
    const std::string exponent = exponent_text(cell.substr(at + times.size()));
    if (!exponent.empty()) return std::string(without_blanks(cell.substr(0, at))) + exponent;
  }
  return without_backslashes(cell);
}

// The text that `meant` stands for, in place of the command.
std::string with_command_as(std::string_view cell, std::size_t at, std::string_view command,
                            std::string_view meant) {
  return std::string(without_blanks(cell.substr(0, at))) + std::string(meant) +
         std::string(without_blanks(cell.substr(at + command.size())));
}

std::string meaning_of(std::string_view cell) {
  struct Word {
    std::string_view command, meant;
  };
  constexpr std::array<Word, 2> kWords = {{{"\\infty", "inf"}, {"\\pm", "±"}}};
  cell = undecorated(cell);
  if (cell.starts_with('\\') && cell.ends_with("dots")) return "...";
  for (const auto& [command, meant] : kWords) {
    const std::size_t at = cell.find(command);
    if (at != cell.npos) return with_command_as(cell, at, command, meant);
  }
  return with_exponent(cell);
}

// In which line what is left of a cell begins.
std::size_t line_of_rest(std::string_view left, std::string_view cell, std::size_t line) {
  const auto before = static_cast<std::size_t>(left.data() - cell.data());
  return line + static_cast<std::size_t>(std::ranges::count(cell.substr(0, before), '\n'));
}

// Cells up to a \\ or the end.
CellRow latex_row(LatexWalk& walk) {
  CellRow row{walk.line, {}};
  while (true) {
    const std::string cell = raw_cell(walk);
    const bool is_first = row.cells.empty();
    const std::string_view bare = is_first ? without_rules(cell) : std::string_view(cell);
    if (is_first && !bare.empty()) row.line = line_of_rest(bare, cell, row.line);
    row.cells.push_back({meaning_of(bare)});
    if (walk.ended_row || walk.at >= walk.text.size()) return row;
    ++walk.at;
  }
}

// What stands behind the last \\, or is a rule only.
bool is_nothing(const CellRow& row) { return row.cells.size() == 1 && row.cells[0].text.empty(); }

}  // namespace

bool is_latex(std::string_view outline) {
  return has_environment(outline) ||
         (outline.find('&') != outline.npos && outline.find(kRowEnd) != outline.npos);
}

Result<NumberTable> read_latex(std::string_view text, NonFinite non_finite) {
  const Result<LatexBody> body = latex_body(text);
  if (!body) return body.error();
  LatexWalk walk{body->text, body->line};
  std::vector<CellRow> rows;
  while (walk.at < walk.text.size()) {
    CellRow row = latex_row(walk);
    if (!is_nothing(row)) rows.push_back(std::move(row));
  }
  return table_of_cells(std::move(rows), FirstRow::MayBeLabels, non_finite);
}

}  // namespace attn
