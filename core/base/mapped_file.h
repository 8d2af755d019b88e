// Memory-mapped files, so that large ones are never read whole, and numbers that are converted from
// them when they are read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/files.h"
#include "base/result.h"

namespace attn {

// A regular file as of opening. The mapping is private and read-only. Bytes written in place may
// become visible; truncated pages read as zeros instead of ending the program. has_changed()
// detects both. Thread-safe.
class MappedFile {
 public:
  // BadInput if the file is missing, not regular or unreadable. Shares an open mapping that has not
  // changed. `file`: of a regular file that is open already; empty: it is opened.
  static Result<std::shared_ptr<const MappedFile>> open(const std::string& path,
                                                        Descriptor file = Descriptor());

  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::string_view bytes() const { return {static_cast<const char*>(address_), size_}; }
  // True if the file was written or replaced since it was opened, or bytes could not be read. A
  // deleted file counts as unchanged.
  bool has_changed() const;
  // The data of has_changed() without the bytes.
  std::shared_ptr<const MappedFile> without_bytes() const;
  // The file with others that belong to it: they stay open with it, and has_changed() covers them.
  std::shared_ptr<const MappedFile> with(
      std::vector<std::shared_ptr<const MappedFile>> parts) const;
  std::span<const std::shared_ptr<const MappedFile>> parts() const { return parts_; }
  const std::string& path() const { return path_; }

 private:
  MappedFile(std::string path, FileStamp stamp, Descriptor file = Descriptor())
      : path_(std::move(path)), stamp_(stamp), file_(std::move(file)) {}
  static Result<std::shared_ptr<const MappedFile>> map(const std::string& path, Descriptor file);

  std::string path_;
  FileStamp stamp_;
  Descriptor file_;
  void* address_ = nullptr;
  std::size_t size_ = 0;
  std::vector<std::shared_ptr<const MappedFile>> parts_;
};

// Keeps the last `most` mapped files open from now on, so that a call of the command line opens no
// file twice, even if the numbers were copied out of it.
void keep_mapped_files(std::size_t most);

// Writes the numbers from index `first` on. Called by several threads at once and in the handler of
// a signal: allocates nothing, locks nothing, and may read mapped files.
using MakeFloats = std::function<void(std::size_t first, std::span<float> out)>;

// `count` numbers, made 64 KiB at a time when they are first read. Once `most_bytes` were made (at
// least 64 MiB), all are freed, and made again when they are read. Null if the system does not
// report first reads to the program. System calls fail to read numbers that are not made yet.
// Thread-safe.
std::shared_ptr<const float> floats_on_demand(std::size_t count, MakeFloats make,
                                              std::uint64_t most_bytes);

// Frees the memory of a range of a mapped file, or of numbers on demand, whose pages are read or
// made again when needed, so that passes over large files need little memory. Ignores other memory.
// Thread-safe.
void give_back(const void* data, std::size_t bytes);

// True if the address is in a file that is mapped now, or in numbers on demand.
bool is_mapped(const void* data);

// Number of missing parts hit so far.
unsigned missing_file_parts();

}  // namespace attn
