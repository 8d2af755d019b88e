// Keys of objects, described once each: reading, writing, the JSON Schema and "did you mean" loop
// over the same rows. Types are erased, so that a description compiles fast.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/json_writer.h"
#include "base/progress.h"
#include "text/reader.h"

namespace attn {

struct Object;

// Place of a value that is written.
struct TextWriter {
  std::string& out;
  std::size_t level = 0;         // of the indentation after the value
  StepCount* count = nullptr;    // of the numbers of tensors; may be null
  KnownArrays* known = nullptr;  // takes arrays that are written as references; may be null
};

// How a value is read, written, compared and described in the schema.
struct Form {
  // False with an error in json.reader().errors().
  bool (*read)(JsonValue, const Form&, void* value) = nullptr;
  void (*write)(const TextWriter&, const Form&, const void* value) = nullptr;
  bool (*equals)(const void*, const void*) = nullptr;
  // Alternatives in the schema, separated by "|": names of definitions and of types, JSON, and
  // "names", "object" and "objects" (a list) for the members below.
  std::string_view one_of = {};
  std::string_view depths = {};                        // definitions by depth, `low` to `high`
  std::string_view noun = {};                          // in errors: "scoring function"
  std::vector<std::string_view> (*names)() = nullptr;  // texts that are allowed
  const Object* object = nullptr;
  std::uint64_t low = 0, high = 0;  // bounds, of a count or of the depth of lists
  bool is_scalar = false;           // the schema says what an absent key means
  bool may_be_null = false;         // null is read as no value
};

// A row takes only a form of its member's type.
template <class T>
struct FormOf : Form {};

template <class T>
bool are_equal(const void* a, const void* b) {
  return *static_cast<const T*>(a) == *static_cast<const T*>(b);
}

// Form of functions of the value itself; reading may take the form, too.
template <class T, auto Read, auto Write>
constexpr FormOf<T> form_of(Form rest) {
  rest.read = [](JsonValue json, [[maybe_unused]] const Form& form, void* value) {
    T& typed = *static_cast<T*>(value);
    if constexpr (std::is_invocable_v<decltype(Read), JsonValue, T&>) {
      return std::invoke(Read, json, typed);
    } else {
      return Read(json, form, typed);
    }
  };
  rest.write = [](const TextWriter& to, const Form&, const void* value) {
    Write(to, *static_cast<const T*>(value));
  };
  rest.equals = are_equal<T>;
  return {rest};
}

template <class T>
constexpr FormOf<T> nullable(FormOf<T> form) {
  form.may_be_null = true;
  return form;
}

// A key of an object. It is written if its value differs from what an absent key means.
struct Row {
  std::string_view key = {};
  std::string_view words = {};  // its sentence
  Form form = {};
  void* (*to_read)(void* object) = nullptr;
  const void* (*to_write)(const void* object) = nullptr;  // null: there is no value
  const void* (*usual)() = nullptr;                       // value of an absent key; may be null
  bool (*is_written)(const void* object) = nullptr;       // replaces the comparison with the usual
  bool* (*null_flag)(void* object) = nullptr;             // set by null, and written as null
  bool is_required = false;
  std::string_view absent = {};  // what an absent key means, as JSON, if the value does not say it
  std::string_view examples = {};  // a list in JSON
};

// A row for objects of the type `Owner`.
template <class Owner>
struct RowOf : Row {
  // A member, or what an optional member holds.
  template <auto Member, class T>
  static constexpr RowOf at(std::string_view key, const FormOf<T>& form, std::string_view words) {
    using Value = std::remove_cvref_t<decltype(std::declval<Owner&>().*Member)>;
    RowOf row{{.key = key, .words = words, .form = form}};
    row.to_read = [](void* object) -> void* {
      Value& value = static_cast<Owner*>(object)->*Member;
      if constexpr (std::is_same_v<Value, T>)
        return &value;
      else
        return &value.emplace();
    };
    row.to_write = [](const void* object) -> const void* {
      const Value& value = static_cast<const Owner*>(object)->*Member;
      if constexpr (std::is_same_v<Value, T>)
        return &value;
      else
        return value ? &*value : nullptr;
    };
    if constexpr (std::is_same_v<Value, T>) {
      row.usual = []() -> const void* {
        static const Owner kUsual{};
        return &(kUsual.*Member);
      };
    }
    return row;
  }

