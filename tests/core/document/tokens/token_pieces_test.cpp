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

}  // namespace
}  // namespace attn
