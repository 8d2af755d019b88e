// Which layer, sample and head is looked at: the same selectors wherever one is needed.
#pragma once

#include <optional>
#include <string_view>

#include "gui/panels/controls.h"
#include "session/state.h"

namespace attn::gui {

// Which attention of a decoder's blocks: "plot/attention/self" and "plot/attention/cross". Nothing
// for any other document. `brief`: where there is little room.
void attention_selector(Ui& ui, const AppState& state, Flow& flow, bool brief);

// Nothing is drawn when there is only one to choose from.
void sample_selector(Ui& ui, const AppState& state, std::string_view name);

// Layer and sample, named `prefix`layer and so on, laid out in `flow`.
void layer_selectors(Ui& ui, const AppState& state, std::string_view prefix, Flow& flow);

// Layer, sample and head, named `prefix`layer and so on, laid out in `flow`. The head has arrows to
// the previous and next one.
void head_selectors(Ui& ui, const AppState& state, std::string_view prefix, Flow& flow);

// A list "Head 1", "Head 2", …, counted as sentences and titles do: returns the chosen index.
std::optional<std::size_t> numbered_choice(Ui& ui, std::string_view name, const char* noun,
                                           std::size_t count, std::size_t current);
float numbered_choice_width(const char* noun, std::size_t count);  // pixels

}  // namespace attn::gui
