// Everything that can happen to the state.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/files.h"
#include "document/edit/structure.h"
#include "document/json.h"
#include "document/load/pasted.h"
#include "session/command_list.h"
#include "session/state.h"

namespace attn {

// Edits. Those with a `gesture` merge into one undo step with the last edit of the same gesture.
namespace command {

struct SetCell {
  MatrixRef matrix;
  std::size_t row, col;
  float value;
  std::uint64_t gesture = 0;
};
struct PasteText {
  MatrixRef matrix;
  std::size_t row, col;
  std::string text;  // in any form that read_numbers knows
};
// Numbers for a block from (row, col) on, row-major; `verb` names the step: "fill down".
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
// A column of features, wherever it occurs; an empty name takes it away.
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
// The tokens of a side as a whole: those that stay keep their numbers.
struct SetTokens {
  Side side;
  std::vector<std::string> tokens;
  std::size_t sample = 0;
  std::string text = {};  // that they were cut from
};
// Kind of model, heads, widths, layers, samples, sequences. What was generated, cut or dropped
// becomes a notice.
struct SetStructure {
  Structure structure;
};
// A structure that took a job to make, from that revision of the document.
struct StructureMade {
  std::uint64_t document;
  std::uint64_t revision;
  std::uint64_t ticket;  // of effect::Restructure
  Result<Restructured> made;
  std::string label;  // of the step of undo
};
struct SetCausal {
  bool causal;
};
inline constexpr std::int64_t kLargestOffset = 1'000'000;  // of either sign
struct SetCausalOffset {
  std::int64_t offset;
  std::uint64_t gesture = 0;
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
};
struct ClearPainted {};  // what is hidden by hand
struct ClearMask {};     // every rule
// How scores are made and hidden, as a whole: panels change a copy of what the document has.
struct SetScoring {
  Scoring scoring;
  std::uint64_t gesture = 0;
};
struct SetMask {
  Mask mask;
  std::uint64_t gesture = 0;
};
struct SetPosition {
  Position position;
  std::uint64_t gesture = 0;
};
struct SetModel {
  ModelChoice choice;
  std::uint64_t gesture = 0;
};
struct SetTitle {
  std::string title;
};
struct Undo {
  std::size_t steps = 1;
};
struct Redo {
  std::size_t steps = 1;
};

// View: not undoable.
struct SelectPlot {
  std::string plot;
  PaneId pane = 0;  // 0: the one with the focus
};
struct SelectStage {
  Stage stage;
};
struct SelectHead {
  HeadAddress head;
};  // brought into bounds
struct StepHead {
  int by;
};  // wraps around
// Sets what a field of plot_option_fields() describes, given as that field reads it. A number out
// of bounds is brought into them; any other text that the field refuses changes nothing and is
// said. Those of one gesture, such as a drag, are one step of StepPart.
struct SetOption {
  std::string field;
  std::string text;
  PaneId pane = 0;  // 0: the one with the focus
  std::uint64_t gesture = 0;
};
struct StepDecoder {
  int by;
};  // draws so many steps more, round and round; all of them count as n_q
// Likewise.
struct SetWindow {
  CellWindow window;
  std::uint64_t gesture = 0;
};
struct FitWindow {
  std::uint64_t gesture = 0;
};
// To the part that the pane with the focus showed before, or after; as far as it remembers them.
struct StepPart {
  int by;
};
// The colours that all eyes tell apart in the pane with the focus, or those before them.
struct ToggleSafeColors {};
// Panes. What is given its place by them keeps its view; 16 are the most.
struct SplitPane {
  PaneId pane;  // 0: the one with the focus
  SplitDirection direction;
};  // the new pane shows the same, and gets the focus
// Another pane shows the weights of the head that `pane` looks at minus those of `head`: the one
// that shows a difference already, else the first other, else a new one beside it.
struct CompareHead {
  PaneId pane;
  HeadAddress head;
};
struct ClosePane {
  PaneId pane;
};  // the last one stays
struct MaximisePane {
  bool alone;
};  // the pane with the focus is shown alone, or among the others again
struct ResizePane {
  PaneId split;
  std::size_t edge;
  double share;
};  // of the part before that edge of the split
struct FocusPane {
  PaneId pane;
};
struct StepFocus {
  int by;
};  // to the next pane, round and round
struct LinkPane {
  PaneId pane;
  bool linked;
};
// One pane with what it shows, and both sides open and as wide as fits the window.
struct ResetLayout {};
struct SetTool {
  Tool tool;
};
struct Hover {
  std::optional<CellHit> cell;
};
struct HoverTensor {
  std::optional<TensorHit> tensor;
};
struct HoverToken {
  std::optional<TokenHit> token;
};
// Marks its row and column, and brings them into view in the pane with the focus.
struct MarkToken {
  std::optional<TokenHit> token;
};
// Whatever is given of it: the head becomes the one looked at; a row or column of the matrix in
// view is brought into view and, where it is a token's, marked; a cell is pinned.
struct GoTo {
  std::optional<HeadAddress> head;
  std::optional<std::size_t> row, col;
};
// Moves a pin by so many cells, as far as its matrix goes, and brings it into view. The first one
// where there is none: to the first cell in view of `matrix`; the second one beside the first.
struct WalkPin {
  std::int64_t rows = 0, cols = 0;
  bool second = false;
  MatrixId matrix{};
};
// The part in view, about its pinned cell or middle: smaller by a factor above 1.
struct Zoom {
  double factor;
  std::uint64_t gesture = 0;
};
// Moves it by parts of its extents.
struct Pan {
  double down, right;
  std::uint64_t gesture = 0;
};
struct ShowFind {
  bool open;
};
// Marks the first token with the text from the marked one on, or the next or previous one.
struct Find {
  std::string text;
  int by = 0;
};
struct Pin {
  CellHit cell;
  bool second = false;
};  // pinning a pinned cell releases it
struct Unpin {};
struct SelectMatrix {
  MatrixRef matrix;
};
struct MoveCursor {
  std::size_t row, col;
  bool extend = false;
};
// Opens the field for the name of the column at the spreadsheet's cursor; false: it is open now.
struct AskFeatureName {
  bool asked = true;
};

// Files.
struct NewDocument {};
// Other documents stay open in their tabs; an untouched one without a file makes room.
struct Open {
  std::string path;
  bool behind = false, allows_outside = false;  // in the last tab; references out of its folder
};
struct Opened {
  std::string path;
  ReadReport report;
  std::uint64_t ticket = 0;  // of effect::Load; 0: nobody asked
  bool behind = false, allows_outside = false;
};
struct OpenFailed {
  std::string path;
  Error error;
  std::uint64_t ticket = 0;
};
// Reads the file of an open document again, which is then looked at. Undo leads back.
struct Reload {
  std::uint64_t document = 0;  // 0: the one looked at
};
struct Reloaded {
  std::uint64_t document;
  Result<ReadReport> report;
  bool asked = true;                  // false: only where no edits are given up
  std::uint64_t edited_revision = 0;  // of which only files of numbers were read again
};
// What another program wrote to the file of a document since `known`, or to one of its numbers.
struct FileLookedAt {
  std::uint64_t document;
  std::optional<FileVersion> known;
  std::optional<FileStamp> stamp;
  bool changed;
  std::optional<Error> numbers = std::nullopt;  // which file, and that it has changed
};
// Opens tabs as they were kept, the first one of `looked_at` before the others.
struct RestoreTabs {
  std::vector<KeptTab> tabs;  // of files that are there
  std::string looked_at;
  bool aside = false;  // for the next start: this one has other files
};
struct KeepTabs {};  // for the next start
struct SelectTab {
  std::uint64_t document;
};
struct StepTab {
  int by;
};  // round and round
struct CloseTab {
  std::uint64_t document;  // 0: the one that is looked at
};  // asks first when it has unsaved changes; an empty document takes the place of the last
// A document of its own from text in any form that read_pasted() knows.
struct PasteDocument {
  std::string text;
};
struct DocumentPasted {
  Result<Pasted> pasted;
  std::string text = {};
};
struct ReopenTab {};  // what was closed last, with its history
struct Save {};       // opens the dialog when there is no path
struct SaveAs {
  std::string path;
  bool overwrite = false;
};
struct Saved {
  std::string path;
  std::uint64_t revision;
  std::optional<FileVersion> version = std::nullopt;  // of what was written
  std::uint64_t of = 0;                               // the document; 0: the one looked at
  std::string remark = {};                            // what else is to be known of it, if anything
  View view = {};                                     // that the file is opened with
  std::string reference = {};                         // that it names
};
// Why a document was not written where another answer would do.
enum class SaveObstacle { None, Exists, Changed, Protected };
struct SaveFailed {
  std::string path;
  Error error;
  SaveObstacle obstacle = SaveObstacle::None;
  std::uint64_t of = 0;  // the document; 0: the one looked at
};
struct Export {
  std::string path;
  bool overwrite = false;
};
// Where a figure is to be written: the dialog of exports goes on with it.
struct ChooseExportPath {
  std::string path;
};
struct Exported {
  std::string path;
};
struct ExportFailed {
  std::string path;
  Error error;
  bool exists = false;  // only because there is a file already: worth asking
};
struct CopyFigure {};  // as a picture, to the clipboard
// The program that hands pictures to the clipboard; empty: there is none.
struct UsePictureHelper {
  std::string path;
};
struct TakeScreenshot {};  // of the window as it is, to a file
struct ScreenshotWritten {
  std::string path;
};

// Program.
struct LimitMemory {
  std::uint64_t bytes;
  bool allows_outside = false;  // references of all documents may lead out of their folders
};
struct Computed {
  std::uint64_t revision;
  ResultPtr result;
  double seconds;
};
struct ComputeFailed {
  std::uint64_t revision;
  Error error;
};
struct DerivationDone {
  ResultPtr result;  // from which
  std::string key;
  Result<DerivationPtr> made;
};
struct KeepReference {
  std::uint64_t document = 0;
};  // an open document as it is now; 0: the one that is looked at, to see what edits change
struct CompareWith {
  std::string path;
};  // another document as reference
struct ReferenceMade {
  std::uint64_t document;  // that asked for it
  std::string key;
  Result<ReferencePtr> made;
};
struct ForgetReference {};
// Somebody else may have changed files meanwhile, as when the window gets the focus back.
struct LookAtFiles {};
struct ReferenceLookedAt {
  std::uint64_t document;  // that is compared with it
  std::string key;
  std::string remark;  // what became of its file; empty: nothing
};
struct ShowDialog {
  std::optional<DialogKind> dialog;
};
struct ShowOverlay {
  std::optional<Overlay> overlay;
};
// Opens the control of an option of the pane with the focus, among all of its options; with an
// empty name it is open now.
struct ShowOption {
  std::string field;
};
enum class Answer { Save, Discard, Cancel, Overwrite, SaveAs, Reload, Allow };
struct AnswerQuestion {
  Answer answer;
};
struct Notify {
  Notice::Level level;
  std::string text;
  std::string details;
};
struct DismissNotice {
  std::uint64_t id;
};
// Sets what a field of preference_fields() describes, given as that field reads it; what the field
// refuses changes nothing and is said.
struct SetPreference {
  std::string field, text;
};
struct ForgetRecent {};  // which files were open
struct LookAtRecent {};  // before they are listed
struct RecentLookedAt {
  std::vector<std::string> gone;
};
struct SetSides {
  Sides sides;
};  // kept for the next start
// Folds both sides and shows one pane, until it is called off; not kept.
struct ShowPlotAlone {
  bool alone;
};
struct SetWindowPlace {
  WindowPlace place;
};  // likewise
struct LoadedPreferences {
  Preferences preferences;
};
struct Quit {};  // asks first when any document has unsaved changes

// Unsaved work, kept for a next start after this one was killed.
struct KeepsWorkIn {
  std::string folder;  // of this run; empty: nothing is kept
};
struct KeepUnsaved {};  // sent again and again: keeps what was edited since, forgets what is saved
struct UnsavedKept {
  std::uint64_t document;
  std::uint64_t revision;
  std::optional<Error> error = std::nullopt;  // why it was not
};
struct UnsavedFound {
  FoundWork found;  // of runs that ended without goodbye
};
struct ShowUnsaved {
  bool open;
};
// Opens what was found, to be saved where it was from, or as a document of its own.
struct RestoreWork {
  UnsavedWork work;
  bool as_copy = false;
};
struct WorkRestored {
  UnsavedWork work;
  bool as_copy;
  ReadReport report;
};

}  // namespace command

}  // namespace attn
