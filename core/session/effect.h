// reduce(), the effects that it requests, and the function that runs them. Independent of any
// window.
#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/progress.h"
#include "document/edit/structure.h"
#include "document/load/read.h"
#include "document/reading.h"
#include "engine/job_queue.h"
#include "export/export.h"
#include "plot/kit/plot.h"
#include "session/command_list.h"
#include "session/figure_file.h"
#include "session/state.h"

namespace attn {

// Job queue that runs an effect.
enum class EffectQueue {
  Work,
  Saving,   // saving: never behind reading, computing or autosave
  Autosave  // in order, never behind other queues
};

// Facts of an effect as a job. `label`, `job_key` and `task` are prefixes in the facts of a kind of
// effect.
struct EffectFacts {
  std::string label;    // shown while it runs: "Opening cats.json"; empty: not shown
  std::string job_key;  // a newer job replaces one of its key; empty: never
  std::string task;     // for errors: "there is not enough memory to …"
  std::string hint;     // advice for that error; may be empty
  EffectQueue queue;
  JobQueue::AtEnd at_end;  // Dropped: its result is only shown
  std::string file = {};   // its file; may be empty
};

// Effects; each answers with a command: those with a type Made with a command::Done of it.
namespace effect {

using enum EffectQueue;
using enum JobQueue::AtEnd;
inline constexpr const char* kSmallerDocument = "use a smaller document";
inline constexpr const char* kSmallerProblem = "use fewer tokens, heads or samples";
inline constexpr const char* kSmallerFigure = "try a smaller size, or fewer tokens";
inline constexpr const char* kMoreMemory = "close other programs";
inline EffectFacts facts(const char* label, const char* job_key, const char* task, const char* hint,
                         EffectQueue queue, JobQueue::AtEnd at_end) {
  return {label, job_key, task, hint, queue, at_end};
}

struct Load {
  using Made = Result<Reading>;
  static inline const auto kFacts =
      facts("Opening ", "", "open this document", kSmallerDocument, Work, Dropped);
  std::string path;
  bool behind = false, allows_outside = false;
  std::string plot = {};
  std::string arrays = {};
  std::shared_ptr<const ArrayChoices> refused =
      {};                 // answered for a file of arrays that was not read
  ModelInput input = {};  // of the folder of a model
};                        // Opened
struct Reload {
  using Made = Result<Reading>;
  static inline const auto kFacts =
      facts("Reloading ", "", "read this document again", kSmallerDocument, Work, Dropped);
  std::string path;
  std::uint64_t document;
  bool by_user = true;  // false: does nothing if that would discard edits
  // If given, only the number files of this document are read again, not the whole path.
  std::shared_ptr<const Document> edited = nullptr;
  std::uint64_t edited_revision = 0;
  bool allows_outside = false;
  std::string arrays = {};  // how a file of arrays is read
};                          // Reloaded
// Compares a file with its known version, by stamp where that is known, else by bytes; and the
// files of the document's numbers by stamp.
struct CheckFile {
  static inline const auto kFacts =
      facts("Checking ", "check", "check this file", "", Work, Dropped);
  std::string path;
  std::uint64_t document;
  std::optional<FileVersion> known;
  std::optional<FileStamp> stamp = std::nullopt;
  Document numbers{};
};  // FileChecked; nothing if unchanged or gone and all numbers are unchanged
struct ReadPasted {
  using Made = Result<Reading>;
  static inline const auto kFacts =
      facts("Reading pasted text", "", "paste this document", "paste a smaller one", Work, Dropped);
  std::string text;
  bool allows_outside = false;
};  // DocumentPasted
struct Store {
  static inline const auto kFacts =
      facts("Saving ", "", "save this document", "save it again after closing other programs",
            Saving, Finished);
  std::string path;
  std::shared_ptr<const Document> document;
  std::uint64_t revision;
  bool overwrite = false;
  std::optional<FileVersion> known = std::nullopt;  // fails if the file holds other bytes
  std::uint64_t of = 0;                             // document; 0: the shown one
};                                                  // Stored
struct Compute {
  static inline const auto kFacts =
      facts("Computing", "compute", "compute this document", kSmallerProblem, Work, Dropped);
  Document document;
  std::uint64_t revision;
  ResultPtr before = nullptr;       // result of an earlier revision to reuse
  std::size_t layers = kAllLayers;  // from the first one on
};                                  // Computed
// Changes the structure of a document.
struct Restructure {
  using Made = Result<Restructured>;
  static inline const auto kFacts =
      facts("Changing the structure", "structure ", "change the structure of this document",
            "use smaller widths or fewer layers", Work, Dropped);
  std::uint64_t id;  // of the document
  std::shared_ptr<const Document> document;
  std::uint64_t revision;
  std::uint64_t ticket;
  Structure wanted;
  ResultPtr computed;  // result of that revision; may be null
};                     // StructureMade with its ticket
struct Draw : FigureSpec {
  static inline const auto kFacts =
      facts("Exporting ", "", "draw this figure", kSmallerFigure, Work, Finished);
  std::string path;
  Document document;
  ResultPtr result;  // null: computed first
  bool overwrite;
};  // Exported
struct CopyFigure {
  static inline const auto kFacts =
      facts("Copying the figure", "copy", "copy this figure", kSmallerFigure, Work, Dropped);
  Draw figure;         // its path holds only the extension
  std::string helper;  // find_picture_helper()
};                     // Notify
// Writes the window's pixels to a file named after the document; carried out by the application.
struct TakeScreenshot {
  static inline const auto kFacts =
      facts("Writing a picture of the window", "", "take a picture of the window", kMoreMemory,
            Work, Finished);
  std::string name;
};  // Notify
// Makes one derivation that a plot needs from the whole result and its document.
struct Derive {
  using Made = Result<DerivationPtr>;
  static inline const auto kFacts =
      facts("", "derive ", "compute ", kSmallerProblem, Work, Dropped);
  std::shared_ptr<const Document> document;
  ResultPtr result;
  Need need;
  std::uint64_t nanoseconds = 0;  // predicted for all needs requested with it
};                                // DerivationDone
struct StopDeriving {
  static inline const auto kFacts = facts("", "derive ", "stop computing", "", Work, Finished);
  std::string key;  // key of a need that no plot has any more
};
// Opens and computes a document to compare with.
struct MakeReference {
  using Made = Result<ReferencePtr>;
  static inline const auto kFacts =
      facts("Opening ", "reference", "compare with this document", kSmallerDocument, Work, Dropped);
  std::uint64_t asking;  // id of the document that is compared
  std::string key;
  std::string label;
  ReferenceSource source;
  std::shared_ptr<const Document> document;  // null: read from the path of the source
  bool allows_outside = false;
};  // ReferenceMade with its key
// Checks whether a reference's file has changed.
struct CheckReference {
  using Made = std::string;
  static inline const auto kFacts = facts("Checking ", "", "check this file", "", Work, Dropped);
  std::uint64_t asking;  // id of the document that is compared
  ReferencePtr reference;
  std::string known = {};  // what was already reported of its file
};                         // ReferenceChecked with its key; nothing if that is unchanged
// Finds which of these files no longer exist.
struct CheckRecent {
  static inline const auto kFacts =
      facts("Checking recent files", "recent", "check recent files", "", Work, Dropped);
  std::vector<std::string> paths;
};  // RecentChecked
// Reads from the desktop whether it is light or dark.
struct AskTheme {
  static inline const auto kFacts = facts("", "theme", "ask the desktop", "", Autosave, Dropped);
};  // SetDesktopTheme
struct StorePreferences {
  static inline const auto kFacts =
      facts("", "preferences", "save the preferences", "", Saving, Finished);
  Preferences preferences;
};
struct AutosaveDocument {
  using Made = Status;
  static inline const auto kFacts =
      facts("Autosaving", "", "autosave this document", "save the document", Autosave, Finished);
  UnsavedWork work;
  std::shared_ptr<const Document> document;
  std::uint64_t revision;
};  // Autosaved
struct RemoveAutosave {
  static inline const auto kFacts =
      facts("Autosaving", "", "remove an autosaved document", "", Autosave, Finished);
  std::string folder;
  std::uint64_t document;
};
// Publishes the files open in this run to other windows.
struct ListOpenFiles {
  static inline const auto kFacts =
      facts("Autosaving", "", "list the open files", "", Autosave, Finished);
  std::string folder;               // of this run
  std::vector<std::string> paths;   // all of them
  std::vector<std::string> opened;  // since the last time
};                                  // Notify if another window has one of them
struct FindUnsaved {
  using Made = FoundWork;
  static inline const auto kFacts =
      facts("Autosaving", "", "find unsaved work", "", Autosave, Dropped);
  std::string parent;
};  // UnsavedFound
struct RestoreWork {
  struct Made {
    Document document;
    std::optional<Document> opened = {};  // what was edited, if it can be read
  };
  static inline const auto kFacts =
      facts("Restoring ", "", "restore unsaved work", kMoreMemory, Work, Dropped);
  UnsavedWork work;
  bool as_copy;
};  // WorkRestored, or Notify
}  // namespace effect

using Effect = std::variant<
    effect::Load, effect::Reload, effect::CheckFile, effect::ReadPasted, effect::Store,
    effect::Compute, effect::Restructure, effect::Draw, effect::CopyFigure, effect::TakeScreenshot,
    effect::Derive, effect::StopDeriving, effect::MakeReference, effect::CheckReference,
    effect::CheckRecent, effect::AskTheme, effect::StorePreferences, effect::AutosaveDocument,
    effect::RemoveAutosave, effect::ListOpenFiles, effect::FindUnsaved, effect::RestoreWork>;

// Result of a command: the next state and the effects to run.
struct Step : AppState {
  std::vector<Effect> effects;
};

// State at start, before anything is opened.
AppState initial_state();

// The only function that changes the state. Pure: equal states and commands give equal steps. A
// command that does not apply (a missing cell, a stale result) leaves the state unchanged or adds a
// notice with the reason.
Step reduce(AppState state, const Command& command);

EffectFacts facts_of(const Effect& effect);

// Runs an effect within a limit of memory. Blocking: use a worker thread for what may exceed a
// frame. Accesses files, never the state. Returns nothing for StorePreferences, StopDeriving and
// RemoveAutosave. Exceptions become the command that reports the failure.
std::optional<Command> run_effect(const Effect& effect, Progress* progress,
                                  std::uint64_t memory_limit_bytes = kUsualMemoryLimitBytes);

// Error for an exception thrown by `effect`: OverMemoryLimit for failed allocations, else Internal.
Error error_of(const Effect& effect, const std::exception_ptr& thrown);

// True if running the effect on the calling thread is cheaper than waiting a frame.
bool is_quick(const Effect& effect);

// Priority of its job; 0 is highest. Logarithmic in the predicted nanoseconds of derivations;
// derivations that a picture waits for get a higher priority.
unsigned priority_of(const Effect& effect);

// True if the answer reports cancellation, after which the effect may be run again.
bool was_stopped(const Command& answer);

}  // namespace attn
