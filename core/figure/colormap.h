// Colours: the maps of values and the patterns of hidden cells, whose arithmetic the shader
// repeats, and how eyes see them that lack a kind of cones.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "attention/mask.h"

namespace attn {

struct Color {
  std::uint8_t r = 0, g = 0, b = 0, a = 255;
  friend bool operator==(const Color&, const Color&) = default;
};

struct ColorMap {
  std::string_view name;   // "viridis"
  std::string_view label;  // "Viridis"
  bool diverging;          // middle means zero: for signed stages
  std::array<Color, 256> colors;
};

// viridis, magma, cividis, YlOrRd, grey, and the diverging red–blue for signed values.
std::span<const ColorMap> all_colormaps();
const ColorMap* colormap_named(std::string_view name);

// What may be chosen: a map, or to leave it to the stage (viridis for weights, redblue for signed
// values).
struct ColorMapChoice {
  std::string_view name;
  std::string_view label;
};
inline constexpr std::string_view kAutomaticColormap = "auto";
// Rises alike for all eyes, also those that tell no red from green.
inline constexpr std::string_view kSafeColormap = "cividis";

// The automatic choice first, then every map.
std::span<const ColorMapChoice> all_colormap_choices();
const ColorMapChoice* colormap_choice_named(std::string_view name);

// How a colour follows from the value: in proportion to it, to a root of it (of a negative one the
// root of its magnitude, negative), or to its logarithm.
enum class ColorCurve { Linear, SquareRoot, CubeRoot, FourthRoot, Logarithm };

// How values become colours.
struct ColorScale {
  const ColorMap* map = nullptr;  // in the list above, lives for ever
  float low = 0.0F;
  float high = 1.0F;
  ColorCurve curve = ColorCurve::Linear;  // of a logarithm low is above 0
  friend bool operator==(const ColorScale&, const ColorScale&) = default;
};

// Where a value stands among the colours: 0 at the low end, 1 at the high one, beyond them outside;
// and which value stands there. Precondition: the range is not empty.
double place_on(const ColorScale& scale, double value);
double value_at(const ColorScale& scale, double place);

// Entry of the map for `value`: round(255 · clamp(place)); entry 0 when the range is empty.
// Precondition: value is not NaN.
std::uint8_t color_index(const ColorScale& scale, float value);

// How a cell is drawn: by the map, or by one of the two fixed patterns outside every map.
enum class CellLook { Mapped, Hidden, NonFinite };
CellLook cell_look(float value, std::uint8_t hidden_rules);

// Directions of the lines of hidden cells, as bits (hatch.h says which rules they stand for).
enum HatchLine : std::uint8_t { kRisingLines = 1, kFallingLines = 2, kLevelLines = 4 };
using HatchLines = std::uint8_t;

// The patterns in units: sloping lines of hidden cells come one every kHatchPeriod along an axis
// and are kHatchInk wide along it, level ones every kLevelPeriod; cells that are not finite are a
// chequerboard.
inline constexpr double kHatchPeriod = 6.0;
inline constexpr double kHatchInk = 1.4;
inline constexpr double kLevelPeriod = 5.0;
inline constexpr double kLevelInk = 1.0;
inline constexpr double kCheckSize = 3.0;

// True where a pattern shows its ink instead of its ground, (x, y) from the top left of the
// matrix's clip, so that neighbouring cells join without seams. `lines` are those of hidden cells.
// False for Mapped.
bool pattern_ink(CellLook look, double x, double y, HatchLines lines = kRisingLines);

// sRGB, 0 to 1, to linear light; and back to a byte, cut at black and white.
double linear_light(double encoded);
std::uint8_t encoded_byte(double linear);

// Black or white, whichever reads better on `background` (WCAG relative luminance).
Color readable_on(Color background);

struct Hatch {
  HatchLine line;
  HiddenRules rules;  // those that it stands for
};

// Every direction; together they stand for every rule, each rule in one of them.
std::span<const Hatch> all_hatches();

// The directions that hatch a cell hidden by `rules`, as bits.
HatchLines hatch_lines(HiddenRules rules);

// Of all cones; without those for long, middle or short waves; of lightness alone.
enum class ColorVision { Usual, Protanopia, Deuteranopia, Tritanopia, Grey };

struct ColorVisionInfo {
  ColorVision vision;
  std::string_view name;   // "protanopia"
  std::string_view label;  // sentence case
  std::string_view help;   // one line
  // Row by row, of linear red, green and blue; each row sums to 1, so that grey stays grey.
  std::array<float, 9> matrix;
};

std::span<const ColorVisionInfo> all_color_visions();
const ColorVisionInfo& color_vision_info(ColorVision vision);
std::optional<ColorVision> color_vision_named(std::string_view name);

// What such eyes see in place of the colour; its opacity stays. The shader of the window repeats
// this arithmetic.
Color seen_by(ColorVision vision, Color color);

}  // namespace attn
