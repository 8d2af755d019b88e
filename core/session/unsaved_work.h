// Work that no file of the person's has yet, kept on disk while it is edited: what a program that
// was killed leaves behind is found by the next one.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/file_version.h"
#include "base/result.h"
#include "document/document.h"

namespace attn {

// What is known of one such document beside itself.
struct UnsavedWork {
  std::string folder;                                      // of the run of the program
  std::uint64_t document = 0;                              // its number in that run
  std::string name;                                        // "cats.attn.json"
  std::string path;                                        // where it is saved; empty: nowhere yet
  std::optional<FileVersion> file_version = std::nullopt;  // of that file, as it was known
  std::uint64_t edits = 0;                                 // since it was saved
  std::int64_t written = 0;                                // seconds since 1970
  std::int64_t offered = 0;                                // likewise, for the first time; 0: never
  friend bool operator==(const UnsavedWork&, const UnsavedWork&) = default;
};

// Where all runs have their folders: $XDG_STATE_HOME/attnscope/unsaved or
// ~/.local/state/attnscope/unsaved; empty when neither is set.
std::string unsaved_work_folder();

// The folder of one run. Nobody takes it for left behind as long as the run lives: it holds a lock
// that goes with the process, however that ends. Only folders "PID-N" that hold a lock file with
// the program's mark are ever cleared, and only of names that the program gives.
class RunFolder {
 public:
  // A new one below `parent`, which is made when it is not there. CannotWrite.
  static Result<RunFolder> make(const std::string& parent);
  RunFolder(RunFolder&&) noexcept;
  RunFolder& operator=(RunFolder&&) noexcept;
  ~RunFolder();

  const std::string& path() const { return path_; }
  // With all that the program has written there.
  void remove();

 private:
  class Lock;
  RunFolder(std::string path, std::unique_ptr<Lock> lock);
  std::string path_;
  std::unique_ptr<Lock> lock_;
};

// Tells other runs which files the run of `folder` has open, by absolute paths. CannotWrite.
Status list_open_files(const std::string& folder, const std::vector<std::string>& paths);

// Whether another run that lives has the file open, by whatever links.
bool is_open_elsewhere(const std::string& folder, const std::string& path);

// The file that holds the document, as any document's does.
std::string document_file(const UnsavedWork& work);

// Writes the document and what is known of it, each whole or not at all, for nobody else to read.
// CannotWrite.
Status keep_unsaved(const UnsavedWork& work, const Document& document);

// Removes a document that was kept, and its run's folder when that is over and this was the last.
void forget_unsaved(const std::string& folder, std::uint64_t document);

struct FoundWork {
  std::vector<UnsavedWork> work;  // the newest first
  std::size_t removed = 0;        // documents that were offered for too long, or too many
};

// What runs that are over have left below `parent`, which is noted as offered. What was offered
// more than 30 days ago is removed, and of what was offered more than a day ago the oldest beyond
// 100 MiB; never what runs of version 0.1.0 have left. `now`: seconds since 1970.
FoundWork find_unsaved(const std::string& parent, std::int64_t now);

}  // namespace attn
