// Windows over the panels, with their state between frames.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "document/edit/sentence.h"
#include "document/edit/structure.h"
#include "document/load/array_reading.h"
#include "gui/panels/controls/field_control.h"
#include "gui/panels/pane/figure_cache.h"
#include "gui/shell/actions/actions.h"
#include "gui/shell/windows/folder.h"
#include "gui/ui/markdown.h"
#include "gui/ui/text_input.h"
#include "session/state.h"

namespace attn::gui {

// The only modal window: a question. Probe names: "question", "question/save", "question/discard",
// "question/cancel", "question/overwrite", "question/save_as".
void question(Ui& ui, const AppState& state);

// Colour of a message; `info` is that of one that is neither a warning nor an error.
Color level_color(const Ui& ui, Notice::Level level, Color info);
// The details of a notice, or its text if it has none, for copying.
const std::string& full_text(const Notice& notice);

// Names and values.
using InformationRows = std::vector<std::pair<std::string, std::string>>;

struct ClosableView {
  std::string filter;        // of shortcuts and of settings
  FieldInteractions typing;  // of settings
  InformationRows graphics;  // what draws the window
};

// Windows that only have to be closed: shortcuts; the states reachable by undo and redo; messages,
// the newest first; settings; about; autosaved work of killed runs. Probe names: "shortcuts",
// "history", "messages", "settings", "about", "unsaved", each with "/close"; "shortcuts/filter",
// "shortcuts/row/KEYS" with the label as value; "history/0", …; "messages/0", "messages/0/copy", …,
// "messages/copy_all"; "settings/filter", "settings/FIELD", "settings/FIELD/reset"; "about/copy";
// "unsaved/restore/0", "unsaved/copy/0", ….
void closable_windows(Ui& ui, const AppState& state, const std::vector<Action>& actions,
                      ClosableView& view);

// Indices of the actions that have the letters of the pattern in order, whatever their case; all of
// them for an empty pattern. Best first: letters at beginnings of words and in runs.
std::vector<std::size_t> matching_actions(const std::vector<Action>& actions,
                                          std::string_view pattern);

// A field for a search.
struct SearchView {
  std::string text;
  bool takes_keyboard = false;  // which it lost by Enter in the last frame
  std::size_t selected = 0;     // index among the matches
};

// Probe names: "palette/filter", "palette/ID".
void palette(Ui& ui, const AppState& state, const std::vector<Action>& actions, SearchView& view);

struct GuideView {
  std::string search;
  std::size_t match = 0;              // index of the current match in `found`
  std::optional<double> scroll_to{};  // units from the top of the text
  std::vector<TextBlock> blocks;      // parsed when first opened
  PlacedText text;                    // layout for `width`
  double width = 0.0;                 // units
  std::vector<std::string> folded{};  // case-folded text of the items, for the search
  std::vector<std::size_t> found{};   // items that match the search
  std::string found_for{};            // search of `found`
};

// Probe names: "guide", "guide/search", "guide/found", "guide/previous", "guide/next",
// "guide/heading/0", …, "guide/item/0", … of what is in view, "guide/link/TARGET", "guide/close".
void guide_window(Ui& ui, const AppState& state, GuideView& view);

struct FindView {
  std::string text;
  bool return_to_text = false;  // after a step
  // Matches, cached while text and tokens stay.
  std::string found_text;
  std::uint64_t revision = 0;
  std::size_t sample = 0;
  std::vector<TokenHit> found;
};

// `corner` is the upper right one, pixels. Enter selects the next match, Shift+Enter the previous
// one, Esc closes. Probe names: "find", "find/text", "find/count", "find/next", "find/previous",
// "find/close".
void find_bar(Ui& ui, const AppState& state, FindView& view, ImVec2 corner);

// Probe names: "go_to", "go_to/place", "go_to/meaning", "go_to/go".
void go_to(Ui& ui, const AppState& state, SearchView& view);

struct FileBrowserView {
  std::optional<DialogKind> kind;  // in the last frame
  std::string folder;
  std::string folder_text;  // typed at the top
  std::string name;         // typed at the bottom; filters the list when opening
  std::vector<FolderEntry> entries;
  std::size_t file_kind = 0;  // index into file_kinds()
  std::size_t selected = 0;   // index among the listed entries
  std::string problem;
  bool answering = false;  // the overwrite question is open; “no” keeps the name
  bool focus_name = false;
  bool choosing_kind = false;  // in the last frame: that list used the keys
  bool scroll_to_selected = false;
};

// Probe names: "files/folder", "files/name", "files/entry/NAME", "files/place/Home", "files/up",
// "files/kind", "files/recent/0", "files/example/NAME", "files/accept", "files/cancel",
// "files/problem".
void file_browser(Ui& ui, const AppState& state, FileBrowserView& view);

// Tokens from a text, cached while its inputs stay.
struct SentenceReading {
  std::string text;
  SplitBy by{};
  Side side{};
  std::uint64_t revision = 0;       // of the document; 0: nothing was read
  std::vector<std::string> tokens;  // empty if the text is rejected
  std::string problem;              // why it is rejected
  bool are_present = false;         // equal to the document's tokens
};

struct ArraysView {
  ArrayWords words{};                                             // what is chosen
  std::string text{};                                             // of the words, as shown or typed
  std::vector<std::string> patterns{};                            // names to choose from
  std::vector<std::pair<std::string, std::string>> attentions{};  // patterns with their sizes
  std::vector<ArrayReading> fitting{};                            // with the chosen arrays
  ArrayMeanings names{};               // as chosen, or the last that could be read
  std::vector<ArrayLayout> layouts{};  // of `names`
  std::string problem{};               // why it cannot be read
};

// Applying sends one ReadArrays. Probe names: "arrays", "arrays/attention/0", …, "arrays/fit/0", …,
// "arrays/mask/0/True attends", …, "arrays/ROLE",
// "arrays/ROLE/axis/0", …, "arrays/words", "arrays/reason", "arrays/apply", "arrays/close".
void arrays_window(Ui& ui, const AppState& state, ArraysView& view);

struct SentenceView {
  bool take_keyboard = false;
  std::optional<Side> opened_side;  // where it was opened; none: that of the marked token
  Side side = Side::Query;
  SplitBy by = SplitBy::Words;
  SplitBy preferred = SplitBy::Words;  // last choice of the user
  std::string text;
  std::string start;  // the text as first shown
  TextAreaView area;
  SentenceReading reading;
};

// Applying sends one SetTokens. Probe names: "sentence", "sentence/by/LABEL", "sentence/side/LABEL"
// (for two sequences), "sentence/text", "sentence/count", "sentence/token/0", …, "sentence/more",
// "sentence/reason", "sentence/apply", "sentence/close".
void sentence_window(Ui& ui, const AppState& state, SentenceView& view);

struct ExportView {
  std::string path;
  std::string problem;
  std::string chosen;  // last path chosen in the file dialog
  std::string title;   // restored when the title is switched on again
  bool focus_path = false;
  bool browsing = false;   // the file dialog is open and returns here
  bool answering = false;  // the overwrite question is open; “no” keeps the path
  FieldInteractions typing;
  FigureCache figure;
};

// Enter exports, Esc closes. Probe names: "export", "export/path", "export/browse",
// "export/format/png", "export/width", "export/height", "export/unit", "export/FIELD",
// "export/reset", "export/command", "export/copy_command", "export/accept", "export/cancel",
// "export/problem", "export/preview".
void export_window(Ui& ui, const AppState& state, ExportView& view);

// A number being typed, or rejected and to be corrected.
struct TypedExtent {
  const StructureField* field = nullptr;  // null: none
  std::string text;
  Structure before;     // structure before typing
  std::string problem;  // why it is rejected
};

// Preview of a change at a revision, or why there is none.
struct StructurePreview {
  std::uint64_t document = 0, revision = 0;
  bool computed = false;  // the document's result was available
  Structure wanted;
  std::vector<std::string> remarks;
};

struct StructureView {
  Structure present;     // of the document
  bool entered = false;  // in a field, in this frame
  // The chosen structure; values that a kind does not use are kept for kinds that do.
  Structure chosen;
  TypedExtent typed;
  StructurePreview preview;
  FieldInteractions dragging;  // of numbers, by field name
};

// Applying sends one SetStructure. Probe names: "structure", "structure/kind/NAME" (value "on" for
// the chosen one), "structure/FIELD" with "/less", "/more", "/before" and "/problem",
// "structure/memory", "structure/remark/0", …, "structure/reason", "structure/apply",
// "structure/close".
void structure_window(Ui& ui, const AppState& state, StructureView& view);

}  // namespace attn::gui
