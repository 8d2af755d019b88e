// How scores are made and become weights: function, scale, softcap, temperature, normaliser, sinks.
#pragma once

#include "gui/panels/controls/option_rows.h"
#include "session/state.h"

namespace attn::gui {

struct ScoringView {
  FieldInteractions fields;
};

// Probe names begin with "scoring/": "scoring/function", "scoring/softcap",
// "scoring/softcap/value".
void scoring_panel(Ui& ui, const AppState& state, ScoringView& view);

// Sinks belong to the softmax and leave with it.
Scoring with_normaliser(Scoring scoring, Normaliser normaliser);

}  // namespace attn::gui
