// Tables and alignments in text files, opened as documents.
#include <gtest/gtest.h>

#include <iomanip>
#include <sstream>

#include "base/files.h"
#include "document/axes.h"
#include "document/json/write.h"
#include "document/load/open.h"
#include "document/problem.h"
#include "support/process.h"
#include "support/shared_data.h"

namespace attn {
namespace {

using Names = std::vector<std::string>;

class TextFiles : public testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& bytes) const {
    const std::string path = folder_.file(name);
    EXPECT_TRUE(write_file_atomically(path, bytes, Overwrite::Replace).ok());
    return path;
  }
  Reading opened(const std::string& bytes, const ReadOptions& options = {},
                 const std::string& name = "x.txt") const {
    Result<Reading> reading = open_document(write(name, bytes), options);
    EXPECT_TRUE(reading.ok()) << bytes << (reading ? "" : describe(reading.error()));
    return reading ? *std::move(reading) : Reading{};
  }
  Error refused(const std::string& bytes, const ReadOptions& options = {},
                const std::string& name = "x.txt") const {
    const Result<Reading> reading = open_document(write(name, bytes), options);
    EXPECT_FALSE(reading.ok()) << bytes;
    if (reading) return {};
    EXPECT_EQ(reading.error().file, folder_.file(name));
    EXPECT_EQ(describe(reading.error()).find("pasted"), std::string::npos);
    return reading.error();
  }

  test::TemporaryFolder folder_;
};

const Tensor& weights_of(const Reading& reading) {
  static const Tensor kNone;
  const auto* given = std::get_if<GivenWeights>(&reading.document.model);
  EXPECT_NE(given, nullptr);
  return given == nullptr ? kNone : given->weights;
}

Names names(const Reading& reading, Side side, std::size_t sample = 0) {
  return tokens_of(reading.document, side, {.sample = sample}).texts();
}

TEST_F(TextFiles, OpenTheSameAsPasted) {
  for (const char* text :
       {"0.25\t0.75\n1\t0\n", "0.25,0.75\n1,0\n", "0.25;0.75\n1;0\n", "0.25 0.75\n1.0 0.0\n",
        "[[0.25 0.75]\n [1.   0.  ]]\n", "array([[0.25, 0.75],\n       [1.  , 0.  ]])\n",
        "[[0.25, 0.75], [1, 0]]", "2.500e-01 7.500e-01\n1.000e+00 0.000e+00\n",
        "\xEF\xBB\xBF"
        "0.25,0.75\r\n1,0\r\n",
        ",a,b\r\na,0.25,0.75\r\nb,1,0\r\n", "1\t2\t3\n4\t5\t6\n"}) {
    Reading file = opened(text);
    const Result<Reading> pasted = read_pasted(text);
    ASSERT_TRUE(pasted.ok()) << text;
    EXPECT_EQ(file.document.title, "x");
    EXPECT_EQ(file.document.source, "x.txt");
    file.document.title = file.document.source = "";
    EXPECT_EQ(write_document(file.document), write_document(pasted->document)) << text;
    EXPECT_FALSE(file.is_saved_back) << "saving would write JSON over the table";
    ASSERT_FALSE(file.notes.empty());
    EXPECT_EQ(file.notes.front().find("read as " + pasted->taken_as), 0U) << file.notes.front();
  }
}

TEST_F(TextFiles, AreKnownByTheirContentWhateverTheirName) {
  for (const char* name : {"x", "x.tsv", "x.weights", "x.csv.bak", "X.CSV"}) {
    EXPECT_EQ(weights_of(opened("0.25,0.75\n1,0\n", {}, name))[1], 0.75F) << name;
  }
  EXPECT_EQ(weights_of(opened("[[0.25 0.75]\n [1. 0.]]\n", {}, "x.json")).size(), 4U);
  EXPECT_EQ(opened(R"({"tokens": ["a", "b"]})", {}, "x.csv").document.query_tokens.size(), 1U);
}

