// UTF-8 at the limits of its lengths, and display forms of tokens.
#include "base/utf8.h"

#include <gtest/gtest.h>

namespace attn {
namespace {

TEST(Utf8, AcceptsEveryLength) {
  EXPECT_FALSE(first_invalid_utf8("a é 我 😀").has_value());
  EXPECT_FALSE(first_invalid_utf8("").has_value());
}

TEST(Utf8, FindsTheFirstBadByte) {
  EXPECT_EQ(first_invalid_utf8("ab\xFFz"), 2U);
  EXPECT_EQ(first_invalid_utf8("\xC0\x80"), 0U);          // overlong
  EXPECT_EQ(first_invalid_utf8("x\xED\xA0\x80"), 1U);     // surrogate
  EXPECT_EQ(first_invalid_utf8("\xF4\x90\x80\x80"), 0U);  // above U+10FFFF
  EXPECT_EQ(first_invalid_utf8("\xE6\x88"), 0U);          // cut off
}

TEST(Utf8, ReadsCodePointsAndLeavesOutBrokenBytes) {
  EXPECT_EQ(code_points("aé爱😀"), (std::vector<char32_t>{'a', 0xE9, 0x7231, 0x1F600}));
  EXPECT_EQ(code_points("a\xE6\x88z"), (std::vector<char32_t>{'a', 'z'}));
  EXPECT_EQ(code_points("\xEF\xBF\xBD"), (std::vector<char32_t>{0xFFFD}));
  EXPECT_EQ(code_points(""), std::vector<char32_t>());
}

TEST(Utf8, StepsOverAWholeCodePointOrOneBrokenByte) {
  EXPECT_EQ(code_point_at("é爱", 2).value, U'爱');
  EXPECT_EQ(code_point_at("é爱", 2).length, 3U);
  EXPECT_EQ(code_point_at("a\xFFz", 1).value, 0xFFFDU);
  EXPECT_EQ(code_point_at("a\xFFz", 1).length, 1U);
}

TEST(Utf8, WritesWhatItReadsAtTheEdgeOfEveryLength) {
  for (const char32_t code_point :
       {0x0U, 0x7FU, 0x80U, 0x7FFU, 0x800U, 0xD7FFU, 0xE000U, 0xFFFFU, 0x10000U, 0x10FFFFU}) {
    std::string text;
    append_utf8(text, code_point);
    EXPECT_FALSE(first_invalid_utf8(text).has_value()) << text;
    EXPECT_EQ(code_points(text), std::vector<char32_t>{code_point});
  }
}

TEST(Utf8, KnowsLettersFromRightToLeft) {
  for (const char* text : {"שלום", "مرحبا", "a ܐ", "ﷺ", "\U00010800", "\U0001E900"}) {
    EXPECT_TRUE(has_right_to_left(text)) << text;
  }
  for (const char* text : {"", "cat", "我", "naïve", "हिन्दी", "🙂", "Ω…", "\U00011000"}) {
    EXPECT_FALSE(has_right_to_left(text)) << text;
  }
}

TEST(Utf8, CountsAndShortensByCodePoint) {
  EXPECT_EQ(code_point_count("我爱Python"), 8U);
  EXPECT_EQ(shortened("我爱Python", 4), "我爱P…");
  EXPECT_EQ(shortened("我爱", 2), "我爱");
  EXPECT_EQ(shortened("abc", 0), "");
}

TEST(Utf8, CutsToEndsThatDiffer) {
  EXPECT_EQ(cut_to_ends("猫犬鳥魚虫", 5), "猫犬鳥魚虫");
  EXPECT_EQ(cut_to_ends("猫犬鳥魚虫", 4), "猫犬…虫");
  EXPECT_EQ(cut_to_ends("猫犬鳥魚虫", 3), "猫…虫");
  EXPECT_EQ(cut_to_ends("猫犬鳥魚虫", 1), "…");
  EXPECT_EQ(cut_to_ends("猫犬", 0), "");
}

TEST(VisibleToken, ShowsWhatCannotBeSeen) {
  EXPECT_EQ(visible_token(" visualization"), "␣visualization");
  EXPECT_EQ(visible_token("New York"), "New York");
  EXPECT_EQ(visible_token("a  b "), "a␣␣b␣");
  EXPECT_EQ(visible_token("\n"), "↵");
  EXPECT_EQ(visible_token("\t"), "⇥");
  EXPECT_EQ(visible_token("  "), "␣␣");
  EXPECT_EQ(visible_token(""), "⟨empty⟩");
  EXPECT_EQ(visible_token(std::string_view("\0", 1)), "␀");
  EXPECT_EQ(visible_token("\x7F"), "␡");
  EXPECT_EQ(visible_token("我"), "我");
}

TEST(VisibleToken, ShowsBlanksAndWhatHasNoWidth) {
  EXPECT_EQ(visible_token("a\u00A0b"), "a⟨U+00A0⟩b");
  EXPECT_EQ(visible_token("\u202F"), "⟨U+202F⟩");
  for (const char* unseen : {"\u200B", "\u200C", "\u200D", "\u2060", "\uFEFF", "\u00AD"}) {
    EXPECT_TRUE(visible_token(unseen).starts_with("⟨U+")) << visible_token(unseen);
  }
  EXPECT_EQ(visible_token("a\u200Bb"), "a⟨U+200B⟩b");
  EXPECT_EQ(visible_token("می\u200C"), "می⟨U+200C⟩");
  EXPECT_EQ(visible_token("می\u200Cخواهم"), "می\u200Cخواهم");
  EXPECT_EQ(visible_token("👨\u200D👩"), "👨\u200D👩");
  EXPECT_EQ(visible_token("\u202Eabc\u061C"), "⟨U+202E⟩abc⟨U+061C⟩");
  EXPECT_EQ(visible_token("caf\xE9"), "caf\xE9");
}

std::vector<std::string> noncharacters() {
  std::vector<std::string> all;
  const auto add = [&](char32_t c) { append_utf8(all.emplace_back(), c); };
  for (char32_t c = 0xFDD0; c <= 0xFDEF; ++c) add(c);
  for (char32_t plane = 0; plane <= 0x10; ++plane) {
    add(plane << 16U | 0xFFFEU);
    add(plane << 16U | 0xFFFFU);
  }
  return all;
}

TEST(Signs, StandForNoncharactersEverywhere) {
  const std::vector<std::string> all = noncharacters();
  ASSERT_EQ(all.size(), 66U);
  for (const std::string& text : all) {
    for (const auto& shown : {drawable_text(text), printable_text(text), printable_line(text),
                              visible_token(text), same_length_utf8(text)}) {
      EXPECT_EQ(shown.find(text), std::string::npos) << shown;
    }
    EXPECT_EQ(same_length_utf8(text).size(), text.size());
  }
  EXPECT_EQ(drawable_text("a\uFFFE\U0010FFFF"), "a⟨U+FFFE⟩⟨U+10FFFF⟩");
}

TEST(Signs, StandForWhatFilesOrTerminalsCannotHave) {
  EXPECT_EQ(drawable_text("a\x1B[1m\n\t\r\x7F\u0085\u202E\xFF"), "a␛[1m\n\t␍␡⟨U+0085⟩\u202E\uFFFD");
  EXPECT_EQ(printable_text("a\x1B[1m\n\t\r\a\x7F\u0085\u009B\u202E\xFF"),
            "a␛[1m\n\t␍␇␡⟨U+0085⟩⟨U+009B⟩⟨U+202E⟩\uFFFD");
  EXPECT_EQ(printable_line("a\nb\t"), "a↵b⇥");
  EXPECT_EQ(printable_line("Ein Satz: 我 😀 “שלום”"), "Ein Satz: 我 😀 “שלום”");
  for (const char* turns : {"\u200E", "\u200F", "\u061C", "\u202A", "\u2066", "\u2069"}) {
    EXPECT_TRUE(printable_text(turns).starts_with("⟨U+")) << printable_text(turns);
    EXPECT_EQ(drawable_text(turns), turns);
  }
}

TEST(AsSentence, CapitalisesWordsButNoNamesOfDocuments) {
  EXPECT_EQ(as_sentence("line 2, cell 2 of the pasted text"), "Line 2, cell 2 of the pasted text");
  EXPECT_EQ(as_sentence("the copied text:1:15: found x"), "The copied text:1:15: found x");
  EXPECT_EQ(as_sentence("a.npy: found 3"), "a.npy: found 3");
  EXPECT_EQ(as_sentence("q is missing"), "q is missing");
  EXPECT_EQ(as_sentence(""), "");
}

}  // namespace
}  // namespace attn
