// Functions shared by the handlers of commands. Private to session/reduce, whose files each define
// apply() for the commands of one list.
#pragma once

#include <cstddef>
#include <string>

#include "base/result.h"
#include "engine/read/result.h"
#include "session/command.h"

namespace attn {

// Initial document: three tokens with generated Q, K and V.
Document new_document();

// View of the focused pane, or of `pane`; null if there is no such pane (0: the focus).
View& focused_view(OpenDocument& open);
Pane* pane_named(OpenDocument& open, PaneId pane);

// Panes of a document without a view of its own: the map, and all heads where there are several and
// they are not too large to be read.
Panes usual_panes(const AppState& state);

// Shows panes under new ids; panes of unknown plots are left out with a notice.
void show_panes(AppState& state, Panes panes);

// Adds a tab next to the shown one for a document.
void add_tab(AppState& state);
// Adds a tab unless the shown document is untouched and has no file.
void ensure_free_tab(AppState& state);
// Shows that document if it is open.
void show_document(Step& step, std::uint64_t document);
// Open document of that id (0: the shown one), or null.
OpenDocument* open_document_named(AppState& state, std::uint64_t document);
// Bounds the results of all documents by the limit of one: drops those of background documents,
// which are computed again when shown.
void bound_results(AppState& state);
// Restores the view of the document just opened from its stored tab. False if it has no stored tab.
bool restore_tab(AppState& state);
// Ends waiting for a stored tab whose file was opened or failed.
void take_awaited_tab(AppState& state, const std::string& path, bool opened = true);
// Called after every command: opens the next stored tab.
void restore_next_tab(Step& step);
// Drops everything that can be computed again.
void forget_numbers(OpenDocument& document);
// Opens the question about edits that closing a document, or quitting (0), would lose. It replaces
// another question, and what waited for that one's answer.
void ask_about_edits(AppState& state, std::uint64_t closing);
// Closes the shown document, discarding its edits.
void close_document(Step& step);

// Clamps view, zoom, pins, hover and spreadsheet to the document; drops a result of another shape.
void fit_to_document(OpenDocument& open);
// Shows the matrix of this head in the spreadsheet.
void show_inputs_of(OpenDocument& open, const HeadAddress& at);
// Changes the view to stages that the result has.
void fit_to_result(AppState& state);
// The index `by` places on, cyclically.
std::size_t wrapped(std::size_t index, int by, std::size_t count);
// The head `by` places on, across layers.
HeadAddress next_head(const Document& document, HeadAddress head, int by);
// Sets the viewport of the focused pane and of linked panes with a matrix of equal extents.
void show_part(OpenDocument& open, const CellWindow& window);

// Animates the transition to the step that is now shown, unless the user prefers less motion.
void glide_to_step(AppState& state);

// True while a question about the shown document is open, which must then stay shown.
bool is_asking(const AppState& state);

// Adds a notice and keeps the newest few; replaces a notice of equal text. `path`: of a written
// file.
void notify(AppState& state, Notice::Level level, std::string text, std::string details = {},
            std::string path = {});
void notify(AppState& state, Notice::Level level, const Error& error);
void warn(AppState& state, const auto& what) { notify(state, Notice::Level::Warning, what); }
void inform(AppState& state, const auto& text) { notify(state, Notice::Level::Info, text); }
// Withdraws a notice that is no longer true.
void withdraw(AppState& state, std::string_view text);
// Reports an error; cancellation is reported as a warning.
void notify_failure(AppState& state, const Error& error);

// Offers to drop a causal mask that was assumed.
void ask_about_causal(AppState& state, const std::string& name);
// Adds a notice with an action on the shown document.
void offer(AppState& state, Notice::Level level, std::string text, Notice::Offer action);
// Withdraws the offers of notices about a document.
void forget_offers(AppState& state, std::uint64_t document);

// Records the edited document as one step of undo, merged with the last step of the same gesture;
// drops that step when the gesture is back where it began; or reports the error. `label` names the
// step in menus: "edit Q".
void edit(Step& step, Result<Document> edited, std::string label, std::uint64_t gesture = 0);

// Replaces document and history.
void replace_document(Step& step, Document document, std::string path);
void request_result(Step& step);
// Requests the layers in view while a gesture goes on, which the others follow when it rests.
void request_layers_in_view(Step& step);
// Requests the layers that the result of this revision lacks.
void request_other_layers(Step& step);
// Records `document` as the content of its file.
void remember_file(OpenDocument& open, const Document& document);

// Reports the faults of a lesson when it is opened, not as its steps are entered.
void report_lesson_faults(AppState& state, const Reading& report);
// Begins the lesson of the shown document, if it has one, at a step.
void begin_lesson(Step& step, std::size_t at = 0);
// Label of the undo of entering the shown step, which ends with kOfLesson.
inline constexpr std::string_view kOfLesson = " of the lesson";
std::string label_of_step(const OpenDocument& open);
// Shows the step before the shown one, whose document it is already.
void leave_step(Step& step, bool is_edited);
// Conceals the cells of the lesson's question in the result, and shows all others.
void conceal_question(OpenDocument& open);

// Called after every command: continues with the next of the first steps when one is done.
void follow_first_steps(Step& step);

// Called after every command: requests missing derivations of visible plots and cancels those no
// longer needed.
void request_derivations(Step& step);

// Number of layers, from the first one on, that what is on the screen reads.
std::size_t layers_in_view(const AppState& state);

// Requests a check of the shown document's file.
void check_own_file(Step& step);

// Requests another document as reference: a path or example:NAME.
void compare_with(Step& step, const std::string& path);
// Keeps the result without what-ifs as reference where there are some, unless the user compares
// with another document.
void follow_untouched(Step& step);
// Requests the reference that the document names, unless that needs consent.
void compare_as_written(Step& step);

void keep_preferences(Step& step);

// Updates the note on changes of the reference's document.
void update_remark(AppState& state);

// Document to write: with its panes and reference.
Document document_to_write(const OpenDocument& document);

// Deletes the autosaved copy of a document.
void drop_autosave(Step& step, OpenDocument& document);

// Views of panes before a command, by which the handlers record the previous ones in histories.
struct PaneParts {
  PaneId pane;
  ShownPart part;
  PartsOf of;
};
std::vector<PaneParts> parts_shown(const OpenDocument& open);
void remember_parts(OpenDocument& open, const std::vector<PaneParts>& before,
                    const Command& command);

void list_open_files(Step& step);

// Applies a command as part of another one.
void dispatch(Step& step, const Command& command);

template <auto kMember>
void apply(AppState& state, const command::Set<kMember>& c) {
  state.*kMember = c.value;
}
// Calls the apply() of the command's kind, which takes the step, its state or its shown document.
template <class... Kinds>
void apply_one_of(Step& step, const Command& command, KindList<Kinds...> /*list*/) {
  const auto apply_if = [&step](const auto* kind) {
    if (kind != nullptr) apply(step, *kind);
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
void apply(Step& step, const Command& c, command::Playings list);
void apply(Step& step, const Command& c, command::Lessons list);
void apply(Step& step, const Command& c, command::OfProgram list);
void apply(Step& step, const Command& c, command::Unsaved list);
void apply(Step& step, const command::StepEdit& c);
void apply(OpenDocument& open, const command::DerivationDone& c);
void apply(Step& step, const command::PointAtLayer& c);

}  // namespace attn
