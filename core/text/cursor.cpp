// Steps through lists and objects, reads words, numbers and texts, and says what is wrong.
#include "text/cursor.h"

#include <array>
#include <charconv>
#include <limits>
#include <system_error>

#include "base/number_text.h"
#include "base/utf8.h"
#include "text/number.h"

namespace attn {
namespace {

constexpr std::size_t kCharactersShown = 40;

bool is_blank(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

// Of a number, or of a word that may stand in place of one.
bool is_word_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' || c == '+' ||
         c == '-' || c == '.';
}

std::string in_quotes(std::string_view text) {
  return "\"" + visible_token(shortened(text, kCharactersShown)) + "\"";
}

// Behind a comma, where a number follows.
const char* step_to_next_number(const char* at, const char* end) {
  while (at < end && is_blank(*at)) ++at;
  if (at == end || *at != ',') return nullptr;
  ++at;
  while (at < end && is_blank(*at)) ++at;
  return at < end && (is_digit(*at) || *at == '-') ? at : nullptr;
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

std::string escaped_pointer_part(std::string_view part) {
  std::string text;
  for (const char c : part) {
    if (c == '~' || c == '/') text += c == '~' ? "~0" : "~1";
    if (c != '~' && c != '/') text += c;
  }
  return text;
}

}  // namespace

JsonCursor::JsonCursor(std::string_view text, const JsonLimits& limits)
    : text_(text), limits_(limits) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text.starts_with(kByteOrderMark)) at_ = kByteOrderMark.size();
}

void JsonCursor::skip_blanks() {
  while (is_blank(peek())) ++at_;
}

JsonCursor::Kind JsonCursor::kind() {
  skip_blanks();
  const char here = peek();
  switch (here) {
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
      return is_digit(here) || here == '-' ? Kind::Number : Kind::Nothing;
  }
}

// The letters, digits and signs ahead, up to `longest` of them.
std::string_view JsonCursor::word_ahead(std::size_t longest) const {
  const std::string_view ahead = text_.substr(at_, longest);
  const auto end = std::ranges::find_if_not(ahead, is_word_character);
  return ahead.substr(0, static_cast<std::size_t>(end - ahead.begin()));
}

bool JsonCursor::skip() {
  switch (kind()) {
    case Kind::Null:
      return read_null();
    case Kind::Bool: {
      bool value = false;
      return read_bool(value);
    }
    case Kind::Number: {
      std::string_view text;
      return read_number(text);
    }
    case Kind::Text:
      return read_characters(nullptr);
    case Kind::List:
      return each_item([this] { return skip(); });
    case Kind::Object:
      return each_member([this](const std::string&) { return skip(); });
    case Kind::Nothing:
      break;
  }
  return broken_value();
}

bool JsonCursor::open(char bracket, bool& more) {
  const bool list = bracket == '[';
  const Kind here = kind();
  if (here == Kind::Nothing) return broken_value();
  if (here != (list ? Kind::List : Kind::Object)) {
    return refuse(list ? "this is no list" : "this is no object", describe(),
                  list ? "a list" : "an object");
  }
  if (path_.size() >= limits_.depth) {
    const std::string limit = std::to_string(limits_.depth);
    broken_ = true;
    return add(at_, ErrorKind::BadInput, "lists and objects are nested too deeply",
               "more than " + limit + " levels", "at most " + limit, "");
  }
  ++at_;
  skip_blanks();
  more = peek() != (list ? ']' : '}');
  if (more) path_.push_back({.is_index = list, .is_known = list});
  if (!more) ++at_;
  return true;
}

// Leaves the list or object with its last item.
bool JsonCursor::after_item(bool& more) {
  const char bracket = path_.back().is_index ? ']' : '}';
  skip_blanks();
  const char here = peek();
  if (here != bracket && here != ',') {
    return broken(is_at_end() ? "the text ends too early" : "this is not JSON",
                  std::string("\",\" or \"") + bracket + "\"");
  }
  ++at_;
  more = here == ',';
  if (!more) {
    path_.pop_back();
    return true;
  }
  skip_blanks();
  if (peek() == bracket) {
    return broken("a comma stands before the closing bracket", "another value, or no comma");
  }
  ++path_.back().index;
  return true;
}

bool JsonCursor::read_key(std::string& key) {
  skip_blanks();
  path_.back().is_known = false;
  path_.back().at = at_;
  if (kind() != Kind::Text) {
    return broken(is_at_end() ? "the text ends too early" : "this is no key",
                  "a key in quotation marks");
  }
  if (!read_text(key)) return false;
  skip_blanks();
  if (peek() != ':') {
    return broken(is_at_end() ? "the text ends too early" : "this is not JSON",
                  "\":\" after the key " + in_quotes(key));
  }
  ++at_;
  path_.back().key = key;
  path_.back().is_known = true;
  return true;
}

bool JsonCursor::finish() {
  skip_blanks();
  return is_at_end() || broken("something follows the document", "the end of the text");
}

