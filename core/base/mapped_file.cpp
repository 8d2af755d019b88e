// Memory-mapped files, and the SIGBUS handler for pages that their files no longer have and for
// numbers that are not made yet.
#include "base/mapped_file.h"

#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <deque>
#include <filesystem>
#include <map>
#include <mutex>

#include "base/descriptor.h"
#include "base/quotient_up.h"

namespace attn {
namespace {

// Linux maps the pages around one that is needed too, at most to multiples of a huge page.
constexpr std::uintptr_t kAround = std::uintptr_t{2} << 20U;
// Numbers on demand are made in blocks.
constexpr std::uintptr_t kBlock = std::uintptr_t{1} << 16U;

struct FloatsOnDemand {
  ~FloatsOnDemand();

  std::size_t count;
  MakeFloats make;
  std::uint64_t most_bytes;
  void* address = nullptr;                   // null: not reserved
  std::size_t size = 0;                      // of whole pages
  std::atomic<std::uint64_t> made_bytes{0};  // since all were freed
};

// Mapped ranges, readable in the signal handler. Unused slots begin at 0.
struct Range {
  std::atomic<std::uintptr_t> begin{0};
  std::atomic<std::size_t> size{0};
  std::atomic<bool> is_missing{false};              // a read hit a missing page
  std::atomic<FloatsOnDemand*> on_demand{nullptr};  // null of a file
};
constinit std::array<Range, 1024> mapped_ranges;
constinit std::atomic<unsigned> parts_missing{0};
constinit std::atomic<std::size_t> most_kept{0};
struct sigaction handler_before {};

Range* range_at(std::uintptr_t address) {
  for (Range& range : mapped_ranges) {
    const std::uintptr_t begin = range.begin;
    if (begin != 0 && address >= begin && address - begin < range.size) return &range;
  }
  return nullptr;
}

std::uintptr_t page_bytes() { return static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE)); }

// Reports first reads of registered memory as SIGBUS; -1 if the system does not.
int first_reads() {
  static const int kDescriptor = [] {
    const auto file = static_cast<int>(::syscall(SYS_userfaultfd, O_CLOEXEC | UFFD_USER_MODE_ONLY));
    uffdio_api api{UFFD_API, UFFD_FEATURE_SIGBUS, 0};
    if (file < 0 || ::ioctl(file, UFFDIO_API, &api) == 0) return file;
    ::close(file);
    return -1;
  }();
  return kDescriptor;
}

// Puts pages up to the first one that is present. False if the first is neither put nor present.
bool put_pages(std::uintptr_t to, const char* from, std::size_t bytes) {
  const auto source = reinterpret_cast<std::uintptr_t>(from);
  uffdio_copy copy{to, source, bytes, UFFDIO_COPY_MODE_DONTWAKE, 0};
  return ::ioctl(first_reads(), UFFDIO_COPY, &copy) == 0 || errno == EEXIST || errno == EAGAIN;
}

// Makes the block of the address, whose page is put first: others may be present.
bool make_block(FloatsOnDemand& floats, std::uintptr_t address) {
  const auto first = reinterpret_cast<std::uintptr_t>(floats.address);
  const std::uintptr_t block_at = address / kBlock * kBlock, begin = std::max(block_at, first);
  const std::size_t bytes = std::min(block_at + kBlock, first + floats.size) - begin;
  if ((floats.made_bytes += bytes) > floats.most_bytes) {
    floats.made_bytes = bytes;
    ::madvise(floats.address, floats.size, MADV_DONTNEED);
  }
  float block[kBlock / sizeof(float)];
  const std::size_t place = (begin - first) / sizeof(float);
  floats.make(place, {block, std::min(bytes / sizeof(float), floats.count - place)});
  const auto* made = reinterpret_cast<const char*>(block);
  const std::size_t before = address / page_bytes() * page_bytes() - begin;
  put_pages(begin, made, before);
  return put_pages(begin + before, made + before, bytes - before);
}

