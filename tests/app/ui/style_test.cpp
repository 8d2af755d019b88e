// Readable colours and complete fonts in both themes.
#include "gui/ui/style.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "gui/platform/fonts.h"
#include "support/ui_harness.h"

namespace attn::test {
namespace {

using namespace gui;  // NOLINT(google-build-using-namespace)

double luminance(Color color) {
  const auto linear = [](double c) {
    return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(color.r / 255.0) + 0.7152 * linear(color.g / 255.0) +
         0.0722 * linear(color.b / 255.0);
}

double contrast(Color a, Color b) {
  const double la = luminance(a), lb = luminance(b);
  return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

std::vector<ThemeKind> themes_of_windows() {
  std::vector<ThemeKind> themes;
  for (const ThemeInfo& theme : all_themes()) {
    if (theme.of_windows) themes.push_back(theme.kind);
  }
  return themes;
}

class Style : public testing::TestWithParam<ThemeKind> {};
INSTANTIATE_TEST_SUITE_P(Themes, Style, testing::ValuesIn(themes_of_windows()),
                         [](const auto& theme) {
                           return std::string(theme_info(theme.param).name);
                         });

// A background of texts, with its name.
struct Ground {
  const char* what;
  Color color;
};

// The colour that ImGui draws for `over` at that opacity.
Color seen_through(Color ground, Color over, double opacity) { return mix(ground, over, opacity); }

Color popup_of(const UiColors& ui) { return mix(ui.panel, ui.field, 0.35); }

// Backgrounds without hover, and with selection.
std::vector<Ground> resting_grounds(const UiColors& ui) {
  return {{"window", ui.window},   {"panel", ui.panel},
          {"field", ui.field},     {"button", ui.raised},
          {"popup", popup_of(ui)}, {"second row", mix(ui.panel, ui.raised, 0.35)}};
}

std::vector<Ground> busy_grounds(const UiColors& ui) {
  const ButtonBackground on = on_background(ui, false), quiet = on_background(ui, true);
  return {{"hovered", ui.hovered},
          {"pressed", ui.pressed},
          {"hovered field", mix(ui.field, ui.hovered, 0.5)},
          {"active field", mix(ui.field, ui.hovered, 0.8)},
          {"selected row", seen_through(popup_of(ui), ui.accent, 0.20)},
          {"pressed row", seen_through(popup_of(ui), ui.accent, 0.35)},
          {"selected text", seen_through(ui.field, ui.accent, 0.35)},
          {"what is on", on.rest},
          {"what is on, hovered", on.hovered},
          {"what is on, pressed", on.pressed},
          {"quiet and on", quiet.rest},
          {"quiet and on, hovered", quiet.hovered},
          {"quiet and on, pressed", quiet.pressed}};
}

TEST_P(Style, TextsAreReadableOnWhatTheyStandOn) {
  const UiColors ui = ui_colors(GetParam());
  for (const Ground& ground : resting_grounds(ui)) {
    EXPECT_GE(contrast(ui.text, ground.color), 7.0) << ground.what;
    EXPECT_GE(contrast(ui.muted, ground.color), 4.5) << ground.what;
    EXPECT_GE(contrast(ui.error, ground.color), 4.5) << ground.what;
    EXPECT_GE(contrast(ui.warning, ground.color), 4.5) << ground.what;
  }
  for (const Ground& ground : busy_grounds(ui)) {
    EXPECT_GE(contrast(ui.text, ground.color), 4.5) << ground.what;
  }
}

TEST_P(Style, ThePrimaryButtonIsReadableInEveryState) {
  const UiColors ui = ui_colors(GetParam());
  const ButtonBackground ground = primary_background(ui);
  EXPECT_EQ(ground.rest, ui.accent);
  for (const Color color : {ground.rest, ground.hovered, ground.pressed}) {
    EXPECT_GE(contrast(ui.accent_ink, color), 4.5);
  }
}

// Tags of tokens tinted by role, and cards of messages tinted by level.
TEST_P(Style, TextsAreReadableOnTagsAndMessages) {
  const UiColors ui = ui_colors(GetParam());
  const FigureTheme& figure = figure_theme(GetParam());
  for (const Color role : {figure.query, figure.key, figure.value, figure.output}) {
    for (const double tint : {0.04, 0.18, 0.30}) {
      EXPECT_GE(contrast(ui.text, mix(ui.panel, role, tint)), 4.5) << tint;
    }
  }
  for (const Color level : {ui.accent, ui.warning, ui.error}) {
    EXPECT_GE(contrast(ui.text, seen_through(popup_of(ui), level, 24.0 / 255.0)), 7.0);
    EXPECT_GE(contrast(level, popup_of(ui)), 3.0) << "stripe";
  }
}

// Disabled controls need not be readable, but visible.
TEST_P(Style, WhatIsDisabledIsSeen) {
  const UiColors ui = ui_colors(GetParam());
  UiHarness harness({.theme = GetParam()});
  harness.frame([](Ui&) {});
  const auto opacity = static_cast<double>(ImGui::GetStyle().DisabledAlpha);
  for (const Ground& ground : resting_grounds(ui)) {
    EXPECT_GE(contrast(seen_through(ground.color, ui.text, opacity), ground.color), 2.0)
        << ground.what;
  }
}

// Success criterion 1.4.11 of WCAG 2.1.
TEST_P(Style, WhatCanBeUsedHasAnEdgeThatIsSeen) {
  const UiColors ui = ui_colors(GetParam());
  for (const Ground& ground : resting_grounds(ui)) {
    EXPECT_GE(contrast(ui.edge, ground.color), 3.0) << ground.what;
    EXPECT_GE(contrast(ui.accent, ground.color), 3.0)
        << "ring of the focus, and what is on: " << ground.what;
  }
  EXPECT_GE(contrast(ui.accent_ink, ui.accent), 3.0) << "knob of a switch that is on";
  EXPECT_GE(contrast(ui.muted, mix(ui.field, ui.text, 0.10)), 3.0) << "knob of one that is off";
  for (const ImGuiCol drawn : {ImGuiCol_Border, ImGuiCol_ScrollbarGrab}) {
    UiHarness harness({.theme = GetParam()});
    harness.frame([](Ui&) {});
    EXPECT_EQ(ImGui::GetColorU32(drawn), to_imgui(ui.edge));
    EXPECT_GE(ImGui::GetStyle().FrameBorderSize, 1.0F);
  }
}

TEST_P(Style, ColoursOfRolesAndDataAreSeen) {
  const FigureTheme& figure = figure_theme(GetParam());
  const double least = GetParam() == ThemeKind::Contrast ? 7.0 : 3.0;
  for (const Color ground : {figure.background, figure.panel}) {
    for (const Color color :
         {figure.query, figure.key, figure.value, figure.output, figure.accent}) {
      EXPECT_GE(contrast(color, ground), least);
    }
    EXPECT_GE(contrast(figure.ink, ground), 7.0);
    EXPECT_GE(contrast(figure.muted, ground), GetParam() == ThemeKind::Contrast ? 7.0 : 4.5);
  }
}

TEST_P(Style, NumbersAreReadableOnEveryTint) {
  const UiColors ui = ui_colors(GetParam());
  for (const float value : {-1e9F, -3.0F, -0.4F, 0.0F, 0.1F, 1.0F, 1e30F}) {
    const Color ground = number_tint(ui, ui.field, value);
    EXPECT_GE(contrast(readable_on(ground), ground), 4.5) << value;
  }
}

TEST_P(Style, TintTellsSignByHueAndMagnitudeByStrength) {
  const UiColors ui = ui_colors(GetParam());
  const auto distance = [&](float value) {
    const Color c = number_tint(ui, ui.field, value);
    return std::hypot(c.r - ui.field.r, c.g - ui.field.g, c.b - ui.field.b);
  };
  EXPECT_EQ(number_tint(ui, ui.field, 0.0F), ui.field);
  EXPECT_LT(distance(0.1F), distance(0.5F));
  EXPECT_LT(distance(0.5F), distance(4.0F));
  EXPECT_LT(distance(-0.1F), distance(-2.0F));
  EXPECT_NE(number_tint(ui, ui.field, 1.0F), number_tint(ui, ui.field, -1.0F));
  EXPECT_EQ(number_tint(ui, ui.field, std::numeric_limits<float>::quiet_NaN()), ui.field);
}

TEST_P(Style, TintsOfSignsAreNotTheColoursOfRoles) {
  const UiColors ui = ui_colors(GetParam());
  const FigureTheme& figure = figure_theme(GetParam());
  for (const Color sign : {ui.positive, ui.negative}) {
    for (const Color role : {figure.query, figure.key, figure.value, figure.output, ui.error}) {
      EXPECT_GT(std::hypot(sign.r - role.r, sign.g - role.g, sign.b - role.b), 45.0);
    }
  }
}

TEST(Fonts, HaveEverySignThatTheInterfaceUses) {
  UiHarness ui({.scale = 1.0F});
  Fonts fonts;
  ui.frame([&](Ui& u) { fonts = u.fonts; });
  for (const int sign : {0x00D7, 0x1D40, 0x2192, 0x221A, 0x00B7, 0x2013, 0x201C, 0x201D, 0x2026,
                         0x21B5, 0x2423, 0x2265, 0x2713, 0x00E9, 0x0416, 0x03B1}) {
    EXPECT_NE(fonts.regular->FindGlyphNoFallback(static_cast<ImWchar>(sign)), nullptr)
        << std::hex << sign;
    EXPECT_NE(fonts.bold->FindGlyphNoFallback(static_cast<ImWchar>(sign)), nullptr)
        << std::hex << sign;
  }
}

TEST(Fonts, HaveSmallerLettersForIndices) {
  UiHarness ui({.scale = 1.0F});
  Fonts fonts;
  ui.frame([&](Ui& u) { fonts = u.fonts; });
  for (const ImFont* font : {fonts.regular, fonts.bold}) {
    for (const char32_t letter : {U'k', U'Q', U'1', char32_t{0x2212}}) {
      const ImFontGlyph* whole = font->FindGlyphNoFallback(static_cast<ImWchar>(letter));
      const auto in = [&](bool raised) {
        return font->FindGlyphNoFallback(static_cast<ImWchar>(script_letter(letter, raised)));
      };
      ASSERT_TRUE(whole != nullptr && in(false) != nullptr && in(true) != nullptr);
      EXPECT_LT(in(false)->AdvanceX, 0.8F * whole->AdvanceX);
      EXPECT_GT(in(false)->Y1, whole->Y1) << "lower than the line";
      EXPECT_LT(in(true)->Y1, whole->Y1);
    }
  }
}

// Rows of the atlas with ink of a glyph, first and last, and rows of its box.
std::pair<int, int> ink_and_box_rows(const ImFontGlyph& glyph) {
  unsigned char* pixels = nullptr;
  int width = 0, height = 0;
  ImGui::GetIO().Fonts->GetTexDataAsAlpha8(&pixels, &width, &height);
  const auto at = [](float share, int whole) {
    return static_cast<int>(std::lround(share * static_cast<float>(whole)));
  };
  int first = height, last = -1;
  for (int y = at(glyph.V0, height); y < at(glyph.V1, height); ++y) {
    for (int x = at(glyph.U0, width); x < at(glyph.U1, width); ++x) {
      if (pixels[y * width + x] < 40) continue;
      first = std::min(first, y);
      last = y;
    }
  }
  return {last - first + 1, at(glyph.V1, height) - at(glyph.V0, height)};
}

TEST(Fonts, EveryGlyphFillsItsBox) {
  UiHarness ui({.scale = 2.0F});
  Fonts fonts;
  ui.frame([&](Ui& u) { fonts = u.fonts; });
  for (const ImFont* font : {fonts.regular, fonts.bold, fonts.mono}) {
    for (const ImFontGlyph& glyph : font->Glyphs) {
      const auto [ink, box] = ink_and_box_rows(glyph);
      if (glyph.Visible == 0 || box < 7) continue;
      EXPECT_GE(ink, 0.7 * box) << std::hex << glyph.Codepoint;
    }
  }
}

TEST(Fonts, GrowWithTheScale) {
  float once = 0.0F, twice = 0.0F;
  {
    UiHarness ui({.scale = 1.0F});
    ui.frame([&](Ui& u) { once = u.fonts.regular->FontSize; });
  }
  UiHarness ui({.scale = 2.0F});
  ui.frame([&](Ui& u) { twice = u.fonts.regular->FontSize; });
  EXPECT_FLOAT_EQ(twice, 2.0F * once);
  EXPECT_GT(ImGui::GetStyle().FramePadding.x, 10.0F);
}

TEST(Fonts, TakeLettersOfOtherScripts) {
  ImFontAtlas atlas;
  constexpr ImWchar kArrow = 0x27A4;  // DejaVu Sans has it, which the interface needs anyway
  const auto has = [](const ImFont* font) { return font->FindGlyphNoFallback(kArrow) != nullptr; };
  const Fonts usual = load_fonts(atlas, 1.0F);
  EXPECT_FALSE(has(usual.regular) || has(usual.bold));
  const Fonts names = load_fonts(atlas, 1.0F, "➤");
  EXPECT_TRUE(has(names.regular));
  EXPECT_FALSE(has(names.bold));
}

TEST(Fonts, CanBeLoadedAgainIntoTheSameAtlas) {
  ImFontAtlas atlas;
  load_fonts(atlas, 1.0F);
  const Fonts again = load_fonts(atlas, 1.5F);
  EXPECT_FLOAT_EQ(again.regular->FontSize, std::round(kFontSize * 1.5F));
  EXPECT_TRUE(atlas.IsBuilt());
}

}  // namespace
}  // namespace attn::test
