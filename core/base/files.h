// Reading and writing of whole files. "-" is standard input or output.
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

// All bytes of `path`. BadInput if it is missing, a directory or unreadable; OverMemoryLimit,
// before reading, if it exceeds `limit_bytes`.
Result<std::string> read_file(const std::string& path, std::uint64_t limit_bytes);

// All bytes of a regular file; BadInput for anything else, such as a pipe. Never blocks.
Result<std::string> read_regular_file(const std::string& path, std::uint64_t limit_bytes);

// Stamp of the file that `path` resolves to; nothing if it does not exist.
std::optional<FileStamp> stamp_of(const std::string& path);

// Note on the file's other hard links, which a replacement does not affect; "" if it has none.
std::string remark_on_other_names(const std::string& path);

// True if `path` exists and its bytes differ from `version` or cannot be read.
bool has_changed(const std::string& path, const FileVersion& version);

// Reason why an existing file may not be replaced although its folder is writable: permissions or a
// read-only disk. Empty if it may, or does not exist.
std::string write_protection(const std::string& path);

enum class Overwrite { Refuse, Replace };

// Writes a temporary file beside `path`; commit() syncs it, renames it over `path` and syncs the
// folder, so that readers, crashes and full disks leave either the old or the new bytes. Without
// commit() the old file stays. Devices and standard output are written directly. Preserves
// permissions, group and, where allowed, owner of a replaced file, but not set-uid and set-gid
// bits. Follows symbolic links; other hard links keep the old bytes. Write-protected files are not
// replaced. Removes temporary files for `path` of processes that have ended. Errors: CannotWrite.
class FileWriter {
 public:
  // A private file has mode 600 from its first byte on, whatever the old file's rights.
  static Result<FileWriter> open(const std::string& path, Overwrite overwrite,
                                 bool is_private = false);
  ~FileWriter();
  FileWriter(FileWriter&& other) noexcept;
  FileWriter& operator=(FileWriter&&) = delete;

  // Appends bytes. After a failure nothing more is written, and commit() fails with it.
  Status write(std::string_view bytes);
  Status commit();

 private:
  FileWriter(std::string path, std::string target, Overwrite overwrite)
      : path_(std::move(path)), target_(std::move(target)), overwrite_(overwrite) {}
  bool put_in_place();

  std::string path_, target_;  // as given, and with links resolved
  std::string temporary_;      // empty: none
  Overwrite overwrite_;
  Descriptor file_;
  Status written_ = ok_status();
};

// Writes all bytes at once.
Status write_file_atomically(const std::string& path, std::string_view bytes, Overwrite overwrite,
                             bool is_private = false);
// Replaces a file by a private one.
Status write_private_file(const std::string& path, std::string_view bytes);

// Folder of preferences: $ATTNSCOPE_CONFIG_DIR, $XDG_CONFIG_HOME/attnscope or ~/.config/attnscope,
// the first that is an absolute path; empty if none is.
std::string config_folder();

// Folder of autosaved work and logs: $ATTNSCOPE_CONFIG_DIR, $XDG_STATE_HOME/attnscope or
// ~/.local/state/attnscope, the first that is an absolute path; empty if none is.
std::string state_folder();

// Part after the last slash.
std::string file_name(const std::string& path);

// Process id of a name "PID-N"; nothing for other names.
std::optional<pid_t> process_of(std::string_view name);

FileStamp stamp_of(const struct stat& about);

}  // namespace attn
