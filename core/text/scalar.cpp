// Grammar of scalars, and the nearest float of a number.
#include "text/scalar.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <system_error>

#include "base/utf8.h"

namespace attn {
namespace {

bool is_word_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' || c == '+' ||
         c == '-' || c == '.';
}

std::size_t end_of_number(std::string_view text, std::size_t at) {
  const auto step = [&](std::string_view characters) {
    const bool there = at < text.size() && characters.find(text[at]) != characters.npos;
    at += there ? 1 : 0;
    return there;
  };
  const auto step_over_digits = [&] {
    const std::size_t start = at;
    while (at < text.size() && is_digit(text[at])) ++at;
    return at > start;
  };
  step("-");
  const std::size_t whole = at;
  if (!step_over_digits() || (text[whole] == '0' && at > whole + 1)) return 0;
  if (step(".") && !step_over_digits()) return 0;
  if (step("eE")) {
    step("+-");
    if (!step_over_digits()) return 0;
  }
  return at < text.size() && is_word_character(text[at]) ? 0 : at;
}

// 0 for texts with escapes and invalid ones.
std::size_t end_of_text(std::string_view text, std::size_t at) {
  at += 1 + leading_characters(text.substr(at + 1)).size();
  return at < text.size() && text[at] == '"' ? at + 1 : 0;
}

std::size_t end_of_word(std::string_view text, std::size_t at) {
  constexpr std::size_t kLongerThanAny = 6;
  const std::string_view word = leading_word(text.substr(at, kLongerThanAny));
  return word == "true" || word == "false" || word == "null" ? at + word.size() : 0;
}

// digits / 10^places, each rounded once, then their quotient: an error of at most three units in
// the last place of a double. Doubles are 2^29 times as dense as floats, so the rounded float is
// exact unless the middle between two floats is that near.
bool float_of_quotient(std::uint64_t digits, std::size_t places, float& value) {
  constexpr double kPowersOfTen[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,
                                     1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19};
  constexpr std::uint64_t kMiddle = std::uint64_t{1} << 28U, kNear = 8;
  const double quotient = static_cast<double>(digits) / kPowersOfTen[places];
  value = static_cast<float>(quotient);
  const std::uint64_t below_float = std::bit_cast<std::uint64_t>(quotient) & (2 * kMiddle - 1);
  return below_float - (kMiddle - kNear) > 2 * kNear;
}

// End of the number; 0 for anything else and for some rare numbers.
std::size_t read_plain_float(std::string_view text, std::size_t at, float& value) {
  const std::size_t whole = at + (text[at] == '-' ? 1 : 0);
  std::size_t stop = whole;
  std::uint64_t digits = 0;
  const auto take_digits = [&] {
    for (; stop < text.size() && is_digit(text[stop]); ++stop) {
      digits = digits * 10 + static_cast<std::uint64_t>(text[stop] - '0');
    }
    return stop;
  };
  const std::size_t point = take_digits();
  if (stop == whole || (text[whole] == '0' && stop > whole + 1)) return 0;
  if (stop < text.size() && text[stop] == '.') {
    ++stop;
    if (take_digits() == point + 1) return 0;
  }
  const std::size_t places = stop == point ? 0 : stop - point - 1;
  const char next = stop < text.size() ? text[stop] : ',';
  // 19 digits are below 2^64.
  const bool few = stop - whole <= (stop > point ? 20 : 19) && next != 'e' && next != 'E';
  if (few && float_of_quotient(digits, places, value)) {
    // Sets the sign without a branch, which would often be mispredicted.
    const auto sign = static_cast<std::uint32_t>(whole - at) << 31U;
    value = std::bit_cast<float>(std::bit_cast<std::uint32_t>(value) ^ sign);
  } else {
    const auto [end, code] = std::from_chars(text.data() + at, text.data() + text.size(), value);
    if (code != std::errc{}) return 0;
    stop = static_cast<std::size_t>(end - text.data());
  }
  return stop == text.size() || text[stop] == ',' || !is_word_character(text[stop]) ? stop : 0;
}

}  // namespace

std::string_view leading_word(std::string_view text) {
  const auto end = std::ranges::find_if_not(text, is_word_character);
  return text.substr(0, static_cast<std::size_t>(end - text.begin()));
}

std::string_view leading_characters(std::string_view text) {
  const auto end = std::ranges::find_if(
      text, [](char c) { return c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20; });
  return text.substr(0, static_cast<std::size_t>(end - text.begin()));
}

std::string in_quotes(std::string_view text) {
  return "\"" + visible_token(shortened(text, kCharactersShown)) + "\"";
}

std::string found_at_start(std::string_view text) {
  constexpr std::size_t kLongestWord = 64;
  if (text.empty()) return "the end of the text";
  const std::string_view word = leading_word(text.substr(0, kLongestWord));
  if (!word.empty()) return shortened(word, kCharactersShown);
  return in_quotes(text.substr(0, code_point_at(text, 0).length));
}

bool is_bare(std::string_view text, std::size_t at) {
  const std::string_view here = text.substr(at);
  const bool is_possible = here.starts_with('N') || here.starts_with('I') || here.starts_with("-I");
  const std::string_view word = is_possible ? leading_word(here.substr(0, 10)) : "";
  return word == "NaN" || word == "Infinity" || word == "-Infinity";
}

std::size_t end_of_scalar(std::string_view text, std::size_t at) {
  if (at >= text.size()) return 0;
  if (is_bare(text, at)) return at + leading_word(text.substr(at)).size();
  if (text[at] == '"') return end_of_text(text, at);
  return text[at] >= 'a' ? end_of_word(text, at) : end_of_number(text, at);
}

// Programs print tails of a softmax such as 1e-60 from doubles; zero is the nearest float.
std::size_t read_float(std::string_view text, std::size_t at, float& value) {
  if (at >= text.size()) return 0;
  std::size_t end = text[at] == '"' ? 0 : read_plain_float(text, at, value);
  if (end != 0) return end;
  end = end_of_scalar(text, at);
  if (end == 0 || text[at] >= 'a') return 0;
  if (text[at] == '"') return named_float(text.substr(at + 1, end - at - 2), value) ? end : 0;
  if (is_bare(text, at)) {
    const char first = text[at];
    named_float(first == 'N' ? "nan" : first == 'I' ? "inf" : "-inf", value);
    return end;
  }
  const double wide = wide_number(text.substr(at, end - at));
  value = static_cast<float>(wide);
  return std::abs(wide) < 1.0 ? end : 0;
}

bool named_float(std::string_view name, float& value) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const bool is_infinite = name == "inf" || name == "-inf";
  if (name == "nan") value = std::numeric_limits<float>::quiet_NaN();
  if (is_infinite) value = name == "inf" ? kInfinity : -kInfinity;
  return is_infinite || name == "nan";
}

}  // namespace attn
