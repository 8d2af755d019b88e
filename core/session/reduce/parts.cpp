// Which parts of matrices panes have shown: one note for whatever moved them.
#include <algorithm>

#include "session/reduce/handlers.h"
#include "view/trail.h"

namespace attn {
namespace {

template <class Kind>
std::uint64_t stroke_if(const Command& command) {
  const Kind* kind = command.get_if<Kind>();
  return kind != nullptr ? kind->stroke : 0;
}

// 0: a step of its own.
std::uint64_t stroke_of(const Command& command) {
  return std::max({stroke_if<command::SetWindow>(command), stroke_if<command::FitWindow>(command),
                   stroke_if<command::Zoom>(command), stroke_if<command::Pan>(command)});
}

bool is_trail_of(const Trail& trail, const StageShape& extents) {
  return trail.rows == extents.rows && trail.cols == extents.cols;
}

}  // namespace

std::vector<ShownPart> parts_shown(const AppState& state) {
  std::vector<ShownPart> parts;
  for (const Pane* pane : panes_of(state.layout)) {
    parts.push_back(
        {pane->id, pane->view.options.window, extents_in_view(state.document, pane->view)});
  }
  return parts;
}

void remember_parts(AppState& state, const std::vector<ShownPart>& before, const Command& command) {
  std::erase_if(state.memories,
                [&](const auto& memory) { return !pane_of(state.layout, memory.first); });
  const bool steps = command.get_if<command::StepPart>() != nullptr;
  for (const ShownPart& part : before) {
    const Pane* pane = pane_of(state.layout, part.pane);
    if (pane == nullptr || pane->view.options.window == part.window) continue;
    if (steps && part.pane == state.focus) continue;
    leave_part(state.memories[part.pane].trail, part.window, part.extents.rows, part.extents.cols,
               stroke_of(command));
  }
}

const Trail& trail_in_view(const AppState& state) {
  static const Trail kNone;
  const auto memory = state.memories.find(state.focus);
  if (memory == state.memories.end()) return kNone;
  const Trail& trail = memory->second.trail;
  return is_trail_of(trail, extents_in_view(state.document, focused_view(state))) ? trail : kNone;
}

void apply(Step& step, const command::StepPart& c) {
  AppState& state = step.state;
  const StageShape extents = extents_in_view(state.document, focused_view(state));
  Trail& trail = state.memories[state.focus].trail;
  if (!is_trail_of(trail, extents)) return;
  if (c.by == 0 || (c.by < 0 ? trail.past : trail.future).empty()) return;
  show_part(state, stepped(trail, focused_view(state).options.window, c.by));
}

}  // namespace attn
