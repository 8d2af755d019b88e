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

// Names of the families that a text is drawn with, the first that has a letter; separated by
// commas.
std::string_view font_families(const FontStyle& font);

// Whether a line begins at its right end, by its first letter that has a direction.
bool runs_right_to_left(std::string_view text);

// Where the line of `item` starts on its baseline, relative to the anchor and before the rotation.
// `extent` is that of item.text; every painter places text by it. Middle is the middle of Latin
// capitals.
Point pen_offset(const TextItem& item, const TextExtent& extent);

// A text drawn in `color` on nothing, for the screen: RGBA, not premultiplied. A margin leaves room
// for letters that reach beyond their advance, so a picture is placed by its pen, not its corner.
// Pixels of nothing have its colour as well: mixed with their neighbours, as in a turned picture,
// they would else darken them.
struct TextPicture {
  int width_px = 0, height_px = 0;
  double pen_px = 0.0;       // start of the line, from the left
  double baseline_px = 0.0;  // from the top
  std::vector<std::uint8_t> rgba;
};
TextPicture draw_text(std::string_view text, const FontStyle& font, Color color, double scale);

// `text` in at most `lines` lines of `width` units, broken at blanks where there are any; what does
// not fit the last line is cut with "…". Empty for an empty text.
std::vector<std::string> wrapped(const TextMetrics& metrics, std::string_view text,
                                 const FontStyle& font, double width, std::size_t lines);

// Cuts `text` with "…" so that it fits `width` units.
std::string fitted(const TextMetrics& metrics, std::string_view text, const FontStyle& font,
                   double width);

}  // namespace attn
