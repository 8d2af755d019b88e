// Numbers pasted as matrices of LaTeX, tables of Markdown and prints in blocks of columns.
#include <cmath>

#include "tests/core/numbers/reading.h"

namespace attn {
namespace {

using test::numbers_in;
using test::refusal_of;
using test::Rows;
using test::table_in;

using Labels = std::vector<std::string>;

TEST(PastedLatex, EveryMatrixIsRead) {
  for (const char* text : {
           "\\begin{bmatrix}0.5 & 0.25 \\\\ 1 & -2\\end{bmatrix}",
           "\\begin{pmatrix}\n0.5 & 0.25 \\\\[2pt]\n1 & −2 \\\\\n\\end{pmatrix}",
           "$$\\left[\\begin{array}{r@{}r}\n0.5&0.25\\\\\\hline 1&-2\\end{array}\\right]$$",
           "\\begin{bmatrix*}[r] 0.5 & 0.25 \\\\* 1 & -2 \\end{bmatrix*}",
           "A = \\begin{matrix} \\mathbf{0.5} & $0.25$ \\\\ {1} & \\num{-2} \\end{matrix}.",
           "0.5 & 0.25 \\\\ 1 & -2",
           "\\begin{table}\n\\centering\n\\begin{tabular}{|l|r|}\n\\toprule\n0.5 & 0.25 \\\\ % "
           "first\n"
           "\\midrule\n1 & \\textbf{-2} \\\\\n\\cmidrule(lr){1-2}\n\\bottomrule\n\\end{tabular}\n"
           "\\end{table}",
           "\\begin{tabularx}{\\textwidth}{XX} 5 \\times 10^{-1} & 25 \\cdot 10^{-2} \\\\ 10^0 & "
           "-2 \\end{tabularx}",
       }) {
    EXPECT_EQ(numbers_in(text), (Rows{{0.5F, 0.25F}, {1.0F, -2.0F}})) << text;
  }
}

TEST(PastedLatex, LabelsAreKeptApart) {
  const NumberTable table = table_in(
      "\\begin{tabular}{lrr}\n & The & sat\\_on \\\\ \\hline\n\\textbf{cat} & 1 & 2 \\\\\n"
      "R\\&D & 3 & 4 \\\\\n\\end{tabular}");
  EXPECT_EQ(table.column_labels, (Labels{"The", "sat_on"}));
  EXPECT_EQ(table.row_labels, (Labels{"cat", "R&D"}));
  EXPECT_EQ(table.values, (std::vector<float>{1, 2, 3, 4}));
}

TEST(PastedLatex, WhatIsNotFiniteIsReadWhereItMay) {
  const char* text = "\\begin{bmatrix}\\infty & -\\infty & \\mathrm{nan}\\end{bmatrix}";
  const Rows rows = numbers_in(text, NonFinite::Read);
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0][0], INFINITY);
  EXPECT_EQ(rows[0][1], -INFINITY);
  EXPECT_TRUE(std::isnan(rows[0][2]));
  EXPECT_NE(refusal_of(text).find("line 1, cell 1"), std::string::npos);
}

