// Lists as text, parts of texts, and lists of names.
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

// The text before the first of the characters, or all of it, taken off the text with the character.
inline std::string_view take_before(std::string_view& text, std::string_view characters) {
  const std::string_view part = text.substr(0, text.find_first_of(characters));
  text.remove_prefix(std::min(part.size() + 1, text.size()));
  return part;
}

// The parts of a text between separators.
inline std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts(1);
  for (const char letter : text) {
    if (letter == separator) {
      parts.emplace_back();
    } else {
      parts.back() += letter;
    }
  }
  return parts;
}

// The text with `to` in place of each `from`.
inline std::string with_replaced(std::string_view text, std::string_view from,
                                 std::string_view to) {
  std::string out;
  for (std::size_t at = 0; (at = text.find(from)) != text.npos;) {
    out.append(text.substr(0, at)).append(to);
    text.remove_prefix(at + from.size());
  }
  return out.append(text);
}

// "a, b and c".
inline std::string listed(std::span<const std::string> items) {
  if (items.size() < 2) return joined(items);
  return joined(items.first(items.size() - 1)) + " and " + items.back();
}

}  // namespace attn
