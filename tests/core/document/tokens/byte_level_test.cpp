// Tokens whose letters encode bytes, and texts that only resemble them.
#include <gtest/gtest.h>

#include <map>

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

TEST(ByteLevel, PartsOfACharacterAreNumbered) {
  EXPECT_EQ(shown({"Ġit", "âĢ", "Ļ", "s"}), (Texts{" it", "’ 1/2", "’ 2/2", "s"}));
  EXPECT_EQ(shown({"ðŁ", "ĺ", "Ģ"}), (Texts{"😀 1/3", "😀 2/3", "😀 3/3"}));
  EXPECT_EQ(shown({"ĠðŁĺ", "Ģ", "!"}), (Texts{" 😀 1/2", " 😀 2/2", "!"}));
  EXPECT_EQ(shown({"ä½", "ł", "å", "¥", "½", "ĠGPT"}),
            (Texts{"你 1/2", "你 2/2", "好 1/3", "好 2/3", "好 3/3", " GPT"}));
  EXPECT_EQ(shown({"ðŁĩ", "©", "ðŁĩ", "ª"}), (Texts{"🇩 1/2", "🇩 2/2", "🇪 1/2", "🇪 2/2"}));
  EXPECT_EQ(shown({"æĪ", "ĳç", "Ī", "±"}), (Texts{"我爱 1/4", "我爱 2/4", "我爱 3/4", "我爱 4/4"}))
      << "the fewest tokens that spell whole characters";
  EXPECT_EQ(shown({"caf", "Ã", "©", "Ġno", "ir"}), (Texts{"caf", "é 1/2", "é 2/2", " no", "ir"}));
  EXPECT_EQ(shown({"<|user|>", "ðŁ", "ĺĢ", "<|end|>", "âĢ", "Ļ"}),
            (Texts{"<|user|>", "😀 1/2", "😀 2/2", "<|end|>", "’ 1/2", "’ 2/2"}));
}

TEST(ByteLevel, PartsWithoutTheirRestAreBytes) {
  EXPECT_EQ(shown({"ĺ", "Ģ", "ĠHi", "ĠðŁ"}), (Texts{"0x98", "0x80", " Hi", " 0xF0 0x9F"}));
  EXPECT_EQ(shown({"Ġa", "<s>", "ĺĢ", "b", "ðŁ", "</s>", "Ģ"}),
            (Texts{" a", "<s>", "0x98 0x80", "b", "0xF0 0x9F", "</s>", "0x80"}));
  const TokenList seven{"ĠĠ", "æ", "Īĳæ", "Īĳæ", "Īĳæ", "Īĳæ", "Īĳæ", "Īĳ"};
  EXPECT_EQ(seven.spoken(1), "0xE6") << "more than six tokens";
}

TEST(ByteLevel, ListsAreDecodedWhereverTheyAreCut) {
  const Texts whole{"Hi", "Ġ", "ðŁ", "ĺ", "Ģ", "Ċ", "caf", "Ã©", "ĠÐº", "Ð¾ÑĤ", "ä½", "ł", "Ġok"};
  const auto at = [&](std::size_t i) { return whole.begin() + static_cast<std::ptrdiff_t>(i); };
  for (std::size_t first = 0; first < whole.size(); ++first) {
    for (std::size_t end = first + 1; end <= whole.size(); ++end) {
      const TokenList part(Texts(at(first), at(end)));
      for (std::size_t i = first; i < end; ++i) {
        const std::string text = part.spoken(i - first);
        const std::map<std::size_t, std::string> expected = {{1, " "},
                                                             {2, end > 4     ? "😀 1/3"
                                                                 : first < 2 ? "0xF0 0x9F"
                                                                             : "ðŁ"},
                                                             {5, "\n"},
                                                             {7, "é"},
                                                             {8, " к"},
                                                             {9, "от"},
                                                             {10, end > 11     ? "你 1/2"
                                                                  : first < 10 ? "0xE4 0xBD"
                                                                               : "ä½"}};
        const auto known = expected.find(i);
        if (known == expected.end()) continue;
        EXPECT_EQ(text, known->second) << first << " to " << end;
      }
    }
  }
}