JsonCursor::Mark JsonCursor::mark() {
  skip_blanks();
  return {at_, path_.size()};
}

// One refusal of a value is enough: a duplicate key inside it need not be told as well.
bool JsonCursor::recover(const Mark& mark) {
  if (fatal()) return false;
  at_ = mark.at;
  path_.resize(mark.depth);
  const bool before = std::exchange(recovers_, true);
  const bool skipped = skip();
  recovers_ = before;
  return skipped;
}

bool JsonCursor::expect_word(std::string_view word) {
  if (word_ahead() != word) return broken_value();
  at_ += word.size();
  return true;
}

bool JsonCursor::read_null() {
  if (kind() != Kind::Null) return refuse("not null", describe(), "null");
  return expect_word("null");
}

bool JsonCursor::read_bool(bool& value) {
  if (kind() == Kind::Nothing) return broken_value();
  if (kind() != Kind::Bool) return refuse("this is no truth value", describe(), "true or false");
  value = peek() == 't';
  return expect_word(value ? "true" : "false");
}

bool JsonCursor::read_number(std::string_view& text) {
  if (kind() == Kind::Nothing) return broken_value();
  if (kind() != Kind::Number) return refuse("this is no number", describe(), "a number");
  text = word_ahead(text_.npos);
  if (!is_json_number(text)) return broken_value();
  at_ += text.size();
  return true;
}

bool JsonCursor::read_float(float& value) {
  if (kind() == Kind::Text) return float_named(value);
  const Mark start = mark();
  std::string_view text;
  if (!read_number(text)) return false;
  return finite_float(text, value) ||
         refuse_at(start, "the number is too large for a 32-bit float",
                   shortened(text, kCharactersShown), "at most 3.4028235e38 in magnitude");
}

std::size_t JsonCursor::read_floats(std::span<float> room) {
  const char* at = text_.data() + at_;
  const char* const end = text_.data() + text_.size();
  std::size_t count = 0;
  for (; count < room.size(); ++count) {
    const char* next = read_plain_float(at, end, room[count]);
    if (next != nullptr) next = step_to_next_number(next, end);
    if (next == nullptr) break;
    at = next;
  }
  at_ = static_cast<std::size_t>(at - text_.data());
  path_.back().index += count;
  return count;
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
  if (kind() != Kind::List) return false;
  std::size_t item = at_ + 1;
  while (item < text_.size() && is_blank(text_[item])) ++item;
  return item < text_.size() && first_characters.find(text_[item]) != first_characters.npos;
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
  ++at_;
  std::string unwanted;
  while (true) {
    const std::size_t plain = count_plain(text_.substr(at_));
    if (value != nullptr) value->append(text_, at_, plain);
    at_ += plain;
    if (peek() == '"') break;
    if (!read_special(value != nullptr ? *value : unwanted)) return false;
  }
  ++at_;
  return true;
}

// What stands for another character, or is none that may stand here.
bool JsonCursor::read_special(std::string& value) {
  if (is_at_end()) return broken("the text ends too early", "a closing quotation mark");
  if (peek() == '\\') return read_escape(value);
  return broken("a control character stands in a text", "an escape such as \\n or \\t");
}

bool JsonCursor::read_escape(std::string& value) {
  constexpr std::string_view kLetters = "\"\\/bfnrt";
  constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
  const std::size_t start = at_++;
  if (is_at_end()) return broken("the text ends too early", "the rest of an escape");
  const char letter = peek();
  const std::size_t meaning = kLetters.find(letter);
  if (meaning == kLetters.npos && letter != 'u') {
    return broken("JSON has no such escape", "one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u");
  }
  ++at_;
  if (letter != 'u') {
    value += kMeanings[meaning];
    return true;
  }
  unsigned code = 0;
  if (!read_unit(code) || (is_half_of_a_pair(code) && !read_second_half(start, code))) return false;
  append_utf8(value, code);
  return true;
}

// Four hex digits.
bool JsonCursor::read_unit(unsigned& unit) {
  const std::string_view digits = text_.substr(at_, 4);
  const char* const end = digits.data() + digits.size();
  at_ +=
      static_cast<std::size_t>(std::from_chars(digits.data(), end, unit, 16).ptr - digits.data());
  if (is_at_end() && digits.size() < 4) return broken("the text ends too early", "four hex digits");
  return text_.data() + at_ == end ||
         broken("this escape is not complete", "four hex digits after \\u");
}

// `code`: the first half of a surrogate pair, which begins at `start`, then what both stand for.
bool JsonCursor::read_second_half(std::size_t start, unsigned& code) {
  const auto half = [&](const char* expected) {
    broken_ = true;
    return add(start, ErrorKind::BadInput, "half of a surrogate pair", escape_of(code), expected,
               "");
  };
  if (code >= 0xDC00 || !text_.substr(at_).starts_with("\\u")) {
    return half("both halves, as in \\ud83d\\ude00");
  }
  at_ += 2;
  unsigned low = 0;
  if (!read_unit(low)) return false;
  if (low < 0xDC00 || !is_half_of_a_pair(low)) {
    return half("a second half from \\udc00 to \\udfff behind it");
  }
  code = 0x10000 + ((code - 0xD800) << 10U) + (low - 0xDC00);
  return true;
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
      return "the number " + shortened(word_ahead(), kCharactersShown);
    case Kind::Nothing:
      return found_here();
    case Kind::Text:
      break;
  }
  return described_text();
}

