// Builds the nodes of a text by nlohmann's parser. Reads rows of scalars without escapes before the
// parser sees them, and passes on only the last digit or the quotation marks of the last scalar of
// a row. So the parser's numbers, their limits, its positions and its messages are not used.
#include <charconv>
#include <iterator>
#include <limits>

#include "base/json.h"
#include "base/utf8.h"
#include "text/reader.h"
#include "text/scalar.h"

namespace attn {
namespace {

constexpr std::size_t kMostLevels = 64;

// First character of a number, a word or a text.
bool is_scalar_start(char c) {
  return is_digit(c) || c == '-' || c == '"' || c == 't' || c == 'f' || c == 'n' || c == 'N' ||
         c == 'I';
}

// Position after the closing quotation mark of the text that begins at `at`, or the end.
std::size_t behind_text(std::string_view text, std::size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at) at += text[at] == '\\' ? 1 : 0;
  return std::min(at + 1, text.size());
}

// Number of hex digits at `at`, up to four, and their value.
std::size_t hex_digits(std::string_view text, std::size_t at, unsigned& unit) {
  const std::string_view digits = text.substr(std::min(at, text.size()), 4);
  const char* const end = digits.data() + digits.size();
  return static_cast<std::size_t>(std::from_chars(digits.data(), end, unit, 16).ptr -
                                  digits.data());
}

}  // namespace

// Input and events of nlohmann's parser.
class JsonParser {
 public:
  explicit JsonParser(JsonReader& reader)
      : reader_(reader),
        text_(reader.text_),
        steps_(reader.options_.progress, reader.text_.size()) {
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    if (text_.starts_with(kByteOrderMark)) at_ = done_ = kByteOrderMark.size();
  }

  // Characters of the text; all copies advance together.
  struct Characters {
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = char;

    char operator*() const { return parser->peek(); }
    Characters& operator++() {
      ++parser->at_;
      return *this;
    }
    void operator++(int) { ++parser->at_; }
    bool operator==(const Characters&) const { return parser->at_ >= parser->text_.size(); }

    JsonParser* parser;
  };

  // Events; false stops the parser.
  bool null() { return add_scalar(); }
  bool boolean(bool) { return add_scalar(); }
  bool number_integer(Json::number_integer_t) { return add_scalar(); }
  bool number_unsigned(Json::number_unsigned_t) { return add_scalar(); }
  bool number_float(Json::number_float_t, const std::string&) { return add_scalar(); }
  bool string(std::string&) { return add_scalar(); }
  bool binary(Json::binary_t&) { return false; }
  bool key(std::string&);
  bool start_object(std::size_t) { return open('{'); }
  bool start_array(std::size_t) { return open('['); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }
  bool parse_error(std::size_t, const std::string&, const Json::exception&) {
    return reader_.broken_ || reader_.is_fatal_ || explain();
  }

 private:
  // An open list or object.
  struct Frame {
    std::size_t node;
    bool is_list;
    std::size_t floats;    // of the outermost list around it
    std::size_t last = 0;  // begin of its last value; 0: none
  };
  struct Row {
    std::size_t begin, end, last;  // `last`: begin of the last scalar
    std::uint16_t count = 0;
  };

  bool in_list() const { return !open_.empty() && open_.back().is_list; }
  char text_at(std::size_t at) const { return at < text_.size() ? text_[at] : '\0'; }

  char peek() {
    if (at_ >= seen_) look();
    return at_ == replaced_ ? shown_ : text_at(at_);
  }
  void look();
  template <class Read>
  Row read_row(Read&& read) const;
  // The end of a scalar, or 0 if it is a number that is not allowed.
  std::size_t if_allowed(std::size_t at, std::size_t end);

  bool open(char bracket);
  bool close();
  bool add_scalar();
  bool add(const JsonNode& node, std::size_t last);
  std::size_t begin_of_token() const;

  // These return false.
  bool explain();
  bool explain_value(std::size_t at);
  bool explain_word(std::size_t at);
  bool explain_text(std::size_t begin, std::size_t value);
  bool broken(std::size_t at, std::size_t value, const std::string& message,
              const std::string& expected, const std::string& hint = {});

