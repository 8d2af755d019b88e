// The line of text that the model of a folder reads, above the plots.
#pragma once

#include <cstdint>
#include <string>

#include "gui/ui/widgets.h"
#include "session/state.h"

namespace attn::gui {

struct ModelTextView {
  FieldInteraction field;
  std::string before, sent;   // texts when typing began, and of the last edit
  std::uint64_t gesture = 0;  // of the text being typed
};

// A field with the text, whose tokens and attention follow while one types, its tokens, and what
// the folder notes about the model; Esc restores the text from before. Nothing for documents
// without such a model. Probes: "model/text", "model/tokens" and "model/note" (values the lines).
void model_text(Ui& ui, const AppState& state, ModelTextView& view);

}  // namespace attn::gui
