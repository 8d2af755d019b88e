// Search for items of a figure.
#pragma once

#include <algorithm>
#include <string>
#include <variant>
#include <vector>

#include "figure/figure.h"

namespace attn::test {

template <class Item>
std::vector<Item> items_of(const Figure& figure) {
  std::vector<Item> out;
  for (const FigureItem& item : figure.items) {
    if (const auto* shape = std::get_if<Item>(&item)) out.push_back(*shape);
  }
  return out;
}

inline std::vector<std::string> texts_of(const Figure& figure) {
  std::vector<std::string> texts;
  for (const TextItem& item : items_of<TextItem>(figure)) texts.push_back(item.text);
  return texts;
}

// A text that is these words, or for says() holds them.
inline bool has_text(const Figure& figure, const std::string& words) {
  return std::ranges::count(texts_of(figure), words) > 0;
}

inline bool says(const Figure& figure, const std::string& words) {
  return std::ranges::any_of(texts_of(figure), [&](const std::string& text) {
    return text.find(words) != std::string::npos;
  });
}

}  // namespace attn::test
