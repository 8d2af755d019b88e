// Choosing one of several that are counted: the same wherever one is needed.
#pragma once

#include <optional>
#include <string_view>

#include "gui/panels/controls/controls.h"
#include "session/state.h"

namespace attn::gui {

// Nothing is drawn when there is only one to choose from.
void sample_selector(Ui& ui, const AppState& state, std::string_view name);

// A list "Head 1", "Head 2", …, counted as sentences and titles do: returns the chosen index.
std::optional<std::size_t> numbered_choice(Ui& ui, std::string_view name, const char* noun,
                                           std::size_t count, std::size_t current);
float numbered_choice_width(Ui& ui, const char* noun, std::size_t count);  // pixels

}  // namespace attn::gui
