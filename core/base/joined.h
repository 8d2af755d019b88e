// Lists as text, and lists of names.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

// A text of each row of a table, such as its name.
template <class Rows, class Member>
std::vector<std::string_view> names_of(const Rows& rows, Member member) {
  std::vector<std::string_view> names;
  for (const auto& row : rows) names.push_back(row.*member);
  return names;
}

// The items of a range, or what `text_of` says of them, with the separator between them: "a, b, c".
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
