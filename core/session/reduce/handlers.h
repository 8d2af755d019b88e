// One small function per command, grouped by file, and what they share. Private to core/session.
#pragma once

#include <cstddef>
#include <string>

#include "base/result.h"
#include "engine/result.h"
#include "session/step.h"

namespace attn {

// A document to start from: three tokens with generated Q, K and V.
Document new_document();

// Of the pane with the focus; of another one, or null when it is not there (0: the focus).
View& focused_view(AppState& state);
Pane* pane_named(AppState& state, PaneId pane);

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
void fit_to_document(AppState& state);
// Brings the view to stages that the result has.
void fit_to_result(AppState& state);
// Of the matrix that the window is a part of: the stage in view, or queries by keys in plots of
// matrices that are no stage.
StageShape extents_in_view(const Document& document, const View& view);
CellWindow fitted_window(const CellWindow& window, const StageShape& extent);
// Shows that part in the pane with the focus, and in those linked to it whose matrix is as large.
void show_part(AppState& state, const CellWindow& window);

// Whether somebody is being asked about the document that is looked at: it stays until that is
// answered.
bool is_asking(const AppState& state);

// Keeps the newest few; a notice with the same text takes the older one's place.
void notify(AppState& state, Notice::Level level, std::string text, std::string details = {});
void notify(AppState& state, Notice::Level level, const Error& error);
// As an error or, where somebody called it off, as a warning.
void notify_failure(AppState& state, const Error& error);
// Of a file that was written, whose path can be copied.
void notify_of_file(AppState& state, std::string text, const std::string& path);

// That their numbers come from the seed; nothing of none.
void notify_of_new_tokens(AppState& state, std::size_t count);

// With two answers: whether an assumed causal mask stays.
void ask_about_causal(AppState& state, const std::string& name);
// What was asked of a document is settled, or it is gone.
void forget_offers(AppState& state, std::uint64_t document);

// Takes the edited document as one undo step (or into the step of the same stroke), or says why
// not. `label` names it in the menu: "edit Q".
void edit(Step& step, Result<Document> edited, std::string label, std::uint64_t stroke = 0);

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

// True for what may happen during a drag without ending its stroke.
bool keeps_stroke(const Command& command);

// edit.cpp
void apply(Step& step, const command::SetCell& c);
void apply(Step& step, const command::PasteText& c);
void apply(Step& step, const command::SetBlock& c);
void apply(Step& step, const command::FillMatrix& c);
void apply(Step& step, const command::ScaleMatrix& c);
void apply(Step& step, const command::InsertToken& c);
void apply(Step& step, const command::RenameToken& c);
void apply(Step& step, const command::RenameFeature& c);
void apply(Step& step, const command::DeleteToken& c);
void apply(Step& step, const command::MoveToken& c);
void apply(Step& step, const command::SetTitle& c);

// structure.cpp
void apply(Step& step, const command::SetTokens& c);
void apply(Step& step, const command::SetStructure& c);
void apply(Step& step, const command::StructureMade& c);

// mask.cpp
void apply(Step& step, const command::SetCausal& c);
void apply(Step& step, const command::SetCausalOffset& c);
void apply(Step& step, const command::SetPadding& c);
void apply(Step& step, const command::PaintCell& c);
void apply(Step& step, const command::ClearPainted& c);
void apply(Step& step, const command::ClearMask& c);
void apply(Step& step, const command::SetScoring& c);
void apply(Step& step, const command::SetMask& c);
void apply(Step& step, const command::SetPosition& c);
void apply(Step& step, const command::SetModel& c);

// history.cpp
void apply(Step& step, const command::Undo& c);
void apply(Step& step, const command::Redo& c);

// view.cpp
void apply(Step& step, const command::SelectPlot& c);
void apply(Step& step, const command::SelectStage& c);
void apply(Step& step, const command::SelectAttention& c);
void apply(Step& step, const command::SelectHead& c);
void apply(Step& step, const command::StepHead& c);
void apply(Step& step, const command::SetOption& c);
void apply(Step& step, const command::StepDecoder& c);
void apply(Step& step, const command::SetWindow& c);
void apply(Step& step, const command::FitWindow& c);
void apply(Step& step, const command::ToggleSafeColors& c);
void apply(Step& step, const command::SetTool& c);
void apply(Step& step, const command::Hover& c);
void apply(Step& step, const command::HoverTensor& c);
void apply(Step& step, const command::Pin& c);
void apply(Step& step, const command::Unpin& c);
void apply(Step& step, const command::SelectMatrix& c);
void apply(Step& step, const command::MoveCursor& c);
void apply(Step& step, const command::AskFeatureName& c);

// places.cpp
void apply(Step& step, const command::HoverToken& c);
void apply(Step& step, const command::MarkToken& c);
void apply(Step& step, const command::GoTo& c);
void apply(Step& step, const command::WalkPin& c);
void apply(Step& step, const command::Zoom& c);
void apply(Step& step, const command::Pan& c);

// parts.cpp
void apply(Step& step, const command::StepPart& c);
// What panes show before a command, and afterwards taking note of what is gone.
struct PaneParts {
  PaneId pane;
  ShownPart part;
  PartsOf of;
};
std::vector<PaneParts> parts_shown(const AppState& state);
void remember_parts(AppState& state, const std::vector<PaneParts>& before, const Command& command);

// find.cpp
void apply(Step& step, const command::ShowFind& c);
void apply(Step& step, const command::Find& c);

// panes.cpp
void apply(Step& step, const command::SplitPane& c);
void apply(Step& step, const command::CompareHead& c);
void apply(Step& step, const command::ClosePane& c);
void apply(Step& step, const command::MaximisePane& c);
void apply(Step& step, const command::ResizePane& c);
void apply(Step& step, const command::FocusPane& c);
void apply(Step& step, const command::StepFocus& c);
void apply(Step& step, const command::LinkPane& c);

void apply(Step& step, const command::ResetLayout& c);

// tabs.cpp
void apply(Step& step, const command::RestoreTabs& c);
void apply(Step& step, const command::KeepTabs& c);
void apply(Step& step, const command::SelectTab& c);
void apply(Step& step, const command::StepTab& c);
void apply(Step& step, const command::CloseTab& c);
void apply(Step& step, const command::ReopenTab& c);

// files.cpp
void apply(Step& step, const command::NewDocument& c);
void apply(Step& step, const command::Open& c);
void apply(Step& step, const command::Opened& c);
void apply(Step& step, const command::PasteDocument& c);
void apply(Step& step, const command::DocumentPasted& c);
void apply(Step& step, const command::OpenFailed& c);
void apply(Step& step, const command::Reload& c);
void apply(Step& step, const command::Reloaded& c);
void apply(Step& step, const command::FileLookedAt& c);
void apply(Step& step, const command::Save& c);
void apply(Step& step, const command::SaveAs& c);
void apply(Step& step, const command::Saved& c);
void apply(Step& step, const command::SaveFailed& c);
void apply(Step& step, const command::Export& c);
void apply(Step& step, const command::ChooseExportPath& c);
void apply(Step& step, const command::Exported& c);
void apply(Step& step, const command::ExportFailed& c);
void apply(Step& step, const command::CopyFigure& c);
void apply(Step& step, const command::UsePictureHelper& c);
void apply(Step& step, const command::TakeScreenshot& c);
void apply(Step& step, const command::ScreenshotWritten& c);
void apply(Step& step, const command::AnswerQuestion& c);
void apply(Step& step, const command::Quit& c);

// reference.cpp
void apply(Step& step, const command::KeepReference& c);
void apply(Step& step, const command::CompareWith& c);
void apply(Step& step, const command::ReferenceMade& c);
void apply(Step& step, const command::ReferenceFailed& c);
void apply(Step& step, const command::ForgetReference& c);
void apply(Step& step, const command::LookAtFiles& c);
void apply(Step& step, const command::ReferenceLookedAt& c);

// program.cpp
void apply(Step& step, const command::LimitMemory& c);
void apply(Step& step, const command::Computed& c);
void apply(Step& step, const command::ComputeFailed& c);
void apply(Step& step, const command::DerivationDone& c);
void apply(Step& step, const command::ShowDialog& c);
void apply(Step& step, const command::ShowOverlay& c);
void apply(Step& step, const command::Notify& c);
void apply(Step& step, const command::DismissNotice& c);
void apply(Step& step, const command::SetTheme& c);
void apply(Step& step, const command::SetInterfaceScale& c);
void apply(Step& step, const command::SetPreference& c);
void apply(Step& step, const command::ShowOption& c);
void apply(Step& step, const command::ForgetRecent& c);
void apply(Step& step, const command::LookAtRecent& c);
void apply(Step& step, const command::RecentLookedAt& c);
void apply(Step& step, const command::SetSides& c);
void apply(Step& step, const command::ShowPlotAlone& c);
void apply(Step& step, const command::SetWindowPlace& c);
void apply(Step& step, const command::LoadedPreferences& c);

// unsaved.cpp
void apply(Step& step, const command::KeepsWorkIn& c);
// Tells other windows when other files are open here than before.
void list_open_files(Step& step);
void apply(Step& step, const command::KeepUnsaved& c);
void apply(Step& step, const command::UnsavedKept& c);
void apply(Step& step, const command::UnsavedFound& c);
void apply(Step& step, const command::ShowUnsaved& c);
void apply(Step& step, const command::RestoreWork& c);
void apply(Step& step, const command::WorkRestored& c);

}  // namespace attn
