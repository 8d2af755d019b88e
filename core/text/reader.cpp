// Values of the text, iteration of lists and objects, and places of values.
#include "text/reader.h"

#include <atomic>
#include <utility>

#include "base/joined.h"
#include "base/number_text.h"
#include "base/utf8.h"
#include "text/scalar.h"

namespace attn {
namespace {

std::atomic<bool> bare_nan_is_allowed{false};

// "/key" or "/3".
std::string pointer_part(const JsonValue& around, const JsonValue& inside, std::size_t index) {
  if (around.kind() == JsonValue::Kind::List) return "/" + std::to_string(index);
  return "/" + with_replaced(with_replaced(inside.key(), "~", "~0"), "/", "~1");
}

}  // namespace

void allow_bare_nan(bool allowed) { bare_nan_is_allowed = allowed; }
bool is_bare_nan_allowed() { return bare_nan_is_allowed; }

// --- values

JsonValue::Kind JsonValue::kind() const {
  const std::string_view here = reader_->from(begin_);
  const char first = here.empty() ? '\0' : here.front();
  if (first == '[') return Kind::List;
  if (first == '{') return Kind::Object;
  if (first == '"') return Kind::Text;
  if (first == 't' || first == 'f') return Kind::Bool;
  if (is_digit(first) || first == '-') return Kind::Number;
  if (reader_->options_.allows_nan && is_bare(here, 0)) return Kind::Number;
  return leading_word(here.substr(0, 5)) == "null" ? Kind::Null : Kind::Nothing;
}

std::string JsonValue::describe() const {
  const std::string_view here = reader_->from(begin_);
  switch (kind()) {
    case Kind::List:
      return "a list";
    case Kind::Object:
      return "an object";
    case Kind::Text:
      break;
    case Kind::Number:
      return "the number " + found_at_start(here);
    case Kind::Bool:
      return std::string(leading_word(here.substr(0, 64)));
    default:
      return found_at_start(here);
  }
  // The invalid rest is not shown.
  const std::string text(is_whole() ? decoded_text(here) : leading_characters(here.substr(1)));
  const bool is_shown = is_whole() || code_point_count(text) > kCharactersShown;
  return is_shown ? "the text " + in_quotes(text) : "a text";
}

// Scalars behind the first of a row are complete.
std::string_view JsonValue::source() const {
  const std::string_view text = reader_->from(begin_);
  std::size_t depth = 0, at = 0;
  bool is_quoted = false;
  do {
    const char c = text[at];
    is_quoted = is_quoted != (c == '"');
    if (c == '\\') ++at;
    if (!is_quoted && (c == '{' || c == '[')) ++depth;
    if (!is_quoted && (c == '}' || c == ']')) --depth;
  } while (++at < text.size() && depth > 0);
  return text.substr(0, at);
}

bool JsonValue::is_whole() const {
  const JsonNode& node = reader_->nodes_[node_];
  return node.is_whole || node.begin != begin_;
}

// Returns true only for complete scalars.
bool JsonValue::is(Kind wanted, const char* message, const char* expected) const {
  const Kind here = kind();
  if (here == wanted) return here == Kind::List || here == Kind::Object || is_whole();
  return here != Kind::Nothing && refuse(message, describe(), expected);
}

bool JsonValue::read_null() const { return is(Kind::Null, "not null", "null"); }

bool JsonValue::read_bool(bool& value) const {
  if (!is(Kind::Bool, "this is not true or false", "true or false")) return false;
  value = reader_->text_[begin_] == 't';
  return true;
}

bool JsonValue::read_text(std::string& value) const {
  if (!is(Kind::Text, "this is not a text", "a text in quotation marks")) return false;
  value = decoded_text(reader_->from(begin_));
  return true;
}

bool JsonValue::read_number(std::string_view& text) const {
  if (!is(Kind::Number, "this is not a number", "a number")) return false;
  text = leading_word(reader_->from(begin_));
  return true;
}

bool JsonValue::read_float(float& value) const {
  if (kind() == Kind::Text) {
    std::string name;
    if (!read_text(name)) return false;
    return named_float(name, value) ||
           refuse("this is a text, not a number", describe(), "a number",
                  "only \"nan\", \"inf\" and \"-inf\" are written as texts");
  }
  std::string_view text;
  if (!read_number(text)) return false;
  return attn::read_float(text, 0, value) != 0 ||
         refuse("the number is too large for a 32-bit float", shortened(text, kCharactersShown),
                "at most 3.4028235e38 in magnitude");
}

GrowingArray<float> JsonValue::take_floats() const {
  const std::vector<JsonNode>& nodes = reader_->nodes_;
  const auto found =
      std::ranges::lower_bound(reader_->floats_, node_, {}, &JsonReader::Floats::node);
  const bool is_there = found != reader_->floats_.end() && found->node == node_;
  if (kind() != Kind::List || !is_whole() || !is_there) return {};
  std::size_t scalars = 0;
  for (std::size_t node = node_; node < nodes[node_].next; ++node) {
    if (reader_->text_[nodes[node].begin] == '{') return {};
    scalars += nodes[node].count;
  }
  const bool has_all = found->values.size() == scalars;
  return has_all ? std::exchange(found->values, {}) : GrowingArray<float>();
}

bool JsonValue::is_list_of(std::string_view first_characters) const {
  const JsonItems items(*this);
  if (kind() != Kind::List || items.is_at_end()) return false;
  const std::string_view first = reader_->from(items.value().begin_).substr(0, 1);
  return !first.empty() && first_characters.find(first) != first.npos;
}

void JsonValue::refuse_duplicate_keys() const {
  if (kind() == Kind::Object) {
    each_member([](const std::string&, JsonValue member) { member.refuse_duplicate_keys(); });
  } else {
    for (JsonItems items(*this); !items.is_at_end() && !reader_->is_fatal();) {
      items.value().refuse_duplicate_keys();
      items.step_over_row();
    }
  }
}

std::string JsonValue::key() const {
  return decoded_text(reader_->from(reader_->nodes_[node_ - 1].begin));
}

bool JsonValue::has(std::string_view key) const {
  for (JsonItems items(*this); kind() == Kind::Object && !items.is_at_end(); items.step()) {
    if (items.value().key() == key) return true;
  }
  return false;
}

std::string JsonValue::pointer() const { return reader_->pointer_of(begin_); }

bool JsonValue::refuse(const std::string& message, const std::string& found,
                       const std::string& expected, const std::string& hint) const {
  std::vector<Error>& errors = reader_->errors_;
  if (errors.size() < kMostErrors) {
    errors.push_back(reader_->error_at(begin_, message, found, expected, hint));
  }
  return false;
}

bool JsonValue::refuse_key(const std::string& message, const std::string& expected,
                           const std::string& hint) const {
  const JsonValue at(*reader_, node_ - 1, reader_->nodes_[node_ - 1].begin);
  at.refuse(message, in_quotes(key()), expected, hint);
  refuse_duplicate_keys();
  return false;
}

bool JsonValue::charge(std::uint64_t bytes) const { return reader_->charge(begin_, bytes); }

// --- what is in a list or an object

JsonItems::JsonItems(const JsonValue& around)
    : reader_(around.reader_),
      is_object_(around.kind() == JsonValue::Kind::Object),
      first_(around.node_),
      end_(around.node_),
      node_(around.node_),
      begin_(around.begin_) {
  const bool is_list = around.kind() == JsonValue::Kind::List;
  if (!is_list && !is_object_) return;
  end_ = reader_->behind(node_);
  left_ = is_list ? reader_->nodes_[node_].count : 0;
  begin_ = behind_blanks(reader_->text_, begin_ + 1);
  if (left_ == 0) enter(node_ + 1);
}

// In objects the key precedes the value.
void JsonItems::enter(std::size_t node) {
  node_ = node + (is_object_ ? 1 : 0);
  left_ = 0;
  if (node_ >= end_) return;
  begin_ = reader_->nodes_[node_].begin;
  const bool is_row = value().kind() != JsonValue::Kind::List && reader_->nodes_[node_].count > 0;
  left_ = is_row ? reader_->nodes_[node_].count : 1;
}

std::size_t JsonItems::step_over_row() {
  const std::size_t count = left_;
  enter(node_ == first_ ? node_ + 1 : reader_->behind(node_));
  return count;
}

std::size_t JsonItems::step() {
  if (left_ == 1) return step_over_row();
  --left_;
  const std::string_view text = reader_->text_;
  begin_ = behind_blanks(text, behind_blanks(text, end_of_scalar(text, begin_)) + 1);
  return 1;
}

// --- the whole text

JsonReader::JsonReader(std::string_view text, ReadOptions options)
    : text_(text), options_(std::move(options)) {
  if (charge(0, text.size())) parse();
  if (bare_ == 0) return;
  notes_.push_back(grouped_text(bare_) + (bare_ == 1 ? " number is" : " numbers are") +
                   " written NaN, Infinity or -Infinity: taken as such, as in files of arrays");
}

Error JsonReader::error_at(std::size_t at, const std::string& message, const std::string& found,
                           const std::string& expected, const std::string& hint) {
  Error error{.kind = ErrorKind::BadInput,
              .message = message,
              .pointer = pointer_of(at),
              .found = found,
              .expected = expected,
              .hint = hint};
  set_line_and_column(error, at);
  return with_short_quotes(std::move(error));
}

bool JsonReader::charge(std::size_t at, std::uint64_t bytes) {
  is_fatal_ = is_fatal_ || is_cancelled(options_.progress);
  charged_ += bytes;
  if (is_fatal_ || charged_ <= options_.memory_limit_bytes) return !is_fatal_;
  is_fatal_ = true;
  const std::string limit = bytes_text(options_.memory_limit_bytes);
  broken_ = error_at(at, "the document needs more memory than is allowed",
                     "more than " + limit + " for " + bytes_text(text_.size()) + " of text",
                     "at most " + limit, "raise the memory limit");
  broken_->kind = ErrorKind::OverMemoryLimit;
  return false;
}

std::string JsonReader::pointer_of(std::size_t at) {
  std::string pointer;
  std::optional<JsonValue> around;
  if (!nodes_.empty()) around = root();
  while (around && around->begin_ < at) {
    std::optional<JsonValue> last;
    std::size_t index = 0, count = 0;
    for (JsonItems items(*around); !items.is_at_end(); count += items.step()) {
      const bool is_list = around->kind() == JsonValue::Kind::List;
      const JsonValue inside = items.value();
      if ((is_list ? inside.begin_ : nodes_[inside.node_ - 1].begin) > at) break;
      last = inside;
      index = count;
    }
    if (last) pointer += pointer_part(*around, *last, index);
    around = last;
  }
  return pointer;
}

void JsonReader::set_place(Error& error) {
  for (const auto& [pointer, place] : places_) {
    if ((error.pointer + "/").starts_with(pointer + "/")) {
      error.pointer.replace(0, pointer.size(), place);
      break;
    }
  }
  JsonValue here = root();
  std::string_view left = error.pointer;
  const auto step_in = [&] {
    std::size_t index = 0;
    for (JsonItems items(here); !items.is_at_end(); index += items.step()) {
      const std::string part = pointer_part(here, items.value(), index);
      const bool leads = left == part || left.starts_with(part + "/");
      if (!leads) continue;
      here = items.value();
      left.remove_prefix(part.size());
      return true;
    }
    return false;
  };
  while (!left.empty() && step_in()) continue;
  set_line_and_column(error, here.begin_);
}

void JsonReader::set_line_and_column(Error& error, std::size_t at) {
  if (at < counted_) counted_ = lines_ = 0;
  lines_ +=
      static_cast<std::size_t>(std::ranges::count(text_.substr(counted_, at - counted_), '\n'));
  counted_ = at;
  error.line = lines_ + 1;
  error.column = at - (text_.substr(0, at).rfind('\n') + 1) + 1;
}

}  // namespace attn