  JsonReader& reader_;
  std::string_view text_;
  StepCount steps_;  // bytes read
  std::size_t at_ = 0;
  std::size_t seen_ = 0;  // scalars before this byte were handled
  // Shown as another character: the opening quotation mark of a text, or a digit of a bare NaN.
  std::size_t replaced_ = std::string_view::npos;
  char shown_ = '"';
  std::size_t done_ = 0;    // behind the last event's token
  std::optional<Row> row_;  // shown to the parser, event pending
  std::vector<Frame> open_;
  bool awaits_value_ = false;  // after a key
};

void JsonReader::parse() {
  JsonParser parser(*this);
  const JsonParser::Characters text{&parser};
  Json::sax_parse(text, text, &parser);
}

std::string decoded_text(std::string_view json) {
  const std::string_view text = json.substr(0, behind_text(json, 0));
  if (text.find('\\') != text.npos) return parse_own_json(text).get<std::string>();
  return std::string(text.substr(1, text.size() - 2));
}

double wide_number(std::string_view json) {
  const Json number = parse_own_json(json);
  return number.is_number() ? number.get<double>() : std::numeric_limits<double>::infinity();
}

// --- input

// Row of scalars from here on; read(at) returns the end of one. Only lists have more than one.
template <class Read>
JsonParser::Row JsonParser::read_row(Read&& read) const {
  Row row{at_, at_, at_};
  const std::uint16_t longest = in_list() ? std::numeric_limits<std::uint16_t>::max() : 1;
  for (std::size_t at = at_; row.count < longest;) {
    const std::size_t stop = read(at);
    if (stop == 0) break;
    ++row.count;
    row.last = at;
    row.end = stop;
    at = behind_blanks(text_, stop);
    if (text_at(at) != ',') break;
    at = behind_blanks(text_, at + 1);
  }
  return row;
}

std::size_t JsonParser::if_allowed(std::size_t at, std::size_t end) {
  const bool is_counted = end != 0 && text_[end - 1] > '9' && is_bare(text_, at);
  if (is_counted && !reader_.options_.allows_nan) return 0;
  reader_.bare_ += is_counted ? 1 : 0;
  return end;
}

// Reads the scalar or row that begins here, if any. Floats of a list with other scalars are
// dropped. After cancelling the input ends.
void JsonParser::look() {
  seen_ = at_ + 1;
  if (row_ || !is_scalar_start(text_at(at_))) return;
  Row row{};
  if (in_list()) {
    GrowingArray<float>& floats = reader_.floats_[open_.back().floats].values;
    row = read_row([&](std::size_t at) {
      const std::size_t stop = if_allowed(at, read_float(text_, at, floats.room().front()));
      floats.took(stop == 0 ? 0 : 1);
      return stop;
    });
    if (row.count == 0) floats = {};
  }
  if (row.count == 0) {
    row = read_row([&](std::size_t at) { return if_allowed(at, end_of_scalar(text_, at)); });
  }
  if (row.count == 0 && text_[at_] == '"') seen_ = behind_text(text_, at_);
  if (row.count == 0) return;
  const char end = text_[row.end - 1];
  const bool is_named = is_bare(text_, row.last);
  if (end == '"' || is_named) {
    shown_ = is_named ? '0' : '"';
    replaced_ = row.end - (is_named ? 1 : 2);
  }
  at_ = end == '"' ? replaced_ : is_digit(end) || is_named ? row.end - 1 : row.last;
  seen_ = row.end;
  row_ = row;
  reader_.is_fatal_ = !steps_.add(row.end - done_);
  if (reader_.is_fatal_) at_ = text_.size();
}

// --- events

// Position of the token, which only blanks, commas and colons precede.
std::size_t JsonParser::begin_of_token() const {
  std::size_t at = behind_blanks(text_, done_);
  while (text_at(at) == ',' || text_at(at) == ':') at = behind_blanks(text_, at + 1);
  return at;
}

