// How large a text is, and its picture: the same Pango layout for measuring, paper and screen.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "figure/figure.h"

namespace attn {

struct TextExtent {
  double width = 0.0;    // advance width in units
  double ascent = 0.0;   // of the line above the baseline
  double descent = 0.0;  // below it, positive
};

// Measures one line of text. Plots take it as an argument, so tests can use fixed widths.
class TextMetrics {
 public:
  virtual ~TextMetrics() = default;
  virtual TextExtent measure(std::string_view text, const FontStyle& font) const = 0;
};

// Shapes with Pango and the system's fonts (Noto Sans first, any font that has the script after
// it). Not thread-safe; one per thread. Caches what it measured.
const TextMetrics& pango_metrics();

// A text drawn in `color` on nothing, for the screen: RGBA, not premultiplied.
struct TextPicture {
  int width_px = 0, height_px = 0;
  double baseline_px = 0.0;  // from the top
  std::vector<std::uint8_t> rgba;
};
TextPicture draw_text(std::string_view text, const FontStyle& font, Color color, double scale);

// Cuts `text` with "…" so that it fits `width` units.
std::string fitted(const TextMetrics& metrics, std::string_view text, const FontStyle& font,
                   double width);

}  // namespace attn
