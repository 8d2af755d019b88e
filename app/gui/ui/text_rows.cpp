// Breaking of a text into rows.
#include <algorithm>
#include <array>

#include "base/utf8.h"
#include "figure/letters.h"
#include "figure/text.h"
#include "gui/ui/text_input.h"

namespace attn::gui {
namespace {

bool is_ascii(char c) { return static_cast<unsigned char>(c) < 0x80; }

double measured(std::string_view letters) {
  return pango_metrics().measure(letters, kLabelFont).width;
}

// Widths of ASCII letters are cached: a text of a million letters is laid out at every keystroke.
double width_of(std::string_view letters) {
  static const std::array<double, 0x80> kAscii = [] {
    std::array<double, 0x80> widths{};
    for (std::size_t c = 0x20; c < widths.size(); ++c) {
      widths[c] = measured(std::string(1, static_cast<char>(c)));
    }
    return widths;
  }();
  if (!std::ranges::all_of(letters, is_ascii)) return measured(letters);
  double width = 0.0;
  for (const char c : letters) width += kAscii[static_cast<unsigned char>(c)];
  return width;
}

bool is_blank(std::string_view text, std::size_t at) {
  return letter_kind(code_point_at(text, at).value) == LetterKind::Blank;
}

// End of a unit that is not broken: a word, an ideograph, either with its marks, or a space.
std::size_t chunk_end(std::string_view line, std::size_t at) {
  const CodePoint first = code_point_at(line, at);
  const LetterKind kind = letter_kind(first.value);
  std::size_t end = at + first.length;
  if (kind == LetterKind::Blank) return end;
  while (end < line.size()) {
    const CodePoint next = code_point_at(line, end);
    const LetterKind next_kind = letter_kind(next.value);
    if (next_kind == LetterKind::Blank || next_kind == LetterKind::Ideograph) break;
    if (kind == LetterKind::Ideograph && next_kind == LetterKind::Other) break;
    end += next.length;
  }
  return end;
}

}  // namespace

std::vector<TextSpan> rows_of_text(std::string_view text, double width) {
  std::vector<TextSpan> rows;
  double used = 0.0;
  const auto begin_row = [&](std::size_t first) {
    rows.push_back({first, first});
    used = 0.0;
  };
  const auto add = [&](std::size_t first, std::size_t end, bool may_overhang) {
    const double wide = width_of(text.substr(first, end - first));
    if (used + wide > width && used > 0.0 && !may_overhang) begin_row(first);
    used += wide;
    rows.back().end = end;
  };
  const auto add_chunk = [&](std::size_t first, std::size_t end) {
    const std::string_view chunk = text.substr(first, end - first);
    const bool blank = is_blank(chunk, 0);
    if (blank || width_of(chunk) <= width) return add(first, end, blank);
    if (used > 0.0) begin_row(first);
    const std::vector<std::size_t> borders = letter_borders(chunk);
    for (std::size_t i = 0; i + 1 < borders.size(); ++i) {
      add(first + borders[i], first + borders[i + 1], false);
    }
  };
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    begin_row(at);
    while (at < end) {
      const std::size_t next = at + chunk_end(text.substr(at, end - at), 0);
      add_chunk(at, next);
      at = next;
    }
    at = end + 1;
  }
  return rows;
}

}  // namespace attn::gui