// `last`: begin of the node's last value.
bool JsonParser::add(const JsonNode& node, std::size_t last) {
  std::vector<JsonNode>& nodes = reader_.nodes_;
  nodes.push_back(node);
  nodes.back().next = static_cast<std::uint32_t>(nodes.size());
  if (!open_.empty()) open_.back().last = last;
  awaits_value_ = false;
  const bool is_counted = nodes.size() < std::numeric_limits<std::uint32_t>::max();
  return reader_.charge(node.begin, is_counted ? 2 * sizeof node : reader_.memory_left() + 1);
}

bool JsonParser::key(std::string&) {
  const bool added = add({.begin = begin_of_token(), .is_whole = true}, open_.back().last);
  awaits_value_ = true;
  row_.reset();
  done_ = at_;
  return added;
}

// The parser may report a scalar where there is none: 0 in 05, true in truex.
bool JsonParser::add_scalar() {
  const std::size_t begin = begin_of_token();
  const bool is_row = row_ && row_->begin == begin;
  if (!is_row && text_at(begin) != '"') return explain_value(begin);
  const Row row = is_row ? *row_ : Row{begin, at_, begin, 1};
  row_.reset();
  done_ = row.end;
  const bool are_floats = in_list() && reader_.floats_[open_.back().floats].values.size() > 0;
  if (are_floats && !reader_.charge(begin, row.count * sizeof(float))) return false;
  if (!in_list() || open_.back().last != 0) {
    return add({.begin = row.begin, .count = row.count, .is_whole = true}, row.last);
  }
  reader_.nodes_[open_.back().node].count = row.count;
  open_.back().last = row.last;
  return true;
}

bool JsonParser::open(char bracket) {
  const std::size_t begin = begin_of_token();
  if (text_at(begin) != bracket) return explain_value(begin);
  if (!add({.begin = begin}, begin)) return false;
  if (open_.size() >= kMostLevels) {
    const std::string limit = std::to_string(kMostLevels);
    broken(begin, begin, "lists and objects are nested too deeply", "at most " + limit);
    reader_.broken_->found = "more than " + limit + " levels";
    return false;
  }
  const std::size_t node = reader_.nodes_.size() - 1, floats = reader_.floats_.size();
  const bool is_list = bracket == '[', is_outermost = is_list && !in_list();
  open_.push_back({node, is_list, in_list() ? open_.back().floats : floats});
  done_ = begin + 1;
  if (is_outermost) reader_.floats_.push_back({node, {}});
  return reader_.charge(begin, is_outermost ? 2 * sizeof(JsonReader::Floats) : 0);
}

bool JsonParser::close() {
  JsonNode& node = reader_.nodes_[open_.back().node];
  node.next = static_cast<std::uint32_t>(reader_.nodes_.size());
  node.is_whole = true;
  open_.pop_back();
  done_ = at_;
  return true;
}

// --- errors

// `value`: begin of the value named in the error.
bool JsonParser::broken(std::size_t at, std::size_t value, const std::string& message,
                        const std::string& expected, const std::string& hint) {
  const bool is_short = at >= text_.size();
  reader_.broken_ = reader_.error_at(value, is_short ? "the text ends too early" : message,
                                     found_at_start(reader_.from(at)), expected, hint);
  reader_.set_line_and_column(*reader_.broken_, at);
  return false;
}

