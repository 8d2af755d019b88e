// The whole state of the program as one value. Only reduce() makes the next one.
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
#include "plot/kit/plot.h"
#include "session/unsaved_work.h"
#include "view/layout.h"
#include "view/trail.h"

namespace attn {

// A document as it was, for undo. `revision` names it: equal revisions are equal documents.
struct Snapshot {
  Document document;
  std::uint64_t revision = 0;
  std::string label;                        // of the edit that led away from it: "Undo edit Q"
  std::optional<std::uint64_t> bytes = {};  // that the document after it does not share
};

struct History {
  std::vector<Snapshot> past;
  std::vector<Snapshot> future;
  std::uint64_t gesture = 0;  // of the last edit; edits of one gesture are one step; 0: none
};

struct Notice {
  enum class Level { Info, Warning, Error };
  std::uint64_t id = 0;
  Level level = Level::Info;
  std::string text;       // one or two sentences
  std::string details;    // for "copy details"; may be empty
  std::size_t count = 1;  // how often it was said
  std::string path = {};  // of a file that was written, to be copied; may be empty
  // What it offers of an open document: to read its file again, which holds something else, or to
  // take its causal mask off, which was assumed.
  enum class Offer { Nothing, Reload, CausalOff };
  Offer offer = Offer::Nothing;
  std::uint64_t document = 0;  // of which it offers something
};

// Information that asks nothing; the rest stays until somebody dismisses it.
inline bool leaves_by_itself(const Notice& notice) {
  return notice.level == Notice::Level::Info && notice.offer == Notice::Offer::Nothing;
}

inline constexpr std::size_t kMessagesKept = 100;

enum class Tool { Inspect, PaintMask };

// `Export` says how a figure is written; `ExportFile` where to.
enum class DialogKind { Open, SaveAs, Export, ExportFile, Compare };

// A question that must be answered before what was asked for happens.
struct CloseAfter {
  std::uint64_t document;
};
struct QuitAfter {};  // of all documents
using AfterDecision = std::variant<CloseAfter, QuitAfter>;
struct UnsavedQuestion {
  AfterDecision after;
};
struct OverwriteQuestion {
  std::string path;
  bool exporting = false;  // else saving the document
};
// The file was written by somebody else since it was opened or saved.
struct ChangedQuestion {
  std::string path;
};
struct ProtectedQuestion {
  std::string path;
  std::string reason;  // "the file is write-protected (its permissions let nobody write)"
};
// A document refers to a file that is not below its folder.
struct OutsideQuestion {
  std::string path;       // of the document, or of the one that it is to be compared with
  std::string text = {};  // of the document, where it was pasted
  bool compares = false;
  std::string reason = {};  // "../q.npy: the file lies outside of the folder of the document"
};
using Question = std::variant<UnsavedQuestion, OverwriteQuestion, ChangedQuestion,
                              ProtectedQuestion, OutsideQuestion>;

// What lies over the panels, one at a time.
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
  Sentence
};

// The search for tokens by their text.
struct FindState {
  bool is_open = false;  // its bar
  std::string text;
};

// The spreadsheet: which matrix, its cursor and the other corner of its selection.
struct GridState {
  MatrixRef matrix{"/q", {}};
  std::size_t row = 0, col = 0;
  std::size_t anchor_row = 0, anchor_col = 0;
};

// The sides of the window as the person left them. Sizes in units; 0: what fits the window.
struct Sides {
  float left = 0.0F, right = 0.0F;  // widths
  float left_top = 0.0F;            // height of the upper panel of the left side
  float right_top = 0.0F;           // share of the upper panel in the right side
  bool left_folded = false, right_folded = false;
  friend bool operator==(const Sides&, const Sides&) = default;
};

// Where the window was when it closed, in screen coordinates; no width: not known.
struct WindowPlace {
  int x = 0, y = 0, width = 0, height = 0;
  bool maximised = false;
  friend bool operator==(const WindowPlace&, const WindowPlace&) = default;
};

// Where the reference is from: an open document or a file.
struct ReferenceSource {
  std::uint64_t document = 0;  // its id; 0: the reference is of a file
  std::uint64_t revision = 0;  // of the document, as it was kept
  std::string path;            // of the document then, or of the file
  std::string file_remark;     // what became of the file since; empty: nothing
};

// A result, what it was computed from, and what was made from it for plots.
struct OlderNumbers {
  ResultPtr result;
  std::shared_ptr<const Document> document;
  std::uint64_t revision = 0;
  Derivations derivations = {};
};

// A tab as it is opened again at the next start.
struct KeptTab {
  std::string path;  // absolute
  Panes panes;
  std::vector<CellHit> pins;  // of computed matrices
  friend bool operator==(const KeptTab&, const KeptTab&) = default;
};

inline constexpr std::size_t kRecentFiles = 10;
inline constexpr std::size_t kMostKeptTabs = 100;
inline constexpr double kSmallestScale = 0.5, kLargestScale = 4.0;  // of the interface

