// Hashes and streams of bytes, and reading and writing of whole files by POSIX calls.
#include "base/files.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "base/utf8.h"

namespace attn {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kWord = sizeof(std::uint64_t);

std::uint64_t mixed(std::uint64_t hash, const char* word) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, word, kWord);
  hash = (hash ^ bits) * 0x9E3779B97F4A7C15U;
  return hash ^ hash >> 32U;
}

constexpr std::size_t kBlockBytes = std::size_t{1} << 18U;
constexpr int kPollMilliseconds = 20;

// Faulting in pages of the usual size takes longer than filling them from a file.
void ask_for_large_pages(std::string& out) {
  constexpr std::size_t kPageBytes = 4096;
  if (out.capacity() < kBlockBytes) return;
  const std::size_t to_page = -reinterpret_cast<std::uintptr_t>(out.data()) % kPageBytes;
  ::madvise(out.data() + to_page, out.capacity() - to_page, MADV_HUGEPAGE);
}

// End of a chain of symbolic links, so that saving preserves the link.
fs::path link_target(const fs::path& path) {
  fs::path target = path;
  for (int hops = 0; hops < 40; ++hops) {
    std::error_code code;
    if (!fs::is_symlink(target, code)) break;
    const fs::path next = fs::read_symlink(target, code);
    if (code) break;
    target = next.is_absolute() ? next : target.parent_path() / next;
  }
  return target;
}

fs::path folder_above(const fs::path& target) {
  return target.has_parent_path() ? target.parent_path() : fs::path(".");
}

// Prefix of temporary names for `target`: a part of its name, which may have the maximum length.
std::string temporary_start(const fs::path& target) {
  constexpr std::size_t kMost = 200;
  return "." + std::string(cut_to_bytes(target.filename().string(), kMost)) + ".";
}

bool is_left_behind(const std::string& name, const std::string& start) {
  if (!name.starts_with(start)) return false;
  const std::optional<pid_t> process = process_of(std::string_view(name).substr(start.size()));
  return process && ::kill(*process, 0) != 0 && errno == ESRCH;
}

void remove_left_behind(const fs::path& target) {
  const std::string start = temporary_start(target);
  std::error_code code;
  for (fs::directory_iterator at(folder_above(target), code), end; !code && at != end;
       at.increment(code)) {
    if (is_left_behind(at->path().filename().string(), start)) ::unlink(at->path().c_str());
  }
}

// Copies mode, owner and group. If the group cannot be preserved, the new group gets the rights of
// others.
void take_over_rights(int fd, const struct stat& old) {
  mode_t mode = old.st_mode & 0777U;
  const bool kept = ::fchown(fd, old.st_uid, old.st_gid) == 0 ||
                    ::fchown(fd, static_cast<uid_t>(-1), old.st_gid) == 0;
  if (!kept) mode = (mode & 0707U) | (mode & 07U) << 3U;
  ::fchmod(fd, mode);
}

// Creates a file in the folder of `target` with the rights of the file it will replace; only this
// process can open it before they are set.
int create_temporary(const fs::path& target, bool is_private, std::string& temporary) {
  const std::string stem =
      (folder_above(target) / temporary_start(target)).string() + std::to_string(::getpid());
  struct stat existing {};
  const bool takes_over = !is_private && ::stat(target.c_str(), &existing) == 0;
  const mode_t mode = takes_over || is_private ? S_IRUSR | S_IWUSR : 0666;
  int fd = -1;
  for (int attempt = 0; attempt < 100 && fd < 0; ++attempt) {
    temporary = stem + "-" + std::to_string(attempt);
    fd = file_calls().open(temporary.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, mode);
    if (fd < 0 && errno != EEXIST) return fd;
  }
  if (fd >= 0 && takes_over) take_over_rights(fd, existing);
  return fd;
}

Result<std::string> read_all(const std::string& path, const StreamOptions& options) {
  const Result<std::shared_ptr<ByteStream>> stream = ByteStream::open(path, options);
  return stream ? read_rest(**stream) : stream.error();
}

Error already_there(const std::string& path) {
  return file_error(ErrorKind::CannotWrite, path, "the file exists already",
                    "choose another name or allow overwriting");
}

// Value of an environment variable if it is an absolute path, else empty.
std::string path_in(const char* variable) {
  const char* path = std::getenv(variable);
  return path != nullptr && path[0] == '/' ? path : "";
}

// Folder of ATTNSCOPE_CONFIG_DIR, which holds all files of the program; else below the variable's,
// or below the default in the home folder.
std::string own_folder(const char* variable, const char* usual) {
  if (std::string chosen = path_in("ATTNSCOPE_CONFIG_DIR"); !chosen.empty()) return chosen;
  if (const std::string folder = path_in(variable); !folder.empty()) return folder + "/attnscope";
  const std::string home = path_in("HOME");
  return home.empty() ? "" : home + usual + "/attnscope";
}

}  // namespace

