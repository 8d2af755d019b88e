// Results, notices, dialogs and preferences.
#include <algorithm>
#include <cmath>

#include "session/preference_fields.h"
#include "session/reduce/handlers.h"

namespace attn {

void keep_preferences(Step& step) {
  step.effects.push_back(effect::StorePreferences{step.state.preferences});
}

namespace {

// A result for a document that stands aside is taken along; it is brought into bounds when looked
// at.
void keep_for_later(AppState& state, const command::Computed& c) {
  for (std::vector<OpenDocument>* row : {&state.before, &state.after}) {
    for (OpenDocument& document : *row) {
      if (document.revision != c.revision) continue;
      document.result = c.result;
      document.result_document = std::make_shared<const Document>(document.document);
      document.result_revision = c.revision;
      document.compute_seconds = c.seconds;
    }
  }
}

}  // namespace

void apply(Step& step, const command::LimitMemory& c) {
  step.state.memory_limit_bytes = c.bytes;
  step.state.allows_all_outside = c.allows_outside;
}

void apply(Step& step, const command::Computed& c) {
  AppState& state = step.state;
  if (!c.result) return;
  if (c.revision != state.revision) return keep_for_later(state, c);
  state.result = c.result;
  state.result_document = std::make_shared<const Document>(state.document);
  state.result_revision = c.revision;
  state.result_error.reset();
  state.compute_seconds = c.seconds;
  fit_to_result(state);
}

void apply(Step& step, const command::ComputeFailed& c) {
  AppState& state = step.state;
  if (c.revision != state.revision) return;
  drop_result(state);
  state.result_error = c.error;
  const bool wanted = c.error.kind == ErrorKind::Interrupted;
  notify(state, wanted ? Notice::Level::Warning : Notice::Level::Error, c.error);
  look_at_own_file(step);  // whose change may be why
}

void apply(Step& step, const command::ShowDialog& c) {
  AppState& state = step.state;
  if (!c.dialog && state.dialog == DialogKind::SaveAs) state.after_saving.reset();
  state.dialog = c.dialog;
  if (!c.dialog) state.chosen_export_path.clear();
}

void apply(Step& step, const command::ShowOverlay& c) { step.state.overlay = c.overlay; }

void apply(Step& step, const command::Notify& c) { notify(step.state, c.level, c.text, c.details); }

void apply(Step& step, const command::DismissNotice& c) {
  std::erase_if(step.state.notices, [&](const Notice& notice) { return notice.id == c.id; });
}

void apply(Step& step, const command::SetTheme& c) {
  Preferences& preferences = step.state.preferences;
  if (preferences.theme == c.theme || !theme_info(c.theme).of_windows) return;
  preferences.theme = c.theme;
  keep_preferences(step);
}

void apply(Step& step, const command::SetInterfaceScale& c) {
  Preferences& preferences = step.state.preferences;
  const bool automatic = !std::isfinite(c.scale) || c.scale <= 0.0;
  const double scale = automatic ? 0.0 : std::clamp(c.scale, kSmallestScale, kLargestScale);
  if (preferences.scale == scale) return;
  preferences.scale = scale;
  keep_preferences(step);
}

void apply(Step& step, const command::SetPreference& c) {
  const Field<Preferences>* field = preference_named(c.field);
  if (field == nullptr) {
    return notify(step.state, Notice::Level::Warning, "There is no setting named " + c.field);
  }
  Preferences changed = step.state.preferences;
  const Status set = field->set(changed, c.text, Spelling::Field);
  if (!set) return notify(step.state, Notice::Level::Warning, set.error());
  if (field->get(changed) == field->get(step.state.preferences)) return;
  if (changed.scale > 0.0) changed.scale = std::max(changed.scale, kSmallestScale);
  step.state.preferences = std::move(changed);
  keep_preferences(step);
}

void apply(Step& step, const command::ShowOption& c) { step.state.asked_option = c.field; }

void apply(Step& step, const command::LookAtRecent& /*c*/) {
  const std::vector<std::string>& paths = step.state.preferences.recent_files;
  if (!paths.empty()) step.effects.push_back(effect::LookAtRecent{paths});
}

void apply(Step& step, const command::RecentLookedAt& c) { step.state.gone_files = c.gone; }

void apply(Step& step, const command::ForgetRecent& /*c*/) {
  step.state.preferences.recent_files.clear();
  keep_preferences(step);
}

// Both sides as they are kept, or the one that was asked for.
void apply(Step& step, const command::SetSides& c) {
  Preferences& preferences = step.state.preferences;
  step.state.plot_alone = false;
  if (preferences.sides == c.sides) return;
  preferences.sides = c.sides;
  keep_preferences(step);
}

void apply(Step& step, const command::ShowPlotAlone& c) { step.state.plot_alone = c.alone; }

void apply(Step& step, const command::SetWindowPlace& c) {
  Preferences& preferences = step.state.preferences;
  if (preferences.window == c.place) return;
  preferences.window = c.place;
  keep_preferences(step);
}

void apply(Step& step, const command::LoadedPreferences& c) {
  step.state.preferences = c.preferences;
}

}  // namespace attn
