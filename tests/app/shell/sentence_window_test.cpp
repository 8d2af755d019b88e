// Tokens from typed and pasted sentences.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "app/shell/app_fixture.h"

namespace attn::gui {
namespace {

using Tokens = std::vector<std::string>;

constexpr const char* kThreeWords =
    R"({"tokens": ["I", "love", "cats"], "heads": 2, "d_model": 4})";
constexpr const char* kTwoSides = R"({"query_tokens": ["le", "chat"], "key_tokens": ["the", "cat",
    "sleeps"], "d_model": 4})";

class SentenceWindowTest : public test::AppTest {
 protected:
  void show_window() {
    ui.key("Ctrl+Shift+E");
    ASSERT_EQ(state().overlay, Overlay::Sentence);
  }
  Tokens tokens(Side side = Side::Query) const { return tokens_of(state().document, side).texts(); }
  Tokens shown() const {
    Tokens list;
    for (const std::string& name : ui.names("sentence/token/")) list.push_back(ui.value(name));
    return list;
  }
  std::size_t edits() const { return state().history.past.size(); }
};

TEST_F(SentenceWindowTest, StartsWithWhatThereIsAndTypingReplacesIt) {
  open_text(kThreeWords);
  const Document before = state().document;
  ui.click("tokens/sentence");
  EXPECT_EQ(ui.value("sentence/text"), "I love cats");
  EXPECT_EQ(ui.value("sentence/by/Words"), "on");
  EXPECT_FALSE(ui.enabled("sentence/apply"));
  EXPECT_EQ(ui.value("sentence/reason"), "Same as the current tokens");
  ui.type("I don't love 3.14 dogs.");
  EXPECT_EQ(shown(), (Tokens{"I", "don't", "love", "3.14", "dogs", "."}));
  EXPECT_EQ(ui.value("sentence/count"), "6 tokens");
  ui.key("Enter");
  EXPECT_FALSE(state().overlay);
  EXPECT_EQ(tokens(), (Tokens{"I", "don't", "love", "3.14", "dogs", "."}));
  EXPECT_EQ(edits(), 1U);
  EXPECT_EQ(ui.count<command::SetTokens>(), 1U);
  EXPECT_EQ(input("/embeddings", 0, 0), matrix_of(before, {"/embeddings", {}}).at(0, 0));
  EXPECT_EQ(input("/embeddings", 2, 1), matrix_of(before, {"/embeddings", {}}).at(1, 1));
  ui.key("Ctrl+Z");
  EXPECT_EQ(state().document, before);
}

TEST_F(SentenceWindowTest, EscAndCancelChangeNothing) {
  open_text(kThreeWords);
  const Document before = state().document;
  for (const bool by_key : {true, false}) {
    show_window();
    ui.type("else");
    if (by_key) {
      ui.key("Esc");
    } else {
      ui.click("sentence/close");
    }
    EXPECT_FALSE(state().overlay);
    EXPECT_EQ(state().document, before);
    show_window();
    EXPECT_EQ(ui.value("sentence/text"), "I love cats");
    ui.key("Esc");
  }
}

TEST_F(SentenceWindowTest, CutsAsItIsToldAndRemembersIt) {
  open_text(kThreeWords);
  show_window();
  ui.type("ab c");
  ui.key("Shift+Enter");
  ui.type("d");
  EXPECT_EQ(shown(), (Tokens{"ab", "c", "d"}));
  ui.click("sentence/by/Lines");
  EXPECT_EQ(shown(), (Tokens{"ab c", "d"}));
  ui.click("sentence/by/Characters");
  EXPECT_EQ(shown(), (Tokens{"a", "b", " ", "c", "d"}));
  ui.click("sentence/apply");
  EXPECT_EQ(tokens(), (Tokens{"a", "b", " ", "c", "d"}));
  show_window();
  EXPECT_EQ(ui.value("sentence/by/Characters"), "on");
  EXPECT_EQ(ui.value("sentence/text"), "ab cd");
}

