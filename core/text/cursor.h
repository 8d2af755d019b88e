// Walks through JSON text value by value without building a tree, knowing at every step where it
// is. Stricter than most: duplicate keys, bare NaN, trailing commas and deep nests are errors.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/error.h"
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

// Functions that read return false after adding to errors(). When fatal() is then true the text
// cannot be understood any further; otherwise recover() steps over the refused value.
// Precondition: the text outlives the cursor and is UTF-8.
class JsonCursor {
 public:
  enum class Kind { Null, Bool, Number, Text, List, Object, Nothing };

  JsonCursor(std::string_view text, const JsonLimits& limits);
  JsonCursor(const JsonCursor&) = delete;
  JsonCursor& operator=(const JsonCursor&) = delete;

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
  // Of a list whose item ahead is a number: as many items as have room, are plain numbers and have
  // another number behind them. Returns how many.
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

  bool is_at_end() const { return at_ == text_.size(); }
  // Only blanks may follow.
  bool finish();

  // Of a value: what is wrong with it may show later.
  struct Mark {
    std::size_t at = 0;  // byte of the text
    std::size_t depth = 0;
  };
  Mark mark();
  // Steps over the value at `mark`; false when it cannot be understood.
  bool recover(const Mark& mark);

  // Adds an error about the value ahead, or at `mark` inside the innermost list or object.
  bool refuse(const std::string& message, const std::string& found, const std::string& expected,
              const std::string& hint = "");
  bool refuse_at(const Mark& mark, const std::string& message, const std::string& found,
                 const std::string& expected, const std::string& hint = "");
  // Adds an error about the key of the member ahead.
  bool refuse_key(const std::string& message, const std::string& expected, const std::string& hint);

  // Gives the error the place of the value at its pointer, or of the nearest around it.
  void set_place(Error& error);
  // Gives it the place of a byte of the text.
  void set_line_and_column(Error& error, std::size_t at);

  // Counts memory that is about to be taken; refuses what goes over the limit. False also when the
  // progress was cancelled.
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
  // Of the member ahead. Precondition: the cursor is in an object.
  const std::string& key() const { return path_.back().key; }

 private:
  // Of the way from the document to where the cursor is: one for each list or object that is open.
  struct Step {
    bool is_index = false;
    bool is_known = false;  // false while the key is still to be read
    std::string key = {};
    std::size_t index = 0;
    std::size_t at = 0;  // of the key
  };

  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void skip_blanks();
  // Both say whether an item is ahead then.
  bool open(char bracket, bool& more);
  bool after_item(bool& more);
  bool read_key(std::string& key);
  bool read_characters(std::string* value);
  bool read_special(std::string& value);
  bool read_escape(std::string& value);
  bool read_unit(unsigned& unit);
  bool read_second_half(std::size_t start, unsigned& code);
  bool expect_word(std::string_view word);
  bool float_named(float& value);
  std::string_view word_ahead(std::size_t longest = 64) const;
  std::size_t find(std::string_view pointer);
  bool broken(const std::string& message, const std::string& expected,
              const std::string& hint = "");
  bool broken_value();
  std::string described_text();
  std::string found_here();
  bool add(std::size_t at, ErrorKind kind, const std::string& message, const std::string& found,
           const std::string& expected, const std::string& hint);

  std::string_view text_;
  JsonLimits limits_;
  std::size_t at_ = 0;
  std::size_t reported_ = 0;             // of the text, to the progress
  std::size_t counted_ = 0, lines_ = 0;  // lines that end before this byte
  std::uint64_t charged_ = 0;
  std::vector<Step> path_;
  std::vector<Error> errors_;
  bool broken_ = false;
  bool recovers_ = false;  // steps over a value that is refused already
};

template <class Visit>
bool JsonCursor::each_item(Visit&& visit) {
  bool more = false;
  if (!open('[', more)) return false;
  while (more) {
    if (!visit() || !after_item(more)) return false;
  }
  return true;
}

template <class Visit>
bool JsonCursor::each_member(Visit&& visit) {
  bool more = false;
  if (!open('{', more)) return false;
  std::unordered_set<std::string> seen;
  while (more) {
    std::string key;
    if (!read_key(key)) return false;
    if (!seen.insert(key).second) {
      if (!recovers_) refuse_key("the key appears twice in one object", "every key once", "");
      if (fatal() || !skip()) return false;
    } else if (!visit(std::as_const(key))) {
      return false;
    }
    if (!after_item(more)) return false;
  }
  return true;
}

}  // namespace attn
