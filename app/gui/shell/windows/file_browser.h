// Open, Save as and where to export to: a window of our own over the file system, worked by mouse
// or keyboard.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gui/shell/windows/folder.h"
#include "gui/ui/context.h"

namespace attn::gui {

struct FileBrowserView {
  std::optional<DialogKind> kind;  // as drawn in the last frame
  std::string folder;
  std::string folder_text;  // being typed at the top
  std::string name;         // being typed at the bottom; filters the list when opening
  std::vector<FolderEntry> entries;
  std::size_t file_kind = 0;  // which of file_kinds() is listed
  std::size_t selected = 0;   // among the entries shown
  std::string problem;
  bool answering = false;  // whether to overwrite: “no” leads back to what was typed
  bool focus_name = false;
  bool choosing_kind = false;  // as drawn in the last frame: the keys belonged to that list
  bool scroll_to_selected = false;
};

// Probe names: "files/folder", "files/name", "files/entry/NAME", "files/place/Home", "files/up",
// "files/kind", "files/recent/0", "files/example/NAME", "files/accept", "files/cancel",
// "files/problem".
void file_browser(Ui& ui, const AppState& state, FileBrowserView& view);

}  // namespace attn::gui
