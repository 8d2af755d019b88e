// Reading and writing of whole files by POSIX calls.
#include "base/files.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <sstream>
#include <system_error>

#include "base/byte_stream.h"
#include "base/descriptor.h"
#include "base/file_errors.h"
#include "base/utf8.h"

namespace attn {
namespace {

namespace fs = std::filesystem;

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

// If the group cannot be preserved, the present group gets the rights of others.
void take_over_rights(int fd, const struct stat& old) {
  mode_t mode = old.st_mode & 0777U;
  const bool kept = ::fchown(fd, old.st_uid, old.st_gid) == 0 ||
                    ::fchown(fd, static_cast<uid_t>(-1), old.st_gid) == 0;
  if (!kept) mode = (mode & 0707U) | (mode & 07U) << 3U;
  ::fchmod(fd, mode);
}

// Creates a file beside `target` with the rights of the file it will replace; nobody else can open
// it before they are set.
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

bool write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t put = file_calls().write(fd, bytes.data(), bytes.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(put));
  }
  return true;
}

Result<std::string> read_file(const std::string& path, std::uint64_t limit_bytes) {
  const Result<std::shared_ptr<ByteStream>> stream = ByteStream::open(path, {limit_bytes});
  if (!stream) return stream.error();
  return read_rest(**stream);
}

Result<std::string> read_regular_file(const std::string& path, std::uint64_t limit_bytes) {
  const Result<std::shared_ptr<ByteStream>> stream =
      ByteStream::open(path, {.limit_bytes = limit_bytes, .regular_only = true});
  if (!stream) return stream.error();
  return read_rest(**stream);
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
  std::error_code code;
  if (fs::is_directory(writer.target_, code)) return cannot_write(path, EISDIR);
  if (fs::is_symlink(writer.target_, code)) return cannot_write(path, ELOOP);
  // Devices and pipes such as /dev/full cannot be replaced by renaming.
  if (fs::exists(writer.target_, code) && fs::is_other(writer.target_, code)) {
    writer.file_ = Descriptor(file_calls().open(path.c_str(), O_WRONLY | O_CLOEXEC, 0));
    return writer.file_.get() < 0 ? Result<FileWriter>(cannot_write(path, errno))
                                  : Result<FileWriter>(std::move(writer));
  }
  if (const std::string why = write_protection(path); !why.empty()) {
    return file_error(ErrorKind::CannotWrite, path, "the file is write-protected (" + why + ")",
                      "choose another name, or allow writing to it");
  }
  if (overwrite == Overwrite::Refuse && fs::exists(writer.target_, code)) {
    return already_there(path);
  }
  remove_left_behind(writer.target_);
  writer.file_ = Descriptor(create_temporary(writer.target_, is_private, writer.temporary_));
  if (writer.file_.get() >= 0) return writer;
  writer.temporary_.clear();
  return cannot_write(path, errno);
}

FileWriter::FileWriter(FileWriter&& other) noexcept
    : path_(std::move(other.path_)),
      target_(std::move(other.target_)),
      temporary_(std::exchange(other.temporary_, {})),
      overwrite_(other.overwrite_),
      file_(std::move(other.file_)),
      written_(std::move(other.written_)) {}

FileWriter::~FileWriter() {
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

Status FileWriter::write(std::string_view bytes) {
  if (written_ && !write_all(file_.get(), bytes)) written_ = cannot_write(path_, errno);
  return written_;
}

// Without Replace, a file created meanwhile is not overwritten.
bool FileWriter::put_in_place() {
  const bool replace = overwrite_ == Overwrite::Replace;
  if (!replace && file_calls().link(temporary_.c_str(), target_.c_str()) == 0) {
    ::unlink(temporary_.c_str());
    return true;
  }
  // Some file systems have no hard links; the earlier check must suffice there.
  if (!replace && errno == EEXIST) return false;
  return file_calls().rename(temporary_.c_str(), target_.c_str()) == 0;
}

Status FileWriter::commit() {
  if (!written_ || temporary_.empty()) return written_;
  const bool whole = file_calls().sync(file_.get()) == 0 && file_.close();
  if (!whole) return cannot_write(path_, errno);
  if (!put_in_place()) return errno == EEXIST ? already_there(path_) : cannot_write(path_, errno);
  temporary_.clear();
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

std::string file_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

}  // namespace attn