// Makes numbers on demand, or maps a page of zeros in place of the missing one. Faults elsewhere go
// to the previous handler.
void answer_bus_error(int signal, siginfo_t* info, void* context) {
  const int error = errno;
  const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
  const std::uintptr_t page = page_bytes();
  Range* const range = range_at(address);
  if (range != nullptr && range->on_demand != nullptr) {
    // Restores the signal mask, as making the numbers may touch other missing pages.
    ::pthread_sigmask(SIG_SETMASK, &static_cast<ucontext_t*>(context)->uc_sigmask, nullptr);
    const bool is_made = make_block(*range->on_demand, address);
    errno = error;
    if (is_made) return;
  } else if (range != nullptr) {
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
bool remember(const void* address, std::size_t size, FloatsOnDemand* on_demand = nullptr) {
  const auto begin = reinterpret_cast<std::uintptr_t>(address);
  for (Range& range : mapped_ranges) {
    std::uintptr_t free = 0;
    // A slot is claimed with size 0, which contains no address, until the size is set.
    if (!range.begin.compare_exchange_strong(free, begin)) continue;
    range.is_missing = false;
    range.on_demand = on_demand;
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

FloatsOnDemand::~FloatsOnDemand() {
  if (address == nullptr) return;
  forget(address);
  ::munmap(address, size);
}

// The mapping is not inherited by child processes, which would read zeros.
bool reserve(FloatsOnDemand& floats) {
  constexpr int kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  if (first_reads() < 0 || floats.count > SIZE_MAX / 16) return false;
  install_handler();
  floats.size = quotient_up(floats.count * sizeof(float), page_bytes()) * page_bytes();
  void* const address = ::mmap(nullptr, floats.size, PROT_READ, kFlags, -1, 0);
  if (address == MAP_FAILED) return false;
  floats.address = address;
  const auto begin = reinterpret_cast<std::uintptr_t>(address);
  uffdio_register reads{{begin, floats.size}, UFFDIO_REGISTER_MODE_MISSING, 0};
  return ::ioctl(first_reads(), UFFDIO_REGISTER, &reads) == 0 &&
         ::madvise(address, floats.size, MADV_DONTFORK) == 0 &&
         remember(address, floats.size, &floats);
}

}  // namespace

unsigned missing_file_parts() { return parts_missing; }

bool is_mapped(const void* data) {
  return data != nullptr && range_at(reinterpret_cast<std::uintptr_t>(data)) != nullptr;
}

std::shared_ptr<const float> floats_on_demand(std::size_t count, MakeFloats make,
                                              std::uint64_t most_bytes) {
  constexpr std::uint64_t kFewest = std::uint64_t{1} << 26U;
  const std::shared_ptr<FloatsOnDemand> floats(
      new FloatsOnDemand{count, std::move(make), std::max(most_bytes, kFewest)});
  if (!reserve(*floats)) return nullptr;
  return {floats, static_cast<const float*>(floats->address)};
}

// Keeps the block of numbers on demand in which the range ends, as the next reader starts there.
void give_back(const void* data, std::size_t bytes) {
  const auto at = reinterpret_cast<std::uintptr_t>(data);
  const Range* const range = range_at(at);
  if (range == nullptr) return;
  const bool is_file = range->on_demand == nullptr;
  const std::uintptr_t unit = is_file ? kAround : kBlock, up = is_file ? unit - 1 : 0;
  const std::uintptr_t begin = std::max<std::uintptr_t>(at / unit * unit, range->begin);
  const std::uintptr_t end = std::min((at + bytes + up) / unit * unit, range->begin + range->size);
  if (end > begin) ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED);
}

void keep_mapped_files(std::size_t most) { most_kept = most; }

Result<std::shared_ptr<const MappedFile>> MappedFile::open(const std::string& path,
                                                           Descriptor file) {
  static constinit std::mutex mutex;
  // Open files by full path. Never destroyed, as files may be in use until the program ends.
  static auto& files = *new std::map<std::string, std::weak_ptr<const MappedFile>>;
  static auto& kept = *new std::deque<std::shared_ptr<const MappedFile>>;
  const std::lock_guard lock(mutex);
  std::erase_if(files, [](const auto& known) { return known.second.expired(); });
  std::error_code failed;
  const auto full = std::filesystem::absolute(path, failed).lexically_normal();
  std::weak_ptr<const MappedFile>& known = files[full.string()];
  if (auto open = known.lock(); open && !open->has_changed()) return open;
  Result<Descriptor> opened = file.get() < 0 ? open_regular_file(path) : std::move(file);
  if (!opened) return opened.error();
  Result<std::shared_ptr<const MappedFile>> mapped = map(path, *std::move(opened));
  if (!mapped) return mapped;
  known = kept.emplace_back(*mapped);
  if (kept.size() > most_kept) kept.pop_front();
  return mapped;
}

Result<std::shared_ptr<const MappedFile>> MappedFile::map(const std::string& path,
                                                          Descriptor opened) {
  struct stat about {};
  ::fstat(opened.get(), &about);
  const auto size = static_cast<std::size_t>(about.st_size);
  void* address = nullptr;
  if (size > 0) {
    install_handler();
    address = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, opened.get(), 0);
  }
  if (address == MAP_FAILED) {
    return file_error(ErrorKind::BadInput, path,
                      std::string("the file cannot be mapped: ") + std::strerror(errno), "");
  }
  std::shared_ptr<MappedFile> file(new MappedFile(path, stamp_of(about), std::move(opened)));
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
