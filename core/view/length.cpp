// Lengths as text, and their conversion.
#include "view/length.h"

#include <algorithm>
#include <cmath>

#include "base/parsed_number.h"

namespace attn {

double in_unit(double points, LengthUnit unit, double dpi) {
  const std::array<double, kLengthUnits.size()> per_inch = {25.4, 2.54, 1.0, kUnitsPerInch, dpi};
  return points / kUnitsPerInch * per_inch[static_cast<std::size_t>(unit)];
}

double in_points(double length, LengthUnit unit, double dpi) {
  return length / in_unit(1.0, unit, dpi);
}

std::optional<double> points_of(std::string_view text, double dpi) {
  const auto named = std::ranges::find_if(
      kLengthUnits, [&](std::string_view unit) { return text.ends_with(unit); });
  auto unit = LengthUnit::Points;
  if (named != kLengthUnits.end()) {
    unit = static_cast<LengthUnit>(named - kLengthUnits.begin());
    text.remove_suffix(named->size());
    while (text.ends_with(' ')) text.remove_suffix(1);
  }
  const Result<float> number = parse_number(text);
  if (!number || !std::isfinite(*number)) return std::nullopt;
  return static_cast<float>(in_points(static_cast<double>(*number), unit, dpi));
}

}  // namespace attn
