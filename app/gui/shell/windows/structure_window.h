// The window in which a document's structure is chosen: kind of model, heads, widths, layers,
// samples, one sequence or two.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "document/edit/structure.h"
#include "gui/panels/controls/field_control.h"
#include "gui/ui/context.h"
#include "session/state.h"

namespace attn::gui {

// A number that is being typed, or was refused and is to be put right.
struct TypedExtent {
  const StructureField* field = nullptr;  // null: nothing is typed
  std::string text;
  Structure before;     // what was asked for before it
  std::string problem;  // why it is refused
};

// What a change of a document as it is at a revision comes to, or why that is not shown.
struct StructurePreview {
  std::uint64_t document = 0, revision = 0;
  bool computed = false;  // its result was there
  Structure wanted;
  std::vector<std::string> remarks;
};

struct StructureView {
  bool was_open = false;
  // As it was chosen; what a kind has no choice in is kept here for kinds that have.
  Structure asked;
  TypedExtent typed;
  StructurePreview preview;
  FieldInteractions dragging;  // of numbers, by their fields' names
};

// Applying sends one SetStructure. Probe names: "structure", "structure/kind/NAME" (value "on" for
// the chosen one), "structure/FIELD" with "/less", "/more", "/before" and "/problem",
// "structure/memory", "structure/remark/0", …, "structure/reason", "structure/apply",
// "structure/close".
void structure_window(Ui& ui, const AppState& state, StructureView& view);

}  // namespace attn::gui
