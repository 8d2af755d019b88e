// A file descriptor that closes itself.
#pragma once

#include <unistd.h>

#include <utility>

#include "base/file_calls.h"

namespace attn {

// Standard input, output and error stay open.
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
  // Closing can be where a network file system reports that nothing was written.
  bool close() { return file_calls().close(std::exchange(fd_, -1)) == 0; }

 private:
  int fd_;
};

}  // namespace attn
