// Maps files, and answers the signal of the system when a mapped page has no file under it any
// more.
#include "base/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "base/files.h"

namespace attn {
namespace {

// What is mapped, for the one who cannot be told otherwise: a signal handler. Slots that are not in
// use begin at 0.
struct Range {
  std::atomic<std::uintptr_t> begin{0};
  std::atomic<std::size_t> size{0};
};
constinit std::array<Range, 1024> mapped_ranges;
struct sigaction handler_before {};

bool is_mapped(std::uintptr_t address) {
  for (const Range& range : mapped_ranges) {
    const std::uintptr_t begin = range.begin;
    if (begin != 0 && address >= begin && address - begin < range.size) return true;
  }
  return false;
}

// A page of zeros in place of the one that the file does not have any more; anything else is not
// ours, and is left to whoever was there before.
void answer_bus_error(int signal, siginfo_t* info, void* context) {
  const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  if (is_mapped(address)) {
    void* const start = reinterpret_cast<void*>(address / page * page);
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED;
    if (::mmap(start, page, PROT_READ, flags, -1, 0) != MAP_FAILED) return;
  }
  if ((handler_before.sa_flags & SA_SIGINFO) != 0) {
    handler_before.sa_sigaction(signal, info, context);
  } else {
    ::sigaction(signal, &handler_before, nullptr);
  }
}

void install_handler() {
  static const bool kInstalled = [] {
    struct sigaction action {};
    action.sa_sigaction = answer_bus_error;
    action.sa_flags = SA_SIGINFO;
    ::sigemptyset(&action.sa_mask);
    return ::sigaction(SIGBUS, &action, &handler_before) == 0;
  }();
  static_cast<void>(kInstalled);
}

// False when all slots are taken.
bool remember(const void* address, std::size_t size) {
  const auto begin = reinterpret_cast<std::uintptr_t>(address);
  for (Range& range : mapped_ranges) {
    std::uintptr_t free = 0;
    // Claimed with a size of 0, which holds no address, until the size is known.
    if (!range.begin.compare_exchange_strong(free, begin)) continue;
    range.size = size;
    return true;
  }
  return false;
}

void forget(const void* address) {
  const auto begin = reinterpret_cast<std::uintptr_t>(address);
  for (Range& range : mapped_ranges) {
    if (range.begin != begin) continue;
    range.size = 0;
    range.begin = 0;
    return;
  }
}

Error cannot_map(const std::string& path, const std::string& why, const std::string& hint) {
  Error error;
  error.kind = ErrorKind::BadInput;
  error.file = path;
  error.message = why;
  error.hint = hint;
  return error;
}

}  // namespace

Result<std::shared_ptr<const MappedFile>> MappedFile::open(const std::string& path) {
  const Result<int> opened = open_regular_file(path);
  if (!opened) return opened.error();
  struct stat about {};
  ::fstat(*opened, &about);
  const auto size = static_cast<std::size_t>(about.st_size);
  void* address = nullptr;
  if (size > 0) {
    install_handler();
    address = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, *opened, 0);
  }
  const int why = errno;
  if (address == MAP_FAILED) {
    ::close(*opened);
    return cannot_map(path, std::string("the file cannot be mapped: ") + std::strerror(why), "");
  }
  std::shared_ptr<const MappedFile> file(new MappedFile(*opened, address, size));
  if (size > 0 && !remember(address, size)) {
    return cannot_map(path, "too many files are in use at once",
                      "refer to fewer files in one document");
  }
  return file;
}

MappedFile::~MappedFile() {
  if (address_ != nullptr) {
    forget(address_);
    ::munmap(address_, size_);
  }
  ::close(fd_);
}

bool MappedFile::is_cut() const {
  struct stat about {};
  return ::fstat(fd_, &about) != 0 || static_cast<std::size_t>(about.st_size) < size_;
}

}  // namespace attn
