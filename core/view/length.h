// Lengths on paper and their units. Options of figures hold points; pixels are the dots of a file.
#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace attn {

inline constexpr double kUnitsPerInch = 72.0;
inline constexpr double kUsualDpi = 300.0;

enum class LengthUnit { Millimetres, Centimetres, Inches, Points, Pixels };
inline constexpr std::array<std::string_view, 5> kLengthUnits = {"mm", "cm", "in", "pt", "px"};

// Conversion from points to the unit and back.
double in_unit(double points, LengthUnit unit, double dpi);
double in_points(double length, LengthUnit unit, double dpi);

// Points of "85mm", "2 in" or "340", which are points; nothing when it is no length. Rounded to a
// float, so that a written document is read as it was.
std::optional<double> points_of(std::string_view text, double dpi = kUsualDpi);

}  // namespace attn
