// Bytes that come one block after the other, once: of a file, of standard input, of a text.
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
  Progress* progress = nullptr;  // the share of the file that was read; may be cancelled
  bool regular_only = false;     // BadInput for pipes and devices, without waiting for them
};

// Files are read, never mapped: what another program does to one meanwhile is an error at worst.
class ByteStream {
 public:
  // Of a text, which outlives it.
  explicit ByteStream(std::string_view text) : ready_(text), size_(text.size()) {}
  // "-" is standard input. BadInput when the file is missing, a folder or unreadable;
  // OverMemoryLimit when it is larger than the limit. Never waits: reading does.
  static Result<std::shared_ptr<ByteStream>> open(const std::string& path,
                                                  const StreamOptions& options);
  ByteStream(const ByteStream&) = delete;
  ByteStream& operator=(const ByteStream&) = delete;

  // Up to `count` of the bytes ahead, which stay ahead; fewer only when there are no more.
  Result<std::string_view> peek(std::size_t count);

  // Puts some of the bytes ahead into `room` and says how many: none at the end. BadInput when the
  // file was cut short meanwhile, OverMemoryLimit when there come more than the limit, Interrupted
  // when progress->cancelled becomes true, also while nothing comes.
  Result<std::size_t> read(std::span<char> room);

  // Of all bytes where that is known, else of those that came so far.
  std::uint64_t size() const { return size_ > taken_ ? size_ : taken_; }
  // False for what can be read but once, and for texts.
  bool is_regular_file() const { return is_regular_; }
  // Of the bytes of a file that were taken from it so far.
  FileVersion version() const { return hash_.version(); }

 private:
  ByteStream(std::string path, Descriptor file, const StreamOptions& options);
  Status look_at_file();
  Status wait() const;
  Result<std::size_t> take(std::span<char> room);
  Result<std::size_t> fetch(std::span<char> room);
  void report() const;

  std::string path_;
  Descriptor file_;
  StreamOptions options_;
  std::string ahead_;       // what was looked at
  std::string_view ready_;  // of it, or of the text: not yet read
  std::uint64_t size_ = 0;
  std::uint64_t taken_ = 0;
  bool is_regular_ = false;
  FileHash hash_;
};

// All bytes that are left.
Result<std::string> read_rest(ByteStream& stream);

// A descriptor of the regular file `path`, open for reading, which the caller closes; anything
// else, such as a folder, a pipe or a device, is BadInput. Never waits.
Result<int> open_regular_file(const std::string& path);

}  // namespace attn
