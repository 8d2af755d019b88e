// Walks through JSON text value by value without building a tree, knowing at every step where it
// is. Stricter than most: duplicate keys, bare NaN, trailing commas and deep nests are errors. It
// only walks on: what could not be read is stepped over from where reading stopped, and places that
// may be asked for later are noted while passing. Internal to core/document.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/error.h"
#include "document/json/text.h"

namespace attn {

// More would not help anybody, and hostile files could make millions.
inline constexpr std::size_t kMostErrors = 100;

struct JsonLimits {
  std::size_t depth = 64;
  std::uint64_t memory_bytes = std::uint64_t{4} << 30;
  std::string folder;           // where references to files start
  bool allows_outside = false;  // they may lead out of it
};

// Functions that read return false after adding to errors(). When fatal() is then true the text
// cannot be understood any further; otherwise recover() steps over the refused value.
// Precondition: the text outlives the cursor.
class JsonCursor {
 public:
  enum class Kind { Null, Bool, Number, Text, List, Object, Nothing };

  JsonCursor(JsonText& text, const JsonLimits& limits);
  JsonCursor(const JsonCursor&) = delete;
  JsonCursor& operator=(const JsonCursor&) = delete;

  // Kind of the value ahead, by its first character.
  Kind kind();
  // The value ahead in words, for Error::found: "the text \"abc\"", "a list".
  std::string describe();

  bool read_null();
  bool read_bool(bool& value);
  bool read_text(std::string& value);
  // A JSON number as it is written; valid until more is read.
  bool read_number(std::string_view& text);
  // A number that fits a float, or one of the strings "nan", "inf", "-inf".
  bool read_float(float& value);
  // Of a list whose item ahead is a number: as many items as have room, are loaded, are plain
  // numbers and have another number behind them. Returns how many.
  std::size_t read_floats(std::span<float> room);
  // Whether the value ahead is a list whose first item begins with one of these characters.
  bool is_list_of(std::string_view first_characters);
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

  // Of a value: what is wrong with it may show later.
  struct Mark {
    TextPlace place;
    std::size_t depth = 0;
  };
  Mark mark();
  // Steps over what is left of the value at `mark`; false when it cannot be understood.
  bool recover(const Mark& mark);

  // Keeps the place of the value ahead under its pointer; those of objects' members are kept
  // anyway.
  bool note_place();
  // The place of the value at error.pointer, or of the nearest noted one around it.
  void set_place(Error& error) const;

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
  bool allows_outside() const { return limits_.allows_outside; }

  // Reading on makes no sense: the text is broken, or there are too many errors already.
  bool fatal() const { return broken_ || errors_.size() >= kMostErrors; }
  bool is_broken() const { return broken_; }
  std::vector<Error>& errors() { return errors_; }
  std::string pointer() const;

 private:
  // Of the way from the document to where the cursor is: one for each list or object that is open.
  struct Step {
    std::string key;
    std::size_t index = 0;
    bool is_index = false;
    bool is_known = false;  // false while the key is still to be read
    TextPlace place;        // of the key
  };
  enum class After { Next, End, Broken };

  bool open(char bracket);
  bool is_closed_at_once(char bracket);
  After after_item();
  bool leave();
  bool read_key(std::string& key);
  bool read_characters(std::string* value);
  bool read_special(std::string& value);
  bool read_escape(std::string& value);
  bool read_unit(unsigned& unit);
  bool read_second_half(const TextPlace& start, unsigned& code);
  bool expect_word(std::string_view word);
  bool take_plain_float(float& value);
  bool finite_float(std::string_view text, const Mark& start, float& value);
  bool float_named(float& value);
  std::string_view word_ahead(std::size_t longest = kWordShown);
  bool broken(const std::string& message, const std::string& expected,
              const std::string& hint = "");
  bool broken_value();
  std::string described_text();
  std::string found_here();
  bool add(const TextPlace& place, ErrorKind kind, const std::string& message,
           const std::string& found, const std::string& expected, const std::string& hint);

  static constexpr std::size_t kWordShown = 64;

  JsonText& text_;
  JsonLimits limits_;
  std::uint64_t charged_ = 0;
  bool value_ahead_ = true;  // where a value is due, and none was read
  std::vector<Step> path_;
  std::map<std::string, TextPlace, std::less<>> places_;  // by pointer
  std::vector<Error> errors_;
  bool broken_ = false;
};

template <class Visit>
bool JsonCursor::each_item(Visit&& visit) {
  if (!open('[')) return false;
  if (is_closed_at_once(']')) return true;
  After after = After::Next;
  for (; after == After::Next; after = after_item()) {
    if (!visit()) return false;
  }
  return after == After::End;
}

template <class Visit>
bool JsonCursor::each_member(Visit&& visit) {
  if (!open('{')) return false;
  if (is_closed_at_once('}')) return true;
  std::unordered_set<std::string> seen;
  After after = After::Next;
  for (; after == After::Next; after = after_item()) {
    std::string key;
    if (!read_key(key)) return false;
    if (!seen.insert(key).second) {
      refuse_key("the key appears twice in one object", "every key once", "");
      if (fatal() || !skip()) return false;
    } else if (!visit(std::as_const(key))) {
      return false;
    }
  }
  return after == After::End;
}

}  // namespace attn
