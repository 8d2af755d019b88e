// Lists as text, and lists of names.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

// A text of each row of a table, such as its name.
template <class Rows, class Member>
std::vector<std::string_view> names_of(const Rows& rows, Member member) {
  std::vector<std::string_view> names;
  names.reserve(std::size(rows));
  for (const auto& row : rows) names.push_back(row.*member);
  return names;
}

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

// The first items, and how many others there are: "a, b and 3 more".
inline std::string joined_first(std::span<const std::string> items, std::size_t most) {
  const std::string first = joined(items.first(std::min(items.size(), most)));
  return items.size() <= most ? first
                              : first + " and " + std::to_string(items.size() - most) + " more";
}

}  // namespace attn
