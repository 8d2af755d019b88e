// Reads words, numbers and texts.
#include <array>
#include <charconv>
#include <limits>
#include <system_error>

#include "base/utf8.h"
#include "document/json/characters.h"
#include "document/json/cursor.h"
#include "document/json/decimal.h"

namespace attn {
namespace {

// A longer word is no number that anybody wrote, and need not be held in memory.
constexpr std::size_t kLongestNumber = std::size_t{1} << 20U;

// Leaves `at` behind the digits; false when there are none.
bool step_over_digits(std::string_view text, std::size_t& at) {
  const std::size_t start = at;
  while (at < text.size() && is_digit(text[at])) ++at;
  return at > start;
}

bool step_over(std::string_view text, std::string_view characters, std::size_t& at) {
  const bool there = at < text.size() && characters.find(text[at]) != characters.npos;
  if (there) ++at;
  return there;
}

bool is_json_number(std::string_view text) {
  std::size_t at = 0;
  step_over(text, "-", at);
  const std::size_t whole = at;
  if (!step_over_digits(text, at) || (text[whole] == '0' && at > whole + 1)) return false;
  if (step_over(text, ".", at) && !step_over_digits(text, at)) return false;
  if (step_over(text, "eE", at)) {
    step_over(text, "+-", at);
    if (!step_over_digits(text, at)) return false;
  }
  return at == text.size();
}

// Power of ten of the first digit that is not zero. Only its sign matters to the caller, so huge
// exponents are cut off.
long long decimal_magnitude(std::string_view number) {
  const std::size_t exponent_at = std::min(number.find_first_of("eE"), number.size());
  const std::string_view digits = number.substr(0, exponent_at);
  const std::size_t point = std::min(digits.find('.'), digits.size());
  const std::size_t first = digits.find_first_of("123456789");
  long long magnitude = static_cast<long long>(point) - static_cast<long long>(first);
  if (exponent_at < number.size()) {
    std::string_view exponent = number.substr(exponent_at + 1);
    const bool negative = exponent.starts_with('-');
    if (negative || exponent.starts_with('+')) exponent.remove_prefix(1);
    long long value = 0;
    for (const char c : exponent.substr(0, 4096)) {
      value = std::min<long long>(value * 10 + (c - '0'), 1'000'000'000'000);
    }
    magnitude += negative ? -value : value;
  }
  return magnitude;
}

// A number with its comma, when another number follows.
bool step_over_item(JsonText::Spot& spot, float& value) {
  spot.at = read_plain_float(spot.at, value);
  if (spot.at == nullptr) return false;
  spot.skip_blanks();
  if (*spot.at != ',') return false;
  ++spot.at;
  spot.skip_blanks();
  return is_digit(*spot.at) || *spot.at == '-';
}

// Characters of a text that stand for themselves.
std::size_t count_plain(std::string_view text) {
  std::size_t count = 0;
  while (count < text.size() && text[count] != '"' && text[count] != '\\' &&
         static_cast<unsigned char>(text[count]) >= 0x20) {
    ++count;
  }
  return count;
}

// "\\ud83d", of four digits.
std::string escape_of(unsigned unit) {
  std::array<char, 4> digits{};
  std::to_chars(digits.data(), digits.data() + digits.size(), unit, 16);
  return "\\u" + std::string(digits.data(), digits.size());
}

bool is_half_of_a_pair(unsigned unit) { return unit >= 0xD800 && unit < 0xE000; }

}  // namespace

bool JsonCursor::expect_word(std::string_view word) {
  if (word_ahead() != word) return broken_value();
  text_.step(word.size());
  value_ahead_ = false;
  return true;
}

bool JsonCursor::read_null() {
  if (kind() != Kind::Null) return refuse("not null", describe(), "null");
  return expect_word("null");
}

bool JsonCursor::read_bool(bool& value) {
  if (kind() == Kind::Nothing) return broken_value();
  if (kind() != Kind::Bool) return refuse("this is no truth value", describe(), "true or false");
  value = text_.peek() == 't';
  return expect_word(value ? "true" : "false");
}

bool JsonCursor::read_number(std::string_view& text) {
  if (kind() == Kind::Nothing) return broken_value();
  if (kind() != Kind::Number) return refuse("this is no number", describe(), "a number");
  text = word_ahead(kLongestNumber + 1);
  if (text.size() > kLongestNumber) {
    return broken("the number has too many digits", std::to_string(kLongestNumber) + " at most");
  }
  if (!is_json_number(text)) return broken_value();
  text_.step(text.size());
  value_ahead_ = false;
  return true;
}

bool JsonCursor::read_float(float& value) {
  if (kind() == Kind::Text) return float_named(value);
  if (take_plain_float(value)) return true;
  const Mark start = mark();
  std::string_view text;
  return read_number(text) && finite_float(text, start, value);
}

// A number that ends where the loaded text does may go on in the next block.
bool JsonCursor::take_plain_float(float& value) {
  if (kind() != Kind::Number) return false;
  JsonText::Spot spot = text_.spot();
  spot.at = read_plain_float(spot.at, value);
  if (spot.at == nullptr || *spot.at == '\0' || is_word_character(*spot.at)) return false;
  text_.go_to(spot);
  value_ahead_ = false;
  return true;
}

std::size_t JsonCursor::read_floats(std::span<float> room) {
  JsonText::Spot spot = text_.spot();
  std::size_t count = 0;
  for (JsonText::Spot next = spot; count < room.size(); ++count, spot = next) {
    if (!step_over_item(next, room[count])) break;
  }
  text_.go_to(spot);
  path_.back().index += count;
  return count;
}

bool JsonCursor::finite_float(std::string_view text, const Mark& start, float& value) {
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
  if (parsed.ec != std::errc::result_out_of_range) return true;
  if (decimal_magnitude(text) > 0) {
    return refuse_at(start, "the number is too large for a 32-bit float", shortened(text, 40),
                     "at most 3.4028235e38 in magnitude");
  }
  // Programs print tails of a softmax such as 1e-60 from doubles; zero is the nearest float.
  value = text.starts_with('-') ? -0.0F : 0.0F;
  return true;
}

bool JsonCursor::float_named(float& value) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const Mark start = mark();
  std::string word;
  if (!read_text(word)) return false;
  if (word == "nan") {
    value = std::numeric_limits<float>::quiet_NaN();
  } else if (word == "inf" || word == "-inf") {
    value = word == "inf" ? kInfinity : -kInfinity;
  } else {
    return refuse_at(start, "a text stands where a number is due", "the text " + in_quotes(word),
                     "a number", "only \"nan\", \"inf\" and \"-inf\" are written as texts");
  }
  return true;
}

