// What the file browser needs of the file system, without any drawing.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "session/state.h"

namespace attn::gui {

struct FolderEntry {
  std::string name;
  bool folder = false;
  friend bool operator==(const FolderEntry&, const FolderEntry&) = default;
};

// Folders first, each part in alphabetical order, hidden ones left out. BadInput when the folder
// cannot be read.
Result<std::vector<FolderEntry>> read_folder(const std::string& folder);

// Files that a dialog can list; no endings: any.
struct FileKind {
  std::string label;
  std::vector<std::string> endings;  // of names, ".json"
};

// What a dialog can list, from the list of loaders or of exporters: first all that it is about,
// last all files.
std::vector<FileKind> file_kinds(DialogKind kind);

// Folders, and files with one of `endings` (none given: any), whose name has the letters of
// `filter` next to each other, all whatever their case.
std::vector<std::size_t> filtered_entries(const std::vector<FolderEntry>& entries,
                                          std::string_view filter,
                                          std::span<const std::string> endings = {});

// `text` as typed below `folder`: absolute paths stay, "~" is the home folder, ".." is resolved.
std::string resolved_path(const std::string& folder, std::string_view text);

std::string parent_folder(const std::string& path);
std::string home_folder();  // "/" when there is none
std::string current_folder();
bool is_folder(const std::string& path);
bool is_existing_file(const std::string& path);

// A name to start from when saving or exporting: the file's or the title's, with the right ending.
std::string suggested_name(const AppState& state, DialogKind kind);

// Where a dialog begins: beside the last export, the document, the newest recent file, or here.
std::string suggested_folder(const AppState& state, DialogKind kind);

// `path` with another file name ending: of the known pictures, or added when it has none of them.
std::string with_export_extension(const std::string& path, std::string_view extension);

}  // namespace attn::gui
