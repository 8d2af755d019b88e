// Blockwise reading of descriptors, with cancellation.
#include "base/byte_stream.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "base/file_errors.h"

namespace attn {
namespace {

constexpr std::size_t kBlockBytes = std::size_t{1} << 18U;
constexpr int kPollMilliseconds = 20;

// Faulting in pages of the usual size takes longer than filling them from a file.
void ask_for_large_pages(std::string& out) {
  constexpr std::size_t kPageBytes = 4096;
  if (out.capacity() < kBlockBytes) return;
  const std::size_t to_page = -reinterpret_cast<std::uintptr_t>(out.data()) % kPageBytes;
  ::madvise(out.data() + to_page, out.capacity() - to_page, MADV_HUGEPAGE);
}

// Opens pipes without waiting for a writer; read() waits, and can be cancelled.
Result<int> descriptor_of(const std::string& path, bool regular_only) {
  if (path == "-") return STDIN_FILENO;
  if (regular_only) return open_regular_file(path);
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  return fd < 0 ? Result<int>(cannot_open(path, errno)) : fd;
}

}  // namespace

ByteStream::ByteStream(std::string path, Descriptor file, const StreamOptions& options)
    : path_(std::move(path)), file_(std::move(file)), options_(options) {}

Result<std::shared_ptr<ByteStream>> ByteStream::open(const std::string& path,
                                                     const StreamOptions& options) {
  const Result<int> fd = descriptor_of(path, options.regular_only);
  if (!fd) return fd.error();
  std::shared_ptr<ByteStream> stream(new ByteStream(path, Descriptor(*fd), options));
  if (path == "-") return stream;
  if (const Status sound = stream->check_file(); !sound) return sound.error();
  return stream;
}

Status ByteStream::check_file() {
  struct stat about {};
  if (::fstat(file_.get(), &about) != 0) return ok_status();
  if (S_ISDIR(about.st_mode)) return is_a_folder(path_);
  is_regular_ = S_ISREG(about.st_mode);
  size_ = static_cast<std::uint64_t>(about.st_size);
  if (size_ > options_.limit_bytes) return too_large(path_, size_, options_.limit_bytes);
  return ok_status();
}

Status ByteStream::wait() const {
  if (is_regular_ && options_.progress == nullptr) return ok_status();
  pollfd ahead{file_.get(), POLLIN, 0};
  while (options_.progress == nullptr || !options_.progress->cancelled) {
    if (is_regular_ || ::poll(&ahead, 1, kPollMilliseconds) != 0) return ok_status();
  }
  return reading_stopped(path_);
}

// Waits again if another process emptied the pipe first.
Result<std::size_t> ByteStream::take(std::span<char> out) {
  while (true) {
    if (const Status ready = wait(); !ready) return ready.error();
    const ssize_t got = ::read(file_.get(), out.data(), out.size());
    if (got >= 0) return static_cast<std::size_t>(got);
    if (errno != EINTR && errno != EAGAIN) return cannot_read(path_, errno);
  }
}

Result<std::size_t> ByteStream::fetch(std::span<char> out) {
  if (file_.get() < 0) return std::size_t{0};
  const Result<std::size_t> got = take(out);
  if (!got) return got.error();
  if (*got == 0 && taken_ < size_) return cut_short(path_, taken_, size_);
  taken_ += *got;
  if (taken_ > options_.limit_bytes) return too_large(path_, taken_, options_.limit_bytes);
  hash_.add({out.data(), *got});
  report();
  return *got;
}

void ByteStream::report() const {
  if (options_.progress == nullptr || size_ == 0) return;
  options_.progress->report(static_cast<float>(taken_) / static_cast<float>(size()));
}

Result<std::string_view> ByteStream::peek(std::size_t count) {
  while (file_.get() >= 0 && ahead_.size() < count) {
    const std::size_t there = ahead_.size();
    ahead_.resize(count);
    const Result<std::size_t> got = fetch(std::span(ahead_).subspan(there));
    ahead_.resize(there + (got ? *got : 0));
    ready_ = ahead_;
    if (!got) return got.error();
    if (*got == 0) break;
  }
  return ready_.substr(0, count);
}

Result<std::size_t> ByteStream::read(std::span<char> out) {
  if (ready_.empty()) return fetch(out);
  const std::size_t count = ready_.copy(out.data(), out.size());
  ready_.remove_prefix(count);
  return count;
}

Result<std::string> read_rest(ByteStream& stream) {
  std::string bytes;
  bytes.reserve(stream.size());
  ask_for_large_pages(bytes);
  std::string block(kBlockBytes, '\0');
  while (true) {
    const Result<std::size_t> got = stream.read(block);
    if (!got) return got.error();
    if (*got == 0) return bytes;
    bytes.append(block, 0, *got);
  }
}

Result<int> open_regular_file(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return cannot_open(path, errno);
  struct stat about {};
  if (::fstat(fd, &about) == 0 && S_ISREG(about.st_mode)) return fd;
  ::close(fd);
  if (S_ISDIR(about.st_mode)) return is_a_folder(path);
  return file_error(ErrorKind::BadInput, path, "this is no file that can be read more than once",
                    "copy what it holds to a file");
}

}  // namespace attn
