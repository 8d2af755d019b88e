// Dispatch of commands to their handlers, and the end of gestures.
#include <utility>

#include "document/edit.h"
#include "session/reduce/handlers.h"

namespace attn {
namespace {

Tensor generated_rows(std::uint64_t seed, const TokenList& tokens) {
  constexpr std::size_t kNewWidth = 4;
  std::vector<float> values;
  for (const std::string& token : tokens.texts()) {
    const std::vector<float> row = generated_embedding(seed, token, kNewWidth);
    values.insert(values.end(), row.begin(), row.end());
  }
  return Tensor({tokens.size(), kNewWidth}, std::move(values));
}

// True for edits that have a gesture, and for what may happen during one.
template <class... Edits, class... Others>
bool is_within_gesture(const Command& c, KindList<Edits...> /*edits*/,
                       KindList<Others...> /*others*/) {
  return ((requires(Edits edit) { edit.gesture; } && c.get_if<Edits>() != nullptr) || ...) ||
         ((c.get_if<Others>() != nullptr) || ...);
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
