// Lists as text.
#pragma once

#include <string>
#include <string_view>

namespace attn {

// The texts of a range with the separator between them: "a, b, c".
template <class Texts>
std::string joined(const Texts& texts, std::string_view separator = ", ") {
  std::string all;
  for (const auto& text : texts) {
    if (!all.empty()) all += separator;
    all += text;
  }
  return all;
}

}  // namespace attn
