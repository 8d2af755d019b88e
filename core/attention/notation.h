// Writes formulas as text or in LaTeX.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace attn {

// Returns the text with the characters escaped that LaTeX reads as commands.
std::string latex_text(std::string_view text);

// Each function returns one part of a formula. Numbers arrive as text, and keep their digits.
struct Notation {
  bool latex = false;

  // Returns one of two texts that have no structure in common.
  std::string either(std::string_view text, std::string_view in_latex) const {
    return std::string(latex ? in_latex : text);
  }
  std::string comma() const { return either(", ", ",\\ "); }
  std::string root(const std::string& of) const { return latex ? "\\sqrt{" + of + "}" : "√" + of; }
  std::string call(const std::string& function, const std::string& of) const {
    return (latex ? "\\" : "") + function + "(" + of + ")";
  }
  std::string fraction(const std::string& over, const std::string& under) const {
    return latex ? "\\frac{" + over + "}{" + under + "}" : over + " / (" + under + ")";
  }
  std::string words(std::string_view text) const;  // weight, \text{weight}
  // Return a remark after a formula, and a part of it with a name below.
  std::string remark(const std::string& text) const;
  std::string braced(const std::string& part, const std::string& name) const;  // 0.2 [sink]
  std::string number(const std::string& text) const;                     // 1e-05, 1 \cdot 10^{-5}
  std::string named(const std::string& symbol) const;                    // W_Q, W_{Q}
  std::string symbol(const std::string& name, std::size_t index) const;  // q₂, q_{2}
};

}  // namespace attn
