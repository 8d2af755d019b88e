// Colour maps from lists of colours, interpolated in OKLab (Ottosson 2020).
#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/number_text.h"
#include "figure/colormap.h"

namespace attn {
namespace {

constexpr std::size_t kFewestColors = 2, kMostColors = 256;

struct Lab {
  double lightness, a, b;
};

Lab lab_of(Color color) {
  const double r = linear_light(color.r / 255.0), g = linear_light(color.g / 255.0),
               b = linear_light(color.b / 255.0);
  const double l = std::cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const double m = std::cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const double s = std::cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return {0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
          1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
          0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s};
}

// "#fff" or "#ffffff".
std::optional<Color> color_of(std::string_view text) {
  if (!text.starts_with('#') || (text.size() != 4 && text.size() != 7)) return std::nullopt;
  std::string digits(text.substr(1));
  if (digits.find_first_not_of("0123456789abcdef") != digits.npos) return std::nullopt;
  if (digits.size() == 3)
    digits = {digits[0], digits[0], digits[1], digits[1], digits[2], digits[2]};
  const unsigned long rgb = std::stoul(digits, nullptr, 16);
  return Color{static_cast<std::uint8_t>(rgb >> 16U), static_cast<std::uint8_t>(rgb >> 8U),
               static_cast<std::uint8_t>(rgb), 255};
}

Error list_error(std::string found, std::string expected) {
  return {.kind = ErrorKind::Usage,
          .message = "a colour map cannot have these colours",
          .found = std::move(found),
          .expected = std::move(expected)};
}

Result<std::vector<Color>> colors_of(std::string_view list) {
  std::vector<Color> colors;
  for (std::size_t end = 0; end != list.npos; list.remove_prefix(end == list.npos ? 0 : end + 1)) {
    end = list.find(',');
    const std::optional<Color> color = color_of(list.substr(0, end));
    if (!color) {
      return list_error("“" + std::string(list.substr(0, end)) + "”", "colours as #RGB or #RRGGBB");
    }
    colors.push_back(*color);
  }
  if (colors.size() >= kFewestColors && colors.size() <= kMostColors) return colors;
  return list_error(counted(colors.size(), "colour"), "2 to 256 colours, as in #ffffff,#08306b");
}

ColorMap interpolated(std::string name, const std::vector<Color>& colors) {
  ColorMap map{std::move(name), "Own colours", false, {}};
  for (std::size_t i = 0; i < map.colors.size(); ++i) {
    const double place = static_cast<double>((colors.size() - 1) * i) / 255.0;
    const std::size_t below = std::min(static_cast<std::size_t>(place), colors.size() - 2);
    const double part = place - static_cast<double>(below);
    const Lab from = lab_of(colors[below]), to = lab_of(colors[below + 1]);
    map.colors[i] = color_of_oklab(std::lerp(from.lightness, to.lightness, part),
                                   std::lerp(from.a, to.a, part), std::lerp(from.b, to.b, part));
  }
  const double first = lab_of(colors.front()).lightness, last = lab_of(colors.back()).lightness,
               middle = lab_of(colors[colors.size() / 2]).lightness;
  map.diverging = colors.size() % 2 == 1 && (middle - first) * (middle - last) > 0.0;
  return map;
}

}  // namespace

Result<const ColorMap*> listed_colormap(std::string_view text) {
  static std::mutex mutex;
  static std::map<std::string, ColorMap> made;  // whose places stay
  std::string name;
  for (const char c : text) {
    if (c != ' ') name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  const std::lock_guard lock(mutex);
  if (const auto known = made.find(name); known != made.end()) return &known->second;
  std::string_view list = name;
  const bool reversed = list.ends_with(kReversedSuffix);
  if (reversed) list.remove_suffix(kReversedSuffix.size());
  Result<std::vector<Color>> colors = colors_of(list);
  if (!colors) return colors.error();
  if (reversed) std::ranges::reverse(*colors);
  return &made.emplace(name, interpolated(name, *colors)).first->second;
}

}  // namespace attn
