// Tokens as text: blanks, pieces of words, ends of lines.
#include "document/token_pieces.h"

#include <gtest/gtest.h>

namespace attn {
namespace {

// "The| cat|s|.": a blank or none before each piece.
std::string text_of(const std::vector<TokenPiece>& pieces) {
  std::string text;
  for (const TokenPiece& piece : pieces) {
    if (piece.first > 0) text += piece.is_glued ? "|" : " ";
    text += piece.text + (piece.ends_line ? "/" : "");
  }
  return text;
}

std::string set(const TokenList& tokens, bool words = false, bool as_written = false) {
  const std::vector<TokenPiece> pieces = pieces_of(tokens, 100, as_written);
  return text_of(words ? words_of(pieces) : pieces);
}

TEST(TokenPieces, HaveTheBlanksOfTheirVocabulary) {
  EXPECT_EQ(set({"I", "love", "cats", "."}), "I love cats|.");
  EXPECT_EQ(set({"The", "Ġcat", "s", ".", "Ċ", "It"}), "The cat|s|.|↵/ It");
  EXPECT_EQ(set({"▁The", "▁cat", "s"}), "The cat|s");
  EXPECT_EQ(set({"The", " cat", "s"}), "The cat|s");
  EXPECT_EQ(set({"play", "##ing", ",", "##x"}), "play|ing|,|##x");
  EXPECT_EQ(set({"我", "爱", "猫", "。"}), "我|爱|猫|。");
  EXPECT_EQ(set({"The", "Ġcat", "s"}, false, true), "The Ġcat|s");
}

TEST(TokenPieces, AreJoinedToWords) {
  EXPECT_EQ(set({"un", "##do", "##ing", "it"}, true), "undoing it");
  EXPECT_EQ(set({"The", "Ġcat", "s", ".", "ĠDon", "'t"}, true), "The cats|. Don't");
  EXPECT_EQ(set({"<s>", "▁un", "do", "</s>"}, true), "<s> undo|</s>");
  EXPECT_EQ(set({"我", "爱"}, true), "我|爱") << "letters that are words";
  const std::vector<TokenPiece> words = words_of(pieces_of({"un", "##do", "it"}, 100, false));
  EXPECT_EQ(words[0].count, 2U);
  EXPECT_EQ(words[1].first, 2U);
  EXPECT_EQ(pieces_of(TokenList::counted(100000), 50, false).size(), 50U);
}

TEST(TokenPieces, AreJoinedByTheMarksOfEachVocabulary) {
  EXPECT_EQ(set({"the", "back@@", "log", "up", "margin@@", "ally", "</s>"}, true),
            "the backlog up marginally </s>");
  EXPECT_EQ(set({"我@@", "们", "a@@", "-@@", "b", "x@@"}, true), "我们 a-b x@@");
  EXPECT_EQ(set({"x@@", "</s>"}, true), "x@@ </s>") << "special tokens stand alone";
  EXPECT_EQ(set({"<|startoftext|>", "a</w>", "star", "ling</w>", ".</w>", "<|endoftext|>"}, true),
            "<|startoftext|> a starling|. <|endoftext|>");
  EXPECT_EQ(set({"un", "￭believ", "￭able", "￭,", "(￭", "x￭", "y", "￭"}, true),
            "unbelievable|, (|xy ￭");
  EXPECT_EQ(set({"爱", "##猫", "[SEP]", "##s"}, true), "爱猫 [SEP] ##s");
  EXPECT_EQ(set({"<s>", "ĠHi", "ĠðŁ", "ĺĢ", "Ċ", "caf", "Ã", "©", "s", "</s>"}, true),
            "<s> Hi 😀|↵/ cafés|</s>");
  EXPECT_EQ(set({"▁a", "<0xF0>", "<0x9F>", "<0x98>", "<0x80>"}, true), "a😀");
}

TEST(TokenPieces, ShowMarksThatJoinNothing) {
  EXPECT_EQ(set({"back@@", "log", "x@@"}), "back|log x@@");
  EXPECT_EQ(set({"star", "ling</w>", "it</w>"}), "star|ling it");
  EXPECT_EQ(set({"Hi", "￭,", "￭"}), "Hi|, ￭");
  EXPECT_EQ(set({"ðŁ", "ĺ", "Ģ"}), "😀 1/3 😀 2/3 😀 3/3");
  EXPECT_EQ(set({"ðŁ", "ĺ", "Ģ"}, true, true), "ðŁĺĢ");
  EXPECT_EQ(set({"back@@", "log"}, true, true), "back@@log");
}

std::string joins(const TokenList& tokens) { return joins_of(pieces_of(tokens, 100, false)); }

TEST(TokenPieces, CountWhatIsJoined) {
  EXPECT_EQ(joins({"the", "back@@", "log", "up", "margin@@", "ally", "</s>"}), "2 of `@@`");
  EXPECT_EQ(joins({"Ġa", "b", "ĠðŁ", "ĺ", "Ģ"}), "1 of 3 parts of a character, 1 of `Ġ`");
  EXPECT_EQ(joins({"▁a", "b", "▁c", "d"}), "2 of `▁`");
  EXPECT_EQ(joins({" a", "b"}), "1 of `␣`");
  EXPECT_EQ(joins({"un", "##do", "x</s>"}), "1 of `##`");
  EXPECT_EQ(joins({"a", "b</w>"}), "1 of `</w>`");
  EXPECT_EQ(joins({"a￭", "b"}), "1 of `￭`");
  EXPECT_EQ(joins({"the", "cat", "[SEP]", "."}), "");
}

}  // namespace
}  // namespace attn
