// Files whose bytes are looked at where they lie on disk, so that large ones are never read whole.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "base/file_version.h"
#include "base/result.h"

namespace attn {

// A regular file as it was when it was opened. The mapping is private and only read. Where the file
// is written in place the new bytes may show; where it is cut short, what is missing reads as zeros
// instead of ending the program. has_changed() tells of either. Reading from several threads is
// safe.
class MappedFile {
 public:
  // BadInput when it is missing, no regular file or unreadable. What is open already and has not
  // changed is shared.
  static Result<std::shared_ptr<const MappedFile>> open(const std::string& path);

  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::string_view bytes() const { return {static_cast<const char*>(address_), size_}; }
  // True when the file was written since it was opened, or another one has its name, or bytes of it
  // could not be read. One that was taken away is as good as before.
  bool has_changed() const;
  // What has_changed() needs to know of the file, without its bytes.
  std::shared_ptr<const MappedFile> without_bytes() const;

 private:
  MappedFile(std::string path, FileStamp stamp) : path_(std::move(path)), stamp_(stamp) {}
  static Result<std::shared_ptr<const MappedFile>> open_anew(const std::string& path);

  std::string path_;
  FileStamp stamp_;
  int fd_ = -1;
  void* address_ = nullptr;
  std::size_t size_ = 0;
};

// How often a part of a mapped file was missing when it was read.
unsigned missing_file_parts();

}  // namespace attn
