// Labels are drawn once, cached while in use, and placed as in exports.
#include "gui/ui/label_cache.h"

#include <gtest/gtest.h>

#include <cmath>

#include "figure/text.h"
#include "support/ui_harness.h"

namespace attn::test {
namespace {

using namespace gui;  // NOLINT(google-build-using-namespace)

struct Box {
  float left = 1e9F, top = 1e9F, right = -1e9F, bottom = -1e9F;
};

// Bounds of the vertices that `item` adds to a draw list.
Box drawn_box(const TextItem& item, float scale) {
  UiHarness ui({.scale = scale});
  Box box;
  ui.frame([&](Ui& u) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const int before = list.VtxBuffer.Size;
    u.labels.draw(list, item, {ImVec2(100, 100), scale});
    for (int i = before; i < list.VtxBuffer.Size; ++i) {
      const ImVec2 p = list.VtxBuffer[i].pos;
      box = {std::min(box.left, p.x), std::min(box.top, p.y), std::max(box.right, p.x),
             std::max(box.bottom, p.y)};
    }
  });
  return box;
}

TextItem text_item(const std::string& text) {
  TextItem item;
  item.text = text;
  item.font.size = 12.0;
  return item;
}

TEST(LabelCache, SameLabelIsDrawnByPangoOnce) {
  UiHarness ui;
  const auto draw = [](Ui& u) {
    u.labels.draw_line(*ImGui::GetWindowDrawList(), "猫", ImVec2(0, 0), {}, {}, 1.0F);
    u.labels.draw_line(*ImGui::GetWindowDrawList(), "猫", ImVec2(50, 0), {}, {}, 1.0F);
    u.labels.draw_line(*ImGui::GetWindowDrawList(), "dog", ImVec2(90, 0), {}, {}, 1.0F);
  };
  ui.frame(draw);
  ui.frames(20);
  EXPECT_EQ(ui.graphics.uploads(), 2U);
}

TEST(LabelCache, FontColourAndScaleTellLabelsApart) {
  UiHarness ui;
  ui.frame([](Ui& u) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    u.labels.draw_line(list, "a", ImVec2(0, 0), {10.0, false, false}, {}, 1.0F);
    u.labels.draw_line(list, "a", ImVec2(0, 0), {10.0, true, false}, {}, 1.0F);
    u.labels.draw_line(list, "a", ImVec2(0, 0), {10.0, false, true}, {}, 1.0F);
    u.labels.draw_line(list, "a", ImVec2(0, 0), {11.0, false, false}, {}, 1.0F);
    u.labels.draw_line(list, "a", ImVec2(0, 0), {10.0, false, false}, {9, 9, 9, 255}, 1.0F);
    u.labels.draw_line(list, "a", ImVec2(0, 0), {10.0, false, false}, {}, 2.0F);
  });
  EXPECT_EQ(ui.graphics.uploads(), 6U);
}

TEST(LabelCache, LabelsOutOfUseAreReleased) {
  UiHarness ui;
  bool both = true;
  const auto draw = [&](Ui& u) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    u.labels.draw_line(list, "kept", ImVec2(0, 0), {}, {}, 1.0F);
    if (both) u.labels.draw_line(list, "dropped", ImVec2(0, 20), {}, {}, 1.0F);
  };
  ui.frame(draw);
  EXPECT_EQ(ui.graphics.live_textures(), 2U);
  both = false;
  ui.frames(200);
  EXPECT_EQ(ui.graphics.live_textures(), 2U);
  ui.frames(200);
  EXPECT_EQ(ui.graphics.live_textures(), 1U);
  EXPECT_EQ(ui.graphics.uploads(), 2U);
}

TEST(LabelCache, AlignmentPutsTheTextWherePaperDoes) {
  const TextExtent extent = pango_metrics().measure("Query", {12.0, false, false});
  TextItem item = text_item("Query");
  item.valign = VAlign::Top;
  const Box left = drawn_box(item, 1.0F);
  item.halign = HAlign::Right;
  const Box right = drawn_box(item, 1.0F);
  item.halign = HAlign::Center;
  const Box centre = drawn_box(item, 1.0F);
  EXPECT_NEAR(left.left - right.left, extent.width, 1.01);
  EXPECT_NEAR(left.left - centre.left, extent.width / 2.0, 1.01);
  EXPECT_NEAR(left.left, 100.0, 2.5);
  item.halign = HAlign::Left;
  item.valign = VAlign::Baseline;
  EXPECT_NEAR(left.top - drawn_box(item, 1.0F).top, extent.ascent, 1.01);
}

TEST(LabelCache, TurnedTextStandsUpright) {
  TextItem item = text_item("a rather long label");
  const Box flat = drawn_box(item, 1.0F);
  item.degrees = 90.0;
  const Box upright = drawn_box(item, 1.0F);
  EXPECT_NEAR(upright.bottom - upright.top, flat.right - flat.left, 0.01);
  EXPECT_NEAR(upright.right - upright.left, flat.bottom - flat.top, 0.01);
  // Counter-clockwise: it runs upwards from the anchor, its top to the left.
  EXPECT_LT(upright.top, 20.0F);
  EXPECT_LT(upright.bottom, 104.0F);
  EXPECT_LT(upright.left, 95.0F);
}

TEST(LabelCache, TwiceTheScaleGivesTwiceThePixels) {
  const Box once = drawn_box(text_item("Attention"), 1.0F);
  const Box twice = drawn_box(text_item("Attention"), 2.0F);
  EXPECT_NEAR(twice.right - twice.left, 2.0F * (once.right - once.left), 4.0F);
}

TEST(LabelCache, EmptyAndInvisibleTextsCostNothing) {
  UiHarness ui;
  ui.frame([](Ui& u) {
    u.labels.draw_line(*ImGui::GetWindowDrawList(), "", ImVec2(0, 0), {}, {}, 1.0F);
    u.labels.draw_line(*ImGui::GetWindowDrawList(), "a", ImVec2(0, 0), {}, {0, 0, 0, 0}, 1.0F);
  });
  EXPECT_EQ(ui.graphics.uploads(), 0U);
}

}  // namespace
}  // namespace attn::test
