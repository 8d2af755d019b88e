// Finds the indices and exponents in a line of text.
#include "figure/formula_text.h"

#include <cctype>

namespace attn {
namespace {

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// A single letter, or log.
bool is_base(std::string_view word) {
  return (word.size() == 1 && is_letter(word.front())) || word == "log";
}

bool is_index_at(std::string_view text, std::size_t at) {
  if (text[at] != '_' || at + 1 >= text.size()) return false;
  std::size_t begin = at;
  while (begin > 0 && is_word(text[begin - 1])) --begin;
  const bool in_braces = text[at + 1] == '{' && text.find('}', at) != std::string_view::npos;
  return is_base(text.substr(begin, at - begin)) &&
         (in_braces || (is_word(text[at + 1]) && text[at + 1] != '_'));
}

bool is_exponent_at(std::string_view text, std::size_t at) {
  return text.substr(at).starts_with("^(") && text.find(')', at) != std::string_view::npos;
}

std::size_t index_end(std::string_view text, std::size_t at) {
  while (at < text.size() && is_word(text[at]) && text[at] != '_') ++at;
  return at;
}

// Between operands or before one; not within a word, nor before an option.
bool is_minus_at(std::string_view text, std::size_t at) {
  constexpr std::string_view kBefore = " ([:";
  if (text[at] != '-' || at + 1 >= text.size()) return false;
  const bool begins = at == 0 || kBefore.find(text[at - 1]) != std::string_view::npos;
  return begins && !is_letter(text[at + 1]) && text[at + 1] != '-';
}

std::string with_minus_signs(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (is_minus_at(text, at)) {
      out += "−";
    } else {
      out += text[at];
    }
  }
  return out;
}

// The next index or exponent; the end of the text where there is none.
std::size_t find_script(std::string_view text, std::size_t from) {
  constexpr std::string_view kOpen = "“", kClose = "”";
  bool quoted = false;
  for (std::size_t at = from; at < text.size(); ++at) {
    if (text.substr(at).starts_with(kOpen)) quoted = true;
    if (text.substr(at).starts_with(kClose)) quoted = false;
    if (!quoted && (is_index_at(text, at) || is_exponent_at(text, at))) return at;
  }
  return text.size();
}

}  // namespace

std::vector<FormulaRun> formula_runs(std::string_view text) {
  std::vector<FormulaRun> runs;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t script = find_script(text, at);
    if (script > at) runs.push_back({with_minus_signs(text.substr(at, script - at))});
    if (script == text.size()) break;
    const bool raised = text[script] == '^';
    const bool in_braces = !raised && text[script + 1] == '{';
    const std::size_t first = script + (raised || in_braces ? 2 : 1);
    const std::size_t end =
        raised || in_braces ? text.find(raised ? ')' : '}', first) : index_end(text, first);
    runs.push_back({with_minus_signs(text.substr(first, end - first)),
                    raised ? kSuperscriptRise : kSubscriptRise});
    at = end + (raised || in_braces ? 1 : 0);
  }
  return runs;
}

}  // namespace attn
