// Letters and words of text in any script, for display, selection and deletion, by Unicode's annex
// 29 and, for Thai, a dictionary; and caret positions in one line of any direction.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "figure/figure.h"

struct _PangoLayout;  // NOLINT(bugprone-reserved-identifier): Pango's name

namespace attn {

// The text without case and composition (Unicode's NFKC casefold), for searching. Bytes that are
// not UTF-8 become the replacement character.
std::string folded(std::string_view text);

// All offsets are in bytes. A byte that is not UTF-8 counts as a letter.

struct TextSpan {
  std::size_t first = 0, end = 0;
  bool operator==(const TextSpan&) const = default;
};

// Positions of a caret: 0, the borders of letters and the size. Marks, joined emoji, flags and
// vowel signs stay with their letter.
std::vector<std::size_t> letter_borders(std::string_view text);

// The next border of a letter, or the end; the previous one, or 0.
std::size_t letter_after(std::string_view text, std::size_t at);
std::size_t letter_before(std::string_view text, std::size_t at);

// Start of the text that one Backspace at `at` deletes: the letter, or in scripts typed mark by
// mark (Arabic, Devanagari, Thai) its last code point.
std::size_t backspace_from(std::string_view text, std::size_t at);

// Positions next to an ideograph where a line may begin, by Unicode's annex 14: not before 。 nor
// after （. Ascending; without 0 and the end.
std::vector<std::size_t> line_breaks(std::string_view text);

// Kind of a letter by its first code point.
enum class LetterKind {
  Blank,      // white space, also of zero width
  Sign,       // punctuation, symbols, emoji, control characters
  Ideograph,  // of Chinese and Japanese, including kana: no blanks between words
  Other,      // letters, digits, marks
};
LetterKind letter_kind(char32_t code_point);

// The end of the word at or after `at`; the start of the word at or before it.
std::size_t word_after(std::string_view text, std::size_t at);
std::size_t word_before(std::string_view text, std::size_t at);

// The word of the letter after `at` (at the end: before it), or the blanks or the sign there. Empty
// only for an empty text.
TextSpan word_around(std::string_view text, std::size_t at);

struct XRange {
  double left = 0.0, right = 0.0;  // units
};

// The line that pango_metrics() measures and draw_text() draws. Offsets are in bytes at borders of
// letters, x in units from the left end. Used on one thread only.
class TextLine {
 public:
  TextLine(std::string_view text, const FontStyle& font);

  double width() const;
  // True if the line runs right to left, decided by its first letter.
  bool right_to_left() const;

  // Position of the caret at `at`: the start of a letter of the line's direction typed there.
  double caret_x(std::size_t at) const;
  // The caret nearest to `x`.
  std::size_t caret_near(double x) const;
  // The carets one letter to the left and right on screen; unchanged at the ends of the line.
  std::size_t caret_left(std::size_t at) const;
  std::size_t caret_right(std::size_t at) const;
  // Areas of a selection from left to right: several when directions mix.
  std::vector<XRange> ranges(std::size_t first, std::size_t end) const;

 private:
  std::size_t caret_beside(std::size_t at, int direction) const;
  std::size_t nearest_of_all(double x) const;
  std::shared_ptr<_PangoLayout> layout_;
};

}  // namespace attn
