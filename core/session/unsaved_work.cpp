// A folder for each run with a lock that the kernel lets go of, and two files for each document.
#include "session/unsaved_work.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "base/descriptor.h"
#include "base/file_errors.h"
#include "base/files.h"
#include "base/json.h"
#include "document/json.h"
#include "document/load/tensor_file.h"
#include "session/path_json.h"

namespace attn {

// Held by an open file: it is let go when the process ends.
class RunFolder::Lock {
 public:
  explicit Lock(Descriptor file) : file_(std::move(file)) {}

 private:
  Descriptor file_;
};

namespace {

namespace fs = std::filesystem;

constexpr const char* kLockName = "/lock";
constexpr const char* kOpenName = "/open.json";
constexpr const char* kNoteSuffix = ".note.json";
constexpr const char* kDocumentSuffix = ".attn.json";
constexpr std::uint64_t kLargestNote = 1U << 20U;
constexpr std::int64_t kOldestSeconds = std::int64_t{30} * 24 * 3600;
constexpr std::uint64_t kMostBytes = std::uint64_t{100} << 20U;

std::string file_of(const std::string& folder, std::uint64_t document, const char* suffix) {
  return folder + "/" + std::to_string(document) + suffix;
}

// Nothing while somebody else has it.
std::optional<Descriptor> locked(const std::string& folder) {
  constexpr int kHow = O_RDWR | O_CREAT | O_CLOEXEC;
  Descriptor file(::open((folder + kLockName).c_str(), kHow, S_IRUSR | S_IWUSR));
  if (file.get() < 0 || ::flock(file.get(), LOCK_EX | LOCK_NB) != 0) return std::nullopt;
  return file;
}

Json json_of(const FileVersion& version) {
  return {{"size", version.size}, {"hash", std::to_string(version.hash)}};
}

std::string note_text(const UnsavedWork& work) {
  Json json;
  json["name"] = work.name;
  json["path"] = json_of_path(work.path);
  if (work.file_version) json["file"] = json_of(*work.file_version);
  json["edits"] = work.edits;
  return json_text(json);
}

std::string text_in(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? found->get<std::string>() : "";
}

std::uint64_t number_in(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_number_unsigned() ? found->get<std::uint64_t>() : 0;
}

std::optional<FileVersion> version_in(const Json& json) {
  const auto found = json.find("file");
  if (found == json.end() || !found->is_object()) return std::nullopt;
  return FileVersion{number_in(*found, "size"),
                     std::strtoull(text_in(*found, "hash").c_str(), nullptr, 10)};
}

// A note that is missing or broken takes nothing from the document.
void read_note(UnsavedWork& work) {
  const auto text =
      read_regular_file(file_of(work.folder, work.document, kNoteSuffix), kLargestNote);
  const Json json = text ? Json::parse(*text, nullptr, false) : Json();
  if (!json.is_object()) return;
  work.name = text_in(json, "name");
  work.path = json.contains("path") ? path_of(json["path"]) : "";
  work.file_version = version_in(json);
  work.edits = number_in(json, "edits");
}

// When it was written last, and its size.
struct Found {
  UnsavedWork work;
  std::uint64_t bytes = 0;
};

std::optional<Found> found_in(const std::string& folder, const std::string& name) {
  const std::uint64_t document = std::strtoull(name.c_str(), nullptr, 10);
  const std::string path = file_of(folder, document, kDocumentSuffix);
  if (document == 0 || path != folder + "/" + name) return std::nullopt;
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  Found found{{folder, document, "", ""}, static_cast<std::uint64_t>(status.st_size)};
  found.work.written = status.st_mtime;
  read_note(found.work);
  return found;
}

template <class Each>
void for_entries(const std::string& folder, Each each) {
  std::error_code failed;
  for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed)) {
    each(at->path());
  }
}

// Of all runs that are over; a folder with nothing in it goes.
std::vector<Found> left_behind(const std::string& parent) {
  std::vector<Found> all;
  for_entries(parent, [&](const fs::path& run) {
    if (fs::is_symlink(run)) return;
    const auto lock = locked(run.string());
    if (!lock) return;
    const std::size_t before = all.size();
    for_entries(run.string(), [&](const fs::path& file) {
      if (auto found = found_in(run.string(), file.filename().string())) {
        all.push_back(*std::move(found));
      }
    });
    std::error_code failed;
    if (all.size() == before) fs::remove_all(run, failed);
  });
  return all;
}

bool is_newer(const Found& a, const Found& b) { return a.work.written > b.work.written; }

