// Parser of chosen numbers.
#include "cli/selection.h"

#include <algorithm>
#include <numeric>

#include "base/number_text.h"
#include "cli/flags.h"

namespace attn::cli {
namespace {

// First and last number of "7" or "0-3".
Result<std::pair<std::int64_t, std::int64_t>> range_of(std::string_view text) {
  const std::size_t dash = text.find('-');
  const Result<std::int64_t> first = parse_integer(text.substr(0, dash));
  if (!first) return first.error();
  if (dash == text.npos) return std::pair(*first, *first);
  const Result<std::int64_t> last = parse_integer(text.substr(dash + 1));
  if (!last) return last.error();
  return std::pair(*first, *last);
}

}  // namespace

Result<std::vector<std::size_t>> chosen_numbers(std::string_view flag, const std::string& text,
                                                std::size_t count, std::string_view noun) {
  std::vector<std::size_t> numbers(text == "all" ? count : 0);
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  std::string_view left = text == "all" ? "" : std::string_view(text);
  const auto refused = [&] {
    const std::string most = std::to_string(count - 1);
    return no_value(
        std::string(flag) + " names " + std::string(noun) + " that do not exist", text,
        "all, or numbers from 0 to " + most + " such as " + (count > 1 ? "0-" + most : "0"));
  };
  while (!left.empty()) {
    const std::string_view part = left.substr(0, left.find(','));
    const auto range = range_of(part);
    const bool is_sound = range && range->first >= 0 && range->first <= range->second &&
                          static_cast<std::uint64_t>(range->second) < count;
    if (!is_sound || part.size() + 1 == left.size()) return refused();
    for (auto number = range->first; number <= range->second; ++number) {
      const auto index = static_cast<std::size_t>(number);
      if (std::ranges::find(numbers, index) == numbers.end()) numbers.push_back(index);
    }
    left.remove_prefix(std::min(part.size() + 1, left.size()));
  }
  if (numbers.empty()) return refused();
  return numbers;
}

}  // namespace attn::cli
