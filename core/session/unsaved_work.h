// Autosaved work on disk, found by the next run if this one crashes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/descriptor.h"
#include "base/files.h"
#include "base/result.h"
#include "document/document.h"

namespace attn {

// Facts of an autosaved document.
struct UnsavedWork {
  std::string folder;                                      // folder of its run
  std::uint64_t document = 0;                              // number within the run
  std::string name;                                        // "cats.attn.json"
  std::string path;                                        // path to save to; empty: none
  std::optional<FileVersion> file_version = std::nullopt;  // last known version of that file
  std::uint64_t edits = 0;                                 // since the last save
  std::int64_t written = 0;                                // seconds since 1970
  std::int64_t offered = 0;  // first offer, seconds since 1970; 0: none
  // Name as opened, if there is no path to save to, and --arrays as it was read; empty: unknown.
  std::string source = {}, arrays = {};
  friend bool operator==(const UnsavedWork&, const UnsavedWork&) = default;
};

// Folder of all runs: $XDG_STATE_HOME/attnscope/unsaved or ~/.local/state/attnscope/unsaved; empty
// if neither is set.
std::string unsaved_work_folder();

// Folder of one run, with a lock that the kernel releases when the process ends. Only folders
// "PID-N" with a marked lock file are ever cleared, and only of files named by the program.
struct RunFolder {
  // Creates a folder below `parent`, creating that if necessary. CannotWrite.
  static Result<RunFolder> make(const std::string& parent);

  // Removes the folder with all files the program wrote there.
  void remove() const;

  std::string path;
  Descriptor lock;
};

// Publishes the absolute paths that the run of `folder` has open. CannotWrite.
Status list_open_files(const std::string& folder, const std::vector<std::string>& paths);

// True if another live run has the file open, under any link.
bool is_open_elsewhere(const std::string& folder, const std::string& path);

// Path of the autosaved document, an ordinary document file.
std::string document_file(const UnsavedWork& work);

// Writes document and note, each atomically and with mode 600. CannotWrite.
Status autosave_work(const UnsavedWork& work, const Document& document);

// Removes an autosaved document, and the run's folder if that run is over and this was its last.
void remove_autosave(const std::string& folder, std::uint64_t document);

struct FoundWork {
  std::vector<UnsavedWork> work;  // newest first
  std::size_t removed = 0;        // documents removed by age or size
};

// Documents of ended runs below `parent`, recorded as offered now. Removes those first offered more
// than 30 days ago, and the oldest beyond 100 MiB of those offered more than a day ago; never those
// of version 0.1.0. `now`: seconds since 1970.
FoundWork find_unsaved(const std::string& parent, std::int64_t now);

}  // namespace attn
