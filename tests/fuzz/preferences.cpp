// Any bytes of preferences are read within the bounds of the settings, and the preferences read
// back equal when they are written.
#include "session/preferences.h"

#include "fuzz.h"

namespace attn::fuzz {
namespace {

void expect_within_bounds(const Preferences& preferences) {
  const double scale = preferences.scale;
  expect(scale == 0.0 || (scale >= 0.5 && scale <= 4.0), "the scale is one that can be chosen");
  expect(preferences.recent_files.size() <= kRecentFiles, "few recent files");
  const Sides& sides = preferences.sides;
  for (const float size : {sides.left, sides.right, sides.left_top, sides.right_top}) {
    expect(size >= 0.0F && size <= 4000.0F, "sides have a size");
  }
  const WindowPlace& window = preferences.window;
  expect((window.width > 0) == (window.height > 0), "a window has both sides or no place");
}

}  // namespace

void fuzz_preferences(std::string_view bytes) {
  const Preferences preferences = parse_preferences(bytes);
  expect_within_bounds(preferences);
  const std::string text = preferences_text(preferences);
  const std::string again = preferences_text(parse_preferences(text));
  expect(again == text, "preferences are written as they were read:\n" + text + again);
}

}  // namespace attn::fuzz
