// Sentences are split into words, letters and lines as people see them, and documents follow them.
#include "document/edit/sentence.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "document/edit.h"
#include "document/generate.h"
#include "document/json/write.h"
#include "document/problem.h"
#include "documents.h"

namespace attn {
namespace {

using test::between;
using test::random_document;
using test::read_ok;
using Words = std::vector<std::string>;

Words split(std::string_view text, SplitBy by) {
  Result<Words> tokens = split_sentence(text, by);
  if (tokens) return *std::move(tokens);
  ADD_FAILURE() << describe(tokens.error());
  return {};
}
Words words(std::string_view text) { return split(text, SplitBy::Words); }
Words characters(std::string_view text) { return split(text, SplitBy::Characters); }
Words lines(std::string_view text) { return split(text, SplitBy::Lines); }

TEST(Sentence, WordsStandBetweenBlanksAndSigns) {
  EXPECT_EQ(words("The cat sat."), (Words{"The", "cat", "sat", "."}));
  EXPECT_EQ(words("  a\t b\r\nc\u00a0d "), (Words{"a", "b", "c", "d"}));
  EXPECT_EQ(words("don't (you) say?!"), (Words{"don't", "(", "you", ")", "say", "?", "!"}));
  EXPECT_EQ(words("don\u2019t \u2018so\u2019"), (Words{"don\u2019t", "\u2018", "so", "\u2019"}));
  EXPECT_EQ(words("3.14, 1,000 and v1.x_y."),
            (Words{"3.14", ",", "1,000", "and", "v1", ".", "x_y", "."}));
  EXPECT_EQ(words("e-mail \u2014 \u00abso\u00bb \u00bfq\u2026"),
            (Words{"e", "-", "mail", "\u2014", "\u00ab", "so", "\u00bb", "\u00bf", "q", "\u2026"}));
  EXPECT_EQ(words("3+4=7 \u20ac5"), (Words{"3", "+", "4", "=", "7", "\u20ac", "5"}));
  EXPECT_EQ(words("'tis rock 'n' roll'"), (Words{"'", "tis", "rock", "'", "n", "'", "roll", "'"}));
}

TEST(Sentence, IdeographsAreWords) {
  EXPECT_EQ(words("我爱3只猫。"), (Words{"我", "爱", "3", "只", "猫", "。"}));
  EXPECT_EQ(words("ねこカー・x"), (Words{"ね", "こ", "カ", "ー", "・", "x"}));
  EXPECT_EQ(words("나는 고양이를"), (Words{"나는", "고양이를"}));
}

TEST(Sentence, MarksAndJoinedEmojiStayTogether) {
  const std::string family = "👨‍👩‍👧", flag = "🇩🇪", e_acute = "e\u0301";
  EXPECT_EQ(characters("a" + family + flag + e_acute), (Words{"a", family, flag, e_acute}));
  EXPECT_EQ(words("caf" + e_acute + family + family), (Words{"caf" + e_acute, family, family}));
  EXPECT_EQ(characters("a b\r\nc\n"), (Words{"a", " ", "b", "c"}));
}

TEST(Sentence, LinesThatAreEmptyAreLeftOut) {
  EXPECT_EQ(lines("one two\n\n \t\r\nthree\rfour"), (Words{"one two", "three", "four"}));
  EXPECT_EQ(lines("last\n"), (Words{"last"}));
}

TEST(Sentence, RefusesWhatHasNoToken) {
  for (const SplitInfo& info : all_splits()) {
    EXPECT_FALSE(split_sentence("", info.by).ok()) << info.name;
    EXPECT_FALSE(split_sentence("\xff", info.by).ok()) << info.name;
    const std::string long_text(kMostSentenceBytes + 1, 'a');
    const auto refused = split_sentence(long_text, info.by);
    ASSERT_FALSE(refused.ok()) << info.name;
    EXPECT_EQ(refused.error().expected, "at most 1.0 MiB");
  }
  EXPECT_FALSE(split_sentence(" \n", SplitBy::Words).ok());
}

// A text that is split gives the same pieces as its parts.
TEST(Sentence, LongTextsAreCutLikeShortOnes) {
  const std::string part = "The cat sat on 我爱 e\u0301t don't! ";
  const Words of_part = words(part);
  std::string text;
  while (text.size() + part.size() <= kMostSentenceBytes) text += part;
  const Words all = words(text);
  ASSERT_EQ(all.size(), of_part.size() * (text.size() / part.size()));
  for (std::size_t i = 0; i < all.size(); ++i) ASSERT_EQ(all[i], of_part[i % of_part.size()]) << i;
}

Document with(const Document& document, Side side, const Words& tokens, std::size_t sample = 0) {
  Result<Document> changed = with_tokens(document, side, sample, tokens);
  if (changed) return *std::move(changed);
  ADD_FAILURE() << describe(changed.error());
  return document;
}

TEST(Tokens, ThatStayKeepTheirNumbers) {
  const Document document = read_ok(R"({"tokens": ["I", "love", "cats"],
      "q": [[1, 0], [0, 1], [1, 1]], "k": [[1, 0], [0, 1], [0.5, 0.5]],
      "v": [[1, 0], [0, 1], [2, 2]], "mask": {"key_padding": [true, false, true],
      "visible": [[true, false, true], [true, true, true], [false, true, true]]}})")
                                .document;
  const Document after = with(document, Side::Query, {"love", "big", "cats"});
  EXPECT_EQ(after.query_tokens, (TokenLists{TokenList{"love", "big", "cats"}}));
  const MatrixView q = matrix_of(after, {"/q", {}});
  EXPECT_EQ((std::vector<float>{q.at(0, 0), q.at(0, 1), q.at(2, 0), q.at(2, 1)}),
            (std::vector<float>{0, 1, 1, 1}));
  const std::vector<float> big = generated_row(1, "q", 0, "big", 2);
  EXPECT_EQ((std::vector<float>{q.at(1, 0), q.at(1, 1)}), big);
  EXPECT_EQ(after.mask.key_padding, (PaddingLists{{0, 1, 1}}));
  EXPECT_EQ(after.mask.visible, BoolTensor({3, 3}, {1, 1, 1, 1, 1, 1, 1, 1, 1}));
  EXPECT_EQ(with(document, Side::Key, {"I", "love", "cats"}), document);
}

TEST(Tokens, OfASentenceGiveWhatReadingItGives) {
  const Document document = read_ok(R"(["The", "cat", "sat", "on", "the", "mat"])").document;
  EXPECT_EQ(with(document, Side::Query, {"A", "dog", "sat"}),
            read_ok(R"(["A", "dog", "sat"])").document);
  EXPECT_EQ(with(document, Side::Query, {"the"}), read_ok(R"(["the"])").document);
}

TEST(Tokens, AreReplacedAsOneByOne) {
  const Document document = read_ok(R"({"query_tokens": ["a", "b"], "key_tokens": ["x", "y"],
      "attention": [[0.75, 0.25], [0.5, 0.5]]})")
                                .document;
  Document one_by_one = with_token_deleted(document, Side::Key, 0).value();
  one_by_one = with_token_inserted(one_by_one, Side::Key, 1, "z").value();
  EXPECT_EQ(with(document, Side::Key, {"y", "z"}), one_by_one);
  const Document other = with(document, Side::Key, {"u", "v"});
  const MatrixView all_new = matrix_of(other, {"/attention", {}});
  EXPECT_NEAR(all_new.at(0, 0) + all_new.at(0, 1), 1.0F, 1e-6F) << "of no old key";
}

