// File descriptor that closes itself, the system calls of writing, replaceable in tests, and the
// errors of files.
#pragma once

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"

namespace attn {

inline int open_file(const char* path, int flags, unsigned mode) {
  return ::open(path, flags, mode);
}

struct FileCalls {
  decltype(&open_file) open = open_file;  // for writing
  decltype(&::write) write = ::write;
  decltype(&::fsync) sync = ::fsync;
  decltype(&::close) close = ::close;
  decltype(&::rename) rename = ::rename;
  decltype(&::link) link = ::link;
};

// For tests only; not thread-safe.
inline FileCalls& file_calls() {
  static FileCalls calls;
  return calls;
}

// Writes all bytes; false on failure, with errno.
bool write_all(int fd, std::string_view bytes);

// Owns a descriptor; never closes standard input, output and error.
class Descriptor {
 public:
  explicit Descriptor(int fd = -1) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ > STDERR_FILENO) ::close(fd_);
  }
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  int get() const { return fd_; }
  // Network file systems may report a failed write only on closing.
  bool close() { return file_calls().close(std::exchange(fd_, -1)) == 0; }

 private:
  int fd_;
};

// Read-only descriptor of a file, or of standard input for "-"; a pipe is opened without waiting
// for a writer.
Result<Descriptor> open_to_read(const std::string& path);
// BadInput for anything but a regular file. Never blocks.
Result<Descriptor> open_regular_file(const std::string& path);

Error file_error(ErrorKind kind, const std::string& path, std::string message, std::string hint);
// `code`: errno.
Error cannot_open(const std::string& path, int code);
Error cannot_read(const std::string& path, int code);
Error cannot_write(const std::string& path, int code);
Error zero_in_path(const std::string& path, ErrorKind kind);
Error is_a_folder(const std::string& path);
Error too_large(const std::string& path, std::uint64_t size, std::uint64_t limit);
Error cut_short(const std::string& path, std::uint64_t size, std::uint64_t before);
Error reading_stopped(const std::string& path);

}  // namespace attn
