// Results, notices, dialogs and preferences.
#include <algorithm>

#include "base/row_sample.h"
#include "base/utf8.h"
#include "session/preferences.h"
#include "session/reduce/handlers.h"
#include "view/fields.h"

namespace attn {
namespace {

// Repeated messages are counted as one.
void keep_message(AppState& state, const Notice& notice) {
  std::vector<Notice>& kept = state.messages;
  if (!kept.empty() && kept.back().text == notice.text) {
    kept.back().count += 1;
    return;
  }
  kept.push_back(notice);
  kept.back().count = 1;
  if (kept.size() > kMessagesKept) kept.erase(kept.begin());
}

void take_result(OpenDocument& open, const command::Computed& c) {
  const bool follows = open.result_revision == c.revision && open.result &&
                       open.result->layers_ready() < open.result->shape().layers;
  const double before = follows ? open.compute_seconds : 0.0;  // for the first layers
  open.result = *c.result;
  open.result_document = std::make_shared<const Document>(open.document);
  open.result_revision = c.revision;
  open.compute_seconds = before + c.seconds;
  conceal_question(open);
}

// True if both appear in one place: offers above the panes of their document, others over the
// window.
bool share_place(const Notice& a, const Notice& b) {
  if (is_of_a_document(a) != is_of_a_document(b)) return false;
  return !is_of_a_document(a) || a.document == b.document;
}

void add_notice(AppState& state, Notice notice) {
  notice.id = ++state.last_notice;
  notice.document = state.id;
  const auto same = std::ranges::find_if(state.notices, [&](const Notice& other) {
    return other.text == notice.text && share_place(other, notice);
  });
  if (same != state.notices.end()) {
    notice.count += same->count;
    state.notices.erase(same);
  }
  keep_message(state, notice);
  state.notices.push_back(notice);
  constexpr std::ptrdiff_t kNoticesKept = 3;  // in one place
  const auto beside = [&](const Notice& other) { return share_place(other, notice); };
  if (std::ranges::count_if(state.notices, beside) <= kNoticesKept) return;
  // Errors outrank other notices, so that many small messages cannot displace one.
  const auto weight = [&](const Notice& other) {
    constexpr int kElsewhere = 9;
    if (!beside(other)) return kElsewhere;
    return disappears(other) ? -1 : static_cast<int>(other.level);
  };
  state.notices.erase(std::ranges::min_element(state.notices, {}, weight));
}

}  // namespace

void notify(AppState& state, Notice::Level level, std::string text, std::string details,
            std::string path) {
  add_notice(state, {.level = level,
                     .text = std::move(text),
                     .details = std::move(details),
                     .path = std::move(path)});
}

void withdraw(AppState& state, std::string_view text) {
  std::erase_if(state.notices, [&](const Notice& notice) { return notice.text == text; });
}

void offer(AppState& state, Notice::Level level, std::string text, Notice::Offer action) {
  add_notice(state, {.level = level, .text = std::move(text), .details = {}, .offer = action});
}

void ask_about_causal(AppState& state, const std::string& name) {
  offer(state, Notice::Level::Info,
        name + " looks causal: all weights above the diagonal are 0" +
            sample_of_rows(std::get<GivenWeights>(state.document.model).weights).where() +
            ". They are hatched as hidden.",
        Notice::Offer::CausalOff);
}

void forget_offers(AppState& state, std::uint64_t document) {
  std::erase_if(state.notices, [&](const Notice& notice) {
    return notice.offer != Notice::Offer::Nothing && notice.document == document;
  });
}

void notify(AppState& state, Notice::Level level, const Error& error) {
  notify(state, level, as_sentence(describe(error)), describe_in_full(error));
}

void notify_failure(AppState& state, const Error& error) {
  const bool wanted = error.kind == ErrorKind::Interrupted;
  notify(state, wanted ? Notice::Level::Warning : Notice::Level::Error, error);
}

void keep_preferences(Step& step) {
  step.effects.push_back(effect::StorePreferences{step.preferences});
}

// Results of background documents are clamped when those are shown.
void apply(Step& step, const command::Computed& c) {
  for (OpenDocument& document : step.background) {
    if (c.result && document.revision == c.revision) take_result(document, c);
  }
  if (c.revision != step.revision) return;
  if (c.result) {
    take_result(step, c);
    step.result_error.reset();
    request_other_layers(step);
    return fit_to_result(step);
  }
  drop_result(step);
  step.result_error = c.result.error();
  notify_failure(step, c.result.error());
  check_own_file(step);  // its change may be the cause
}

// Gives a view without a choice of its own the options of the last export.
void recall_export(AppState& state) {
  ViewOptions& options = pane_named(state, 0)->view.options;
  for (const std::string_view name : remembered_options()) {
    const Field<ViewOptions>& field = *plot_option_named(name);
    if (field.get(options) != field.get({})) continue;
    const Status set =
        field.set(options, field.get(state.preferences.export_figure), Spelling::Field);
    assert(set.ok());
  }
}

void apply(AppState& state, const command::ShowDialog& c) {
  if (c.value == DialogKind::Export && !state.dialog) recall_export(state);
  if (!c.value && state.dialog == DialogKind::SaveAs) state.after_saving.reset();
  state.dialog = c.value;
  if (!c.value) state.chosen_export_path.clear();
}

void apply(AppState& state, const command::ShowPlotAlone& c) {
  constexpr const char* kWayBack = "F11 brings the panels back";
  state.plot_alone = c.value;
  if (c.value) return inform(state, kWayBack);
  withdraw(state, kWayBack);
}

void apply(AppState& state, const command::Notify& c) {
  notify(state, c.level, c.text, c.details, c.path);
}

void apply(AppState& state, const command::DismissNotice& c) {
  std::erase_if(state.notices, [&](const Notice& notice) { return notice.id == c.id; });
}

void apply(Step& step, const command::AskTheme& /*c*/) {
  if (!step.preferences.theme) step.effects.push_back(effect::AskTheme{});
}

void apply(Step& step, const command::SetPreference& c) {
  const Field<Preferences>* field = preference_named(c.field);
  if (field == nullptr) return warn(step, "There is no setting named " + c.field);
  Preferences changed = step.preferences;
  const Status set = field->set(changed, c.text, Spelling::Field);
  if (!set) return warn(step, set.error());
  if (field->get(changed) == field->get(step.preferences)) return;
  if (changed.scale > 0.0) changed.scale = std::max(changed.scale, kSmallestScale);
  step.preferences = std::move(changed);
  keep_preferences(step);
  if (c.field == "theme") apply(step, command::AskTheme{});
}

void apply(Step& step, const command::CheckRecent& /*c*/) {
  const std::vector<std::string>& paths = step.preferences.recent_files;
  if (!paths.empty()) step.effects.push_back(effect::CheckRecent{paths});
}

template <class T, T Preferences::*kMember>
void apply(Step& step, const command::SetChecked<kMember>& c) {
  // Sides are shown when they are set.
  if (std::is_same_v<T, Sides>) apply(step, command::ShowPlotAlone{false});
  if (step.preferences.*kMember == c.value) return;
  step.preferences.*kMember = c.value;
  keep_preferences(step);
}

void apply(Step& step, const Command& c, command::OfProgram list) { apply_one_of(step, c, list); }

}  // namespace attn
