// Finds the matrix or table that a text in LaTeX is about.
#include "numbers/latex_environment.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "base/utf8.h"
#include "numbers/cells.h"
#include "numbers/number_cell.h"

namespace attn {
namespace {

constexpr std::string_view kBegin = "\\begin{";

// By a part of the names: "bmatrix", "tabularx".
struct TableKind {
  std::string_view word;
  bool is_formula;     // what stands beside it acts on the numbers
  bool has_arguments;  // else a bracket after it is a cell
};
constexpr std::array<TableKind, 5> kTableKinds = {{{"matrix", true, false},
                                                   {"array", true, true},
                                                   {"tabular", false, true},
                                                   {"longtable", false, true},
                                                   {"tblr", false, true}}};

const TableKind* kind_of_table(std::string_view name) {
  const auto* const kind = std::ranges::find_if(
      kTableKinds, [&](const TableKind& k) { return name.find(k.word) != name.npos; });
  return kind == kTableKinds.end() ? nullptr : &*kind;
}

struct LatexEnvironment {
  std::string_view name;
  std::size_t at = 0;               // of its \begin
  std::size_t body = 0;             // behind its name
  const TableKind* kind = nullptr;  // null: no matrix and no table
};

std::optional<LatexEnvironment> environment_from(std::string_view text, std::size_t from) {
  const std::size_t at = text.find(kBegin, from);
  if (at == text.npos) return std::nullopt;
  const std::size_t name = at + kBegin.size();
  const std::size_t end = text.find('}', name);
  if (end == text.npos) return std::nullopt;
  const std::string_view word = text.substr(name, end - name);
  return LatexEnvironment{word, at, end + 1, kind_of_table(word)};
}

// The first matrix or table; else the first environment of any kind.
std::optional<LatexEnvironment> table_environment(std::string_view text, std::size_t from) {
  const std::optional<LatexEnvironment> first = environment_from(text, from);
  std::optional<LatexEnvironment> found = first;
  while (found && found->kind == nullptr) found = environment_from(text, found->body);
  return found ? found : first;
}

char closing_of(char open) { return open == '{' ? '}' : open == '[' ? ']' : ')'; }

bool opens_argument(char c) { return c == '{' || c == '[' || c == '('; }

// The byte behind the bracket that closes the one at `at`; the end where none does.
std::size_t behind_group(std::string_view text, std::size_t at) {
  const char open = text[at], close = closing_of(open);
  std::size_t depth = 0;
  for (; at < text.size(); ++at) {
    if (text[at] == open) ++depth;
    if (text[at] == close && --depth == 0) return at + 1;
  }
  return text.size();
}

std::size_t latex_line(std::string_view text, std::size_t at) {
  return 1 + static_cast<std::size_t>(std::ranges::count(text.substr(0, at), '\n'));
}

Error environment_error(std::string_view text, const LatexEnvironment& environment,
                        const std::string& what) {
  const std::string name = shortened(printable_line(environment.name.substr(0, 400)), 40);
  return bad_paste("line " + std::to_string(latex_line(text, environment.at)) +
                   " of the pasted text: “" + name + "” " + what);
}

// "\\begin{equation}" and the like, whose bracket ends no factor.
bool ends_with_frame(std::string_view before) {
  const std::size_t at = before.rfind('\\');
  if (at == before.npos) return false;
  const std::string_view command = before.substr(at);
  return command.starts_with(kBegin) || command.starts_with("\\label{");
}

bool is_end_of_factor(char c) { return (c >= '0' && c <= '9') || c == '}' || c == ')'; }

// "0.5", "\frac{1}{2}", "10^{-3} \cdot" or a minus before a matrix.
bool ends_with_factor(std::string_view before) {
  before = without_blanks(before);
  for (const std::string_view delimiter : {"\\left[", "\\left(", "\\left|", "\\left\\{"}) {
    if (before.ends_with(delimiter)) before.remove_suffix(delimiter.size());
  }
  before = without_blanks(before);
  for (const std::string_view sign : {"\\times", "\\cdot", "*", "-", "\\,"}) {
    if (before.ends_with(sign)) return true;
  }
  return !before.empty() && is_end_of_factor(before.back()) && !ends_with_frame(before);
}

// An exponent, such as that of a transpose, or a factor after a matrix.
bool begins_with_factor(std::string_view after) {
  after = without_blanks(after);
  for (const std::string_view delimiter : {"\\right]", "\\right)", "\\right|", "\\right\\}"}) {
    if (after.starts_with(delimiter)) after.remove_prefix(delimiter.size());
  }
  after = without_blanks(after);
  for (const std::string_view sign : {"^", "'", "\\times", "\\cdot", "*"}) {
    if (after.starts_with(sign)) return true;
  }
  return false;
}

Status check_beside(std::string_view text, const LatexEnvironment& environment,
                    std::size_t behind) {
  if (!environment.kind->is_formula) return ok_status();
  if (!ends_with_factor(text.substr(0, environment.at)) &&
      !begins_with_factor(text.substr(behind))) {
    return ok_status();
  }
  Error error = environment_error(text, environment, "has a factor or an exponent beside it");
  error.hint = "paste the matrix alone, if its numbers are meant";
  return error;
}

Status check_others(std::string_view text, const LatexEnvironment& environment) {
  const std::optional<LatexEnvironment> next = table_environment(text, environment.body);
  if (!next || next->kind == nullptr) return ok_status();
  return environment_error(text, *next, "is a second table");
}

}  // namespace

bool has_environment(std::string_view text) { return text.find(kBegin) != text.npos; }

std::size_t length_of_arguments(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size() && opens_argument(text[at])) at = behind_group(text, at);
  return at;
}

Result<LatexBody> latex_body(std::string_view text) {
  const std::optional<LatexEnvironment> found = table_environment(text, 0);
  if (!found) return LatexBody{text, 1};
  if (found->kind == nullptr) return environment_error(text, *found, "is no matrix and no table");
  const bool has_arguments = found->kind->has_arguments || found->name.ends_with('*');
  const std::size_t begin =
      found->body + (has_arguments ? length_of_arguments(text.substr(found->body)) : 0);
  const std::string closing = "\\end{" + std::string(found->name) + "}";
  const std::size_t end = text.find(closing, begin);
  if (end == text.npos) return environment_error(text, *found, "has no end");
  if (const Status alone = check_others(text, *found); !alone) return alone.error();
  const Status plain = check_beside(text, *found, end + closing.size());
  if (!plain) return plain.error();
  return LatexBody{text.substr(begin, end - begin), latex_line(text, begin)};
}

}  // namespace attn
