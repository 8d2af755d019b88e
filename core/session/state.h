// State of the program as one value; only reduce() makes the next one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/error.h"
#include "base/files.h"
#include "document/document.h"
#include "document/edit.h"
#include "engine/compute.h"
#include "engine/read/derivation.h"
#include "engine/read/result.h"
#include "export/export.h"
#include "figure/colormap.h"
#include "lesson/formula.h"
#include "plot/kit/plot.h"
#include "session/unsaved_work.h"
#include "view/layout.h"
#include "view/length.h"

namespace attn {

struct ArrayChoices;

// A revision of the document for undo. Equal revisions are equal documents.
struct Snapshot {
  Document document;
  std::uint64_t revision = 0;
  std::string label;                        // of the next edit: "Undo edit Q"
  std::optional<std::uint64_t> bytes = {};  // not shared with the next revision
  // Notes on how its file was read.
  std::vector<std::string> reading_notes = {};
  std::shared_ptr<const ArrayChoices> arrays = nullptr;
};

struct History {
  std::vector<Snapshot> past;
  std::vector<Snapshot> future;
  std::uint64_t gesture = 0;  // of the last edit; 0: none
};

struct Notice {
  enum class Level { Info, Warning, Error };
  std::uint64_t id = 0;
  Level level = Level::Info;
  std::string text;       // one or two sentences
  std::string details;    // may be empty
  std::size_t count = 1;  // number of repetitions
  std::string path = {};  // written file, for copying; may be empty
  // Action offered for an open document: read its changed file again, remove its assumed causal
  // mask, read its arrays differently, or show its difference from another.
  enum class Offer { Nothing, Reload, CausalOff, Arrays, Text, Difference };
  Offer offer = Offer::Nothing;
  std::uint64_t document = 0;  // that was shown, or of the offer
};

// True for an offer, which concerns one document and is shown above its panes.
inline bool is_of_a_document(const Notice& notice) {
  return notice.offer != Notice::Offer::Nothing;
}

// Information without an offer disappears on a timer; the rest must be dismissed.
inline bool disappears(const Notice& notice) {
  return notice.level == Notice::Level::Info && !is_of_a_document(notice);
}

inline constexpr std::size_t kMessagesKept = 100;

enum class Tool { Inspect, PaintMask };

// `Export` sets the format of a figure; `ExportFile` its path.
enum class DialogKind { Open, SaveAs, Export, ExportFile, Compare };

// Questions that must be answered before a command continues.
struct UnsavedQuestion {
  std::uint64_t closing = 0;  // document to close; 0: all of them, to quit
};
// Reason why a file was not written although the user can confirm it: it exists, it was changed by
// another program since it was opened or saved, or it is write-protected.
enum class FileObstacle { None, Exists, Changed, Protected };
struct FileQuestion {
  FileObstacle obstacle;
  std::string path;
  bool exporting = false;   // false: saving
  std::string reason = {};  // "the file is write-protected (its permissions allow no writing)"
};
// A document refers to a file outside of its folder.
struct OutsideQuestion {
  std::string path;       // of the document or the reference
  std::string text = {};  // of a pasted document
  bool compares = false;
  std::string reason = {};  // "../q.npy: the file is outside the document's folder"
};
using Question = std::variant<UnsavedQuestion, FileQuestion, OutsideQuestion>;

// Window over the panels; at most one.
enum class Overlay {
  Palette,
  Shortcuts,
  About,
  GoTo,
  History,
  Messages,
  Settings,
  Start,
  Guide,
  Structure,
  Arrays,
  Sentence
};

// Spreadsheet: matrix, cursor and opposite corner of the selection.
struct GridState {
  MatrixRef matrix{"/q", {}};
  std::size_t row = 0, col = 0;
  std::size_t anchor_row = 0, anchor_col = 0;
};

// Sides of the window. Sizes in units; 0: default.
struct Sides {
  float left = 0.0F, right = 0.0F;  // widths
  float left_top = 0.0F;            // height of the left side's upper panel
  float right_top = 0.0F;           // share of the right side's upper panel
  bool left_folded = false, right_folded = false;
  bool more_rules = false;  // scoring, positions and rare rules of masks are shown
  friend bool operator==(const Sides&, const Sides&) = default;
};

// Place of the window when it closed, in screen coordinates; width 0: unknown.
struct WindowPlace {
  int x = 0, y = 0, width = 0, height = 0;
  bool maximised = false;
  friend bool operator==(const WindowPlace&, const WindowPlace&) = default;
};

struct ReferenceSource {
  std::uint64_t document = 0;  // id; 0: a file
  std::uint64_t revision = 0;  // of the document when it was taken
  std::string path;            // of the document when it was taken, or of the file
  std::string file_remark;     // change of the file since; empty: none
  bool is_untouched = false;   // the document without what-ifs, kept by itself
};

struct OlderNumbers {
  ResultPtr result;
  std::shared_ptr<const Document> document;
  std::uint64_t revision = 0;
  Derivations derivations = {};
};

// A tab stored for the next start.
struct KeptTab {
  std::string path;  // absolute
  Panes panes;
  std::vector<CellHit> pins;  // of computed matrices
  std::string arrays = {};    // how a file of arrays is read
  friend bool operator==(const KeptTab&, const KeptTab&) = default;
};

inline constexpr std::size_t kRecentFiles = 10;
inline constexpr std::size_t kMostKeptTabs = 100;
inline constexpr double kSmallestScale = 0.5, kLargestScale = 4.0;  // of the interface

struct Preferences {
  Sides sides{};
  WindowPlace window{};
  std::optional<ThemeKind> theme;           // of the window; none: that of the desktop
  ColorVision vision = ColorVision::Usual;  // simulated colour vision
  double scale = 0.0;                       // 0: taken from the display
  std::vector<std::string> recent_files;    // absolute paths, newest first, at most kRecentFiles
  std::string last_document;                // last shown document; empty: none
  std::vector<KeptTab> tabs;                // in order, at most kMostKeptTabs
  bool reopens = true;                      // opens these at start, else an example
  bool autosaves = true;
  bool begins_with_first_steps = true;  // at the next start
  bool wheel_pans = false;              // two fingers scroll a map, Ctrl zooms it
  bool reduced_motion = false;          // no animations
  std::string export_format = "png";    // an exporter's extension
  ExportOptions export_options{};
  bool export_panes = false;  // all panes of a split window on one page
  LengthUnit export_unit = LengthUnit::Millimetres;
  std::string export_folder;    // of the last export; empty: none
  ViewOptions export_figure{};  // the options of remembered_options() in the last export
};

struct AutosaveState {
  std::uint64_t revision = 0;                               // last autosaved; 0: none
  bool is_under_way = false;                                // a write is in progress
  std::optional<UnsavedWork> restored_from = std::nullopt;  // until autosaved again
};

// Autosaved work of crashed runs.
struct Recovery {
  std::vector<UnsavedWork> found;   // of crashed runs, newest first
  bool is_open = false;             // the list is shown
  bool has_failed = false;          // failure was reported
  std::vector<std::string> listed;  // files published to other runs
};

// Answer to the question of a step; empty if there is none.
struct StepAnswer {
  std::vector<double> guess;  // shares of the row, or the number, that was guessed
  std::vector<CellHit> pins;  // as the step was left, or at the answer
  bool revealed = false;      // the answer was shown
  std::vector<double> truth;  // the numbers at that moment
};

// Position in a lesson, and its answers. Empty without a lesson.
struct LessonState {
  std::size_t step = 0;
  std::vector<Document> entered;  // the documents before the edits of the steps up to this one
  std::vector<Document> written;  // the unedited documents of the lesson after them
  std::uint64_t as_written = 0;   // revision of the unchanged document of the lesson
  std::vector<StepAnswer> answers;
  std::vector<NamedCells> concealed;  // cells of the open question
  bool awaits_pins = false;           // until there is a result
  bool in_file = false;               // the file holds the lesson's first document
  bool ended = false;
};

// Things to do at the first start, one after the other.
enum class FirstStep { None, Edit, Pin, Open };

// Playback of the flow of a cell in the focused pane.
struct Playing {
  bool on = false;
  double speed = 1.0;
  double glide = 1.0;  // from the step before, 0, to the one that is shown, 1
  double held = 0.0;   // seconds for which it has been shown, at speed 1
};
inline constexpr double kPlaySpeeds[] = {0.5, 1.0, 2.0};

// --- The parts of an open document, each with one lifetime: reset<Part>() ends it. ---

// Computed from `result_document` at `result_revision`. May be older than the document while
// computing, but always of its shape: both are null after an edit that changes the shape and after
// a failure.
struct ComputedNumbers {
  ResultPtr result;
  std::shared_ptr<const Document> result_document;
  std::uint64_t result_revision = 0;
  std::optional<Error> result_error;  // for the newest revision
  double compute_seconds = 0.0;
};

// Derivations of `derived_from`, which is the result or an older one, within a budget; those of
// visible plots are never dropped.
struct DerivedNumbers {
  Derivations derivations;
  ResultPtr derived_from;
  std::vector<std::string> deriving;  // keys of running derivations
  // Result of the running derivations: the present one or an older one. Derivations of the older
  // one may finish during a drag; they go to `older` until the present ones are done.
  OlderNumbers deriving_from;  // without derivations
  std::optional<OlderNumbers> older;
};

// The panes of the document.
struct ShownPanes {
  Layout layout;                          // tree of panes with their views
  PaneId focus = 1;                       // focused pane; always exists
  bool maximised = false;                 // only the focused pane is shown
  std::map<PaneId, PaneMemory> memories;  // viewports that panes showed before
};

// Hovered and chosen places, until the document is replaced. Cells may be those of any pane.
struct Selection {
  std::optional<CellHit> hover;
  // There are at most two; the second is for comparison. A pin on a token-by-token stage refers to
  // the shown stage.
  std::vector<CellHit> pins;
  std::optional<TensorHit> tensor_hover;
  std::optional<TokenHit> token_hover;   // hovered in a list or at a plot's edge
  std::optional<TokenHit> marked_token;  // selected; its row and column are marked
  // Layer of the row of an atlas under the pointer that is not known yet, which is derived first.
  std::optional<std::size_t> pointed_layer;
  GridState grid;
};

// The reference that the document is compared with.
struct ComparedWith {
  ReferencePtr reference;  // of differences; null: none
  ReferenceSource reference_source;
  NoReference no_reference;          // why a named reference is missing; null: none is missing
  std::uint64_t last_reference = 0;  // key of the last request
};

// The file of the document.
struct FileState {
  std::string source_path;  // path, example:NAME or "-"; empty: a new document
  // Path to save to; empty: none. The opened path, unless that is an example, a stream or a file of
  // another format.
  std::string path;
  std::uint64_t saved_revision = 0;         // revision in the file
  View file_view;                           // view in the file
  std::string file_reference;               // reference named by the file
  std::optional<FileVersion> file_version;  // last read or written
  std::optional<FileStamp> file_stamp;      // at the last check
  bool allows_outside = false;              // references may leave its folder
  std::uint64_t outdated_revision = 0;      // whose changed number files were reported
  bool saving = false;                      // a write is in progress
  bool save_again = false;                  // and must be repeated after it
  // Document as it was read, to compare whether its description still applies; null: no
  // description.
  std::shared_ptr<const Document> described;
};

// How the file was read.
struct FileReading {
  std::vector<std::string> reading_notes;      // decisions made while reading
  std::shared_ptr<const ArrayChoices> arrays;  // of a file of arrays; null: of none
  std::string text_words;                      // --arrays with which a file of text was read
  std::string other_words;                     // that read a file of text the other way
};

// One open document and everything that belongs to it.
struct OpenDocument : ComputedNumbers,
                      DerivedNumbers,
                      ShownPanes,
                      Selection,
                      ComparedWith,
                      FileState,
                      FileReading {
  std::uint64_t id = 1;  // never reused
  Document document;
  std::uint64_t revision = 0;        // unique among all documents
  std::uint64_t first_revision = 0;  // when it was opened
  History history;
  // Ticket of the newest job for a structure; 0: none. Answers with other tickets are stale.
  std::uint64_t restructuring = 0;
  AutosaveState autosave;
  LessonState lesson;
  Playing playing;
};

// Ends the life of a part: reset<Selection>(open).
template <typename Part>
void reset(Part& part) {
  part = {};
}

// A file of arrays and how it may be read.
struct ArraysQuestion {
  std::string path;
  std::shared_ptr<const ArrayChoices> choices;  // null: no question is open
};

// Tabs besides the shown one.
struct Tabs {
  std::vector<OpenDocument> background;      // background tabs in order; not computed
  std::size_t place = 0;                     // index of the shown document among all tabs
  std::vector<OpenDocument> closed;          // newest last
  std::vector<KeptTab> tabs_for_next_start;  // stored tabs, if this run began with other files
  std::vector<KeptTab> restoring;            // stored tabs still to open
  std::size_t tabs_requested = 0;            // number of them whose reading was requested
  bool awaits_tab = false;                   // the last one is being opened
};

// Messages to the user.
struct Notices {
  std::vector<Notice> notices;   // the newest three
  std::vector<Notice> messages;  // newest last, at most kMessagesKept
  std::uint64_t last_notice = 0;
};

// Dialogs that are open over the panels and wait for the user.
struct Dialogs {
  std::optional<DialogKind> dialog;
  std::optional<Question> question;
  std::optional<Overlay> overlay;
  bool find_is_open = false;  // bar of the search for tokens
  std::string find_text;
  std::string asked_option;  // option of the focused pane whose control is requested; or empty
  ArraysQuestion arrays_question;             // in the window Overlay::Arrays
  std::vector<std::string> questioned_files;  // whose reading was a question, once each
  std::string chosen_export_path;             // chosen in the file dialog; empty: not yet
  std::optional<std::uint64_t> after_saving;  // document to close after saving; 0: quit
};

// Settings that the run was started with, and the desktop around it.
struct RunSettings {
  ThemeKind desktop_theme = ThemeKind::Dark;
  PaneSize plot_space;                                        // of all panes together; 0: unknown
  std::string autosave_folder;                                // of this run; empty: no autosave
  std::uint64_t memory_limit_bytes = kUsualMemoryLimitBytes;  // of a document and its result
  bool allows_all_outside = false;                            // for all documents
  bool asks_where_ambiguous = true;                           // about masks of arrays
  std::string picture_helper;  // puts pictures on the clipboard; empty: none
};

// The shown document, the documents of other tabs, and the state of the program.
struct AppState : OpenDocument, Tabs, Notices, Dialogs, RunSettings {
  std::uint64_t last_document = 1;  // highest ids so far
  std::uint64_t last_revision = 0;
  PaneId last_pane = 1;
  std::uint64_t structure_ticket = 0;  // of the newest structure job of all documents
  FirstStep first_step = FirstStep::None;
  Tool tool = Tool::Inspect;
  bool plot_alone = false;  // hides the sides, which keep their state
  std::string last_export_path;
  std::vector<std::string> gone_files;  // recent files found missing
  Preferences preferences;
  Recovery recovery;
  bool quitting = false;
};

// Number of steps that the plot of the focused pane can show: of a flow or of a decoder.
std::size_t steps_in_view(const OpenDocument& open);
// True if the focused pane shows the flow of a cell, which can be played.
bool shows_flow(const OpenDocument& open);
// Position of the player: 2.5 is halfway from step 2 to step 3.
double played_position(const OpenDocument& open);

// All documents in the order of their tabs. Borrowed.
std::vector<const OpenDocument*> open_documents(const AppState& state);

// Path to save to, else where it was read from. Borrowed.
const std::string& origin_of(const OpenDocument& document);

// True when closing now would lose edits.
bool has_unsaved_changes(const OpenDocument& document);

// True if the description still applies: tokens, numbers and rules are those it was read with.
bool is_described(const OpenDocument& document);
// True if the description has numbers that no longer hold, and does not say so yet.
bool has_past_numbers(const OpenDocument& document);
// Prefix in files of a description that no longer applies.
inline constexpr std::string_view kOfOtherNumbers = "Written for different numbers:";
// True if a description has the prefix, or the one that earlier versions wrote.
inline bool is_of_other_numbers(std::string_view description) {
  return description.starts_with(kOfOtherNumbers) ||
         description.starts_with("Written for other numbers:");
}

// True while a step of the document's lesson is shown.
inline bool is_in_lesson(const OpenDocument& open) {
  return !open.document.lesson.empty() && !open.lesson.entered.empty() && !open.lesson.ended;
}
inline const LessonStep& shown_step(const OpenDocument& open) {
  return open.document.lesson[open.lesson.step];
}
inline const StepAnswer& shown_answer(const OpenDocument& open) {
  return open.lesson.answers[open.lesson.step];
}
// True while only the focused pane is shown. A lesson keeps its panes, as its text refers to both.
inline bool shows_one_pane(const AppState& state) {
  return state.maximised || (state.plot_alone && !is_in_lesson(state));
}
// True if the document differs from the lesson's at this step.
inline bool differs_from_lesson(const OpenDocument& open) {
  return is_in_lesson(open) && open.lesson.as_written != open.revision;
}
// True if the document was edited in a later step, so that its lesson cannot begin with it.
inline bool loses_lesson(const OpenDocument& open) {
  return differs_from_lesson(open) && open.lesson.step > 0;
}

// True if Autosave has work to do.
bool needs_autosave(const AppState& state);

// True while a result of the newest revision is being computed.
bool is_computing(const OpenDocument& open);

// True if a modal or overlay covers the panes, which must then ignore keys.
bool is_covered(const AppState& state);

// True while a question about a file with that obstacle is open.
bool has_question(const AppState& state, FileObstacle obstacle);

// View of the focused pane. Borrowed.
const View& focused_view(const OpenDocument& open);

// Matrix that the view shows: its stage, or the weights for plots without a stage.
MatrixId matrix_in_view(const OpenDocument& open);

// True if the option changes the plot of the view, or of the focused pane.
bool uses(const View& view, Option option);
bool shown_plot_uses(const OpenDocument& open, Option option);

// Reason why an option has no effect in the shown plot; "" if it has (all_plots.h).
std::string why_idle(const OpenDocument& open, std::string_view option);

AttentionShape shown_shape(const OpenDocument& open);
const Mask& shown_mask(const OpenDocument& open);  // borrowed
// True for self-attention.
bool keys_are_queries(const OpenDocument& open);

void drop_result(OpenDocument& document);

// "cats.attn.json"; without a path the title, the folder of its model, or "Untitled".
std::string document_name(const OpenDocument& document);

// Name among tabs, without the usual ending: "cats", "papers/cats" and "talks/cats", or "Untitled
// (2)".
std::string tab_name(const AppState& state, const OpenDocument& document);

// "* cats.attn.json – AttnScope".
std::string window_title(const OpenDocument& open);

// Reason why the pane cannot be split in halves; "" if it can.
std::string why_no_split(const AppState& state, PaneId pane, SplitDirection direction);

// Options of the focused view with marks, which are exported unchanged; the window sets theme and
// size.
PlotOptions plot_options(const OpenDocument& open);

// Options of one pane; pins only of its matrix.
PlotOptions plot_options(const OpenDocument& open, const Pane& pane);
std::vector<CellHit> pins_in(const Pane& pane, const std::vector<CellHit>& pins);

// History of the focused pane's viewports for its present matrix.
const Trail& trail_in_view(const OpenDocument& open);

// Parts that the view can select.
PartsOf parts_of(const Document& document, const View& view);

// Extents of the shown stage, or queries by keys for plots of matrices that are no stage.
StageShape extents_in_view(const Document& document, const View& view);

// Hovered cell as this pane shows it; nothing if it has no such cell.
std::optional<CellHit> hovered_in(const OpenDocument& open, const Pane& pane);

}  // namespace attn
