// Borders of letters and words from Pango's attributes of code points.
#include "figure/letters.h"

#include <pango/pango.h>

#include <algorithm>
#include <memory>

#include "base/utf8.h"

namespace attn {
namespace {

// One entry per code point and one for the end.
struct Breaks {
  std::vector<std::size_t> offsets;
  std::vector<PangoLogAttr> attributes;
};

Breaks breaks_of(std::string_view text) {
  const std::string valid = same_length_utf8(text);
  Breaks breaks;
  for (std::size_t at = 0; at < valid.size(); at += code_point_at(valid, at).length) {
    breaks.offsets.push_back(at);
  }
  breaks.offsets.push_back(valid.size());
  breaks.attributes.resize(breaks.offsets.size());
  // A fixed language makes the result independent of the locale.
  pango_get_log_attrs(valid.c_str(), static_cast<int>(valid.size()), -1,
                      pango_language_from_string("en"), breaks.attributes.data(),
                      static_cast<int>(breaks.attributes.size()));
  return breaks;
}

using IsBorder = bool (*)(const PangoLogAttr&);

bool is_letter_border(const PangoLogAttr& a) { return a.is_cursor_position != 0; }
// A word that begins at the end of another (Thai) has both flags.
bool is_word_start(const PangoLogAttr& a) { return a.is_word_start != 0; }
bool is_word_end(const PangoLogAttr& a) { return a.is_word_end != 0; }
bool is_typed_in_parts(const PangoLogAttr& a) { return a.backspace_deletes_character != 0; }
bool is_any(const PangoLogAttr& /*a*/) { return true; }
bool is_boundary(const PangoLogAttr& a) { return a.is_word_boundary != 0; }

std::size_t border_after(const Breaks& breaks, std::size_t at, IsBorder is_border) {
  for (std::size_t i = 0; i < breaks.offsets.size(); ++i) {
    if (breaks.offsets[i] > at && is_border(breaks.attributes[i])) return breaks.offsets[i];
  }
  return breaks.offsets.back();
}

std::size_t border_before(const Breaks& breaks, std::size_t at, IsBorder is_border) {
  for (std::size_t i = breaks.offsets.size(); i-- > 0;) {
    if (breaks.offsets[i] < at && is_border(breaks.attributes[i])) return breaks.offsets[i];
  }
  return 0;
}

bool is_border_at(const Breaks& breaks, std::size_t at, IsBorder is_border) {
  const auto here = std::lower_bound(breaks.offsets.begin(), breaks.offsets.end(), at);
  return is_border(breaks.attributes[static_cast<std::size_t>(here - breaks.offsets.begin())]);
}

}  // namespace

std::string folded(std::string_view text) {
  const std::string valid = same_length_utf8(text);
  const std::unique_ptr<char, decltype(&g_free)> cased(
      g_utf8_casefold(valid.data(), static_cast<gssize>(valid.size())), &g_free);
  const std::unique_ptr<char, decltype(&g_free)> composed(
      g_utf8_normalize(cased.get(), -1, G_NORMALIZE_NFKC), &g_free);
  return composed ? composed.get() : valid;
}

LetterKind letter_kind(char32_t code_point) {
  constexpr char32_t kZeroWidthSpace = 0x200B, kByteOrderMark = 0xFEFF;
  constexpr char32_t kFirstKana = 0x3041, kLastKana = 0x30FF;
  const auto character = static_cast<gunichar>(code_point);
  const bool no_width = code_point == kZeroWidthSpace || code_point == kByteOrderMark;
  if (no_width || g_unichar_isspace(character) != FALSE) return LetterKind::Blank;
  if (g_unichar_ispunct(character) != FALSE || g_unichar_iscntrl(character) != FALSE) {
    return LetterKind::Sign;
  }
  const bool kana = code_point >= kFirstKana && code_point <= kLastKana;
  const bool han = g_unichar_get_script(character) == G_UNICODE_SCRIPT_HAN;
  return kana || han ? LetterKind::Ideograph : LetterKind::Other;
}

std::vector<std::size_t> letter_borders(std::string_view text) {
  const Breaks breaks = breaks_of(text);
  std::vector<std::size_t> borders;
  for (std::size_t i = 0; i < breaks.offsets.size(); ++i) {
    if (is_letter_border(breaks.attributes[i])) borders.push_back(breaks.offsets[i]);
  }
  return borders;
}

std::size_t letter_after(std::string_view text, std::size_t at) {
  return border_after(breaks_of(text), at, is_letter_border);
}

std::size_t letter_before(std::string_view text, std::size_t at) {
  return border_before(breaks_of(text), at, is_letter_border);
}

std::size_t backspace_from(std::string_view text, std::size_t at) {
  const Breaks breaks = breaks_of(text);
  const bool one_code_point = is_border_at(breaks, at, is_typed_in_parts);
  return border_before(breaks, at, one_code_point ? is_any : is_letter_border);
}

std::size_t word_after(std::string_view text, std::size_t at) {
  return border_after(breaks_of(text), at, is_word_end);
}

std::size_t word_before(std::string_view text, std::size_t at) {
  return border_before(breaks_of(text), at, is_word_start);
}

TextSpan word_around(std::string_view text, std::size_t at) {
  const Breaks breaks = breaks_of(text);
  const std::size_t letter = std::min(at, border_before(breaks, text.size(), is_letter_border));
  const std::size_t start = border_before(breaks, letter + 1, is_word_start);
  const std::size_t end = border_after(breaks, start, is_word_end);
  if (is_border_at(breaks, start, is_word_start) && letter < end) return {start, end};
  return {border_before(breaks, letter + 1, is_boundary),
          border_after(breaks, letter, is_boundary)};
}

}  // namespace attn
