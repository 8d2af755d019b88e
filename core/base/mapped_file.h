// Files whose bytes are looked at where they lie on disk, so that large ones are never read whole.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

namespace attn {

// A regular file as it was when it was opened. The mapping is private and only read. What happens
// to the file meanwhile: taken away or replaced by a rename (as this program and most others do),
// nothing is noticed; written in place, the new bytes may show; cut short, what is missing reads as
// zeros instead of ending the program, and is_cut() tells. Reading from several threads is safe.
class MappedFile {
 public:
  // BadInput when it is missing, no regular file or unreadable.
  static Result<std::shared_ptr<const MappedFile>> open(const std::string& path);

  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::string_view bytes() const { return {static_cast<const char*>(address_), size_}; }
  // True when the file has fewer bytes than when it was opened.
  bool is_cut() const;

 private:
  MappedFile(int fd, void* address, std::size_t size) : fd_(fd), address_(address), size_(size) {}

  int fd_;
  void* address_;
  std::size_t size_;
};

}  // namespace attn
