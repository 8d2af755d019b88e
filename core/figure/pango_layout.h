// The text layout of measuring, paper and screen. Only for sources that draw with Pango.
#pragma once

#include <pango/pangocairo.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "figure/figure.h"

namespace attn {

struct ReleaseObject {
  void operator()(gpointer object) const { g_object_unref(object); }
};
using PangoLayoutPtr = std::unique_ptr<PangoLayout, ReleaseObject>;

// Layout of one line of drawable_text(text), one Pango unit of length per figure unit, without
// hinting, so that glyph positions do not depend on the scale.
PangoLayoutPtr make_layout(std::string_view text, const FontStyle& font);

// Converts a row of Cairo's premultiplied native-endian ARGB to red, green, blue and alpha. Leaves
// the bytes of transparent pixels alone.
void unpremultiply(const unsigned char* argb, std::size_t width, std::uint8_t* rgba);

// Draws the line with the pen at the current point of `context` on the baseline, in the current
// source colour.
void show_line(cairo_t* context, PangoLayout* layout);

}  // namespace attn