// By as much of it as is shown, which another cursor reads: reading may fail, and that is to be
// reported by whoever reads on.
std::string JsonCursor::described_text() {
  constexpr std::size_t kLongestCharacter = 12;  // two escapes
  JsonCursor ahead(text_.substr(at_, (kCharactersShown + 1) * kLongestCharacter + 1), {});
  std::string value;
  const bool whole = ahead.read_text(value);
  const bool enough = whole || code_point_count(value) > kCharactersShown;
  return enough ? "the text " + in_quotes(value) : "a text";
}

std::string JsonCursor::found_here() {
  if (is_at_end()) return "the end of the text";
  const std::string_view word = word_ahead();
  if (!word.empty()) return shortened(word, kCharactersShown);
  return in_quotes(text_.substr(at_, code_point_at(text_, at_).length));
}

bool JsonCursor::add(std::size_t at, ErrorKind kind, const std::string& message,
                     const std::string& found, const std::string& expected,
                     const std::string& hint) {
  if (errors_.size() >= kMostErrors && !broken_) return false;
  Error& error = errors_.emplace_back();
  error.kind = kind;
  error.message = message;
  error.pointer = pointer();
  set_line_and_column(error, at);
  error.found = found;
  error.expected = expected;
  error.hint = hint;
  return false;
}

bool JsonCursor::refuse(const std::string& message, const std::string& found,
                        const std::string& expected, const std::string& hint) {
  return refuse_at(mark(), message, found, expected, hint);
}

bool JsonCursor::refuse_at(const Mark& mark, const std::string& message, const std::string& found,
                           const std::string& expected, const std::string& hint) {
  return add(mark.at, ErrorKind::BadInput, message, found, expected, hint);
}

bool JsonCursor::refuse_key(const std::string& message, const std::string& expected,
                            const std::string& hint) {
  return add(path_.back().at, ErrorKind::BadInput, message, in_quotes(key()), expected, hint);
}

bool JsonCursor::broken(const std::string& message, const std::string& expected,
                        const std::string& hint) {
  broken_ = true;
  return add(at_, ErrorKind::BadInput, message, found_here(), expected, hint);
}

bool JsonCursor::broken_value() {
  if (is_at_end()) return broken("the text ends too early", "a value");
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
  const char here = peek();
  if (here == '\'') return broken("this is not JSON", "quotation marks \" around texts");
  if (here == '/' || here == '#') return broken("JSON has no comments", "a value");
  if (here == '-' || here == '+' || here == '.' || is_digit(here)) {
    return broken("this is not a number as JSON writes it", "a number such as -0.5 or 1e-3");
  }
  return broken("this is not JSON", "a value");
}

bool JsonCursor::charge(std::uint64_t bytes) {
  constexpr std::size_t kBetweenReports = std::size_t{1} << 20U;
  if (limits_.progress != nullptr && at_ - reported_ > kBetweenReports) {
    reported_ = at_;
    limits_.progress->report(static_cast<float>(at_) / static_cast<float>(text_.size()));
    broken_ = broken_ || limits_.progress->cancelled;
    if (broken_) return false;
  }
  charged_ += bytes;
  if (charged_ <= limits_.memory_bytes) return true;
  broken_ = true;
  return add(at_, ErrorKind::OverMemoryLimit, "the document needs more memory than is allowed",
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

// Precondition: the cursor is at the start of a text that can be understood.
std::size_t JsonCursor::find(std::string_view wanted) {
  const std::size_t here = mark().at;
  std::size_t found = here;
  const auto step_in = [&] {
    const std::string at = pointer();
    const bool leads =
        wanted.starts_with(at) && (wanted.size() == at.size() || wanted[at.size()] == '/');
    if (!leads) return skip();
    found = find(wanted);
    return false;
  };
  if (wanted == pointer()) return here;
  if (kind() == Kind::List) each_item(step_in);
  if (kind() == Kind::Object) each_member([&](const std::string&) { return step_in(); });
  return found;
}

void JsonCursor::set_place(Error& error) {
  set_line_and_column(error, JsonCursor(text_, {}).find(error.pointer));
}

void JsonCursor::set_line_and_column(Error& error, std::size_t at) {
  if (at < counted_) counted_ = lines_ = 0;
  lines_ +=
      static_cast<std::size_t>(std::ranges::count(text_.substr(counted_, at - counted_), '\n'));
  counted_ = at;
  error.line = lines_ + 1;
  error.column = at - (text_.substr(0, at).rfind('\n') + 1) + 1;
}

}  // namespace attn
