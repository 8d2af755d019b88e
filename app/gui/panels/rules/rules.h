// Masks, scoring, positions and options of the model behind a fixed row of tabs.
#pragma once

#include <array>
#include <optional>

#include "gui/panels/controls/controls.h"
#include "gui/panels/controls/field_control.h"
#include "session/state.h"

namespace attn::gui {

// Hidden cells of one head, in total and by rule (a cell can be hidden by several).
struct HiddenCounts {
  std::uint64_t cells = 0, hidden = 0;
  std::array<std::uint64_t, 8> by_rule{};  // by bit number of the rule
  bool is_estimate = false;                // sampled from some of the rows
};
// True if the token is not padding in the mask.
bool is_real(const Mask& mask, const TokenHit& token);

// Precondition: the mask has its slopes (with_slopes).
HiddenCounts count_hidden(const Mask& mask, const HeadAddress& head, std::size_t n_q,
                          std::size_t n_k);

struct RulesView {
  std::size_t tab = 0;
  float content = 0.0F;  // height that the tab fills, units
  float height = 0.0F;   // of the content when the pointer was last elsewhere
  FieldInteractions fields;
  // Cached count, repeated only when the mask changed.
  struct Counted {
    std::uint64_t revision;
    HeadAddress head;
    Mask mask;
    AttentionShape shape;
    HiddenCounts counts;
  };
  std::optional<Counted> counted;
};

// A check mark `size_px` large: on for real tokens, off for padding in the selected sample. Probe
// names: "masks/key/2", "masks/query/0".
void padding_toggle(Ui& ui, const AppState& state, Side side, std::size_t index, ImVec2 size_px);

// Probe names begin with "masks/": "masks/causal", "masks/clear_painted", "masks/clear". `all`:
// with rules that few documents have.
void masks_panel(Ui& ui, const AppState& state, RulesView& view, bool all);

// The selected mask with one rule switched on, with its usual values, or off.
Mask with_window(const AppState& state, bool on);
Mask with_alibi(const AppState& state, bool on);
Mask with_relative_buckets(const AppState& state, bool on);

// A position of that kind with its usual values.
Position usual_position(PositionKind kind);

// Drops the sinks if the normaliser takes none.
Scoring with_normaliser(Scoring scoring, Normaliser normaliser);

// True if more than the causal mask and the window are shown: once "rules/more" was pressed, in
// lessons, and for documents that have other rules.
bool shows_all_rules(const AppState& state);

// Probe names of the tabs: "rules/Masks", "rules/Scoring", "rules/Positions", and "rules/Blocks" or
// "rules/Recurrent" where they apply. Names inside of a tab begin with its name:
// "scoring/softcap/value", "positions/layout/Halves", "blocks/add", "recurrent/cell/LSTM".
void rules_panel(Ui& ui, const AppState& state, RulesView& view);

}  // namespace attn::gui