bool JsonCursor::is_list_of(std::string_view first_characters) {
  constexpr std::size_t kFarthest = std::size_t{1} << 20U;
  if (kind() != Kind::List) return false;
  std::size_t at = 1;
  for (std::string_view seen = text_.ahead(2); at < seen.size(); seen = text_.ahead(at + 1)) {
    while (at < seen.size() && is_json_blank(seen[at])) ++at;
    if (at < seen.size() || at > kFarthest) break;
  }
  const std::string_view item = text_.ahead(at + 1).substr(at);
  return !item.empty() && first_characters.find(item.front()) != std::string_view::npos;
}

bool JsonCursor::read_text(std::string& value) {
  value.clear();
  return read_characters(&value);
}

// `value`: null when nobody wants them.
bool JsonCursor::read_characters(std::string* value) {
  if (kind() == Kind::Nothing) return broken_value();
  if (kind() != Kind::Text)
    return refuse("this is no text", describe(), "a text in quotation marks");
  text_.step();
  while (text_.peek() != '"') {
    const std::string_view seen = text_.ahead(1);
    const std::string_view plain = seen.substr(0, count_plain(seen));
    if (value != nullptr) *value += plain;
    text_.step(plain.size());
    std::string unwanted;
    if (plain.empty() && !read_special(value != nullptr ? *value : unwanted)) return false;
  }
  text_.step();
  value_ahead_ = false;
  return true;
}

// What stands for another character, or is none that may stand here.
bool JsonCursor::read_special(std::string& value) {
  if (text_.is_at_end()) return broken("the text ends too early", "a closing quotation mark");
  if (text_.peek() == '\\') return read_escape(value);
  return broken("a control character stands in a text", "an escape such as \\n or \\t");
}

bool JsonCursor::read_escape(std::string& value) {
  constexpr std::string_view kLetters = "\"\\/bfnrt";
  constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
  const TextPlace start = text_.place();
  text_.step();
  if (text_.is_at_end()) return broken("the text ends too early", "the rest of an escape");
  const char letter = text_.peek();
  const std::size_t at = kLetters.find(letter);
  if (at == kLetters.npos && letter != 'u') {
    return broken("JSON has no such escape", "one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u");
  }
  text_.step();
  if (letter != 'u') {
    value += kMeanings[at];
    return true;
  }
  unsigned code = 0;
  if (!read_unit(code) || (is_half_of_a_pair(code) && !read_second_half(start, code))) return false;
  append_utf8(value, code);
  return true;
}

// Four hex digits.
bool JsonCursor::read_unit(unsigned& unit) {
  for (std::size_t i = 0; i < 4; ++i, text_.step()) {
    if (text_.is_at_end()) return broken("the text ends too early", "four hex digits");
    const char digit = text_.peek();
    unsigned value = 0;
    if (std::from_chars(&digit, &digit + 1, value, 16).ec != std::errc{}) {
      return broken("this escape is not complete", "four hex digits after \\u");
    }
    unit = unit * 16 + value;
  }
  return true;
}

// `code`: the first half of a surrogate pair, which begins at `start`, then what both stand for.
bool JsonCursor::read_second_half(const TextPlace& start, unsigned& code) {
  const auto half = [&](const char* expected) {
    broken_ = true;
    return add(start, ErrorKind::BadInput, "half of a surrogate pair", escape_of(code), expected,
               "");
  };
  if (code >= 0xDC00 || !text_.ahead(2).starts_with("\\u")) {
    return half("both halves, as in \\ud83d\\ude00");
  }
  text_.step(2);
  unsigned low = 0;
  if (!read_unit(low)) return false;
  if (low < 0xDC00 || !is_half_of_a_pair(low)) {
    return half("a second half from \\udc00 to \\udfff behind it");
  }
  code = 0x10000 + ((code - 0xD800) << 10U) + (low - 0xDC00);
  return true;
}

}  // namespace attn
