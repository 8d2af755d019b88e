// Tabs: the state holds the shown document; the others wait in the background.
#include <algorithm>
#include <iterator>
#include <utility>

#include "document/load/array_reading.h"
#include "document/load/open.h"
#include "document/problem.h"
#include "session/reduce/handlers.h"

namespace attn {
namespace {

// Path for the next start; empty: none.
std::string file_of(const OpenDocument& document) {
  const std::string& path = origin_of(document);
  return path.starts_with('/') ? path : "";
}

constexpr std::size_t kClosedKept = 10;

OpenDocument& shown(AppState& state) { return state; }

// Moves all tabs to the background in one row. The state has no document until show_tab().
void move_to_background(AppState& state) {
  state.background.insert(state.background.begin() + static_cast<std::ptrdiff_t>(state.place),
                          std::move(shown(state)));
}

void show_tab(AppState& state, std::size_t place) {
  const auto tab = state.background.begin() + static_cast<std::ptrdiff_t>(place);
  shown(state) = std::move(*tab);
  state.background.erase(tab);
  state.place = place;
}

void show_new(AppState& state) {
  shown(state) = OpenDocument{};
  state.id = ++state.last_document;
}

// Drops transient state such as hover when another document is shown.
void settle_shown(Step& step) {
  step.history.gesture = 0;
  step.hover.reset();
  step.tensor_hover.reset();
  // A drag that ended as the tab changed may have left the later layers out.
  const bool current = step.result && step.result_revision == step.revision &&
                       step.result->layers_ready() >= step.result->shape().layers;
  if (!current && !step.result_error) {
    request_result(step);
  } else {
    bound_results(step);
  }
  if (step.result) fit_to_result(step);
  dispatch(step, command::CheckFiles{});
}

bool is_untouched(const AppState& state) {
  const bool without_file = state.source_path.empty() || is_built_in(state.source_path);
  return without_file && state.path.empty() && !has_unsaved_changes(state) &&
         state.history.past.empty() && state.history.future.empty();
}

KeptTab kept_tab(const OpenDocument& document) {
  KeptTab tab{
      file_of(document), Panes{document.layout, document.focus, document.maximised}, {}, {}};
  std::ranges::copy_if(document.pins, std::back_inserter(tab.pins),
                       [](const CellHit& pin) { return is_computed(pin.matrix); });
  tab.arrays = document.arrays ? array_words_text(document.arrays->words) : document.text_words;
  return tab;
}

// Restores the stored order; tabs opened meanwhile go last.
void order_tabs(AppState& state) {
  const std::uint64_t shown_id = state.id;
  move_to_background(state);
  std::ranges::stable_sort(state.background, {}, [&](const OpenDocument& document) {
    return std::ranges::find(state.restoring, file_of(document), &KeptTab::path) -
           state.restoring.begin();
  });
  const auto tab = std::ranges::find(state.background, shown_id, &OpenDocument::id);
  show_tab(state, static_cast<std::size_t>(tab - state.background.begin()));
}

}  // namespace

OpenDocument* open_document_named(AppState& state, std::uint64_t document) {
  if (document == 0 || document == state.id) return &state;
  const auto found = std::ranges::find(state.background, document, &OpenDocument::id);
  return found == state.background.end() ? nullptr : &*found;
}

void forget_numbers(OpenDocument& document) {
  drop_result(document);
  document.derivations = {};
  document.derived_from = nullptr;
  document.older.reset();
}

// Drops the results of the most distant tabs first.
void bound_results(AppState& state) {
  if (state.background.empty()) return;
  std::uint64_t bytes = materialised_bytes(make_problem(state.document));
  const auto keep = [&](OpenDocument& document) {
    if (!document.result) return;
    bytes += materialised_bytes(document.result->problem());
    if (bytes > state.memory_limit_bytes) forget_numbers(document);
  };
  for (std::size_t i = 0; i < state.background.size(); ++i) {
    if (i < state.place) keep(state.background[state.place - 1 - i]);
    if (state.place + i < state.background.size()) keep(state.background[state.place + i]);
  }
}

void ensure_free_tab(AppState& state) {
  if (!is_untouched(state)) add_tab(state);
}

void add_tab(AppState& state) {
  move_to_background(state);
  ++state.place;
  show_new(state);
}

bool is_asking(const AppState& state) { return state.question || state.dialog; }

void ask_about_edits(AppState& state, std::uint64_t closing) {
  state.question = UnsavedQuestion{closing};
  state.after_saving.reset();
}

void show_document(Step& step, std::uint64_t document) {
  if (step.id == document) return;
  const std::vector<const OpenDocument*> open = open_documents(step);
  const auto found = std::ranges::find(open, document, &OpenDocument::id);
  if (found == open.end()) return;
  const auto at = static_cast<std::size_t>(found - open.begin());
  move_to_background(step);
  show_tab(step, at);
  settle_shown(step);
}

// Capacity beyond this many spare tabs is freed when tabs close: each takes kilobytes.
constexpr std::size_t kSpareTabs = 4;

void close_document(Step& step) {
  std::erase_if(step.tabs_for_next_start,
                [&](const KeptTab& tab) { return tab.path == file_of(step); });
  drop_autosave(step, step);
  forget_offers(step, step.id);
  forget_numbers(step);
  step.closed.push_back(std::move(shown(step)));
  if (step.closed.size() > kClosedKept) step.closed.erase(step.closed.begin());
  std::vector<OpenDocument>& background = step.background;
  if (background.capacity() > kSpareTabs + 2 * background.size()) background.shrink_to_fit();
  if (!background.empty()) {
    show_tab(step, std::min(step.place, background.size() - 1));
    return settle_shown(step);
  }
  show_new(step);
  replace_document(step, new_document(), "");
}

bool restore_tab(AppState& state) {
  const auto tab = std::ranges::find(state.restoring, file_of(state), &KeptTab::path);
  if (tab == state.restoring.end()) return false;
  show_panes(state, tab->panes);
  state.pins = tab->pins;
  fit_to_document(state);
  show_inputs_of(state, focused_view(state).options.at);
  return true;
}

void take_awaited_tab(AppState& state, const std::string& path, bool opened) {
  const std::size_t requested = state.tabs_requested;
  if (state.awaits_tab && state.restoring[requested - 1].path == path) state.awaits_tab = false;
  const auto tab = std::ranges::find(state.restoring, path, &KeptTab::path);
  if (!opened && tab != state.restoring.end()) tab->path.clear();
}

// Opens one tab at a time, and only after the shown document is computed.
void restore_next_tab(Step& step) {
  if (step.restoring.empty() || step.awaits_tab || is_computing(step)) return;
  while (step.tabs_requested < step.restoring.size()) {
    const KeptTab& tab = step.restoring[step.tabs_requested++];
    const std::string& path = tab.path;
    const auto open = open_documents(step);
    const bool is_open =
        std::ranges::any_of(open, [&](const auto* other) { return file_of(*other) == path; });
    if (is_open || path.empty()) continue;
    step.awaits_tab = true;
    return dispatch(step, command::Open{path, true, false, "", tab.arrays});
  }
  order_tabs(step);
  step.restoring.clear();
}

void apply(Step& step, const command::RestoreTabs& c) {
  if (c.for_next_start) step.tabs_for_next_start = c.tabs;
  if (c.tabs.empty() || c.for_next_start) return;
  step.restoring = c.tabs;
  const auto shown = std::ranges::find(c.tabs, c.shown, &KeptTab::path);
  const KeptTab& first = shown == c.tabs.end() ? c.tabs.front() : *shown;
  dispatch(step, command::Open{first.path, false, false, "", first.arrays});
}

// Does nothing before all stored tabs are open.
void apply(Step& step, const command::KeepTabs& /*c*/) {
  if (!step.restoring.empty()) return;
  std::vector<KeptTab> tabs;
  for (const OpenDocument* open : open_documents(step)) {
    if (!file_of(*open).empty() && tabs.size() < kMostKeptTabs) tabs.push_back(kept_tab(*open));
  }
  for (const KeptTab& tab : step.tabs_for_next_start) {
    const bool is_open = std::ranges::find(tabs, tab.path, &KeptTab::path) != tabs.end();
    if (!is_open && tabs.size() < kMostKeptTabs) tabs.push_back(tab);
  }
  Preferences& preferences = step.preferences;
  if (tabs == preferences.tabs && preferences.last_document == file_of(step)) return;
  preferences.tabs = std::move(tabs);
  preferences.last_document = file_of(step);
  keep_preferences(step);
}

void apply(Step& step, const command::SelectTab& c) { show_document(step, c.value); }

void apply(Step& step, const command::StepTab& c) {
  const std::vector<const OpenDocument*> open = open_documents(step);
  show_document(step, open[wrapped(step.place, c.by, open.size())]->id);
}

void apply(Step& step, const command::CloseTab& c) {
  if (c.document != 0) show_document(step, c.document);
  if (c.document != 0 && step.id != c.document) return;
  if (has_unsaved_changes(step)) {
    ask_about_edits(step, step.id);
  } else {
    close_document(step);
  }
}

void apply(Step& step, const command::ReopenTab& /*c*/) {
  if (step.closed.empty()) return inform(step, "No document has been closed");
  ensure_free_tab(step);
  shown(step) = std::move(step.closed.back());
  step.closed.pop_back();
  settle_shown(step);
}

void apply(Step& step, const Command& c, command::TabCommands list) { apply_one_of(step, c, list); }

}  // namespace attn
