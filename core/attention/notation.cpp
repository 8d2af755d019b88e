// Writes formulas as text or in LaTeX.
#include "attention/notation.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace attn {
namespace {

// Characters that LaTeX reads as commands: a backslash escapes some, others are written by a name.
constexpr std::string_view kSpared = "_&%#${}";
constexpr std::pair<char, std::string_view> kNamed[] = {
    {'\\', "\\textbackslash{}"}, {'~', "\\textasciitilde{}"}, {'^', "\\textasciicircum{}"}};

}  // namespace

std::string latex_text(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    const auto* const named = std::ranges::find(kNamed, c, [](const auto& n) { return n.first; });
    if (kSpared.find(c) != kSpared.npos) escaped += '\\';
    escaped += named != std::end(kNamed) ? named->second : std::string_view(&c, 1);
  }
  return escaped;
}

std::string Notation::words(std::string_view text) const {
  return latex ? "\\text{" + latex_text(text) + "}" : std::string(text);
}

std::string Notation::remark(const std::string& text) const {
  return latex ? ",\\quad " + words(text) : "  (" + text + ")";
}

std::string Notation::braced(const std::string& part, const std::string& name) const {
  return latex ? "\\underbrace{" + part + "}_{" + words(name) + "}" : part + " [" + name + "]";
}

std::string Notation::number(const std::string& text) const {
  const std::size_t power = text.find('e');
  if (!latex || power == text.npos) return text;
  const std::string exponent = std::to_string(std::atoi(text.c_str() + power + 1));
  return text.substr(0, power) + " \\cdot 10^{" + exponent + "}";
}

std::string Notation::named(const std::string& symbol) const {
  const std::size_t at = symbol.find('_');
  if (!latex || at == symbol.npos) return symbol;
  return symbol.substr(0, at + 1) + "{" + symbol.substr(at + 1) + "}";
}

std::string Notation::symbol(const std::string& name, std::size_t index) const {
  if (latex) return name + "_{" + std::to_string(index) + "}";
  std::string text = name;
  for (const char digit : std::to_string(index)) {
    text += "\xE2\x82";
    text += static_cast<char>(0x80 + (digit - '0'));
  }
  return text;
}

}  // namespace attn
