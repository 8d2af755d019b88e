// Nested lists in the syntax of JSON, Python, NumPy and PyTorch, after the prompts and names of
// notebooks, consoles and programs; read forwards without recursion.
#include <algorithm>
#include <utility>

#include "numbers/forms.h"

namespace attn {
namespace {

constexpr std::string_view kWhite = " \t\r\n";

// The beginning of pasted lists.
struct ListStart {
  std::string_view rest{};        // from the first bracket on, or from the single number in a call
  std::size_t calls = 0;          // open calls such as array(…)
  std::string_view printed_by{};  // kNumPy, kPyTorch, or empty when unknown
  int power = 0;                  // of "1.0e+03 *" before the numbers: a factor 10^power
};

// "torch.tensor"; empty when no name begins here.
std::string_view name_in_front(std::string_view text) {
  constexpr std::string_view kInside =
      "0123456789._abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  const std::string_view name = text.substr(0, text.find_first_not_of(kInside));
  const bool is_number = name.find_first_of("0123456789.") == 0;
  return is_number ? std::string_view() : name;
}

// The program that prints such a call; nothing for calls without numbers.
std::optional<std::string_view> printer_of(std::string_view name) {
  constexpr std::pair<std::string_view, std::string_view> kCalls[] = {
      {"array", kNumPy},    {"Array", kNumPy},       {"matrix", kNumPy}, {"tensor", kPyTorch},
      {"Tensor", kPyTorch}, {"Parameter", kPyTorch}, {"list", {}},       {"tuple", {}}};
  for (const auto& [end, printed_by] : kCalls) {
    if (name.ends_with(end)) return printed_by;
  }
  return std::nullopt;
}

// Each of the following functions consumes what it is named after, if it comes next.

// ">>>", "Parameter containing:" or "Out[12]:"
bool take_prompt(ListStart& start) {
  const std::string_view text = start.rest.substr(0, 24);
  const bool is_numbered = text.starts_with("Out[") || text.starts_with("In [");
  const std::size_t close = is_numbered ? text.find("]:") : text.npos;
  std::size_t size = close == text.npos ? 0 : close + 2;
  for (const std::string_view words : {">>>", "Parameter containing:"}) {
    if (text.starts_with(words)) size = words.size();
  }
  start.rest.remove_prefix(size);
  return size > 0;
}

// "x =", "data=" or "tensor("
bool take_name(ListStart& start) {
  const std::string_view name = name_in_front(start.rest);
  const std::size_t next = start.rest.find_first_not_of(' ', name.size());
  if (name.empty() || next == std::string_view::npos) return false;
  const std::optional<std::string_view> printed_by = printer_of(name);
  const bool is_call = printed_by && next == name.size() && start.rest[next] == '(';
  if (!is_call && start.rest[next] != '=') return false;
  start.rest.remove_prefix(next + 1);
  if (!is_call) return true;
  ++start.calls;
  start.printed_by = *printed_by;
  return true;
}

bool take_scale(ListStart& start) {
  const std::optional<Scale> scale = scale_at(start.rest);
  if (!scale) return false;
  start.power = scale->power;
  start.rest.remove_prefix(scale->end);
  return true;
}

// "[CLS]" is a token in brackets, not a list.
bool begins_list(std::string_view text) {
  if (!text.starts_with('[')) return text.starts_with('(') && without_blanks(text).ends_with(')');
  const std::string_view name = name_in_front(text.substr(1));
  return name.empty() || !text.substr(1 + name.size()).starts_with(']') || looks_numeric(name);
}

// The beginning of lists after prompts, names and calls such as ">>> x = torch.tensor("; nothing
// when the text has none.
std::optional<ListStart> list_start(std::string_view text) {
  ListStart start{text};
  do {
    start.rest.remove_prefix(std::min(start.rest.find_first_not_of(kWhite), start.rest.size()));
  } while (take_prompt(start) || take_name(start) || take_scale(start));
  if (start.calls == 0 && !begins_list(start.rest)) return std::nullopt;
  return start;
}

constexpr std::size_t kDeepestList = 2;

// State of reading.
struct ListWalk {
  std::string_view text;
  NonFinite non_finite = NonFinite::Refused;
  ListStart start;
  std::size_t at = 0;
  std::vector<std::size_t> open{};  // places of brackets, the outermost first; at most kDeepestList
  bool follows_item = false;        // a comma is allowed here
  bool has_commas = false;
  std::size_t row_cells = 0;  // of the open row
  NumberTable table{};        // of all closed rows

