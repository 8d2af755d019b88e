// Steps over what notebooks, consoles and programs write before lists.
#include "numbers/list_start.h"

#include <algorithm>
#include <array>

#include "numbers/cells.h"
#include "numbers/number_cell.h"

namespace attn {
namespace {

constexpr std::string_view kWhite = " \t\r\n";

struct StartWalk {
  std::string_view text;
  ListStart start;

  std::size_t& at() { return start.at; }
  std::string_view rest() const { return text.substr(start.at); }
  void skip_blanks() { start.at = std::min(text.find_first_not_of(kWhite, start.at), text.size()); }
};

bool is_of_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '.';
}

bool begins_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

// "torch.tensor"; empty where no name begins.
std::string_view name_in_front(std::string_view text) {
  if (text.empty() || !begins_name(text.front())) return {};
  const auto* const end = std::ranges::find_if_not(text, is_of_name);
  return text.substr(0, static_cast<std::size_t>(end - text.begin()));
}

// Who prints such a call; nothing of calls that hold no numbers.
std::optional<std::string_view> printer_of(std::string_view name) {
  struct Call {
    std::string_view end, printed_by;
  };
  constexpr std::array<Call, 8> kCalls = {{{"array", kNumPy},
                                           {"Array", kNumPy},
                                           {"matrix", kNumPy},
                                           {"tensor", kPyTorch},
                                           {"Tensor", kPyTorch},
                                           {"Parameter", kPyTorch},
                                           {"list", {}},
                                           {"tuple", {}}}};
  for (const Call& call : kCalls) {
    if (name.ends_with(call.end)) return call.printed_by;
  }
  return std::nullopt;
}

bool take_words(StartWalk& walk) {
  for (const std::string_view words : {">>>", "Parameter containing:"}) {
    if (!walk.rest().starts_with(words)) continue;
    walk.at() += words.size();
    return true;
  }
  return false;
}

// "Out[12]:"
bool take_prompt(StartWalk& walk) {
  const std::string_view rest = walk.rest().substr(0, 24);
  const std::size_t end = rest.find("]:");
  const bool begins = rest.starts_with("Out[") || rest.starts_with("In [");
  if (!begins || end == std::string_view::npos) return false;
  walk.at() += end + 2;
  return true;
}

// "x =", "data=" or "tensor("
bool take_name(StartWalk& walk) {
  const std::string_view name = name_in_front(walk.rest());
  if (name.empty()) return false;
  const std::size_t behind = walk.at() + name.size();
  const std::size_t next = walk.text.find_first_not_of(' ', behind);
  if (next == std::string_view::npos) return false;
  const std::optional<std::string_view> printed_by = printer_of(name);
  const bool is_call = printed_by && next == behind && walk.text[next] == '(';
  if (!is_call && walk.text[next] != '=') return false;
  walk.at() = next + 1;
  if (!is_call) return true;
  ++walk.start.calls;
  walk.start.printed_by = *printed_by;
  return true;
}

bool take_scale(StartWalk& walk) {
  const std::optional<Scale> scale = scale_at(walk.text, walk.at());
  if (!scale) return false;
  walk.start.power = scale->power;
  walk.at() = scale->end;
  return true;
}

// "[CLS]": a token in brackets, and no list.
bool is_bracketed_name(std::string_view text) {
  const std::string_view name = name_in_front(text.substr(1));
  return !name.empty() && text.substr(1 + name.size()).starts_with(']') && !looks_numeric(name);
}

bool begins_list(std::string_view text) {
  if (text.starts_with('[')) return !is_bracketed_name(text);
  return text.starts_with('(') && without_blanks(text).ends_with(')');
}

}  // namespace

std::optional<Scale> scale_at(std::string_view text, std::size_t at) {
  const std::size_t end = std::min(text.find_first_not_of("+-.0123456789eE", at), text.size());
  const std::size_t star = text.find_first_not_of(" \t", end);
  if (star == std::string_view::npos || text[star] != '*') return std::nullopt;
  const std::optional<int> power = power_of_ten(text.substr(at, end - at));
  if (!power) return std::nullopt;
  return Scale{*power, star + 1};
}

std::optional<ListStart> list_start(std::string_view text) {
  StartWalk walk{text, {}};
  do {
    walk.skip_blanks();
  } while (take_words(walk) || take_prompt(walk) || take_name(walk) || take_scale(walk));
  if (walk.start.calls == 0 && !begins_list(walk.rest())) return std::nullopt;
  return walk.start;
}

}  // namespace attn
