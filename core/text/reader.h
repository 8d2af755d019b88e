// JSON texts as values that know where they stand. nlohmann's parser reads the text into a flat
// list of nodes; values are read from the text when they are asked for. Stricter than most:
// duplicate keys, bare NaN and deep nests are errors.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "base/error.h"
#include "base/growing_array.h"
#include "base/progress.h"

namespace attn {

// More would not help anybody, and hostile files could make millions.
inline constexpr std::size_t kMostErrors = 100;

struct JsonLimits {
  std::size_t depth = 64;
  std::uint64_t memory_bytes = std::uint64_t{4} << 30;  // of the text and what is read from it
  std::string folder = {};                              // where references to files start
  bool allows_outside = false;                          // they may lead out of it
  Progress* progress = nullptr;  // the share of the text that was read; may be cancelled
};

// A list, with the scalars that it begins with, or an object: what else is inside follows. The key
// of a member, whose value follows. Or scalars in a row that stand for themselves, one at least.
struct JsonNode {
  std::uint64_t begin = 0;  // byte of the text
  std::uint32_t next = 0;   // the node behind it and all that is inside
  std::uint16_t count = 0;  // of the scalars
  bool is_whole = false;    // the text does not break off inside
};

class JsonReader;

// One value of a text. Functions that read return false after adding to the errors of the reader,
// and where the text breaks off, which is told already. Precondition: the reader is there.
class JsonValue {
 public:
  enum class Kind { Null, Bool, Number, Text, List, Object, Nothing };

  JsonReader& reader() const { return *reader_; }
  // By its first character.
  Kind kind() const;
  // In words, for Error::found: "the text \"abc\"", "a list".
  std::string describe() const;
  // The text does not break off inside.
  bool is_whole() const;

  bool read_null() const;
  bool read_bool(bool& value) const;
  bool read_text(std::string& value) const;
  // A JSON number as it is written.
  bool read_number(std::string_view& text) const;
  // A number that fits a float, or one of the strings "nan", "inf", "-inf".
  bool read_float(float& value) const;
  // Of a list that is in no other: all that is inside it, once, where that is floats and lists
  // alone. None of anything else.
  GrowingArray<float> take_floats() const;

  // Whether it is a list whose first item begins with one of these characters.
  bool is_list_of(std::string_view first_characters) const;
  // Calls visit(item), which says whether it could read it, until one is refused.
  template <class Visit>
  bool each_item(Visit&& visit) const;
  // Calls visit(key, member), whatever is refused. A key that appears twice is an error.
  template <class Visit>
  bool each_member(Visit&& visit) const;
  // Of a member.
  std::string key() const;

  // Adds an error about the value. Returns false.
  bool refuse(const std::string& message, const std::string& found, const std::string& expected,
              const std::string& hint = "") const;
  // Adds one about the key of a member, in whose value only keys that appear twice are refused.
  bool refuse_key(const std::string& message, const std::string& expected,
                  const std::string& hint) const;
  // Counts memory that is about to be taken for the value; refuses what goes over the limit. False
  // also when the progress was cancelled.
  bool charge(std::uint64_t bytes) const;

 private:
  friend class JsonItems;
  friend class JsonReader;
  JsonValue(JsonReader& reader, std::size_t node, std::size_t begin)
      : reader_(&reader), node_(node), begin_(begin) {}

  bool is(Kind wanted, const char* message, const char* expected) const;
  void refuse_duplicate_keys() const;

  JsonReader* reader_;
  std::size_t node_, begin_;
};

// Steps through what is in a list or an object; nothing is in other values.
class JsonItems {
 public:
  explicit JsonItems(const JsonValue& around);

  bool is_at_end() const { return left_ == 0; }
  JsonValue value() const { return {*reader_, node_, begin_}; }
  // Both say over how many: over one, and over the scalars that follow each other.
  std::size_t step();
  std::size_t step_over_row();

 private:
  void enter(std::size_t node);

  JsonReader* reader_;
  bool is_object_;
  std::size_t first_, end_, node_, begin_;
  std::size_t left_ = 0;  // of the row, with the present one; 0 at the end
};

// Precondition: the text outlives the reader and is UTF-8.
class JsonReader {
 public:
  JsonReader(std::string_view text, const JsonLimits& limits);
  JsonReader(const JsonReader&) = delete;
  JsonReader& operator=(const JsonReader&) = delete;

  // There is nothing but blanks.
  bool is_empty() const { return nodes_.empty(); }
  // Precondition: !is_empty().
  JsonValue root() { return {*this, 0, nodes_.front().begin}; }

  const JsonLimits& limits() const { return limits_; }
  std::uint64_t memory_left() const {
    return limits_.memory_bytes - std::min(charged_, limits_.memory_bytes);
  }

  // The text is no JSON, or something else ended the reading of it: what is wrong, and where.
  const std::optional<Error>& broken() const { return broken_; }
  // Of values.
  std::vector<Error>& errors() { return errors_; }
  // Reading on makes no sense: memory is short, or there are too many errors already.
  bool is_fatal() const { return is_fatal_ || errors_.size() >= kMostErrors; }

  // Gives the error the place of the value at its pointer, or of the nearest around it.
  void set_place(Error& error);
  // Gives it the place of a byte of the text.
  void set_line_and_column(Error& error, std::size_t at);

 private:
  friend class JsonItems;
  friend class JsonParser;
  friend class JsonValue;

  // The floats of a list that is in no other.
  struct Floats {
    std::size_t node = 0;
    GrowingArray<float> values = {};
  };

  void parse();
  // With the place of the value, or of the member with this key, that begins at `at`.
  Error error_at(std::size_t at, const std::string& message, const std::string& found,
                 const std::string& expected, const std::string& hint);
  bool charge(std::size_t at, std::uint64_t bytes);
  std::string_view from(std::size_t at) const { return text_.substr(at); }
  std::size_t behind(std::size_t node) const {
    return nodes_[node].is_whole ? nodes_[node].next : nodes_.size();
  }
  std::string pointer_of(std::size_t at);

  std::string_view text_;
  JsonLimits limits_;
  std::vector<JsonNode> nodes_;
  std::vector<Floats> floats_;           // in the order of nodes
  std::size_t counted_ = 0, lines_ = 0;  // lines that end before this byte
  std::uint64_t charged_ = 0;
  std::optional<Error> broken_;
  std::vector<Error> errors_;
  bool is_fatal_ = false;
};

template <class Visit>
bool JsonValue::each_item(Visit&& visit) const {
  if (!is(Kind::List, "this is no list", "a list")) return false;
  for (JsonItems items(*this); !items.is_at_end(); items.step()) {
    if (!visit(items.value())) return false;
  }
  return is_whole();
}

template <class Visit>
bool JsonValue::each_member(Visit&& visit) const {
  if (!is(Kind::Object, "this is no object", "an object")) return false;
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
