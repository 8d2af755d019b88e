// Everything that the state can ask the world to do, and how that is carried out. Needs no window.
#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/progress.h"
#include "engine/job_queue.h"
#include "export/export.h"
#include "plot/kit/ask.h"
#include "session/command.h"

namespace attn {

// Which job queue runs an effect.
enum class EffectQueue {
  Work,
  Saving,  // what is to last: behind nothing that reads, computes or keeps
  Keeping  // unsaved work: in its order, and behind nothing else
};

// What is known of a kind of effect, whatever its values.
struct EffectFacts {
  const char* label;    // begins the label of its job, which goes on with the name of its file
  const char* job_key;  // begins the key of its job
  const char* task;     // for errors: "there is not enough memory to …"
  const char* hint;     // what helps then; may be empty
  EffectQueue queue;
  JobQueue::AtEnd at_end;  // Dropped: its result is only shown
};

// What the world is asked to do; each comes back as a command.
namespace effect {

using enum EffectQueue;
using enum JobQueue::AtEnd;
inline constexpr const char* kSmallerDocument = "use a smaller document";
inline constexpr const char* kSmallerProblem = "use fewer tokens, heads or samples";
inline constexpr const char* kSmallerFigure = "try a smaller size, or fewer tokens";
inline constexpr const char* kMoreMemory = "close other programs";
constexpr EffectFacts facts(const char* label, const char* job_key, const char* task,
                            const char* hint, EffectQueue queue, JobQueue::AtEnd at_end) {
  return {label, job_key, task, hint, queue, at_end};
}

struct Load {
  static constexpr auto kFacts =
      facts("Opening ", "", "open this document", kSmallerDocument, Work, Dropped);
  std::string path;
  std::uint64_t ticket = 0;
  bool behind = false;
  bool allows_outside = false;
};  // Opened or OpenFailed with the same ticket
struct Reload {
  static constexpr auto kFacts =
      facts("Reloading ", "", "read this document again", kSmallerDocument, Work, Dropped);
  std::string path;
  std::uint64_t document;
  bool asked = true;
  // Of which only the files of numbers are read again; null: all that the path holds is.
  std::shared_ptr<const Document> edited = nullptr;
  std::uint64_t edited_revision = 0;
  bool allows_outside = false;
};  // Reloaded
// Whether a file still is what it was: at a glance where its stamp is known, else by its bytes;
// and those that the document takes numbers from, at a glance.
struct LookAtFile {
  static constexpr auto kFacts =
      facts("Looking at ", "look", "look at this file", "", Work, Dropped);
  std::string path;
  std::uint64_t document;
  std::optional<FileVersion> known;
  std::optional<FileStamp> stamp = std::nullopt;
  Document numbers{};
};  // FileLookedAt, unless the stamp is the same or the file is gone, and all numbers are as before
struct ReadPasted {
  static constexpr auto kFacts = facts("Reading what is pasted", "", "paste this document",
                                       "paste a smaller one", Work, Dropped);
  std::string text;
  bool allows_outside = false;
};  // DocumentPasted
struct Store {
  static constexpr auto kFacts =
      facts("Saving ", "", "save this document", "save it again after closing other programs",
            Saving, Finished);
  std::string path;
  Document document;
  std::uint64_t revision;
  bool overwrite;
  std::optional<FileVersion> known = std::nullopt;  // when the file holds other bytes: not written
  std::uint64_t of = 0;
};  // Saved or SaveFailed
struct Compute {
  static constexpr auto kFacts =
      facts("Computing", "compute", "compute this document", kSmallerProblem, Work, Dropped);
  Document document;
  std::uint64_t revision;
  ResultPtr before = nullptr;  // of an earlier revision, from which computing goes on
};                             // Computed or ComputeFailed
// Makes another structure of a document.
struct Restructure {
  static constexpr auto kFacts =
      facts("Changing the structure", "structure ", "change the structure of this document",
            "use smaller widths or fewer layers", Work, Dropped);
  std::uint64_t id;  // of the document
  std::shared_ptr<const Document> document;
  std::uint64_t revision;
  std::uint64_t ticket;
  Structure wanted;
  ResultPtr computed;  // of that revision; may be null
};                     // StructureMade with the same ticket
struct Draw {
  static constexpr auto kFacts =
      facts("Exporting ", "", "draw this figure", kSmallerFigure, Work, Finished);
  std::string path;
  Document document;
  ResultPtr result;  // null: computed first
  std::string plot;
  PlotOptions options;
  ExportOptions export_options;
  bool overwrite;
};  // Exported or ExportFailed
struct CopyFigure {
  static constexpr auto kFacts =
      facts("Copying the figure", "copy", "copy this figure", kSmallerFigure, Work, Dropped);
  Draw figure;         // its path is that of a format alone
  std::string helper;  // find_picture_helper()
};                     // Notify
// The window's own pixels, which only the program has that shows it, to a file named by what it
// shows.
struct TakeScreenshot {
  static constexpr auto kFacts = facts("Writing a picture of the window", "",
                                       "take a picture of the window", kMoreMemory, Work, Finished);
  std::string name;
};  // ScreenshotWritten, or Notify
// What a plot needs, of the whole result and its document.
struct Derive {
  static constexpr auto kFacts = facts("", "derive ", "compute ", kSmallerProblem, Work, Dropped);
  std::shared_ptr<const Document> document;
  ResultPtr result;
  Need need;
  std::uint64_t steps = 0;  // of all that are asked for with it
};                          // DerivationDone
struct StopDeriving {
  static constexpr auto kFacts = facts("", "derive ", "stop computing", "", Work, Finished);
  std::string key;  // of a need that nobody has any more
};
// Opens and computes another document.
struct MakeReference {
  static constexpr auto kFacts =
      facts("Opening ", "reference", "compare with this document", kSmallerDocument, Work, Dropped);
  std::uint64_t asking;  // id of the document that is to be compared
  std::string key;
  std::string label;
  std::string path;
  std::shared_ptr<const Document> document;  // null: the one of the path
  bool allows_outside = false;
};  // ReferenceMade with the same key
// Whether the file of a reference is still what was read.
struct LookAtReference {
  static constexpr auto kFacts = facts("Looking at ", "", "look at this file", "", Work, Dropped);
  std::uint64_t asking;  // id of the document that is compared with it
  ReferencePtr reference;
};  // ReferenceLookedAt with the same key
// Which of these files are no longer there.
struct LookAtRecent {
  static constexpr auto kFacts =
      facts("Looking at recent files", "recent", "look at recent files", "", Work, Dropped);
  std::vector<std::string> paths;
};  // RecentLookedAt
struct StorePreferences {
  static constexpr auto kFacts =
      facts("", "preferences", "save the preferences", "", Saving, Finished);
  Preferences preferences;
};
struct KeepUnsaved {
  static constexpr auto kFacts =
      facts("Keeping unsaved work", "", "keep unsaved work for a next start", "save the document",
            Keeping, Finished);
  UnsavedWork work;
  Document document;
  std::uint64_t revision;
};  // UnsavedKept
struct ForgetUnsaved {
  static constexpr auto kFacts =
      facts("Keeping unsaved work", "", "forget unsaved work", "", Keeping, Finished);
  std::string folder;
  std::uint64_t document;
};
// Tells other windows which files are open here.
struct ListOpenFiles {
  static constexpr auto kFacts =
      facts("Keeping unsaved work", "", "list the open files", "", Keeping, Finished);
  std::string folder;               // of this run
  std::vector<std::string> paths;   // all of them
  std::vector<std::string> opened;  // since the last time
};                                  // Notify, where another window has one of those
struct FindUnsaved {
  static constexpr auto kFacts =
      facts("Keeping unsaved work", "", "find unsaved work", "", Keeping, Dropped);
  std::string parent;
};  // UnsavedFound
struct RestoreWork {
  static constexpr auto kFacts =
      facts("Restoring ", "", "restore unsaved work", kMoreMemory, Work, Dropped);
  UnsavedWork work;
  bool as_copy;
};  // WorkRestored, or Notify
struct Leave {
  static constexpr auto kFacts = facts("", "", "close the window", "", Work, Finished);
};  // close the window

}  // namespace effect

using Effect =
    std::variant<effect::Load, effect::Reload, effect::LookAtFile, effect::ReadPasted,
                 effect::Store, effect::Compute, effect::Restructure, effect::Draw,
                 effect::CopyFigure, effect::TakeScreenshot, effect::Derive, effect::StopDeriving,
                 effect::MakeReference, effect::LookAtReference, effect::LookAtRecent,
                 effect::StorePreferences, effect::KeepUnsaved, effect::ForgetUnsaved,
                 effect::ListOpenFiles, effect::FindUnsaved, effect::RestoreWork, effect::Leave>;

// What a command leads to: the next state, and what is to be done outside of it.
struct Step {
  AppState state;
  std::vector<Effect> effects;
};

// What is known of each kind of effect.
EffectFacts facts_of(const Effect& effect);

// What an effect says of itself as a job.
struct JobWords {
  std::string label;    // while it runs: "Opening cats.json"; empty: not shown
  std::string job_key;  // a newer job of the same key replaces it; empty: none does
  std::string file;     // that it is about; may be empty
};
JobWords words_of(const Effect& effect);

// Blocking; call it from a worker for anything that may exceed a frame. Reads and writes files,
// never the state. What is read, computed and derived may take so much memory. Nothing comes back
// from StorePreferences, StopDeriving, ForgetUnsaved and Leave. No exception leaves it: it comes
// back as the command that says that the effect failed.
std::optional<Command> run_effect(const Effect& effect, Progress* progress,
                                  std::uint64_t memory_limit_bytes = kUsualMemoryLimitBytes);

// What that command says of an exception thrown by `effect`: OverMemoryLimit for memory that was
// not to be had, Internal for all else.
Error error_of(const Effect& effect, const std::exception_ptr& thrown);

// True when the effect is so small that running it at once beats a frame's delay.
bool is_quick(const Effect& effect);

// The priority of its job: 0 goes first. It grows with the time predicted of what plots need, in
// steps of twice as long, and less of what a picture waits for.
unsigned priority_of(const Effect& effect);

// Whether an effect answers that it was stopped, and may be carried out again.
bool was_stopped(const Command& answer);

}  // namespace attn
