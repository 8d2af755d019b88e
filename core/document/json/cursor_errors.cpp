// What is ahead in words, and what is wrong with it.
#include <algorithm>

#include "base/number_text.h"
#include "base/utf8.h"
#include "document/json/characters.h"
#include "document/json/cursor.h"

namespace attn {
namespace {

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

}  // namespace

std::string in_quotes(std::string_view text) {
  return "\"" + visible_token(shortened(text, kCharactersShown)) + "\"";
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
  const std::string_view start = text_.ahead((kCharactersShown + 1) * kLongestCharacter + 1);
  ByteStream bytes(start);
  JsonText text(bytes, start.size());
  JsonCursor ahead(text, limits_);
  std::string value;
  const bool whole = ahead.read_text(value);
  const bool enough = whole || code_point_count(value) > kCharactersShown;
  return enough ? "the text " + in_quotes(value) : "a text";
}

std::string JsonCursor::found_here() {
  if (text_.is_at_end()) return "the end of the text";
  const std::string_view word = word_ahead();
  if (!word.empty()) return shortened(word, kCharactersShown);
  const std::string_view here = text_.ahead(4);
  return in_quotes(here.substr(0, code_point_at(here, 0).length));
}

bool JsonCursor::add(const TextPlace& place, ErrorKind kind, const std::string& message,
                     const std::string& found, const std::string& expected,
                     const std::string& hint) {
  if (errors_.size() >= kMostErrors && !broken_) return false;
  Error error;
  error.kind = kind;
  error.message = message;
  error.pointer = pointer();
  error.line = place.line;
  error.column = place.column;
  error.found = found;
  error.expected = expected;
  error.hint = hint;
  errors_.push_back(std::move(error));
  return false;
}

bool JsonCursor::refuse(const std::string& message, const std::string& found,
                        const std::string& expected, const std::string& hint) {
  text_.skip_blanks();
  return add(text_.place(), ErrorKind::BadInput, message, found, expected, hint);
}

bool JsonCursor::refuse_at(const Mark& mark, const std::string& message, const std::string& found,
                           const std::string& expected, const std::string& hint) {
  return add(mark.place, ErrorKind::BadInput, message, found, expected, hint);
}

bool JsonCursor::refuse_key(const std::string& message, const std::string& expected,
                            const std::string& hint) {
  return add(path_.back().place, ErrorKind::BadInput, message, in_quotes(path_.back().key),
             expected, hint);
}

bool JsonCursor::broken(const std::string& message, const std::string& expected,
                        const std::string& hint) {
  broken_ = true;
  return add(text_.place(), ErrorKind::BadInput, message, found_here(), expected, hint);
}

bool JsonCursor::broken_value() {
  if (text_.is_at_end()) return broken("the text ends too early", "a value");
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
  const char here = text_.peek();
  if (here == '\'') {
    return broken("this is not JSON", "quotation marks \" around texts");
  }
  if (here == '/' || here == '#') {
    return broken("JSON has no comments", "a value");
  }
  if (here == '-' || here == '+' || here == '.' || is_digit(here)) {
    return broken("this is not a number as JSON writes it", "a number such as -0.5 or 1e-3");
  }
  return broken("this is not JSON", "a value");
}

bool JsonCursor::charge(std::uint64_t bytes) {
  charged_ += bytes;
  if (charged_ <= limits_.memory_bytes) return true;
  broken_ = true;
  const TextPlace place = text_.place();
  text_.finish();  // how long it is is known then
  return add(place, ErrorKind::OverMemoryLimit, "the document needs more memory than is allowed",
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

bool JsonCursor::note_place() {
  constexpr std::size_t kEntryBytes = 128;
  text_.skip_blanks();
  const auto [entry, added] = places_.try_emplace(pointer(), text_.place());
  return !added || charge(kEntryBytes + entry->first.size());
}

void JsonCursor::set_place(Error& error) const {
  std::string_view pointer = error.pointer;
  auto noted = places_.find(pointer);
  while (noted == places_.end() && !pointer.empty()) {
    pointer = pointer.substr(0, pointer.rfind('/'));
    noted = places_.find(pointer);
  }
  if (noted == places_.end()) return;
  error.line = noted->second.line;
  error.column = noted->second.column;
}

}  // namespace attn
