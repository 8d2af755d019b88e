// Autosave folders: one per run with a kernel lock, and two files per document.
#include "session/unsaved_work.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <thread>
#include <utility>

#include "base/json.h"
#include "document/json/write.h"
#include "document/tensors/tensor_file.h"

namespace attn {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kLockName = "lock", kOpenName = "open.json";
constexpr std::string_view kMark = "a run of AttnScope\n";  // first line of the lock file
constexpr const char* kNoteSuffix = ".note.json";
constexpr const char* kDocumentSuffix = ".attn.json";
constexpr std::uint64_t kLargestNote = 1U << 20U;
constexpr std::int64_t kDay = std::int64_t{24} * 3600, kMostDays = 30;
constexpr std::int64_t kEarliest = 1'700'000'000;  // earlier clock readings are wrong
constexpr std::uint64_t kMostBytes = std::uint64_t{100} << 20U;

std::string file_of(const std::string& folder, std::uint64_t document, const char* suffix) {
  return folder + "/" + std::to_string(document) + suffix;
}

std::string path_in(const std::string& folder, std::string_view name) {
  return (folder + "/").append(name);
}

// Takes the lock; nothing if another process holds it or the lock file is missing.
std::optional<Descriptor> try_lock(const std::string& folder) {
  constexpr int kHow = O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
  Descriptor file(::open(path_in(folder, kLockName).c_str(), kHow));
  if (file.get() < 0) return errno == ENOENT ? std::optional(std::move(file)) : std::nullopt;
  if (::flock(file.get(), LOCK_EX | LOCK_NB) != 0) return std::nullopt;
  return file;
}

// True if the process was ended and the kernel still frees what it holds, its locks too.
bool is_ending(pid_t process) {
  const auto state = read_file("/proc/" + std::to_string(process) + "/stat", 1U << 16U);
  const std::size_t name = state ? state->rfind(") ") : std::string::npos;
  return name != std::string::npos && (state->at(name + 2) == 'Z' || state->at(name + 2) == 'X');
}

// Takes the lock, after waiting for a run that was just killed.
std::optional<Descriptor> locked(const std::string& folder) {
  constexpr int kTries = 20;
  constexpr std::chrono::milliseconds kPause(100);
  std::optional<Descriptor> lock = try_lock(folder);
  const auto process = process_of(fs::path(folder).filename().string());
  for (int i = 0; !lock && i < kTries && process && is_ending(*process); ++i) {
    std::this_thread::sleep_for(kPause);
    lock = try_lock(folder);
  }
  return lock;
}

bool is_run(const fs::path& folder) {
  std::error_code failed;
  return process_of(folder.filename().string()) && !fs::is_symlink(folder, failed) &&
         fs::is_directory(folder, failed);
}

bool is_marked(const std::string& folder) {
  const auto text = read_regular_file(path_in(folder, kLockName), kMark.size());
  return is_run(folder) && text && *text == kMark;
}

std::string note_text(const UnsavedWork& work) {
  Json json;
  json["name"] = work.name;
  json["path"] = json_of_path(work.path);
  if (!work.source.empty()) json["source"] = json_of_path(work.source);
  if (!work.arrays.empty()) json["arrays"] = json_of_path(work.arrays);
  if (const auto& version = work.file_version) {
    json["file"] = {{"size", version->size}, {"hash", std::to_string(version->hash)}};
  }
  json["edits"] = work.edits;
  if (work.offered != 0) json["offered"] = work.offered;
  return json_text(json);
}

// A missing or broken note does not affect the document.
void read_note(UnsavedWork& work) {
  const auto text =
      read_regular_file(file_of(work.folder, work.document, kNoteSuffix), kLargestNote);
  const Json json = text ? parse_own_json(*text) : Json();
  if (!json.is_object()) return;
  const Json none = std::uint64_t{0};
  work.name = member_of(json, "name", "");
  work.path = json.contains("path") ? path_of(json["path"]) : "";
  work.source = json.contains("source") ? path_of(json["source"]) : "";
  work.arrays = json.contains("arrays") ? path_of(json["arrays"]) : "";
  if (const Json file = member_of(json, "file", Json::object()); !file.empty()) {
    const std::string hash = member_of(file, "hash", "");
    work.file_version =
        FileVersion{member_of(file, "size", none), std::strtoull(hash.c_str(), nullptr, 10)};
  }
  work.edits = member_of(json, "edits", none);
  work.offered = member_of(json, "offered", none);
}

// A stored document and its size in bytes.
using Found = std::pair<UnsavedWork, std::uint64_t>;

// Number N of a name "N" + `suffix`; 0: another name.
std::uint64_t document_of(const std::string& name, const char* suffix) {
  const std::uint64_t document = std::strtoull(name.c_str(), nullptr, 10);
  return name == std::to_string(document) + suffix ? document : 0;
}

std::optional<Found> found_in(const std::string& folder, const std::string& name) {
  const std::uint64_t document = document_of(name, kDocumentSuffix);
  const std::string path = file_of(folder, document, kDocumentSuffix);
  if (document == 0) return std::nullopt;
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  UnsavedWork work{folder, document, "", ""};
  work.written = status.st_mtime;
  read_note(work);
  return Found{std::move(work), status.st_size};
}

template <class Each>
void for_entries(const std::string& folder, Each each) {
  std::error_code failed;
  for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed)) {
    each(at->path());
  }
}

// True for names that the program gives to files of a run, and their temporary files ".NAME.PID-N".
bool is_own_name(const std::string& name) {
  const std::size_t dot = name.rfind('.');
  if (name.starts_with('.') && dot > 0 && process_of(std::string_view(name).substr(dot + 1))) {
    return is_own_name(name.substr(1, dot - 1));
  }
  return name == kLockName || name == kOpenName || document_of(name, kDocumentSuffix) != 0 ||
         document_of(name, kNoteSuffix) != 0;
}

