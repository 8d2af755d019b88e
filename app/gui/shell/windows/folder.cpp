// Reads folders, completes paths and suggests names for the file browser.
#include "gui/shell/windows/folder.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "base/utf8.h"
#include "document/load/open.h"
#include "export/export.h"

namespace attn::gui {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kDocumentSuffix = ".attn.json";

// File name from a title: letters of any script and digits stay, the rest becomes dashes.
std::string name_of_title(const std::string& title) {
  std::string name;
  for (std::size_t i = 0; i < title.size(); ++i) {
    const bool is_mark = title.compare(i, 2, "\xE2\x80") == 0;  // “ ” … –
    if (is_mark) i += 2;
    const auto byte = static_cast<unsigned char>(title[i]);
    const bool is_plain = !is_mark && (byte >= 0x80 || std::isalnum(byte) != 0);
    if (is_plain) name += static_cast<char>(std::tolower(byte));
    if (!is_plain && !name.empty() && name.back() != '-') name += '-';
  }
  while (name.ends_with('-')) name.pop_back();
  return name.empty() ? "attention" : name;
}

// The folder of the model, and the first words of the text that it reads.
std::string title_of(const SourceModel& model) {
  constexpr std::size_t kMost = 30;
  std::string words(cut_to_bytes(model.text, kMost));
  if (words.size() < model.text.size()) words.resize(std::min(words.rfind(' '), words.size()));
  return file_name(model.folder) + " " + words;
}

std::string document_name(const AppState& state) {
  const auto& model = state.document.source_model;
  const bool has_title = !state.document.title.empty() || !model;
  if (state.path.empty()) return name_of_title(has_title ? state.document.title : title_of(*model));
  std::string name = fs::path(state.path).filename().string();
  for (const std::string_view suffix : {kDocumentSuffix, std::string_view(".json")}) {
    if (name.ends_with(suffix)) return name.substr(0, name.size() - suffix.size());
  }
  return name;
}

bool is_of_exports(DialogKind kind) {
  return kind == DialogKind::Export || kind == DialogKind::ExportFile;
}

}  // namespace

Result<std::vector<FolderEntry>> read_folder(const std::string& folder) {
  std::error_code failed;
  std::vector<FolderEntry> entries;
  fs::directory_iterator at(folder, failed);
  for (; !failed && at != fs::directory_iterator(); at.increment(failed)) {
    const std::string name = at->path().filename().string();
    std::error_code unknown;
    if (name.starts_with('.')) continue;
    entries.push_back({name, at->is_directory(unknown), is_model_folder(at->path().string())});
  }
  if (failed) {
    return Error{.kind = ErrorKind::BadInput,
                 .message = "the folder cannot be read: " + failed.message(),
                 .file = folder};
  }
  std::sort(entries.begin(), entries.end(), [](const FolderEntry& a, const FolderEntry& b) {
    if (a.folder != b.folder) return a.folder;
    const std::string x = in_small_letters(a.name), y = in_small_letters(b.name);
    return x != y ? x < y : a.name < b.name;
  });
  return entries;
}

std::vector<FileKind> file_kinds(DialogKind kind) {
  std::vector<FileKind> kinds;
  if (is_of_exports(kind)) {
    kinds.push_back({"Pictures", {}});
    for (const Exporter& exporter : all_exporters()) {
      kinds.front().endings.push_back("." + std::string(exporter.extension));
    }
  } else {
    for (const Loader& loader : all_loaders()) {
      if (kind == DialogKind::SaveAs && !loader.is_document_format) continue;
      kinds.push_back({std::string(loader.label), {loader.endings.begin(), loader.endings.end()}});
    }
  }
  if (kinds.size() > 1) {
    FileKind all{"All documents", {}};
    for (const FileKind& one : kinds) {
      all.endings.insert(all.endings.end(), one.endings.begin(), one.endings.end());
    }
    kinds.insert(kinds.begin(), std::move(all));
  }
  kinds.push_back({"All files", {}});
  return kinds;
}

std::vector<std::size_t> filtered_entries(const std::vector<FolderEntry>& entries,
                                          std::string_view filter,
                                          std::span<const std::string> endings) {
  const std::string wanted = in_small_letters(filter);
  const auto is_of_kind = [&](const FolderEntry& entry, const std::string& name) {
    return entry.folder || endings.empty() ||
           std::any_of(endings.begin(), endings.end(),
                       [&](const std::string& ending) { return name.ends_with(ending); });
  };
  std::vector<std::size_t> indices;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const std::string name = in_small_letters(entries[i].name);
    if (name.find(wanted) != std::string::npos && is_of_kind(entries[i], name)) {
      indices.push_back(i);
    }
  }
  std::stable_partition(indices.begin(), indices.end(), [&](std::size_t i) {
    return in_small_letters(entries[i].name).starts_with(wanted);
  });
  return indices;
}

std::string resolved_path(const std::string& folder, std::string_view text) {
  std::string typed(text);
  if (typed == "~" || typed.starts_with("~/")) typed = home_folder() + typed.substr(1);
  fs::path path = (fs::path(folder) / typed).lexically_normal();
  std::string out = path.string();
  while (out.size() > 1 && out.ends_with('/')) out.pop_back();
  return out;
}

std::string parent_folder(const std::string& path) {
  const std::string parent = fs::path(path).parent_path().string();
  return parent.empty() ? "/" : parent;
}

std::string home_folder() {
  const char* home = std::getenv("HOME");
  return home == nullptr || *home == '\0' ? "/" : home;
}

std::string current_folder() {
  std::error_code failed;
  const fs::path here = fs::current_path(failed);
  return failed ? home_folder() : here.string();
}

bool is_folder(const std::string& path) {
  std::error_code failed;
  return fs::is_directory(path, failed);
}

bool is_existing_file(const std::string& path) {
  std::error_code failed;
  return fs::exists(path, failed) && !fs::is_directory(path, failed);
}

std::string suggested_name(const AppState& state, DialogKind kind) {
  if (kind == DialogKind::Open || kind == DialogKind::Compare) return "";
  if (kind == DialogKind::SaveAs) return document_name(state) + std::string(kDocumentSuffix);
  return document_name(state) + "-" + focused_view(state).plot + ".png";
}

std::string suggested_folder(const AppState& state, DialogKind kind) {
  std::vector<std::string> files;
  if (is_of_exports(kind)) {
    files.push_back(state.last_export_path);
    const std::string& last = state.preferences.export_folder;
    if (!last.empty()) files.push_back(last + "/");
  }
  files.push_back(state.path);
  files.push_back(state.source_path);
  if (!state.preferences.recent_files.empty()) {
    files.push_back(state.preferences.recent_files.front());
  }
  for (const std::string& file : files) {
    if (!file.starts_with('/')) continue;
    std::string folder = parent_folder(file);
    if (is_folder(folder)) return folder;
  }
  return current_folder();
}

std::string with_export_extension(const std::string& path, std::string_view extension) {
  const Exporter* own = exporter_for(path);
  const std::size_t ending = own != nullptr ? 1 + own->extension.size() : 0;
  return path.substr(0, path.size() - ending) + "." + std::string(extension);
}

}  // namespace attn::gui
