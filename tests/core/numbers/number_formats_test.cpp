// Copied formats are read back unchanged and have the expected syntax.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <regex>
#include <sstream>

#include "base/random.h"
#include "numbers/number_table.h"
#include "tests/core/numbers/reading.h"

namespace attn {
namespace {

using Texts = std::vector<std::string>;

std::string written(std::string_view name, const NumberTable& table) {
  const auto formats = all_number_formats();
  return std::ranges::find(formats, name, &NumberFormat::name)->write(table);
}

// The numbers of write-only formats, separated by tabs.
std::string tabs_of_latex(const std::string& text) {
  std::string lines = text.substr(text.find('\n') + 1);
  lines.erase(lines.rfind("\\end"));
  for (const auto& [spelling, plain] : {std::pair(R"( \\times 10\^\{(-?\d+)\})", "e$1"),
                                        {R"(\\mathrm\{nan\})", "nan"},
                                        {R"(\\infty)", "inf"},
                                        {R"( \\\\\n)", "\n"},
                                        {" & ", "\t"}}) {
    lines = std::regex_replace(lines, std::regex(spelling), plain);
  }
  return lines;
}

std::string tabs_of_markdown(const std::string& text, std::size_t cols) {
  const std::regex numbers("( [^ |]+ \\|){" + std::to_string(cols) + "}$");
  std::istringstream lines(text);
  std::string tabs, line;
  for (std::size_t i = 0; std::getline(lines, line); ++i) {
    std::smatch found;
    if (i < 2 || !std::regex_search(line, found, numbers)) continue;
    tabs += std::regex_replace(found.str(), std::regex(" \\|"), "\t");
    tabs.back() = '\n';
  }
  return tabs;
}

std::string readable(const NumberFormat& format, const NumberTable& table) {
  const std::string text = format.write(table);
  if (format.name == "latex") return tabs_of_latex(text);
  return format.name == "markdown" ? tabs_of_markdown(text, table.cols) : text;
}

// NaNs have one spelling, whatever their bits.
bool is_same_number(float a, float b) {
  return (std::isnan(a) && std::isnan(b)) ||
         std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
}

void expect_reads_back(const NumberFormat& format, const NumberTable& table) {
  const std::string text = readable(format, table);
  const Result<NumberTable> back = read_numbers(text, NonFinite::Read);
  ASSERT_TRUE(back.ok()) << format.name << ": " << text << describe(back.error());
  ASSERT_EQ(back->rows, table.rows) << format.name << ": " << text;
  ASSERT_EQ(back->cols, table.cols) << format.name << ": " << text;
  for (std::size_t i = 0; i < table.values.size(); ++i) {
    ASSERT_TRUE(is_same_number(back->values[i], table.values[i])) << format.name << ": " << text;
  }
  if (format.name != "tsv" && format.name != "csv") return;
  EXPECT_EQ(back->row_labels, table.row_labels) << text;
  EXPECT_EQ(back->column_labels, table.column_labels) << text;
}

float any_float(Random& random) {
  const auto specials = {0.0F,
                         -0.0F,
                         1e20F,
                         1e-45F,
                         -1.1754942e-38F,
                         std::numeric_limits<float>::max(),
                         -std::numeric_limits<float>::infinity(),
                         std::numeric_limits<float>::infinity(),
                         std::numeric_limits<float>::quiet_NaN()};
  const std::uint64_t bits = random.next();
  if (bits % 3 == 0) return specials.begin()[(bits >> 8U) % specials.size()];
  if (bits % 3 == 1) return static_cast<float>((bits >> 8U) % 10);
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits >> 32U));
}

const Texts kHardLabels = {"The",
                           "",
                           "2",
                           "-1.5",
                           "nan",
                           "1,5",
                           "a\tb",
                           "a,b",
                           "a;b",
                           "a|b",
                           "\"",
                           "say \"hi\"",
                           "a\nb",
                           "\r\n",
                           " x ",
                           "[CLS]",
                           "[1]",
                           "[[",
                           "...",
                           "…",
                           "\\begin{matrix}",
                           "&",
                           "\\\\",
                           "|---|",
                           "---",
                           "tensor(1)",
                           "=",
                           "−",
                           "1.0 *",
                           "10 *",
                           "Columns 0 to 1",
                           "`7`",
                           "**",
                           "\xEF\xBB\xBFx",
                           "\\",
                           "<br>",
                           "^",
                           "\xFF",
                           "猫",
                           "5 3",
                           "7\t",
                           "7\n",
                           "7\r8",
                           "\r",
                           "#"};

Texts any_labels(Random& random, std::size_t count) {
  Texts labels;
  for (std::size_t i = 0; i < count; ++i) {
    labels.push_back(kHardLabels[random.next() % kHardLabels.size()]);
  }
  return labels;
}

TEST(NumberFormats, EveryOneReadsBackRandomTables) {
  Random random(7);
  for (int i = 0; i < 3000; ++i) {
    NumberTable table;
    table.rows = 1 + random.next() % 4;
    table.cols = i % 50 == 0 ? 12 : 1 + random.next() % 4;
    for (std::size_t c = 0; c < table.rows * table.cols; ++c) {
      table.values.push_back(any_float(random));
    }
    if (random.next() % 2 == 0) table.row_labels = any_labels(random, table.rows);
    if (random.next() % 2 == 0) table.column_labels = any_labels(random, table.cols);
    for (const NumberFormat& format : all_number_formats()) {
      ASSERT_NO_FATAL_FAILURE(expect_reads_back(format, table)) << i;
    }
  }
}

