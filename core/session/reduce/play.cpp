// Plays the flow of a cell as time passes.
#include <algorithm>
#include <cmath>

#include "plot/charts/charts.h"
#include "session/reduce/handlers.h"

namespace attn {

void glide_to_step(AppState& state) {
  state.playing.glide = state.preferences.reduced_motion ? 1.0 : 0.0;
  state.playing.held = 0.0;
}

namespace {

void show_step(AppState& state, std::size_t number) {
  focused_view(state).options.step = number;
  glide_to_step(state);
}

}  // namespace

void apply(AppState& state, const command::Play& c) {
  const std::size_t shown = focused_view(state).options.step;
  state.playing.on = c.on && shows_flow(state);
  const bool ended = shown == 0 || shown >= steps_in_view(state);
  if (state.playing.on && ended && state.playing.glide >= 1.0) show_step(state, 1);
}

void apply(AppState& state, const command::PlayOn& c) {
  Playing& playing = state.playing;
  const double seconds = std::clamp(c.seconds, 0.0, 1.0) * playing.speed;
  if (!shows_flow(state)) return void(playing = {.speed = playing.speed});
  if (playing.glide < 1.0) {
    playing.glide = std::min(playing.glide + seconds / kStoryGlideSeconds, 1.0);
    return;
  }
  playing.held += seconds;
  if (!playing.on || playing.held < kStoryHoldSeconds) return;
  const std::size_t shown = focused_view(state).options.step;
  playing.on = shown > 0 && shown < steps_in_view(state);
  if (playing.on) show_step(state, shown + 1);
}

void apply(AppState& state, const command::SetPlaySpeed& c) {
  const auto known = std::ranges::find(kPlaySpeeds, c.speed);
  if (known != std::end(kPlaySpeeds)) state.playing.speed = *known;
}

void apply(AppState& state, const command::Scrub& c) {
  if (!shows_flow(state) || !std::isfinite(c.position)) return;
  const auto steps = static_cast<double>(steps_in_view(state));
  const double position = std::clamp(c.position, 0.0, steps), step = std::ceil(position);
  focused_view(state).options.step = static_cast<std::size_t>(std::max(step, 1.0));
  state.playing = {.speed = state.playing.speed,
                   .glide = step > position  ? position + 1.0 - step
                            : position > 0.0 ? 1.0
                                             : 0.0};
  if (state.preferences.reduced_motion) state.playing.glide = 1.0;
}

void apply(Step& step, const Command& c, command::Playings list) { apply_one_of(step, c, list); }

}  // namespace attn
