// The look of the interface: colours and measures, derived from the colours of the figures.
#pragma once

#include <imgui.h>

#include "figure/theme.h"

namespace attn::gui {

// Straight blend of two opaque colours: `a` at t = 0, `b` at t = 1.
Color mix(Color a, Color b, double t);
Color with_alpha(Color color, std::uint8_t alpha);

// Colours of the interface that figures have no name for.
struct UiColors {
  Color window;      // behind everything
  Color panel;       // side panels, menus
  Color field;       // text fields, cells that can be edited
  Color raised;      // buttons
  Color hovered;     // buttons under the pointer
  Color pressed;     // buttons held down
  Color border;      // thin lines between parts
  Color edge;        // of what can be used; 3 : 1 on what it stands on
  Color text;        // ink
  Color muted;       // secondary text; still 4.5 : 1 on panels
  Color accent;      // selection, focus, what is on
  Color accent_ink;  // text on accent
  Color positive;    // tint of numbers above zero
  Color negative;    // tint of numbers below zero
  Color warning;
  Color error;
};
UiColors ui_colors(ThemeKind theme);

// The ground of a button as it rests, under the pointer and held down.
struct ButtonGround {
  Color rest, hovered, pressed;
};
// Of what one most likely wants; accent_ink stands on it.
ButtonGround primary_ground(const UiColors& colors);
// Of a toggle that is on, with a frame or, when `quiet`, without; text stands on it.
ButtonGround on_ground(const UiColors& colors, bool quiet);

// Tint of a cell that shows `value`: hue by sign, strength by magnitude, the same for the same
// number in every matrix. `ground` is the colour of zero.
Color number_tint(const UiColors& colors, Color ground, float value);

// Sets ImGui's style for the theme at `scale` pixels per unit.
void apply_style(ThemeKind theme, float scale);

}  // namespace attn::gui
