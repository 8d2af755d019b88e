// Lists in lists, as JSON, Python, NumPy and PyTorch write them, read forwards without recursion.
#include <algorithm>
#include <utility>

#include "base/utf8.h"
#include "numbers/cells.h"
#include "numbers/forms.h"
#include "numbers/list_start.h"
#include "numbers/number_cell.h"

namespace attn {
namespace {

constexpr std::size_t kDeepestList = 2;

struct OpenList {
  char bracket = '[';
  std::size_t line = 1;
};

// How far the text is read.
struct ListWalk {
  std::string_view text;
  NonFinite non_finite = NonFinite::Refused;
  ListStart start;
  std::size_t at = 0, line = 1;
  std::vector<OpenList> open;  // the outermost first, kDeepestList at most
  bool follows_item = false;   // so that a comma may stand here
  bool has_commas = false;
  std::size_t row_cells = 0;  // of the row that is not closed yet
  NumberTable table;          // of all rows that are

  bool is_done() const { return at >= text.size(); }
};

std::string line_text(std::size_t line) { return "line " + std::to_string(line); }

Error bad_list(std::size_t line, const std::string& message) {
  return bad_paste(line_text(line) + " of the pasted text: " + message);
}

Error not_closed(const OpenList& list) {
  Error error =
      bad_paste("the bracket of " + line_text(list.line) + " of the pasted text is not closed");
  error.expected = list.bracket == '[' ? "a “]” after its numbers" : "a “)” after its numbers";
  return error;
}

// How many lists begin within each other at `at`.
std::size_t brackets_at(std::string_view text, std::size_t at) {
  constexpr std::string_view kBetween = "[( \t\r\n";
  const std::size_t end = std::min(text.find_first_not_of(kBetween, at), text.size());
  return static_cast<std::size_t>(std::ranges::count_if(
      text.substr(at, end - at), [](char c) { return c == '[' || c == '('; }));
}

Error too_deep(const ListWalk& walk) {
  const std::size_t depth = walk.open.size() + brackets_at(walk.text, walk.at);
  Error error = bad_list(walk.line, "the lists are " + std::to_string(depth) + " deep");
  error.expected = "2 at most: a list of rows of numbers";
  error.hint = "paste one matrix of them";
  return error;
}

Error rows_beside_numbers(std::size_t line) {
  Error error = bad_list(line, "a list and a number stand side by side");
  error.expected = "numbers, or rows of numbers";
  return error;
}

Status open_list(ListWalk& walk) {
  const bool is_deepest = walk.open.size() == kDeepestList;
  if (walk.row_cells > 0) {
    return is_deepest ? not_closed(walk.open.back()) : rows_beside_numbers(walk.line);
  }
  if (is_deepest) return too_deep(walk);
  walk.open.push_back({walk.text[walk.at++], walk.line});
  walk.follows_item = false;
  return ok_status();
}

Error ragged_list(const ListWalk& walk) {
  Error error =
      bad_paste("row " + std::to_string(walk.table.rows + 1) + " of the pasted lists, in " +
                line_text(walk.line) + ", is not as long as the first");
  error.found = std::to_string(walk.row_cells) + (walk.row_cells == 1 ? " number" : " numbers");
  error.expected = std::to_string(walk.table.cols);
  return error;
}

Status close_row(ListWalk& walk) {
  if (walk.table.rows == 0) walk.table.cols = walk.row_cells;
  if (walk.row_cells != walk.table.cols) return ragged_list(walk);
  ++walk.table.rows;
  walk.row_cells = 0;
  return ok_status();
}

Status close_list(ListWalk& walk) {
  const OpenList closed = walk.open.back();
  if ((closed.bracket == '[') != (walk.text[walk.at] == ']')) {
    Error error = not_closed(closed);
    error.found = "“" + std::string(1, walk.text[walk.at]) + "” in " + line_text(walk.line);
    return error;
  }
  const bool is_row = walk.open.size() == kDeepestList || walk.table.rows == 0;
  if (const Status row = is_row ? close_row(walk) : ok_status(); !row) return row.error();
  walk.open.pop_back();
  walk.follows_item = true;
  ++walk.at;
  return ok_status();
}

Status take_comma(ListWalk& walk) {
  if (!walk.follows_item) return bad_list(walk.line, "there is no number before a comma");
  walk.follows_item = false;
  walk.has_commas = true;
  ++walk.at;
  return ok_status();
}

// Up to what separates items; all of "np.float32(0.5)" and of a text in quotes.
std::string_view item_at(std::string_view text, std::size_t at) {
  std::size_t end = std::min(text.find_first_of(" \t\r\n,[]()'\"", at), text.size());
  if (end == text.size()) return text.substr(at);
  const char stop = text[end];
  const bool encloses = stop == '\'' || stop == '"' || (stop == '(' && end > at);
  if (encloses) end = text.find(stop == '(' ? ')' : stop, end + 1);
  if (encloses && end != std::string_view::npos) ++end;
  return text.substr(at, end - at);
}

// The number in "np.float32(0.5)", "float('nan')" and "\"inf\"".
std::string_view bare_item(std::string_view item) {
  const std::size_t open = item.find('(');
  if (open != item.npos && open > 0 && item.ends_with(')')) {
    item = item.substr(open + 1, item.size() - open - 2);
  }
  const bool is_quoted = item.size() >= 2 && item.front() == item.back() &&
                         (item.front() == '"' || item.front() == '\'');
  return is_quoted ? item.substr(1, item.size() - 2) : item;
}

std::string_view shortener_of(const ListWalk& walk) {
  if (!walk.start.printed_by.empty() || walk.has_commas) return walk.start.printed_by;
  return kNumPy;
}

Status take_item(ListWalk& walk) {
  const std::string_view item = item_at(walk.text, walk.at);
  if (is_shortened(item)) return shortened_numbers(shortener_of(walk), walk.line);
  if (walk.open.size() < kDeepestList && walk.table.rows > 0) return rows_beside_numbers(walk.line);
  const std::string number = scaled_number(without_blanks(bare_item(item)), walk.start.power);
  const Result<float> value = number_of_cell(number, walk.non_finite);
  if (!value) return bad_cell(value.error(), walk.line, walk.row_cells + 1);
  walk.table.values.push_back(*value);
  ++walk.row_cells;
  walk.follows_item = true;
  walk.at += item.size();
  walk.line += static_cast<std::size_t>(std::ranges::count(item, '\n'));
  return ok_status();
}

void skip_white(ListWalk& walk) {
  constexpr std::string_view kWhiteInLists = " \t\r\n";
  const std::size_t from = walk.at;
  walk.at = std::min(walk.text.find_first_not_of(kWhiteInLists, from), walk.text.size());
  walk.line +=
      static_cast<std::size_t>(std::ranges::count(walk.text.substr(from, walk.at - from), '\n'));
}

Status take_next(ListWalk& walk) {
  const char c = walk.text[walk.at];
  if (c == '[' || c == '(') return open_list(walk);
  if (c == ']' || c == ')') return close_list(walk);
  return c == ',' ? take_comma(walk) : take_item(walk);
}

Status take_lists(ListWalk& walk) {
  do {
    const Status taken = take_next(walk);
    if (!taken) return taken.error();
    skip_white(walk);
  } while (!walk.open.empty() && !walk.is_done());
  return walk.open.empty() ? ok_status() : Status(not_closed(walk.open.back()));
}

// A call around one number has no list.
Status take_single(ListWalk& walk) {
  if (const Status taken = take_item(walk); !taken) return taken.error();
  skip_white(walk);
  return close_row(walk);
}

// The byte behind the calls around the numbers; npos where one is not closed.
std::size_t behind_calls(std::string_view rest, std::size_t calls) {
  for (std::size_t i = 0; i < rest.size() && calls > 0; ++i) {
    if (rest[i] == '(') ++calls;
    if (rest[i] == ')' && --calls == 0) return i + 1;
  }
  return calls == 0 ? 0 : std::string_view::npos;
}

// What a call has after its numbers, such as ", dtype=float32)", says nothing about them; what
// follows the calls, such as ".T", does.
Status check_end(const ListWalk& walk) {
  std::string_view rest = without_blanks(walk.text.substr(walk.at));
  if (rest.ends_with(';')) rest.remove_suffix(1);
  if (rest.starts_with(']')) {
    return bad_list(walk.line, "there is a closing bracket without an opening one");
  }
  if (rest.find('[') != rest.npos) {
    Error error = text_after("the first list", rest, walk.line);
    error.hint = "paste one list of rows, [[…], […]]";
    return error;
  }
  const std::size_t behind = behind_calls(rest, walk.start.calls);
  if (behind == rest.npos) return bad_paste("the parenthesis before the lists is not closed");
  const bool begins_well = behind == 0 || rest.front() == ',' || rest.front() == ')';
  if (begins_well && behind == rest.size()) return ok_status();
  return text_after("the numbers", rest.substr(begins_well ? behind : 0), walk.line);
}

std::size_t line_at(std::string_view text, std::size_t at) {
  return 1 + static_cast<std::size_t>(std::ranges::count(text.substr(0, at), '\n'));
}

}  // namespace

bool are_lists(std::string_view outline) { return list_start(outline).has_value(); }

Result<NumberTable> read_lists(std::string_view text, NonFinite non_finite) {
  const ListStart start = list_start(outline_of(text)).value_or(ListStart{});
  ListWalk walk;
  walk.text = text;
  walk.non_finite = non_finite;
  walk.start = start;
  walk.at = walk.start.at;
  walk.line = line_at(text, walk.at);
  if (walk.is_done()) return no_numbers();
  const bool is_single = brackets_at(text, walk.at) == 0;
  const Status taken = is_single ? take_single(walk) : take_lists(walk);
  if (!taken) return taken.error();
  if (walk.table.values.empty()) return no_numbers();
  if (const Status end = check_end(walk); !end) return end.error();
  return std::move(walk.table);
}

}  // namespace attn