// Fills the pending word; returns the rest of the bytes.
std::string_view FileHash::complete_word(std::string_view bytes) {
  const std::size_t there = size_ % kWord;
  const std::size_t more = there == 0 ? 0 : std::min(kWord - there, bytes.size());
  std::copy_n(bytes.data(), more, word_.data() + there);
  size_ += more;
  if (there + more == kWord) hash_ = mixed(hash_, word_.data());
  return bytes.substr(more);
}

void FileHash::add(std::string_view bytes) {
  bytes = complete_word(bytes);
  if (bytes.empty()) return;
  size_ += bytes.size();
  for (; bytes.size() >= kWord; bytes.remove_prefix(kWord)) hash_ = mixed(hash_, bytes.data());
  std::ranges::copy(bytes, word_.data());
}

FileVersion FileHash::version() const {
  std::array<char, kWord> last{};
  std::copy_n(word_.data(), size_ % kWord, last.data());
  return {size_, mixed(hash_, last.data())};
}

FileVersion version_of(std::string_view bytes) {
  FileHash hash;
  hash.add(bytes);
  return hash.version();
}

ByteStream::ByteStream(std::string path, Descriptor file, const StreamOptions& options)
    : path_(std::move(path)), file_(std::move(file)), options_(options) {}

Result<std::shared_ptr<ByteStream>> ByteStream::open(const std::string& path,
                                                     const StreamOptions& options) {
  const bool regular_only = options.regular_only && path != "-";
  Result<Descriptor> file = regular_only ? open_regular_file(path) : open_to_read(path);
  if (!file) return file.error();
  std::shared_ptr<ByteStream> stream(new ByteStream(path, *std::move(file), options));
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
  return options_.opens_any_size ? ok_status() : check_size();
}

Status ByteStream::check_size() const {
  if (size_ <= options_.limit_bytes) return ok_status();
  return too_large(path_, size_, options_.limit_bytes);
}

Status ByteStream::wait() const {
  if (is_regular_ && options_.progress == nullptr) return ok_status();
  pollfd ahead{file_.get(), POLLIN, 0};
  while (!is_cancelled(options_.progress)) {
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
  if (const Status fits = check_size(); file_.get() >= 0 && !fits) return fits.error();
  if (ready_.empty()) return fetch(out);
  const std::size_t count = ready_.copy(out.data(), out.size());
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
    if (bytes.empty()) {
      bytes.reserve(stream.size());
      ask_for_large_pages(bytes);
    }
    bytes.append(block, 0, *got);
  }
}

Result<std::string> read_file(const std::string& path, std::uint64_t limit_bytes) {
  return read_all(path, {.limit_bytes = limit_bytes});
}

Result<std::string> read_regular_file(const std::string& path, std::uint64_t limit_bytes) {
  return read_all(path, {.limit_bytes = limit_bytes, .regular_only = true});
}

std::optional<FileStamp> stamp_of(const std::string& path) {
  struct stat about {};
  if (::stat(path.c_str(), &about) != 0) return std::nullopt;
  return stamp_of(about);
}

FileStamp stamp_of(const struct stat& about) {
  return FileStamp{about.st_dev, about.st_ino, static_cast<std::uint64_t>(about.st_size),
                   about.st_mtim.tv_sec, about.st_mtim.tv_nsec};
}

std::string remark_on_other_names(const std::string& path) {
  struct stat about {};
  if (::stat(path.c_str(), &about) != 0 || !S_ISREG(about.st_mode) || about.st_nlink < 2) return {};
  if (about.st_nlink == 2) return "its other name (a hard link) keeps what the file held before";
  return "its " + std::to_string(about.st_nlink - 1) +
         " other names (hard links) keep what the file held before";
}

bool has_changed(const std::string& path, const FileVersion& version) {
  std::error_code code;
  if (!fs::exists(path, code)) return false;
  const Result<std::shared_ptr<ByteStream>> stream =
      ByteStream::open(path, {.limit_bytes = version.size, .regular_only = true});
  std::string block(std::size_t{1} << 18U, '\0');
  Result<std::size_t> got = stream ? (*stream)->read(block) : stream.error();
  while (got && *got > 0) got = (*stream)->read(block);
  return !got || (*stream)->version() != version;
}

std::string write_protection(const std::string& path) {
  struct stat about {};
  if (path == "-" || ::stat(path.c_str(), &about) != 0 || !S_ISREG(about.st_mode)) return {};
  // The superuser may write protected files; the protection is respected nevertheless.
  if ((about.st_mode & 0222U) == 0) return "its permissions allow no writing";
  if (::faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) == 0) return {};
  return errno == EROFS ? "its disk is read-only" : "you have no permission to write it";
}

