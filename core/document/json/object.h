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
struct Row {
  std::string_view key;
  bool (*read)(JsonCursor&, T&);
};

// Reads into a member of what the row is of.
template <auto Member, auto Read, class T>
bool into(JsonCursor& cursor, T& out) {
  return Read(cursor, out.*Member);
}

// The same of an optional one.
template <auto Member, auto Read, class T>
bool into_optional(JsonCursor& cursor, T& out) {
  return Read(cursor, (out.*Member).emplace());
}

// Adds an error about the key of the member ahead.
bool refuse_unknown_key(JsonCursor& cursor, const std::string& key,
                        std::span<const std::string_view> known);

// Adds an error about the text at `start` that is none of the names. Returns false.
bool refuse_unknown_name(JsonCursor& cursor, const JsonCursor::Mark& start, const std::string& what,
                         const std::string& name, std::span<const std::string_view> known);

// Reads an object by its table of keys. A refused value does not stop the others from being read.
template <class T>
bool read_object(JsonCursor& cursor, std::span<const Row<T>> rows, T& out) {
  return cursor.each_member([&](const std::string& key) {
    const auto row = std::ranges::find(rows, key, &Row<T>::key);
    const JsonCursor::Mark value = cursor.mark();
    if (row == rows.end()) {
      std::vector<std::string_view> names;
      for (const Row<T>& known : rows) names.push_back(known.key);
      refuse_unknown_key(cursor, key, names);
      return !cursor.fatal() && cursor.skip();
    }
    return row->read(cursor, out) || cursor.recover(value);
  });
}

// What members hold: lists within bounds of depth, null for none, a count from a minimum on.
template <std::size_t Low, std::size_t High, class T>
bool tensor(JsonCursor& cursor, BasicTensor<T>& numbers) {
  return read_tensor(cursor, {Low, High}, numbers);
}

template <std::size_t Low, std::size_t High>
bool tensor_or_null(JsonCursor& cursor, Tensor& numbers) {
  if (cursor.kind() == JsonCursor::Kind::Null) return cursor.read_null();
  return read_tensor(cursor, {Low, High}, numbers);
}

template <std::uint64_t Minimum>
bool count_from(JsonCursor& cursor, std::uint64_t& count) {
  return read_count(cursor, Minimum, count);
}

// A text that names one entry of a table of things with names; `what` is said when it does not.
template <class Table, class Info, class T>
bool read_named(JsonCursor& cursor, const Table& table, const std::string& what, T Info::*member,
                T& value) {
  const JsonCursor::Mark start = cursor.mark();
  std::string name;
  if (!cursor.read_text(name)) return false;
  std::vector<std::string_view> names;
  for (const Info& info : table) {
    names.push_back(info.name);
    if (info.name == name) {
      value = info.*member;
      return true;
    }
  }
  return refuse_unknown_name(cursor, start, what, name, names);
}

template <class T, std::size_t Count>
bool read_choice(JsonCursor& cursor, const Choice<T> (&choices)[Count], const std::string& what,
                 T& value) {
  return read_named(cursor, choices, what, &Choice<T>::value, value);
}

}  // namespace attn