  bool is_done() const { return at >= text.size(); }
  std::size_t line_of(std::size_t place) const {
    return 1 + static_cast<std::size_t>(std::ranges::count(text.substr(0, place), '\n'));
  }
  std::size_t line() const { return line_of(at); }
};

// An error about the innermost open list.
Error not_closed(const ListWalk& walk, std::string found = {}) {
  const std::size_t place = walk.open.back();
  return bad_paste("the bracket of " + line_of_paste(walk.line_of(place)) + " is not closed",
                   std::move(found),
                   walk.text[place] == '[' ? "a “]” after its numbers" : "a “)” after its numbers");
}

// Number of nested lists that begin at `at`.
std::size_t brackets_at(std::string_view text, std::size_t at) {
  constexpr std::string_view kBetween = "[( \t\r\n";
  const std::size_t end = std::min(text.find_first_not_of(kBetween, at), text.size());
  return static_cast<std::size_t>(std::ranges::count_if(
      text.substr(at, end - at), [](char c) { return c == '[' || c == '('; }));
}

Error too_deep(const ListWalk& walk) {
  const std::size_t depth = walk.open.size() + brackets_at(walk.text, walk.at);
  return bad_line(walk.line(), "the lists are " + std::to_string(depth) + " deep", "",
                  "2 at most: a list of rows of numbers", "paste one matrix of them");
}

Error rows_beside_numbers(std::size_t line) {
  return bad_line(line, "a list is next to a number", "", "numbers, or rows of numbers");
}

Status open_list(ListWalk& walk) {
  const bool is_deepest = walk.open.size() == kDeepestList;
  if (walk.row_cells > 0) return is_deepest ? not_closed(walk) : rows_beside_numbers(walk.line());
  if (is_deepest) return too_deep(walk);
  walk.open.push_back(walk.at++);
  walk.follows_item = false;
  return ok_status();
}

Error ragged_list(const ListWalk& walk) {
  return bad_paste("row " + std::to_string(walk.table.rows + 1) + " of the pasted lists, in line " +
                       std::to_string(walk.line()) + ", is not as long as the first",
                   counted(walk.row_cells, "number"), std::to_string(walk.table.cols));
}

Status close_row(ListWalk& walk) {
  if (walk.table.rows == 0) walk.table.cols = walk.row_cells;
  if (walk.row_cells != walk.table.cols) return ragged_list(walk);
  ++walk.table.rows;
  walk.row_cells = 0;
  return ok_status();
}

Status close_list(ListWalk& walk) {
  if ((walk.text[walk.open.back()] == '[') != (walk.text[walk.at] == ']')) {
    const std::string found(1, walk.text[walk.at]);
    return not_closed(walk, "“" + found + "” in line " + std::to_string(walk.line()));
  }
  const bool is_row = walk.open.size() == kDeepestList || walk.table.rows == 0;
  if (const Status row = is_row ? close_row(walk) : ok_status(); !row) return row.error();
  walk.open.pop_back();
  walk.follows_item = true;
  ++walk.at;
  return ok_status();
}

Status take_comma(ListWalk& walk) {
  if (!walk.follows_item) return bad_line(walk.line(), "there is no number before a comma");
  walk.follows_item = false;
  walk.has_commas = true;
  ++walk.at;
  return ok_status();
}

// The item up to a separator; includes all of "np.float32(0.5)" and of a quoted text.
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

Status take_item(ListWalk& walk) {
  const std::string_view item = item_at(walk.text, walk.at);
  if (is_shortened(item)) {
    const bool prints_commas = walk.has_commas || !walk.start.printed_by.empty();
    return shortened_numbers(prints_commas ? walk.start.printed_by : kNumPy, walk.line());
  }
  if (walk.open.size() < kDeepestList && walk.table.rows > 0)
    return rows_beside_numbers(walk.line());
  const std::string number = scaled_number(without_blanks(bare_item(item)), walk.start.power);
  const Result<float> value = number_of_cell(number, walk.non_finite);
  if (!value) return bad_cell(value.error(), walk.line(), walk.row_cells + 1);
  walk.table.values.push_back(*value);
  ++walk.row_cells;
  walk.follows_item = true;
  walk.at += item.size();
  return ok_status();
}

void skip_white(ListWalk& walk) {
  walk.at = std::min(walk.text.find_first_not_of(kWhite, walk.at), walk.text.size());
}

Status take_next(ListWalk& walk) {
  const char c = walk.text[walk.at];
  if (c == '[' || c == '(') return open_list(walk);
  if (c == ']' || c == ')') return close_list(walk);
  return c == ',' ? take_comma(walk) : take_item(walk);
}

// A call around a single number has no list.
Status take_all(ListWalk& walk) {
  if (brackets_at(walk.text, walk.at) == 0) {
    const Status taken = take_item(walk);
    skip_white(walk);
    return taken ? close_row(walk) : taken;
  }
  do {
    const Status taken = take_next(walk);
    if (!taken) return taken.error();
    skip_white(walk);
  } while (!walk.open.empty() && !walk.is_done());
  return walk.open.empty() ? ok_status() : Status(not_closed(walk));
}

// The byte after the calls around the numbers; npos when one is not closed.
std::size_t behind_calls(std::string_view rest, std::size_t calls) {
  for (std::size_t i = 0; i < rest.size() && calls > 0; ++i) {
    if (rest[i] == '(') ++calls;
    if (rest[i] == ')' && --calls == 0) return i + 1;
  }
  return calls == 0 ? 0 : std::string_view::npos;
}

// Arguments after the numbers, such as ", dtype=float32)", do not change them; text after the
// calls, such as ".T", does.
Status check_end(const ListWalk& walk) {
  std::string_view rest = without_blanks(walk.text.substr(walk.at));
  if (rest.ends_with(';')) rest.remove_suffix(1);
  if (rest.starts_with(']')) {
    return bad_line(walk.line(), "there is a closing bracket without an opening one");
  }
  if (rest.find('[') != rest.npos) {
    Error error = text_after("the first list", rest, walk.line());
    error.hint = "paste one list of rows, [[…], […]]";
    return error;
  }
  const std::size_t behind = behind_calls(rest, walk.start.calls);
  if (behind == rest.npos) return bad_paste("the parenthesis before the lists is not closed");
  const bool begins_well = behind == 0 || rest.front() == ',' || rest.front() == ')';
  if (begins_well && behind == rest.size()) return ok_status();
  return text_after("the numbers", rest.substr(begins_well ? behind : 0), walk.line());
}

}  // namespace

std::optional<Scale> scale_at(std::string_view text) {
  const std::size_t end = std::min(text.find_first_not_of("+-.0123456789eE"), text.size());
  const std::size_t star = text.find_first_not_of(" \t", end);
  if (star == std::string_view::npos || text[star] != '*') return std::nullopt;
  const std::optional<int> power = power_of_ten(text.substr(0, end));
  if (!power) return std::nullopt;
  return Scale{*power, star + 1};
}

bool are_lists(std::string_view outline) { return list_start(outline).has_value(); }

Result<NumberTable> read_lists(std::string_view text, NonFinite non_finite) {
  const std::string outline = outline_of(text);
  ListWalk walk{text, non_finite, list_start(outline).value_or(ListStart{outline})};
  walk.at = text.size() - walk.start.rest.size();
  if (walk.is_done()) return no_numbers();
  if (const Status taken = take_all(walk); !taken) return taken.error();
  if (walk.table.values.empty()) return no_numbers();
  if (const Status end = check_end(walk); !end) return end.error();
  return std::move(walk.table);
}

}  // namespace attn