TEST(PastedLatex, WhatIsNoMatrixIsRefusedForWhatItIs) {
  const auto expect_said = [](const char* text, const char* words) {
    EXPECT_NE(refusal_of(text).find(words), std::string::npos) << text << ": " << refusal_of(text);
  };
  expect_said("\\begin{bmatrix}\n1 & 2 \\\\\n3 & x\n\\end{bmatrix}",
              "line 3, cell 2 of the pasted text");
  expect_said(
      "\\begin{tabular}{rr}\n\\toprule\n1 & 2 \\\\\n\\midrule\n\n3 & 1,5 \\\\\n\\end{tabular}",
      "line 6, cell 2 of the pasted text: the number has a comma");
  expect_said("\\begin{bmatrix}1 & 2 \\\\ 3\\end{bmatrix}", "not as long as the first");
  expect_said("\\begin{bmatrix}1 & 2", "line 1 of the pasted text: “bmatrix” has no end");
  expect_said("\n\\begin{align}1 & 2\\end{align}",
              "line 2 of the pasted text: “align” is no matrix");
  expect_said("\\begin{bmatrix}1\\end{bmatrix}\n\\begin{bmatrix}2\\end{bmatrix}",
              "line 2 of the pasted text: “bmatrix” is a second table");
  expect_said("\\begin{bmatrix}1 & \\cdots & 3 \\\\ 4 & \\cdots & 6\\end{bmatrix}", "left out");
  expect_said("\\begin{bmatrix}\\underline{1} & \\frac{1}{2}\\end{bmatrix}", "line 1, cell 2");
  expect_said("0.5 \\pm 0.1 & 2 \\\\ 0.5 \\pm 0.1 & 3", "line 1, cell 1");
  expect_said("\\begin{bmatrix}\\end{bmatrix}", "there are no numbers");
}

TEST(PastedLatex, WhatActsOnAMatrixIsNotIgnored) {
  const std::string matrix = "\\begin{bmatrix}1 & 2\\end{bmatrix}";
  const std::string array = "\\left[\\begin{array}{rr}1 & 2\\end{array}\\right]";
  for (const std::string& inner : {matrix, array}) {
    for (const std::string& text :
         {"0.5 " + inner, "\\frac{1}{2}" + inner, "10^{-3} \\cdot " + inner, "A = -" + inner,
          inner + "^\\top", inner + " \\times 2"}) {
      EXPECT_NE(refusal_of(text).find("line 1 of the pasted text: “"), std::string::npos) << text;
      EXPECT_NE(
          refusal_of(text).find("has a factor or an exponent beside it; paste the matrix alone"),
          std::string::npos)
          << text;
    }
    EXPECT_EQ(numbers_in("W_1 = " + inner + ", \\quad x"), (Rows{{1, 2}}));
    EXPECT_EQ(numbers_in("\\begin{equation}\n" + inner + "\\end{equation}"), (Rows{{1, 2}}));
  }
}

TEST(PastedLatex, ABracketAfterARowIsSpaceOnlyIfItIsALength) {
  EXPECT_NE(refusal_of("1 & 2 \\\\[0.5 & 3]").find("line 1, cell 1"), std::string::npos);
  EXPECT_EQ(numbers_in("1 & 2 \\\\[-0.5ex] 3 & 4"), (Rows{{1, 2}, {3, 4}}));
}

TEST(PastedMarkdown, TablesAreRead) {
  for (const char* text : {
           "|  |  |\n| ---: | :-- |\n| 0.5 | 0.25 |\n| 1 | -2 |\n",
           "|0.5|0.25|\n|1|−2|",
           " | 0.5 | 0.25 | \n\n | **1** | *-2* |\r\n",
       }) {
    EXPECT_EQ(numbers_in(text), (Rows{{0.5F, 0.25F}, {1.0F, -2.0F}})) << text;
  }
}

TEST(PastedMarkdown, LabelsAreKeptApart) {
  for (const char* text : {
           "|   | The | a\\|b |\n|---|---:|---:|\n| cat | 1 | 2 |\n| `7` | 3 | 4 |\n",
           "   | The | a\\|b\n---|---|---\ncat | 1 | 2\n`7` | 3 | 4\n",
       }) {
    const NumberTable table = table_in(text);
    EXPECT_EQ(table.column_labels, (Labels{"The", "a|b"})) << text;
    EXPECT_EQ(table.row_labels, (Labels{"cat", "7"})) << text;
    EXPECT_EQ(table.values, (std::vector<float>{1, 2, 3, 4})) << text;
  }
  const NumberTable headed = table_in("| 0 | 1 |\n|---|---|\n| 5 | 6 |\n");
  EXPECT_EQ(headed.column_labels, (Labels{"0", "1"}));
  EXPECT_EQ(headed.values, (std::vector<float>{5, 6}));
}

