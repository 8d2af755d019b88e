// Reading and writing of lists of heads and of the name of a token.
#include "view/choices.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/number_text.h"

namespace attn {
namespace {

std::vector<std::size_t> all_of(std::size_t heads) {
  std::vector<std::size_t> all(heads);
  std::iota(all.begin(), all.end(), 0U);
  return all;
}

struct Span {
  std::size_t first = 0, last = 0;
};

// The spans of "0,3-5" in order.
std::optional<std::vector<Span>> spans_of(std::string_view text) {
  std::vector<Span> spans;
  while (!text.empty()) {
    const std::string_view part = text.substr(0, text.find(','));
    const std::size_t dash = part.find('-');
    const Result<std::int64_t> first = parse_integer(part.substr(0, dash));
    const Result<std::int64_t> last =
        dash == part.npos ? first : parse_integer(part.substr(dash + 1));
    if (!first || !last || *first < 0 || *last < *first) return std::nullopt;
    spans.push_back({static_cast<std::size_t>(*first), static_cast<std::size_t>(*last)});
    text.remove_prefix(std::min(part.size() + 1, text.size()));
  }
  return spans;
}

std::vector<std::size_t> each_once(std::vector<std::size_t> numbers) {
  std::ranges::sort(numbers);
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return numbers;
}

}  // namespace

std::optional<std::vector<std::size_t>> heads_named(std::string_view text, std::size_t heads) {
  if (text == kAllHeads) return all_of(heads);
  const std::optional<std::vector<Span>> spans = spans_of(text);
  if (!spans) return std::nullopt;
  std::vector<std::size_t> shown;
  for (const Span& span : *spans) {
    for (std::size_t i = span.first; i <= span.last && i < heads; ++i) shown.push_back(i);
  }
  return each_once(std::move(shown));
}

std::vector<std::size_t> heads_missing(std::string_view text, std::size_t heads) {
  std::vector<std::size_t> missing;
  if (text == kAllHeads) return missing;
  for (const Span& span : spans_of(text).value_or(std::vector<Span>{})) {
    if (span.last >= heads) missing.insert(missing.end(), {std::max(span.first, heads), span.last});
  }
  return each_once(std::move(missing));
}

std::string head_list_text(const std::vector<std::size_t>& shown, std::size_t heads) {
  if (shown.size() == heads) return std::string(kAllHeads);
  std::string text;
  for (const std::size_t head : shown) text += (text.empty() ? "" : ",") + std::to_string(head);
  return text;
}

std::string with_head_toggled(std::string_view text, std::size_t head, std::size_t heads) {
  std::vector<std::size_t> shown = heads_named(text, heads).value_or(all_of(heads));
  const auto at = std::lower_bound(shown.begin(), shown.end(), head);
  if (at != shown.end() && *at == head) {
    shown.erase(at);
  } else {
    shown.insert(at, head);
  }
  return head_list_text(shown, heads);
}

namespace {

constexpr std::string_view kQuery = "query ", kKey = "key ";

}  // namespace

std::optional<TokenChoice> token_chosen(std::string_view text) {
  const bool of_keys = text.starts_with(kKey);
  if (!of_keys && !text.starts_with(kQuery)) return std::nullopt;
  const Result<std::int64_t> index = parse_integer(text.substr((of_keys ? kKey : kQuery).size()));
  if (!index || *index < 0) return std::nullopt;
  return TokenChoice{of_keys, static_cast<std::size_t>(*index)};
}

std::string text_of(const TokenChoice& token) {
  return std::string(token.of_keys ? kKey : kQuery) + std::to_string(token.index);
}

}  // namespace attn
