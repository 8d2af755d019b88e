// Undo and redo: past documents are kept whole, which is cheap because tensors share their numbers.
#include <utility>

#include "session/handlers.h"

namespace attn {
namespace {

constexpr std::size_t kStepsKept = 200;

void remember(AppState& state, std::string label) {
  History& history = state.history;
  history.past.push_back({state.document, state.revision, std::move(label)});
  if (history.past.size() > kStepsKept) history.past.erase(history.past.begin());
}

// Swaps the document for the newest of `from`, leaving the present one on `to`.
void travel(Step& step, std::vector<Snapshot>& from, std::vector<Snapshot>& to) {
  if (from.empty()) return;
  AppState& state = step.state;
  Snapshot target = std::move(from.back());
  from.pop_back();
  to.push_back({std::move(state.document), state.revision, target.label});
  state.document = std::move(target.document);
  state.revision = target.revision;
  fit_to_document(state);
  request_result(step);
}

}  // namespace

void edit(Step& step, Result<Document> edited, std::string label, std::uint64_t stroke) {
  AppState& state = step.state;
  History& history = state.history;
  if (!edited) {
    history.stroke = 0;
    return notify(state, Notice::Level::Warning, edited.error());
  }
  if (*edited == state.document) return;
  const bool same_stroke = stroke != 0 && stroke == history.stroke;
  if (!same_stroke) remember(state, std::move(label));
  history.stroke = stroke;
  history.future.clear();
  state.document = *std::move(edited);
  state.revision = ++state.last_revision;
  fit_to_document(state);
  request_result(step);
}

void replace_document(Step& step, Document document, std::string path) {
  AppState& state = step.state;
  state.document = std::move(document);
  state.revision = state.saved_revision = ++state.last_revision;
  state.first_revision = state.revision;
  state.history = {};
  state.path = std::move(path);
  state.result = nullptr;
  state.view = state.document.view.value_or(ViewSettings{});
  if (!plot_named(state.view.plot)) state.view.plot = ViewSettings{}.plot;
  if (!colormap_named(state.view.colormap)) state.view.colormap = ViewSettings{}.colormap;
  state.window = {};
  state.hover.reset();
  state.stage_hover.reset();
  state.pins.clear();
  state.grid = {};
  state.after_saving.reset();
  fit_to_document(state);
  request_result(step);
}

void request_result(Step& step) {
  step.state.result_error.reset();
  step.effects.push_back(effect::Compute{step.state.document, step.state.revision});
}

void apply(Step& step, const command::Undo& /*c*/) {
  travel(step, step.state.history.past, step.state.history.future);
}

void apply(Step& step, const command::Redo& /*c*/) {
  travel(step, step.state.history.future, step.state.history.past);
}

}  // namespace attn