TEST_F(TextFiles, NameRowsAndColumnsAsPandasDoes) {
  const Reading reading = opened(",je,suis,</s>\ni,0.5,0.25,0.25\nam,0,1,0\n");
  EXPECT_EQ(names(reading, Side::Query), (Names{"i", "am"}));
  EXPECT_EQ(names(reading, Side::Key), (Names{"je", "suis", "</s>"}));
  EXPECT_EQ(weights_of(reading).shape(), (Shape{2, 3}));
  const Reading counted = opened(",0,1\n0,0.5,0.5\n1,0.25,0.75\n");
  EXPECT_EQ(weights_of(counted).shape(), (Shape{2, 2}));
  EXPECT_EQ(names(counted, Side::Query), (Names{"0", "1"}));
  const Reading quoted = opened("\"\",\"V1\",\"V2\"\n\"1\",0.5,0.5\n\"2\",0.25,0.75\n");
  EXPECT_EQ(names(quoted, Side::Key), (Names{"V1", "V2"}));
  const Reading one_sided = opened("the\t0.5\t0.25\t0.25\ncat\t1\t0\t0\n");
  EXPECT_EQ(names(one_sided, Side::Query), (Names{"the", "cat"}));
  EXPECT_EQ(names(one_sided, Side::Key), (Names{"0", "1", "2"}));
}

TEST_F(TextFiles, WordsChooseTheReading) {
  EXPECT_NE(embeddings_of(opened("0.5,0.5\n1,0\n", {.arrays = "attention="}).document.model),
            nullptr);
  EXPECT_EQ(weights_of(opened("1,2,3\n4,5,6\n", {.arrays = "attention=table"})).shape(),
            (Shape{2, 3}));
  const Reading turned =
      opened(",a,b\nx,0.5,0.5\ny,0.25,0.75\nz,1,0\n", {.arrays = "axes=key,query"});
  EXPECT_EQ(names(turned, Side::Query), (Names{"a", "b"}));
  EXPECT_EQ(names(turned, Side::Key), (Names{"x", "y", "z"}));
  EXPECT_EQ(weights_of(turned)[1], 0.25F);
  const Error error = refused("0.5,0.5\n1,0\n", {.arrays = "q=layers.*.q"});
  EXPECT_EQ(error.message, "this does not apply to tables");
  EXPECT_EQ(error.found, "q=layers.*.q");
}

// The note of each reading names the words that choose the other.
TEST_F(TextFiles, NotesSayWhatWasTakenAndHowToTakeItOtherwise) {
  EXPECT_EQ(opened("0.5,0.5\n1,0\n").notes.front(),
            "read as 2 × 2 numbers as finished attention weights: every row sums to 1; "
            "otherwise with --arrays attention= (embeddings)");
  EXPECT_EQ(
      opened("1,2,4\n3,5,4\n").notes.front(),
      "read as 2 × 3 numbers as embeddings X of 2 tokens; otherwise with --arrays attention=table");
  EXPECT_EQ(opened("0-0 1-1\n0-0 1-2 2-1\n").notes.front(),
            "read as pairs of words, 2 sentences: rows are words of the translation, columns words "
            "of the source; pairs are source-translation (those of amun are reversed); "
            "otherwise with --arrays axes=key,query (rows are keys)");
}

std::string table_of(std::size_t rows, std::size_t cols, int decimals) {
  std::string text;
  for (std::size_t c = 0; c < cols; ++c) text += "\ts" + std::to_string(c);
  for (std::size_t r = 0; r < rows; ++r) {
    text += "\nt" + std::to_string(r);
    double sum = 0.0;
    for (std::size_t c = 0; c < cols; ++c) sum += static_cast<double>((r * 5 + c * 3) % 7 + 1);
    for (std::size_t c = 0; c < cols; ++c) {
      const double share = static_cast<double>((r * 5 + c * 3) % 7 + 1) / sum;
      std::ostringstream cell;
      cell << std::fixed << std::setprecision(decimals) << share;
      text += "\t" + cell.str();
    }
  }
  return text + "\n";
}

// However they were rounded, and where a row is not known.
TEST_F(TextFiles, RoundedWeightsAreWeights) {
  for (const int decimals : {1, 2, 3, 5}) {
    for (const std::size_t cols : {5U, 12U, 30U}) {
      EXPECT_EQ(weights_of(opened(table_of(4, cols, decimals))).size(), 4 * cols)
          << decimals << " decimals of " << cols;
    }
  }
  EXPECT_EQ(weights_of(opened("0.5\t0.5\nnan\tnan\n0.25\t0.75\n")).size(), 6U);
  const Reading unfinished = opened("\tx\ty\na\t0.3\t0.4\nb\t0.9\t0.2\n");
  EXPECT_EQ(weights_of(unfinished).size(), 4U) << "words on both sides, and shares";
  EXPECT_NE(unfinished.taken_as.find("words name rows and columns"), std::string::npos);
  EXPECT_NE(embeddings_of(opened("\tx\ty\na\t0.3\t1.4\nb\t0.9\t0.2\n").document.model), nullptr)
      << "features of tokens";
  EXPECT_NE(opened("0.33,0.33,0.33\n0.5,0.25,0.25\n").taken_as.find("within 0.01"),
            std::string::npos);
}

