// Memory-mapped files, so that large ones are never read whole.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "base/files.h"
#include "base/result.h"

namespace attn {

// A regular file as of opening. The mapping is private and read-only. Bytes written in place may
// become visible; truncated pages read as zeros instead of ending the program. has_changed()
// detects both. Thread-safe.
class MappedFile {
 public:
  // BadInput if the file is missing, not regular or unreadable. Shares an open mapping that has not
  // changed.
  static Result<std::shared_ptr<const MappedFile>> open(const std::string& path);

  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::string_view bytes() const { return {static_cast<const char*>(address_), size_}; }
  // True if the file was written or replaced since it was opened, or bytes could not be read. A
  // deleted file counts as unchanged.
  bool has_changed() const;
  // The data of has_changed() without the bytes.
  std::shared_ptr<const MappedFile> without_bytes() const;

 private:
  MappedFile(std::string path, FileStamp stamp, Descriptor file = Descriptor())
      : path_(std::move(path)), stamp_(stamp), file_(std::move(file)) {}
  static Result<std::shared_ptr<const MappedFile>> open_anew(const std::string& path);

  std::string path_;
  FileStamp stamp_;
  Descriptor file_;
  void* address_ = nullptr;
  std::size_t size_ = 0;
};

// Number of missing parts hit so far.
unsigned missing_file_parts();

}  // namespace attn
