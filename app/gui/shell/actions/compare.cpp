// The commands of the difference plot: what it compares with, and which side it shows.
#include "gui/shell/actions/action_lists.h"

namespace attn::gui {

void add_comparison(Actions& actions, const AppState& state) {
  const ViewOptions& options = focused_view(state).options;
  const bool shown = shown_plot_uses(state, Option::Show);
  actions.push_back({.id = "keep_reference",
                     .menu = "View/Difference",
                     .label = "Keep as reference",
                     .help = "Keeps this document as it is now; the difference plot shows what "
                             "edits change",
                     .enabled = state.result != nullptr,
                     .run = sends(command::KeepReference{})});
  actions.push_back({.id = "compare_with",
                     .menu = "View/Difference",
                     .label = "Compare with…",
                     .help = "Takes another document as reference of the difference plot",
                     .run = sends(command::ShowDialog{DialogKind::Compare})});
  for (const OpenDocument* open : open_documents(state)) {
    if (open->id == state.id) continue;
    actions.push_back({.id = "compare_with/" + std::to_string(open->id),
                       .menu = "View/Difference",
                       .label = "Compare with " + document_name(*open),
                       .help = "Takes this open document as reference of the difference plot",
                       .run = sends(command::KeepReference{open->id})});
  }
  actions.push_back({.id = "forget_reference",
                     .menu = "View/Difference",
                     .label = "Forget the reference",
                     .help = "The difference plot compares matrices of this document again",
                     .enabled = state.reference != nullptr || state.no_reference != nullptr,
                     .run = sends(command::ForgetReference{})});
  actions.push_back(
      {.id = "flip",
       .menu = "View/Difference",
       .label = "Flip between A and B",
       .help = "Shows one side of the difference in its place, then the other",
       .shortcuts = {typed('b')},
       .enabled = shown,
       .checked = options.show != Compared::Difference,
       .separated = true,
       .run = sends(command::SetOption{"show", options.show == Compared::A ? "b" : "a"})});
  actions.push_back({.id = "show_difference",
                     .menu = "View/Difference",
                     .label = "Show the difference",
                     .help = "A − B instead of one side",
                     .shortcuts = {typed('d')},
                     .enabled = shown && options.show != Compared::Difference,
                     .run = sends(command::SetOption{"show", "difference"})});
}

}  // namespace attn::gui
