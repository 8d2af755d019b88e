// Any content of the folders that runs have left: found work has numbers and names of its own
// folder only, is unchanged when it is kept again, and is gone once it is dropped. The first line
// is a file's name, the second another folder's, the rest a note.
#include "session/unsaved_work.h"

#include <filesystem>
#include <fstream>

#include "document/load/open.h"
#include "fuzz.h"

namespace attn::fuzz {
namespace {

namespace fs = std::filesystem;

constexpr const char* kRun = "4194305-0";  // of no process
constexpr std::int64_t kSoon = std::int64_t{1} << 20U;

// Names stay below the folder.
std::string file_name_of(std::string_view line) {
  std::string name(line.substr(0, 64));
  std::erase_if(name, [](char c) { return c == '/' || c == '\0'; });
  return name == "." || name == ".." ? "" : name;
}

void put(const fs::path& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary).write(bytes.data(), std::ssize(bytes));
}

fs::path empty_folder() {
  const fs::path parent = fs::path(scratch_folder()) / "unsaved";
  fs::remove_all(parent);
  fs::create_directories(parent / kRun);
  return parent;
}

// Writes the files that a run leaves, and another one next to them.
void leave_behind(const fs::path& parent, std::string_view bytes) {
  Bytes left(bytes);
  const std::string file = file_name_of(left.line()), folder = file_name_of(left.line());
  if (!folder.empty()) put(parent / kRun / folder, "{}");
  if (!file.empty()) put(parent / kRun / file, "{}");
  put(parent / kRun / "1.attn.json", "[\"a\"]");
  put(parent / kRun / "1.note.json", left.rest());
  if (!folder.empty()) fs::create_directories(parent / (folder + "-run"));
}

const Document& some_document() {
  static const Document kDocument = open_document(first_example())->document;
  return kDocument;
}

void expect_of_folder(const UnsavedWork& work, const fs::path& parent) {
  expect(fs::path(work.folder).parent_path() == parent, "work is of a folder below");
  expect(work.document > 0, "work has a number");
  expect(fs::is_regular_file(document_file(work)), "work has its document");
  expect(open_document(document_file(work)).ok() || work.document != 1, "which can be opened");
}

UnsavedWork without_time(UnsavedWork work) {
  work.written = work.offered = 0;
  return work;
}

void expect_kept(const UnsavedWork& work, const std::string& parent) {
  expect(autosave_work(work, some_document()).ok(), "work can be kept");
  bool is_there = false;
  for (const UnsavedWork& found : find_unsaved(parent, work.written).work) {
    is_there = is_there || without_time(found) == without_time(work);
  }
  expect(is_there, "work that was kept is found as it was: " + work.name);
  remove_autosave(work.folder, work.document);
  expect(!fs::exists(document_file(work)), "what is forgotten is gone");
}

}  // namespace

void fuzz_unsaved_work(std::string_view bytes) {
  const QuickFiles quick;
  const fs::path parent = empty_folder();
  leave_behind(parent, bytes);
  const FoundWork found = find_unsaved(parent.string(), kSoon);
  expect(found.removed == 0 && !found.work.empty(), "what was left is found");
  for (const UnsavedWork& work : found.work) expect_of_folder(work, parent);
  for (const UnsavedWork& work : found.work) expect_kept(work, parent.string());
  expect(find_unsaved(parent.string(), kSoon).work.empty(), "nothing is left");
}

}  // namespace attn::fuzz
