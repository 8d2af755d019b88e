// Horizontal bars with a label and a number each, as the inspector draws them.
#pragma once

#include <string_view>

#include "gui/panels/controls/controls.h"

namespace attn::gui {

struct BarRow {
  std::string_view label;         // any script
  std::string_view factors = {};  // digits and signs behind the label, which is cut before they are
  float value = 0.0F;
  float extent = 1.0F;     // value of a full bar, > 0
  bool diverging = false;  // negative values grow to the left of the middle
  bool marked = false;     // stands out
  Color color;
  float label_share = 0.34F;  // of the row's width, at most
  // Digits and signs, which the interface's own font has: nothing has to be shaped, which is much
  // where every row is another one in every frame.
  bool label_is_numbers = false;
};

// One row, as wide as there is room.
void bar_row(Ui& ui, const BarRow& row);

}  // namespace attn::gui
