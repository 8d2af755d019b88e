// Appends to the log by POSIX calls, and halves it when it is full.
#include "session/log_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <ctime>
#include <filesystem>
#include <iterator>
#include <sstream>

#include "base/descriptor.h"
#include "base/files.h"
#include "base/utf8.h"

namespace attn {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 4> kLevelNames = {"off", "error", "warning", "info"};
constexpr std::string_view kTimePattern = "0000-00-00T00:00:00Z ";  // 0: any digit

LogLevel level_of(Notice::Level level) {
  if (level == Notice::Level::Error) return LogLevel::Error;
  return level == Notice::Level::Warning ? LogLevel::Warning : LogLevel::Info;
}

bool begins_with_time(std::string_view text) {
  if (text.size() < kTimePattern.size()) return false;
  return std::equal(kTimePattern.begin(), kTimePattern.end(), text.begin(),
                    [](char as, char c) { return as == '0' ? c >= '0' && c <= '9' : as == c; });
}

// Newer half, starting at an entry's first line.
std::string newer_half(const std::string& log) {
  std::size_t at = log.size() > kLargestLogBytes / 2 ? log.size() - kLargestLogBytes / 2 : 0;
  while (at < log.size() &&
         !(at > 0 && log[at - 1] == '\n' && begins_with_time(std::string_view(log).substr(at)))) {
    ++at;
  }
  return log.substr(at);
}

Status halve(const std::string& path) {
  constexpr std::uint64_t kLargestRead = 64 * kLargestLogBytes;
  const Result<std::string> log = read_regular_file(path, kLargestRead);
  if (!log) return log.error();
  return write_file_atomically(path, newer_half(*log), Overwrite::Replace);
}

}  // namespace

std::span<const std::string_view> log_level_names() { return kLevelNames; }

std::optional<LogLevel> log_level_named(std::string_view name) {
  const auto found = std::ranges::find(kLevelNames, name);
  if (found == kLevelNames.end()) return std::nullopt;
  return static_cast<LogLevel>(std::distance(kLevelNames.begin(), found));
}

std::string_view name_of(Notice::Level level) {
  return kLevelNames[static_cast<std::size_t>(level_of(level))];
}

bool is_logged(LogLevel level, Notice::Level notice) { return level_of(notice) <= level; }

std::string time_text(std::int64_t seconds, const char* format, bool utc) {
  const auto time = static_cast<std::time_t>(seconds);
  std::tm parts{};
  std::array<char, 48> text{};
  utc ? ::gmtime_r(&time, &parts) : ::localtime_r(&time, &parts);
  std::strftime(text.data(), text.size(), format, &parts);
  return text.data();
}

std::string usual_log_path() {
  const std::string folder = state_folder();
  return folder.empty() ? "" : folder + "/log.txt";
}

std::string log_text(std::int64_t seconds, Notice::Level level, const std::string& text,
                     const std::string& details) {
  std::string entry = time_text(seconds, "%Y-%m-%dT%H:%M:%SZ ", true) +
                      std::string(name_of(level)) + ": " + printable_line(text) + "\n";
  if (details == text) return entry;
  std::istringstream lines(details);
  for (std::string line; std::getline(lines, line);) entry += "    " + printable_line(line) + "\n";
  return entry;
}

Status check_log(const std::string& path) {
  std::error_code failed;
  if (!fs::is_regular_file(path, failed) || fs::file_size(path, failed) == 0) return ok_status();
  const Result<Descriptor> file = open_regular_file(path);
  if (!file) return file.error();
  std::array<char, kTimePattern.size()> start{};
  const ssize_t got = ::read(file->get(), start.data(), start.size());
  const bool is_whole = got == static_cast<ssize_t>(start.size());
  if (is_whole && begins_with_time({start.data(), start.size()})) return ok_status();
  return file_error(ErrorKind::CannotWrite, path, "the file is not a log", "choose another name");
}

Status append_to_log(const std::string& path, std::string_view text) {
  std::error_code failed;
  fs::create_directories(fs::path(path).parent_path(), failed);
  if (Status sound = check_log(path); !sound) return sound;
  const bool is_file = fs::is_regular_file(path, failed);
  const bool is_full = is_file && fs::file_size(path, failed) + text.size() > kLargestLogBytes;
  if (Status halved = is_full ? halve(path) : ok_status(); !halved) return halved;
  constexpr int kForAppending = O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK;
  const Descriptor file(file_calls().open(path.c_str(), kForAppending, 0600));
  const bool written = file.get() >= 0 && write_all(file.get(), text);
  return written ? ok_status() : Status(cannot_write(path, errno));
}

}  // namespace attn
