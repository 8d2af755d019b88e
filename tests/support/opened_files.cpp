// Stands in for the open() of the C library in programs that count.
#include "support/opened_files.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdarg>

namespace {
thread_local unsigned opened = 0;
}  // namespace

extern "C" int counting_open(const char* path, int flags, ...) __asm__("open");

int counting_open(const char* path, int flags, ...) {
  ++opened;
  mode_t mode = 0;
  if ((flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE) {  // which has O_DIRECTORY
    va_list rest;
    va_start(rest, flags);
    mode = va_arg(rest, mode_t);
    va_end(rest);
  }
  return static_cast<int>(::syscall(SYS_openat, AT_FDCWD, path, flags, mode));
}

namespace attn::test {

unsigned opened_files() { return opened; }

}  // namespace attn::test
