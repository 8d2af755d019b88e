// Reading and writing of files, and whether they have changed. "-" is standard input or output.
#pragma once

#include <sys/stat.h>
#include <sys/types.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/descriptor.h"
#include "base/progress.h"
#include "base/result.h"

namespace attn {

// Valid on one machine only.
struct FileVersion {
  std::uint64_t size = 0;
  std::uint64_t hash = 0;
  bool operator==(const FileVersion&) const = default;
};

// Detects writes without reading: equal stamps mean equal bytes, unless the clock was set back.
struct FileStamp {
  std::uint64_t device = 0, inode = 0, size = 0;
  std::int64_t seconds = 0, nanoseconds = 0;
  bool operator==(const FileStamp&) const = default;
};

// Incremental: the version depends on the concatenated bytes only.
class FileHash {
 public:
  void add(std::string_view bytes);
  FileVersion version() const;

 private:
  std::string_view complete_word(std::string_view bytes);

  std::uint64_t size_ = 0;
  std::uint64_t hash_ = 0;
  std::array<char, 8> word_{};  // first size_ % 8 bytes are pending
};

FileVersion version_of(std::string_view bytes);

struct StreamOptions {
  std::uint64_t limit_bytes = 0;
  Progress* progress = nullptr;  // share of the file that was read; cancels
  bool regular_only = false;     // BadInput for pipes and devices, without blocking
  bool opens_any_size = false;   // files beyond the limit are refused when they are read
};

// Files are read, never mapped: concurrent changes cause an error at worst.
class ByteStream {
 public:
  // The text is borrowed.
  explicit ByteStream(std::string_view text) : ready_(text), size_(text.size()) {}
  // "-" is standard input. BadInput if the file is missing, a folder or unreadable; OverMemoryLimit
  // if it exceeds the limit. Never blocks.
  static Result<std::shared_ptr<ByteStream>> open(const std::string& path,
                                                  const StreamOptions& options);
  ByteStream(const ByteStream&) = delete;
  ByteStream& operator=(const ByteStream&) = delete;

  // Returns up to `count` bytes without consuming them; fewer only at the end.
  Result<std::string_view> peek(std::size_t count);

  // Reads into `out` and returns the number of bytes; 0 at the end. BadInput if the file was
  // truncated meanwhile, OverMemoryLimit beyond the limit, Interrupted if progress->cancelled
  // becomes true, also while waiting.
  Result<std::size_t> read(std::span<char> out);

  // Size of the whole input if known, else the bytes read so far.
  std::uint64_t size() const { return size_ > taken_ ? size_ : taken_; }
  // False for pipes, devices and texts.
  bool is_regular_file() const { return is_regular_; }
  // The descriptor of the file, for mapping it without opening it again. Nothing can be read
  // afterwards.
  Descriptor hand_over() { return std::exchange(file_, Descriptor()); }
  // Version of the bytes consumed so far.
  FileVersion version() const { return hash_.version(); }

 private:
  ByteStream(std::string path, Descriptor file, const StreamOptions& options);
  Status check_file();
  Status check_size() const;
  Status wait() const;
  Result<std::size_t> take(std::span<char> out);
  Result<std::size_t> fetch(std::span<char> out);
  void report() const;

  std::string path_;
  Descriptor file_;
  StreamOptions options_;
  std::string ahead_;       // peeked bytes
  std::string_view ready_;  // unread part of it, or of the text
  std::uint64_t size_ = 0;
  std::uint64_t taken_ = 0;
  bool is_regular_ = false;
  FileHash hash_;
};

// Reads all remaining bytes.
Result<std::string> read_rest(ByteStream& stream);

// All bytes of `path`. BadInput if it is missing, a directory or unreadable; OverMemoryLimit,
// before reading, if it exceeds `limit_bytes`.
Result<std::string> read_file(const std::string& path, std::uint64_t limit_bytes);

// All bytes of a regular file; BadInput for anything else, such as a pipe. Never blocks.
Result<std::string> read_regular_file(const std::string& path, std::uint64_t limit_bytes);

// False for files that cannot be examined, and for folders, pipes and devices.
bool is_regular_file(const std::string& path);

// Stamp of the file that `path` resolves to; nothing if it does not exist.
std::optional<FileStamp> stamp_of(const std::string& path);
FileStamp stamp_of(const struct stat& about);

// Note on the file's other hard links, which a replacement does not affect; "" if it has none.
std::string remark_on_other_names(const std::string& path);

// True if `path` exists and its bytes differ from `version` or cannot be read.
bool has_changed(const std::string& path, const FileVersion& version);

// Reason why an existing file may not be replaced although its folder is writable: permissions or a
// read-only disk. Empty if it may, or does not exist.
std::string write_protection(const std::string& path);

enum class Overwrite { Refuse, Replace };
inline Overwrite overwrite_if(bool allowed) {
  return allowed ? Overwrite::Replace : Overwrite::Refuse;
}

// Writes a temporary file in the folder of `path`; commit() syncs it, renames it over `path` and
// syncs the folder, so that readers, crashes and full disks leave either the old or the new bytes.
// Without commit() the old file stays. Devices and standard output are written directly. Preserves
// permissions, group and, where allowed, owner of a replaced file, but not set-uid and set-gid
// bits. Follows symbolic links; other hard links keep the old bytes. Write-protected files are not
// replaced. Removes temporary files for `path` of processes that have ended. Errors: CannotWrite.
class FileWriter {
 public:
  // A private file has mode 600 from its first byte on, whatever the old file's rights.
  static Result<FileWriter> open(const std::string& path, Overwrite overwrite,
                                 bool is_private = false);

  // Appends bytes. After a failure nothing more is written, and commit() fails with it.
  Status write(std::string_view bytes);
  Status commit();

 private:
  struct Unlink {
    void operator()(const std::string* path) const;
  };
  FileWriter(std::string path, std::string target, Overwrite overwrite)
      : path_(std::move(path)), target_(std::move(target)), overwrite_(overwrite) {}
  bool put_in_place();

  std::string path_, target_;  // as given, and with links resolved
  std::unique_ptr<const std::string, Unlink> temporary_;
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

}  // namespace attn
