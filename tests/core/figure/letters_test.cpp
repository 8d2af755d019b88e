// Borders of letters and words in scripts with input methods or composition.
#include "figure/letters.h"

#include <gtest/gtest.h>

#include <string>

namespace attn {
namespace {

using Offsets = std::vector<std::size_t>;

constexpr const char* kFamily = "👨‍👩‍👧";

TEST(Letters, AreWhatPeopleSeeAsOne) {
  EXPECT_EQ(letter_borders(""), (Offsets{0}));
  EXPECT_EQ(letter_borders("ab"), (Offsets{0, 1, 2}));
  EXPECT_EQ(letter_borders("e\xCC\x81x"), (Offsets{0, 3, 4}));
  EXPECT_EQ(letter_borders("猫x"), (Offsets{0, 3, 4}));
  EXPECT_EQ(letter_borders("🇩🇪🇫🇷a"), (Offsets{0, 8, 16, 17}));
  EXPECT_EQ(letter_borders(kFamily), (Offsets{0, 18}));
  EXPECT_EQ(letter_borders("👍🏽!"), (Offsets{0, 8, 9}));
  EXPECT_EQ(letter_borders("ที่นี่"), (Offsets{0, 9, 18}));
  EXPECT_EQ(letter_borders("தமிழ்"), (Offsets{0, 3, 9, 15}));
  EXPECT_EQ(letter_borders("বাংলা"), (Offsets{0, 9, 15}));
  EXPECT_EQ(letter_borders("हिंदी"), (Offsets{0, 9, 15}));
  EXPECT_EQ(letter_borders("שלום"), (Offsets{0, 2, 4, 6, 8}));
}

// Consonant conjuncts are one letter since Unicode 15.1; older versions of Pango split them.
TEST(Letters, JoinedConsonantsBeginTogetherOrWhereTheJoinedOneBegins) {
  const Offsets borders = letter_borders("हिन्दी");
  if (borders.size() == 4) {
    EXPECT_EQ(borders, (Offsets{0, 6, 12, 18}));
  } else {
    EXPECT_EQ(borders, (Offsets{0, 6, 18}));
  }
}

TEST(Letters, AByteThatIsNotUtf8IsALetter) {
  EXPECT_EQ(letter_borders("a\xFF\xE7z"), (Offsets{0, 1, 2, 3, 4}));
  EXPECT_EQ(letter_borders(std::string_view("a\0b", 3)), (Offsets{0, 1, 2, 3}));
}

TEST(Letters, AreSteppedOverWhole) {
  const std::string text = std::string("a猫👩‍💻") + "e\xCC\x81";
  EXPECT_EQ(letter_after(text, 0), 1U);
  EXPECT_EQ(letter_after(text, 1), 4U);
  EXPECT_EQ(letter_after(text, 4), 15U);
  EXPECT_EQ(letter_after(text, 15), 18U);
  EXPECT_EQ(letter_before(text, 15), 4U);
  EXPECT_EQ(letter_after(text, text.size()), text.size());
  EXPECT_EQ(letter_before(text, 0), 0U);
}

TEST(Letters, BackspaceTakesMarksOneByOneWhereTheyAreTypedSo) {
  EXPECT_EQ(backspace_from("ที่", 9), 6U);
  EXPECT_EQ(backspace_from("नमस्ते", 18), 15U);
  EXPECT_EQ(backspace_from("مَ", 4), 2U);
  EXPECT_EQ(backspace_from("e\xCC\x81", 3), 0U);
  EXPECT_EQ(backspace_from("🇩🇪🇫🇷", 16), 8U);
  EXPECT_EQ(backspace_from(kFamily, 18), 0U);
  EXPECT_EQ(backspace_from("ab", 0), 0U);
}

TEST(Words, AreJumpedOver) {
  const std::string text = "one two  three";
  EXPECT_EQ(word_after(text, 0), 3U);
  EXPECT_EQ(word_after(text, 3), 7U);
  EXPECT_EQ(word_after(text, 14), 14U);
  EXPECT_EQ(word_before(text, 14), 9U);
  EXPECT_EQ(word_before(text, 9), 4U);
  EXPECT_EQ(word_before(text, 2), 0U);
  EXPECT_EQ(word_after("a (b).", 4), 6U) << "signs after the last word are passed, too";
}

TEST(Words, EndAtTheSignsInAFileName) {
  const std::string path = "runs/gpt2.json";
  EXPECT_EQ(word_after(path, 0), 4U);
  EXPECT_EQ(word_after(path, 5), 9U);
  EXPECT_EQ(word_before(path, path.size()), 10U);
}

TEST(Words, AreFoundInThaiWithoutBlanks) {
  const std::string text = "สวัสดีชาวโลก";  // "hello", "people", "world"
  EXPECT_EQ(word_after(text, 0), 18U);
  EXPECT_EQ(word_after(text, 18), 27U);
  EXPECT_EQ(word_before(text, 36), 27U);
  EXPECT_EQ(word_around(text, 21), (TextSpan{18, 27}));
}

TEST(Words, AreWholeAroundALetter) {
  EXPECT_EQ(word_around("one two  three", 5), (TextSpan{4, 7}));
  EXPECT_EQ(word_around("one two  three", 4), (TextSpan{4, 7}));
  EXPECT_EQ(word_around("one two  three", 14), (TextSpan{9, 14}));
  EXPECT_EQ(word_around("one two  three", 7), (TextSpan{7, 9})) << "blanks go together";
  EXPECT_EQ(word_around("a, b", 1), (TextSpan{1, 2}));
  EXPECT_EQ(word_around("x 🇩🇪🇫🇷", 10), (TextSpan{10, 18}));
  EXPECT_EQ(word_around("नमस्ते दुनिया", 9), (TextSpan{0, 18}));
  EXPECT_EQ(word_around("مرحبا abc", 12), (TextSpan{11, 14}));
  EXPECT_EQ(word_around("", 0), (TextSpan{0, 0}));
}

TEST(Letters, AreBlanksSignsIdeographsOrOthers) {
  const auto all_are = [](std::u32string_view letters, LetterKind kind) {
    for (const char32_t letter : letters) {
      EXPECT_EQ(letter_kind(letter), kind) << static_cast<std::uint32_t>(letter);
    }
  };
  all_are(U" \t\n\u00a0\u3000\u200b\ufeff", LetterKind::Blank);
  all_are(U".,'\u2019\u3002\u30fb\u00bf+\u20ac^\u2026\U0001f600\x01", LetterKind::Sign);
  all_are(U"\u732b\u3005\u306d\u30ab\u30fc", LetterKind::Ideograph);
  all_are(U"a\u00e91\u0663\uace0\u0301\u0e01", LetterKind::Other);
}

}  // namespace
}  // namespace attn
