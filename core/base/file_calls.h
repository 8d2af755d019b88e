// The calls by which files are written, so that a test can let any of them fail. Internal to
// core/base.
#pragma once

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

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

// Changed by tests alone, and by one thread at a time.
inline FileCalls& file_calls() {
  static FileCalls calls;
  return calls;
}

}  // namespace attn