TEST(ByteLevel, TokensOfOtherLettersStayAndStopNothing) {
  EXPECT_EQ(shown({"<｜begin▁of▁sentence｜>", "<｜User｜>", "What", "Ġis", "<｜Assistant｜>"}),
            (Texts{"<｜begin▁of▁sentence｜>", "<｜User｜>", "What", " is", "<｜Assistant｜>"}));
  EXPECT_EQ(shown({"<|im_start|>", "user", "Ċ", "HiĠthere"}),
            (Texts{"<|im_start|>", "user", "Ċ", "HiĠthere"}))
      << "a blank inside of a word";
  EXPECT_EQ(shown({"<|im_start|>", "user", "Ċ", "Hi", "<|im_end|>"}),
            (Texts{"<|im_start|>", "user", "\n", "Hi", "<|im_end|>"}));
  EXPECT_EQ(shown({"[INST]", "Ġdo", "[/INST]", "我"}), (Texts{"[INST]", "Ġdo", "[/INST]", "我"}))
      << "half of the others has other letters";
  EXPECT_EQ(shown({"[INST]", "Ġdo", "Ġas", "ĠI", "[/INST]", "我"}),
            (Texts{"[INST]", " do", " as", " I", "[/INST]", "我"}));
  EXPECT_EQ(shown({"<my token>", "The", "Ġsun"}), (Texts{"<my token>", "The", " sun"}));
  EXPECT_EQ(shown({"ĠbyĠtheĠway", ",", "Ġyes"}), (Texts{" by the way", ",", " yes"}));
}

TEST(ByteLevel, OrdinaryTextsWithSuchLettersStay) {
  for (const Texts& texts : {Texts{"Ġorġ", "kiel"},
                             Texts{"Ġużeppi", "huwa"},
                             Texts{"Ċensu", "mar"},
                             Texts{"Ġcat", "the dog"},
                             Texts{"Ġcat", " dog"},
                             Texts{"Ġcat", "我"},
                             Texts{"Ġcat", "café"},
                             Texts{"cat", "dog"},
                             Texts{"ÄĠ"},
                             Texts{"aĠb"},
                             Texts{"Ġ", "Ā"},
                             Texts{"café"},
                             Texts{"Ä", "Ö"},
                             Texts{"Ä Ö"},
                             Texts{"Ġorġ kiel"},
                             Texts{"PÓŁ", "KILO"},
                             Texts{"«", "Spaß", "»"},
                             Texts{"»Spaß«"},
                             Texts{"LIBERTÉ»"},
                             Texts{"Çık", "dedi"},
                             Texts{"Ċensu", "mar", "id-dar", "Ġwann", "u", "kiel"},
                             Texts{"Größe", "é", "ñ"},
                             Texts{"Ġa", "¥", "½", "¥"},
                             Texts{"ÿ", "þ"},
                             Texts{"£", "½"}}) {
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
            (Texts{" a", "A", "\t", "0xE6", "<0x00>", "<0x1B>", "<0x7F>", "<0x4>", "<0xZZ>",
                   "<0x-1>", "\n"}));
  EXPECT_EQ(shown({"cat", "<0x0A>"}), (Texts{"cat", "<0x0A>"}));
}

TEST(SentencePiece, BytesOfACharacterAreItsParts) {
  EXPECT_EQ(shown({"▁Hi", "<0xF0>", "<0x9F>", "<0x98>", "<0x80>", "▁you"}),
            (Texts{" Hi", "😀 1/4", "😀 2/4", "😀 3/4", "😀 4/4", " you"}));
  EXPECT_EQ(shown({"<0xE6>", "<0x88>", "<0x91>"}), (Texts{"我 1/3", "我 2/3", "我 3/3"}));
  EXPECT_EQ(shown({"<0x80>", "▁a", "<0xC3>", "<0xA9>", "<0xF0>", "<0x9F>", "</s>"}),
            (Texts{"0x80", " a", "é 1/2", "é 2/2", "0xF0", "0x9F", "</s>"}));
  EXPECT_EQ(shown({"<｜begin▁of▁sentence｜>", "▁a", "<my token>"}),
            (Texts{"<｜begin▁of▁sentence｜>", " a", "<my token>"}));
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
  EXPECT_EQ(TokenList::counted(3).spoken(2), "3");
}

}  // namespace
}  // namespace attn
