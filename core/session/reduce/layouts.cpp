// Layouts under names, and back to the usual one.
#include <algorithm>
#include <utility>

#include "session/named_layouts.h"
#include "session/reduce/handlers.h"

namespace attn {
namespace {

// As if the document had been opened with them.
void put_panes(Step& step, Panes panes) {
  AppState& state = step.state;
  state.hover.reset();
  state.tensor_hover.reset();
  show_panes(state, std::move(panes));
  fit_to_document(state);
  if (state.result) fit_to_result(state);
}

void put_sides(Step& step, const Sides& sides) { apply(step, command::SetSides{sides}); }

}  // namespace

void apply(Step& step, const command::ResetLayout& /*c*/) {
  Panes panes;
  focused_view(panes) = focused_view(std::as_const(step.state));
  put_panes(step, std::move(panes));
  put_sides(step, Sides{});
}

void apply(Step& step, const command::SaveLayout& c) {
  AppState& state = step.state;
  std::vector<NamedLayout>& layouts = state.preferences.layouts;
  const std::string reason = reason_against_layout(layouts, c.name);
  if (!reason.empty()) return notify(state, Notice::Level::Warning, reason);
  const std::string name = trimmed_layout_name(c.name);
  keep_layout(layouts,
              {name, Panes{state.layout, state.focus, state.maximised}, state.preferences.sides});
  notify(state, Notice::Level::Info, "Saved the layout " + name);
  keep_preferences(step);
}

void apply(Step& step, const command::ApplyLayout& c) {
  const NamedLayout* found = layout_named(step.state.preferences.layouts, c.name);
  if (found == nullptr) {
    return notify(step.state, Notice::Level::Warning, "There is no layout named " + c.name);
  }
  const NamedLayout layout = *found;
  put_panes(step, layout.panes);
  put_sides(step, layout.sides);
}

void apply(Step& step, const command::DeleteLayout& c) {
  std::vector<NamedLayout>& layouts = step.state.preferences.layouts;
  const auto gone =
      std::erase_if(layouts, [&](const NamedLayout& layout) { return layout.name == c.name; });
  if (gone > 0) keep_preferences(step);
}

}  // namespace attn
