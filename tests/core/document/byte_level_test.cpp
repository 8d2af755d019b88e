// Tokens whose letters stand for bytes, and texts that only look like them.
#include <gtest/gtest.h>

#include "document/token_list.h"

namespace attn {
namespace {

std::vector<std::string> shown(const TokenList& tokens) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < tokens.size(); ++i) texts.push_back(tokens.spoken(i));
  return texts;
}

using Texts = std::vector<std::string>;

TEST(ByteLevel, TokensAreShownAsTheTextsThatTheyStandFor) {
  EXPECT_EQ(shown({"The", "Ġcat", "ĠsatâĢĻs", ".", "Ċ", "ĠĠĠĠreturn", ");ĊĊ", "<|endoftext|>"}),
            (Texts{"The", " cat", " sat’s", ".", "\n", "    return", ");\n\n", "<|endoftext|>"}));
  EXPECT_EQ(shown({"ĠcafÃ©", "æĪĳ"}), (Texts{" café", "我"}));
}

TEST(ByteLevel, PartsOfACharacterStayAsTheyAre) {
  EXPECT_EQ(shown({"Ġit", "âĢ", "Ļ", "s"}), (Texts{" it", "âĢ", "Ļ", "s"}));
}

TEST(ByteLevel, OrdinaryTextsWithSuchLettersStay) {
  for (const Texts& texts :
       {Texts{"Ġorġ", "kiel"}, Texts{"Ġużeppi", "huwa"}, Texts{"Ċensu", "mar"},
        Texts{"Ġcat", "the dog"}, Texts{"Ġcat", " dog"}, Texts{"Ġcat", "我"}, Texts{"Ġcat", "café"},
        Texts{"cat", "dog"}, Texts{"ÄĠ"}, Texts{"aĠb"}, Texts{"Ġ", "Ā"}}) {
    EXPECT_EQ(shown(TokenList(texts)), texts) << texts.front();
  }
}

TEST(SentencePiece, MarksOfBlanksAreShownAsBlanks) {
  EXPECT_EQ(
      shown({"<s>", "▁Once", "▁upon", "▁a", "▁g", "ir", "l", "▁", ".", "▁▁x", "a▁b", "<0x0A>"}),
      (Texts{"<s>", " Once", " upon", " a", " g", "ir", "l", " ", ".", "  x", "a b", "\n"}));
  EXPECT_EQ(shown({"▁我", "们"}), (Texts{" 我", "们"}));
  const TokenList tokens{"▁Once", "▁upon"};
  EXPECT_EQ(tokens[0], "▁Once");
  EXPECT_EQ(tokens.as_written().spoken(0), "▁Once");
}

TEST(SentencePiece, BytesOfACharacterAreShownIfTheyAreAllOfIt) {
  EXPECT_EQ(shown({"▁a", "<0x41>", "<0x09>", "<0xE6>", "<0x00>", "<0x1B>", "<0x7F>", "<0x4>",
                   "<0xZZ>", "<0x0A> ", "<0x0A>"}),
            (Texts{"▁a", "<0x41>", "<0x09>", "<0xE6>", "<0x00>", "<0x1B>", "<0x7F>", "<0x4>",
                   "<0xZZ>", "<0x0A> ", "<0x0A>"}))
      << "a blank in one of them: no such vocabulary";
  EXPECT_EQ(shown({"▁a", "<0x41>", "<0x09>", "<0xE6>", "<0x00>", "<0x1B>", "<0x7F>", "<0x4>",
                   "<0xZZ>", "<0x-1>", "<0x0A>"}),
            (Texts{" a", "A", "\t", "<0xE6>", "<0x00>", "<0x1B>", "<0x7F>", "<0x4>", "<0xZZ>",
                   "<0x-1>", "\n"}));
  EXPECT_EQ(shown({"cat", "<0x0A>"}), (Texts{"cat", "<0x0A>"}));
}

TEST(SentencePiece, OrdinaryTextsWithThatSignStay) {
  for (const Texts& texts : {Texts{"▁cat", "the dog"}, Texts{"▁cat", " dog"}, Texts{"a▁b", "▂▃"}}) {
    EXPECT_EQ(shown(TokenList(texts)), texts) << texts.front();
  }
}

TEST(ByteLevel, FollowsTheNamesOfTheList) {
  TokenList tokens{"Ġa", "Ġb"};
  EXPECT_EQ(tokens.spoken(0), " a");
  EXPECT_EQ(tokens[0], "Ġa");
  tokens.rename(1, "two words");
  EXPECT_EQ(tokens.spoken(0), "Ġa");
  EXPECT_EQ(TokenList::counted(3).spoken(2), "2");
}

}  // namespace
}  // namespace attn
