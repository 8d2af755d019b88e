// Steps through JSON text, remembers the place of every value and collects what is wrong with it.
#include "document/json/cursor.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <system_error>

#include "base/number_text.h"
#include "base/utf8.h"

namespace attn {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_word_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' || c == '+' ||
         c == '-' || c == '.';
}

std::string in_quotes(std::string_view text) {
  return "\"" + visible_token(shortened(text, 40)) + "\"";
}

std::string escaped_pointer_part(std::string_view part) {
  std::string text;
  for (const char c : part) {
    if (c == '~') {
      text += "~0";
    } else if (c == '/') {
      text += "~1";
    } else {
      text += c;
    }
  }
  return text;
}

std::vector<std::string> pointer_parts(std::string_view pointer) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < pointer.size(); ++i) {
    if (pointer[i] == '/') {
      parts.emplace_back();
    } else if (!parts.empty() && pointer[i] == '~' && i + 1 < pointer.size()) {
      parts.back() += pointer[++i] == '1' ? '/' : '~';
    } else if (!parts.empty()) {
      parts.back() += pointer[i];
    }
  }
  return parts;
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

// Where a pointer leads, going down one level per call.
void find_pointer(JsonCursor& cursor, const std::vector<std::string>& parts, std::size_t level,
                  std::size_t& offset) {
  const JsonCursor::Kind kind = cursor.kind();
  offset = cursor.offset();
  if (level == parts.size()) return;
  const auto descend = [&](bool here) {
    if (!here) return cursor.skip();
    find_pointer(cursor, parts, level + 1, offset);
    return false;
  };
  if (kind == JsonCursor::Kind::Object) {
    cursor.each_member([&](const std::string& key) { return descend(key == parts[level]); });
  } else if (kind == JsonCursor::Kind::List) {
    std::size_t index = 0;
    cursor.each_item([&] { return descend(std::to_string(index++) == parts[level]); });
  }
}

}  // namespace

JsonCursor::JsonCursor(std::string_view text, const JsonLimits& limits)
    : text_(text), limits_(limits) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text_.starts_with(kByteOrderMark)) offset_ = kByteOrderMark.size();
}

void JsonCursor::skip_blanks() {
  while (offset_ < text_.size()) {
    const char c = text_[offset_];
    if (c != ' ' && c != '\n' && c != '\t' && c != '\r') return;
    ++offset_;
  }
}

JsonCursor::Kind JsonCursor::kind() {
  skip_blanks();
  if (offset_ >= text_.size()) return Kind::Nothing;
  switch (text_[offset_]) {
    case '[':
      return Kind::List;
    case '{':
      return Kind::Object;
    case '"':
      return Kind::Text;
    case 't':
    case 'f':
      return Kind::Bool;
    case 'n':
      return word_ahead() == "null" ? Kind::Null : Kind::Nothing;
    default:
      return is_digit(text_[offset_]) || text_[offset_] == '-' ? Kind::Number : Kind::Nothing;
  }
}

std::string JsonCursor::describe() {
  switch (kind()) {
    case Kind::Null:
      return "null";
    case Kind::List:
      return "a list";
    case Kind::Object:
      return "an object";
    case Kind::Bool:
      return std::string(word_ahead());
    case Kind::Number:
      return "the number " + shortened(word_ahead(), 40);
    case Kind::Nothing:
      return found_here();
    case Kind::Text:
      break;
  }
  // Looked at through a copy: reading may fail, and that is to be reported by whoever reads on.
  JsonCursor ahead(text_, limits_);
  ahead.offset_ = offset_;
  std::string value;
  return ahead.read_text(value) ? "the text " + in_quotes(value) : "a text";
}

std::string_view JsonCursor::word_ahead() const {
  std::size_t end = offset_;
  while (end < text_.size() && is_word_character(text_[end])) ++end;
  return text_.substr(offset_, end - offset_);
}

std::string JsonCursor::found_here() const {
  if (offset_ >= text_.size()) return "the end of the text";
  const std::string_view word = word_ahead();
  if (!word.empty()) return shortened(word, 40);
  return in_quotes(text_.substr(offset_, code_point_at(text_, offset_).length));
}

