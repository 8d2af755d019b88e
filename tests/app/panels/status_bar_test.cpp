// Status bar: simulated colour vision, and parts left out where it is narrow.
#include <gtest/gtest.h>

#include "document/load/open.h"
#include "document/problem.h"
#include "engine/compute.h"
#include "figure/colormap.h"
#include "gui/panels/bars.h"
#include "session/command.h"
#include "support/ui_harness.h"

namespace attn::gui {
namespace {

AppState state_seen_by(ColorVision vision) {
  AppState state;
  state.document = open_document(std::string(kExamplePrefix) + "four-heads")->document;
  state.result = *compute(make_problem(state.document));
  state.result_document = std::make_shared<const Document>(state.document);
  state.compute_seconds = 0.001;
  state.preferences.vision = vision;
  return state;
}

class StatusBar : public ::testing::Test {
 protected:
  void draw(const AppState& drawn, const JobQueue::Status& shown = {}) {
    state = drawn;
    job = shown;
    for (int i = 0; i < 3; ++i) {
      ui.frame([this](Ui& frame) { cancelled |= status_bar(frame, state, job); });
    }
  }

  AppState state;
  JobQueue::Status job;
  bool cancelled = false;
  test::UiHarness ui{{.width = 900.0F, .height = 600.0F}};
};

TEST_F(StatusBar, SaysNothingOfUsualEyes) {
  draw(state_seen_by(ColorVision::Usual));
  EXPECT_TRUE(ui.shows("status/shape"));
  EXPECT_FALSE(ui.shows("status/vision"));
}

TEST_F(StatusBar, SaysWhoseEyesAreSimulatedAndEndsThatByAClick) {
  for (const ColorVisionInfo& info : all_color_visions()) {
    if (info.vision == ColorVision::Usual) continue;
    draw(state_seen_by(info.vision));
    EXPECT_EQ(ui.value("status/vision"), "Simulating " + std::string(info.name));
    EXPECT_TRUE(ui.find("status/vision")->is_control);
    ui.sent.clear();
    ui.click("status/vision");
    const auto* set = ui.last<command::SetPreference>();
    ASSERT_NE(set, nullptr);
    EXPECT_EQ(set->field, "simulate");
    EXPECT_EQ(set->text, "none");
  }
}

TEST_F(StatusBar, LeavesOutWhatWouldPushTheJobOutOfTheWindow) {
  draw(state_seen_by(ColorVision::Deuteranopia));
  EXPECT_TRUE(ui.shows("status/vision"));
  draw(state, {"Exporting a-name-that-is-longer-than-the-line-has-room-for.pdf", 0.4F, 2});
  for (const char* name : {"status/vision", "status/job", "status/cancel"}) {
    ASSERT_TRUE(ui.shows(name)) << name;
    EXPECT_LE(ui.find(name)->max.x, 900.0F) << name;
  }
}

TEST_F(StatusBar, SaysWhatComputingTookOnceItIsPointedAt) {
  draw(state_seen_by(ColorVision::Usual));
  ui.hover("status/shape");
  ui.frames(60);
  EXPECT_NE(ui.value("tooltip").find("Computed in "), std::string::npos);
  EXPECT_NE(ui.value("tooltip").find(" of memory"), std::string::npos);
}

TEST_F(StatusBar, IsNeverCutByTheWindowButShortenedByImportance) {
  test::UiHarness narrow{{.width = 420.0F, .height = 300.0F}};
  const AppState shown = state_seen_by(ColorVision::Deuteranopia);
  const JobQueue::Status exporting{"Exporting a-name-that-is-longer-than-the-line.pdf", 0.4F, 2};
  for (int i = 0; i < 3; ++i) {
    narrow.frame([&](Ui& frame) { status_bar(frame, shown, exporting); });
  }
  EXPECT_EQ(narrow.value("status/shape"), "10 queries × 10 keys");
  EXPECT_FALSE(narrow.shows("status/vision"));
  ASSERT_TRUE(narrow.shows("status/cancel"));
  EXPECT_LE(narrow.find("status/cancel")->max.x, 420.0F);
  for (int i = 0; i < 3; ++i) narrow.frame([&](Ui& frame) { status_bar(frame, shown, {}); });
  EXPECT_EQ(narrow.value("status/shape"), "10 queries × 10 keys, d_k 3, d_model 12, 4 heads");
}

TEST_F(StatusBar, WhatIsSaidOfAJobStandsOnTheLineOfTheRest) {
  draw(state_seen_by(ColorVision::Usual), {"Computing", 0.4F, 0});
  const float line = ui.find("status/shape")->min.y;
  for (const char* name : {"status/job", "status/cancel"}) {
    EXPECT_NEAR(ui.find(name)->min.y, line, 1.0F) << name;
  }
}

TEST_F(StatusBar, SaysHowFarTheJobIsOnceItHasBegun) {
  draw(state_seen_by(ColorVision::Usual), {"Map", 0.0F, 0});
  EXPECT_EQ(ui.value("status/job"), "Map");
  draw(state, {"Map", 0.237F, 0});
  EXPECT_EQ(ui.value("status/job"), "Map 23 %");
  draw(state, {"Map", 1.0F, 2});
  EXPECT_EQ(ui.value("status/job"), "Map 100 % (2 waiting)");
  EXPECT_FALSE(cancelled);
  ui.click("status/cancel");
  EXPECT_TRUE(cancelled);
}

}  // namespace
}  // namespace attn::gui