TEST(PastedMarkdown, WhatIsNoNumberIsNamedByLineAndCell) {
  EXPECT_NE(refusal_of("| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | x |\n").find("line 4, cell 2"),
            std::string::npos);
  EXPECT_NE(refusal_of("| a | b |\n|---|---|\n| 1 |\n").find("line 3"), std::string::npos);
  EXPECT_NE(refusal_of("| a | b |\n|---|---|\n| 1 | ... |\n").find("left out"), std::string::npos);
  EXPECT_EQ(refusal_of("| a |\n|---|\n"), "there are no numbers in the pasted text");
}

TEST(PastedPrints, AScaleAndATypeAreUnderstood) {
  EXPECT_EQ(numbers_in(" 0.5000  0.2500\n 1.0000 -2.0000\n[ CPUFloatType{2,2} ]"),
            (Rows{{0.5F, 0.25F}, {1, -2}}));
  EXPECT_EQ(numbers_in("1.00000e-05 *\n  1.1  2.2\n  3.3  4.4\n[torch.FloatTensor of size 2x2]\n"),
            (Rows{{1.1e-5F, 2.2e-5F}, {3.3e-5F, 4.4e-5F}}));
  EXPECT_EQ(numbers_in("   1.0e+03 *\n\n    1.2346    0.0005\n"), (Rows{{1234.6F, 0.5F}}));
}

TEST(PastedPrints, BlocksOfColumnsAreJoined) {
  const Rows wide = {{1, 2, 3, 4, 5}, {6, 7, 8, 9, 10}};
  EXPECT_EQ(numbers_in("\nColumns 0 to 2 \n 1  2  3\n 6  7  8\n\nColumns 3 to 4 \n 4  5\n 9  10\n"
                       "[torch.FloatTensor of size 2x5]\n"),
            wide);
  EXPECT_EQ(numbers_in("Columns 1 to 3 1  2  3\n 6  7  8\n\nColumns 4 to 5 4  5\n 9 10\n"
                       "[ CPUFloatType{2,5} ]"),
            wide);
  EXPECT_EQ(numbers_in("Columns 1 through 2\n 1 2\nColumns 3 through 3\n 3\n"), (Rows{{1, 2, 3}}));
  EXPECT_EQ(numbers_in("Columns 1 to 2 10 *\n1 2\nColumns 3 to 3 10 *\n3\n"), (Rows{{10, 20, 30}}));
}

TEST(PastedPrints, BlocksThatDoNotFitAreRefused) {
  const auto expect_said = [](const char* text, const char* words) {
    EXPECT_NE(refusal_of(text).find(words), std::string::npos) << text << ": " << refusal_of(text);
  };
  expect_said("Columns 0 to 1\n1 2\nColumns 5 to 6\n3 4\n",
              "line 3 of the pasted text: the columns before these are missing: found column 5, "
              "expected 2");
  expect_said("Columns 10 to 11\n1 2\n", "line 1 of the pasted text: the columns before");
  expect_said("Columns 0 to 2\n1 2\n", "line 2 of the pasted text: the row is not as long");
  expect_said("Columns 0 to 0\n1\n2\nColumns 1 to 1\n3\n", "found 1, expected 2");
  expect_said("Columns 0 to 0\n1\nColumns 1 to 1\n3\n4\n", "line 5");
  expect_said("1 2\nColumns 1 to 1\n3\n", "line 2 of the pasted text goes on after numbers");
  expect_said("1 2\n[ CPUFloatType{1,2} ]\n3 4\n", "line 3 of the pasted text goes on after");
  expect_said("1 ... 2\n[ CPUFloatType{1,9} ]\n", "PyTorch shortened these numbers");
}

}  // namespace
}  // namespace attn
