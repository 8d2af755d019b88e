// Everything that hides cells, combined: causal, padding, by hand; and the scale of the scores.
#pragma once

#include <optional>

#include "gui/panels/controls.h"
#include "session/state.h"

namespace attn::gui {

// Hidden cells of one head, in all and by rule (a cell can be hidden by several).
struct HiddenCounts {
  std::uint64_t cells = 0, hidden = 0;
  std::uint64_t causal = 0, key_padding = 0, query_padding = 0, by_hand = 0;
};
HiddenCounts count_hidden(const Mask& mask, const HeadAddress& head, std::size_t n_q,
                          std::size_t n_k);

struct MasksView {
  FieldInteraction offset, scale;
  // Counting is only repeated when the mask changed.
  struct Counted {
    Mask mask;
    HeadAddress head;
    AttentionShape shape;
    HiddenCounts counts;
  };
  std::optional<Counted> counted;
};

// A check box: on when the token is a real one in the chosen sample. Probe names "masks/key/2",
// "masks/query/0".
void padding_toggle(Ui& ui, const AppState& state, Side side, std::size_t index);

// Probe names begin with "masks/": "masks/causal", "masks/clear_painted", "masks/clear".
void masks_panel(Ui& ui, const AppState& state, MasksView& view);

}  // namespace attn::gui