// Explains the text behind the last token.
bool JsonParser::explain() {
  constexpr const char* kNoJson = "this is not JSON";
  std::size_t at = behind_blanks(text_, done_);
  if (open_.empty() && reader_.nodes_.empty()) return explain_value(at);
  if (open_.empty()) return broken(at, 0, "something follows the document", "the end of the text");
  const Frame frame = open_.back();
  const std::size_t around = reader_.nodes_[frame.node].begin;
  if (awaits_value_) {
    if (text_at(at) == ':') return explain_value(behind_blanks(text_, at + 1));
    const std::string key = decoded_text(reader_.from(reader_.nodes_.back().begin));
    return broken(at, around, kNoJson, "\":\" after the key " + in_quotes(key));
  }
  if (frame.last != 0) {
    const char bracket = frame.is_list ? ']' : '}';
    if (text_at(at) != ',') {
      return broken(at, frame.last, kNoJson, std::string("\",\" or \"") + bracket + "\"");
    }
    at = behind_blanks(text_, at + 1);
    if (text_at(at) == bracket) {
      return broken(at, frame.last, "there is a comma before the closing bracket",
                    "another value, or no comma");
    }
  }
  if (frame.is_list) return explain_value(at);
  if (text_at(at) == '"') return explain_text(at, around);
  return broken(at, around, "this is not a key", "a key in quotation marks");
}

// Adds a node too, so that a value of the wrong kind is also refused.
bool JsonParser::explain_value(std::size_t at) {
  if (at == text_.size() && reader_.nodes_.empty()) return false;
  if (!add({.begin = at}, at)) return false;
  return text_at(at) == '"' ? explain_text(at, at) : explain_word(at);
}

bool JsonParser::explain_text(std::size_t begin, std::size_t value) {
  constexpr std::string_view kLetters = "\"\\/bfnrt";
  for (std::size_t at = begin + 1; at < text_.size(); ++at) {
    if (static_cast<unsigned char>(text_[at]) < 0x20) {
      return broken(at, value, "a text contains a control character",
                    "an escape such as \\n or \\t");
    }
    if (text_[at] != '\\') continue;
    const std::size_t escape = at++;
    if (text_at(at) != 'u') {
      if (kLetters.find(text_at(at)) != kLetters.npos) continue;
      return broken(at, value, "JSON has no such escape",
                    "one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u");
    }
    unsigned high = 0, low = 0;
    std::size_t digits = hex_digits(text_, at + 1, high);
    at += digits;
    const bool is_pair = high >= 0xD800 && high < 0xDC00 && reader_.from(at + 1).starts_with("\\u");
    if (digits == 4 && is_pair) {
      digits = hex_digits(text_, at + 3, low);
      at += 2 + digits;
    }
    if (digits < 4) {
      return broken(at + 1, value, "this escape is not complete", "four hex digits after \\u");
    }
    if (high < 0xD800 || high >= 0xE000 || (low >= 0xDC00 && low < 0xE000)) continue;
    broken(escape, value, "half of a surrogate pair", "both halves, as in \\ud83d\\ude00");
    reader_.broken_->found = reader_.from(escape).substr(0, 6);
    return false;
  }
  return broken(text_.size(), value, "", "a closing quotation mark");
}

bool JsonParser::explain_word(std::size_t at) {
  struct Mistake {
    const char *words, *expected, *hint;
  };
  constexpr Mistake kMistakes[] = {
      {" nan inf -inf +inf infinity -infinity ", "a number",
       "write \"nan\", \"inf\" or \"-inf\" with quotation marks, or read Python's NaN, Infinity "
       "and "
       "-Infinity with --allow-nan"},
      {" true ", "true in small letters", ""},
      {" false ", "false in small letters", ""},
      {" none undefined ", "null", ""},
  };
  constexpr std::size_t kLongerThanAny = 20;
  const std::string word =
      in_small_letters(leading_word(reader_.from(at).substr(0, kLongerThanAny)));
  for (const auto& [words, expected, hint] : kMistakes) {
    const bool is_meant = std::string_view(words).find(" " + word + " ") != word.npos;
    if (is_meant && !word.empty()) return broken(at, at, "this word is not JSON", expected, hint);
  }
  const char here = text_at(at);
  if (here == '\'') return broken(at, at, "this is not JSON", "quotation marks \" around texts");
  if (here == '/' || here == '#') return broken(at, at, "JSON has no comments", "a value");
  if (here == '-' || here == '+' || here == '.' || is_digit(here)) {
    return broken(at, at, "this is not a number as JSON writes it",
                  "a number such as -0.5 or 1e-3");
  }
  return broken(at, at, "this is not JSON", "a value");
}

}  // namespace attn
