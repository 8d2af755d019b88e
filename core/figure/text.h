// Measuring, drawing and fitting of text and formulas, with one Pango layout for measuring, paper
// and screen.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "figure/figure.h"

namespace attn {

// Size of remarks and formulas next to labels of the given size.
inline double secondary_size(double font_size) {
  return std::max(0.85 * font_size, font_size - 1.5);
}

inline constexpr double kSmallestNumber = 5.0;  // points, for text that shrinks to fit

// A number with minus signs in place of its hyphens, and its exponent as a power: "−1.2·10⁻⁸".
std::string with_minus(std::string_view number);

struct TextExtent {
  double width = 0.0;    // advance width in units
  double ascent = 0.0;   // above the baseline
  double descent = 0.0;  // below it, positive
};

// Measures one line of text. A parameter of plots, so that tests can use fixed widths.
class TextMetrics {
 public:
  virtual ~TextMetrics() = default;
  virtual TextExtent measure(std::string_view text, const FontStyle& font) const = 0;
};

// Metrics of Pango with the system's fonts (Noto Sans first, then any font with the script). Caches
// its results. Not thread-safe: each thread needs its own.
const TextMetrics& pango_metrics();

// Names of the font families of a style in order of preference, separated by commas.
std::string font_families(const FontStyle& font);

// The font families of the system, sorted; static.
std::span<const std::string> all_font_families();
// The one with this name in any case; null when there is none.
const std::string* font_family_named(std::string_view name);

// True if a line runs right to left, decided by its first letter with a direction.
bool runs_right_to_left(std::string_view text);

// Start of the line of `item` on its baseline, relative to the anchor and before the rotation.
// `extent` belongs to item.text; all painters place text by it. Middle is the middle of Latin
// capitals.
Point pen_offset(const TextItem& item, const TextExtent& extent);

// Text drawn in `color` on a transparent background, for the screen: RGBA, not premultiplied. A
// margin holds letters that extend beyond their advance, so pictures are placed by the pen, not the
// corner. Transparent pixels have the colour too, so that filtering does not darken the edges.
struct TextPicture {
  int width_px = 0, height_px = 0;
  double pen_px = 0.0;       // start of the line, from the left
  double baseline_px = 0.0;  // from the top
  std::vector<std::uint8_t> rgba;
};
TextPicture draw_text(std::string_view text, const FontStyle& font, Color color, double scale);

// `text` in at most `lines` lines of `width` units, broken at blanks if possible; the last line is
// cut with "…". Empty for an empty text.
std::vector<std::string> wrapped(const TextMetrics& metrics, std::string_view text,
                                 const FontStyle& font, double width, std::size_t lines);

// `text`, cut with "…" when it is wider than `width` units, before a number such as " (12)" at its
// end if there is room.
std::string fitted(const TextMetrics& metrics, std::string_view text, const FontStyle& font,
                   double width);

// `text` with letters in its middle replaced by "…" when it is wider than `width` units; empty when
// even "…" does not fit.
std::string cut_in_middle(const TextMetrics& metrics, std::string_view text, const FontStyle& font,
                          double width);

inline constexpr double kScriptSize = 0.72;  // relative to the neighbouring letters
// Size of indices and exponents: not below the smallest of numbers, unless the letters are.
inline double script_size(double font_size) {
  return std::max(kScriptSize * font_size, std::min(font_size, kSmallestNumber));
}
inline constexpr double kSubscriptRise = -0.18, kSuperscriptRise = 0.36;  // relative to their size

struct FormulaRun {
  std::string text;
  double rise = 0.0;  // above the line, relative to the font size; 0: on the line in full size
  friend bool operator==(const FormulaRun&, const FormulaRun&) = default;
};

// Splits a text into runs: a single letter (or log), "_" and letters or digits are a symbol with an
// index, "^(…)" is an exponent. Quoted words (“my_token”), paths and longer names are not split. No
// run is empty.
std::vector<FormulaRun> formula_runs(std::string_view text);

}  // namespace attn
