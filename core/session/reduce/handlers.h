// What the functions that apply commands share. Private to session/reduce: each of its files has an
// apply() for each command of its list.
#pragma once

#include <cstddef>
#include <string>

#include "base/result.h"
#include "engine/read/result.h"
#include "session/effect.h"

namespace attn {

// A document to start from: three tokens with generated Q, K and V.
Document new_document();

// Of the pane with the focus; of another one, or null when it is not there (0: the focus).
View& focused_view(OpenDocument& open);
Pane* pane_named(OpenDocument& open, PaneId pane);

// The one way in which the options of a view change: what is not there is refused with a notice,
// and panes, pins, zoom and spreadsheet follow.
void change_options(AppState& state, PaneId pane, ViewOptions options);

// Puts panes on screen, with ids of their own; plots that there are not are left out with a notice.
void show_panes(AppState& state, Panes panes);

// A tab beside the one that is looked at, to put a document into.
void add_tab(AppState& state);
// The same unless what is looked at is untouched and has no file.
void make_room(AppState& state);
// Looks at that document when it is open.
void show_document(Step& step, std::uint64_t document);
// One of the open documents (0: the one that is looked at), or null.
OpenDocument* open_document_named(AppState& state, std::uint64_t document);
// All documents together stay within the limit of one: results of those aside are dropped, and
// computed again when they are looked at.
void bound_results(AppState& state);
// The document that was just opened looks as it did when its tab was kept.
// False where it was not.
bool restore_tab(AppState& state);
// The file of a tab that was kept has been opened, or cannot be.
void take_awaited_tab(AppState& state, const std::string& path, bool opened = true);
// After every command: asks for the next of the tabs that were kept.
void restore_next_tab(Step& step);
// Drops all that can be computed again.
void forget_numbers(OpenDocument& document);
// Closes the one that is looked at, whatever it holds.
void close_document(Step& step);

// Brings view, zoom, pins, hover and grid into the bounds of the document; drops a result of
// another shape.
void fit_to_document(OpenDocument& open);
// Brings the view to stages that the result has.
void fit_to_result(AppState& state);
CellWindow fitted_window(const CellWindow& window, const StageShape& extent);
// Shows that part in the pane with the focus, and in those linked to it whose matrix is as large.
void show_part(OpenDocument& open, const CellWindow& window);

// Whether somebody is being asked about the document that is looked at: it stays until that is
// answered.
bool is_asking(const AppState& state);

// Keeps the newest few; a notice with the same text takes the older one's place.
void notify(AppState& state, Notice::Level level, std::string text, std::string details = {});
void notify(AppState& state, Notice::Level level, const Error& error);
void warn(AppState& state, const auto& what) { notify(state, Notice::Level::Warning, what); }
void inform(AppState& state, const auto& text) { notify(state, Notice::Level::Info, text); }
// As an error or, where somebody called it off, as a warning.
void notify_failure(AppState& state, const Error& error);
// Of a file that was written, whose path can be copied.
void notify_of_file(AppState& state, std::string text, const std::string& path);

// With two answers: whether an assumed causal mask stays.
void ask_about_causal(AppState& state, const std::string& name);
// What was asked of a document is settled, or it is gone.
void forget_offers(AppState& state, std::uint64_t document);

// Takes the edited document as one undo step (or into the step of the same gesture), or says why
// not. `label` names it in the menu: "edit Q".
void edit(Step& step, Result<Document> edited, std::string label, std::uint64_t gesture = 0);

// Everything starts anew with `document`; no undo leads back.
void replace_document(Step& step, Document document, std::string path);
void request_result(Step& step);
// The document as its file has it now.
void remember_file(OpenDocument& open, const Document& document);

// After every command: asks for what the plot in view needs and is not there yet, and calls off
// what nobody needs any more.
void request_derivations(Step& step);

// Asks whether the file of the document that is looked at was changed by another program.
void look_at_own_file(Step& step);

// Asks for another document as reference: a path or example:NAME.
void compare_with(Step& step, const std::string& path);
// The one that the document names, unless it must be asked for first.
void compare_as_written(Step& step);

void keep_preferences(Step& step);

// Says with the reference what became of the document that it was kept from.
void update_remark(AppState& state);

// The document as it would be written: with its panes, and what it is compared with.
Document document_to_write(const OpenDocument& document);

// What was kept of a document is not wanted any more.
void forget_kept(Step& step, OpenDocument& document);

// Opens, makes anew or leaves, without asking.
void carry_on(Step& step, const AfterDecision& after);

// What panes show before a command, and afterwards taking note of what is gone.
struct PaneParts {
  PaneId pane;
  ShownPart part;
  PartsOf of;
};
std::vector<PaneParts> parts_shown(const OpenDocument& open);
void remember_parts(OpenDocument& open, const std::vector<PaneParts>& before,
                    const Command& command);

// Tells other windows when other files are open here than before.
void list_open_files(Step& step);

// Applies a command of whichever kind, as part of applying another one.
void dispatch(Step& step, const Command& command);

// The command of a list, by the apply() of its kind, which takes the step or the state alone.
template <class... Kinds>
void apply_one_of(Step& step, const Command& command, KindList<Kinds...> /*list*/) {
  const auto apply_if = [&step](const auto* kind) {
    if (kind == nullptr) return;
    if constexpr (requires { apply(step, *kind); }) {
      apply(step, *kind);
    } else {
      apply(step.state, *kind);
    }
  };
  (apply_if(command.get_if<Kinds>()), ...);
}
void apply(Step& step, const Command& c, command::Edits list);
void apply(Step& step, const Command& c, command::Views list);
void apply(Step& step, const Command& c, command::Places list);
void apply(Step& step, const Command& c, command::PaneCommands list);
void apply(Step& step, const Command& c, command::Files list);
void apply(Step& step, const Command& c, command::TabCommands list);
void apply(Step& step, const Command& c, command::Comparisons list);
void apply(Step& step, const Command& c, command::OfProgram list);
void apply(Step& step, const Command& c, command::Unsaved list);
void apply(Step& step, const command::Undo& c);
void apply(Step& step, const command::Redo& c);
void apply(OpenDocument& open, const command::DerivationDone& c);

}  // namespace attn
