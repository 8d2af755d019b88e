// Letters and words of a text in any script, as people see, jump over, select and delete them: the
// borders that Pango finds by Unicode's annex 29 and, for Thai, by a dictionary.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

// Without regard to case and to how letters are put together (Unicode's NFKC casefold), for texts
// that are searched. Bytes that are not UTF-8 become the replacement character.
std::string folded(std::string_view text);

// Every offset is in bytes. A byte that is not UTF-8 is a letter of its own.

struct TextSpan {
  std::size_t first = 0, end = 0;
  bool operator==(const TextSpan&) const = default;
};

// Where a caret may stand: 0, the borders of letters and the size. Marks, joined emoji, flags and
// vowel signs stay with their letter.
std::vector<std::size_t> letter_borders(std::string_view text);

// The next border of a letter or, at the end, the end; the one before or, at the beginning, 0.
std::size_t letter_after(std::string_view text, std::size_t at);
std::size_t letter_before(std::string_view text, std::size_t at);

// Where that begins which one Backspace at `at` deletes: the letter or, in scripts that are typed
// mark by mark (Arabic, Devanagari, Thai), its last code point.
std::size_t backspace_from(std::string_view text, std::size_t at);

// What a letter is, by its first code point.
enum class LetterKind {
  Blank,      // white space, and what stands between words without width
  Sign,       // punctuation, symbols, pictures, control characters
  Ideograph,  // of Chinese and Japanese, kana too: written without blanks between words
  Other,      // letters, digits, marks
};
LetterKind letter_kind(char32_t code_point);

// The end of the word at or after `at`; the beginning of the one at or before it.
std::size_t word_after(std::string_view text, std::size_t at);
std::size_t word_before(std::string_view text, std::size_t at);

// The word to which the letter after `at` belongs (at the end: the letter before it), or the blanks
// or the sign that stand there. Empty only for an empty text.
TextSpan word_around(std::string_view text, std::size_t at);

}  // namespace attn