TEST(NumberFormats, EveryOneReadsBackEachHardLabel) {
  for (const std::string& label : kHardLabels) {
    for (const NumberFormat& format : all_number_formats()) {
      expect_reads_back(format, {1, 1, {5}, {label}, {}});
      expect_reads_back(format, {1, 1, {5}, {}, {label}});
      expect_reads_back(format, {2, 2, {5, 1, 0, 2}, {label, label}, {label, label}});
      expect_reads_back(format, {2, 2, {5, 1, 0, 2}, {}, {label, "x"}});
    }
  }
}

TEST(NumberFormats, WhatHasNoCellIsWrittenAndReadAsNoNumbers) {
  for (const NumberFormat& format : all_number_formats()) {
    const Result<NumberTable> back = read_numbers(readable(format, {}), NonFinite::Read);
    ASSERT_FALSE(back.ok()) << format.name;
    EXPECT_EQ(back.error().message, "there are no numbers in the pasted text") << format.name;
  }
}

NumberTable small_table() {
  return {2, 2, {0.1F, -0.0F, 1e-45F, 3.4028235e38F}, {"The", "a|b"}, {"1", "x, y"}};
}

TEST(NumberFormats, LabelsStandInTheTables) {
  const NumberTable table = small_table();
  EXPECT_EQ(written("tsv", table),
            "\t\"1\"\t\"x, y\"\nThe\t0.1\t-0\n\"a|b\"\t1e-45\t3.4028235e+38\n");
  EXPECT_EQ(written("csv", table), ",\"1\",\"x, y\"\nThe,0.1,-0\n\"a|b\",1e-45,3.4028235e+38\n");
  EXPECT_EQ(written("markdown", table),
            "|  | `1` | x, y |\n| --- | ---: | ---: |\n| The | 0.1 | -0 |\n| a\\|b | 1e-45 | "
            "3.4028235e+38 |\n");
}

TEST(NumberFormats, ProgramsGetNumbersAlone) {
  const NumberTable table = small_table();
  EXPECT_EQ(written("json", table), "[\n  [0.1, -0.0],\n  [1e-45, 3.4028235e+38]\n]\n");
  EXPECT_EQ(written("numpy", table),
            "np.array([[0.1, -0.0],\n          [1e-45, 3.4028235e+38]], dtype=np.float32)\n");
  EXPECT_EQ(written("latex", table),
            "\\begin{bmatrix}\n0.1 & -0 \\\\\n1 \\times 10^{-45} & 3.4028235 \\times 10^{38}\n"
            "\\end{bmatrix}\n");
}

TEST(NumberFormats, WhatIsNotFiniteIsWrittenAsEachKnowsIt) {
  const float infinity = std::numeric_limits<float>::infinity();
  const NumberTable table{1, 3, {std::numeric_limits<float>::quiet_NaN(), infinity, -infinity}};
  EXPECT_EQ(written("tsv", table), "nan\tinf\t-inf\n");
  EXPECT_EQ(written("csv", table), "nan,inf,-inf\n");
  EXPECT_EQ(written("json", table), "[\n  [\"nan\", \"inf\", \"-inf\"]\n]\n");
  EXPECT_EQ(written("numpy", table), "np.array([[np.nan, np.inf, -np.inf]], dtype=np.float32)\n");
  EXPECT_EQ(written("latex", table),
            "\\begin{bmatrix}\n\\mathrm{nan} & \\infty & -\\infty\n\\end{bmatrix}\n");
  EXPECT_EQ(written("markdown", table),
            "|  |  |  |\n| ---: | ---: | ---: |\n| nan | inf | -inf |\n");
}

TEST(NumberFormats, TwoWholeNumbersBetweenACommaAreNotOneWithADecimalComma) {
  EXPECT_EQ(written("csv", {2, 2, {1, 0, 0, 1}}), "1.0,0\n0.0,1\n");
  EXPECT_EQ(written("csv", {1, 2, {-1, 1e20F}}), "-1.0,1e+20\n");
  EXPECT_EQ(written("csv", {1, 2, {1, 0.5F}}), "1,0.5\n");
  EXPECT_EQ(written("csv", {1, 2, {1, -5}}), "1,-5\n");
  EXPECT_EQ(written("csv", {1, 2, {1, 5}, {}, {"a", "b"}}), "a,b\n1,5\n");
}

TEST(NumberFormats, WideMatricesOfLatexAreArrays) {
  const NumberTable wide{1, 11, std::vector<float>(11, 1.0F)};
  EXPECT_TRUE(written("latex", wide).starts_with("\\left[\\begin{array}{*{11}{r}}\n1 & 1"));
}

TEST(NumberFormats, ABlockOfAMatrixIsCutOut) {
  const std::vector<float> values = {0.1F, -0.0F, 1e-45F, 3.4028235e38F, 5.0F, 1.0F / 3.0F};
  const MatrixView matrix{values.data(), 2, 3, 3};
  EXPECT_EQ(tsv_text(cut_table(matrix, 0, 0, 2, 3)),
            "0.1\t-0\t1e-45\n3.4028235e+38\t5\t0.33333334\n");
  EXPECT_EQ(tsv_text(cut_table(matrix, 1, 1, 1, 2)), "5\t0.33333334\n");
}

}  // namespace
}  // namespace attn
