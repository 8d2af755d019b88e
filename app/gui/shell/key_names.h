// Keys by the names that people write: "Ctrl+Shift+Z", "Enter", "[".
#pragma once

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace attn::gui {

struct KeyPress {
  int key = 0;                                 // code of the key
  int mods = 0;                                // modifiers held with it
  std::vector<std::pair<int, int>> modifiers;  // modifier keys in order, with the mods once down
  unsigned character = 0;                      // typed by it; 0: none
};

// Nothing when a part of `text` names no key.
std::optional<KeyPress> key_press(std::string_view text);

}  // namespace attn::gui
