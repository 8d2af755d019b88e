// The player of a flow: time, steps, speed, and less motion.
#include <gtest/gtest.h>

#include <limits>

#include "plot/charts/charts.h"
#include "tests/core/session/session_driver.h"

namespace attn {
namespace {

using test::SessionDriver;

SessionDriver opened() {
  SessionDriver session;
  session.open(test::two_heads());
  session.send(command::SelectPlot{"flow"});
  return session;
}

std::size_t step_of(const SessionDriver& session) {
  return focused_view(session.state).options.step;
}

TEST(Play, GoesThroughAllStepsAndEnds) {
  SessionDriver session = opened();
  EXPECT_EQ(steps_in_view(session.state), 7U);
  session.send(command::Play{true});
  EXPECT_EQ(step_of(session), 1U);
  EXPECT_EQ(plot_options(session.state).glide, 0.0);
  std::size_t most = 0;
  double seconds = 0.0;
  for (; session.state.playing.on && seconds < 100.0; seconds += 0.1) {
    session.send(command::PlayOn{0.1});
    most = std::max(most, step_of(session));
  }
  EXPECT_EQ(most, 7U);
  EXPECT_NEAR(seconds, 7.0 * (kStoryGlideSeconds + kStoryHoldSeconds), 2.0);
  EXPECT_EQ(step_of(session), 7U) << "stays at the last one";
  EXPECT_TRUE(session.state.history.past.empty());
  EXPECT_FALSE(has_unsaved_changes(session.state));
  session.send(command::Play{true});
  EXPECT_EQ(step_of(session), 1U) << "begins anew";
}

TEST(Play, StepsPauseItAndGlideForward) {
  SessionDriver session = opened();
  session.send(command::Play{true});
  session.send(command::PlayOn{0.5});
  session.send(command::StepDecoder{1});
  EXPECT_FALSE(session.state.playing.on);
  EXPECT_EQ(step_of(session), 2U);
  EXPECT_EQ(session.state.playing.glide, 0.0);
  session.send(command::PlayOn{1.0});
  EXPECT_EQ(session.state.playing.glide, 1.0);
  session.send(command::StepDecoder{-1});
  EXPECT_EQ(step_of(session), 1U);
  EXPECT_EQ(session.state.playing.glide, 1.0) << "back at once";
}

TEST(Play, ScrubbingReachesEveryPlace) {
  SessionDriver session = opened();
  session.send(command::Scrub{2.25});
  EXPECT_EQ(step_of(session), 3U);
  EXPECT_DOUBLE_EQ(session.state.playing.glide, 0.25);
  EXPECT_DOUBLE_EQ(played_position(session.state), 2.25);
  session.send(command::Scrub{3.0});
  EXPECT_DOUBLE_EQ(played_position(session.state), 3.0);
  session.send(command::Scrub{-5.0});
  EXPECT_DOUBLE_EQ(played_position(session.state), 0.0);
  session.send(command::Scrub{99.0});
  EXPECT_DOUBLE_EQ(played_position(session.state), 7.0);
  session.send(command::Scrub{std::numeric_limits<double>::quiet_NaN()});
  EXPECT_DOUBLE_EQ(played_position(session.state), 7.0);
}

TEST(Play, SpeedIsOneOfThree) {
  SessionDriver session = opened();
  session.send(command::SetPlaySpeed{2.0});
  session.send(command::SetPlaySpeed{7.0});
  EXPECT_EQ(session.state.playing.speed, 2.0);
  session.send(command::Play{true});
  session.send(command::PlayOn{kStoryGlideSeconds / 2.0});
  EXPECT_DOUBLE_EQ(session.state.playing.glide, 1.0);
}

TEST(Play, LessMotionGlidesNowhere) {
  SessionDriver session = opened();
  session.send(command::SetPreference{"reduced_motion", "true"});
  session.send(command::Play{true});
  EXPECT_EQ(plot_options(session.state).glide, 1.0);
  session.send(command::Scrub{2.25});
  EXPECT_EQ(plot_options(session.state).glide, 1.0);
  session.send(command::StepDecoder{1});
  EXPECT_EQ(plot_options(session.state).glide, 1.0);
}

TEST(Play, IsOfTheFlowAlone) {
  SessionDriver session = opened();
  session.send(command::Play{true});
  session.send(command::SelectPlot{"heatmap"});
  EXPECT_EQ(plot_options(session.state).glide, 1.0);
  session.send(command::PlayOn{0.1});
  EXPECT_FALSE(session.state.playing.on);
  session.send(command::Play{true});
  EXPECT_FALSE(session.state.playing.on);
}

}  // namespace
}  // namespace attn