TEST_F(SentenceWindowTest, TokensWithBlanksStartAsLines) {
  open_text(R"({"tokens": ["New York", "is", "big"], "d_model": 4})");
  show_window();
  EXPECT_EQ(ui.value("sentence/by/Lines"), "on");
  EXPECT_EQ(ui.value("sentence/text"), "New York\nis\nbig");
  EXPECT_FALSE(ui.enabled("sentence/apply"));
  ui.key("Esc");
  open_text(kThreeWords);
  show_window();
  EXPECT_EQ(ui.value("sentence/by/Words"), "on");
}

TEST_F(SentenceWindowTest, PastedLinesAreTokens) {
  open_text(kThreeWords);
  show_window();
  ui.clipboard = "first line\r\nsecond\n\nthird";
  ui.key("Ctrl+V");
  ui.click("sentence/by/Lines");
  EXPECT_EQ(shown(), (Tokens{"first line", "second", "third"}));
}

TEST_F(SentenceWindowTest, ChineseIsCutIntoItsSigns) {
  open_text(kThreeWords);
  show_window();
  ui.type("我爱猫。");
  EXPECT_EQ(shown(), (Tokens{"我", "爱", "猫", "。"}));
  ui.key("Enter");
  EXPECT_EQ(tokens(), (Tokens{"我", "爱", "猫", "。"}));
  show_window();
  EXPECT_EQ(ui.value("sentence/text"), "我 爱 猫 。");
}

TEST_F(SentenceWindowTest, OfTwoSequencesOneIsChosen) {
  open_text(kTwoSides);
  show_window();
  EXPECT_EQ(ui.value("sentence/side/Queries"), "on");
  EXPECT_EQ(ui.value("sentence/text"), "le chat");
  ui.click("sentence/side/Keys");
  EXPECT_EQ(ui.value("sentence/text"), "the cat sleeps");
  ui.click("sentence/text");
  ui.key("Ctrl+A");
  ui.type("a dog");
  ui.click("sentence/side/Queries");
  EXPECT_EQ(ui.value("sentence/text"), "a dog") << "what was typed stays";
  ui.click("sentence/side/Keys");
  ui.click("sentence/apply");
  EXPECT_EQ(tokens(Side::Query), (Tokens{"le", "chat"}));
  EXPECT_EQ(tokens(Side::Key), (Tokens{"a", "dog"}));
  ui.click("tokens/key/0");
  show_window();
  EXPECT_EQ(ui.value("sentence/side/Keys"), "on") << "the side of the marked token";
}

TEST_F(SentenceWindowTest, TheListInWhichItWasAskedForIsMeant) {
  open_text(kTwoSides);
  ui.click("tokens/query/0");
  ui.click("tokens/key/sentence");
  EXPECT_EQ(ui.value("sentence/side/Keys"), "on");
  EXPECT_EQ(ui.value("sentence/text"), "the cat sleeps");
  ui.key("Esc");
  ui.click("tokens/query/sentence");
  EXPECT_EQ(ui.value("sentence/text"), "le chat");
  ui.key("Esc");
  ui.click("tokens/key/0");
  show_window();
  EXPECT_EQ(ui.value("sentence/text"), "the cat sleeps");
}

TEST_F(SentenceWindowTest, SelfAttentionHasOneSide) {
  open_text(kThreeWords);
  show_window();
  EXPECT_FALSE(ui.shows("sentence/side/Keys"));
}

TEST_F(SentenceWindowTest, TheSampleThatIsShownIsMeant) {
  open_text(R"({"tokens": [["a", "b"], ["c", "d"]], "d_model": 4})");
  ui.sent.clear();
  app.apply(command::SelectHead{{0, 1, 0}});
  show();
  show_window();
  EXPECT_EQ(ui.value("sentence/text"), "c d");
  ui.type("c e");
  ui.key("Enter");
  EXPECT_EQ(ui.last<command::SetTokens>()->sample, 1U);
  EXPECT_EQ(tokens(), (Tokens{"a", "b"}));
}

TEST_F(SentenceWindowTest, SaysWhatItRefuses) {
  open_text(kThreeWords);
  show_window();
  ui.key("Backspace");
  EXPECT_EQ(ui.value("sentence/reason"), "Type or paste a text first");
  EXPECT_FALSE(ui.enabled("sentence/apply"));
  ui.key("Enter");
  EXPECT_EQ(state().overlay, Overlay::Sentence);
  ui.clipboard = std::string((1U << 20U) + 1, 'x');
  ui.key("Ctrl+V");
  EXPECT_EQ(ui.value("sentence/reason"),
            "The text is too long to be cut into tokens; expected at most 1.0 MiB");
  EXPECT_FALSE(ui.enabled("sentence/apply"));
}

