// Objects read by a table of their keys, unknown keys refused with the nearest known one. Internal
// to core/document.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "document/json/choices.h"
#include "document/json/values.h"
#include "text/cursor.h"

namespace attn {

// One known key of an object and how its value is read into `T`.
template <class T>
struct KeyReader {
  std::string_view key;
  bool (*read)(JsonCursor&, T&);
};

// Adds an error about the key of the member ahead.
bool refuse_unknown_key(JsonCursor& cursor, const std::string& key,
                        std::span<const std::string_view> known);

// Adds an error about the text at `start` that is none of the names. Returns false.
bool refuse_unknown_name(JsonCursor& cursor, const JsonCursor::Mark& start, const std::string& what,
                         const std::string& name, std::span<const std::string_view> known);

// Reads an object by its table of keys. A refused value does not stop the others from being read.
template <class T>
bool read_object(JsonCursor& cursor, std::span<const KeyReader<T>> readers, T& out) {
  return cursor.each_member([&](const std::string& key) {
    const auto reader = std::find_if(readers.begin(), readers.end(),
                                     [&](const KeyReader<T>& r) { return r.key == key; });
    const JsonCursor::Mark value = cursor.mark();
    if (reader == readers.end()) {
      std::vector<std::string_view> names;
      for (const KeyReader<T>& r : readers) names.push_back(r.key);
      refuse_unknown_key(cursor, key, names);
      return !cursor.fatal() && cursor.skip();
    }
    return reader->read(cursor, out) || cursor.recover(value);
  });
}

template <auto Member, std::size_t Low, std::size_t High, class T>
bool read_tensor_into(JsonCursor& cursor, T& fields) {
  Tensor tensor;
  if (!read_tensor(cursor, {Low, High}, tensor)) return false;
  fields.*Member = std::move(tensor);
  return true;
}

// The same of what may be null, for none.
template <auto Member, std::size_t Low, std::size_t High, class T>
bool read_tensor_or_null(JsonCursor& cursor, T& fields) {
  if (cursor.kind() == JsonCursor::Kind::Null) return cursor.read_null();
  return read_tensor_into<Member, Low, High>(cursor, fields);
}

// A text that names one entry of a table of things with names; `what` is said when it does not.
template <class Info>
bool read_named(JsonCursor& cursor, std::span<const Info> table, const std::string& what,
                const Info*& chosen) {
  const JsonCursor::Mark start = cursor.mark();
  std::string name;
  if (!cursor.read_text(name)) return false;
  std::vector<std::string_view> names;
  for (const Info& info : table) {
    names.push_back(info.name);
    if (info.name == name) chosen = &info;
  }
  return chosen != nullptr || refuse_unknown_name(cursor, start, what, name, names);
}

// The same for a choice, straight to its value.
template <class T, std::size_t Count>
bool read_choice(JsonCursor& cursor, const Choice<T> (&choices)[Count], const std::string& what,
                 T& value) {
  const Choice<T>* chosen = nullptr;
  if (!read_named<Choice<T>>(cursor, choices, what, chosen)) return false;
  value = chosen->value;
  return true;
}

}  // namespace attn