TEST(Tokens, OfOtherSamplesStay) {
  const Document document = read_ok(R"({"tokens": [["a", "b", "c"], ["d", "e", "f"]],
      "mask": {"visible": [[true, false, true], [true, true, true], [true, true, true]]}})")
                                .document;
  const Document after = with(document, Side::Query, {"d", "X", "f"}, 1);
  EXPECT_EQ(after, read_ok(R"({"tokens": [["a", "b", "c"], ["d", "X", "f"]],
      "mask": {"visible": [[true, false, true], [true, true, true], [true, true, true]]}})")
                       .document);
  EXPECT_EQ(with(document, Side::Query, {"d", "X", "f"}, 2), after) << "the last one";
  const Document longer = with(document, Side::Query, {"d", "X", "f", "g"}, 1);
  EXPECT_EQ(longer.query_tokens,
            (TokenLists{TokenList{"a", "b", "c", "g"}, TokenList{"d", "X", "f", "g"}}));
}

TEST(Tokens, WithoutNamesStayCountedWhereTheyAre) {
  const Document document = read_ok(R"({"tokens": 4})").document;
  const Document after = with(document, Side::Query, {"0", "1", "3"});
  EXPECT_EQ(after.query_tokens.front(), TokenList::counted(3, {{2, "3"}}));
  EXPECT_EQ(matrix_of(after, {"/embeddings", {}}).at(2, 0),
            matrix_of(document, {"/embeddings", {}}).at(3, 0));
}