struct Preferences {
  Sides sides{};
  WindowPlace window{};
  ThemeKind theme = ThemeKind::Dark;        // one of windows
  ColorVision vision = ColorVision::Usual;  // with whose eyes the window is shown
  double scale = 0.0;                       // 0: as the display says
  std::vector<std::string> recent_files;    // absolute paths, newest first, at most kRecentFiles
  std::string last_document;                // absolute path of what was looked at last; empty: none
  std::vector<KeptTab> tabs;                // in their order, at most kMostKeptTabs
  bool reopens = true;                      // starts with these, else with an example
  bool keeps_unsaved = true;                // for a next start
  bool wheel_pans = false;                  // two fingers move a map, Ctrl and they zoom it
  std::string export_format = "png";        // an exporter's extension
  ExportOptions export_options{};
};

// How far a document with unsaved changes is kept for a next start.
struct KeptWork {
  std::uint64_t revision = 0;                               // that is kept; 0: none
  bool is_under_way = false;                                // another one is being written
  std::optional<UnsavedWork> restored_from = std::nullopt;  // until it is kept itself
};

// Unsaved work of this run and of those that were killed.
struct Recovery {
  std::string folder;               // of this run; empty: nothing is kept
  std::vector<UnsavedWork> found;   // of others, the newest first
  bool is_open = false;             // they are offered
  bool has_failed = false;          // which was said
  std::vector<std::string> listed;  // files that other runs were told to be open here
};

// One open document with all that belongs to it.
struct OpenDocument {
  std::uint64_t id = 1;  // never given again
  Document document;
  std::uint64_t revision = 0;        // of `document`; no two documents share one
  std::uint64_t first_revision = 0;  // the one it was opened with
  History history;

  // Of `result_document` at `result_revision`. Older than `document` while computing, but always of
  // its shape: dropped (both null) when an edit or another document changes the shape, and when
  // computing fails.
  ResultPtr result;
  std::shared_ptr<const Document> result_document;
  std::uint64_t result_revision = 0;
  std::optional<Error> result_error;  // of the newest revision
  double compute_seconds = 0.0;

  // What the plots need beyond the result, made from `derived_from`, which is the result or an
  // older one; and what is on its way. Never more than a budget holds, but always what is looked
  // at.
  Derivations derivations;
  ResultPtr derived_from;
  std::vector<std::string> deriving;  // keys
  // Of which result `deriving` is: the present one, or an older one whose needs were under way when
  // the present one came. Those may finish, so that a drag shows something; until the present ones
  // are there, `older` has what came of them.
  OlderNumbers deriving_from;  // without derivations
  std::optional<OlderNumbers> older;

  Layout layout;                          // the panes with their views
  PaneId focus = 1;                       // the one that keys, menus and exports mean; always there
  bool maximised = false;                 // it is shown alone
  std::map<PaneId, PaneMemory> memories;  // of panes that have changed what they show
  // What is pointed at and pinned, in whichever pane.
  std::optional<CellHit> hover;
  // At most two; the second is for comparing. A pin on a token-by-token stage is of the one that is
  // shown, when that is one itself.
  std::vector<CellHit> pins;
  std::optional<TensorHit> tensor_hover;
  std::optional<TokenHit> token_hover;   // pointed at, in a list or at the edge of a plot
  std::optional<TokenHit> marked_token;  // chosen there; its row and column are marked
  GridState grid;

  ReferencePtr reference;  // what differences are taken from; null: nothing
  ReferenceSource reference_source;
  NoReference no_reference;          // why there is none although one is named; null: none is
  ReferenceSource awaited_source;    // of the one that was asked for last
  std::uint64_t last_reference = 0;  // key of the one that was asked for last

  std::string source_path;  // what was opened: a path, example:NAME, -; empty for a new document
  // Where the document is saved; empty: nowhere yet. What it was opened from, unless that is an
  // example, a stream or a file of another format.
  std::string path;
  std::uint64_t saved_revision = 0;         // the revision that the file holds
  View file_view;                           // that the file is opened with
  std::string file_reference;               // that the file names
  std::optional<FileVersion> file_version;  // its bytes, as they were read or written last
  std::optional<FileStamp> file_stamp;      // when they were looked at last, changed or not
  bool allows_outside = false;              // its references may lead out of its folder
  std::uint64_t outdated_revision = 0;      // whose files of numbers have changed, as was said
  // Ticket of the job that makes the structure asked for last; 0: none does. Those of older ones
  // are stale, in whatever order they come back.
  std::uint64_t restructuring = 0;
  bool saving = false;                     // until the answer is there,
  bool save_again = false;                 // which is followed by the next
  std::vector<std::string> reading_notes;  // what reading the document had to decide
  // As it was read with its description, to tell whether that is true of what became of it; null:
  // it has none.
  std::shared_ptr<const Document> described;
  KeptWork kept;
};

