// The text layout of measuring, paper and screen. Only for sources that draw with Pango and Cairo.
#pragma once

#include <pango/pangocairo.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "figure/figure.h"

namespace attn {

// Deleter of what a C library allocates.
template <auto Release>
struct Releaser {
  void operator()(auto* allocated) const { Release(allocated); }
};
using PangoLayoutPtr = std::unique_ptr<PangoLayout, Releaser<g_object_unref>>;
using SurfacePtr = std::unique_ptr<cairo_surface_t, Releaser<cairo_surface_destroy>>;
using ContextPtr = std::unique_ptr<cairo_t, Releaser<cairo_destroy>>;

// Layout of one line of drawable_text(text), one Pango unit of length per figure unit, without
// hinting, so that glyph positions do not depend on the scale.
PangoLayoutPtr make_layout(std::string_view text, const FontStyle& font);

// Converts a row of Cairo's premultiplied native-endian ARGB to red, green, blue and alpha. Leaves
// the bytes of transparent pixels alone.
void unpremultiply(const unsigned char* argb, std::size_t width, std::uint8_t* rgba);

inline PangoLayoutLine* only_line(PangoLayout* layout) {
  return pango_layout_get_line_readonly(layout, 0);
}

}  // namespace attn
