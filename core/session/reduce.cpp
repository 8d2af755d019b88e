// Hands each command to the function that applies it, and ends strokes of edits.
#include "session/reduce.h"

#include <utility>

#include "session/reduce/handlers.h"

namespace attn {
namespace {

template <class... Kinds>
bool is_one_of(const Command& command) {
  return ((command.get_if<Kinds>() != nullptr) || ...);
}

template <class Kind>
void apply_if(Step& step, const Command& command) {
  if (const Kind* kind = command.get_if<Kind>()) apply(step, *kind);
}

template <class... Kinds>
void apply_any(Step& step, const Command& command, KindList<Kinds...> /*kinds*/) {
  (apply_if<Kinds>(step, command), ...);
}

}  // namespace

bool keeps_stroke(const Command& command) {
  using namespace command;
  return is_one_of<SetCell, SetCausalOffset, PaintCell, SetScoring, SetMask, SetPosition, SetModel,
                   Hover, HoverTensor, HoverToken, MoveCursor, Computed, ComputeFailed,
                   DerivationDone, ReferenceMade, ReferenceFailed, LookAtFiles, FileLookedAt,
                   ReferenceLookedAt, LookAtRecent, RecentLookedAt, KeepUnsaved, UnsavedKept,
                   StructureMade, Notify, DismissNotice>(command);
}

Step reduce(AppState state, const Command& command) {
  Step step{std::move(state), {}};
  if (!keeps_stroke(command)) step.state.history.stroke = 0;
  const std::vector<PaneParts> shown = parts_shown(step.state);
  apply_any(step, command, CommandKinds());
  remember_parts(step.state, shown, command);
  update_remark(step.state);
  list_open_files(step);
  restore_next_tab(step);
  request_derivations(step);
  return step;
}

}  // namespace attn
