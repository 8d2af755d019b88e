// Numbers pasted as lines of cells between tabs, semicolons, commas or blanks.
#include <cmath>

#include "tests/core/numbers/reading.h"

namespace attn {
namespace {

using test::numbers_in;
using test::refusal_of;
using test::Rows;
using test::table_in;

using Names = std::vector<std::string>;

TEST(PastedLines, EverySeparatorAndLineEndingIsRead) {
  for (const char* text : {"1\t-2.5\n3e2\t4", "1\t-2.5\r\n3e2\t4\r\n", "1 -2.5\n300  4\n",
                           "1;-2.5\n3e2; 4", " 1\t -2.5\n3e2 \t4\n", "1,-2.5\n3e2,4",
                           "1, -2.5\n300, 4\n", "\"1\",\"-2.5\"\n\"3e2\",\"4\"\n",
                           "1;-2.5;\n3e2;4;\n", "1,-2.5,\r\n3e2,4,\r\n", "\n\n1 -2.5\n3e2 4\n\n \n",
                           "\xEF\xBB\xBF"
                           "1,-2.5\n3e2,4"}) {
    EXPECT_EQ(numbers_in(text), (Rows{{1.0F, -2.5F}, {300.0F, 4.0F}})) << text;
  }
}

TEST(PastedLines, TheMinusOfTypographyIsAMinus) {
  EXPECT_EQ(numbers_in("−1\t2e−3"), (Rows{{-1.0F, 2e-3F}}));
}

TEST(PastedLines, WhatIsNoNumberIsNamedByLineAndCell) {
  EXPECT_EQ(refusal_of("1\t2\n3\t1,5\n"),
            "line 2, cell 2 of the pasted text: the number has a comma: found “1,5”, expected a "
            "number such as 0.25, -3 or 1e-4; use a point: 1.5");
  EXPECT_NE(
      refusal_of("1,2\n3,x\n").find("line 2, cell 2 of the pasted text: this is not a number"),
      std::string::npos);
  EXPECT_NE(refusal_of("1\tx\n3\t4\n").find("line 1, cell 2"), std::string::npos);
  EXPECT_NE(refusal_of("x\ty\n3\t4\n5\tz\n").find("line 3, cell 2"), std::string::npos);
}

TEST(PastedLines, ADecimalCommaIsNeverTakenForASeparator) {
  for (const char* text :
       {"1,5", "1,5\n2,25\n", "-1,5", "1,5e3", "1,5;2,5", "1,5\t2,5\t3", "1,5 2,5"}) {
    EXPECT_NE(refusal_of(text).find("the number has a comma"), std::string::npos) << text;
    EXPECT_NE(refusal_of(text).find("use a point: 1.5"), std::string::npos) << text;
  }
  EXPECT_NE(refusal_of("1,5").find("or a blank between two numbers: 1, 5"), std::string::npos);
  EXPECT_EQ(numbers_in("1, 5"), (Rows{{1.0F, 5.0F}}));
  EXPECT_EQ(numbers_in("1.0,5"), (Rows{{1.0F, 5.0F}}));
  EXPECT_EQ(numbers_in("1,5,2"), (Rows{{1.0F, 5.0F, 2.0F}}));
}

TEST(PastedLines, ALineOfAnotherLengthIsNamedWithBoth) {
  for (const char* text : {"1 2\n3 4\n5\n", "1\t2\n3\t4\n5\n", "1.5,2\n3,4\n5\n"}) {
    EXPECT_EQ(refusal_of(text),
              "line 3 of the pasted text is not as long as the first: found 1 cell, expected 2");
  }
}

TEST(PastedLines, NothingAndEmptyCellsAreRefused) {
  for (const char* text : {"", "\n", "1\t\n2\t3\n", "1\t2\n\n3\t4", " ", " ; \n ;", "\t", "1,,2"}) {
    EXPECT_NE(refusal_of(text), "") << text;
  }
  EXPECT_EQ(refusal_of(""), "there are no numbers in the pasted text");
}

TEST(PastedLines, LabelsAreKeptApart) {
  for (const char* text : {"\tThe\tcat\nThe\t1\t2\nsat\t3\t4\n", ",The,cat\nThe,1,2\nsat,3,4\n",
                           "token\tThe\tcat\nThe\t1\t2\nsat\t3\t4\n", "The cat\nThe 1 2\nsat 3 4",
                           "\"\",\"The\",\"cat\"\n\"The\",\"1\",\"2\"\n\"sat\",\"3\",\"4\"\n"}) {
    const NumberTable table = table_in(text);
    EXPECT_EQ(test::rows_of(table), (Rows{{1, 2}, {3, 4}})) << text;
    EXPECT_EQ(table.row_labels, (Names{"The", "sat"})) << text;
    EXPECT_EQ(table.column_labels, (Names{"The", "cat"})) << text;
  }
}

TEST(PastedLines, LabelsOfOneSideAreKeptApart) {
  const NumberTable columns = table_in("The\tcat\n1\t2\n3\t4\n");
  EXPECT_EQ(columns.column_labels, (Names{"The", "cat"}));
  EXPECT_EQ(columns.row_labels, Names{});
  EXPECT_EQ(columns.values, (std::vector<float>{1, 2, 3, 4}));
  const NumberTable rows = table_in("[CLS]\t1\t2\n[SEP]\t3\t4\n");
  EXPECT_EQ(rows.row_labels, (Names{"[CLS]", "[SEP]"}));
  EXPECT_EQ(rows.column_labels, Names{});
  EXPECT_EQ(table_in("The\t1\t2").row_labels, Names{"The"});
  EXPECT_EQ(table_in("x\n1\n2").column_labels, Names{"x"});
}

TEST(PastedLines, AnEmptyCornerMakesNumbersNames) {
  const NumberTable indexed = table_in("\t0\t1\nThe\t0.5\t0.25\n");
  EXPECT_EQ(indexed.column_labels, (Names{"0", "1"}));
  EXPECT_EQ(indexed.values, (std::vector<float>{0.5F, 0.25F}));
  EXPECT_EQ(table_in(",a,b\n0,1,2\n").row_labels, Names{"0"});
  EXPECT_NE(refusal_of("\t2\n3\t4\n").find("line 1, cell 1"), std::string::npos);
}

TEST(PastedLines, LabelsInQuotesMayHoldAnything) {
  const NumberTable table = table_in("\"a,\nb\",\"say \"\"hi\"\"\",\"2\"\n1,2,3\n");
  EXPECT_EQ(table.column_labels, (Names{"a,\nb", "say \"hi\"", "2"}));
  EXPECT_EQ(table.values, (std::vector<float>{1, 2, 3}));
  EXPECT_NE(refusal_of("\"a\nb\",c\n1,x\n").find("line 3, cell 2"), std::string::npos);
  EXPECT_EQ(table_in("\"[[1]] | \\begin{matrix}\"\t\"…\"\n5\t6\n").values,
            (std::vector<float>{5, 6}));
}

TEST(PastedLines, QuotesThatAreNotClosedAreNamed) {
  EXPECT_EQ(refusal_of("1\t2\n\"3\t4\n"),
            "the quotation mark in line 2 of the pasted text is not closed");
  EXPECT_EQ(refusal_of("\"a\"b\t2\n"),
            "line 1 of the pasted text goes on after a quotation mark: found “b⇥2”");
}

TEST(PastedLines, NumbersThatWereLeftOutAreNotGuessed) {
  EXPECT_EQ(refusal_of("1 2 ... 9\n1 2 ... 9\n"),
            "numbers were left out with “...” in line 1 of the pasted text; paste all of them");
  EXPECT_NE(refusal_of("1\t2\n…\n5\t6\n").find("in line 2"), std::string::npos);
  EXPECT_NE(refusal_of("a b ... c\n1 2 ... 9\n").find("in line 2"), std::string::npos);
}

TEST(PastedLines, WhatIsNotFiniteIsReadWhereItMay) {
  EXPECT_NE(
      refusal_of("1\tnan").find("line 1, cell 2 of the pasted text: the number is not finite"),
      std::string::npos);
  EXPECT_EQ(numbers_in("inf\t-Infinity\t−∞", NonFinite::Read)[0],
            (std::vector<float>{INFINITY, -INFINITY, -INFINITY}));
  EXPECT_TRUE(std::isnan(numbers_in("NaN", NonFinite::Read)[0][0]));
}

}  // namespace
}  // namespace attn
