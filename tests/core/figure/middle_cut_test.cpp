// Names cut in the middle.
#include <gtest/gtest.h>

#include "base/utf8.h"
#include "figure/text.h"
#include "tests/support/fake_result.h"

namespace attn {
namespace {

const FontStyle kLabelFont{10.0, false, false};

TEST(CutInMiddle, KeepsBothEndsAndFits) {
  const test::FixedMetrics metrics;
  const std::string text = "layers.11.attention.self.query";
  const double whole = metrics.measure(text, kLabelFont).width;
  EXPECT_EQ(cut_in_middle(metrics, text, kLabelFont, whole), text);
  for (const double part : {0.9, 0.5, 0.2}) {
    const std::string cut = cut_in_middle(metrics, text, kLabelFont, part * whole);
    EXPECT_LE(metrics.measure(cut, kLabelFont).width, part * whole);
    EXPECT_EQ(cut.front(), 'l');
    EXPECT_EQ(cut.back(), 'y');
    EXPECT_NE(cut.find("…"), std::string::npos);
  }
  EXPECT_EQ(cut_in_middle(metrics, text, kLabelFont, 0.0), "");
}

TEST(CutInMiddle, NeverPartsALetter) {
  const std::string text = "हिन्दी👩‍👩‍👧नमस्ते";
  const TextMetrics& metrics = pango_metrics();
  for (double width = 5.0; width < 120.0; width += 3.0) {
    const std::string cut = cut_in_middle(metrics, text, kLabelFont, width);
    EXPECT_EQ(cut, drawable_text(cut));
    EXPECT_EQ(cut.find("\xE2\x80\x8D…"), std::string::npos) << "a joiner without what it joins";
  }
}

}  // namespace
}  // namespace attn
