// Dispatch of commands to their handlers, and the end of gestures.
#include <utility>

#include "document/generate.h"
#include "session/reduce/handlers.h"

namespace attn {
namespace {

// True for edits that have a gesture, and for what may happen during one.
template <class... Edits, class... Others>
bool is_within_gesture(const Command& c, KindList<Edits...> /*edits*/,
                       KindList<Others...> /*others*/) {
  return ((requires(Edits edit) { edit.gesture; } && c.get_if<Edits>() != nullptr) || ...) ||
         ((c.get_if<Others>() != nullptr) || ...);
}

}  // namespace

Document new_document() {
  constexpr std::size_t kNewWidth = 4;
  Document document;
  document.query_tokens = {TokenList{"one", "two", "three"}};
  const auto rows = [&](std::uint64_t seed) {
    return generated_embeddings(seed, document.query_tokens, kNewWidth);
  };
  document.model = GivenQkv{rows(1), rows(2), rows(3)};
  return document;
}

AppState initial_state() {
  AppState state;
  state.document = new_document();
  state.revision = state.last_revision = state.first_revision = state.saved_revision = 1;
  fit_to_document(state);
  return state;
}

void dispatch(Step& step, const Command& command) {
  [&]<class... Lists>(KindList<Lists...>) {
    (apply(step, command, Lists()), ...);
  }(command::AllLists());
}

Step reduce(AppState state, const Command& command) {
  Step step{std::move(state), {}};
  const bool goes_on = is_within_gesture(command, command::Edits(), command::WithinGestures());
  if (!goes_on) step.history.gesture = 0;
  const std::vector<PaneParts> shown = parts_shown(step);
  dispatch(step, command);
  fit_to_document(step);
  remember_parts(step, shown, command);
  update_remark(step);
  follow_first_steps(step);
  list_open_files(step);
  restore_next_tab(step);
  request_derivations(step);
  return step;
}

}  // namespace attn