std::optional<pid_t> process_of(std::string_view name) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const std::size_t dash = name.find('-');
  if (dash == name.npos || dash + 1 == name.size()) return std::nullopt;
  if (!std::ranges::all_of(name.substr(dash + 1), is_digit)) return std::nullopt;
  pid_t process = 0;
  const auto [end, failed] = std::from_chars(name.data(), name.data() + dash, process);
  if (failed != std::errc() || end != name.data() + dash || process <= 0) return std::nullopt;
  return process;
}

Result<FileWriter> FileWriter::open(const std::string& path, Overwrite overwrite, bool is_private) {
  FileWriter writer(path, link_target(path).string(), overwrite);
  if (path == "-") {
    writer.file_ = Descriptor(STDOUT_FILENO);
    return writer;
  }
  if (path.find('\0') != path.npos) return zero_in_path(path, ErrorKind::CannotWrite);
  std::error_code code;
  if (fs::is_directory(writer.target_, code)) return cannot_write(path, EISDIR);
  if (fs::is_symlink(writer.target_, code)) return cannot_write(path, ELOOP);
  // Devices and pipes such as /dev/full cannot be replaced by renaming.
  if (fs::exists(writer.target_, code) && fs::is_other(writer.target_, code)) {
    if (is_private) return cannot_write(path, EEXIST);
    constexpr int kHow = O_WRONLY | O_CLOEXEC | O_NONBLOCK;  // does not wait for a pipe's reader
    writer.file_ = Descriptor(file_calls().open(path.c_str(), kHow, 0));
    if (writer.file_.get() < 0) return cannot_write(path, errno);
    ::fcntl(writer.file_.get(), F_SETFL, O_WRONLY);
    return writer;
  }
  if (const std::string why = write_protection(path); !why.empty()) {
    return file_error(ErrorKind::CannotWrite, path, "the file is write-protected (" + why + ")",
                      "choose another name, or allow writing to it");
  }
  if (overwrite == Overwrite::Refuse && fs::exists(writer.target_, code)) {
    return already_there(path);
  }
  remove_left_behind(writer.target_);
  std::string temporary;
  writer.file_ = Descriptor(create_temporary(writer.target_, is_private, temporary));
  if (writer.file_.get() < 0) return cannot_write(path, errno);
  writer.temporary_.reset(new std::string(std::move(temporary)));
  return writer;
}

void FileWriter::Unlink::operator()(const std::string* path) const {
  ::unlink(path->c_str());
  delete path;
}

Status FileWriter::write(std::string_view bytes) {
  if (written_ && !write_all(file_.get(), bytes)) written_ = cannot_write(path_, errno);
  return written_;
}

// Without Replace, a file created meanwhile is not overwritten.
bool FileWriter::put_in_place() {
  const bool replace = overwrite_ == Overwrite::Replace;
  if (!replace && file_calls().link(temporary_->c_str(), target_.c_str()) == 0) {
    temporary_.reset();
    return true;
  }
  // Some file systems have no hard links; the earlier check must suffice there.
  if (!replace && errno == EEXIST) return false;
  if (file_calls().rename(temporary_->c_str(), target_.c_str()) != 0) return false;
  delete temporary_.release();
  return true;
}

Status FileWriter::commit() {
  if (!written_ || !temporary_) return written_;
  const bool whole = file_calls().sync(file_.get()) == 0 && file_.close();
  if (!whole) return cannot_write(path_, errno);
  if (!put_in_place()) return errno == EEXIST ? already_there(path_) : cannot_write(path_, errno);
  const fs::path above = folder_above(target_);
  const Descriptor folder(::open(above.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.get() >= 0) ::fsync(folder.get());
  return ok_status();
}

Status write_file_atomically(const std::string& path, std::string_view bytes, Overwrite overwrite,
                             bool is_private) {
  Result<FileWriter> writer = FileWriter::open(path, overwrite, is_private);
  if (!writer) return writer.error();
  if (const Status written = writer->write(bytes); !written) return written.error();
  return writer->commit();
}

Status write_private_file(const std::string& path, std::string_view bytes) {
  return write_file_atomically(path, bytes, Overwrite::Replace, true);
}

std::string config_folder() { return own_folder("XDG_CONFIG_HOME", "/.config"); }

std::string state_folder() { return own_folder("XDG_STATE_HOME", "/.local/state"); }

bool is_regular_file(const std::string& path) {
  std::error_code failed;
  return fs::is_regular_file(path, failed);
}

std::string file_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

}  // namespace attn
