// Writes the lines of a sum.
#include "gui/panels/inspector/sum_text.h"

#include <algorithm>

#include "base/number_text.h"

namespace attn::gui {
namespace {

constexpr std::size_t kMostTerms = 64;  // that are written out

// How a format writes the product of two numbers, and what it leaves out.
struct ProductSigns {
  std::string_view times, dots;
};

std::string factor(double value) {
  const std::string text = short_text(value, 6);
  return value < 0.0 ? "(" + text + ")" : text;
}

std::string summands(const std::vector<ScoreTerm>& terms, const ProductSigns& signs) {
  std::string text;
  const std::size_t written = std::min(terms.size(), kMostTerms);
  for (std::size_t i = 0; i < written; ++i) {
    if (i > 0) text += " + ";
    text += factor(terms[i].left) + std::string(signs.times) + factor(terms[i].right);
  }
  return terms.size() > written ? text + " + " + std::string(signs.dots) : text;
}

// The summands of a line stand in the one after it.
const std::vector<ScoreTerm>* terms_after(const std::vector<SumLine>& lines, std::size_t index) {
  const bool has = index + 1 < lines.size() && !lines[index + 1].terms.empty();
  return has ? &lines[index + 1].terms : nullptr;
}

// With the sign that computers read.
std::string plain_number(std::string text) {
  constexpr std::string_view kMinus = "−";
  for (std::size_t at = text.find(kMinus); at != text.npos; at = text.find(kMinus)) {
    text.erase(at, kMinus.size() - 1);
    text[at] = '-';
  }
  return text;
}

std::string as_text(const std::string& sentence, const std::vector<SumLine>& lines) {
  std::string text = sentence + "\n";
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const SumLine& line = lines[i];
    if (!line.terms.empty()) continue;
    text += line.label + (line.label.empty() || line.value.empty() ? "" : " = ");
    if (const auto* terms = terms_after(lines, i)) text += summands(*terms, {"·", "…"}) + " = ";
    text += line.value + "\n";
  }
  return text;
}

std::string as_latex(const std::string& sentence, const std::vector<SumLine>& lines) {
  std::string text = "% " + sentence + "\n\\begin{align*}\n";
  bool first = true;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const SumLine& line = lines[i];
    if (line.latex.empty()) continue;
    text += first ? "" : " \\\\\n";
    first = false;
    text += "  " + line.latex;
    if (const auto* terms = terms_after(lines, i)) {
      text += " &= " + summands(*terms, {" \\cdot ", "\\cdots"});
    }
    if (!line.value.empty()) text += " &= " + plain_number(line.value);
  }
  return text + "\n\\end{align*}\n";
}

std::string in_table(std::string text) {
  for (std::size_t at = text.find('|'); at != text.npos; at = text.find('|', at + 2)) {
    text.insert(at, 1, '\\');
  }
  return text;
}

std::string as_markdown(const std::string& sentence, const std::vector<SumLine>& lines) {
  std::string text = sentence + "\n\n| step | value |\n|---|---:|\n";
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const SumLine& line = lines[i];
    if (!line.terms.empty()) continue;
    std::string label = line.label.empty() ? line.value : line.label;
    if (const auto* terms = terms_after(lines, i)) label += " = " + summands(*terms, {"·", "…"});
    text +=
        "| " + in_table(label) + " | " + (line.label.empty() ? "" : in_table(line.value)) + " |\n";
  }
  return text;
}

constexpr SumFormat kFormats[] = {
    {"text", "text", as_text}, {"latex", "LaTeX", as_latex}, {"markdown", "Markdown", as_markdown}};

}  // namespace

std::span<const SumFormat> all_sum_formats() { return kFormats; }

}  // namespace attn::gui
