// The command palette: any action by a few letters of its name.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gui/shell/actions/actions.h"

namespace attn::gui {

// How well the letters of `pattern` appear in order in `text`, whatever their case: higher is
// better, nothing when they do not. Beginnings of words and runs count more.
std::optional<int> fuzzy_score(std::string_view pattern, std::string_view text);

// Indices of the actions that match, best first; all of them for an empty pattern.
std::vector<std::size_t> matching_actions(const std::vector<Action>& actions,
                                          std::string_view pattern);

struct PaletteView {
  bool was_open = false;
  bool was_entered = false;  // in the last frame: the field let go of the keyboard
  std::string text;
  std::size_t selected = 0;
};

// Probe names: "palette/filter", "palette/ID".
void palette(Ui& ui, const AppState& state, const std::vector<Action>& actions, PaletteView& view);

}  // namespace attn::gui
