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
template <class Items>
std::string joined_first(const Items& items, std::size_t most) {
  const std::string first = joined(std::span(items).first(std::min(items.size(), most)));
  return items.size() <= most ? first
                              : first + " and " + std::to_string(items.size() - most) + " more";
}

// "a, b and c".
inline std::string listed(std::span<const std::string> items) {
  if (items.size() < 2) return joined(items);
  return joined(items.first(items.size() - 1)) + " and " + items.back();
}

}  // namespace attn
