// Everything that the state can ask the world to do.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "export/export.h"
#include "plot/kit/ask.h"
#include "session/command.h"

namespace attn {

// What the world is asked to do; each comes back as a command.
namespace effect {

struct Load {
  std::string path;
  std::uint64_t ticket = 0;
  bool behind = false;
  bool allows_outside = false;
};  // Opened or OpenFailed with the same ticket
struct Reload {
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
  std::string path;
  std::uint64_t document;
  std::optional<FileVersion> known;
  std::optional<FileStamp> stamp = std::nullopt;
  Document numbers{};
};  // FileLookedAt, unless the stamp is the same or the file is gone, and all numbers are as before
struct ReadPasted {
  std::string text;
  bool allows_outside = false;
};  // DocumentPasted
struct Store {
  std::string path;
  Document document;
  std::uint64_t revision;
  bool overwrite;
  std::optional<FileVersion> known = std::nullopt;  // when the file holds other bytes: not written
  std::uint64_t of = 0;
};  // Saved or SaveFailed
struct Compute {
  Document document;
  std::uint64_t revision;
  ResultPtr before = nullptr;  // of an earlier revision, from which computing goes on
};                             // Computed or ComputeFailed
// Makes another structure of a document.
struct Restructure {
  std::uint64_t id;  // of the document
  std::shared_ptr<const Document> document;
  std::uint64_t revision;
  std::uint64_t ticket;
  Structure wanted;
  ResultPtr computed;  // of that revision; may be null
};                     // StructureMade with the same ticket
struct Draw {
  std::string path;
  Document document;
  ResultPtr result;  // null: computed first
  std::string plot;
  PlotOptions options;
  ExportOptions export_options;
  bool overwrite;
};  // Exported or ExportFailed
struct CopyFigure {
  Draw figure;         // its path is that of a format alone
  std::string helper;  // picture_clipboard.h
};                     // Notify
// The window's own pixels, which only the program has that shows it, to a file named by what it
// shows.
struct TakeScreenshot {
  std::string name;
};  // ScreenshotWritten, or Notify
// What a plot needs, of the whole result and its document.
struct Derive {
  std::shared_ptr<const Document> document;
  ResultPtr result;
  Need need;
  std::uint64_t steps = 0;  // of all that are asked for with it
};                          // DerivationDone
struct StopDeriving {
  std::string key;  // of a need that nobody has any more
};
// Opens and computes another document.
struct MakeReference {
  std::uint64_t asking;  // id of the document that is to be compared
  std::string key;
  std::string label;
  std::string path;
  std::shared_ptr<const Document> document;  // null: the one of the path
  bool allows_outside = false;
};  // ReferenceMade or ReferenceFailed with the same key
// Whether the file of a reference is still what was read.
struct LookAtReference {
  std::uint64_t asking;  // id of the document that is compared with it
  ReferencePtr reference;
};  // ReferenceLookedAt with the same key
// Which of these files are no longer there.
struct LookAtRecent {
  std::vector<std::string> paths;
};  // RecentLookedAt
struct StorePreferences {
  Preferences preferences;
};
struct KeepUnsaved {
  UnsavedWork work;
  Document document;
  std::uint64_t revision;
};  // UnsavedKept
struct ForgetUnsaved {
  std::string folder;
  std::uint64_t document;
};
// Tells other windows which files are open here.
struct ListOpenFiles {
  std::string folder;               // of this run
  std::vector<std::string> paths;   // all of them
  std::vector<std::string> opened;  // since the last time
};                                  // Notify, where another window has one of those
struct FindUnsaved {
  std::string parent;
};  // UnsavedFound
struct RestoreWork {
  UnsavedWork work;
  bool as_copy;
};                // WorkRestored, or Notify
struct Leave {};  // close the window

}  // namespace effect

using Effect =
    std::variant<effect::Load, effect::Reload, effect::LookAtFile, effect::ReadPasted,
                 effect::Store, effect::Compute, effect::Restructure, effect::Draw,
                 effect::CopyFigure, effect::TakeScreenshot, effect::Derive, effect::StopDeriving,
                 effect::MakeReference, effect::LookAtReference, effect::LookAtRecent,
                 effect::StorePreferences, effect::KeepUnsaved, effect::ForgetUnsaved,
                 effect::ListOpenFiles, effect::FindUnsaved, effect::RestoreWork, effect::Leave>;

}  // namespace attn
