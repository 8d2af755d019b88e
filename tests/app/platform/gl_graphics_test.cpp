// Pixels of the graphics card agree with those of the exports.
#include "gui/platform/gl_graphics.h"

#include <gtest/gtest.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "app/platform/egl_screen.h"
#include "figure/colormap.h"
#include "figure/text.h"

namespace attn::test {
namespace {

using namespace gui;  // NOLINT(google-build-using-namespace)

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr int kSize = 256;

Color pixel(const Raster& raster, int x, int y) {
  const std::size_t at = 4 * (static_cast<std::size_t>(y) * kSize + static_cast<std::size_t>(x));
  return {raster.rgba[at], raster.rgba[at + 1], raster.rgba[at + 2], raster.rgba[at + 3]};
}

MatrixItem matrix_item(std::size_t rows, std::size_t cols, std::vector<float> values,
                       std::vector<std::uint8_t> hidden = {}) {
  MatrixItem item;
  item.rect = item.clip = {0.0, 0.0, kSize, kSize};
  item.cells = std::make_shared<const MatrixCells>(
      MatrixCells{rows, cols, std::move(values), std::move(hidden), {}});
  item.scale = {colormap_named("viridis"), 0.0F, 1.0F};
  item.row_count = rows;
  item.col_count = cols;
  item.hatch = {255, 0, 0, 255};
  item.hatch_background = {0, 0, 255, 255};
  return item;
}

struct GlGraphicsTest : testing::Test {
  void SetUp() override {
    std::string why;
    screen = EglScreen::open(kSize, kSize, why);
    if (screen == nullptr) GTEST_SKIP() << "no OpenGL without a window here: " << why;
  }
  Raster draw(const MatrixItem& item, const Placement& at = {}) {
    Raster raster = screen->frame(
        [&] { screen->graphics().draw_matrix(*ImGui::GetForegroundDrawList(), item, at); });
    EXPECT_EQ(screen->gl_error(), 0U);
    return raster;
  }
  std::unique_ptr<EglScreen> screen;
};

// Every colour of a colour map is simulated as by seen_by().
TEST_F(GlGraphicsTest, OtherEyesSeeWhatTheMatrixOfColorVisionSays) {
  std::vector<float> values(256);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i) / 255.0F;
  const MatrixItem item = matrix_item(16, 16, values);
  for (const ColorVisionInfo& info : all_color_visions()) {
    const Raster raster = screen->frame([&] {
      ImDrawList& list = *ImGui::GetForegroundDrawList();
      screen->graphics().draw_matrix(list, item, {});
      screen->graphics().simulate_vision(list, info.vision);
    });
    EXPECT_EQ(screen->gl_error(), 0U);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const Color expected = seen_by(info.vision, item.scale.map->colors[i]);
      const Color seen =
          pixel(raster, static_cast<int>(i % 16) * 16 + 8, static_cast<int>(i / 16) * 16 + 8);
      ASSERT_NEAR(int{seen.r}, int{expected.r}, 1) << info.name << " " << i;
      ASSERT_NEAR(int{seen.g}, int{expected.g}, 1) << info.name << " " << i;
      ASSERT_NEAR(int{seen.b}, int{expected.b}, 1) << info.name << " " << i;
    }
  }
}

int nearest_index(const ColorMap& map, Color color) {
  int best = 0, distance = 1 << 20;
  for (int i = 0; i < 256; ++i) {
    const Color c = map.colors[static_cast<std::size_t>(i)];
    const int d = std::abs(c.r - color.r) + std::abs(c.g - color.g) + std::abs(c.b - color.b);
    if (d < distance) distance = d, best = i;
  }
  return distance <= 3 ? best : -1000;
}

