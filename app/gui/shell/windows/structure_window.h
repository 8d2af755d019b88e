// Window for a document's structure: kind of model, heads, widths, layers, samples, one or two
// sequences.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "document/edit/structure.h"
#include "gui/panels/controls/field_control.h"
#include "gui/ui/context.h"
#include "session/state.h"

namespace attn::gui {

// A number being typed, or rejected and to be corrected.
struct TypedExtent {
  const StructureField* field = nullptr;  // null: none
  std::string text;
  Structure before;     // structure before typing
  std::string problem;  // why it is rejected
};

// Preview of a change at a revision, or why there is none.
struct StructurePreview {
  std::uint64_t document = 0, revision = 0;
  bool computed = false;  // the document's result was available
  Structure wanted;
  std::vector<std::string> remarks;
};

struct StructureView {
  bool was_open = false;
  // The chosen structure; values that a kind does not use are kept for kinds that do.
  Structure asked;
  TypedExtent typed;
  StructurePreview preview;
  FieldInteractions dragging;  // of numbers, by field name
};

// Applying sends one SetStructure. Probe names: "structure", "structure/kind/NAME" (value "on" for
// the chosen one), "structure/FIELD" with "/less", "/more", "/before" and "/problem",
// "structure/memory", "structure/remark/0", …, "structure/reason", "structure/apply",
// "structure/close".
void structure_window(Ui& ui, const AppState& state, StructureView& view);

}  // namespace attn::gui
