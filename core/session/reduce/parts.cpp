// Which parts of matrices and tokens panes have shown: one note for whatever moved them.
#include <algorithm>

#include "plot/all_plots.h"
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
                   stroke_if<command::Zoom>(command), stroke_if<command::Pan>(command),
                   stroke_if<command::SetOption>(command)});
}

PartsOf parts_of(const Document& document, const View& view) {
  const StageShape extents = extents_in_view(document, view);
  const PlotEntry* plot = plot_named(view.plot);
  return {extents.rows, extents.cols, plot != nullptr && uses(*plot, Option::FirstQuery)};
}

void show_again(AppState& state, const ShownPart& part) {
  if (const auto* window = std::get_if<CellWindow>(&part)) return show_part(state, *window);
  const auto& first = std::get<FirstTokens>(part);
  focused_view(state).options.first_query = first.query;
  focused_view(state).options.first_key = first.key;
}

}  // namespace

std::vector<PaneParts> parts_shown(const AppState& state) {
  std::vector<PaneParts> parts;
  for (const Pane* pane : panes_of(state.layout)) {
    const PartsOf of = parts_of(state.document, pane->view);
    parts.push_back({pane->id, part_of(pane->view.options, of), of});
  }
  return parts;
}

void remember_parts(AppState& state, const std::vector<PaneParts>& before, const Command& command) {
  std::erase_if(state.memories,
                [&](const auto& memory) { return !pane_of(state.layout, memory.first); });
  const bool steps = command.get_if<command::StepPart>() != nullptr;
  for (const PaneParts& left : before) {
    const Pane* pane = pane_of(state.layout, left.pane);
    if (pane == nullptr || part_of(pane->view.options, left.of) == left.part) continue;
    if (steps && left.pane == state.focus) continue;
    leave_part(state.memories[left.pane].trail, left.part, left.of, stroke_of(command));
  }
}

const Trail& trail_in_view(const AppState& state) {
  static const Trail kNone;
  const auto memory = state.memories.find(state.focus);
  if (memory == state.memories.end()) return kNone;
  const Trail& trail = memory->second.trail;
  return trail.of == parts_of(state.document, focused_view(state)) ? trail : kNone;
}

void apply(Step& step, const command::StepPart& c) {
  AppState& state = step.state;
  const PartsOf of = parts_of(state.document, focused_view(state));
  Trail& trail = state.memories[state.focus].trail;
  if (trail.of != of) return;
  if (c.by == 0 || (c.by < 0 ? trail.past : trail.future).empty()) return;
  show_again(state, stepped(trail, part_of(focused_view(state).options, of), c.by));
}

}  // namespace attn