TEST_F(GlGraphicsTest, EveryCellHasTheColourThatTheExportGivesIt) {
  std::mt19937 random(7);
  std::uniform_real_distribution<float> number(-2.0F, 3.0F);
  std::vector<float> values(32 * 32);
  for (float& value : values) value = number(random);
  const ColorScale scales[] = {
      {colormap_named("viridis"), -1.5F, 2.25F},
      {colormap_named("ylorrd"), -1.5F, 2.25F},
      {colormap_named("redblue"), -1.5F, 2.25F},
      {colormap_named("viridis"), 0.0F, 2.25F, 0.477F},
      {colormap_named("redblue"), -2.25F, 2.25F, 0.31F},
      {colormap_named("redblue"), -2.25F, 2.25F, 0.09F},
      {colormap_named("viridis"), 0.01F, 2.25F, kLogarithm},
  };
  for (const ColorScale& scale : scales) {
    MatrixItem item = matrix_item(32, 32, values);
    item.scale = scale;
    const Raster raster = draw(item);
    for (int r = 0; r < 32; ++r) {
      for (int c = 0; c < 32; ++c) {
        const float value = values[static_cast<std::size_t>(32 * r + c)];
        const int expected = color_index(item.scale, value);
        for (const int inside : {0, 4, 7}) {
          const Color seen = pixel(raster, 8 * c + inside, 8 * r + inside);
          ASSERT_NEAR(nearest_index(*item.scale.map, seen), expected, 1)
              << scale.map->name << " row " << r << " column " << c;
        }
      }
    }
  }
}

TEST_F(GlGraphicsTest, AnEmptyRangeTakesTheFirstColour) {
  MatrixItem item = matrix_item(1, 2, {5.0F, -5.0F});
  item.scale.low = item.scale.high = 2.0F;
  const Raster raster = draw(item);
  EXPECT_EQ(pixel(raster, 10, 10), item.scale.map->colors[0]);
  EXPECT_EQ(pixel(raster, 200, 10), item.scale.map->colors[0]);
}

TEST_F(GlGraphicsTest, HiddenAndNonFiniteCellsShowTheirPatterns) {
  const MatrixItem item = matrix_item(2, 2, {0.5F, kNan, -kInf, 0.5F}, {0, 0, 0, kHiddenByCausal});
  const Raster raster = draw(item);
  int wrong = 0, inked[2] = {0, 0};
  for (int y = 0; y < kSize; ++y) {
    for (int x = 0; x < kSize; ++x) {
      const bool right = x >= 128, below = y >= 128;
      const Color seen = pixel(raster, x, y);
      if (!right && !below) {
        EXPECT_EQ(nearest_index(*item.scale.map, seen), color_index(item.scale, 0.5F));
        continue;
      }
      const CellLook look = right && below ? CellLook::Hidden : CellLook::NonFinite;
      // They agree away from the pattern's edges, which the card smooths.
      bool all = true, any = false;
      for (const double dx : {0.05, 0.95}) {
        for (const double dy : {0.05, 0.95}) {
          const bool ink = pattern_ink(look, x + dx, y + dy);
          all = all && ink;
          any = any || ink;
        }
      }
      if (all && seen.r < 200) ++wrong;
      if (!any && look == CellLook::NonFinite && seen.b < 200) ++wrong;
      if (seen.r > 100) ++inked[right && below ? 1 : 0];
      EXPECT_EQ(seen.g, 0);
    }
  }
  EXPECT_EQ(wrong, 0);
  EXPECT_NEAR(inked[0] / (2.0 * 128 * 128), 0.5, 0.05);
  EXPECT_NEAR(inked[1] / (128.0 * 128), kHatchInk / kHatchPeriod, 0.12);
}

