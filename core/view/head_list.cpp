// Reads and writes lists of heads.
#include "view/head_list.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/number_text.h"

namespace attn {
namespace {

std::vector<std::size_t> all_of(std::size_t heads) {
  std::vector<std::size_t> all(heads);
  std::iota(all.begin(), all.end(), 0U);
  return all;
}

}  // namespace

std::optional<std::vector<std::size_t>> heads_named(std::string_view text, std::size_t heads) {
  if (text == kAllHeads) return all_of(heads);
  std::vector<std::size_t> shown;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    const Result<std::int64_t> head = parse_integer(text.substr(at, comma - at));
    if (!head || *head < 0) return std::nullopt;
    if (static_cast<std::size_t>(*head) < heads) shown.push_back(static_cast<std::size_t>(*head));
    at = comma + 1;
  }
  std::sort(shown.begin(), shown.end());
  shown.erase(std::unique(shown.begin(), shown.end()), shown.end());
  return shown;
}

std::vector<std::size_t> heads_missing(std::string_view text, std::size_t heads) {
  constexpr std::size_t kAny = std::numeric_limits<std::size_t>::max();
  if (text == kAllHeads) return {};
  std::vector<std::size_t> missing = heads_named(text, kAny).value_or(std::vector<std::size_t>{});
  std::erase_if(missing, [heads](std::size_t head) { return head < heads; });
  return missing;
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

}  // namespace attn