// The document that is shown, those in other tabs, and what is the program's.
struct AppState : OpenDocument {
  std::vector<OpenDocument> aside;   // other tabs in their order; never computed meanwhile
  std::size_t place = 0;             // of the document among them: behind so many
  std::vector<OpenDocument> closed;  // the newest last; to be opened again
  std::uint64_t last_document = 1;   // the highest ids ever given
  std::uint64_t last_revision = 0;
  PaneId last_pane = 1;
  std::vector<KeptTab> put_aside;  // tabs of the last run, where this one began with other files
  std::vector<KeptTab> restoring;  // tabs of the last run; empty once all of them are open
  std::size_t tabs_asked_for = 0;  // of these
  bool awaits_tab = false;         // the last one that was asked for
  bool plot_alone = false;         // without the sides, which are kept as they are

  Tool tool = Tool::Inspect;
  std::string last_export_path;
  std::string chosen_export_path;             // by the dialog for files; empty: none yet
  std::optional<AfterDecision> after_saving;  // "Save" was the answer: follows when it is written
  std::uint64_t load_ticket = 0;              // of the newest load; older ones are stale
  std::uint64_t structure_ticket = 0;         // of the newest job for a structure, of any document

  std::vector<Notice> notices;   // the newest three
  std::vector<Notice> messages;  // all that was said, the newest last, at most kMessagesKept
  std::uint64_t last_notice = 0;
  std::optional<DialogKind> dialog;
  std::optional<Question> question;
  std::optional<Overlay> overlay;
  FindState find;
  bool asks_feature_name = false;  // the field for the name of the cursor's column is to be opened
  std::string asked_option;  // of the pane with the focus, whose control is to be opened; or empty
  Preferences preferences;
  std::vector<std::string> gone_files;  // of the recent ones, when they were looked at last
  Recovery recovery;
  std::uint64_t memory_limit_bytes =
      kUsualMemoryLimitBytes;       // of a document, and what is made of it
  bool allows_all_outside = false;  // likewise of all documents
  std::string picture_helper;       // that hands pictures to the clipboard; empty: there is none
  bool quitting = false;
};

// All of them in the order of their tabs. Borrowed.
std::vector<const OpenDocument*> open_documents(const AppState& state);

// True when closing now would lose edits.
bool has_unsaved_changes(const OpenDocument& document);

// Whether the document has a description, and the tokens, numbers and rules that it was read with.
bool is_described(const OpenDocument& document);
// What files say before a description that is not.
inline constexpr std::string_view kOfOtherNumbers = "Written for other numbers:";

// Whether KeepUnsaved has anything to do.
bool has_work_to_keep(const AppState& state);

// True while a result of the newest revision is on its way.
bool is_computing(const OpenDocument& open);

// Whether a window lies over the panes; keys must not act on what is underneath.
bool is_covered(const AppState& state);

// What the panel that has the focus shows. Borrowed.
const View& focused_view(const OpenDocument& open);

// The computed matrix whose cells that view shows or is about: its stage, or the weights where its
// plot has none.
MatrixId matrix_in_view(const OpenDocument& open);

// Whether the option changes the plot of that view.
bool shown_plot_uses(const OpenDocument& open, Option option);

// Why it changes nothing of what that plot shows; "" where it does (all_plots.h).
std::string why_idle(const OpenDocument& open, std::string_view option);

// Of a decoder, as the attention that is looked at has it.
AttentionShape shown_shape(const OpenDocument& open);
const Mask& shown_mask(const OpenDocument& open);  // borrowed
// The attention that is looked at is within one sequence.
bool keys_are_queries(const OpenDocument& open);

// Forgets the result and its document.
void drop_result(OpenDocument& document);

// "cats.attn.json"; the title or "Untitled" without a path.
std::string document_name(const OpenDocument& document);

// The same, told from that of other tabs: "papers/cats.attn.json", "Untitled (2)".
std::string tab_name(const AppState& state, const OpenDocument& document);

// "* cats.attn.json – AttnScope".
std::string window_title(const OpenDocument& open);

// The options of the focused view with the marks of the moment: what is exported, and what the
// window draws with its own theme and size.
PlotOptions plot_options(const OpenDocument& open);

// Those of one pane: pins are of the matrix that it shows.
PlotOptions plot_options(const OpenDocument& open, const Pane& pane);

// The parts that the pane with the focus has shown of the matrix that it shows now.
const Trail& trail_in_view(const OpenDocument& open);

// Which parts the view can show, whatever it shows now.
PartsOf parts_of(const Document& document, const View& view);

// The extents of the matrix that the window of the view is a part of: the stage in view, or queries
// by keys in plots of matrices that are no stage.
StageShape extents_in_view(const Document& document, const View& view);

// The cell pointed at, as this pane shows it; nothing where it has no such cell.
std::optional<CellHit> hovered_in(const OpenDocument& open, const Pane& pane);

}  // namespace attn
