// Steps into lists and objects and out of them, and over what nobody wants.
#include "document/json/cursor.h"

#include <algorithm>

#include "document/json/characters.h"

namespace attn {

JsonCursor::JsonCursor(JsonText& text, const JsonLimits& limits) : text_(text), limits_(limits) {}

JsonCursor::Kind JsonCursor::kind() {
  text_.skip_blanks();
  const char here = text_.peek();
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
std::string_view JsonCursor::word_ahead(std::size_t longest) {
  std::size_t length = 0;
  for (std::string_view seen = text_.ahead(1); length < seen.size();
       seen = text_.ahead(length + 1)) {
    while (length < seen.size() && is_word_character(seen[length])) ++length;
    if (length < seen.size() || length > longest) break;
  }
  return text_.ahead(length).substr(0, std::min(length, longest));
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

bool JsonCursor::open(char bracket) {
  const Kind wanted = bracket == '[' ? Kind::List : Kind::Object;
  const Kind here = kind();
  if (here == Kind::Nothing) return broken_value();
  if (here != wanted) {
    return refuse(wanted == Kind::List ? "this is no list" : "this is no object", describe(),
                  wanted == Kind::List ? "a list" : "an object");
  }
  if (path_.size() >= limits_.depth) {
    const std::string limit = std::to_string(limits_.depth);
    broken_ = true;
    return add(text_.place(), ErrorKind::BadInput, "lists and objects are nested too deeply",
               "more than " + limit + " levels", "at most " + limit, "");
  }
  text_.step();
  return true;
}

// Enters the list or object otherwise.
bool JsonCursor::is_closed_at_once(char bracket) {
  text_.skip_blanks();
  value_ahead_ = text_.peek() != bracket;
  if (!value_ahead_) {
    text_.step();
  } else {
    const bool list = bracket == ']';
    path_.push_back({.key = {}, .is_index = list, .is_known = list, .place = {}});
  }
  return !value_ahead_;
}

// Leaves the list or object with its last item.
JsonCursor::After JsonCursor::after_item() {
  const char bracket = path_.back().is_index ? ']' : '}';
  text_.skip_blanks();
  const char here = text_.peek();
  if (here != bracket && here != ',') {
    broken(text_.is_at_end() ? "the text ends too early" : "this is not JSON",
           std::string("\",\" or \"") + bracket + "\"");
    return After::Broken;
  }
  text_.step();
  if (here == bracket) {
    path_.pop_back();
    return After::End;
  }
  text_.skip_blanks();
  if (text_.peek() == bracket) {
    broken("a comma stands before the closing bracket", "another value, or no comma");
    return After::Broken;
  }
  ++path_.back().index;
  value_ahead_ = true;
  return After::Next;
}

// Steps over what is left of the innermost list or object.
bool JsonCursor::leave() {
  After after = After::Next;
  while (after == After::Next) {
    if (value_ahead_ && !skip()) return false;
    const bool list = path_.back().is_index;
    after = after_item();
    std::string key;
    if (after == After::Next && !list && !read_key(key)) return false;
  }
  return after == After::End;
}

bool JsonCursor::read_key(std::string& key) {
  text_.skip_blanks();
  path_.back().is_known = false;
  path_.back().place = text_.place();
  if (kind() != Kind::Text) {
    return broken(text_.is_at_end() ? "the text ends too early" : "this is no key",
                  "a key in quotation marks");
  }
  if (!read_text(key)) return false;
  text_.skip_blanks();
  if (text_.peek() != ':') {
    return broken(text_.is_at_end() ? "the text ends too early" : "this is not JSON",
                  "\":\" after the key " + in_quotes(key));
  }
  text_.step();
  path_.back().key = key;
  path_.back().is_known = true;
  value_ahead_ = true;
  return charge(2 * key.size() + 64) && note_place();
}

bool JsonCursor::finish() {
  text_.skip_blanks();
  return text_.is_at_end() || broken("something follows the document", "the end of the text");
}

JsonCursor::Mark JsonCursor::mark() {
  text_.skip_blanks();
  return {text_.place(), path_.size()};
}

bool JsonCursor::recover(const Mark& mark) {
  if (fatal()) return false;
  const std::size_t known = errors_.size();
  while (path_.size() > mark.depth) {
    if (!leave()) return false;
  }
  if (value_ahead_ && !skip()) return false;
  // One refusal of a value is enough: a duplicate key inside it need not be told as well.
  errors_.resize(known);
  return true;
}

}  // namespace attn
