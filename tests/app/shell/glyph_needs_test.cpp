// Characters requested from the fonts.
#include "gui/shell/glyph_needs.h"

#include <gtest/gtest.h>

#include "session/command.h"

namespace attn::gui {
namespace {

TEST(GlyphNeeds, AreTheCharactersThatTheUsualFontsLack) {
  GlyphNeeds needs;
  EXPECT_FALSE(needs.add("plain text, déjà vu, Привет, √d_k"));
  EXPECT_TRUE(needs.add("我 爱 我"));
  EXPECT_EQ(needs.text(), "我爱");
  EXPECT_FALSE(needs.add("爱"));
}

TEST(GlyphNeeds, LeaveOutWhatSixteenBitsCannotHold) {
  GlyphNeeds needs;
  EXPECT_FALSE(needs.add("😀"));
}

TEST(GlyphNeeds, FollowTheDocument) {
  GlyphNeeds needs;
  AppState state = initial_state();
  needs.add_state(state);
  EXPECT_FALSE(needs.add_state(state));
  state.document.title = "สวัสดี";
  EXPECT_FALSE(needs.add_state(state)) << "the revision is the same";
  ++state.revision;
  EXPECT_TRUE(needs.add_state(state));
}

}  // namespace
}  // namespace attn::gui
