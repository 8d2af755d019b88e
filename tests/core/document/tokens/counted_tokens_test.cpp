// Tokens that are counted and not named: read, written, generated from, edited, refused.
#include <gtest/gtest.h>

#include "document/edit.h"
#include "document/json/write.h"
#include "document/load/open.h"
#include "document/load/read.h"
#include "document/token_ids.h"
#include "tests/core/document/documents.h"

namespace attn {
namespace {

using test::read_error;
using test::read_ok;

constexpr std::size_t kLong = 131072;

Document after_edit(const Result<Document>& result) {
  EXPECT_TRUE(result.ok()) << (result.ok() ? "" : describe(result.error()));
  return result.ok() ? *result : Document{};
}

std::string tokens_of_text(const std::string& document) {
  const std::string key = "\"tokens\": ";
  const std::size_t begin = document.find(key) + key.size();
  return document.substr(begin, document.find(",\n  \"", begin) - begin);
}

// A long sequence of keys, so that nothing of n × n is needed.
Document long_document() {
  return read_ok(R"({"query_tokens": ["a", "b"], "key_tokens": 131072, "d_model": 4, "heads": 1})")
      .document;
}

TEST(TokenList, CallsTokensWithoutANameByTheirNumber) {
  TokenList list = TokenList::counted(5, {{1, "cat"}, {3, "7"}});
  EXPECT_EQ(list.texts(), (std::vector<std::string>{"0", "cat", "2", "7", "4"}));
  EXPECT_EQ(list.spoken(2), "3") << "displayed from 1";
  EXPECT_EQ(list.spoken(1), "cat");
  EXPECT_EQ(list.name_of(2), nullptr);
  EXPECT_EQ(*list.name_of(3), "7");
  EXPECT_FALSE(list.all_named());
}

TEST(TokenList, KeepsNamesInOrderHoweverTheyAreGiven) {
  TokenList list = TokenList::counted(4);
  for (const std::size_t i : {2U, 0U, 3U, 2U}) list.rename(i, "n" + std::to_string(i));
  EXPECT_EQ(list, TokenList::counted(4, {{0, "n0"}, {2, "n2"}, {3, "n3"}}));
  list.rename(1, "n1");
  EXPECT_TRUE(list.all_named());
  EXPECT_EQ(list, (TokenList{"n0", "n1", "n2", "n3"}));
}

TEST(TokenList, IsNotEqualToOneThatNamesTheSameNumbers) {
  EXPECT_NE(TokenList::counted(2), (TokenList{"0", "1"}));
  EXPECT_NE(TokenList::counted(2), TokenList::counted(3));
}

TEST(TokenList, SharesItsNamesWithCopies) {
  const TokenList list(1000, "a long text that has no room in the string itself");
  TokenList copy = list;
  EXPECT_EQ(copy.names().data(), list.names().data());
  copy.rename(0, "other");
  EXPECT_EQ(list[0], "a long text that has no room in the string itself");
}

TEST(CountedTokens, AreReadWhereverTokensMayStand) {
  EXPECT_EQ(read_ok(R"({"tokens": 3})").document.query_tokens, TokenLists{TokenList::counted(3)});
  const Document cross = read_ok(R"({"query_tokens": 2, "key_tokens": {"count": 3,
      "names": {"2": "cat", "0": ""}}})")
                             .document;
  EXPECT_EQ(cross.query_tokens, TokenLists{TokenList::counted(2)});
  EXPECT_EQ(cross.key_tokens, (TokenLists{TokenList::counted(3, {{0, ""}, {2, "cat"}})}));
  const Document given =
      read_ok(R"({"tokens": 2, "q": [[1], [2]], "k": [[1], [2]], "v": [[1], [2]]})").document;
  EXPECT_EQ(given.query_tokens, TokenLists{TokenList::counted(2)});
}

TEST(CountedTokens, AreWhatStandsWhereNoTokensAreGiven) {
  const Document document =
      read_ok(R"({"q": [[1], [2]], "k": [[1], [2]], "v": [[1], [2]]})").document;
  EXPECT_EQ(tokens_of_text(write_document(document)), "2");
}

TEST(CountedTokens, OfSamplesAreFilledUpByCountingOn) {
  const Reading report = read_ok(R"({"tokens": [{"count": 1}, ["a", "b", "c"], ["d"],
      {"count": 2, "names": {"0": "x"}}]})");
  const TokenLists& lists = report.document.query_tokens;
  EXPECT_EQ(lists, (TokenLists{TokenList::counted(3),
                               {"a", "b", "c"},
                               {"d", "<pad>", "<pad>"},
                               TokenList::counted(3, {{0, "x"}})}));
  EXPECT_EQ(report.document.mask.key_padding,
            (PaddingLists{{1, 0, 0}, {1, 1, 1}, {1, 0, 0}, {1, 1, 0}}));
  EXPECT_EQ(read_ok(write_document(report.document)).document, report.document);
  const Reading counts = read_ok(R"({"tokens": [{"count": 1}, {"count": 2}]})");
  EXPECT_EQ(counts.notes.front(),
            "shorter token lists are padded to 2 tokens, which the padding masks hide");
}