bool JsonCursor::add(std::size_t offset, ErrorKind kind, const std::string& message,
                     const std::string& found, const std::string& expected,
                     const std::string& hint) {
  if (errors_.size() >= kMostErrors && !broken_) return false;
  Error error;
  error.kind = kind;
  error.message = message;
  error.pointer = pointer();
  error.found = found;
  error.expected = expected;
  error.hint = hint;
  set_place(error, text_, offset);
  errors_.push_back(std::move(error));
  return false;
}

bool JsonCursor::refuse(const std::string& message, const std::string& found,
                        const std::string& expected, const std::string& hint) {
  skip_blanks();
  return add(offset_, ErrorKind::BadInput, message, found, expected, hint);
}

bool JsonCursor::refuse_at(const Mark& mark, const std::string& message, const std::string& found,
                           const std::string& expected, const std::string& hint) {
  return add(mark.offset, ErrorKind::BadInput, message, found, expected, hint);
}

bool JsonCursor::refuse_key(const std::string& message, const std::string& expected,
                            const std::string& hint) {
  return add(path_.back().offset, ErrorKind::BadInput, message, in_quotes(path_.back().key),
             expected, hint);
}

bool JsonCursor::broken(const std::string& message, const std::string& expected,
                        const std::string& hint) {
  broken_ = true;
  return add(offset_, ErrorKind::BadInput, message, found_here(), expected, hint);
}

bool JsonCursor::broken_value() {
  if (offset_ >= text_.size()) return broken("the text ends too early", "a value");
  const std::string_view word = word_ahead();
  std::string lower(shortened(word, 20));
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  for (const std::string_view name : {"nan", "inf", "-inf", "+inf", "infinity", "-infinity"}) {
    if (lower == name) {
      return broken("this word is not JSON", "a number",
                    "write \"nan\", \"inf\" or \"-inf\" with quotation marks");
    }
  }
  if (lower == "true" || lower == "false") {
    return broken("this word is not JSON", lower + " in small letters");
  }
  if (lower == "none" || lower == "undefined") return broken("this word is not JSON", "null");
  if (text_[offset_] == '\'') {
    return broken("this is not JSON", "quotation marks \" around texts");
  }
  if (text_[offset_] == '/' || text_[offset_] == '#') {
    return broken("JSON has no comments", "a value");
  }
  if (text_[offset_] == '-' || text_[offset_] == '+' || text_[offset_] == '.' ||
      is_digit(text_[offset_])) {
    return broken("this is not a number as JSON writes it", "a number such as -0.5 or 1e-3");
  }
  return broken("this is not JSON", "a value");
}

bool JsonCursor::expect_word(std::string_view word) {
  if (word_ahead() != word) return broken_value();
  offset_ += word.size();
  return true;
}

bool JsonCursor::read_null() {
  if (kind() != Kind::Null) return refuse("not null", describe(), "null");
  return expect_word("null");
}

bool JsonCursor::read_bool(bool& value) {
  if (kind() == Kind::Nothing) return broken_value();
  if (kind() != Kind::Bool) return refuse("this is no truth value", describe(), "true or false");
  value = text_[offset_] == 't';
  return expect_word(value ? "true" : "false");
}

bool JsonCursor::read_number(std::string_view& text) {
  if (kind() == Kind::Nothing) return broken_value();
  if (kind() != Kind::Number) return refuse("this is no number", describe(), "a number");
  std::size_t at = offset_;
  const auto digits = [&] {
    const std::size_t start = at;
    while (at < text_.size() && is_digit(text_[at])) ++at;
    return at - start;
  };
  const auto accept = [&](std::string_view characters) {
    const bool there = at < text_.size() && characters.find(text_[at]) != characters.npos;
    if (there) ++at;
    return there;
  };
  accept("-");
  const std::size_t whole = at;
  if (digits() == 0) return broken_value();
  if (text_[whole] == '0' && at > whole + 1) return broken_value();
  if (accept(".") && digits() == 0) return broken_value();
  if (accept("eE")) {
    accept("+-");
    if (digits() == 0) return broken_value();
  }
  if (at < text_.size() && is_word_character(text_[at])) return broken_value();
  text = text_.substr(offset_, at - offset_);
  offset_ = at;
  return true;
}

