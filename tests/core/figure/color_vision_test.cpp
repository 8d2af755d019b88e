// Colours under simulated colour vision deficiencies.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <set>
#include <string_view>

#include "figure/colormap.h"

namespace attn {
namespace {

TEST(ColorVision, LeavesWhiteAndGreysAsTheyAre) {
  for (const ColorVisionInfo& info : all_color_visions()) {
    EXPECT_EQ(seen_by(info.vision, {255, 255, 255, 9}), (Color{255, 255, 255, 9})) << info.name;
    for (int level = 0; level < 256; ++level) {
      const auto grey = static_cast<std::uint8_t>(level);
      const Color seen = seen_by(info.vision, {grey, grey, grey});
      for (const int channel : {int{seen.r}, int{seen.g}, int{seen.b}}) {
        EXPECT_LE(std::abs(channel - level), 1) << info.name << " " << level;
      }
    }
  }
}

TEST(ColorVision, UsualEyesSeeEveryColourAsItIs) {
  for (int r = 0; r < 256; r += 15) {
    for (int g = 0; g < 256; g += 15) {
      const Color color{static_cast<std::uint8_t>(r), static_cast<std::uint8_t>(g), 77};
      EXPECT_EQ(seen_by(ColorVision::Usual, color), color);
    }
  }
}

// Sum of one row of the matrix, in linear light.
TEST(ColorVision, MultipliesLinearLightByTheMatrix) {
  const auto encoded = [](double light) {
    return static_cast<int>(
        std::lround(255.0 * (1.055 * std::pow(std::min(light, 1.0), 1.0 / 2.4) - 0.055)));
  };
  const Color red = seen_by(ColorVision::Deuteranopia, {255, 0, 0});
  EXPECT_EQ(int{red.r}, encoded(0.367322));
  EXPECT_EQ(int{red.g}, encoded(0.280085));
  EXPECT_EQ(int{red.b}, 0) << "below nothing is nothing";
  const Color green = seen_by(ColorVision::Protanopia, {0, 255, 0});
  EXPECT_EQ(int{green.r}, 255) << "above all is all";
  EXPECT_EQ(int{green.g}, encoded(0.786281));
  const Color blue = seen_by(ColorVision::Tritanopia, {0, 0, 255});
  EXPECT_EQ(int{blue.g}, encoded(0.147602));
  EXPECT_EQ(int{blue.b}, encoded(0.303900));
}

// Two colours that are almost equal without cones for middle waves.
TEST(ColorVision, MakesRedAndGreenAlikeForWhoTellsThemNotApart) {
  const Color red = seen_by(ColorVision::Deuteranopia, {163, 105, 60});
  const Color green = seen_by(ColorVision::Deuteranopia, {117, 122, 60});
  EXPECT_LE(std::abs(red.r - green.r) + std::abs(red.g - green.g), 12);
  const Color grey = seen_by(ColorVision::Grey, {200, 30, 90});
  EXPECT_EQ(grey.r, grey.g);
  EXPECT_EQ(grey.g, grey.b);
}

TEST(ColorVision, IsListedOnceUnderItsOwnName) {
  std::set<std::string_view> names;
  for (const ColorVisionInfo& info : all_color_visions()) {
    EXPECT_EQ(color_vision_info(info.vision).name, info.name);
    EXPECT_TRUE(names.insert(info.name).second) << info.name;
  }
}

}  // namespace
}  // namespace attn