// Removes the program's own files; other files and their folder stay.
void clear(const std::string& folder) {
  for_entries(folder, [](const fs::path& file) {
    if (is_own_name(file.filename().string())) ::unlink(file.c_str());
  });
  ::rmdir(folder.c_str());
}

// Documents of all runs that have ended; removes empty folders.
std::vector<Found> left_behind(const std::string& parent) {
  std::vector<Found> all;
  for_entries(parent, [&](const fs::path& run) {
    if (!is_run(run)) return;
    const auto lock = locked(run.string());
    if (!lock) return;
    const std::size_t before = all.size();
    for_entries(run.string(), [&](const fs::path& file) {
      if (auto found = found_in(run.string(), file.filename().string())) {
        all.push_back(*std::move(found));
      }
    });
    if (all.size() == before && is_marked(run.string())) clear(run.string());
  });
  return all;
}

// Seconds since the work was first offered, which its note records. If the note cannot be written,
// the next start counts as the first again.
std::int64_t offered_for(UnsavedWork& work, std::int64_t now) {
  if (now < kEarliest || !is_marked(work.folder)) return 0;
  if (work.offered >= kEarliest && work.offered <= now) return now - work.offered;
  work.offered = now;
  (void)write_private_file(file_of(work.folder, work.document, kNoteSuffix), note_text(work));
  return 0;
}

// Locks first, because a marked folder without a lock counts as abandoned.
std::optional<Descriptor> marked_and_locked(const std::string& folder) {
  constexpr int kHow = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC;
  Descriptor file(::open(path_in(folder, kLockName).c_str(), kHow, S_IRUSR | S_IWUSR));
  const bool made = file.get() >= 0 && ::flock(file.get(), LOCK_EX) == 0 &&
                    ::write(file.get(), kMark.data(), kMark.size()) == ssize_t(kMark.size());
  return made ? std::optional(std::move(file)) : std::nullopt;
}

std::vector<std::string> files_open_in(const std::string& folder) {
  const auto text = read_regular_file(path_in(folder, kOpenName), kLargestNote);
  const Json json = text ? parse_own_json(*text) : Json();
  std::vector<std::string> paths;
  if (!json.is_array()) return paths;
  std::ranges::transform(json, std::back_inserter(paths), path_of);
  return paths;
}

// Resolves links. Only paths open in this run are resolved: those of other runs may be on a file
// system that blocks.
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

Result<RunFolder> RunFolder::make(const std::string& parent) {
  constexpr int kMostTries = 1000;
  std::error_code failed;
  fs::create_directories(parent, failed);
  for (int number = 0; number < kMostTries; ++number) {
    const std::string path =
        path_in(parent, std::to_string(::getpid()) + "-" + std::to_string(number));
    if (::mkdir(path.c_str(), S_IRWXU) == 0) {
      if (auto file = marked_and_locked(path)) return RunFolder{path, *std::move(file)};
      clear(path);
      break;
    } else if (errno != EEXIST) {
      break;
    }
  }
  return file_error(ErrorKind::CannotWrite, parent, "no folder can be created there",
                    "unsaved work is not autosaved");
}

void RunFolder::remove() const { clear(path); }

Status list_open_files(const std::string& folder, const std::vector<std::string>& paths) {
  Json json = Json::array();
  for (const std::string& path : paths) json.push_back(json_of_path(real_path(path)));
  return write_private_file(path_in(folder, kOpenName), json_text(json));
}

bool is_open_elsewhere(const std::string& folder, const std::string& path) {
  const std::string real = real_path(path);
  bool found = false;
  for_entries(fs::path(folder).parent_path().string(), [&](const fs::path& run) {
    if (found || run.string() == folder || !is_run(run)) return;
    const std::vector<std::string> open = files_open_in(run.string());
    found = std::ranges::count(open, real) > 0 && !locked(run.string());
  });
  return found;
}

std::string document_file(const UnsavedWork& work) {
  return file_of(work.folder, work.document, kDocumentSuffix);
}

Status autosave_work(const UnsavedWork& work, const Document& document) {
  const std::string bytes = write_document(moved_to(document, work.folder));
  const std::string note = file_of(work.folder, work.document, kNoteSuffix);
  if (Status written = write_private_file(document_file(work), bytes); !written) return written;
  return write_private_file(note, note_text(work));
}

void remove_autosave(const std::string& folder, std::uint64_t document) {
  for (const char* suffix : {kDocumentSuffix, kNoteSuffix}) {
    ::unlink(file_of(folder, document, suffix).c_str());
  }
  bool is_empty = is_run(folder);
  for_entries(folder, [&](const fs::path& file) {
    is_empty = is_empty && !found_in(folder, file.filename().string());
  });
  if (!is_empty) return;
  if (const auto lock = locked(folder)) clear(folder);
}

FoundWork find_unsaved(const std::string& parent, std::int64_t now) {
  std::vector<Found> all = left_behind(parent);
  std::ranges::stable_sort(all, std::ranges::greater(),
                           [](const Found& one) { return one.first.written; });
  FoundWork found;
  std::uint64_t bytes = 0;
  for (auto& [work, size] : all) {
    const std::int64_t seconds = offered_for(work, now);
    const bool counts = seconds > kDay;
    const bool is_much = counts && bytes + size > kMostBytes && !found.work.empty();
    if (seconds > kMostDays * kDay || is_much) {
      remove_autosave(work.folder, work.document);
      ++found.removed;
    } else {
      bytes += counts ? size : 0;
      found.work.push_back(std::move(work));
    }
  }
  return found;
}

}  // namespace attn
