// Numbers pasted as lists: JSON, Python, and printed by NumPy and PyTorch.
#include <cmath>

#include "tests/core/numbers/reading.h"

namespace attn {
namespace {

using test::numbers_in;
using test::refusal_of;
using test::Rows;

TEST(PastedLists, EveryWayToWriteThemIsRead) {
  for (const char* text : {
           "[[0.5, 0.25], [1, -2]]",
           " [[0.5,0.25],\n [1,-2]]\n",
           "((0.5, 0.25), (1, −2),)",
           "[[0.5, 0.25,], [1, -2],]",
           "[['0.5', '0.25'], [\"1\", \"-2\"]]",
           "[[0.5  0.25]\n [1.  -2.  ]]",
           "array([[0.5 , 0.25],\n       [1.  , -2.  ]], dtype=float32)",
           "np.array([[0.5, 0.25],\n          [1, -2]], dtype=np.float32)",
           ">>> x = numpy.array([[0.5, 0.25], [1, -2]]);",
           "Out[12]: \narray([[5.0e-01, 2.5e-01],\n       [1.0e+00, -2.0e+00]])",
           "[[np.float32(0.5), np.float64(0.25)], [np.int64(1), float('-2')]]",
           "tensor([[ 0.5000,  0.2500],\n        [ 1.0000, -2.0000]], device='cuda:0', "
           "grad_fn=<AddBackward0>)",
           "tensor([[0.5, 0.25], [1, -2]], dtype=torch.float64)",
           "Parameter containing:\ntensor([[0.5, 0.25], [1, -2]], requires_grad=True)",
           "torch.tensor(np.array([[0.5, 0.25], [1, -2]]))",
           "tf.Tensor(\n[[ 0.5   0.25]\n [ 1.   -2.  ]], shape=(2, 2), dtype=float32)",
           "Array([[ 0.5 ,  0.25],\n       [ 1.  , -2.  ]], dtype=float32)",
       }) {
    EXPECT_EQ(numbers_in(text), (Rows{{0.5F, 0.25F}, {1.0F, -2.0F}})) << text;
  }
}

TEST(PastedLists, OneRowAndOneNumberAreTables) {
  EXPECT_EQ(numbers_in("[1, 2, 3]"), (Rows{{1, 2, 3}}));
  EXPECT_EQ(numbers_in("tensor([1., 2.])"), (Rows{{1, 2}}));
  EXPECT_EQ(numbers_in("tensor(0.5000)"), (Rows{{0.5F}}));
  EXPECT_EQ(numbers_in("array(0.5, dtype=float32)"), (Rows{{0.5F}}));
  EXPECT_EQ(numbers_in("0.5"), (Rows{{0.5F}}));
}

TEST(PastedLists, AScaleMultipliesThePrintedDigitsExactly) {
  const Rows thousand = {{1234.6F, -0.5F}, {1e-3F, 0.0F}};
  EXPECT_EQ(numbers_in("tensor(1.0e+03 *\n       [[1.2346, -0.0005], [1e-6, 0]])"), thousand);
  EXPECT_EQ(numbers_in("1.0e+03 *\ntensor([[1.2346, −0.0005], [1e−6, 0]])"), thousand);
  EXPECT_EQ(numbers_in("0.00001 * [1.1, 3.3]"), (Rows{{1.1e-5F, 3.3e-5F}}));
}

TEST(PastedLists, WhatIsNotFiniteIsReadWhereItMay) {
  for (const char* text : {"[inf, -inf, nan]", "[\"inf\", \"-inf\", \"nan\"]",
                           "[Infinity, -Infinity, NaN]", "np.array([np.inf, -np.inf, np.nan])",
                           "[inf -inf nan]", "[float('inf'), -math.inf, float(\"nan\")]"}) {
    const Rows rows = numbers_in(text, NonFinite::Read);
    ASSERT_EQ(rows.size(), 1U) << text;
    EXPECT_EQ(rows[0][0], INFINITY) << text;
    EXPECT_EQ(rows[0][1], -INFINITY) << text;
    EXPECT_TRUE(std::isnan(rows[0][2])) << text;
    EXPECT_NE(refusal_of(text).find("cell 1 of the pasted text: the number is not finite"),
              std::string::npos)
        << text;
  }
}

TEST(PastedLists, BracketsThatDoNotMatchAreNamedByTheirLine) {
  const auto said = [](const char* text) {
    return read_numbers(text, NonFinite::Read).error().message;
  };
  EXPECT_EQ(said("[[0.5, 0.25]"), "the bracket of line 1 of the pasted text is not closed");
  EXPECT_EQ(said("[[1, 2],\n [3, 4"), "the bracket of line 2 of the pasted text is not closed");
  EXPECT_EQ(said("[[1, 2,\n [3, 4]]"), "the bracket of line 1 of the pasted text is not closed");
  EXPECT_EQ(said("[[1, 2)]"), "the bracket of line 1 of the pasted text is not closed");
  EXPECT_EQ(said("[0.5, 0.25]]"),
            "line 1 of the pasted text: there is a closing bracket without an opening one");
  EXPECT_EQ(said("tensor([[1, 2]]"), "the parenthesis before the lists is not closed");
}

TEST(PastedLists, WhatIsNoTableIsRefusedForWhatItIs) {
  const auto expect_said = [](const char* text, const char* words) {
    EXPECT_NE(refusal_of(text).find(words), std::string::npos) << text << ": " << refusal_of(text);
  };
  for (const char* text : {"[]", "[[]]", "[[], []]", "np.array([], dtype=np.float32)"}) {
    EXPECT_EQ(refusal_of(text), "there are no numbers in the pasted text") << text;
  }
  expect_said("[[1, 2],\n [3]]",
              "row 2 of the pasted lists, in line 2, is not as long as the first: found 1 number, "
              "expected 2");
  expect_said("[1, [2]]", "line 1 of the pasted text: a list is next to a number");
  expect_said("[[1], 2]", "a list is next to a number");
  expect_said("[\"a\"]", "line 1, cell 1 of the pasted text: this is not a number: found “a”");
  expect_said("[[1, 2],\n [3, None]]", "line 2, cell 2 of the pasted text: this is not a number");
  expect_said("[[[1]]]", "the lists are 3 deep, expected 2 at most: a list of rows of numbers");
  expect_said("[[1],\n[[[2]]]]", "line 2 of the pasted text: the lists are 4 deep");
  expect_said("[1,,2]", "there is no number before a comma");
  expect_said("[1, 2] 3", "line 1 of the pasted text goes on after the numbers: found “3”");
  expect_said("np.array([[1, 2]]).T", "goes on after the numbers: found “.T”");
  expect_said("np.array([1, 2]).reshape(2, 1)",
              "goes on after the numbers: found “.reshape(2, 1)”");
  expect_said("torch.tensor([1, 2]) * 3", "goes on after the numbers: found “* 3”");
  expect_said("tensor(1 2)", "goes on after the numbers: found “2)”");
  expect_said("[1, 2]\n[3, 4]", "line 2 of the pasted text goes on after the first list");
  expect_said("tensor()", "there is no number");
}

TEST(PastedLists, NumbersThatNoCellTakesAreRefused) {
  for (const char* text : {"[1, 1e39]", "[[1], [-1e300]]", "[1e-60]"}) {
    EXPECT_NE(refusal_of(text).find("for 32 bits"), std::string::npos) << text;
  }
}

TEST(PastedLists, WhoShortenedANumberIsTold) {
  const std::string numpy =
      "NumPy shortened these numbers with “...” in line 2 of the pasted text; print all of them "
      "with numpy.set_printoptions(threshold=sys.maxsize)";
  EXPECT_EQ(refusal_of("[[0. 1. 2.]\n ...\n [7. 8. 9.]]"), numpy);
  EXPECT_EQ(refusal_of("array([[0., 1., 2.],\n       [3., ..., 9.]])"), numpy);
  EXPECT_EQ(refusal_of("tensor([[0., 1.,  ..., 9.]])"),
            "PyTorch shortened these numbers with “...” in line 1 of the pasted text; print all of "
            "them with torch.set_printoptions(profile=\"full\")");
  EXPECT_EQ(refusal_of("[[0, 1, …, 9]]"),
            "numbers were left out with “...” in line 1 of the pasted text; paste all of them");
}

TEST(PastedLists, AMillionBracketsAreRefusedAtOnce) {
  const std::string brackets(1'000'000, '[');
  EXPECT_NE(refusal_of(brackets).find("the lists are 1000000 deep"), std::string::npos);
  EXPECT_NE(refusal_of(brackets + "1" + std::string(1'000'000, ']')).find("deep"),
            std::string::npos);
  EXPECT_NE(refusal_of(std::string(1'000'000, '(')), "");
  EXPECT_NE(refusal_of(std::string(1'000'000, '"')), "");
}

}  // namespace
}  // namespace attn
