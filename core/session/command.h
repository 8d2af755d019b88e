// All commands, which reduce() applies to the state, and their lists.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/files.h"
#include "document/edit/structure.h"
#include "document/load/read.h"
#include "session/effect.h"
#include "session/state.h"

namespace attn::command {

template <class Of, class T>
T type_of(T Of::*member);

// Sets a member of the state, and nothing else.
template <auto kMember>
struct Set {
  decltype(type_of(kMember)) value;
};
// Sets a member by its own apply(), which checks the value and updates what depends on it.
template <auto kMember>
struct SetChecked {
  decltype(type_of(kMember)) value;
};

// Answer of an effect: the job as it was requested, and its result.
template <class Job>
struct Done {
  Job job;
  typename Job::Made made;
};

// Edits. Edits with the same `gesture` number merge into one step of undo.
struct SetCell {
  MatrixRef matrix;
  std::size_t row, col;
  float value;
  std::uint64_t gesture = 0;
};
struct PasteText {
  MatrixRef matrix;
  std::size_t row, col;
  std::string text;  // any form that read_numbers() accepts
};
// Overwrites a block from (row, col) on with row-major numbers; `verb` labels the step of undo:
// "fill down".
struct SetBlock {
  MatrixRef matrix;
  std::size_t row, col, rows, cols;
  std::vector<float> values;
  std::string verb;
};
struct FillMatrix {
  MatrixRef matrix;
  Fill fill;
};
struct ScaleMatrix {
  MatrixRef matrix;
  float factor;
};
struct InsertToken {
  Side side;
  std::size_t index;
  std::string text;
};
struct RenameToken {
  Side side;
  std::size_t sample, index;
  std::string text;
};
// Gives the model of a folder another text; texts of one gesture are one step of undo.
struct SetText {
  std::string text;
  std::uint64_t gesture = 0;
};
// Names a column of features wherever it occurs; an empty name removes the present one.
struct RenameFeature {
  FeatureAxis axis;
  std::size_t column;
  std::string name;
};
struct DeleteToken {
  Side side;
  std::size_t index;
};
struct MoveToken {
  Side side;
  std::size_t from, to;
};
// Replaces all tokens of a side; tokens that stay keep their numbers.
struct SetTokens {
  Side side;
  std::vector<std::string> tokens;
  std::size_t sample = 0;
  std::string text = {};  // the text that was split into these tokens
};
// Changes kind of model, heads, widths, layers, samples or sequences. A notice lists what was
// generated, cut or dropped.
struct SetStructure {
  Structure structure;
};
using StructureMade = Done<effect::Restructure>;
struct SetCausal {
  bool causal;
};
inline constexpr std::int64_t kLargestOffset = 1'000'000;  // bound of the absolute value
struct SetCausalOffset {
  std::int64_t offset;
  std::uint64_t gesture = 0;
};
// Sets gates of heads; those set to 1 are removed.
struct SetGates {
  std::vector<HeadGate> gates;
  std::uint64_t gesture = 0;
};
// Gives a head the weights that another one of the result, or of the reference, has; without one
// its own back.
struct SetPattern {
  HeadAddress at;
  std::optional<HeadAddress> from = {};
  bool of_reference = false;
};
// Cuts an edge between heads, or restores it.
struct SetEdge {
  CutEdge edge;
  bool is_cut;
};
struct SetPadding {
  Side side;
  std::size_t sample, index;
  bool real;
};
struct PaintCell {
  HeadAddress head;
  std::size_t q, k;
  bool visible;
  std::uint64_t gesture = 0;
  bool alone = false;  // in this head alone, from now on
};
// Removes every rule, or the cells hidden by hand.
struct ClearMask {
  bool only_painted = false;
};
// Replaces all rules of a kind; panels edit a copy of the document's.
template <class Rules>
struct SetRules {
  Rules rules;
  std::uint64_t gesture = 0;
};
using SetScoring = SetRules<Scoring>;
using SetMask = SetRules<Mask>;
using SetPosition = SetRules<Position>;
using SetModel = SetRules<ModelChoice>;
using SetTitle = SetChecked<&Document::title>;

// View. These are no steps of undo.
struct SelectPlot {
  std::string plot;
  PaneId pane = 0;     // 0: the focused pane
  bool opens = false;  // a click in the pane's plot, which a button of the pane brings back
};
// Set fields of the focused view, clamped to the bounds of the result.
using SelectStage = SetChecked<&ViewOptions::stage>;
using SelectHead = SetChecked<&ViewOptions::at>;
// Sets a field of plot_option_fields() from its text. A number out of bounds is clamped; any other
// text that the field refuses changes nothing and is reported. Commands of one gesture are one step
// of StepPart.
struct SetOption {
  std::string field;
  std::string text;
  PaneId pane = 0;  // 0: the focused pane
  std::uint64_t gesture = 0;
};
enum class Stepped { Head, Decoder, Part, Focus, Tab, Edit, Lesson };
template <Stepped kWhat>
struct StepBy {
  int by;  // 1: to the next one
};
using StepEdit = StepBy<Stepped::Edit>;  // below 0: undoes `by` edits, else redoes them
// These wrap around; StepDecoder changes the number of steps drawn of a decoder or a flow,
// StepFocus the focused pane.
using StepHead = StepBy<Stepped::Head>;
using StepDecoder = StepBy<Stepped::Decoder>;
using StepFocus = StepBy<Stepped::Focus>;
using StepTab = StepBy<Stepped::Tab>;
using StepPart = StepBy<Stepped::Part>;  // through the focused pane's history of viewports
// Sets the viewport of the focused pane, without one to the whole matrix; commands of one gesture
// are one step of StepPart.
struct SetWindow {
  CellWindow window = {};
  std::uint64_t gesture = 0;
};
// Switches the focused pane to colours that are safe for colour-blind readers, or back.
struct ToggleSafeColors {};
// Panes, at most 16 and none smaller than kLeastPane. A pane that is moved keeps its view.
struct SplitPane {
  PaneId pane;  // 0: the focused pane
  SplitDirection direction;
};  // the new pane shows a copy of the view and gets the focus
// Shows the weights of the head of `pane` minus those of `head` in another pane: one that shows a
// difference already, else a new one, or the first other one where there is no space for it.
struct CompareHead {
  PaneId pane;                                     // 0: the focused pane
  std::optional<HeadAddress> head = std::nullopt;  // none: the next one
};
// Shows the next head in a new pane of its own, which does not follow the others.
struct ShowBeside {
  PaneId pane;  // 0: the focused pane
};
struct ClosePane {
  PaneId pane;
};  // the last pane cannot be closed
using MaximisePane = SetChecked<&AppState::maximised>;
struct ResizePane {
  PaneId split;
  std::size_t edge;
  double share;
};  // `share`: of the part before that edge
using FocusPane = SetChecked<&AppState::focus>;
struct LinkPane {
  PaneId pane;
  bool linked;
};
// Panes as of a newly opened document, the first with the focused view; opens both sides at their
// default widths.
struct ResetLayout {};
// Sent from the first frame on; until then, the size of the window gives an estimate.
using SetPlotSpace = Set<&AppState::plot_space>;
using SetTool = Set<&AppState::tool>;
using Hover = Set<&AppState::hover>;
using HoverTensor = Set<&AppState::tensor_hover>;
using HoverToken = SetChecked<&AppState::token_hover>;
// The layer of a row under the pointer that is not known yet: its part of an atlas comes first.
using PointAtLayer = SetChecked<&AppState::pointed_layer>;
// Marks a token's row and column and scrolls the focused pane to them.
using MarkToken = SetChecked<&AppState::marked_token>;
// Selects the head, scrolls to a row or column of the matrix and marks its token, where these are
// given; with both, pins the cell.
struct GoTo {
  std::optional<HeadAddress> head;
  std::optional<std::size_t> row, col;
};
// Moves a pin by some cells within its matrix and scrolls to it. Without a pin, the first starts at
// the first visible cell of `matrix`, the second next to the first.
struct WalkPin {
  std::int64_t rows = 0, cols = 0;
  bool second = false;
  MatrixId matrix{};
};
// Scales the viewport about its pinned cell or centre; a factor above 1 shows fewer cells.
struct Zoom {
  double factor;
  std::uint64_t gesture = 0;
};
// Moves the viewport by multiples of its extents.
struct Pan {
  double down, right;
  std::uint64_t gesture = 0;
};
using ShowFind = Set<&AppState::find_is_open>;
// Marks the first match at or after the marked token (`by` = 0), or the next or previous one.
struct Find {
  std::string text;
  int by = 0;
};
struct Pin {
  CellHit cell;
  bool second = false;
};  // removes the pin of a pinned cell
struct Unpin {};
using SelectMatrix = SetChecked<&GridState::matrix>;
struct MoveCursor {
  std::size_t row, col;
  bool extend = false;
};

// Files.
struct NewDocument {};
// Opens a file in a new tab; replaces an untouched document without a file.
struct Open {
  std::string path;
  bool behind = false, allows_outside = false;  // as the last tab; references may leave the folder
  std::string plot = {};                        // in the focused pane; empty: as in the file
  std::string arrays = {};                      // how a file of arrays is read
  ModelInput input = {};                        // of the folder of a model
};
using Opened = Done<effect::Load>;  // with an absolute path
// Reads the file of an open document again and shows it, as one step of undo.
struct Reload {
  std::uint64_t document = 0;  // 0: the shown document
};
using Reloaded = Done<effect::Reload>;
// Opens the choice of how the arrays of the shown document are read.
struct AskArrays {};
// Reads a file of arrays by these words; the file of the shown document as one step of undo.
struct ReadArrays {
  std::string path, words;
};
// Another program wrote a file that is followed: reads it again if the shown document is that file.
struct FileWritten {
  std::string path;  // absolute
};
// Result of checking a document's file, and the files of its numbers, for changes since `known`.
struct FileChecked {
  std::uint64_t document;
  std::optional<FileVersion> known;
  std::optional<FileStamp> stamp;
  bool changed;
  std::optional<Error> numbers = std::nullopt;  // names the file that has changed
};
// Opens the stored tabs; the tab of `shown` first.
struct RestoreTabs {
  std::vector<KeptTab> tabs;  // those whose files exist
  std::string shown;
  bool for_next_start = false;  // stores them for the next start instead
};
struct KeepTabs {};  // stores the tabs for the next start
using SelectTab = SetChecked<&AppState::id>;
struct CloseTab {
  std::uint64_t document;  // 0: the shown document
};  // shows a confirmation if it has unsaved changes; an empty document replaces the last one
// Opens a new document from text in any form that read_pasted() accepts.
struct PasteDocument {
  std::string text;
};
using DocumentPasted = Done<effect::ReadPasted>;
struct ReopenTab {};  // opens the last closed document with its history
struct Save {};       // opens the dialog if there is no path
struct SaveAs {
  std::string path;
  bool overwrite = false;
};
struct Stored {
  effect::Store job;                           // with an absolute path if it was written
  Result<FileVersion> made;                    // version of the bytes written
  FileObstacle obstacle = FileObstacle::None;  // reason of the error
  std::string remark = {};                     // further note for the message
};
struct Export {
  std::string path;
  bool overwrite = false;
};
using ChooseExportPath = Set<&AppState::chosen_export_path>;
struct Exported {
  std::string path;
  Status written;
  bool exists = false;  // failed only because the file exists: confirm
};
struct CopyFigure {};  // copies the figure as a picture to the clipboard
using UsePictureHelper = Set<&AppState::picture_helper>;
struct TakeScreenshot {};  // writes a picture of the window to a file

// The flow of a cell in the focused pane.
struct Play {
  bool on;  // from the first step after the last one
};
struct PlayOn {
  double seconds;  // since the last frame
};
struct SetPlaySpeed {
  double speed;
};
struct Scrub {
  double position;  // as played_position()
};

// Lessons.
using StepLesson = StepBy<Stepped::Lesson>;
struct RestoreStep {};  // restores the lesson's own document of this step; one step of undo
struct Guess {
  // Shares of the keys in the row of the question, made to sum to 1; or a single number.
  std::vector<double> shares;
};
struct Reveal {};  // shows the concealed cells
struct EndLesson {
  bool ended = true;  // or begins again where it was
};
struct BeginFirstSteps {};  // opens the first example, unless it is shown

// Program.
using LimitMemory = Set<&AppState::memory_limit_bytes>;
using AskWhereAmbiguous = Set<&AppState::asks_where_ambiguous>;
using AllowOutside = Set<&AppState::allows_all_outside>;
struct Computed {
  std::uint64_t revision;
  Result<ResultPtr> result;
  double seconds = 0.0;
};
using DerivationDone = Done<effect::Derive>;
struct KeepReference {
  std::uint64_t document = 0;
};  // stores an open document (0: the shown one) as reference
struct CompareWith {
  std::string path;
};  // opens another document as reference
using ReferenceMade = Done<effect::MakeReference>;
struct ForgetReference {};
// Checks files for changes by other programs, such as when the window gets the focus.
struct CheckFiles {};
using ReferenceChecked = Done<effect::CheckReference>;  // change of its file, if any
using ShowDialog = SetChecked<&AppState::dialog>;
using ShowOverlay = Set<&AppState::overlay>;
// Requests the control of an option of the focused pane; an empty name: it has been opened.
using ShowOption = Set<&AppState::asked_option>;
enum class Answer { Save, Discard, Cancel, Overwrite, SaveAs, Reload, Allow };
struct AnswerQuestion {
  Answer answer;
};
struct Notify {
  Notice::Level level;
  std::string text;
  std::string details;
  std::string path = {};  // written file, for copying; empty: none
};
// Reports an error that follows the words `what`, with its details.
Notify notice_of(Notice::Level level, const Error& error, const std::string& what = "");
struct DismissNotice {
  std::uint64_t id;
};
// Sets a field of preference_fields() from its text; a refused text changes nothing and is
// reported.
struct SetPreference {
  std::string field, text;
};
struct AskTheme {};  // reads the desktop's theme, if the window follows it
using SetDesktopTheme = Set<&AppState::desktop_theme>;
using SetRecent = SetChecked<&Preferences::recent_files>;
struct CheckRecent {};  // checks which recent files exist
using RecentChecked = Set<&AppState::gone_files>;
using SetSides = SetChecked<&Preferences::sides>;
// Folds both sides and maximises one pane until it is switched off; not stored.
using ShowPlotAlone = Set<&AppState::plot_alone>;
using SetWindowPlace = SetChecked<&Preferences::window>;
using LoadedPreferences = Set<&AppState::preferences>;
using SetFirstStep = Set<&AppState::first_step>;
inline constexpr std::string_view kFirstStepsEnded =
    "The first steps have ended; Help ▸ First steps shows them again";
struct Quit {};  // shows a confirmation when any document has unsaved changes

// Autosave and recovery of unsaved work.
using SetAutosaveFolder = Set<&AppState::autosave_folder>;
struct Autosave {};  // sent periodically: writes unsaved edits, deletes what has been saved
using Autosaved = Done<effect::AutosaveDocument>;
using UnsavedFound = Done<effect::FindUnsaved>;
using ShowUnsaved = SetChecked<&Recovery::is_open>;
// Opens recovered work under its old path, or as a copy without a path.
struct RestoreWork {
  UnsavedWork work;
  bool as_copy = false;
};
using WorkRestored = Done<effect::RestoreWork>;

// Lists of commands. One file of session/reduce applies each list.
using Edits =
    KindList<SetCell, PasteText, SetBlock, FillMatrix, ScaleMatrix, InsertToken, RenameToken,
             SetText, RenameFeature, DeleteToken, MoveToken, SetTokens, SetStructure, StructureMade,
             SetCausal, SetCausalOffset, SetGates, SetPattern, SetEdge, SetPadding, PaintCell,
             ClearMask, SetScoring, SetMask, SetPosition, SetModel, SetTitle>;
using Views =
    KindList<SelectPlot, SelectStage, SelectHead, StepHead, SetOption, StepDecoder, SetWindow,
             ToggleSafeColors, SetTool, Hover, HoverTensor, Pin, Unpin, SelectMatrix, MoveCursor>;
using Places = KindList<HoverToken, PointAtLayer, MarkToken, GoTo, WalkPin, Zoom, Pan, StepPart,
                        ShowFind, Find>;
using PaneCommands =
    KindList<SplitPane, CompareHead, ShowBeside, ClosePane, MaximisePane, ResizePane, FocusPane,
             StepFocus, LinkPane, ResetLayout, SetPlotSpace>;
using Files =
    KindList<NewDocument, PasteDocument, DocumentPasted, Open, Opened, Reload, Reloaded, AskArrays,
             ReadArrays, FileWritten, FileChecked, Save, SaveAs, Stored, Export, ChooseExportPath,
             Exported, CopyFigure, UsePictureHelper, TakeScreenshot, AnswerQuestion, Quit>;
using TabCommands = KindList<RestoreTabs, KeepTabs, SelectTab, StepTab, CloseTab, ReopenTab>;
using Comparisons = KindList<KeepReference, CompareWith, ReferenceMade, ForgetReference, CheckFiles,
                             ReferenceChecked>;
using Playings = KindList<Play, PlayOn, SetPlaySpeed, Scrub>;
using Lessons = KindList<StepLesson, RestoreStep, Guess, Reveal, EndLesson, BeginFirstSteps>;
using OfProgram =
    KindList<StepEdit, LimitMemory, AllowOutside, AskWhereAmbiguous, Computed, DerivationDone,
             ShowDialog, ShowOverlay, ShowOption, Notify, DismissNotice, SetPreference, AskTheme,
             SetDesktopTheme, SetRecent, CheckRecent, RecentChecked, SetSides, ShowPlotAlone,
             SetWindowPlace, LoadedPreferences, SetFirstStep>;
using Unsaved = KindList<SetAutosaveFolder, Autosave, Autosaved, UnsavedFound, ShowUnsaved,
                         RestoreWork, WorkRestored>;

using AllLists = KindList<Edits, Views, Places, PaneCommands, Files, TabCommands, Comparisons,
                          Playings, Lessons, OfProgram, Unsaved>;

// Commands that do not end a gesture of edits, besides the edits that have a gesture.
using WithinGestures =
    KindList<Hover, HoverTensor, HoverToken, PointAtLayer, MoveCursor, Computed, DerivationDone,
             ReferenceMade, CheckFiles, FileChecked, ReferenceChecked, CheckRecent, RecentChecked,
             Autosave, Autosaved, StructureMade, Guess, PlayOn, Notify, DismissNotice, SetPlotSpace,
             AskTheme, SetDesktopTheme>;

template <class Kind, class... Lists>
constexpr bool is_in_one(KindList<Lists...> /*lists*/) {
  return (Lists::template contains<Kind>() || ...);
}
// Declared for all commands, for use by Command.
template <class Kind>
requires(is_in_one<Kind>(AllLists())) void is_command(const Kind&);

}  // namespace attn::command
