// Lists as text.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace attn {

// The items of a range, or their texts by `text_of`, with the separator between them: "a, b, c".
template <class Items, class TextOf = std::identity>
std::string joined(const Items& items, std::string_view separator = ", ", TextOf text_of = {}) {
  std::string all;
  for (const auto& item : items) {
    if (!all.empty()) all += separator;
    all += std::invoke(text_of, item);
  }
  return all;
}

}  // namespace attn
