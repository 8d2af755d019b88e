// Durations as text.
#include <gtest/gtest.h>

#include "base/number_text.h"

namespace attn {
namespace {

TEST(DurationText, IsWhatPeopleWaitFor) {
  EXPECT_EQ(duration_text(0.2), "1 s");
  EXPECT_EQ(duration_text(89.0), "89 s");
  EXPECT_EQ(duration_text(170.0), "3 min");
  EXPECT_EQ(duration_text(9000.0), "2.5 h");
  EXPECT_EQ(duration_text(86400.0 * 20.4), "20 days");
}

}  // namespace
}  // namespace attn
