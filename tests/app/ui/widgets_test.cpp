// Buttons, checkboxes and choices: their results and tooltips.
#include "gui/ui/widgets.h"

#include <gtest/gtest.h>
#include <imgui_internal.h>

#include <array>

#include "gui/panels/controls/controls.h"
#include "gui/panels/controls/field_control.h"
#include "support/ui_harness.h"

namespace attn::test {
namespace {

using namespace gui;  // NOLINT(google-build-using-namespace)

TEST(Button, PressesOnceAndNotWhenDisabled) {
  UiHarness ui;
  int pressed = 0;
  bool enabled = true;
  ui.frame([&](Ui& u) {
    if (button(u, "file/save", "Save", {.tooltip = "Writes the file", .enabled = enabled})) {
      ++pressed;
    }
  });
  ui.click("file/save");
  EXPECT_EQ(pressed, 1);
  enabled = false;
  ui.frames(1);
  EXPECT_FALSE(ui.enabled("file/save"));
  ui.click("file/save");
  EXPECT_EQ(pressed, 1);
}

// Pixels that the filled bar reaches over.
float drawn_length(float length) {
  UiHarness ui;
  float drawn = 0.0F;
  ui.frame([&](Ui& u) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const int before = list.VtxBuffer.Size;
    fill_bar(u, ImVec2(100, 50), length, 8, Color{0, 0, 0});
    float left = 1e9F, right = -1e9F;
    for (int i = before; i < list.VtxBuffer.Size; ++i) {
      left = std::min(left, list.VtxBuffer[i].pos.x);
      right = std::max(right, list.VtxBuffer[i].pos.x);
    }
    drawn = std::max(right - left, 0.0F);
  });
  return drawn;
}

TEST(FillBar, IsNeverShorterForALargerNumberAndNothingForZero) {
  EXPECT_EQ(drawn_length(0.0F), 0.0F);
  EXPECT_GE(drawn_length(1e-9F), 1.0F);
  EXPECT_EQ(drawn_length(-1e-9F), drawn_length(1e-9F));
  float before = 0.0F;
  for (float length = 0.0F; length < 12.0F; length += 0.1F) {
    EXPECT_GE(drawn_length(length), before) << length;
    before = drawn_length(length);
  }
}

TEST(Typeset, TakesIndicesMinusSignsAndPercentSigns) {
  EXPECT_EQ(typeset("Save as…"), "Save as…");
  EXPECT_EQ(typeset("d_k, my_file"), "d\uE06B, my_file");
  EXPECT_EQ(typeset("from -1 to 4.2e-05"), "from −1 to 4.2·10⁻⁵");
  EXPECT_EQ(typeset("41 % of it"), "41\u00A0% of it");
  EXPECT_EQ(item_label("W_Q", "inputs/W_Q"), "W\uE051###inputs/W_Q");
}

bool tooltip_is_open() {
  for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows) {
    if ((window->Flags & ImGuiWindowFlags_Tooltip) != 0 && window->Active) return true;
  }
  return false;
}

TEST(Button, ExplainsItselfAfterADelayAndAsksForThatFrame) {
  UiHarness ui;
  double redraw = 0.0;
  ui.frame([&](Ui& u) {
    u.redraw_seconds = 1e9;
    button(u, "undo", "Undo", {.tooltip = "Undoes the last edit", .shortcut = "Ctrl+Z"});
    redraw = u.redraw_seconds;
  });
  EXPECT_EQ(redraw, 1e9);
  ui.hover("undo");
  EXPECT_FALSE(tooltip_is_open());
  EXPECT_LT(redraw, 0.5);
  ui.frames(30);
  EXPECT_TRUE(tooltip_is_open());
  EXPECT_EQ(redraw, 1e9);
}

TEST(Button, SaysWhyItIsDisabled) {
  UiHarness ui;
  ui.frame([](Ui& u) {
    button(u, "undo", "Undo", {.enabled = false, .disabled_reason = "Nothing to undo"});
  });
  ui.hover("undo");
  EXPECT_TRUE(tooltip_is_open());
}

TEST(Checkbox, ReportsTheNewState) {
  UiHarness ui;
  bool on = false;
  ui.frame([&](Ui& u) {
    if (const auto now = checkbox(u, "mask/causal", "Causal", on)) on = *now;
  });
  EXPECT_EQ(ui.value("mask/causal"), "off");
  ui.click("mask/causal");
  EXPECT_TRUE(on);
  EXPECT_EQ(ui.value("mask/causal"), "on");
  ui.click("mask/causal");
  EXPECT_FALSE(on);
}

TEST(Segmented, SelectsWhatIsClickedAndReportsNoChangeOtherwise) {
  UiHarness ui;
  constexpr std::array<std::string_view, 3> kLabels = {"Head", "All heads", "Links"};
  std::size_t selected = 0;
  int changes = 0;
  ui.frame([&](Ui& u) {
    if (const auto chosen = segmented(u, "plot", kLabels, selected,
                                      [](std::size_t) { return "Shows this plot"; })) {
      selected = *chosen;
      ++changes;
    }
  });
  ui.click("plot/Links");
  EXPECT_EQ(selected, 2U);
  EXPECT_EQ(ui.value("plot/Links"), "on");
  EXPECT_EQ(ui.value("plot/Head"), "");
  ui.click("plot/Links");
  EXPECT_EQ(changes, 1);
}

