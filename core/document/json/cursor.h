// Walks through JSON text value by value without building a tree, knowing at every step where it
// is. Stricter than most: duplicate keys, bare NaN, trailing commas and deep nests are errors.
// Internal to core/document.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/error.h"

namespace attn {

// More would not help anybody, and hostile files could make millions.
inline constexpr std::size_t kMostErrors = 100;

struct JsonLimits {
  std::size_t depth = 64;
  std::uint64_t memory_bytes = std::uint64_t{4} << 30;
  std::string folder;  // where references to files start
};

// Functions that read return false after adding to errors(). When fatal() is then true the text
// cannot be understood any further; otherwise recover() steps over the refused value.
// Precondition: the text is valid UTF-8 and outlives the cursor.
class JsonCursor {
 public:
  enum class Kind { Null, Bool, Number, Text, List, Object, Nothing };

  JsonCursor(std::string_view text, const JsonLimits& limits);

  // Kind of the value ahead, by its first character.
  Kind kind();
  // The value ahead in words, for Error::found: "the text \"abc\"", "a list".
  std::string describe();

  bool read_null();
  bool read_bool(bool& value);
  bool read_text(std::string& value);
  // A JSON number as it is written.
  bool read_number(std::string_view& text);
  // A number that fits a float, or one of the strings "nan", "inf", "-inf".
  bool read_float(float& value);
  bool skip();

  // Calls visit() with the cursor on each item; it must read exactly one value and say whether it
  // could.
  template <class Visit>
  bool each_item(Visit&& visit);
  // The same for the members of an object: visit(key). A duplicate key is refused and stepped over.
  template <class Visit>
  bool each_member(Visit&& visit);

  // Only blanks may follow.
  bool finish();

  // A position that one can come back to.
  struct Mark {
    std::size_t offset = 0;
    std::size_t path_length = 0;
    std::size_t depth = 0;
  };
  Mark mark();
  // Goes back to `mark` and steps over the value there; false when that value cannot be understood.
  bool recover(const Mark& mark);

  // Adds an error about the value ahead, or at `mark` inside the innermost list or object.
  bool refuse(const std::string& message, const std::string& found, const std::string& expected,
              const std::string& hint = "");
  bool refuse_at(const Mark& mark, const std::string& message, const std::string& found,
                 const std::string& expected, const std::string& hint = "");
  // Adds an error about the key of the member ahead.
  bool refuse_key(const std::string& message, const std::string& expected, const std::string& hint);

  // Counts memory that is about to be taken; refuses what goes over the limit.
  bool charge(std::uint64_t bytes);
  std::uint64_t memory_left() const {
    return limits_.memory_bytes - std::min(charged_, limits_.memory_bytes);
  }
  const std::string& folder() const { return limits_.folder; }

  // Reading on makes no sense: the text is broken, or there are too many errors already.
  bool fatal() const { return broken_ || errors_.size() >= kMostErrors; }
  bool is_broken() const { return broken_; }
  std::vector<Error>& errors() { return errors_; }
  std::size_t offset() const { return offset_; }
  std::string pointer() const;

 private:
  struct Step {
    std::string key;
    std::size_t index = 0;
    bool is_index = false;
    bool is_known = false;   // false while the key is still to be read
    std::size_t offset = 0;  // of the key
  };
  enum class After { Next, End, Broken };

  void skip_blanks();
  bool open(char bracket);
  void close();
  bool is_closed_at_once(char bracket);
  After after_item(char bracket);
  bool read_key(std::string& key);
  bool read_escape(std::string& value);
  bool read_hex(unsigned& unit);
  bool expect_word(std::string_view word);
  std::string_view word_ahead() const;
  bool broken(const std::string& message, const std::string& expected,
              const std::string& hint = "");
  bool broken_value();
  std::string found_here() const;
  bool add(std::size_t offset, ErrorKind kind, const std::string& message, const std::string& found,
           const std::string& expected, const std::string& hint);

  std::string_view text_;
  JsonLimits limits_;
  std::size_t offset_ = 0;
  std::size_t depth_ = 0;
  std::uint64_t charged_ = 0;
  std::vector<Step> path_;
  std::vector<Error> errors_;
  bool broken_ = false;
};

// Fills in line and column (1-based, in bytes) of `offset` in `text`.
void set_place(Error& error, std::string_view text, std::size_t offset);

// Offset of the value at `pointer`, or of the nearest value around it that exists.
std::size_t offset_of_pointer(std::string_view text, std::string_view pointer);

template <class Visit>
bool JsonCursor::each_item(Visit&& visit) {
  if (!open('[')) return false;
  if (is_closed_at_once(']')) return true;
  path_.push_back({{}, 0, true, true, offset_});
  while (true) {
    if (!visit()) return false;
    const After after = after_item(']');
    if (after == After::Broken) return false;
    if (after == After::End) break;
    ++path_.back().index;
  }
  path_.pop_back();
  return true;
}

template <class Visit>
bool JsonCursor::each_member(Visit&& visit) {
  if (!open('{')) return false;
  if (is_closed_at_once('}')) return true;
  std::unordered_set<std::string> seen;
  path_.push_back({});
  while (true) {
    std::string key;
    if (!read_key(key)) return false;
    if (!seen.insert(key).second) {
      refuse_key("the key appears twice in one object", "every key once", "");
      if (fatal() || !skip()) return false;
    } else if (!visit(std::as_const(key))) {
      return false;
    }
    const After after = after_item('}');
    if (after == After::Broken) return false;
    if (after == After::End) break;
  }
  path_.pop_back();
  return true;
}

}  // namespace attn
