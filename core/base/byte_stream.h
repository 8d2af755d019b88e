// Sequential reading of a file, of standard input or of a text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/descriptor.h"
#include "base/file_version.h"
#include "base/progress.h"
#include "base/result.h"

namespace attn {

struct StreamOptions {
  std::uint64_t limit_bytes = 0;
  Progress* progress = nullptr;  // share of the file that was read; cancels
  bool regular_only = false;     // BadInput for pipes and devices, without blocking
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
  // Version of the bytes consumed so far.
  FileVersion version() const { return hash_.version(); }

 private:
  ByteStream(std::string path, Descriptor file, const StreamOptions& options);
  Status check_file();
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

// Read-only descriptor of a regular file, to be closed by the caller. BadInput for anything else.
// Never blocks.
Result<int> open_regular_file(const std::string& path);

}  // namespace attn