TEST_F(TextFiles, NumbersMayBeNames) {
  const Reading year =
      opened("\tin\t1999\tcame\nil\t0.5\t0.25\t0.25\n1999\t0\t1\t0\nvint\t0\t0\t1\n");
  EXPECT_EQ(names(year, Side::Key), (Names{"in", "1999", "came"}));
  EXPECT_EQ(names(year, Side::Query), (Names{"il", "1999", "vint"}));
  const Reading counted = opened("0,1,2\n0.5,0.25,0.25\n0.2,0.3,0.5\n");
  EXPECT_EQ(weights_of(counted).size(), 6U) << "pandas without an index";
  const Reading own = opened("query,0,1,2\n0,0.5,0.25,0.25\n1,0.2,0.3,0.5\n");
  EXPECT_EQ(weights_of(own).size(), 6U) << "as the program writes it";
  EXPECT_EQ(names(own, Side::Key), (Names{"0", "1", "2"}));
  EXPECT_EQ(weights_of(opened("0,1\n0.5,0.5\n")).size(), 4U) << "a row of weights";
  EXPECT_EQ(opened("0,1,2\n3,4,5\n").document.query_tokens.front().size(), 2U) << "whole numbers";
}

TEST_F(TextFiles, NamesMayBeginLikeJson) {
  const Reading reading = opened("[CLS]\tthe\n0.5\t0.5\n0.25\t0.75\n", {}, "x.tsv");
  EXPECT_EQ(names(reading, Side::Key), (Names{"[CLS]", "the"}));
  EXPECT_EQ(names(opened("\t[CLS]\tcat\n[CLS]\t0.5\t0.5\ncat\t0.25\t0.75\n"), Side::Key),
            (Names{"[CLS]", "cat"}));
  EXPECT_EQ(names(opened("{\t}\n0.5\t0.5\n0.25\t0.75\n"), Side::Key), (Names{"{", "}"}));
  EXPECT_NE(describe(refused("{tokens: [\"a\"]}")).find("quotation marks"), std::string::npos);
}

TEST_F(TextFiles, LinesOfNumPysHeaderAreNamesOrComments) {
  EXPECT_EQ(names(opened("# a b c\n0.5 0.25 0.25\n0.2 0.3 0.5\n"), Side::Key),
            (Names{"a", "b", "c"}));
  EXPECT_EQ(weights_of(opened("# weights of layer 3\n# head 2\n0.5 0.5\n0.2 0.8\n")).size(), 4U);
}

TEST_F(TextFiles, ATableOfCellsIsRefusedWithTheCure) {
  for (const char* text :
       {"query,key,weight\n0,0,0.5\n0,1,0.5\n1,0,0.25\n1,1,0.75\n",
        "query,key,weight\nil,it,0.5\nil,is,0.5\n", "Source\tTarget\tAttention\nit\til\t0.5\n",
        "layer;head;row;column;value\n0;0;0;0;1\n"}) {
    const Error error = refused(text);
    EXPECT_EQ(error.message, "the table has a line for each cell") << text;
    EXPECT_NE(error.hint.find(".pivot(index="), std::string::npos) << text;
  }
}

TEST_F(TextFiles, AlignmentsSayWhatTheyLeaveOut) {
  const Reading words = opened("ein Haus ||| 0.5,0.5 0.25,0.75 1,0 0,1\n");
  EXPECT_NE(words.notes.front().find("the words of the translation are numbered in 1 sentence"),
            std::string::npos)
      << words.notes.front();
  const Reading best =
      opened("0 ||| ein Haus ||| 0.5,0.5 0.25,0.75 ||| s\n0 ||| das Haus ||| 0.5,0.5 1,0 ||| s\n");
  EXPECT_NE(best.notes.front().find("1 further translation of them not read"), std::string::npos)
      << best.notes.front();
  const Error stray =
      refused("0 ||| ein Haus ||| 0 ||| a house ||| 2 2\n0.5 0.5\n0.25 0.75\n0.03 0.97\n");
  EXPECT_EQ(stray.line, 4U);
  EXPECT_NE(stray.message.find("belongs to no sentence"), std::string::npos) << describe(stray);
}

