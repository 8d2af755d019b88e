// Numbers copied and pasted as text with tabs.
#include "session/number_table.h"

#include <gtest/gtest.h>

#include <limits>

namespace attn {
namespace {

TEST(BlockText, TabsLineEndingsAndBlanksAreRead) {
  for (const char* text : {"1\t-2.5\n3e2\t4", "1\t-2.5\r\n3e2\t4\r\n", "1 -2.5\n300  4\n",
                           "1;-2.5\n3e2; 4", " 1\t -2.5\n3e2 \t4\n"}) {
    const Result<NumberTable> table = parse_numbers(text);
    ASSERT_TRUE(table.ok()) << text << ": " << describe(table.error());
    EXPECT_EQ(table->rows, 2U);
    EXPECT_EQ(table->cols, 2U);
    EXPECT_EQ(table->values, (std::vector<float>{1.0F, -2.5F, 300.0F, 4.0F})) << text;
  }
}

TEST(BlockText, WhatIsNoNumberIsNamedByLineAndCell) {
  const Result<NumberTable> table = parse_numbers("1\t2\n3\t1,5\n");
  ASSERT_FALSE(table.ok());
  EXPECT_EQ(table.error().kind, ErrorKind::BadInput);
  EXPECT_NE(table.error().message.find("line 2, cell 2"), std::string::npos);
  EXPECT_NE(describe(table.error()).find("1,5"), std::string::npos);
}

TEST(BlockText, ALineOfAnotherLengthIsNamedWithBoth) {
  for (const char* text : {"1 2\n3 4\n5\n", "1\t2\n3\t4\n5\n"}) {
    const Result<NumberTable> table = parse_numbers(text);
    ASSERT_FALSE(table.ok());
    EXPECT_NE(describe(table.error()).find("line 3"), std::string::npos) << describe(table.error());
    EXPECT_NE(describe(table.error()).find("2"), std::string::npos);
  }
}

TEST(BlockText, ListsAreRead) {
  for (const char* text : {"[[0.5, 0.25], [1, -2]]", " [[0.5,0.25],\n [1,-2]]\n"}) {
    const Result<NumberTable> table = parse_numbers(text);
    ASSERT_TRUE(table.ok()) << describe(table.error());
    EXPECT_EQ(table->rows, 2U);
    EXPECT_EQ(table->values, (std::vector<float>{0.5F, 0.25F, 1.0F, -2.0F}));
  }
  EXPECT_EQ(parse_numbers("[1, 2, 3]")->cols, 3U);
}

TEST(BlockText, ListsThatAreNoneAreRefusedForWhatTheyAre) {
  const auto said = [](const char* text) {
    const Result<NumberTable> table = parse_numbers(text);
    return table.ok() ? std::string() : table.error().message;
  };
  EXPECT_EQ(said("[[0.5, 0.25]"), "a closing bracket is missing in the pasted lists");
  EXPECT_EQ(said("[0.5, 0.25]]"), "an opening bracket is missing in the pasted lists");
  for (const char* text :
       {"[]", "[[]]", "[[1, 2], [3]]", "[1, [2]]", "[\"a\"]", "[[[1]]]", "[1,]"}) {
    EXPECT_EQ(said(text), "the pasted text is no list of numbers") << text;
  }
}

TEST(BlockText, NumbersOfListsThatNoCellTakesAreRefused) {
  for (const char* text : {"[1, 1e39]", "[[1], [-1e300]]", "[1e-60]"}) {
    const Result<NumberTable> table = parse_numbers(text);
    ASSERT_FALSE(table.ok()) << text;
    EXPECT_NE(table.error().message.find("for 32 bits"), std::string::npos) << text;
  }
}

TEST(BlockText, RaggedLinesAreRefused) {
  const Result<NumberTable> table = parse_numbers("1\t2\n3\n");
  ASSERT_FALSE(table.ok());
  EXPECT_EQ(table.error().found, "1 cell");
  EXPECT_EQ(table.error().expected, "2");
}

TEST(BlockText, NothingAndEmptyCellsAreRefused) {
  for (const char* text : {"", "\n", "1\t\n2\t3\n", "1\t2\n\n3\t4", " ", " ; \n ;"}) {
    EXPECT_FALSE(parse_numbers(text).ok()) << text;
  }
}

TEST(BlockText, WhatIsCopiedCanBePasted) {
  const std::vector<float> values = {0.1F, -0.0F, 1e-45F, 3.4028235e38F, 5.0F, 1.0F / 3.0F};
  const MatrixView matrix{values.data(), 2, 3, 3};
  EXPECT_EQ(numbers_text(matrix, 0, 0, 2, 3), "0.1\t-0\t1e-45\n3.4028235e+38\t5\t0.33333334\n");
  const Result<NumberTable> back = parse_numbers(numbers_text(matrix, 0, 0, 2, 3));
  ASSERT_TRUE(back.ok());
  EXPECT_EQ(std::memcmp(back->values.data(), values.data(), values.size() * sizeof(float)), 0);
  EXPECT_EQ(numbers_text(matrix, 1, 1, 1, 2), "5\t0.33333334\n");
}

}  // namespace
}  // namespace attn