TEST(Combo, OpensAndChooses) {
  UiHarness ui;
  constexpr std::array<std::string_view, 3> kMaps = {"Viridis", "Magma", "Grey"};
  std::size_t selected = 0;
  ui.frame([&](Ui& u) {
    if (const auto chosen = combo(u, "map", kMaps, selected, 140)) selected = *chosen;
  });
  EXPECT_EQ(ui.value("map"), "Viridis");
  EXPECT_FALSE(ui.shows("map/Grey"));
  ui.click("map");
  ui.click("map/Grey");
  EXPECT_EQ(selected, 2U);
  EXPECT_EQ(ui.value("map"), "Grey");
  EXPECT_FALSE(ui.shows("map/Magma"));
}

TEST(ElidedText, KeepsToItsWidth) {
  UiHarness ui;
  ImVec2 size;
  ui.frame([&](Ui& u) {
    elided_text(u, "/home/ada/documents/attention/a very long file name.attn.json", 120.0F,
                u.colors().ink);
    size = ImGui::GetItemRectSize();
  });
  EXPECT_LE(size.x, 120.0F);
  EXPECT_GT(size.x, 80.0F);
}

struct NumberScene {
  FieldInteractions fields;
  float value = 0.5F;
  int commits = 0, pressed = 0;
  bool drags = false;
  void operator()(Ui& ui) {
    const FieldValue field{.kind = FieldKind::Number,
                           .text = std::to_string(value).substr(0, 4),
                           .problem = number_problem,
                           .moves = drags};
    if (const auto text = field_control(ui, "scale", field, fields, {.width = 120})) {
      value = std::stof(*text);
      ++commits;
    }
    if (ImGui::Button("elsewhere")) ++pressed;
    ui.mark("elsewhere");
  }
};

TEST(NumberField, TakesANumberOnEnterAndOnLeaving) {
  UiHarness ui;
  NumberScene scene;
  ui.frame([&](Ui& u) { scene(u); });
  ui.click("scale");
  ui.type("0.25");
  ui.key("Enter");
  EXPECT_FLOAT_EQ(scene.value, 0.25F);
  ui.click("scale");
  ui.key("Ctrl+A");
  ui.type("2");
  ui.click("elsewhere");
  EXPECT_FLOAT_EQ(scene.value, 2.0F);
  EXPECT_EQ(scene.commits, 2);
}

TEST(NumberField, RefusesWhatIsNoNumberAndSaysWhy) {
  UiHarness ui;
  NumberScene scene;
  ui.frame([&](Ui& u) { scene(u); });
  for (const char* wrong : {"1,5", "1e99", "nan", "abc", ""}) {
    ui.click("scale");
    ui.key("Ctrl+A");
    ui.key("Delete");
    ui.type(wrong);
    ui.key("Enter");
    EXPECT_EQ(scene.commits, 0) << wrong;
    EXPECT_FALSE(ui.value("scale/problem").empty()) << wrong;
  }
  ui.click("scale");
  ui.key("Ctrl+A");
  ui.type("1.5");
  EXPECT_FALSE(ui.shows("scale/problem"));
  ui.key("Enter");
  EXPECT_FLOAT_EQ(scene.value, 1.5F);
}

TEST(NumberField, EscapeTakesTheTextBack) {
  UiHarness ui;
  NumberScene scene;
  ui.frame([&](Ui& u) { scene(u); });
  ui.click("scale");
  ui.type("9");
  ui.key("Esc");
  EXPECT_EQ(scene.commits, 0);
  EXPECT_EQ(ui.value("scale"), "0.50");
}

// scalar_test.cpp tests the drag of a number in a panel.
TEST(NumberField, APressIsHeldUntilItIsAClick) {
  UiHarness ui;
  NumberScene scene;
  scene.drags = true;
  ui.frame([&](Ui& u) { scene(u); });
  ui.press("scale");
  EXPECT_FALSE(scene.fields["scale"].editing);
  ui.release();
  ui.frames(2);
  EXPECT_TRUE(scene.fields["scale"].editing);
  ui.type("3");
  ui.key("Enter");
  EXPECT_FLOAT_EQ(scene.value, 3.0F) << "all was selected";
}

TEST(NumberField, OneThatDragsNoLongerLetsGoWhatIsHeld) {
  UiHarness ui;
  NumberScene scene;
  scene.drags = true;
  ui.frame([&](Ui& u) { scene(u); });
  ui.press("scale");
  scene.drags = false;
  ui.frames(2);
  EXPECT_EQ(ImGui::GetCurrentContext()->ActiveId, 0U);
  ui.release();
  ui.click("elsewhere");
  EXPECT_EQ(scene.pressed, 1);
}

TEST(TextField, CommitsOnceOnEnter) {
  UiHarness ui;
  FieldInteraction interaction;
  std::string name = "cat";
  int commits = 0;
  ui.frame([&](Ui& u) {
    if (auto now = text_field(u, "name", name, interaction)) {
      name = *now;
      ++commits;
    }
  });
  ui.click("name");
  ui.type("größe");
  EXPECT_EQ(name, "cat");
  ui.key("Enter");
  EXPECT_EQ(name, "größe");
  EXPECT_EQ(commits, 1);
}

}  // namespace
}  // namespace attn::test