TEST_F(TextFiles, SentencesAreSamplesOfTheirLengths) {
  const Reading reading = opened(
      "S-0\tje suis\nH-0\t-0.3\tam\nA-0\t0.5,0.25,0.25 0.25,0.5,0.25\n"
      "S-1\tle chat noir\nH-1\t-0.2\tthe cat\nA-1\t0.7,0.1,0.1,0.1 0,1,0,0 0,0,0,1\n");
  EXPECT_EQ(weights_of(reading).shape(), (Shape{2, 3, 4}));
  EXPECT_EQ(names(reading, Side::Query, 1), (Names{"the", "cat", "</s>"}));
  EXPECT_EQ(names(reading, Side::Key, 1), (Names{"le", "chat", "noir", "</s>"}));
  const AttentionProblem problem = make_problem(reading.document);
  EXPECT_EQ(problem.mask.key_padding[0], (std::vector<std::uint8_t>{1, 1, 1, 0}));
  EXPECT_EQ(problem.mask.query_padding[0], (std::vector<std::uint8_t>{1, 1, 0}));
  const Tensor& numbers = weights_of(reading);
  EXPECT_EQ(numbers[4], 0.25F) << "row 1 of the first sentence";
  EXPECT_EQ(numbers[12], 0.7F) << "row 0 of the second";
}

TEST_F(TextFiles, PassOverAByteOrderMark) {
  for (const char* text : {"0-0 1-1\r\n0-1 1-0\r\n", "le chat ||| 0.5,0.5 0,1 1,0\r\n",
                           ",a,b\r\na,0.5,0.5\r\nb,0,1\r\n"}) {
    EXPECT_EQ(opened("\xEF\xBB\xBF" + std::string(text)).document, opened(text).document) << text;
  }
}

TEST_F(TextFiles, ASentenceWithoutPairsIsASample) {
  const Reading reading = opened("0-0 1-1\n\n0-1 1-0\n");
  EXPECT_EQ(weights_of(reading).shape(), (Shape{3, 2, 2}));
}

TEST_F(TextFiles, PairsAreTurnedOnRequest) {
  const Reading reading = opened("0-0 1-2\n", {.arrays = "axes=key,query"});
  EXPECT_EQ(weights_of(reading).shape(), (Shape{1, 2, 3}));
}

TEST_F(TextFiles, ColumnsNumberSamplesLayersAndHeads) {
  const Reading reading = opened(
      "layer,head,query,a,b\n0,0,a,1,0\n0,0,b,0.5,0.5\n0,1,a,1,0\n0,1,b,0.25,0.75\n"
      "4,0,a,1,0\n4,0,b,0.125,0.875\n4,1,a,1,0\n4,1,b,0,1\n");
  EXPECT_EQ(weights_of(reading).shape(), (Shape{2, 2, 2, 2}));
  EXPECT_EQ(weights_of(reading)[10], 0.125F);
  EXPECT_EQ(names(reading, Side::Query), (Names{"a", "b"}));
  EXPECT_FALSE(reading.document.cross);
  EXPECT_EQ(reading.document.layer_numbers, (std::vector<std::uint64_t>{0, 4}));
  const Reading samples =
      opened("sample,query,x,y\n0,a,1,0\n0,b,0.5,0.5\n1,c,1,0\n1,d,0.25,0.75\n");
  EXPECT_EQ(weights_of(samples).shape(), (Shape{2, 2, 2}));
  EXPECT_EQ(names(samples, Side::Query, 1), (Names{"c", "d"}));
  EXPECT_EQ(names(samples, Side::Key, 1), (Names{"x", "y"}));
}

// Rows may be in any order, as their numbers give their places.
TEST_F(TextFiles, RefuseHeadsOfDifferentRows) {
  EXPECT_EQ(refused("head,query,a,b\n0,a,1,0\n0,b,1,0\n1,a,1,0\n").message,
            "the head of rows are not numbered evenly");
  EXPECT_EQ(refused("layer,head,query,a,b\n0,0,a,1,0\n0,1,a,1,0\n1,0,a,0,1\n").found,
            "3 rows in 3 parts");
  EXPECT_EQ(weights_of(opened("head,query,a,b\n1,a,0.5,0.5\n0,a,1,0\n1,b,0,1\n0,b,1,0\n"))[4],
            0.5F);
}

TEST_F(TextFiles, SayWhatIsWrongInATable) {
  const auto said = [&](const std::string& bytes) {
    const std::string text = describe(refused(bytes));
    return text.substr(folder_.file("x.txt").size() + 2);
  };
  EXPECT_EQ(said("a,b\n1,2\n3\n"),
            "line 3 of the file is not as long as the first: found 1 cell, expected 2");
  EXPECT_EQ(said("0,5;0,5\n1,0;0,0\n").substr(0, 53),
            "line 1, cell 1 of the file: the number has a comma: f");
  EXPECT_NE(said("[[0.1 0.2 ... 0.3]\n [0.1 0.2 ... 0.3]]\n").find("numpy.set_printoptions"),
            std::string::npos);
  EXPECT_NE(
      said("team,won,rank\nReds,3,first\nBlues,2,second\n").find("line 2, cell 3 of the file"),
      std::string::npos);
  EXPECT_NE(said("1,2\n3,nil\n").find("line 2, cell 2 of the file"), std::string::npos);
  EXPECT_NE(said("[[[1 2]\n  [3 4]]]\n").find("the lists are 3 deep"), std::string::npos);
}