TEST_F(SentenceWindowTest, WhatWouldTakeTooMuchMemoryIsRefusedBeforehand) {
  open_text(R"({"tokens": ["a", "b"], "d_model": 4096, "heads": 1})");
  ASSERT_EQ(shape_of(state().document).d_model, 4096U);
  show_window();
  std::string many;
  for (int i = 0; i < 400'000; ++i) many += "x ";
  ui.clipboard = many;
  ui.key("Ctrl+V");
  EXPECT_EQ(ui.value("sentence/count"), "400,000 tokens");
  EXPECT_TRUE(ui.value("sentence/reason").starts_with("The document and its stages would need"))
      << ui.value("sentence/reason");
  EXPECT_FALSE(ui.enabled("sentence/apply"));
}

// The cost of drawing depends on what fits, not on the length; reading is one pass.
TEST_F(SentenceWindowTest, AThousandWordsCostWhatIsShown) {
  open_text(kThreeWords);
  show_window();
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "word" + std::to_string(i) + " ";
  ui.clipboard = text;
  ui.key("Ctrl+V");
  EXPECT_EQ(ui.value("sentence/count"), "1,000 tokens");
  EXPECT_LE(shown().size(), 200U);
  EXPECT_LT(ui.draw_data().TotalVtxCount, 40'000);
  ui.wheel("sentence/token/0", -100);
  EXPECT_EQ(ui.value("sentence/more"), "… 800 more");
  ui.key("Enter");
  EXPECT_EQ(tokens().size(), 1000U);
  EXPECT_EQ(tokens().back(), "word999");
  EXPECT_EQ(edits(), 1U);
}

TEST_F(SentenceWindowTest, AVeryLongListIsNotWrittenAsText) {
  open_text(R"({"tokens": 6000, "d_model": 2, "heads": 1})");
  show_window();
  EXPECT_EQ(ui.value("sentence/text"), "");
  EXPECT_EQ(ui.value("sentence/reason"), "Type or paste a text first");
}

TEST_F(SentenceWindowTest, IsDoneByKeyboardAlone) {
  open_text(kThreeWords);
  show_window();
  ui.type("a b");
  ui.key("Shift+Tab");
  EXPECT_EQ(ui.focused(), "sentence/by/Lines");
  ui.key("Enter");
  EXPECT_EQ(shown(), Tokens{"a b"});
  ui.key("Tab");
  ui.key("Tab");
  EXPECT_EQ(ui.focused(), "sentence/apply");
  ui.key("Enter");
  EXPECT_EQ(tokens(), Tokens{"a b"});
}

// Enter adds a single token, whatever was typed.
TEST_F(SentenceWindowTest, SeveralWordsInTheFieldOfANewTokenAreOfferedAsSeveral) {
  open_text(kThreeWords);
  ui.click("tokens/0");
  ui.click("tokens/new");
  ui.type("really");
  EXPECT_FALSE(ui.shows("tokens/add_words"));
  ui.type(" do");
  ui.click("tokens/add_words");
  EXPECT_EQ(tokens(), (Tokens{"I", "really", "do", "love", "cats"}));
  EXPECT_EQ(edits(), 1U);
  EXPECT_EQ(ui.value("tokens/new"), "");
  EXPECT_FALSE(ui.shows("tokens/add_words"));
  ui.click("tokens/new");
  ui.type("New York");
  ui.key("Enter");
  EXPECT_EQ(token(1), "New York");
}

TEST_F(SentenceWindowTest, ANewDocumentSaysWhereToBegin) {
  open_text(kThreeWords);
  EXPECT_FALSE(ui.shows("inspector/structure"));
  ui.key("Ctrl+N");
  ui.click("inspector/structure");
  EXPECT_EQ(state().overlay, Overlay::Structure);
  ui.key("Esc");
  ui.click("inspector/sentence_window");
  EXPECT_EQ(state().overlay, Overlay::Sentence);
  EXPECT_EQ(ui.value("sentence/text"), "one two three");
}

}  // namespace
}  // namespace attn::gui
