// Memory-mapped files, and the SIGBUS handler for pages that their files no longer have.
#include "base/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <map>
#include <mutex>

#include "base/descriptor.h"
#include "base/files.h"

namespace attn {
namespace {

// Mapped ranges, readable in the signal handler. Unused slots begin at 0.
struct Range {
  std::atomic<std::uintptr_t> begin{0};
  std::atomic<std::size_t> size{0};
  std::atomic<bool> is_missing{false};  // a read hit a missing page
};
constinit std::array<Range, 1024> mapped_ranges;
constinit std::atomic<unsigned> parts_missing{0};
struct sigaction handler_before {};

Range* range_at(std::uintptr_t address) {
  for (Range& range : mapped_ranges) {
    const std::uintptr_t begin = range.begin;
    if (begin != 0 && address >= begin && address - begin < range.size) return &range;
  }
  return nullptr;
}

// Maps a page of zeros in place of the missing one. Faults elsewhere go to the previous handler.
void answer_bus_error(int signal, siginfo_t* info, void* context) {
  const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  if (Range* const range = range_at(address)) {
    range->is_missing = true;
    ++parts_missing;
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

// False if all slots are taken.
bool remember(const void* address, std::size_t size) {
  const auto begin = reinterpret_cast<std::uintptr_t>(address);
  for (Range& range : mapped_ranges) {
    std::uintptr_t free = 0;
    // Claimed with size 0, which contains no address, until the size is set.
    if (!range.begin.compare_exchange_strong(free, begin)) continue;
    range.is_missing = false;
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

}  // namespace

unsigned missing_file_parts() { return parts_missing; }

bool is_mapped(const void* data) {
  return data != nullptr && range_at(reinterpret_cast<std::uintptr_t>(data)) != nullptr;
}

// Linux maps the pages around one that is needed too, to multiples of so many bytes.
void give_back(const void* data, std::size_t bytes) {
  constexpr std::uintptr_t kAround = std::uintptr_t{1} << 16U;
  const auto at = reinterpret_cast<std::uintptr_t>(data);
  const Range* const range = range_at(at);
  if (range == nullptr) return;
  const std::uintptr_t begin = std::max<std::uintptr_t>(at / kAround * kAround, range->begin);
  const std::uintptr_t end =
      std::min((at + bytes + kAround - 1) / kAround * kAround, range->begin + range->size);
  ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED);
}

Result<std::shared_ptr<const MappedFile>> MappedFile::open(const std::string& path) {
  static constinit std::mutex mutex;
  // By full path. Never destroyed, as files may be in use until the program ends.
  static auto& files = *new std::map<std::string, std::weak_ptr<const MappedFile>>;
  const std::lock_guard lock(mutex);
  std::erase_if(files, [](const auto& file) { return file.second.expired(); });
  std::error_code failed;
  const auto full = std::filesystem::absolute(path, failed).lexically_normal();
  std::weak_ptr<const MappedFile>& known = files[full.string()];
  if (auto file = known.lock(); file && !file->has_changed()) return file;
  Result<std::shared_ptr<const MappedFile>> file = open_anew(path);
  if (file) known = *file;
  return file;
}

Result<std::shared_ptr<const MappedFile>> MappedFile::open_anew(const std::string& path) {
  Result<Descriptor> opened = open_regular_file(path);
  if (!opened) return opened.error();
  struct stat about {};
  ::fstat(opened->get(), &about);
  const auto size = static_cast<std::size_t>(about.st_size);
  void* address = nullptr;
  if (size > 0) {
    install_handler();
    address = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, opened->get(), 0);
  }
  if (address == MAP_FAILED) {
    return file_error(ErrorKind::BadInput, path,
                      std::string("the file cannot be mapped: ") + std::strerror(errno), "");
  }
  std::shared_ptr<MappedFile> file(new MappedFile(path, stamp_of(about), *std::move(opened)));
  file->address_ = address;
  file->size_ = size;
  if (size > 0 && !remember(address, size)) {
    return file_error(ErrorKind::BadInput, path, "too many files are in use at once",
                      "refer to fewer files in one document");
  }
  return std::shared_ptr<const MappedFile>(std::move(file));
}

MappedFile::~MappedFile() {
  if (address_ == nullptr) return;
  forget(address_);
  ::munmap(address_, size_);
}

bool MappedFile::has_changed() const {
  for (const auto& part : parts_) {
    if (part->has_changed()) return true;
  }
  const Range* const range = range_at(reinterpret_cast<std::uintptr_t>(address_));
  if (range != nullptr && range->is_missing) return true;
  if (const auto named = stamp_of(path_)) return *named != stamp_;
  struct stat about {};
  return file_.get() >= 0 && (::fstat(file_.get(), &about) != 0 || stamp_of(about) != stamp_);
}

std::shared_ptr<const MappedFile> MappedFile::without_bytes() const {
  const std::shared_ptr<MappedFile> file(new MappedFile(path_, stamp_));
  for (const auto& part : parts_) file->parts_.push_back(part->without_bytes());
  return file;
}

std::shared_ptr<const MappedFile> MappedFile::with(
    std::vector<std::shared_ptr<const MappedFile>> parts) const {
  const std::shared_ptr<MappedFile> file(new MappedFile(path_, stamp_));
  file->parts_ = std::move(parts);
  return file;
}

}  // namespace attn
