// Texts of numbers, equal on all machines and in all locales.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace attn {

std::string_view without_blanks(std::string_view text);  // at both ends; line breaks are blanks

// The number that the text spells as std::to_string() does: "17", and not "017" or "+17".
template <class Whole>
std::optional<Whole> number_spelt(std::string_view text) {
  Whole number{};
  const bool is_read =
      std::from_chars(text.data(), text.data() + text.size(), number).ec == std::errc();
  return is_read && std::to_string(number) == text ? std::optional(number) : std::nullopt;
}

// Shortest text that reads back to the same float ("0.1", "-3", "1e-45"); "nan", "inf", "-inf".
std::string shortest_text(float value);

// Fixed number of decimals, rounded to nearest; never "-0.00"; non-finite: "nan", "inf", "-inf".
std::string fixed_text(double value, int decimals);

// About `digits` significant digits: "0.0123", "1.2e+08".
std::string short_text(double value, int digits = 4);

// About six significant digits without exponent: "1000000", "0.25".
std::string plain_text(double value);

// "1,234,567".
std::string grouped_text(std::uint64_t number);

// "3 rows", "1 row"; of other plurals "2 queries".
std::string counted(std::uint64_t count, const std::string& one, const std::string& many = {});

// Durations "1 s", "3 min", "2.5 h", "20 days"; rounded up below a minute.
std::string duration_text(double seconds);

// "1.5 GiB", "300 KiB", "12 bytes".
std::string bytes_text(std::uint64_t bytes);

}  // namespace attn