bool JsonCursor::read_float(float& value) {
  if (kind() == Kind::Text) {
    const Mark start = mark();
    std::string word;
    if (!read_text(word)) return false;
    if (word == "nan") {
      value = std::numeric_limits<float>::quiet_NaN();
    } else if (word == "inf" || word == "-inf") {
      value = word == "inf" ? std::numeric_limits<float>::infinity()
                            : -std::numeric_limits<float>::infinity();
    } else {
      return refuse_at(start, "a text stands where a number is due", "the text " + in_quotes(word),
                       "a number", "only \"nan\", \"inf\" and \"-inf\" are written as texts");
    }
    return true;
  }
  const Mark start = mark();
  std::string_view text;
  if (!read_number(text)) return false;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
  if (parsed.ec == std::errc::result_out_of_range) {
    if (decimal_magnitude(text) > 0) {
      return refuse_at(start, "the number is too large for a 32-bit float", shortened(text, 40),
                       "at most 3.4028235e38 in magnitude");
    }
    // Programs print tails of a softmax such as 1e-60 from doubles; zero is the nearest float.
    value = text.starts_with('-') ? -0.0F : 0.0F;
  }
  return true;
}

bool JsonCursor::read_hex(unsigned& unit) {
  unit = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    if (offset_ >= text_.size()) return broken("the text ends too early", "four hex digits");
    const char* at = text_.data() + offset_;
    unsigned digit = 0;
    if (std::from_chars(at, at + 1, digit, 16).ec != std::errc{}) {
      return broken("this escape is not complete", "four hex digits after \\u");
    }
    unit = unit * 16 + digit;
    ++offset_;
  }
  return true;
}

bool JsonCursor::read_escape(std::string& value) {
  if (offset_ >= text_.size()) return broken("the text ends too early", "the rest of an escape");
  constexpr std::string_view kLetters = "\"\\/bfnrt";
  constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
  const char letter = text_[offset_];
  const std::size_t at = kLetters.find(letter);
  if (at != kLetters.npos) {
    value += kMeanings[at];
    ++offset_;
    return true;
  }
  if (letter != 'u')
    return broken("JSON has no such escape", "one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u");
  ++offset_;
  unsigned code = 0;
  if (!read_hex(code)) return false;
  if (code >= 0xD800 && code < 0xE000) {
    unsigned low = 0;
    const bool pair = code < 0xDC00 && text_.substr(offset_, 2) == "\\u";
    if (!pair) return broken("half of a surrogate pair", "both halves, as in \\ud83d\\ude00");
    offset_ += 2;
    if (!read_hex(low)) return false;
    if (low < 0xDC00 || low >= 0xE000) {
      return broken("half of a surrogate pair", "a second half from \\udc00 to \\udfff");
    }
    code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
  }
  append_utf8(value, code);
  return true;
}

bool JsonCursor::read_text(std::string& value) {
  if (kind() == Kind::Nothing) return broken_value();
  if (kind() != Kind::Text)
    return refuse("this is no text", describe(), "a text in quotation marks");
  value.clear();
  ++offset_;
  while (offset_ < text_.size()) {
    const char c = text_[offset_];
    if (static_cast<unsigned char>(c) < 0x20) {
      return broken("a control character stands in a text", "an escape such as \\n or \\t");
    }
    ++offset_;
    if (c == '"') return true;
    if (c != '\\') {
      value += c;
    } else if (!read_escape(value)) {
      return false;
    }
  }
  return broken("the text ends too early", "a closing quotation mark");
}

bool JsonCursor::skip() {
  switch (kind()) {
    case Kind::Null:
      return expect_word("null");
    case Kind::Bool: {
      bool value = false;
      return read_bool(value);
    }
    case Kind::Number: {
      std::string_view text;
      return read_number(text);
    }
    case Kind::Text: {
      std::string text;
      return read_text(text);
    }
    case Kind::List:
      return each_item([this] { return skip(); });
    case Kind::Object:
      return each_member([this](const std::string&) { return skip(); });
    case Kind::Nothing:
      break;
  }
  return broken_value();
}

