// Texts of numbers, independent of the locale.
#include "base/number_text.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/special_numbers.h"

namespace attn {
namespace {

std::string non_finite_text(double value) {
  if (std::isnan(value)) return is_concealed(value) ? "?" : "nan";
  return value > 0 ? "inf" : "-inf";
}

}  // namespace

std::string_view without_blanks(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

std::string shortest_text(float value) {
  if (!std::isfinite(value)) return non_finite_text(value);
  std::array<char, 32> buffer{};
  const auto [end, code] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  return {buffer.data(), end};
}

std::string fixed_text(double value, int decimals) {
  if (!std::isfinite(value)) return non_finite_text(value);
  std::array<char, 400> buffer{};
  const auto [end, code] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                         std::chars_format::fixed, std::clamp(decimals, 0, 20));
  std::string text(buffer.data(), end);
  if (text[0] == '-' && text.find_first_not_of("-0.") == std::string::npos) text.erase(0, 1);
  return text;
}

std::string short_text(double value, int digits) {
  if (!std::isfinite(value)) return non_finite_text(value);
  if (value == 0.0) return "0";
  std::array<char, 64> buffer{};
  const auto [end, code] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                         std::chars_format::general, std::clamp(digits, 1, 17));
  return {buffer.data(), end};
}

std::string plain_text(double value) {
  if (value == std::floor(value)) return fixed_text(value, 0);
  std::string text = fixed_text(value, 6);
  text.erase(text.find_last_not_of('0') + 1);
  return text;
}

std::string grouped_text(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t place = text.size(); place > 3; place -= 3) text.insert(place - 3, ",");
  return text;
}

std::string counted(std::uint64_t count, const std::string& one, const std::string& many) {
  return grouped_text(count) + " " + (count == 1 ? one : many.empty() ? one + "s" : many);
}

std::string bytes_text(std::uint64_t bytes) {
  constexpr std::array<const char*, 5> kUnits = {"KiB", "MiB", "GiB", "TiB", "PiB"};
  if (bytes < 1024) return counted(bytes, "byte");
  double amount = static_cast<double>(bytes) / 1024.0;
  std::size_t unit = 0;
  while (amount >= 1024.0 && unit + 1 < kUnits.size()) {
    amount /= 1024.0;
    ++unit;
  }
  return fixed_text(amount, amount < 10.0 ? 1 : 0) + " " + kUnits[unit];
}

std::string duration_text(double seconds) {
  constexpr double kMinute = 60.0, kHour = 3600.0, kDay = 86400.0;
  if (seconds < 1.5 * kMinute) return fixed_text(std::ceil(seconds), 0) + " s";
  if (seconds < 1.5 * kHour) return fixed_text(seconds / kMinute, 0) + " min";
  if (seconds < 2.0 * kDay) return short_text(seconds / kHour, 2) + " h";
  return plain_text(std::round(seconds / kDay)) + " days";
}

}  // namespace attn
