// Normalisation of the spelling of a number.
#include "numbers/number_cell.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "base/number_text.h"
#include "base/special_numbers.h"

namespace attn {
namespace {

constexpr std::string_view kMinus = "\u2212";

std::string with_plain_minus(std::string_view text) {
  std::string out;
  while (true) {
    const std::size_t at = text.find(kMinus);
    out += text.substr(0, at);
    if (at == std::string_view::npos) return out;
    out += '-';
    text.remove_prefix(at + kMinus.size());
  }
}

bool is_same_word(std::string_view text, std::string_view lower_word) {
  const auto same = [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a + 32 : a) == b; };
  return std::ranges::equal(text, lower_word, same);
}

std::string_view without_module(std::string_view word) {
  for (const std::string_view module : {"np.", "numpy.", "math.", "torch."}) {
    if (word.starts_with(module)) return word.substr(module.size());
  }
  return word;
}

// Precondition: the text has a plain minus sign.
std::optional<float> special_number(std::string_view text) {
  text = without_blanks(text);
  const bool is_negative = text.starts_with('-');
  if (is_negative || text.starts_with('+')) text.remove_prefix(1);
  const std::string_view word = without_module(text);
  if (is_same_word(word, "nan")) return kNaN;
  const auto names = std::array{"inf", "infinity", "∞"};
  const bool is_infinite =
      std::ranges::any_of(names, [&](const char* name) { return is_same_word(word, name); });
  if (!is_infinite) return std::nullopt;
  return is_negative ? -kInfinity : kInfinity;
}

bool is_numeral(char c) { return c >= '0' && c <= '9'; }

// Position of an 'e' before an exponent; the end when there is none.
std::size_t exponent_at(std::string_view text) {
  return std::min(text.find_first_of("eE"), text.size());
}

std::optional<int> written_exponent(std::string_view text) {
  std::string_view digits = text.substr(std::min(exponent_at(text) + 1, text.size()));
  if (exponent_at(text) == text.size()) return 0;
  if (digits.starts_with('+')) digits.remove_prefix(1);
  int exponent = 0;
  const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), exponent);
  const bool whole = code == std::errc{} && end == digits.data() + digits.size();
  constexpr int kLargest = 1'000'000;
  if (!whole || exponent > kLargest || exponent < -kLargest) return std::nullopt;
  return exponent;
}

}  // namespace

std::string_view without_blanks(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

Result<float> number_of_cell(std::string_view text, NonFinite non_finite) {
  const std::string plain = with_plain_minus(text);
  const std::optional<float> special = special_number(plain);
  if (!special) return parse_number(plain);
  if (non_finite == NonFinite::Refused) return parse_number(shortest_text(*special));
  return *special;
}

bool looks_numeric(std::string_view text) {
  const std::string plain = with_plain_minus(without_blanks(text));
  if (special_number(plain)) return true;
  return std::ranges::any_of(plain, is_numeral) &&
         plain.find_first_not_of("0123456789.,+-eE_%' ±") == std::string::npos;
}

bool may_be_one_number(std::string_view before, std::string_view after) {
  if (!before.empty() && (before[0] == '-' || before[0] == '+')) before.remove_prefix(1);
  return !before.empty() && std::ranges::all_of(before, is_numeral) && !after.empty() &&
         is_numeral(after.front()) && is_numeral(after.back()) &&
         after.find_first_not_of("0123456789eE+-") == std::string_view::npos;
}

bool is_shortened(std::string_view text) { return text == "..." || text == "…"; }

std::optional<int> power_of_ten(std::string_view text) {
  const std::string_view mantissa = text.substr(0, exponent_at(text));
  const std::optional<int> exponent = written_exponent(text);
  const std::size_t one = mantissa.find('1');
  const bool is_one = std::ranges::count(mantissa, '1') == 1 &&
                      std::ranges::count(mantissa, '.') <= 1 &&
                      mantissa.find_first_not_of("01.") == std::string_view::npos;
  if (!is_one || !exponent) return std::nullopt;
  const std::size_t point = std::min(mantissa.find('.'), mantissa.size());
  const auto places = static_cast<int>(point) - static_cast<int>(one);
  return *exponent + (places > 0 ? places - 1 : places);
}

std::string scaled_number(std::string_view text, int power) {
  std::string plain = with_plain_minus(text);
  const std::optional<int> exponent = written_exponent(plain);
  if (power == 0 || !exponent || !looks_numeric(plain) || special_number(plain)) return plain;
  plain.erase(exponent_at(plain));
  return plain + "e" + std::to_string(*exponent + power);
}

}  // namespace attn
