// Whole files in, whole files out. "-" is standard input or output.
#pragma once

#include <sys/stat.h>
#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/descriptor.h"
#include "base/file_version.h"
#include "base/result.h"

namespace attn {

// The bytes of `path`. BadInput when it is missing, a directory, unreadable; OverMemoryLimit,
// before reading, when it is larger than `limit_bytes`.
Result<std::string> read_file(const std::string& path, std::uint64_t limit_bytes);

// The same of a regular file; anything else, such as a pipe, is BadInput. Never waits.
Result<std::string> read_regular_file(const std::string& path, std::uint64_t limit_bytes);

// Of the file that `path` leads to; nothing when it is not there.
std::optional<FileStamp> stamp_of(const std::string& path);

// What becomes of other names (hard links) of its file when it is replaced: "" when there are none.
std::string remark_on_other_names(const std::string& path);

// True when `path` is there and its bytes are others than those of `version`, or cannot be read.
bool has_changed(const std::string& path, const FileVersion& version);

// Why the file of `path` may not be replaced although its folder takes new files: its permissions
// let nobody write, or not this user, or its disk is read-only. Empty when it may, or is not there.
std::string write_protection(const std::string& path);

enum class Overwrite { Refuse, Replace };

// Writes a temporary file beside `path`; commit() syncs it, renames it over `path` and syncs the
// folder, so that a reader, a crash or a full disk sees the old bytes or the new ones, nothing
// between. Without commit() the old file stays. Devices and standard output get the bytes at once.
// Keeps the permissions of a file it replaces, its group and, where that is allowed, its owner; a
// set-uid or set-gid bit was given to the old bytes alone. Follows a symbolic link. Other names of
// the file keep the old bytes. A write-protected file is not replaced. What a process that is gone
// left of writing `path` is removed. CannotWrite otherwise.
class FileWriter {
 public:
  // A private file is for the user alone to read from the first byte on, whatever the rights of the
  // file before.
  static Result<FileWriter> open(const std::string& path, Overwrite overwrite,
                                 bool is_private = false);
  ~FileWriter();
  FileWriter(FileWriter&& other) noexcept;
  FileWriter& operator=(FileWriter&&) = delete;

  // In portions of any size. After a failure nothing more is written, and commit() fails with it.
  Status write(std::string_view bytes);
  Status commit();

 private:
  FileWriter(std::string path, std::string target, Overwrite overwrite)
      : path_(std::move(path)), target_(std::move(target)), overwrite_(overwrite) {}
  bool put_in_place();

  std::string path_, target_;  // as it was named, and what links lead to
  std::string temporary_;      // empty: there is none
  Overwrite overwrite_;
  Descriptor file_;
  Status written_ = ok_status();
};

// All of it at once.
Status write_file_atomically(const std::string& path, std::string_view bytes, Overwrite overwrite,
                             bool is_private = false);
// Of a private file, which is replaced.
Status write_private_file(const std::string& path, std::string_view bytes);

// Where preferences live: $ATTNSCOPE_CONFIG_DIR, $XDG_CONFIG_HOME/attnscope or ~/.config/attnscope,
// the first that is an absolute path; empty when none is.
std::string config_folder();

// Where what a next start may want is kept: $ATTNSCOPE_CONFIG_DIR, $XDG_STATE_HOME/attnscope or
// ~/.local/state/attnscope, likewise.
std::string state_folder();

// What follows the last slash.
std::string file_name(const std::string& path);

// The process of a name "PID-N"; nothing of any other name.
std::optional<pid_t> process_of(std::string_view name);

FileStamp stamp_of(const struct stat& about);

}  // namespace attn
