// Reads descriptors block by block, without waiting longer than anybody wants.
#include "base/byte_stream.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "base/file_errors.h"

namespace attn {
namespace {

constexpr std::size_t kBlockBytes = std::size_t{1} << 18U;
constexpr int kPatienceMilliseconds = 20;

}  // namespace

ByteStream::ByteStream(std::string path, Descriptor file, const StreamOptions& options)
    : path_(std::move(path)), file_(std::move(file)), options_(options) {}

Result<std::shared_ptr<ByteStream>> ByteStream::open(const std::string& path,
                                                     const StreamOptions& options) {
  const bool standard = path == "-";
  Descriptor file(standard ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) return cannot_open(path, errno);
  std::shared_ptr<ByteStream> stream(new ByteStream(path, std::move(file), options));
  if (standard) return stream;
  if (const Status sound = stream->look_at_file(); !sound) return sound.error();
  return stream;
}

Status ByteStream::look_at_file() {
  struct stat about {};
  if (::fstat(file_.get(), &about) != 0) return ok_status();
  if (S_ISDIR(about.st_mode)) return is_a_folder(path_);
  is_regular_ = S_ISREG(about.st_mode);
  size_ = static_cast<std::uint64_t>(about.st_size);
  if (size_ > options_.limit_bytes) return too_large(path_, size_, options_.limit_bytes);
  return ok_status();
}

Status ByteStream::wait() const {
  if (options_.progress == nullptr) return ok_status();
  pollfd ahead{file_.get(), POLLIN, 0};
  while (!options_.progress->cancelled) {
    if (is_regular_ || ::poll(&ahead, 1, kPatienceMilliseconds) != 0) return ok_status();
  }
  return reading_stopped(path_);
}

Result<std::size_t> ByteStream::fetch(std::span<char> room) {
  if (file_.get() < 0) return std::size_t{0};
  if (const Status ready = wait(); !ready) return ready.error();
  ssize_t got = -1;
  do {
    got = ::read(file_.get(), room.data(), room.size());
  } while (got < 0 && errno == EINTR);
  if (got < 0) return cannot_read(path_, errno);
  if (got == 0 && taken_ < size_) return cut_short(path_, taken_, size_);
  const auto count = static_cast<std::size_t>(got);
  taken_ += count;
  if (taken_ > options_.limit_bytes) return too_large(path_, taken_, options_.limit_bytes);
  hash_.add({room.data(), count});
  report();
  return count;
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

Result<std::size_t> ByteStream::read(std::span<char> room) {
  if (ready_.empty()) return fetch(room);
  const std::size_t count = ready_.copy(room.data(), room.size());
  ready_.remove_prefix(count);
  return count;
}

Result<std::string> read_rest(ByteStream& stream) {
  std::string bytes;
  std::string block(kBlockBytes, '\0');
  while (true) {
    const Result<std::size_t> got = stream.read(block);
    if (!got) return got.error();
    if (*got == 0) return bytes;
    bytes.append(block, 0, *got);
  }
}

}  // namespace attn