TEST(Tokens, AreRefusedWhereThereAreNone) {
  const Document document = read_ok(R"(["a"])").document;
  EXPECT_FALSE(with_tokens(document, Side::Query, 0, {}).ok());
  const auto refused = with_tokens(document, Side::Query, 0, {"a", "\xff"});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().message, "token 1 is not valid UTF-8");
  EXPECT_EQ(refused.error().found, "the byte 255 at offset 0");
  EXPECT_EQ(refused.error().pointer, "/query_tokens");
  const Document weights = read_ok(R"({"tokens": ["a"], "attention": [[1]]})").document;
  const auto large = with_tokens(weights, Side::Query, 0, Words(100'000, "x"));
  ASSERT_FALSE(large.ok());
  EXPECT_EQ(large.error().kind, ErrorKind::OverMemoryLimit);
}

// Long lists are matched in their order, and in time.
TEST(Tokens, AreKnownToBeRefusedBeforehand) {
  const Document document = read_ok(R"({"tokens": ["a"], "attention": [[1]]})").document;
  const std::vector<Words> lists{{}, {"a"}, {"a", "\xff"}, {"b", "c"}, Words(100'000, "x")};
  for (const Words& tokens : lists) {
    const Status may = may_have_tokens(document, Side::Query, 0, tokens);
    const auto made = with_tokens(document, Side::Query, 0, tokens);
    ASSERT_EQ(may.ok(), made.ok()) << tokens.size();
    if (may) continue;
    EXPECT_EQ(describe(may.error()), describe(made.error()));
  }
}

TEST(Tokens, OfLongTextsAreMatchedToo) {
  Words before, after;
  for (int i = 0; i < 20'000; ++i) before.push_back("t" + std::to_string(i % 5000));
  after = before;
  for (std::size_t i = 0; i < after.size(); i += 2) after[i] = "new";
  Document document = read_ok(R"({"tokens": ["a"], "d_model": 2, "heads": 1})").document;
  document = with(document, Side::Query, before);
  const Document changed = with(document, Side::Query, after);
  EXPECT_EQ(changed.query_tokens.front().texts(), after);
  const MatrixView x = matrix_of(changed, {"/embeddings", {}});
  EXPECT_EQ(x.at(19'999, 0), generated_embedding(1, "t4999", 2)[0]);
}

TEST(Tokens, OfCellsAreReadInTheirOrder) {
  const Document document = read_ok(R"({"query_tokens": ["a", "b"], "key_tokens": ["x"],
      "recurrent": {"hidden": 2}, "scoring": {"function": "location"}})")
                                .document;
  EXPECT_EQ(with(document, Side::Key, {"y", "z", "x"}).model,
            read_ok(R"({"query_tokens": ["a", "b"], "key_tokens": ["y", "z", "x"],
      "recurrent": {"hidden": 2}, "scoring": {"function": "location"}})")
                .document.model);
}

TEST(Tokens, OfRandomDocumentsStayConsistent) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Document document = random_document(seed);
    Random random(seed);
    const Side side = random.next() % 2 == 0 ? Side::Query : Side::Key;
    Words tokens;
    for (const std::string& token : tokens_of(document, side).texts()) {
      if (random.next() % 3 == 0) tokens.push_back("new");
      if (random.next() % 3 != 0) tokens.push_back(token);
    }
    if (tokens.empty()) tokens.emplace_back("one");
    const Document after = with(document, side, tokens);
    EXPECT_EQ(tokens_of(after, side).texts(), tokens) << seed;
    const Status status = check(after);
    ASSERT_TRUE(status.ok()) << seed << describe(status.error());
    ASSERT_EQ(read_ok(write_document(after)).document, after) << seed;
  }
}

}  // namespace
}  // namespace attn
