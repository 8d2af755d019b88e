// JSON texts as values with places. nlohmann's parser converts the text to a flat list of nodes;
// values are read from the text on request. Duplicate keys and deep nesting are errors, and bare
// NaN unless it is allowed.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <variant>
#include <vector>

#include "base/error.h"
#include "base/large_memory.h"
#include "base/progress.h"
#include "base/tensor.h"

namespace attn {

// Sets whether NaN, Infinity and -Infinity, as Python writes them, are numbers in all texts that
// the process reads from now on; the default is false. Thread-safe.
void allow_bare_nan(bool allowed);
bool is_bare_nan_allowed();

struct Document;

// Arrays by the references that a text uses for them: {"file": "q.npy"}.
using KnownArrays = std::map<std::string, std::variant<Tensor, BoolTensor>>;

// The input of the model of a folder: a text, or ids of its vocabulary.
struct ModelInput {
  std::optional<std::string> text = {};
  std::vector<std::uint64_t> ids = {};
  bool yields = false;  // to the text of a document that has one
};

// Choices of reading a document or another text.
struct ReadOptions {
  std::uint64_t memory_limit_bytes = std::uint64_t{4} << 30;  // for the text and its contents
  std::string folder = {};      // base of references to files; empty: the working folder
  bool allows_outside = false;  // references may lead out of that folder
  bool allows_nan = is_bare_nan_allowed();  // NaN, Infinity and -Infinity are numbers
  Progress* progress = nullptr;             // of reading files; may be cancelled
  std::optional<std::uint64_t> seed = {};   // replaces the document's
  std::string arrays = {};  // how a file of arrays is read (document/load/array_reading.h)
  // Finds the faults of a document's lesson (lesson/lesson.h); null: the lesson is not checked.
  std::vector<Error> (*lesson_faults)(Document&, const ReadOptions&) = nullptr;
  ModelInput input = {};         // in place of the document's
  KnownArrays* known = nullptr;  // read in place of their files; opened files are added
  bool opens_files = true;
};

// Limit of reported errors; hostile files could cause millions.
inline constexpr std::size_t kMostErrors = 100;

// Describes a list with its leading scalars or an object, whose other contents follow in later
// nodes; a key, followed by its value; or a row of at least one scalar without escapes.
struct JsonNode {
  std::uint64_t begin = 0;  // byte of the text
  std::uint32_t next = 0;   // node behind it and its contents
  std::uint16_t count = 0;  // of scalars
  bool is_whole = false;    // the text does not end inside
};

class JsonReader;

// One value of a text. Reading functions return false after adding to the errors of the reader, and
// where the text ends, which is reported already. Precondition: the reader outlives the value.
class JsonValue {
 public:
  enum class Kind { Null, Bool, Number, Text, List, Object, Nothing };

  JsonReader& reader() const { return *reader_; }
  // Derived from its first character.
  Kind kind() const;
  // Description for Error::found: "the text \"abc\"", "a list".
  std::string describe() const;
  // True if the text does not end inside.
  bool is_whole() const;
  // The text of a whole list or object, as written.
  std::string_view source() const;

  bool read_null() const;
  bool read_bool(bool& value) const;
  bool read_text(std::string& value) const;
  // A JSON number as written.
  bool read_number(std::string_view& text) const;
  // A number that fits a float, or one of the strings "nan", "inf", "-inf".
  bool read_float(float& value) const;
  // Contents of an outermost list if they are floats and lists of floats only; else empty. Can be
  // taken once.
  GrowingArray<float> take_floats() const;

  // True for a list whose first item begins with one of these characters.
  bool is_list_of(std::string_view first_characters) const;
  // Calls visit(item) until it returns false.
  template <class Visit>
  bool each_item(Visit&& visit) const;
  // Calls visit(key, member) for all members. A duplicate key is an error.
  template <class Visit>
  bool each_member(Visit&& visit) const;
  // Key of a member.
  std::string key() const;
  // True for an object with this key.
  bool has(std::string_view key) const;
  std::string pointer() const;

  // Adds an error about the value. Returns false.
  bool refuse(const std::string& message, const std::string& found, const std::string& expected,
              const std::string& hint = "") const;
  // Adds an error about the key of a member, and those of duplicate keys in its value. Returns
  // false.
  bool refuse_key(const std::string& message, const std::string& expected,
                  const std::string& hint) const;
  // Counts memory before it is allocated for the value; refuses it beyond the limit. False also
  // after cancelling.
  bool charge(std::uint64_t bytes) const;
  // Adds an error for each key that an object within the value has twice.
  void refuse_duplicate_keys() const;

