// How large a text is, its picture, how it is fitted to a width and how formulas are set in print:
// the same Pango layout for measuring, paper and screen.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "figure/figure.h"

namespace attn {

// Remarks, formulas and what else is said beside the labels, which have the size asked for.
inline double secondary_size(double font_size) {
  return std::max(0.85 * font_size, font_size - 1.5);
}

inline constexpr double kSmallestNumber = 5.0;  // points, of what shrinks to fit its place

// A number as text, with minus signs in place of its hyphens: "−1.2e−08".
std::string with_minus(std::string_view number);

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

// Cuts letters out of the middle of `text` for "…" so that it fits `width` units; empty where not
// even that fits.
std::string cut_in_middle(const TextMetrics& metrics, std::string_view text, const FontStyle& font,
                          double width);

inline constexpr double kScriptSize = 0.72;  // of the letters beside it
inline constexpr double kSubscriptRise = -0.18, kSuperscriptRise = 0.36;  // of their size

struct FormulaRun {
  std::string text;
  double rise = 0.0;  // above the line, of the font size; 0: on it, in full size
  friend bool operator==(const FormulaRun&, const FormulaRun&) = default;
};

// A single letter (or log), "_" and letters or digits are a symbol with its index, and "^(…)" is an
// exponent. Quoted words (“my_token”) and longer names (my_file) stay as they are. No run is empty.
std::vector<FormulaRun> formula_runs(std::string_view text);

}  // namespace attn
