// Reading and writing of objects by their rows.
#include "text/rows.h"

#include <algorithm>

#include "base/joined.h"
#include "text/nearest.h"

namespace attn {
namespace {

constexpr const char* kUnknownKey = "unknown key";
constexpr const char* kAllKeys = "attnscope schema prints all keys";

std::string quoted_name(std::string_view name) { return "\"" + std::string(name) + "\""; }

std::string did_you_mean(std::string_view meant) {
  return meant.empty() ? "" : "did you mean " + quoted_name(meant) + "?";
}

bool read_row(JsonValue json, const Row& row, void* object) {
  const bool is_null = row.form.may_be_null && json.kind() == JsonValue::Kind::Null;
  if (row.null_flag != nullptr) *row.null_flag(object) = is_null;
  return is_null ? json.read_null() : row.form.read(json, row.form, row.to_read(object));
}

// Null if the key is not written.
const void* written_value(const Row& row, const void* object) {
  const void* value = row.to_write(object);
  if (value == nullptr) return nullptr;
  if (row.is_written != nullptr) return row.is_written(object) ? value : nullptr;
  return row.usual != nullptr && row.form.equals(value, row.usual()) ? nullptr : value;
}

bool is_null(const Row& row, const void* object) {
  return row.null_flag != nullptr && *row.null_flag(const_cast<void*>(object));
}

// Names both members that are one value.
bool refuse_second(JsonValue json, const std::string& pointer) {
  Error other{.pointer = pointer};
  json.reader().set_place(other);
  const std::string key = pointer.substr(pointer.rfind('/') + 1);
  return json.refuse_key(
      "two keys are read as " + quoted_name(key), "one of them",
      "the other one is " + other.pointer + " in line " + std::to_string(other.line));
}

}  // namespace

bool read_renamed(JsonValue json, const Object& object, const std::string& pointer, void* value) {
  const std::string around = pointer.substr(0, pointer.rfind('/') + 1);
  const std::string key = pointer.substr(around.size()), from = json.pointer();
  if (is_there(object, key, value)) return refuse_second(json, pointer);
  json.reader().read_from(pointer, from);
  if (from != pointer && !from.empty())
    json.reader().notes().push_back(
        quoted_name(from.substr(from.starts_with(around) ? around.size() : 1)) + " is read as " +
        quoted_name(key));
  return read_row(json, *row_of(object, key), value);
}

bool read_object(JsonValue json, const Object& object, void* value) {
  const std::size_t known = json.reader().errors().size();
  const bool read = json.each_member([&](const std::string& key, JsonValue member) {
    const bool has_others = object.read_other != nullptr;
    if (has_others && object.read_other(member, key, value)) return true;
    if (const Row* row = row_of(object, key)) {
      const bool is_second =
          has_others && row->is_written == nullptr && is_there(object, key, value);
      return is_second ? refuse_second(member, member.pointer()) : read_row(member, *row, value);
    }
    return refuse_unknown_key(member, key, names_of(object.rows, &Row::key));
  });
  if (!read || object.settle == nullptr) return read;
  return object.settle(json, value, json.reader().errors().size() == known);
}

void write_object(const TextWriter& to, const Object& object, const void* value) {
  ObjectWriter members(to.out, to.level);
  for (const Row& row : object.rows) {
    if (is_null(row, value)) {
      members.raw(row.key, "null");
    } else if (const void* written = written_value(row, value)) {
      row.form.write({members.member(row.key), to.level + 1, to.count, to.known}, row.form,
                     written);
    }
  }
  members.end();
}

bool read_members(JsonValue json, const Form& form, void* object) {
  return read_object(json, *form.object, object);
}

void write_members(const TextWriter& to, const Form& form, const void* object) {
  write_object(to, *form.object, object);
}

const Row* row_of(const Object& object, std::string_view key) {
  const auto row = std::ranges::find(object.rows, key, &Row::key);
  return row == object.rows.end() ? nullptr : &*row;
}

bool is_there(const Object& object, std::string_view key, const void* value) {
  return written_value(*row_of(object, key), value) != nullptr;
}

bool refuse_unknown_key(JsonValue json, const std::string& key,
                        std::span<const std::string_view> known) {
  const std::string_view meant = meant_key(key, known);
  if (!meant.empty()) return json.refuse_key(kUnknownKey, quoted_name(meant), did_you_mean(meant));
  const bool said = std::ranges::any_of(json.reader().errors(), [](const Error& error) {
    return error.message == kUnknownKey && error.hint == kAllKeys;
  });
  if (said || known.empty()) return json.refuse_key(kUnknownKey, "", said ? "" : kAllKeys);
  return json.refuse_key(kUnknownKey, "a key such as " + joined(nearest_few(key, known, 3)),
                         kAllKeys);
}

bool refuse_unknown_name(JsonValue json, std::string_view noun, const std::string& name,
                         std::span<const std::string_view> known) {
  return json.refuse("unknown " + std::string(noun), quoted_name(name), "one of " + joined(known),
                     did_you_mean(nearest(name, known)));
}

}  // namespace attn
