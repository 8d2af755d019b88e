// Everything that hides or biases cells: the panel, and rows for each rule.
#pragma once

#include <array>
#include <optional>

#include "gui/panels/controls/controls.h"
#include "gui/panels/controls/option_rows.h"
#include "session/state.h"

namespace attn::gui {

// Hidden cells of one head, in all and by rule (a cell can be hidden by several).
struct HiddenCounts {
  std::uint64_t cells = 0, hidden = 0;
  std::array<std::uint64_t, 8> by_rule{};  // by number of the rule's bit
  bool is_estimate = false;                // from some of the rows, because there are too many
};
// Precondition: a mask with slopes.
HiddenCounts count_hidden(const Mask& mask, const HeadAddress& head, std::size_t n_q,
                          std::size_t n_k);

struct MasksView {
  FieldInteraction offset;
  FieldInteractions fields;
  struct Place {
    std::uint64_t revision;
    HeadAddress head;
    friend bool operator==(const Place&, const Place&) = default;
  };
  // Counting is only repeated when the mask changed, which only another revision can bring.
  struct Counted {
    Place place;
    Mask mask;
    AttentionShape shape;
    HiddenCounts counts;
  };
  std::optional<Counted> counted;
};

// A check mark `size_px` large: on when the token is a real one in the chosen sample. Probe names
// "masks/key/2", "masks/query/0".
void padding_toggle(Ui& ui, const AppState& state, Side side, std::size_t index, ImVec2 size_px);

// Probe names begin with "masks/": "masks/causal", "masks/clear_painted", "masks/clear".
void masks_panel(Ui& ui, const AppState& state, MasksView& view);

// The mask that is looked at with one of its rules switched on, as it usually is, or off.
Mask with_window(const AppState& state, bool on);
Mask with_alibi(const AppState& state, bool on);
Mask with_relative_buckets(const AppState& state, bool on);

}  // namespace attn::gui