TEST_F(GlGraphicsTest, EachKindOfRuleHasItsLinesAndTwoKindsBoth) {
  const std::uint8_t padded = kHiddenByKeyPadding, by_hand = kHiddenByHand;
  const auto both = static_cast<std::uint8_t>(kHiddenByCausal | kHiddenByKeyPadding);
  for (const std::uint8_t rules : {padded, by_hand, both}) {
    const Raster raster = draw(matrix_item(1, 1, {0.5F}, {rules}));
    int wrong = 0;
    for (int y = 0; y < kSize; ++y) {
      for (int x = 0; x < kSize; ++x) {
        bool all = true, any = false;
        for (const double dx : {0.05, 0.5, 0.95}) {
          for (const double dy : {0.05, 0.5, 0.95}) {
            const bool ink = pattern_ink(CellLook::Hidden, x + dx, y + dy, hatch_lines(rules));
            all = all && ink;
            any = any || ink;
          }
        }
        const Color seen = pixel(raster, x, y);
        if ((all && seen.r < 200) || (!any && seen.b < 200)) ++wrong;
      }
    }
    EXPECT_EQ(wrong, 0) << int{rules};
  }
}

TEST_F(GlGraphicsTest, PatternsKeepTheirSizeOnScreensOfHighDensity) {
  const MatrixItem item = matrix_item(1, 1, {kNan});
  const Raster raster = draw(item, {ImVec2(0, 0), 2.0F});
  const int side = static_cast<int>(2 * kCheckSize);
  EXPECT_NE(pixel(raster, side / 2, 2), pixel(raster, side + side / 2, 2));
  EXPECT_EQ(pixel(raster, 1, 1), pixel(raster, side - 2, side - 2));
}

TEST_F(GlGraphicsTest, NoHotCellIsLostWhenZoomedOut) {
  constexpr std::size_t kCells = 1200;
  std::vector<float> values(kCells * kCells, 0.1F);
  std::vector<std::size_t> hot;
  std::mt19937 random(11);
  for (int i = 0; i < 200; ++i) hot.push_back(random() % values.size());
  for (const std::size_t at : hot) values[at] = 1.0F;
  const MatrixItem item = matrix_item(kCells, kCells, std::move(values));
  const Raster raster = draw(item);
  const Color brightest = item.scale.map->colors[255];
  for (const std::size_t at : hot) {
    const double x = (static_cast<double>(at % kCells) + 0.5) * kSize / kCells;
    const double y = (static_cast<double>(at / kCells) + 0.5) * kSize / kCells;
    EXPECT_EQ(pixel(raster, static_cast<int>(x), static_cast<int>(y)), brightest);
  }
}

TEST_F(GlGraphicsTest, AVisibleCellWinsOverHiddenOnesUnderTheSamePixel) {
  constexpr std::size_t kCells = 1024;
  std::vector<float> values(kCells * kCells, 0.0F);
  std::vector<std::uint8_t> hidden(values.size(), 1);
  hidden[0] = 0;
  values[0] = 1.0F;
  const MatrixItem item = matrix_item(kCells, kCells, std::move(values), std::move(hidden));
  const Raster raster = draw(item);
  EXPECT_EQ(pixel(raster, 0, 0), item.scale.map->colors[255]);
  EXPECT_EQ(pixel(raster, 9, 9).g, 0);
}

TEST_F(GlGraphicsTest, WidgetsDrawnAfterAMatrixAreIntact) {
  const MatrixItem item = matrix_item(2, 2, {0, 1, 1, 0});
  const std::vector<std::uint8_t> green = {0, 255, 0, 255};
  const ImTextureID texture = screen->graphics().upload_rgba(1, 1, green);
  const Raster raster = screen->frame([&] {
    ImDrawList& list = *ImGui::GetForegroundDrawList();
    screen->graphics().draw_matrix(list, item, {});
    list.AddRectFilled(ImVec2(20, 20), ImVec2(60, 60), IM_COL32(255, 0, 255, 255));
    list.AddImage(texture, ImVec2(100, 20), ImVec2(140, 60));
    screen->graphics().draw_matrix(list, item, {ImVec2(200, 200), 0.1F});
  });
  EXPECT_EQ(screen->gl_error(), 0U);
  EXPECT_EQ(pixel(raster, 40, 40), (Color{255, 0, 255, 255}));
  EXPECT_EQ(pixel(raster, 120, 40), (Color{0, 255, 0, 255}));
  EXPECT_EQ(pixel(raster, 10, 10), item.scale.map->colors[0]);
  EXPECT_EQ(pixel(raster, 200, 10), item.scale.map->colors[255]);
  screen->graphics().release(texture);
}