 private:
  friend class JsonItems;
  friend class JsonReader;
  JsonValue(JsonReader& reader, std::size_t node, std::size_t begin)
      : reader_(&reader), node_(node), begin_(begin) {}

  bool is(Kind wanted, const char* message, const char* expected) const;

  JsonReader* reader_;
  std::size_t node_, begin_;
};

// Iterates over the contents of a list or an object; other values have none.
class JsonItems {
 public:
  explicit JsonItems(const JsonValue& around);

  bool is_at_end() const { return left_ == 0; }
  JsonValue value() const { return {*reader_, node_, begin_}; }
  // Step over one value, or over the rest of a row of scalars; return the number of values.
  std::size_t step();
  std::size_t step_over_row();

 private:
  void enter(std::size_t node);

  JsonReader* reader_;
  bool is_object_;
  std::size_t first_, end_, node_, begin_;
  std::size_t left_ = 0;  // of the row, including this one; 0 at the end
};

// Precondition: the text outlives the reader and is UTF-8.
class JsonReader {
 public:
  JsonReader(std::string_view text, ReadOptions options);
  JsonReader(const JsonReader&) = delete;
  JsonReader& operator=(const JsonReader&) = delete;

  // True if the text has only blanks.
  bool is_empty() const { return nodes_.empty(); }
  // Precondition: !is_empty().
  JsonValue root() { return {*this, 0, nodes_.front().begin}; }

  const ReadOptions& options() const { return options_; }
  std::uint64_t memory_left() const {
    return options_.memory_limit_bytes - std::min(charged_, options_.memory_limit_bytes);
  }

  // Error that ended reading: the text is not JSON, exceeds memory or was cancelled.
  const std::optional<Error>& broken() const { return broken_; }
  // Errors of values.
  std::vector<Error>& errors() { return errors_; }
  // Notes on values that were read differently from the text.
  std::vector<std::string>& notes() { return notes_; }
  // True if reading must stop: out of memory, cancelled, or too many errors.
  bool is_fatal() const { return is_fatal_ || errors_.size() >= kMostErrors; }

  // Lets errors about the value at this pointer name the place of another value, as which it is
  // read.
  void read_from(const std::string& pointer, const std::string& place) { places_[pointer] = place; }
  // Sets line and column of the value at the error's pointer, or of the nearest enclosing one.
  void set_place(Error& error);
  // Sets line and column of a byte of the text.
  void set_line_and_column(Error& error, std::size_t at);

 private:
  friend class JsonItems;
  friend class JsonParser;
  friend class JsonValue;

  // Floats of an outermost list.
  struct Floats {
    std::size_t node = 0;
    GrowingArray<float> values = {};
  };

  void parse();
  // Error with the place of the value or key that begins at `at`.
  Error error_at(std::size_t at, const std::string& message, const std::string& found,
                 const std::string& expected, const std::string& hint);
  bool charge(std::size_t at, std::uint64_t bytes);
  std::string_view from(std::size_t at) const { return text_.substr(at); }
  std::size_t behind(std::size_t node) const {
    return nodes_[node].is_whole ? nodes_[node].next : nodes_.size();
  }
  std::string pointer_of(std::size_t at);

  std::string_view text_;
  ReadOptions options_;
  std::vector<JsonNode> nodes_;
  std::vector<Floats> floats_;           // in the order of nodes
  std::size_t counted_ = 0, lines_ = 0;  // number of line breaks before a byte
  std::uint64_t charged_ = 0;
  std::optional<Error> broken_;
  std::vector<Error> errors_;
  std::vector<std::string> notes_;
  std::map<std::string, std::string> places_;  // by pointer
  std::uint64_t bare_ = 0;                     // numbers written NaN, Infinity or -Infinity
  bool is_fatal_ = false;
};

template <class Visit>
bool JsonValue::each_item(Visit&& visit) const {
  if (!is(Kind::List, "this is not a list", "a list")) return false;
  for (JsonItems items(*this); !items.is_at_end(); items.step()) {
    if (!visit(items.value())) return false;
  }
  return is_whole();
}

template <class Visit>
bool JsonValue::each_member(Visit&& visit) const {
  if (!is(Kind::Object, "this is not an object", "an object")) return false;
  std::unordered_set<std::string> seen;
  for (JsonItems members(*this); !members.is_at_end(); members.step()) {
    const JsonValue member = members.value();
    const std::string key = member.key();
    if (seen.insert(key).second) {
      visit(key, member);
    } else {
      member.refuse_key("the key appears twice in one object", "every key once", "");
    }
    if (reader_->is_fatal()) return false;
  }
  return is_whole();
}

}  // namespace attn
