// Functions of the file browser that use the file system, without drawing.
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
  bool model = false;  // the folder of a language model, which opens as a document
  friend bool operator==(const FolderEntry&, const FolderEntry&) = default;
};

// Entries without hidden ones, folders first, each part in alphabetical order. BadInput when the
// folder cannot be read.
Result<std::vector<FolderEntry>> read_folder(const std::string& folder);

// Kind of files in a dialog; without extensions: any.
struct FileKind {
  std::string label;
  std::vector<std::string> endings;  // extensions of names, ".json"
};

// Kinds of files in a dialog, from the list of loaders or exporters: first all of them together,
// last all files.
std::vector<FileKind> file_kinds(DialogKind kind);

// Indices of folders, and of files with one of `endings` (empty: any), with names that contain
// `filter`, ignoring case; names that begin with it come first.
std::vector<std::size_t> filtered_entries(const std::vector<FolderEntry>& entries,
                                          std::string_view filter,
                                          std::span<const std::string> endings = {});

// Path of `text` typed in `folder`: absolute paths stay, "~" is the home folder, ".." is resolved.
std::string resolved_path(const std::string& folder, std::string_view text);

std::string parent_folder(const std::string& path);
std::string home_folder();  // "/" if unknown
std::string current_folder();
bool is_folder(const std::string& path);
bool is_existing_file(const std::string& path);

// Suggested name for saving or exporting: the file's or the title's, with the extension of the
// kind.
std::string suggested_name(const AppState& state, DialogKind kind);

// Initial folder of a dialog: that of the last export, the document, or the newest recent file,
// else the current one.
std::string suggested_folder(const AppState& state, DialogKind kind);

// `path` with the extension of a picture replaced, or appended if it has none.
std::string with_export_extension(const std::string& path, std::string_view extension);

}  // namespace attn::gui