// For nobody else, in a folder that nobody else can enter.
Status write_private(const std::string& path, const std::string& bytes) {
  Status written = write_file_atomically(path, bytes, Overwrite::Replace);
  if (written) ::chmod(path.c_str(), S_IRUSR | S_IWUSR);
  return written;
}

bool is_empty_run(const std::string& folder) {
  bool is_empty = true;
  for_entries(folder, [&](const fs::path& file) {
    is_empty = is_empty && !found_in(folder, file.filename().string());
  });
  return is_empty;
}

std::vector<std::string> files_open_in(const std::string& folder) {
  const auto text = read_regular_file(folder + kOpenName, kLargestNote);
  const Json json = text ? Json::parse(*text, nullptr, false) : Json();
  std::vector<std::string> paths;
  if (!json.is_array()) return paths;
  std::ranges::transform(json, std::back_inserter(paths), path_of);
  return paths;
}

// What its links lead to. Only files that are open here are looked at: one that another run has may
// lie where looking takes for ever.
std::string real_path(const std::string& path) {
  std::error_code failed;
  const fs::path real = fs::canonical(path, failed);
  return failed ? path : real.string();
}

}  // namespace

std::string unsaved_work_folder() {
  const std::string state = state_folder();
  return state.empty() ? "" : state + "/unsaved";
}

RunFolder::RunFolder(std::string path, std::unique_ptr<Lock> lock)
    : path_(std::move(path)), lock_(std::move(lock)) {}
RunFolder::RunFolder(RunFolder&&) noexcept = default;
RunFolder& RunFolder::operator=(RunFolder&&) noexcept = default;
RunFolder::~RunFolder() = default;

// Another process that looks for what was left may take a folder for that before it is locked.
Result<RunFolder> RunFolder::make(const std::string& parent) {
  constexpr int kMostTries = 1000;
  std::error_code failed;
  fs::create_directories(parent, failed);
  for (int number = 0; number < kMostTries; ++number) {
    const std::string path =
        parent + "/" + std::to_string(::getpid()) + "-" + std::to_string(number);
    if (::mkdir(path.c_str(), S_IRWXU) == 0) {
      if (auto file = locked(path)) {
        return RunFolder(path, std::make_unique<Lock>(*std::move(file)));
      }
    } else if (errno != EEXIST) {
      break;
    }
  }
  return file_error(ErrorKind::CannotWrite, parent, "no folder can be made there",
                    "unsaved work is not kept for a next start");
}

void RunFolder::remove() {
  std::error_code failed;
  fs::remove_all(path_, failed);
}

Status list_open_files(const std::string& folder, const std::vector<std::string>& paths) {
  Json json = Json::array();
  for (const std::string& path : paths) json.push_back(json_of_path(real_path(path)));
  return write_private(folder + kOpenName, json_text(json));
}

bool is_open_elsewhere(const std::string& folder, const std::string& path) {
  const std::string real = real_path(path);
  bool found = false;
  for_entries(fs::path(folder).parent_path().string(), [&](const fs::path& run) {
    if (found || run.string() == folder || fs::is_symlink(run)) return;
    const std::vector<std::string> open = files_open_in(run.string());
    found = std::ranges::count(open, real) > 0 && !locked(run.string());
  });
  return found;
}

std::string document_file(const UnsavedWork& work) {
  return file_of(work.folder, work.document, kDocumentSuffix);
}

Status keep_unsaved(const UnsavedWork& work, const Document& document) {
  const std::string bytes = write_document(moved_to(document, work.folder));
  const std::string note = file_of(work.folder, work.document, kNoteSuffix);
  if (Status written = write_private(document_file(work), bytes); !written) return written;
  return write_private(note, note_text(work));
}

void forget_unsaved(const std::string& folder, std::uint64_t document) {
  for (const char* suffix : {kDocumentSuffix, kNoteSuffix}) {
    ::unlink(file_of(folder, document, suffix).c_str());
  }
  if (!is_empty_run(folder)) return;
  std::error_code failed;
  if (const auto lock = locked(folder)) fs::remove_all(folder, failed);
}

FoundWork find_unsaved(const std::string& parent, std::int64_t now) {
  std::vector<Found> all = left_behind(parent);
  std::ranges::stable_sort(all, is_newer);
  FoundWork found;
  std::uint64_t bytes = 0;
  for (Found& one : all) {
    bytes += one.bytes;
    const bool is_old = now - one.work.written > kOldestSeconds;
    const bool is_much = bytes > kMostBytes && !found.work.empty();
    if (is_old || is_much) {
      forget_unsaved(one.work.folder, one.work.document);
      ++found.removed;
    } else {
      found.work.push_back(std::move(one.work));
    }
  }
  return found;
}

}  // namespace attn
