// Versions and stamps that tell whether a file has changed.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

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

}  // namespace attn