TEST(CountedTokens, AreSavedAsTheCountWithNamesOfThoseThatHaveOne) {
  Document document = read_ok(R"({"tokens": 20})").document;
  EXPECT_EQ(tokens_of_text(write_document(document)), "20");
  document = after_edit(with_token_renamed(document, Side::Query, 0, 17, "cat"));
  EXPECT_EQ(tokens_of_text(write_document(document)),
            "{\n    \"count\": 20,\n    \"names\": {\n      \"17\": \"cat\"\n    }\n  }");
  EXPECT_EQ(read_ok(write_document(document)).document, document);
  document = read_ok(R"({"tokens": [{"count": 2}, ["a", "2"]]})").document;
  EXPECT_EQ(tokens_of_text(write_document(document)),
            "[\n    {\n      \"count\": 2\n    },\n    [\"a\", \"2\"]\n  ]");
}

TEST(CountedTokens, GetTheNumbersThatTheirTextsGet) {
  EXPECT_EQ(read_ok(R"({"tokens": 3, "seed": 5})").document.model,
            read_ok(R"({"tokens": ["0", "1", "2"], "seed": 5})").document.model);
}

TEST(CountedTokens, AreNumberedAnewWhereOthersComeAndGo) {
  const Document document = read_ok(R"({"tokens": {"count": 5, "names": {"3": "cat"}}})").document;
  const auto lists = [](const Result<Document>& after) {
    return after_edit(after).query_tokens[0];
  };
  EXPECT_EQ(lists(with_token_inserted(document, Side::Query, 1, "new")),
            TokenList::counted(6, {{1, "new"}, {4, "cat"}}));
  EXPECT_EQ(lists(with_token_deleted(document, Side::Query, 0)),
            TokenList::counted(4, {{2, "cat"}}));
  EXPECT_EQ(lists(with_token_deleted(document, Side::Query, 3)), TokenList::counted(4));
  EXPECT_EQ(lists(with_token_moved(document, Side::Query, 3, 0)),
            TokenList::counted(5, {{0, "cat"}}));
  EXPECT_EQ(lists(with_token_moved(document, Side::Query, 0, 4)),
            TokenList::counted(5, {{2, "cat"}}));
}

TEST(CountedTokens, KeepTheirRowsWhenTheyAreNumberedAnew) {
  const Document document = read_ok(R"({"tokens": 3, "d_model": 2, "heads": 1})").document;
  const Document after = after_edit(with_token_deleted(document, Side::Query, 0));
  EXPECT_EQ(after.query_tokens[0], TokenList::counted(2));
  EXPECT_EQ(matrix_of(after, {"/embeddings", {}}).at(0, 0),
            matrix_of(document, {"/embeddings", {}}).at(1, 0));
}

TEST(CountedTokens, GetANameWhenTheirTextChangesAndOnlyThen) {
  const Document document = read_ok(R"({"tokens": 3})").document;
  EXPECT_EQ(after_edit(with_token_renamed(document, Side::Query, 0, 1, "1")), document);
  EXPECT_EQ(after_edit(with_token_renamed(document, Side::Query, 0, 1, "")).query_tokens[0],
            TokenList::counted(3, {{1, ""}}));
}

TEST(CountedTokens, OfANumberThatIsANameStayANameWhenTheyMove) {
  const Document document = read_ok(R"(["I", "have", "2", "cats"])").document;
  EXPECT_EQ(after_edit(with_token_inserted(document, Side::Query, 0, "Yes")).query_tokens[0],
            (TokenList{"Yes", "I", "have", "2", "cats"}));
}

TEST(CountedTokens, NameRowsAndColumnsOfMatrices) {
  const Document document = read_ok(R"({"tokens": {"count": 2, "names": {"1": "x"}},
      "attention": [[1, 0], [0, 1]]})")
                                .document;
  EXPECT_EQ(row_labels(document, {"/attention", {}}), TokenList::counted(2, {{1, "x"}}));
}

TEST(CountedTokens, OfALongSequenceTakeNoMemoryOfTheirOwn) {
  const Document document = long_document();
  EXPECT_EQ(tokens_of(document, Side::Key).size(), kLong);
  EXPECT_TRUE(tokens_of(document, Side::Key).names().empty());
  EXPECT_EQ(tokens_of(document, Side::Key)[kLong - 1], "131071");
  EXPECT_EQ(token_ids(read_ok(R"({"tokens": 9})").document, {}).key.back(), 8U);
}

TEST(CountedTokens, OfALongSequenceAreEditedAndComeBack) {
  const Document document = long_document();
  const Document named = after_edit(with_token_renamed(document, Side::Key, 0, 70000, "here"));
  const Document grown = after_edit(with_token_inserted(named, Side::Key, 60000, "new"));
  EXPECT_EQ(grown.key_tokens[0], TokenList::counted(kLong + 1, {{60000, "new"}, {70001, "here"}}));
  EXPECT_EQ(after_edit(with_token_deleted(grown, Side::Key, 60000)), named);
  const Document moved = after_edit(with_token_moved(grown, Side::Key, 60000, 0));
  EXPECT_EQ(after_edit(with_token_moved(moved, Side::Key, 0, 60000)), grown);
}

TEST(CountedTokens, ThatDoNotFitTheNumbersAreRefusedWithTheirPlace) {
  const Error error =
      read_error(R"({"tokens": 131072, "q": [[1], [2]], "k": [[1], [2]], "v": [[1], [2]]})");
  EXPECT_EQ(error.pointer, "/tokens");
  EXPECT_EQ(error.found, "131,072 tokens");
  EXPECT_EQ(error.expected, "2, one for each position of the matrices");
  EXPECT_EQ(error.hint, "make the count 2, or leave the tokens out");
  EXPECT_EQ(error.line, 1U);
}

}  // namespace
}  // namespace attn
