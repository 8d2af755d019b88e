// Documents made of copied text, in every form that it may have.
#include <gtest/gtest.h>

#include "document/edit.h"
#include "document/load/open.h"

namespace attn {
namespace {

Reading pasted(const std::string& text) {
  Result<Reading> read = read_pasted(text);
  EXPECT_TRUE(read.ok()) << text << (read.ok() ? "" : describe(read.error()));
  return read.ok() ? *std::move(read) : Reading{};
}

Error refused(const std::string& text) {
  const Result<Reading> read = read_pasted(text);
  EXPECT_FALSE(read.ok()) << text;
  return read.ok() ? Error{} : read.error();
}

std::vector<std::string> tokens(const Reading& pasted, Side side = Side::Query) {
  return tokens_of(pasted.document, side).texts();
}

const Tensor& embeddings(const Reading& pasted) {
  return embeddings_of(pasted.document.model)->query;
}

TEST(ReadPasted, TakesTheTextOfADocument) {
  const std::string text = R"( {"q": [[1, 2]], "k": [[1, 2]], "v": [[3]], "title": "T"} )";
  const Reading read = pasted(text);
  EXPECT_EQ(read.document, read_document(text, "it")->document);
  EXPECT_EQ(read.taken_as, "a document: " + read.reading);
}

TEST(ReadPasted, TakesAListOfTokens) {
  EXPECT_EQ(tokens(pasted(R"(["I", "love", "cats"])")),
            (std::vector<std::string>{"I", "love", "cats"}));
  EXPECT_EQ(pasted(R"([["a"], ["b", "c"]])").document.query_tokens.size(), 2U);
}

TEST(ReadPasted, SaysWhereADocumentIsWrong) {
  const Error error = refused("{\"tokens\": [\"a\"],\n \"headz\": 2}");
  EXPECT_EQ(error.message, "unknown key");
  EXPECT_EQ(error.line, 2U);
  EXPECT_EQ(error.file, "the copied text");
}

TEST(ReadPasted, TakesATableWhoseRowsSumToOneForWeights) {
  for (const char* text : {"0.25\t0.75\n1\t0\n", "0.25,0.75\n1,0", "[[0.25, 0.75], [1.0, 0.0]]",
                           "array([[0.25, 0.75],\n       [1.  , 0.  ]])"}) {
    const Reading read = pasted(text);
    const auto* weights = std::get_if<GivenWeights>(&read.document.model);
    ASSERT_NE(weights, nullptr) << text;
    EXPECT_EQ(weights->weights, Tensor({2, 2}, {0.25F, 0.75F, 1.0F, 0.0F})) << text;
    EXPECT_EQ(read.taken_as, "2 × 2 numbers as finished attention weights: every row sums to 1");
    EXPECT_FALSE(read.document.cross);
  }
}

// One query, and two over more keys.
TEST(ReadPasted, TakesWeightsOfAnySize) {
  for (const char* text :
       {"0.5\t0.5\n", "0.5\t0.25\t0.25\n0\t1\t0\n", "[[0.5, 0.5], [0.5, 0.5], [1, 0]]"}) {
    EXPECT_TRUE(std::holds_alternative<GivenWeights>(pasted(text).document.model)) << text;
  }
}

TEST(ReadPasted, TakesAlignments) {
  const Reading read = pasted("S-0\tje suis\nH-0\t-0.3\tam\nA-0\t0.5,0.25,0.25 0.25,0.5,0.25\n");
  EXPECT_EQ(tokens(read), (std::vector<std::string>{"am", "</s>"}));
  const Error error = refused("0-0 1-1\n0-0 x-1\n1-1\n");
  EXPECT_EQ(error.file, "the copied text");
  EXPECT_EQ(error.line, 2U);
}

TEST(ReadPasted, TakesAnyOtherTableForEmbeddings) {
  for (const char* text : {"0.25\t0.5\n1\t0\n", "1.5\t-0.5\n1\t0\n", "1\n1\n1\n", "1 2 3",
                           "[[0.5, 0.5], [0.5, 0.25], [1, 0]]", "nan 1\n0 5"}) {
    EXPECT_NE(embeddings_of(pasted(text).document.model), nullptr) << text;
  }
  const Reading read = pasted("1\t2\t3\n4\t5\t6\n");
  EXPECT_EQ(embeddings(read), Tensor({2, 3}, {1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(read.taken_as, "2 × 3 numbers as embeddings X of 2 tokens");
  EXPECT_EQ(tokens(read), (std::vector<std::string>{"0", "1"}));
}

TEST(ReadPasted, NamesRowsAndColumnsAsTheTableDoes) {
  const Reading features = pasted("\tanimal\tplural\ncat\t1\t0\ndogs\t1\t2\n");
  EXPECT_EQ(tokens(features), (std::vector<std::string>{"cat", "dogs"}));
  EXPECT_EQ(*features.document.features.name_of(FeatureAxis::Model, 1), "plural");
  const Reading self = pasted("\ta\tb\na\t1\t0\nb\t0.5\t0.5\n");
  EXPECT_FALSE(self.document.cross);
  EXPECT_EQ(tokens(self), (std::vector<std::string>{"a", "b"}));
  const Reading cross = pasted("\tle\tchat\nthe\t1\t0\ncat\t0.5\t0.5\n");
  EXPECT_TRUE(cross.document.cross);
  EXPECT_EQ(tokens(cross), (std::vector<std::string>{"the", "cat"}));
  EXPECT_EQ(tokens(cross, Side::Key), (std::vector<std::string>{"le", "chat"}));
  EXPECT_EQ(tokens(pasted("a\tb\n1\t0\n0.5\t0.5\n")), (std::vector<std::string>{"a", "b"}));
}

TEST(ReadPasted, TakesWordsForTokens) {
  const Reading read = pasted("The cat sat on 3 mats, purring.\n");
  EXPECT_EQ(tokens(read), (std::vector<std::string>{"The", "cat", "sat", "on", "3", "mats", ",",
                                                    "purring", "."}));
  EXPECT_EQ(read.taken_as, "a text of 9 tokens");
  EXPECT_EQ(tokens(pasted("42")), (std::vector<std::string>{"42"}));
  EXPECT_EQ(tokens(pasted("3, 5 and 7")).size(), 5U);
  EXPECT_EQ(pasted("cat").taken_as, "a text of 1 token");
}

TEST(ReadPasted, RefusesATableWithASlipInIt) {
  EXPECT_NE(describe(refused("1\t2\t3\n4\tx\t6\n")).find("line 2, cell 2"), std::string::npos);
  EXPECT_NE(describe(refused("1\t2\t3\n4\t5\n")).find("2"), std::string::npos);
  EXPECT_FALSE(refused("[[1, 2], [3]]").message.empty());
  EXPECT_FALSE(refused("array([[1., 2., ..., 3.],\n       [4., 5., ..., 6.]])").message.empty());
}

TEST(ReadPasted, RefusesWhatHasNoToken) {
  EXPECT_EQ(refused(" \n").message, "the text has no token");
}

TEST(ReadPasted, SaysWhichByteIsNoUtf8) {
  const Error words = refused("The cat\nand caf\xe9 au lait");
  EXPECT_EQ(words.kind, ErrorKind::BadInput);
  EXPECT_EQ(describe(words),
            "the copied text:2:8: the text is not valid UTF-8: found the byte 233 at offset 15, "
            "expected UTF-8; copy it again from a program that shows its letters correctly");
}

TEST(ReadPasted, RefusesALabelThatIsNoUtf8) {
  for (const char* text : {"\tcaf\xe9\tb\na\t1\t2\nb\t3\t4\n", "a,1,2\nb\xff,3,4\n",
                           "| | a\xe9 |\n|---|---|\n| b | 1 |\n"}) {
    EXPECT_EQ(refused(text).message, "the text is not valid UTF-8") << text;
  }
}

// The error names the value that has the byte, as for a file.
TEST(ReadPasted, SaysInWhichValueOfADocumentAByteIsNoUtf8) {
  const Error error = refused("{\"tokens\": [\"a\",\n\"@\xff\"]}");
  EXPECT_EQ(describe(error),
            "the copied text:2:3: /tokens/1: the text is not valid UTF-8: found the byte 255, "
            "expected UTF-8; write it as UTF-8");
}

TEST(ReadPasted, RefusesWhatTakesTooMuchMemory) {
  const Result<Reading> read = read_pasted("1\t2\n3\t4\n", {.memory_limit_bytes = 64});
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.error().kind, ErrorKind::OverMemoryLimit);
}

}  // namespace
}  // namespace attn