TEST_F(TextFiles, AreNeverTakenForWords) {
  for (const char* bytes : {"The cat sat on the mat.\nIt was tired.\n", "# Title\n\nSome text.\n",
                            "| a | b |\n|---|---|\n| x | y |\n", "one\n", "42\n",
                            "2026-11-01 INFO started\n2026-11-02 INFO stopped\n",
                            "import numpy as np\nprint(np.ones(3))\n"}) {
    const Error error = refused(bytes);
    EXPECT_EQ(error.kind, ErrorKind::BadInput);
    EXPECT_EQ(error.message, "this is neither a document nor a table or alignment that can be read")
        << bytes;
    EXPECT_NE(error.expected.find("fairseq"), std::string::npos);
    EXPECT_NE(error.hint.find("JSON"), std::string::npos);
  }
}

TEST_F(TextFiles, SayWhatIsNoText) {
  EXPECT_EQ(refused("").message, "the file is empty");
  EXPECT_EQ(refused("\r\n \n").message, "the file is empty");
  EXPECT_EQ(refused(std::string("\x7f"
                                "ELF\2\1\1\0\0",
                                9))
                .message,
            "this is neither a document nor a table or alignment that can be read");
  const Error latin = refused("a,b\n1,\xe9\n");
  EXPECT_EQ(latin.message, "the text is not valid UTF-8");
  EXPECT_EQ(latin.line, 2U);
}

TEST_F(TextFiles, StayWithinTheLimit) {
  std::string wide;
  for (int i = 0; i < 1'000'000; ++i) wide += "0.5,";
  const Error error = refused(wide + "1\n", {.memory_limit_bytes = std::uint64_t{64} << 20U});
  EXPECT_EQ(error.kind, ErrorKind::OverMemoryLimit);
  std::string pairs;  // a matrix of 40,000 × 40,000
  for (int i = 0; i < 40'000; ++i) pairs += std::to_string(i) + "-" + std::to_string(i) + " ";
  const Error long_one = refused(pairs, {.memory_limit_bytes = std::uint64_t{64} << 20U});
  EXPECT_EQ(long_one.kind, ErrorKind::OverMemoryLimit);
  std::string uneven;  // 100 short sentences after a long one
  for (int i = 0; i < 1000; ++i) uneven += std::to_string(i) + "-" + std::to_string(i) + " ";
  for (int i = 0; i < 100; ++i) uneven += "\n0-0 1-1";
  EXPECT_EQ(refused(uneven, {.memory_limit_bytes = std::uint64_t{64} << 20U}).kind,
            ErrorKind::OverMemoryLimit);
}

TEST_F(TextFiles, CanBeCalledOff) {
  Progress progress;
  progress.cancelled = true;
  EXPECT_EQ(refused("0.5,0.5\n1,0\n", {.progress = &progress}).kind, ErrorKind::Interrupted);
}

TEST(SharedTextFiles, OpenWithTheirValues) {
  const auto table = test::shared_file("inputs/pandas.csv");
  const auto log = test::shared_file("inputs/fairseq-soft.txt");
  ATTNSCOPE_SKIP_WITHOUT(table && log);
  for (const std::string& file : {*table, *log}) {
    const Result<Reading> reading = open_document(file);
    ASSERT_TRUE(reading.ok()) << describe(reading.error());
    EXPECT_EQ(names(*reading, Side::Query), (Names{"i", "am", "tired", "</s>"}));
    EXPECT_EQ(names(*reading, Side::Key), (Names{"je", "suis", "las", "</s>"}));
    const float values[] = {0.0781F, 0.0647F, 0.61F,   0.2472F, 0.0358F, 0.2897F, 0.188F,  0.4865F,
                            0.0303F, 0.7014F, 0.1392F, 0.129F,  0.4988F, 0.0326F, 0.4436F, 0.025F};
    ASSERT_EQ(weights_of(*reading).size(), 16U);
    for (std::size_t i = 0; i < 16; ++i) EXPECT_NEAR(weights_of(*reading)[i], values[i], 1e-7) << i;
  }
}

}  // namespace
}  // namespace attn
