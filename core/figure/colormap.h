// Colours: colour maps and patterns of hidden cells, whose arithmetic the shader repeats,
// simulation of colour vision deficiencies, and themes for paper and the window. Role colours are
// fixed: query blue, key red, value green, output purple; heads have one hue each.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "attention/mask.h"
#include "attention/stage.h"
#include "base/result.h"

namespace attn {

struct Color {
  std::uint8_t r = 0, g = 0, b = 0, a = 255;
  friend bool operator==(const Color&, const Color&) = default;
};
inline Color with_alpha(Color color, std::uint8_t alpha) {
  return {color.r, color.g, color.b, alpha};
}
// Linear blend: `a` at part 0, `b` at part 1.
Color mix(Color a, Color b, double part_of_b);

struct ColorMap {
  std::string name;   // "viridis"
  std::string label;  // "Viridis"
  bool diverging;     // for signed stages, with zero in the middle
  std::array<Color, 256> colors;
};

inline constexpr std::string_view kReversedSuffix = "_r";  // of "viridis_r"

// viridis, magma, inferno, plasma, cividis, YlOrRd, grey, the diverging red–blue and cool–warm for
// signed values, and each of them reversed.
std::span<const ColorMap> all_colormaps();
// The map of that name, or the listed_colormap(); null when there is none.
const ColorMap* colormap_named(std::string_view name);

// True if a text is a list of colours: "#fff,#08306b", or in reverse "#fff,#08306b_r".
inline bool lists_colors(std::string_view text) { return text.starts_with('#'); }
// The map through 2 to 256 listed colours, evenly spaced, linear in OKLab between them so that
// equal steps look equal. Diverging if their number is odd and the middle one is lighter, or
// darker, than both ends. Never destroyed. Usage error if one is no colour.
Result<const ColorMap*> listed_colormap(std::string_view text);

// Name that selects viridis for weights and redblue for signed values.
inline constexpr std::string_view kAutomaticColormap = "auto";
// Monotonic lightness, also without red–green vision.
inline constexpr std::string_view kSafeColormap = "cividis";

// Exponent that selects the logarithm of the value.
inline constexpr float kLogarithm = 0.0F;

// Colours of a range of values.
struct ColorScale {
  const ColorMap* map = nullptr;  // of colormap_named(), static
  float low = 0.0F;
  float high = 1.0F;
  // Colours go by this power of the magnitude, whose sign stays: 1 is even, less is bent so that
  // small values have more of the colours. kLogarithm: low is positive.
  float power = 1.0F;
  friend bool operator==(const ColorScale&, const ColorScale&) = default;
};

// Position of a value in the range: 0 at the low end, 1 at the high one, outside beyond them; and
// its inverse. Precondition: the range is not empty.
double place_on(const ColorScale& scale, double value);
double value_at(const ColorScale& scale, double place);

// Index in the map for `value`: round(255 · clamp(place)); 0 when the range is empty. Precondition:
// value is not NaN.
std::uint8_t color_index(const ColorScale& scale, float value);

// Look of a cell: a colour of the map, or one of two fixed patterns.
enum class CellLook { Mapped, Hidden, NonFinite };
CellLook cell_look(float value, std::uint8_t hidden_rules);

// Directions of the hatching of hidden cells, as bits; all_hatches() has their rules.
enum HatchLine : std::uint8_t { kRisingLines = 1, kFallingLines = 2, kLevelLines = 4 };
using HatchLines = std::uint8_t;

// Sizes of the patterns in units: sloping lines of hidden cells have the period kHatchPeriod and
// the width kHatchInk along an axis, level ones the period kLevelPeriod; cells that are not finite
// have a chequerboard.
inline constexpr double kHatchPeriod = 6.0;
inline constexpr double kHatchInk = 1.4;
inline constexpr double kLevelPeriod = 5.0;
inline constexpr double kLevelInk = 1.0;
inline constexpr double kCheckSize = 3.0;

// True if a pattern has ink at (x, y), relative to the top left corner of the matrix's clip, so
// that neighbouring cells join without seams. `lines` are those of hidden cells. False for Mapped.
bool pattern_ink(CellLook look, double x, double y, HatchLines lines = kRisingLines);

// sRGB to linear light, both from 0 to 1.
double linear_light(double encoded);

// Black or white, whichever has more contrast with `background` (WCAG relative luminance).
Color readable_on(Color background);

struct Hatch {
  HatchLine line;
  HiddenRules rules;  // the rules that it marks
};

// All directions; every rule belongs to one of them.
std::span<const Hatch> all_hatches();

// The directions that mark a cell hidden by `rules`, as bits.
HatchLines hatch_lines(HiddenRules rules);

// Complete; without cones for long, middle or short waves; lightness only.
enum class ColorVision { Usual, Protanopia, Deuteranopia, Tritanopia, Grey };

struct ColorVisionInfo {
  ColorVision vision;
  std::string_view name;   // "protanopia"
  std::string_view label;  // sentence case
  std::string_view help;   // one line
  // Row-major, for linear red, green and blue; rows sum to 1, which preserves grey.
  std::array<float, 9> matrix;
};

std::span<const ColorVisionInfo> all_color_visions();
const ColorVisionInfo& color_vision_info(ColorVision vision);

// The colour as perceived; opacity is unchanged. The shader of the window repeats this arithmetic.
Color seen_by(ColorVision vision, Color color);

enum class ThemeKind { Paper, Light, Dark, Contrast, Black };

struct FigureTheme {
  Color background, ink, muted, grid, panel, accent;
  Color hatch, hatch_background;
  Color query, key, value, output;
};

struct ThemeInfo {
  ThemeKind kind;
  std::string_view name;   // "dark": in options and preferences
  std::string_view label;  // "High contrast"
  bool of_windows;         // also a theme of the window
  bool is_dark;            // light letters on a dark background
  FigureTheme colors;
};
std::span<const ThemeInfo> all_themes();  // indexed by kind
const ThemeInfo& theme_info(ThemeKind kind);
// Nothing when no theme has that name.
std::optional<ThemeKind> theme_named(std::string_view name);

const FigureTheme& figure_theme(ThemeKind kind);

// Role colour of a stage: q, k, v, outputs; ink for token-by-token stages.
Color stage_color(const FigureTheme& theme, Stage stage);
// Colour of the role of an input tensor; the accent for scores.
Color role_color(const FigureTheme& theme, StageRole role);

// Colour independent of which other heads are shown. Hues divide the circle; neighbours differ in
// lightness too. All are legible on the theme's background.
Color head_color(std::size_t head, std::size_t heads, ThemeKind theme);

}  // namespace attn
