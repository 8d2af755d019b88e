// Alignments in the forms of translation programs, whole and broken, and texts that are none.
#include "numbers/alignments.h"

#include <gtest/gtest.h>

#include "tests/core/numbers/reading.h"

namespace attn {
namespace {

using test::Rows;
using Names = std::vector<std::string>;

constexpr std::uint64_t kLimit = std::uint64_t{1} << 30U;

Alignments read(std::string_view text) {
  const auto read = read_alignments(text, kLimit);
  EXPECT_TRUE(read.has_value()) << text;
  EXPECT_TRUE(!read || read->ok()) << text << describe(read->error());
  return read && *read ? **read : Alignments{};
}

NumberTable first(std::string_view text) {
  const Alignments all = read(text);
  return all.sentences.empty() ? NumberTable{} : all.sentences.front();
}

std::string refused(std::string_view text) {
  const auto read = read_alignments(text, kLimit);
  EXPECT_TRUE(read && !*read) << text;
  if (!read || *read) return "";
  EXPECT_EQ(read->error().kind, ErrorKind::BadInput);
  return describe(read->error());
}

bool is_none(std::string_view text) { return !read_alignments(text, kLimit).has_value(); }

constexpr const char* kSoftLog =
    "2026-11-01 | INFO | fairseq.tasks | [fr] dictionary: 100 types\n"
    "S-1\tle chat\nT-1\tthe cat\nH-1\t-0.2\tthe cat\nD-1\t-0.2\tThe cat\nP-1\t-0.1 -0.2 -0.3\n"
    "A-1\t0.7,0.2,0.1 0.1,0.8,0.1 0.1,0.1,0.8\n"
    "S-0\tje suis\nH-0\t-0.3\tam\nA-0\t0.5,0.25,0.25 0.25,0.5,0.25\n"
    "Generate test with beam=5\n";

TEST(Alignments, ReadSoftOnesOfFairseqInTheOrderOfTheirNumbers) {
  const Alignments all = read(kSoftLog);
  EXPECT_EQ(all.form, "alignments of fairseq");
  EXPECT_FALSE(all.are_pairs);
  ASSERT_EQ(all.sentences.size(), 2U);
  EXPECT_EQ(test::rows_of(all.sentences[0]), (Rows{{0.5F, 0.25F, 0.25F}, {0.25F, 0.5F, 0.25F}}));
  EXPECT_EQ(all.sentences[0].row_labels, (Names{"am", "</s>"}));
  EXPECT_EQ(all.sentences[0].column_labels, (Names{"je", "suis", "</s>"}));
  EXPECT_EQ(all.sentences[1].at(1, 1), 0.8F);
  EXPECT_EQ(all.sentences[1].row_labels, (Names{"the", "cat", "</s>"}));
}

TEST(Alignments, ReadHardOnesOfFairseq) {
  const NumberTable table = first("S-4\tle chat\nH-4\t-0.2\tthe cat\nA-4\t0-0 1-1 2-1\n");
  EXPECT_EQ(test::rows_of(table), (Rows{{1, 0, 0}, {0, 1, 1}}));
  EXPECT_EQ(table.row_labels, (Names{"the", "cat"}));
  EXPECT_EQ(table.column_labels, (Names{"le", "chat", "</s>"}));
}

TEST(Alignments, TakeTheFirstHypothesisOfFairseq) {
  const Alignments all =
      read("S-0\ta b\nH-0\t-0.1\tc d\nA-0\t0-0 1-1\nH-0\t-0.9\te f\nA-0\t0-1 1-0\n");
  ASSERT_EQ(all.sentences.size(), 1U);
  EXPECT_EQ(all.sentences[0].row_labels, (Names{"c", "d"}));
  EXPECT_EQ(all.sentences[0].at(0, 0), 1.0F);
}

TEST(Alignments, CountPlacesOfAnotherNumberOfWords) {
  const NumberTable table = first("S-0\ta\nH-0\t-0.1\tc\nA-0\t0.2,0.3,0.5 1,0,0 0,1,0\n");
  EXPECT_EQ(table.row_labels, Names{});
  EXPECT_EQ(table.column_labels, Names{});
  EXPECT_EQ(table.rows, 3U);
  EXPECT_EQ(first("A-0\t0.2,0.3,0.5 1,0,0\n").cols, 3U);
}

TEST(Alignments, ReadSoftAndHardOnesOfMarian) {
  const Alignments soft = read("the cat ||| 0.7,0.2,0.1 0.1,0.8,0.1 0,0,1\nyes ||| 0.5,0.5 0,1\n");
  ASSERT_EQ(soft.sentences.size(), 2U);
  EXPECT_EQ(soft.sentences[0].row_labels, (Names{"the", "cat", "</s>"}));
  EXPECT_EQ(soft.sentences[0].column_labels, Names{});
  EXPECT_EQ(test::rows_of(soft.sentences[1]), (Rows{{0.5F, 0.5F}, {0, 1}}));
  const Alignments hard = read("the cat ||| 0-0 1-1 2-2\n");
  EXPECT_TRUE(hard.are_pairs);
  EXPECT_EQ(hard.sentences[0].row_labels, (Names{"the", "cat", "</s>"}));
}

TEST(Alignments, TakeTheFirstOfAListOfTranslations) {
  const Alignments all = read(
      "0 ||| the cat ||| 0-0 1-1 ||| F0= -1.5 ||| -0.7\n"
      "0 ||| a cat ||| 0-0 1-0 ||| F0= -2.5 ||| -0.9\n"
      "1 ||| yes ||| 0-0 ||| F0= -0.5 ||| -0.2\n");
  ASSERT_EQ(all.sentences.size(), 2U);
  EXPECT_EQ(all.sentences[0].row_labels, (Names{"the", "cat"}));
  EXPECT_EQ(all.sentences[1].row_labels, (Names{"yes"}));
}

TEST(Alignments, ReadThoseOfNematus) {
  const Alignments all = read(
      "0 ||| the cat ||| -1.5 ||| le chat ||| 3 3\n0.7 0.2 0.1\n0.1 0.8 0.1\n0 0 1\n\n"
      "1 ||| yes ||| -0.5 ||| oui ||| 2 2\n0.75 0.25\n0 1\n\n");
  ASSERT_EQ(all.sentences.size(), 2U);
  EXPECT_EQ(all.sentences[0].row_labels, (Names{"the", "cat", "</s>"}));
  EXPECT_EQ(all.sentences[0].column_labels, (Names{"le", "chat", "</s>"}));
  EXPECT_EQ(test::rows_of(all.sentences[1]), (Rows{{0.75F, 0.25F}, {0, 1}}));
}

TEST(Alignments, ReadThoseOfOpenNmtWithTheWholeWords) {
  const Alignments all = read(
      "[2026-11-01 10:00:00 INFO] \nSENT 1: ['international', \"l'\", '3']\n"
      "PRED 1: internationalisation the\nPRED SCORE: -0.5\n\n"
      "           internat         l'          3 \n"
      "internatio *0.9000000  0.0500000  0.0500000 \n"
      "       the  0.1000000 *0.8000000  0.1000000 \n"
      "      </s>  0.1000000  0.1000000 *0.8000000 \n\n"
      "SENT 2: ['oui']\nPRED 2: yes\n             oui \n       yes *1.0000000 \n"
      "      </s> *1.0000000 \n");
  // The header cuts words to 7 characters.
  ASSERT_EQ(all.sentences.size(), 2U);
  EXPECT_EQ(all.sentences[0].row_labels, (Names{"internationalisation", "the", "</s>"}));
  EXPECT_EQ(all.sentences[0].column_labels, (Names{"international", "l'", "3"}));
  EXPECT_EQ(test::rows_of(all.sentences[0]),
            (Rows{{0.9F, 0.05F, 0.05F}, {0.1F, 0.8F, 0.1F}, {0.1F, 0.1F, 0.8F}}));
  EXPECT_EQ(test::rows_of(all.sentences[1]), (Rows{{1}, {1}}));
}

TEST(Alignments, ReadPairsOfPharaoh) {
  const Alignments all = read("0-0 1-2 2-1\n\n0-0 1?1 2p3\n0-0:0.5 1-1:0.25\n");
  ASSERT_EQ(all.sentences.size(), 4U);
  EXPECT_TRUE(all.are_pairs);
  EXPECT_EQ(test::rows_of(all.sentences[0]), (Rows{{1, 0, 0}, {0, 0, 1}, {0, 1, 0}}));
  EXPECT_EQ(all.sentences[1].rows, 0U) << "a sentence without pairs";
  EXPECT_EQ(all.sentences[2].at(3, 2), 1.0F);
  EXPECT_EQ(test::rows_of(all.sentences[3]), (Rows{{0.5F, 0}, {0, 0.25F}}));
  EXPECT_EQ(read("0-0 1-1\r\n0-1 1-0\r\n").sentences.size(), 2U);
}

TEST(Alignments, SayWhereAPairLiesOutside) {
  EXPECT_EQ(
      refused("S-0\tle chat\nH-0\t-0.1\tthe cat\nA-0\t0-0 3-1\n"),
      ":3:1: the pair lies outside of its sentence: found 3-1, expected 2 words of the source and "
      "2 of the translation, counted from 0, and the end behind them");
  EXPECT_NE(refused("the cat ||| 0-0 1-9\n").find(":1:1: the pair lies outside"),
            std::string::npos);
  EXPECT_NE(refused("yes ||| 0-0\nno ||| 5-2\n")
                .find("found 5-2, expected any words of the source and 1 of"),
            std::string::npos);
}

TEST(Alignments, SayWhichRowIsNotAsLongAsTheOthers) {
  EXPECT_EQ(refused("A-0\t0.2,0.8 0.5\n"),
            ":1:1: line 2 of the alignment is not as long as the first: found 1 cell, expected 2");
  EXPECT_NE(refused("yes ||| 0.5,0.5 0.2,0.3,0.5\n").find("found 3 cells, expected 2"),
            std::string::npos);
  EXPECT_NE(
      refused("0 ||| a ||| -1 ||| b ||| 2 2\n0.5 0.5\n\n").find("found 2 numbers, expected 4"),
      std::string::npos);
  EXPECT_NE(
      refused("SENT 1: ['a', 'b']\nPRED 1: c\n a b\n c 0.5 0.5\n </s> 0.5\n").find(":4:1: line 2"),
      std::string::npos);
}

TEST(Alignments, SayWhatIsNoNumberAndNoPair) {
  EXPECT_NE(
      refused("yes ||| 0.5,0.5 0.2,x\n").find(":1:1: line 2, cell 2 of the alignment: this is"),
      std::string::npos);
  EXPECT_NE(refused("yes ||| 0-0 1-1\nno ||| 0-0 x-1\n").find(":2:1: this is not a pair"),
            std::string::npos);
  EXPECT_NE(refused("0-0 1-1\n0-0 1=1\n0-1\n").find(":2:1: this is not a pair of words: found 1=1"),
            std::string::npos);
}

TEST(Alignments, SayHowAProgramWritesThem) {
  EXPECT_NE(refused("SENT 1\nPRED 1\n").find("-attn_debug"), std::string::npos);
  EXPECT_NE(
      refused("S-0\tle chat\nH-0\t-0.1\tthe cat\nP-0\t-0.1 -0.1\n").find("--print-alignment soft"),
      std::string::npos);
  EXPECT_NE(refused("SENT 1: ['a']\nPRED 1: b\nPRED SCORE: -0.1\n").find("-attn_debug"),
            std::string::npos);
}

TEST(Alignments, AreNotSeenInOtherTexts) {
  for (const char* text : {"",
                           "\n\n",
                           "The cat sat.\nIt slept.\n",
                           "2020-01-02 2021-03-04\n",
                           "2020-1 2021-2\n",
                           "21-19 18-21 15-12\n",
                           "6-4 3-6 7-5\n",
                           "6-1 0-6 7-5\n",
                           "0-0\n",
                           "555-0199 555-0100\n",
                           "Reds 3-1 Blues\nGreens 2-2 Golds\n",
                           "team,won,lost\nReds,3-1,2-2\n",
                           "[[0.5, 0.5]]",
                           "{\"tokens\": [\"0-0 1-1\"]}",
                           "| a | b |\n|---|---|\n| 1-1 | 2-2 |\n",
                           "-1 -2\n-3 -4\n",
                           "10:30-11:45 12:00-13:00\n",
                           "A-1\t0.2\t0.3\nA-2\t0.4\t0.5\n",
                           "H-1\t0.1\t0.5\n",
                           "x ||| y\nz ||| w\n",
                           "1-2\n0.5\n",
                           "0-0 1-1 9000-9000\n",
                           "1e-05 2e-05\n"}) {
    EXPECT_TRUE(is_none(text)) << text;
  }
}

TEST(Alignments, RefuseMoreThanTheLimit) {
  for (const char* text : {"0-0 1-1 7-7\n", "A-0\t0-0 0-4294967295\n", "A-0\t4294967295-1 0-0\n",
                           "yes ||| 4294967295-0\n"}) {
    const auto read = read_alignments(text, 100);
    ASSERT_TRUE(read && !*read) << text;
    EXPECT_EQ(read->error().kind, ErrorKind::OverMemoryLimit) << text;
  }
}

}  // namespace
}  // namespace attn