TEST_F(GlGraphicsTest, TheClipOfTheListCutsTheMatrix) {
  const MatrixItem item = matrix_item(1, 1, {1.0F});
  const Raster raster = screen->frame([&] {
    ImDrawList& list = *ImGui::GetForegroundDrawList();
    list.PushClipRect(ImVec2(64, 64), ImVec2(128, 128), true);
    screen->graphics().draw_matrix(list, item, {});
    list.PopClipRect();
  });
  EXPECT_EQ(pixel(raster, 100, 100), item.scale.map->colors[255]);
  EXPECT_EQ(pixel(raster, 63, 63), (Color{0, 0, 0, 255}));
  EXPECT_EQ(pixel(raster, 128, 128), (Color{0, 0, 0, 255}));
}

TEST_F(GlGraphicsTest, ZoomedInEveryCellIsASharpSquare) {
  MatrixItem item = matrix_item(40, 40, std::vector<float>(1600, 0.0F));
  std::vector<float> values(1600, 0.0F);
  values[20 * 40 + 20] = 1.0F;
  item = matrix_item(40, 40, std::move(values));
  item.rect = {-1920.0, -1920.0, 4000.0, 4000.0};  // cell (20, 20) covers 80 … 180
  const Raster raster = draw(item);
  const Color hot = item.scale.map->colors[255], cold = item.scale.map->colors[0];
  EXPECT_EQ(pixel(raster, 80, 80), hot);
  EXPECT_EQ(pixel(raster, 179, 179), hot);
  EXPECT_EQ(pixel(raster, 79, 100), cold);
  EXPECT_EQ(pixel(raster, 180, 100), cold);
}

TEST_F(GlGraphicsTest, TexturesOfMatricesOutOfUseAreReleased) {
  for (int i = 0; i < 5; ++i) draw(matrix_item(2, 2, {0, 1, 1, 0}));
  EXPECT_EQ(screen->graphics().live_matrices(), 5U);
  const MatrixItem kept = matrix_item(2, 2, {0, 1, 1, 0});
  for (int i = 0; i < 20; ++i) draw(kept);
  EXPECT_EQ(screen->graphics().live_matrices(), 1U);
}

TEST_F(GlGraphicsTest, AMatrixLargerThanTheCardTakesShowsItsGround) {
  constexpr std::size_t kTooWide = 70000;
  const MatrixItem item = matrix_item(1, kTooWide, std::vector<float>(kTooWide, 1.0F));
  const Raster raster = draw(item);
  EXPECT_EQ(pixel(raster, 128, 128), item.hatch_background);
}

TEST_F(GlGraphicsTest, LabelsKeepTheirPixels) {
  const TextPicture picture = draw_text("猫 cat", {20.0, false, false}, {255, 255, 255, 255}, 1.0);
  const ImTextureID texture =
      screen->graphics().upload_rgba(picture.width_px, picture.height_px, picture.rgba);
  const Raster raster = screen->frame([&] {
    const ImVec2 max(10.0F + static_cast<float>(picture.width_px),
                     10.0F + static_cast<float>(picture.height_px));
    ImGui::GetForegroundDrawList()->AddImage(texture, ImVec2(10, 10), max);
  });
  int differing = 0;
  for (int y = 0; y < picture.height_px; ++y) {
    for (int x = 0; x < picture.width_px; ++x) {
      const auto at = static_cast<std::size_t>(4 * (y * picture.width_px + x) + 3);
      if (std::abs(pixel(raster, 10 + x, 10 + y).r - picture.rgba[at]) > 1) ++differing;
    }
  }
  EXPECT_EQ(differing, 0);
  screen->graphics().release(texture);
}

}  // namespace
}  // namespace attn::test
