// Style of the interface: colours and measures, derived from the colours of the figures.
#pragma once

#include <imgui.h>

#include "figure/colormap.h"

namespace attn::gui {

// Colours of the interface, with those of figures: muted is of secondary text, with a contrast of
// at least 4.5 : 1 on panels; the accent of what is selected, focused or switched on.
struct UiColors : FigureTheme {
  Color window;      // background of the window
  Color field;       // text fields, cells that can be edited
  Color raised;      // buttons
  Color hovered;     // buttons under the pointer
  Color pressed;     // buttons held down
  Color border;      // thin separators
  Color edge;        // outlines of controls; contrast 3 : 1 to the background
  Color text;        // ink
  Color accent_ink;  // text on accent
  Color positive;    // tint of positive numbers, ochre: red is of keys
  Color negative;    // tint of negative numbers, teal: blue is of queries
  Color warning;
  Color error;
};
const UiColors& ui_colors(ThemeKind theme);

// Background of a button: normal, hovered and pressed.
struct ButtonBackground {
  Color rest, hovered, pressed;
};
// Background of the primary button, with text in accent_ink.
ButtonBackground primary_background(const UiColors& colors);
// Background of a toggle that is on, framed or `quiet`, with text in `text`.
ButtonBackground on_background(const UiColors& colors, bool quiet);

// Tint of a cell that shows `value`: hue by sign, strength by magnitude, equal for equal numbers in
// every matrix. `background` is the colour of zero.
Color number_tint(const UiColors& colors, Color background, float value);

// Sets ImGui's style for the theme at `scale` pixels per unit.
void apply_style(ThemeKind theme, float scale);

}  // namespace attn::gui
