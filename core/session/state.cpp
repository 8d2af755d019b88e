// Makes the first state, and answers what follows from a state without being stored in it.
#include "session/state.h"

#include <algorithm>

#include "base/files.h"
#include "document/edit.h"
#include "document/load/tensor_file.h"
#include "plot/all_plots.h"
#include "session/reduce/handlers.h"

namespace attn {
namespace {

constexpr std::size_t kNewWidth = 4;
constexpr std::size_t kNoticesKept = 3;

Tensor generated_rows(std::uint64_t seed, const TokenList& tokens) {
  std::vector<float> values;
  for (const std::string& token : tokens) {
    const std::vector<float> row = generated_embedding(seed, token, kNewWidth);
    values.insert(values.end(), row.begin(), row.end());
  }
  return Tensor({tokens.size(), kNewWidth}, std::move(values));
}

// The cell as the pane shows it: (q, k) is the same place in all token-by-token stages, and a pane
// that follows no other shows it of its own head.
std::optional<CellHit> cell_in(const Pane& pane, CellHit cell) {
  const ViewOptions& options = pane.view.options;
  const PlotEntry* plot = plot_named(pane.view.plot);
  if (plot == nullptr || !uses(*plot, Option::Stage) || !is_computed(cell.matrix)) return cell;
  const MatrixId shown{options.stage, options.at, options.attention, {}};
  const bool shared = same_axes(cell.matrix, shown);
  if (shared) cell.matrix.stage = options.stage;
  if (shared && !pane.linked) cell.matrix.head = options.at;
  return cell.matrix.stage == options.stage ? std::optional(cell) : std::nullopt;
}

}  // namespace

Document new_document() {
  Document document;
  const TokenList tokens{"one", "two", "three"};
  document.query_tokens = {tokens};
  document.model =
      GivenQkv{generated_rows(1, tokens), generated_rows(2, tokens), generated_rows(3, tokens)};
  return document;
}

AppState initial_state() {
  AppState state;
  state.document = new_document();
  state.revision = state.last_revision = state.first_revision = state.saved_revision = 1;
  fit_to_document(state);
  return state;
}

bool has_unsaved_changes(const OpenDocument& document) {
  return document.revision != document.saved_revision;
}

bool is_described(const OpenDocument& open) {
  const Document& now = open.document;
  if (now.description.empty() || open.described == nullptr) return !now.description.empty();
  const Document& then = *open.described;
  return now.query_tokens == then.query_tokens && now.key_tokens == then.key_tokens &&
         now.model == then.model && now.scoring == then.scoring && now.position == then.position &&
         (!has_scores(now.model) || std::ranges::all_of(all_masks(), [&](const MaskPlace& place) {
           return now.*place.mask == then.*place.mask;
         }));
}

bool has_work_to_keep(const AppState& state) {
  if (state.recovery.folder.empty()) return false;
  const bool keeps = state.preferences.keeps_unsaved;
  return std::ranges::any_of(open_documents(state), [&](const OpenDocument* document) {
    const KeptWork& kept = document->kept;
    if (kept.is_under_way) return false;
    const bool wanted = keeps && has_unsaved_changes(*document);
    return wanted ? kept.revision != document->revision : kept.revision != 0;
  });
}

bool is_computing(const AppState& state) {
  return state.result_revision != state.revision && !state.result_error;
}

bool is_covered(const AppState& state) {
  return state.overlay || state.dialog || state.question || state.recovery.is_open;
}

AttentionShape shown_shape(const AppState& state) {
  return shape_of(state.document, focused_view(state).options.attention);
}

const Mask& shown_mask(const AppState& state) {
  return mask_of(state.document, focused_view(state).options.attention);
}

bool keys_are_queries(const AppState& state) {
  return keys_are_queries(state, focused_view(state).options.attention);
}

bool keys_are_queries(const AppState& state, AttentionPart attention) {
  return !state.document.cross || attention == AttentionPart::Self;
}

Side listed_side(const AppState& state, AttentionPart attention, Side side) {
  return keys_are_queries(state, attention) ? Side::Query : side;
}

const AttentionResult& shown_result(const AppState& state) {
  return state.result->attended(focused_view(state).options.attention);
}

void drop_result(OpenDocument& document) {
  document.result.reset();
  document.result_document.reset();
}

std::string document_name(const OpenDocument& document) {
  const std::string name =
      document.path.empty() ? document.document.title : file_name(document.path);
  return name.empty() ? "Untitled" : name;
}

std::string tab_name(const AppState& state, const OpenDocument& document) {
  std::string name = document_name(document);
  std::size_t alike = 0, before = 0;
  for (const OpenDocument* open : open_documents(state)) {
    if (open->id == document.id) before = alike;
    alike += document_name(*open) == name ? 1 : 0;
  }
  if (alike < 2) return name;
  const std::string folder = file_name(folder_of(document.path));
  return folder.empty() ? name + " (" + std::to_string(before + 1) + ")" : folder + "/" + name;
}

std::string window_title(const AppState& state) {
  return (has_unsaved_changes(state) ? "* " : "") + document_name(state) + " – AttnScope";
}

const View& focused_view(const AppState& state) { return pane_of(state.layout, state.focus)->view; }
View& focused_view(AppState& state) { return pane_of(state.layout, state.focus)->view; }

MatrixId matrix_in_view(const AppState& state) {
  const ViewOptions& options = focused_view(state).options;
  const Stage stage = shown_plot_uses(state, Option::Stage) ? options.stage : Stage::Weights;
  return {stage, options.at, options.attention, {}};
}

bool shown_plot_uses(const AppState& state, Option option) {
  const PlotEntry* plot = plot_named(focused_view(state).plot);
  return plot != nullptr && uses(*plot, option);
}

std::string why_idle(const AppState& state, std::string_view option) {
  const View& view = focused_view(state);
  const PlotEntry* plot = plot_named(view.plot);
  return plot == nullptr ? "" : why_idle(*plot, view.options, option);
}

PlotOptions plot_options(const AppState& state) {
  return plot_options(state, *pane_of(state.layout, state.focus));
}

PlotOptions plot_options(const AppState& state, const Pane& pane) {
  PlotOptions options{pane.view.options, {}, {}};
  options.on_screen = true;
  options.highlight = state.tensor_hover;
  options.reference = state.reference;
  if (state.reference == nullptr) options.no_reference = state.no_reference;
  for (const CellHit& pin : state.pins) {
    if (const auto cell = cell_in(pane, pin)) options.pins.push_back(*cell);
  }
  return options;
}

std::optional<CellHit> hovered_in(const AppState& state, const Pane& pane) {
  return state.hover ? cell_in(pane, *state.hover) : std::nullopt;
}

namespace {

// Said twice in a row, it is one message.
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

}  // namespace

void notify(AppState& state, Notice::Level level, std::string text, std::string details) {
  const auto same = std::find_if(state.notices.begin(), state.notices.end(),
                                 [&](const Notice& notice) { return notice.text == text; });
  std::size_t count = 1;
  if (same != state.notices.end()) {
    count += same->count;
    state.notices.erase(same);
  }
  state.notices.push_back({++state.last_notice, level, std::move(text), std::move(details), count});
  keep_message(state, state.notices.back());
  if (state.notices.size() <= kNoticesKept) return;
  // Errors outlast the rest, so that a row of small messages cannot push one out unread.
  const auto weight = [](const Notice& notice) {
    return leaves_by_itself(notice) ? -1 : static_cast<int>(notice.level);
  };
  state.notices.erase(std::ranges::min_element(state.notices, {}, weight));
}

void notify_of_file(AppState& state, std::string text, const std::string& path) {
  notify(state, Notice::Level::Info, std::move(text), path);
  for (std::vector<Notice>* list : {&state.notices, &state.messages}) {
    const auto said = std::ranges::find(*list, state.last_notice, &Notice::id);
    if (said != list->end()) said->path = path;
  }
}

void ask_about_causal(AppState& state, const std::string& name) {
  notify(state, Notice::Level::Info,
         name + " looks causal: all weights above the diagonal are 0. They are hatched as hidden.");
  Notice& asked = state.notices.back();
  if (asked.id != state.last_notice) return;  // errors left no room for it
  asked.offer = Notice::Offer::CausalOff;
  asked.document = state.id;
}

void forget_offers(AppState& state, std::uint64_t document) {
  std::erase_if(state.notices, [&](const Notice& notice) {
    return notice.offer != Notice::Offer::Nothing && notice.document == document;
  });
}

void notify(AppState& state, Notice::Level level, const Error& error) {
  notify(state, level, describe(error), describe_in_full(error));
}

void notify_failure(AppState& state, const Error& error) {
  const bool wanted = error.kind == ErrorKind::Interrupted;
  notify(state, wanted ? Notice::Level::Warning : Notice::Level::Error, error);
}

}  // namespace attn
