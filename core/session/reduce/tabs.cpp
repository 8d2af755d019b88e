// Several documents, one of which is looked at: the state itself holds it, the others stand aside.
#include <algorithm>
#include <iterator>
#include <utility>

#include "document/open.h"
#include "document/problem.h"
#include "engine/compute.h"
#include "session/reduce/handlers.h"

namespace attn {
namespace {

// Where the document is read from at the next start; empty: nowhere.
std::string file_of(const OpenDocument& document) {
  const std::string& path = document.path.empty() ? document.source_path : document.path;
  return path.starts_with('/') ? path : "";
}

constexpr std::size_t kClosedKept = 10;

OpenDocument& shown(AppState& state) { return state; }

void move_all(std::vector<OpenDocument>& from, std::size_t begin, std::vector<OpenDocument>& to,
              std::size_t at) {
  to.insert(to.begin() + static_cast<std::ptrdiff_t>(at),
            std::make_move_iterator(from.begin() + static_cast<std::ptrdiff_t>(begin)),
            std::make_move_iterator(from.end()));
  from.resize(begin);
}

// All tabs in one row, and where the one that is looked at stands.
std::pair<std::vector<OpenDocument>, std::size_t> taken_apart(AppState& state) {
  std::vector<OpenDocument> row = std::exchange(state.before, {});
  const std::size_t at = row.size();
  row.push_back(std::move(shown(state)));
  std::vector<OpenDocument> after = std::exchange(state.after, {});
  move_all(after, 0, row, row.size());
  return {std::move(row), at};
}

void put_together(AppState& state, std::vector<OpenDocument> row, std::size_t at) {
  move_all(row, at + 1, state.after, 0);
  shown(state) = std::move(row.back());
  row.pop_back();
  state.before = std::move(row);
}

// What belongs to the moment does not survive looking elsewhere.
void look_at(Step& step) {
  AppState& state = step.state;
  state.history.gesture = 0;
  state.hover.reset();
  state.tensor_hover.reset();
  const bool current = state.result && state.result_revision == state.revision;
  if (!current && !state.result_error) {
    request_result(step);
  } else {
    bound_results(state);
  }
  if (state.result) fit_to_result(state);
  dispatch(step, command::LookAtFiles{});
}

bool is_untouched(const AppState& state) {
  const bool without_file =
      state.source_path.empty() || state.source_path.starts_with(kExamplePrefix);
  return without_file && state.path.empty() && !has_unsaved_changes(state) &&
         state.history.past.empty() && state.history.future.empty();
}

void keep_closed(AppState& state, OpenDocument document) {
  forget_numbers(document);
  state.closed.push_back(std::move(document));
  if (state.closed.size() > kClosedKept) state.closed.erase(state.closed.begin());
}

KeptTab kept_tab(const OpenDocument& document) {
  KeptTab tab{file_of(document), Panes{document.layout, document.focus, document.maximised}, {}};
  std::ranges::copy_if(document.pins, std::back_inserter(tab.pins),
                       [](const CellHit& pin) { return is_computed(pin.matrix); });
  return tab;
}

// In the order in which the tabs were; what was opened meanwhile comes behind them.
void order_tabs(AppState& state) {
  const std::uint64_t looked_at = state.id;
  std::vector<OpenDocument> row = taken_apart(state).first;
  std::ranges::stable_sort(row, {}, [&](const OpenDocument& document) {
    return std::ranges::find(state.restoring, file_of(document), &KeptTab::path) -
           state.restoring.begin();
  });
  const auto at = std::ranges::find(row, looked_at, &OpenDocument::id) - row.begin();
  put_together(state, std::move(row), static_cast<std::size_t>(at));
}

}  // namespace

OpenDocument* open_document_named(AppState& state, std::uint64_t document) {
  if (document == 0 || document == state.id) return &state;
  for (std::vector<OpenDocument>* row : {&state.before, &state.after}) {
    const auto found = std::ranges::find(*row, document, &OpenDocument::id);
    if (found != row->end()) return &*found;
  }
  return nullptr;
}

void forget_numbers(OpenDocument& document) {
  drop_result(document);
  document.derivations = {};
  document.derived_from = nullptr;
  document.older.reset();
}

// The nearest tabs keep theirs longest.
void bound_results(AppState& state) {
  if (state.before.empty() && state.after.empty()) return;
  std::uint64_t bytes = kept_bytes(make_problem(state.document));
  const auto keep = [&](OpenDocument& document) {
    if (!document.result) return;
    bytes += kept_bytes(document.result->problem());
    if (bytes > state.memory_limit_bytes) forget_numbers(document);
  };
  for (std::size_t i = 0; i < std::max(state.before.size(), state.after.size()); ++i) {
    if (i < state.before.size()) keep(state.before[state.before.size() - 1 - i]);
    if (i < state.after.size()) keep(state.after[i]);
  }
}

void make_room(AppState& state) {
  if (!is_untouched(state)) add_tab(state);
}

void add_tab(AppState& state) {
  state.before.push_back(std::move(shown(state)));
  shown(state) = OpenDocument{};
  state.id = ++state.last_document;
}

bool is_asking(const AppState& state) { return state.question || state.dialog; }

void show_document(Step& step, std::uint64_t document) {
  AppState& state = step.state;
  if (state.id == document) return;
  const std::vector<const OpenDocument*> open = open_documents(state);
  const auto found = std::ranges::find(open, document, &OpenDocument::id);
  if (found == open.end()) return;
  const auto at = static_cast<std::size_t>(found - open.begin());
  put_together(state, taken_apart(state).first, at);
  look_at(step);
}

// Room of more tabs than that is given back when they are closed: each takes kilobytes.
constexpr std::size_t kSpareTabs = 4;

void close_document(Step& step) {
  AppState& state = step.state;
  auto [row, at] = taken_apart(state);
  const auto place = row.begin() + static_cast<std::ptrdiff_t>(at);
  std::erase_if(state.put_aside, [&](const KeptTab& tab) { return tab.path == file_of(*place); });
  forget_kept(step, *place);
  forget_offers(state, place->id);
  keep_closed(state, std::move(*place));
  row.erase(place);
  if (row.capacity() > kSpareTabs + 2 * row.size()) row.shrink_to_fit();
  if (!row.empty()) {
    const std::size_t next = std::min(at, row.size() - 1);
    put_together(state, std::move(row), next);
    return look_at(step);
  }
  shown(state) = OpenDocument{};
  state.id = ++state.last_document;
  replace_document(step, new_document(), "");
}

bool restore_tab(AppState& state) {
  const auto tab = std::ranges::find(state.restoring, file_of(state), &KeptTab::path);
  if (tab == state.restoring.end()) return false;
  show_panes(state, tab->panes);
  state.pins = tab->pins;
  fit_to_document(state);
  return true;
}

void take_awaited_tab(AppState& state, const std::string& path, bool opened) {
  const std::size_t asked = state.tabs_asked_for;
  if (state.awaits_tab && state.restoring[asked - 1].path == path) state.awaits_tab = false;
  const auto tab = std::ranges::find(state.restoring, path, &KeptTab::path);
  if (!opened && tab != state.restoring.end()) tab->path.clear();
}

// One after the other, and not before what is looked at is computed.
void restore_next_tab(Step& step) {
  AppState& state = step.state;
  if (state.restoring.empty() || state.awaits_tab || is_computing(state)) return;
  while (state.tabs_asked_for < state.restoring.size()) {
    const std::string& path = state.restoring[state.tabs_asked_for++].path;
    const auto open = open_documents(state);
    const bool is_open =
        std::ranges::any_of(open, [&](const auto* tab) { return file_of(*tab) == path; });
    if (is_open || path.empty()) continue;
    state.awaits_tab = true;
    return dispatch(step, command::Open{path, true});
  }
  order_tabs(state);
  state.restoring.clear();
}

void apply(Step& step, const command::RestoreTabs& c) {
  AppState& state = step.state;
  if (c.aside) state.put_aside = c.tabs;
  if (c.tabs.empty() || c.aside) return;
  state.restoring = c.tabs;
  const auto shown = std::ranges::find(c.tabs, c.looked_at, &KeptTab::path);
  dispatch(step, command::Open{(shown == c.tabs.end() ? c.tabs.begin() : shown)->path});
}

// Not before all of those are there that were kept.
void apply(Step& step, const command::KeepTabs& /*c*/) {
  AppState& state = step.state;
  if (!state.restoring.empty()) return;
  std::vector<KeptTab> tabs;
  for (const OpenDocument* open : open_documents(state)) {
    if (!file_of(*open).empty() && tabs.size() < kMostKeptTabs) tabs.push_back(kept_tab(*open));
  }
  for (const KeptTab& tab : state.put_aside) {
    const bool is_open = std::ranges::find(tabs, tab.path, &KeptTab::path) != tabs.end();
    if (!is_open && tabs.size() < kMostKeptTabs) tabs.push_back(tab);
  }
  Preferences& preferences = state.preferences;
  if (tabs == preferences.tabs && preferences.last_document == file_of(state)) return;
  preferences.tabs = std::move(tabs);
  preferences.last_document = file_of(state);
  keep_preferences(step);
}

void apply(Step& step, const command::SelectTab& c) { show_document(step, c.document); }

void apply(Step& step, const command::StepTab& c) {
  const std::vector<const OpenDocument*> open = open_documents(step.state);
  const auto count = static_cast<std::int64_t>(open.size());
  const auto at = static_cast<std::int64_t>(step.state.before.size());
  const std::int64_t next = ((at + c.by) % count + count) % count;
  show_document(step, open[static_cast<std::size_t>(next)]->id);
}

void apply(Step& step, const command::CloseTab& c) {
  AppState& state = step.state;
  if (c.document != 0) show_document(step, c.document);
  if (c.document != 0 && state.id != c.document) return;
  if (has_unsaved_changes(state)) {
    state.question = UnsavedQuestion{CloseAfter{state.id}};
  } else {
    close_document(step);
  }
}

void apply(Step& step, const command::ReopenTab& /*c*/) {
  AppState& state = step.state;
  if (state.closed.empty()) {
    return inform(state, "No document has been closed");
  }
  make_room(state);
  shown(state) = std::move(state.closed.back());
  state.closed.pop_back();
  fit_to_document(state);
  look_at(step);
}

void apply(Step& step, const Command& command, command::TabCommands tabs) {
  apply_one_of(step, command, tabs);
}

}  // namespace attn
