// Splits texts at borders of graphemes, and names the ways to split.
#include "document/edit/sentence.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/enum_table.h"
#include "base/joined.h"
#include "base/number_text.h"
#include "base/utf8.h"
#include "figure/letters.h"
#include "kinds/parts/findings.h"

namespace attn {
namespace {

using Texts = std::vector<std::string>;

constexpr std::array<SplitInfo, 3> kSplits{{
    {SplitBy::Words, "words", "Words",
     "Split at spaces; punctuation marks and CJK characters become tokens of their own"},
    {SplitBy::Characters, "characters", "Characters",
     "Every character becomes a token, spaces too; accents and joined emoji stay together"},
    {SplitBy::Lines, "lines", "Lines", "Every line that is not empty becomes a token"},
}};
static_assert(is_indexed_by(kSplits, &SplitInfo::by));

struct Letter {
  std::string_view text;
  LetterKind kind = LetterKind::Other;
};

std::vector<Letter> letters_of(std::string_view text) {
  const std::vector<std::size_t> borders = letter_borders(text);
  std::vector<Letter> letters;
  for (std::size_t i = 0; i + 1 < borders.size(); ++i) {
    const std::string_view letter = text.substr(borders[i], borders[i + 1] - borders[i]);
    letters.push_back({letter, letter_kind(code_point_at(letter, 0).value)});
  }
  return letters;
}

bool is_one_of_texts(std::string_view text, std::initializer_list<std::string_view> texts) {
  return std::ranges::find(texts, text) != texts.end();
}

bool is_digit(const Letter& letter) { return letter.text[0] >= '0' && letter.text[0] <= '9'; }

// True for a sign within a word: don't, 3.14, snake_case.
bool joins_letters(const Letter& before, const Letter& sign, const Letter& after) {
  if (before.kind != LetterKind::Other || after.kind != LetterKind::Other) return false;
  if (is_one_of_texts(sign.text, {"'", "\u2019", "_"})) return true;
  return is_one_of_texts(sign.text, {".", ","}) && is_digit(before) && is_digit(after);
}

Texts words_in(std::string_view text) {
  const std::vector<Letter> letters = letters_of(text);
  Texts words;
  bool is_open = false;  // the last word may continue
  for (std::size_t i = 0; i < letters.size(); ++i) {
    const bool joins = letters[i].kind == LetterKind::Sign && is_open && i + 1 < letters.size() &&
                       joins_letters(letters[i - 1], letters[i], letters[i + 1]);
    const bool goes_on = joins || letters[i].kind == LetterKind::Other;
    if (letters[i].kind != LetterKind::Blank) {
      if (!goes_on || !is_open) words.emplace_back();
      words.back() += letters[i].text;
    }
    is_open = goes_on;
  }
  return words;
}

Texts characters_in(std::string_view text) {
  Texts characters;
  for (const Letter& letter : letters_of(text)) {
    const bool breaks = is_one_of_texts(letter.text, {"\n", "\r", "\r\n", "\u2028", "\u2029"});
    if (!breaks) characters.emplace_back(letter.text);
  }
  return characters;
}

bool is_blank(std::string_view line) {
  return std::ranges::all_of(code_points(line),
                             [](char32_t c) { return letter_kind(c) == LetterKind::Blank; });
}

Texts lines_in(std::string_view text) {
  Texts lines;
  while (!text.empty()) {
    const std::string_view line = take_before(text, "\r\n");
    if (!is_blank(line)) lines.emplace_back(line);
  }
  return lines;
}

}  // namespace

std::span<const SplitInfo> all_splits() { return kSplits; }

Result<Texts> split_sentence(std::string_view text, SplitBy by) {
  if (text.size() > kMostSentenceBytes) {
    return refusal_at("", "the text is too long to be cut into tokens", bytes_text(text.size()),
                      "at most " + bytes_text(kMostSentenceBytes));
  }
  if (auto refused = utf8_refusal(text, "the text")) return *std::move(refused);
  Texts tokens = by == SplitBy::Words        ? words_in(text)
                 : by == SplitBy::Characters ? characters_in(text)
                                             : lines_in(text);
  if (tokens.empty()) return refusal_at("", "the text has no token", "blanks alone", "a token");
  return tokens;
}

}  // namespace attn
