// Colour maps, compared with their published colours.
#include "figure/colormap.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>
#include <string>

#include "view/fields.h"

namespace attn {
namespace {

double linear(std::uint8_t channel) {
  const double c = channel / 255.0;
  return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}

double luminance(Color c) {
  return 0.2126 * linear(c.r) + 0.7152 * linear(c.g) + 0.0722 * linear(c.b);
}

// CIE L*, 0 … 100.
double lightness(Color c) { return 116.0 * std::cbrt(luminance(c)) - 16.0; }

double contrast(Color a, Color b) {
  const double high = std::max(luminance(a), luminance(b));
  const double low = std::min(luminance(a), luminance(b));
  return (high + 0.05) / (low + 0.05);
}

TEST(ColorMaps, EndpointsAreThePublishedOnes) {
  const auto ends = [](std::string_view name) {
    const ColorMap* map = colormap_named(name);
    return std::pair(map->colors.front(), map->colors.back());
  };
  EXPECT_EQ(ends("viridis"), std::pair(Color{68, 1, 84}, Color{253, 231, 37}));
  EXPECT_EQ(ends("magma"), std::pair(Color{0, 0, 4}, Color{252, 253, 191}));
  EXPECT_EQ(ends("cividis"), std::pair(Color{0, 32, 81}, Color{253, 234, 69}));
  EXPECT_EQ(ends("ylorrd"), std::pair(Color{255, 255, 204}, Color{128, 0, 38}));
  EXPECT_EQ(ends("grey"), std::pair(Color{255, 255, 255}, Color{0, 0, 0}));
  EXPECT_EQ(ends("redblue"), std::pair(Color{5, 48, 97}, Color{103, 0, 31}));
}

// Entries 0, 64, 128, 192 and 255, with which matplotlib draws 0, 0.25, 0.5, 0.75 and 1.
TEST(ColorMaps, PassThroughThePublishedColoursOfTheirQuarters) {
  struct Quarters {
    std::string_view name;
    std::array<Color, 5> colors;
  };
  constexpr Quarters kPublished[] = {
      {"viridis", {{{68, 1, 84}, {59, 82, 139}, {33, 145, 140}, {94, 201, 98}, {253, 231, 37}}}},
      {"inferno", {{{0, 0, 4}, {87, 16, 110}, {188, 55, 84}, {249, 142, 9}, {252, 255, 164}}}},
      {"plasma", {{{13, 8, 135}, {126, 3, 168}, {204, 71, 120}, {248, 149, 64}, {240, 249, 33}}}},
      {"coolwarm",
       {{{59, 76, 192}, {141, 176, 254}, {221, 221, 221}, {244, 152, 122}, {180, 4, 38}}}}};
  for (const auto& [name, colors] : kPublished) {
    const ColorMap& map = *colormap_named(name);
    EXPECT_EQ(map.colors.front(), colors.front()) << name;
    EXPECT_EQ(map.colors.back(), colors.back()) << name;
    for (std::size_t i = 1; i < 4; ++i) {
      const Color drawn = map.colors[64 * i];
      EXPECT_NEAR(drawn.r, colors[i].r, 1) << name << " " << i;
      EXPECT_NEAR(drawn.g, colors[i].g, 1) << name << " " << i;
      EXPECT_NEAR(drawn.b, colors[i].b, 1) << name << " " << i;
    }
  }
}

TEST(ColorMaps, AreAllReversedByOneRule) {
  std::size_t reversed = 0;
  for (const ColorMap& map : all_colormaps()) {
    if (!map.name.ends_with(kReversedSuffix)) continue;
    ++reversed;
    const ColorMap* const straight =
        colormap_named(map.name.substr(0, map.name.size() - kReversedSuffix.size()));
    ASSERT_NE(straight, nullptr) << map.name;
    EXPECT_TRUE(std::equal(map.colors.begin(), map.colors.end(), straight->colors.rbegin()));
    EXPECT_EQ(map.diverging, straight->diverging);
  }
  EXPECT_EQ(2 * reversed, all_colormaps().size());
}

TEST(ColorMaps, YlOrRdPassesThroughTheNineColorBrewerColours) {
  const ColorMap& map = *colormap_named("YlOrRd");
  EXPECT_EQ(map.colors[0], (Color{0xff, 0xff, 0xcc}));
  // The eight steps of 255/8 are whole entries only at the ends.
  EXPECT_NEAR(map.colors[128].r, 0xfd, 1);
  EXPECT_NEAR(map.colors[128].g, 0x8d, 3);
  EXPECT_NEAR(map.colors[128].b, 0x3c, 3);
}

TEST(ColorMaps, SequentialMapsChangeLightnessInOneDirection) {
  for (const ColorMap& map : all_colormaps()) {
    if (map.diverging) continue;
    const double sign = lightness(map.colors.back()) > lightness(map.colors.front()) ? 1.0 : -1.0;
    for (std::size_t i = 1; i < map.colors.size(); ++i) {
      EXPECT_GT(sign * (lightness(map.colors[i]) - lightness(map.colors[i - 1])), -0.35)
          << map.name << " " << i;
    }
    for (std::size_t i = 8; i < map.colors.size(); ++i) {
      EXPECT_GT(sign * (lightness(map.colors[i]) - lightness(map.colors[i - 8])), 0.0)
          << map.name << " " << i;
    }
  }
}

TEST(ColorMaps, DivergingMapsAreLightestInTheMiddleAndBlueBelow) {
  for (const std::string_view name : {"redblue", "coolwarm"}) {
    const ColorMap& map = *colormap_named(name);
    EXPECT_TRUE(map.diverging);
    for (std::size_t i = 1; i < 128; ++i) {
      EXPECT_GE(lightness(map.colors[i]) + 0.35, lightness(map.colors[i - 1])) << name;
      EXPECT_GE(lightness(map.colors[255 - i]) + 0.35, lightness(map.colors[256 - i])) << name;
    }
    EXPECT_GT(map.colors[40].b, map.colors[40].r);
    EXPECT_GT(map.colors[215].r, map.colors[215].b);
    EXPECT_NEAR(map.colors[127].r, map.colors[127].b, 3);
  }
}

TEST(ColorMaps, NamesAreUniqueAndFoundInAnyCase) {
  std::set<std::string_view> names;
  for (const ColorMap& map : all_colormaps()) {
    EXPECT_TRUE(names.insert(map.name).second);
    EXPECT_EQ(colormap_named(map.name), &map);
  }
  EXPECT_EQ(colormap_named("VIRIDIS"), colormap_named("viridis"));
  EXPECT_EQ(colormap_named("auto"), nullptr);
  EXPECT_EQ(colormap_named("jet"), nullptr);
  EXPECT_EQ(colormap_named(""), nullptr);
}

TEST(ColorMaps, AreChosenByNameOrLeftToTheStage) {
  const Field<ViewOptions>& field = *plot_option_named("colormap");
  ASSERT_EQ(field.choices.size(), all_colormaps().size() + 1);
  EXPECT_EQ(field.choices.front(), kAutomaticColormap);
  ViewOptions options;
  for (std::size_t i = 0; i < all_colormaps().size(); ++i) {
    const ColorMap& map = all_colormaps()[i];
    EXPECT_TRUE(field.set(options, map.name, Spelling::Field).ok()) << map.name;
    EXPECT_EQ(options.colormap, map.name);
    EXPECT_EQ(field.choice_labels[i + 1], map.label);
  }
  EXPECT_TRUE(field.set(options, "Auto", Spelling::Field).ok());
  EXPECT_EQ(options.colormap, kAutomaticColormap);
  EXPECT_FALSE(field.set(options, "jet", Spelling::Field).ok());
}

TEST(ColorIndex, RoundsToTheNearestEntryAndClamps) {
  const ColorScale scale{colormap_named("viridis"), -1.0F, 3.0F};
  EXPECT_EQ(color_index(scale, -1.0F), 0);
  EXPECT_EQ(color_index(scale, 3.0F), 255);
  EXPECT_EQ(color_index(scale, 1.0F), 128);  // 127.5 rounds up
  EXPECT_EQ(color_index(scale, 0.0F), 64);   // 63.75
  EXPECT_EQ(color_index(scale, -50.0F), 0);
  EXPECT_EQ(color_index(scale, std::numeric_limits<float>::infinity()), 255);
  EXPECT_EQ(color_index(scale, -std::numeric_limits<float>::infinity()), 0);
}

TEST(ColorIndex, AnEmptyRangeIsTheFirstEntry) {
  const ColorScale scale{colormap_named("viridis"), 2.0F, 2.0F};
  EXPECT_EQ(color_index(scale, 1.0F), 0);
  EXPECT_EQ(color_index(scale, 2.0F), 0);
  EXPECT_EQ(color_index(scale, 3.0F), 0);
}

TEST(ColorIndex, RangesAsWideAsFloatsDoNotOverflow) {
  constexpr float kMax = std::numeric_limits<float>::max();
  const ColorScale scale{colormap_named("viridis"), -kMax, kMax};
  EXPECT_EQ(color_index(scale, 0.0F), 128);
  EXPECT_EQ(color_index(scale, kMax / 2), 191);
}

TEST(CellLook, HiddenWinsOverNonFinite) {
  EXPECT_EQ(cell_look(0.5F, 0), CellLook::Mapped);
  EXPECT_EQ(cell_look(0.5F, 1), CellLook::Hidden);
  EXPECT_EQ(cell_look(std::nanf(""), 0), CellLook::NonFinite);
  EXPECT_EQ(cell_look(-INFINITY, 0), CellLook::NonFinite);
  EXPECT_EQ(cell_look(-INFINITY, 4), CellLook::Hidden);
}

TEST(PatternInk, HatchRisesToTheRightAndRepeats) {
  EXPECT_TRUE(pattern_ink(CellLook::Hidden, 0.5, 0.5));
  EXPECT_FALSE(pattern_ink(CellLook::Hidden, 2.0, 1.0));
  for (double x = 0.25; x < 20; x += 0.5) {
    for (double y = 0.25; y < 20; y += 0.5) {
      const bool ink = pattern_ink(CellLook::Hidden, x, y);
      EXPECT_EQ(ink, pattern_ink(CellLook::Hidden, x + 1.0, y - 1.0));
      EXPECT_EQ(ink, pattern_ink(CellLook::Hidden, x + kHatchPeriod, y));
      EXPECT_EQ(ink, pattern_ink(CellLook::Hidden, x - kHatchPeriod, y));
    }
  }
}

TEST(PatternInk, LinesOfEachDirectionKeepToIt) {
  for (double x = 0.25; x < 20; x += 0.5) {
    for (double y = 0.25; y < 20; y += 0.5) {
      const auto ink = [&](double dx, double dy, HatchLines lines) {
        return pattern_ink(CellLook::Hidden, x + dx, y + dy, lines);
      };
      EXPECT_EQ(ink(0, 0, kFallingLines), ink(1, 1, kFallingLines));
      EXPECT_EQ(ink(0, 0, kFallingLines), ink(kHatchPeriod, 0, kFallingLines));
      EXPECT_EQ(ink(0, 0, kLevelLines), ink(1, 0, kLevelLines));
      EXPECT_EQ(ink(0, 0, kLevelLines), ink(0, kLevelPeriod, kLevelLines));
      EXPECT_EQ(ink(0, 0, kRisingLines | kLevelLines),
                ink(0, 0, kRisingLines) || ink(0, 0, kLevelLines));
    }
  }
  EXPECT_TRUE(pattern_ink(CellLook::Hidden, 2.5, 2.0, kFallingLines));
  EXPECT_FALSE(pattern_ink(CellLook::Hidden, 2.5, 2.0, kRisingLines));
  EXPECT_TRUE(pattern_ink(CellLook::Hidden, 3.0, 0.5, kLevelLines));
}

TEST(PatternInk, ChequerboardAlternatesBothWays) {
  for (double x = 0.5; x < 12; x += 1) {
    for (double y = 0.5; y < 12; y += 1) {
      const bool ink = pattern_ink(CellLook::NonFinite, x, y);
      EXPECT_NE(ink, pattern_ink(CellLook::NonFinite, x + kCheckSize, y));
      EXPECT_NE(ink, pattern_ink(CellLook::NonFinite, x, y + kCheckSize));
      EXPECT_FALSE(pattern_ink(CellLook::Mapped, x, y));
    }
  }
}

TEST(ReadableOn, IsTheBetterOfBlackAndWhiteOnEveryEntry) {
  const Color black{0, 0, 0}, white{255, 255, 255};
  for (const ColorMap& map : all_colormaps()) {
    for (const Color color : map.colors) {
      const Color ink = readable_on(color);
      const Color other = ink == black ? white : black;
      EXPECT_GE(contrast(color, ink), contrast(color, other));
      EXPECT_GE(contrast(color, ink), 4.5);
    }
  }
}

TEST(ListedColorMaps, PassThroughTheirColoursInEqualStepsOfLightness) {
  const ColorMap& map = *listed_colormap("#FFF, #08306b").value();
  EXPECT_EQ(map.name, "#fff,#08306b");
  EXPECT_EQ(map.colors.front(), (Color{255, 255, 255}));
  EXPECT_EQ(map.colors.back(), (Color{8, 48, 107}));
  EXPECT_FALSE(map.diverging);
  EXPECT_EQ(colormap_named("#fff,#08306b"), &map) << "one map for one list";
  for (std::size_t i = 1; i < 256; ++i) {
    const double step = lightness(map.colors[i - 1]) - lightness(map.colors[i]);
    EXPECT_GE(step, -0.01) << i;
    EXPECT_LT(step, 0.9) << i << ": no step is more than about twice the mean";
  }
  const ColorMap& three = *listed_colormap("#000,#f00,#fff").value();
  EXPECT_EQ(three.colors[0], (Color{0, 0, 0}));
  EXPECT_NEAR(three.colors[127].r, 255, 3);
  EXPECT_FALSE(three.diverging);
  EXPECT_TRUE(listed_colormap("#2166ac,#ffffff,#b2182b").value()->diverging);
}

TEST(ListedColorMaps, ReverseBySuffix) {
  const ColorMap& map = *listed_colormap("#123,#abc,#fed").value();
  const ColorMap& reversed = *listed_colormap("#123,#abc,#fed_r").value();
  for (std::size_t i = 0; i < 256; ++i) EXPECT_EQ(reversed.colors[i], map.colors[255 - i]) << i;
}

TEST(ListedColorMaps, RefuseWhatIsNoListOfColours) {
  std::string many = "#000";
  for (int i = 0; i < 256; ++i) many += ",#fff";
  const std::pair<std::string, std::string> cases[] = {
      {"#fff", "1 colour"},    {"#fff,", "“”"},
      {"#ggg,#fff", "“#ggg”"}, {"#ffff,#000", "“#ffff”"},
      {"#fff,red", "“red”"},   {"#fff,#000_q", "“#000_q”"},
      {many, "257 colours"},   {"#fff;#000", "“#fff;#000”"}};
  for (const auto& [text, found] : cases) {
    const Result<const ColorMap*> map = listed_colormap(text);
    ASSERT_FALSE(map.ok()) << text;
    EXPECT_EQ(map.error().found, found);
    EXPECT_EQ(colormap_named(text), nullptr) << text;
  }
}

}  // namespace
}  // namespace attn
