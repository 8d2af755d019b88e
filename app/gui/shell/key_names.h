// Keys by name: "Ctrl+Shift+Z", "Enter", "[".
#pragma once

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace attn::gui {

struct KeyPress {
  int key = 0;                                 // key code
  int mods = 0;                                // modifiers held with it
  std::vector<std::pair<int, int>> modifiers;  // in order, each with all then held
  unsigned character = 0;                      // typed by it; 0: none
};

// Nothing if a part of `text` is not the name of a key.
std::optional<KeyPress> key_press(std::string_view text);

}  // namespace attn::gui
