// Random numbers against published sequences and their statistics.
#include "base/random.h"

#include <gtest/gtest.h>

#include <cmath>

namespace attn {
namespace {

TEST(Random, FollowsThePublishedSequence) {
  // The first outputs of SplitMix64 for seed 1234567.
  Random random(1234567);
  EXPECT_EQ(random.next(), 6457827717110365317ULL);
  EXPECT_EQ(random.next(), 3203168211198807973ULL);
  EXPECT_EQ(random.next(), 9817491932198370423ULL);
}

TEST(Random, HashIsFnv1a) {
  EXPECT_EQ(text_hash(""), 0xcbf29ce484222325ULL);
  EXPECT_EQ(text_hash("a"), 0xaf63dc4c8601ec8cULL);
}

TEST(Random, NormalHasMeanZeroAndVarianceOne) {
  Random random(3);
  double sum = 0.0;
  double squares = 0.0;
  constexpr int kDraws = 200000;
  for (int i = 0; i < kDraws; ++i) {
    const double x = random.normal();
    ASSERT_LE(std::abs(x), 6.0);
    sum += x;
    squares += x * x;
  }
  EXPECT_NEAR(sum / kDraws, 0.0, 0.01);
  EXPECT_NEAR(squares / kDraws, 1.0, 0.01);
}

TEST(Random, UniformStaysBelowOne) {
  Random random(5);
  for (int i = 0; i < 100000; ++i) {
    const float x = random.uniform();
    ASSERT_GE(x, 0.0F);
    ASSERT_LT(x, 1.0F);
  }
}

TEST(Random, StreamsDiffer) {
  EXPECT_NE(mix(1, 2), mix(2, 1));
  EXPECT_NE(mix(1, 0), mix(1, 1));
}

}  // namespace
}  // namespace attn
