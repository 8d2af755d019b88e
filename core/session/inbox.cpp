// Reads requests to open documents.
#include "session/inbox.h"

#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <system_error>
#include <thread>

#include "base/files.h"
#include "base/json.h"
#include "document/model_places.h"

namespace attn {

namespace fs = std::filesystem;

std::string inbox_folder() {
  const std::string state = state_folder();
  if (state.empty()) return {};
  std::string folder = state + "/inbox";
  std::error_code failed;
  fs::create_directories(folder, failed);
  return failed ? "" : folder;
}

std::optional<command::Open> take_request(const std::string& file) {
  constexpr std::uint64_t kMostBytes = 65536;
  if (!file.ends_with(".json") || file_name(file).starts_with('.')) return std::nullopt;
  struct stat about {};
  if (::lstat(file.c_str(), &about) != 0 || about.st_uid != ::geteuid()) return std::nullopt;
  const Result<std::string> text = read_regular_file(file, kMostBytes);
  if (!text) return std::nullopt;
  const Json request = parse_own_json(*text);
  command::Open open;
  if (request.is_object()) {
    open.path = path_of(member_of(request, "open", Json("")));
    const std::string read = member_of(request, "text", Json(""));
    if (!read.empty()) open.input.text = read;
  }
  std::error_code failed;
  const bool is_mine = fs::remove(file, failed);
  // Refuses devices and pipes: reading one may never end, and would delay whatever is opened next.
  const bool is_device = fs::is_other(open.path, failed);
  const bool is_found = is_built_in(open.path) || fs::path(open.path).is_absolute();
  if (!is_mine || is_device || !is_found) return std::nullopt;
  return open;
}

// Retries, as a program that checks for a window holds the whole lock for a moment.
Descriptor lock_shared(const std::string& folder) {
  Descriptor lock(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  constexpr int kMostTries = 100;
  for (int i = 0; i < kMostTries && ::flock(lock.get(), LOCK_SH | LOCK_NB) != 0; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return lock;
}

}  // namespace attn
