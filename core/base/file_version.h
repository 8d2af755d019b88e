// What tells the bytes of a file from what they were before.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace attn {

// Compared on one machine only.
struct FileVersion {
  std::uint64_t size = 0;
  std::uint64_t hash = 0;
  bool operator==(const FileVersion&) const = default;
};

// What tells without reading that a file was written since: equal stamps are equal bytes, but for
// who sets the clock of a file back.
struct FileStamp {
  std::uint64_t device = 0, inode = 0, size = 0;
  std::int64_t seconds = 0, nanoseconds = 0;
  bool operator==(const FileStamp&) const = default;
};

// Takes the bytes in any pieces: the version is that of all of them in a row.
class FileHash {
 public:
  void add(std::string_view bytes);
  FileVersion version() const;

 private:
  std::string_view complete_word(std::string_view bytes);

  std::uint64_t size_ = 0;
  std::uint64_t hash_ = 0;
  std::array<char, 8> word_{};  // its first size_ % 8 bytes wait for the others
};

FileVersion version_of(std::string_view bytes);

}  // namespace attn