bool JsonCursor::open(char bracket) {
  const Kind wanted = bracket == '[' ? Kind::List : Kind::Object;
  const Kind here = kind();
  if (here == Kind::Nothing) return broken_value();
  if (here != wanted) {
    return refuse(wanted == Kind::List ? "this is no list" : "this is no object", describe(),
                  wanted == Kind::List ? "a list" : "an object");
  }
  if (depth_ >= limits_.depth) {
    const std::string limit = std::to_string(limits_.depth);
    broken_ = true;
    return add(offset_, ErrorKind::BadInput, "lists and objects are nested too deeply",
               "more than " + limit + " levels", "at most " + limit, "");
  }
  ++depth_;
  ++offset_;
  return true;
}

void JsonCursor::close() {
  --depth_;
  ++offset_;
}

bool JsonCursor::is_closed_at_once(char bracket) {
  skip_blanks();
  const bool closed = offset_ < text_.size() && text_[offset_] == bracket;
  if (closed) close();
  return closed;
}

JsonCursor::After JsonCursor::after_item(char bracket) {
  skip_blanks();
  const std::string closing(1, bracket);
  if (offset_ >= text_.size()) {
    broken("the text ends too early", "\",\" or \"" + closing + "\"");
    return After::Broken;
  }
  if (text_[offset_] == bracket) {
    close();
    return After::End;
  }
  if (text_[offset_] != ',') {
    broken("this is not JSON", "\",\" or \"" + closing + "\"");
    return After::Broken;
  }
  ++offset_;
  skip_blanks();
  if (offset_ < text_.size() && text_[offset_] == bracket) {
    broken("a comma stands before the closing bracket", "another value, or no comma");
    return After::Broken;
  }
  return After::Next;
}

bool JsonCursor::read_key(std::string& key) {
  skip_blanks();
  path_.back().is_known = false;
  path_.back().offset = offset_;
  if (kind() != Kind::Text) {
    return broken(offset_ < text_.size() ? "this is no key" : "the text ends too early",
                  "a key in quotation marks");
  }
  if (!read_text(key)) return false;
  skip_blanks();
  if (offset_ >= text_.size() || text_[offset_] != ':') {
    return broken(offset_ < text_.size() ? "this is not JSON" : "the text ends too early",
                  "\":\" after the key " + in_quotes(key));
  }
  ++offset_;
  path_.back().key = key;
  path_.back().is_known = true;
  return charge(2 * key.size() + 64);
}

bool JsonCursor::finish() {
  skip_blanks();
  if (offset_ >= text_.size()) return true;
  return broken("something follows the document", "the end of the text");
}

JsonCursor::Mark JsonCursor::mark() {
  skip_blanks();
  return {offset_, path_.size(), depth_};
}

bool JsonCursor::recover(const Mark& mark) {
  if (fatal()) return false;
  const std::size_t known = errors_.size();
  offset_ = mark.offset;
  path_.resize(mark.path_length);
  depth_ = mark.depth;
  const bool understood = skip();
  // What was refused once need not be refused again, such as a duplicate key inside the value.
  if (understood) errors_.resize(known);
  return understood;
}

bool JsonCursor::charge(std::uint64_t bytes) {
  charged_ += bytes;
  if (charged_ <= limits_.memory_bytes) return true;
  broken_ = true;
  return add(offset_, ErrorKind::OverMemoryLimit, "the document needs more memory than is allowed",
             "more than " + bytes_text(limits_.memory_bytes) + " for " + bytes_text(text_.size()) +
                 " of text",
             "at most " + bytes_text(limits_.memory_bytes), "raise the memory limit");
}

std::string JsonCursor::pointer() const {
  std::string text;
  for (const Step& step : path_) {
    if (!step.is_known) continue;
    text += "/" + (step.is_index ? std::to_string(step.index) : escaped_pointer_part(step.key));
  }
  return text;
}

void set_place(Error& error, std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, offset);
  const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0: the first line
  error.line = static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n')) + 1;
  error.column = before.size() - line_start + 1;
}

std::size_t offset_of_pointer(std::string_view text, std::string_view pointer) {
  JsonCursor cursor(text, {});
  std::size_t offset = 0;
  find_pointer(cursor, pointer_parts(pointer), 0, offset);
  return offset;
}

}  // namespace attn
