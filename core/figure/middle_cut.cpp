// Finds by halving how many letters stay at both ends.
#include "figure/middle_cut.h"

#include <vector>

#include "base/utf8.h"
#include "figure/letters.h"

namespace attn {
namespace {

// With `kept` letters: the larger half at the beginning.
std::string cut_to(const std::string& text, const std::vector<std::size_t>& borders,
                   std::size_t kept) {
  const std::size_t letters = borders.size() - 1;
  const std::size_t head = borders[(kept + 1) / 2], tail = borders[letters - kept / 2];
  return text.substr(0, head) + "…" + text.substr(tail);
}

}  // namespace

std::string cut_in_middle(const TextMetrics& metrics, std::string_view text, const FontStyle& font,
                          double width) {
  if (metrics.measure(text, font).width <= width) return std::string(text);
  const std::string valid = drawable_text(text);
  const std::vector<std::size_t> borders = letter_borders(valid);
  const auto fits = [&](std::size_t kept) {
    return metrics.measure(cut_to(valid, borders, kept), font).width <= width;
  };
  if (!fits(0)) return "";
  std::size_t fitting = 0, too_many = borders.size() - 1;
  while (fitting + 1 < too_many) {
    const std::size_t middle = (fitting + too_many) / 2;
    (fits(middle) ? fitting : too_many) = middle;
  }
  return cut_to(valid, borders, fitting);
}

}  // namespace attn
