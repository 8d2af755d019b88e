// The rules of a mask that go by distance: windows, prefixes, sinks, segments, biases by distance.
#pragma once

#include "gui/panels/controls/option_rows.h"
#include "session/state.h"

namespace attn::gui {

// Probe names: "masks/window", "masks/window_left/value", "masks/alibi", "masks/segments/value".
void distance_rows(Ui& ui, const AppState& state, FieldInteractions& fields);

// The mask that is looked at with one of its rules switched on, as it usually is, or off.
Mask with_window(const AppState& state, bool on);
Mask with_alibi(const AppState& state, bool on);
Mask with_relative_buckets(const AppState& state, bool on);

}  // namespace attn::gui
