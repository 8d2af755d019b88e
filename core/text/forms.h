// Forms of values that every description may use: how they are read and written.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/joined.h"
#include "text/rows.h"

namespace attn {

// A whole number, also as 7.0 or 1e3.
bool read_count(JsonValue json, std::uint64_t minimum, std::uint64_t& value);
inline bool read_index(JsonValue json, std::uint64_t& value) { return read_count(json, 0, value); }
bool read_integer(JsonValue json, std::int64_t& value);

// true or false, or 1 or 0.
bool read_flag(JsonValue json, bool& value);

// A JSON number, not one of the strings for those that are not finite; above 0.
bool read_finite(JsonValue json, float& value);
bool read_positive(JsonValue json, float& value);

// Reads one more item, read_one(json, item), after counting its memory.
template <class T, class ReadOne>
bool read_item(JsonValue json, std::vector<T>& items, std::uint64_t bytes, ReadOne&& read_one) {
  T item{};
  if (!json.charge(bytes) || !read_one(json, item)) return false;
  items.push_back(std::move(item));
  return true;
}

// A list of at least one item; `none` ("no flags") and `least` are found and expected of an empty
// one.
template <class T, class ReadOne>
bool read_list(JsonValue json, std::vector<T>& items, std::uint64_t bytes, const std::string& none,
               const std::string& least, ReadOne&& read_one) {
  const auto add = [&](JsonValue one) { return read_item(one, items, bytes, read_one); };
  if (!json.each_item(add)) return false;
  return !items.empty() || json.refuse("an empty list", none, least);
}

bool read_texts(JsonValue json, std::vector<std::string>& texts);
bool read_text_or_texts(JsonValue json, std::vector<std::string>& texts);

// One number, or a list of them.
template <class T, bool (*kReadOne)(JsonValue, T&)>
bool read_one_or_list(JsonValue json, std::vector<T>& values) {
  constexpr std::uint64_t kBytes = 2 * sizeof(T);
  values.clear();
  if (json.kind() != JsonValue::Kind::List) return read_item(json, values, kBytes, kReadOne);
  return read_list(json, values, kBytes, "no numbers", "at least one number", kReadOne);
}

bool read_count_of_form(JsonValue json, const Form& form, std::uint64_t& value);

void write_bool(const TextWriter& to, bool value);
void write_texts(const TextWriter& to, const std::vector<std::string>& texts);
template <class T>
void write_value(const TextWriter& to, const T& value) {
  append_json(to.out, value);
}
template <class T>
void write_one_or_list(const TextWriter& to, const std::vector<T>& values) {
  values.size() == 1 ? append_json(to.out, values.front()) : append_row(to.out, values);
}

inline constexpr FormOf<bool> kBool =
    form_of<bool, &JsonValue::read_bool, write_bool>({.one_of = "boolean", .is_scalar = true});
inline constexpr FormOf<bool> kFlag = form_of<bool, read_flag, write_bool>({.one_of = "flag"});
inline constexpr FormOf<std::string> kText =
    form_of<std::string, &JsonValue::read_text, write_value<std::string>>({.one_of = "string"});
inline constexpr FormOf<float> kFinite =
    form_of<float, read_finite, write_value<float>>({.one_of = "finite"});
inline constexpr FormOf<float> kPositive =
    form_of<float, read_positive, write_value<float>>({.one_of = "positive", .is_scalar = true});

// Whole numbers from 1 or from 0 on.
inline constexpr FormOf<std::uint64_t> kCount =
    form_of<std::uint64_t, read_count_of_form, write_value<std::uint64_t>>(
        {.one_of = "count", .low = 1, .is_scalar = true});
inline constexpr FormOf<std::uint64_t> kIndex =
    form_of<std::uint64_t, read_count_of_form, write_value<std::uint64_t>>(
        {.one_of = "index", .low = 0, .is_scalar = true});

inline constexpr FormOf<std::vector<std::int64_t>> kIntegers =
    form_of<std::vector<std::int64_t>, read_one_or_list<std::int64_t, read_integer>,
            write_one_or_list<std::int64_t>>({.one_of = "integer|integers"});
inline constexpr FormOf<std::vector<std::uint64_t>> kIndices =
    form_of<std::vector<std::uint64_t>, read_one_or_list<std::uint64_t, read_index>,
            write_one_or_list<std::uint64_t>>({.one_of = "index|indices"});
inline constexpr FormOf<std::vector<float>> kFinites =
    form_of<std::vector<float>, read_one_or_list<float, read_finite>, write_one_or_list<float>>(
        {.one_of = "finite|finites"});

// Position of a text among the names of the form.
bool read_name(JsonValue json, const Form& form, std::size_t& index);

// Texts that name the entries of a table. `Table`: function that returns it, of entries with a
// member `name`; `Value`: member that is the value.
template <auto Table, auto Value>
struct Named {
  using T = std::remove_cvref_t<decltype(Table()[0].*Value)>;
  static std::vector<std::string_view> names() {
    return names_of(Table(), &std::remove_cvref_t<decltype(Table()[0])>::name);
  }
  static bool read(JsonValue json, const Form& form, T& value) {
    std::size_t index = 0;
    if (!read_name(json, form, index)) return false;
    value = Table()[index].*Value;
    return true;
  }
  static void write(const TextWriter& to, const T& value) {
    append_json(to.out, std::ranges::find(Table(), value, Value)->name);
  }
};

template <auto Table, auto Value>
constexpr auto name_form(std::string_view noun) {
  using Of = Named<Table, Value>;
  return form_of<typename Of::T, Of::read, Of::write>(
      {.one_of = "names", .noun = noun, .names = Of::names, .is_scalar = true});
}

// An entry of a table of values that are named nowhere else.
template <class T>
struct Choice {
  std::string_view name;
  T value;
};
template <const auto& kChoices>
auto span_of_choices() {
  return std::span(kChoices);
}
template <const auto& kChoices>
constexpr auto choice_form(std::string_view noun) {
  using Entry = std::remove_cvref_t<decltype(kChoices[0])>;
  return name_form<span_of_choices<kChoices>, &Entry::value>(noun);
}

}  // namespace attn
