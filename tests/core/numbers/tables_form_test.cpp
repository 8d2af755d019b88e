// Numbers pasted as printed blocks of columns.
#include <cmath>

#include "tests/core/numbers/reading.h"

namespace attn {
namespace {

using test::numbers_in;
using test::refusal_of;
using test::Rows;
using test::table_in;

using Labels = std::vector<std::string>;

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
  expect_said("Columns 0 to 2\n1 2\n",
              "line 2 of the pasted text: the row does not have one number per column");
  expect_said("Columns 0 to 0\n1\n2\nColumns 1 to 1\n3\n", "found 1, expected 2");
  expect_said("Columns 0 to 0\n1\nColumns 1 to 1\n3\n4\n", "line 5");
  expect_said("1 2\nColumns 1 to 1\n3\n", "line 2 of the pasted text goes on after numbers");
  expect_said("1 2\n[ CPUFloatType{1,2} ]\n3 4\n", "line 3 of the pasted text goes on after");
  expect_said("1 ... 2\n[ CPUFloatType{1,9} ]\n", "PyTorch shortened these numbers");
}

}  // namespace
}  // namespace attn