  // A member that is always written.
  template <auto Member, class T>
  static constexpr RowOf always(std::string_view key, const FormOf<T>& form,
                                std::string_view words) {
    return at<Member>(key, form, words).with(&Row::is_written, [](const void*) { return true; });
  }

  // A value that functions find: T& (Owner&) and const T* (const Owner&).
  template <class T, class ToRead, class ToWrite>
  static constexpr RowOf by(std::string_view key, const FormOf<T>& form, ToRead, ToWrite,
                            std::string_view words) {
    static_assert(std::is_empty_v<ToRead> && std::is_empty_v<ToWrite>, "lambdas");
    RowOf row{{.key = key, .words = words, .form = form}};
    row.to_read = [](void* object) -> void* { return &ToRead{}(*static_cast<Owner*>(object)); };
    row.to_write = [](const void* object) -> const void* {
      return ToWrite{}(*static_cast<const Owner*>(object));
    };
    return row;
  }

  // Writes the row only under a condition, bool (const Owner&).
  template <class Condition>
  constexpr RowOf when(Condition) const {
    return with(&Row::is_written,
                [](const void* object) { return Condition{}(*static_cast<const Owner*>(object)); });
  }
  constexpr RowOf required() const { return with(&Row::is_required, true); }
  template <bool Owner::*Flag>
  constexpr RowOf null_sets() const {
    return with(&Row::null_flag,
                [](void* object) { return &(static_cast<Owner*>(object)->*Flag); });
  }
  constexpr RowOf absent_means(std::string_view json) const { return with(&Row::absent, json); }
  constexpr RowOf such_as(std::string_view json) const { return with(&Row::examples, json); }

 private:
  template <class T>
  constexpr RowOf with(T Row::*member, std::type_identity_t<T> value) const {
    RowOf row = *this;
    row.*member = value;
    return row;
  }
};

struct Object {
  std::string_view name = {};   // of its definition in the schema; empty: it has none
  std::string_view words = {};  // its sentence
  std::span<const Row> rows = {};
  // Reads a member whose key is in none of the rows, or whose value shows that another key is
  // meant; false for other members.
  bool (*read_other)(JsonValue, const std::string& key, void* object) = nullptr;
  // Checks and completes the object after reading. `is_sound`: there are no errors so far.
  bool (*settle)(JsonValue, void* object, bool is_sound) = nullptr;
};

template <class T>
struct ObjectOf : Object {};

// Reads a member under another name as the one at this pointer, whose last part is a key of the
// object; adds a note, and refuses a second value.
bool read_renamed(JsonValue json, const Object& object, const std::string& pointer, void* value);

// After a refused value the others are still read.
bool read_object(JsonValue json, const Object& object, void* value);
void write_object(const TextWriter& to, const Object& object, const void* value);

template <class T>
bool read_as(JsonValue json, const ObjectOf<T>& object, T& value) {
  return read_object(json, object, &value);
}

bool read_members(JsonValue json, const Form& form, void* object);
void write_members(const TextWriter& to, const Form& form, const void* object);

template <class T>
constexpr FormOf<T> object_form(const ObjectOf<T>& object) {
  return {{.read = read_members,
           .write = write_members,
           .equals = are_equal<T>,
           .one_of = "object",
           .object = &object}};
}

// Row of the key, or null.
const Row* row_of(const Object& object, std::string_view key);
// True if the object has a value for the key that an absent key does not mean.
bool is_there(const Object& object, std::string_view key, const void* value);

// Adds an error about a text that is not among the names. Returns false.
bool refuse_unknown_name(JsonValue json, std::string_view noun, const std::string& name,
                         std::span<const std::string_view> known);

// Adds an error about the key of a member. Returns false.
bool refuse_unknown_key(JsonValue json, const std::string& key,
                        std::span<const std::string_view> known);

}  // namespace attn
