// Printed tensors without brackets: in blocks of columns, with a scale before the numbers or the
// type after them, as PyTorch's C++ and older Python versions print them.
#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>
#include <utility>

#include "numbers/forms.h"
#include "numbers/number_cell.h"

namespace attn {
namespace {

// "Columns 0 to 9", the last one included; `rest` is the remaining line.
struct ColumnBlock {
  std::size_t first = 0, last = 0;
  std::string_view rest;
};

std::string_view next_word(std::string_view& text) {
  text = without_blanks(text);
  const std::size_t end = std::min(text.find_first_of(" \t\r\n"), text.size());
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(end);
  return word;
}

std::optional<std::size_t> count_in(std::string_view word) {
  std::size_t count = 0;
  const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), count);
  if (word.empty() || code != std::errc{} || end != word.data() + word.size()) return std::nullopt;
  return count;
}

std::optional<ColumnBlock> column_block(std::string_view line) {
  if (next_word(line) != "Columns") return std::nullopt;
  const auto first = count_in(next_word(line));
  const std::string_view to = next_word(line);
  const auto last = count_in(next_word(line));
  if (!first || !last || (to != "to" && to != "through") || *last < *first) return std::nullopt;
  return ColumnBlock{*first, *last, without_blanks(line)};
}

std::optional<Scale> scale_line(std::string_view line) {
  const std::optional<Scale> scale = scale_at(line, 0);
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
  std::size_t blocks = 0;
  bool is_over = false;
  std::vector<CellRow> rows;
};

Status end_columns(const PrintWalk& walk) {
  if (walk.row == walk.rows.size()) return ok_status();
  Error error = bad_line(walk.line, "the columns before it have another number of rows");
  error.found = std::to_string(walk.row);
  error.expected = std::to_string(walk.rows.size());
  return error;
}

Status begin_columns(PrintWalk& walk, const ColumnBlock& block) {
  if (const Status ended = end_columns(walk); !ended) return ended.error();
  const bool is_first = walk.blocks == 0;
  if (is_first && !walk.rows.empty()) return text_after("numbers", "Columns", walk.line);
  if (is_first ? block.first > 1 : block.first != walk.columns_end) {
    Error error = bad_line(walk.line, "the columns before these are missing");
    error.found = "column " + std::to_string(block.first);
    error.expected = is_first ? "0 or 1" : std::to_string(walk.columns_end);
    return error;
  }
  walk.columns = block.last - block.first + 1;
  walk.columns_end = block.last + 1;
  walk.row = 0;
  ++walk.blocks;
  return ok_status();
}

Status check_width(const PrintWalk& walk, const std::vector<Cell>& cells) {
  const bool is_cut =
      std::ranges::any_of(cells, [](const Cell& c) { return is_shortened(c.text); });
  if (is_cut) return shortened_numbers(kPyTorch, walk.line);
  if (walk.columns == 0 || cells.size() == walk.columns) return ok_status();
  Error error = bad_line(walk.line, "the row is not as long as its columns say");
  error.found = std::to_string(cells.size());
  error.expected = std::to_string(walk.columns);
  return error;
}

Status take_row(PrintWalk& walk, std::string_view line) {
  std::vector<Cell> cells;
  while (!without_blanks(line).empty()) {
    cells.push_back({scaled_number(next_word(line), walk.power)});
  }
  if (const Status sound = check_width(walk, cells); !sound) return sound.error();
  if (walk.blocks > 1 && walk.row == walk.rows.size()) {
    return bad_line(walk.line, "the columns before these have fewer rows");
  }
  if (walk.blocks <= 1) walk.rows.push_back({walk.line, {}});
  std::vector<Cell>& row = walk.rows[walk.row++].cells;
  std::ranges::move(cells, std::back_inserter(row));
  return ok_status();
}

Status take_numbers(PrintWalk& walk, std::string_view line) {
  const std::optional<Scale> scale = scale_line(line);
  if (!scale) return take_row(walk, line);
  walk.power = scale->power;
  return ok_status();
}

Status take_line(PrintWalk& walk, std::string_view line) {
  ++walk.line;
  if (line.empty()) return ok_status();
  if (walk.is_over) return text_after("the tensor", line, walk.line);
  walk.is_over = is_type_line(line);
  if (walk.is_over) return ok_status();
  const std::optional<ColumnBlock> block = column_block(line);
  if (!block) return take_numbers(walk, line);
  if (const Status begun = begin_columns(walk, *block); !begun) return begun.error();
  return block->rest.empty() ? ok_status() : take_numbers(walk, block->rest);
}

// Calls `take` with each line, without blanks at its ends, until it returns false.
template <class Take>
void for_each_line(std::string_view text, Take&& take) {
  while (true) {
    const std::size_t end = text.find('\n');
    if (!take(without_blanks(text.substr(0, end))) || end == text.npos) return;
    text.remove_prefix(end + 1);
  }
}

}  // namespace

bool is_print(std::string_view outline) {
  bool found = false;
  for_each_line(outline, [&](std::string_view line) {
    found = column_block(line) || scale_line(line) || is_type_line(line);
    return !found;
  });
  return found;
}

Result<NumberTable> read_print(std::string_view text, NonFinite non_finite) {
  PrintWalk walk;
  Status taken = ok_status();
  for_each_line(text, [&](std::string_view line) {
    taken = take_line(walk, line);
    return taken.ok();
  });
  if (!taken) return taken.error();
  if (const Status ended = end_columns(walk); !ended) return ended.error();
  return table_of_cells(std::move(walk.rows), non_finite, kPyTorch);
}

}  // namespace attn
