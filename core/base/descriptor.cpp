// Opening and writing of descriptors, and messages for files that cannot be read or written.
#include "base/descriptor.h"

#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/number_text.h"

namespace attn {
namespace {

// Some existing folders accept no files, such as those of /proc.
bool has_folder(const std::string& path) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  std::error_code code;
  return std::filesystem::is_directory(folder.empty() ? std::filesystem::path(".") : folder, code);
}

Result<Descriptor> opened(const std::string& path) {
  if (path.find('\0') != path.npos) return zero_in_path(path, ErrorKind::BadInput);
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.get() < 0) return cannot_open(path, errno);
  return file;
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

Result<Descriptor> open_to_read(const std::string& path) {
  return path == "-" ? Descriptor(STDIN_FILENO) : opened(path);
}

Result<Descriptor> open_regular_file(const std::string& path) {
  Result<Descriptor> file = opened(path);
  struct stat about {};
  if (!file || (::fstat(file->get(), &about) == 0 && S_ISREG(about.st_mode))) return file;
  if (S_ISDIR(about.st_mode)) return is_a_folder(path);
  return file_error(ErrorKind::BadInput, path,
                    "this is not a regular file, so it can be read only once",
                    "copy its content to a file");
}

Error file_error(ErrorKind kind, const std::string& path, std::string message, std::string hint) {
  return Error{.kind = kind, .message = std::move(message), .file = path, .hint = std::move(hint)};
}

Error cannot_open(const std::string& path, int code) {
  if (code == ENOENT) {
    return file_error(ErrorKind::BadInput, path, "the file does not exist",
                      "check the path and its spelling");
  }
  if (code == EACCES) {
    return file_error(ErrorKind::BadInput, path, "the file may not be read",
                      "check its permissions");
  }
  return file_error(ErrorKind::BadInput, path,
                    std::string("the file cannot be opened: ") + std::strerror(code), "");
}

Error cannot_read(const std::string& path, int code) {
  return file_error(ErrorKind::BadInput, path,
                    std::string("the file cannot be read: ") + std::strerror(code), "");
}

Error cannot_write(const std::string& path, int code) {
  if (code == ENOENT && has_folder(path)) {
    return file_error(ErrorKind::CannotWrite, path, "the folder does not accept new files",
                      "choose another folder");
  }
  const char* hint = code == ENOSPC   ? "free some space or choose another disk"
                     : code == EACCES ? "choose a folder that you may write to"
                     : code == ENOENT ? "create the folder first"
                     : code == ENXIO  ? "start what reads the pipe first"
                                      : "";
  return file_error(ErrorKind::CannotWrite, path,
                    std::string("the file cannot be written: ") + std::strerror(code), hint);
}

Error zero_in_path(const std::string& path, ErrorKind kind) {
  return file_error(kind, path, "the path contains a zero byte", "write the path without it");
}

Error is_a_folder(const std::string& path) {
  return file_error(ErrorKind::BadInput, path, "this is a folder, not a file", "name a file in it");
}

Error too_large(const std::string& path, std::uint64_t size, std::uint64_t limit) {
  Error error = over_memory("the file is larger than the limit", size, limit,
                            "raise the memory limit or use a smaller file");
  error.file = path;
  return error;
}

Error cut_short(const std::string& path, std::uint64_t size, std::uint64_t before) {
  Error error = file_error(ErrorKind::BadInput, path, "the file was cut short while it was read",
                           "open it again when the program that writes it has finished");
  error.found = grouped_text(size) + " bytes";
  error.expected = grouped_text(before) + " bytes, as there were at first";
  return error;
}

Error reading_stopped(const std::string& path) {
  return file_error(ErrorKind::Interrupted, path, "reading was stopped", "");
}

}  // namespace attn
