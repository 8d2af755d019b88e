// Descriptions of options: JSON, command-line flags, help and controls iterate over them.
#pragma once

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/enum_table.h"
#include "base/joined.h"
#include "base/number_text.h"
#include "base/parsed_number.h"
#include "base/result.h"

namespace attn {

enum class FieldKind { Flag, Integer, Number, Text, Choice };

// Spelling of field names in errors and help: as in JSON (range_low) or as a flag (--range-low).
enum class Spelling { Field, Flag };

inline std::string spelt(std::string_view field_name, Spelling spelling) {
  std::string name(field_name);
  if (spelling == Spelling::Field) return name;
  std::replace(name.begin(), name.end(), '_', '-');
  return "--" + name;
}

// One field of `Options`. Values are exchanged as text: flags are "true"/"false", choices their
// names; an unset optional is "".
template <class Options>
struct Field {
  std::string_view name = {};  // snake_case, as in JSON
  std::string_view help = {};  // one line, sentence case, no full stop
  FieldKind kind = FieldKind::Text;
  std::vector<std::string_view> choices = {};  // names of choices
  double minimum = 0.0;                        // for Integer and Number; both 0: unbounded
  double maximum = 0.0;
  std::function<std::string(const Options&)> get = {};
  // Sets the value from text. Usage if the text is of another kind or out of bounds; the message
  // spells the field's name as requested.
  std::function<Status(Options&, std::string_view text, Spelling)> set = {};
  std::string_view label = {};                       // of the control; empty: its name
  std::vector<std::string_view> choice_labels = {};  // labels of choices; empty: their names
  bool alias = false;  // sets another field; read, but never written or offered
  bool grows = false;  // later versions may add choices, so unknown ones in a
                       // file are no error
  std::vector<std::string_view> dropped = {};  // choices of older versions, in a file no error
  std::string_view unit = {};                  // unit of a Number or Integer: "points"; empty: none
  bool may_list = false;   // a Choice that may also be other texts, or a list of them
  bool is_length = false;  // a Number that may also be a text with its unit, "85mm"
};

// Label of a control: "Font size".
inline std::string control_label(std::string_view name, std::string_view label) {
  std::string words(label.empty() ? name : label);
  std::replace(words.begin(), words.end(), '_', ' ');
  if (!words.empty())
    words[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(words[0])));
  return words;
}

// Labels of choices.
template <class Options>
std::vector<std::string> choice_words(const Field<Options>& field) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < field.choices.size(); ++i) {
    words.push_back(i < field.choice_labels.size() ? std::string(field.choice_labels[i])
                                                   : control_label(field.choices[i], {}));
  }
  return words;
}

namespace fields_detail {

inline Error refusal(std::string name, std::string_view text, std::string expected) {
  return Error{.kind = ErrorKind::Usage,
               .message = std::move(name) + " cannot have this value",
               .found = std::string(text),
               .expected = std::move(expected)};
}

inline std::string number_kind_text(bool whole, double minimum, double maximum) {
  std::string kind = whole ? "a whole number" : "a number";
  if (minimum == 0.0 && maximum == 0.0) return kind;
  return kind + " from " + plain_text(minimum) + " to " + plain_text(maximum);
}

// Number in `text` if it is a T within the bounds.
template <class T>
std::optional<T> parsed(std::string_view text, double minimum, double maximum) {
  const bool bounded = minimum != 0.0 || maximum != 0.0;
  const auto inside = [&](double v) { return !bounded || (v >= minimum && v <= maximum); };
  if constexpr (std::is_integral_v<T>) {
    const Result<std::int64_t> number = parse_integer(text);
    if (!number || !std::in_range<T>(*number)) return std::nullopt;
    if (!inside(static_cast<double>(*number))) return std::nullopt;
    return static_cast<T>(*number);
  } else {
    const Result<float> number = parse_number(text);
    if (!number || !inside(*number)) return std::nullopt;
    return static_cast<T>(*number);
  }
}

template <class T>
std::string number_text(T value) {
  if constexpr (std::is_integral_v<T>) {
    return std::to_string(value);
  } else {
    return shortest_text(static_cast<float>(value));
  }
}

// Sets the value that `read(text)` returns, a std::optional; without one an error with `expected`.
template <class Options, class Reach, class Read>
auto setter(std::string_view name, Reach reach, Read read, const std::string& expected) {
  return [=](Options& options, std::string_view text, Spelling spelling) -> Status {
    const auto value = read(text);
    if (!value) return refusal(spelt(name, spelling), text, expected);
    std::invoke(reach, options) = *value;
    return ok_status();
  };
}

}  // namespace fields_detail

// Factories of fields. `reach` accesses the value: a pointer to a member, or a callable from (const
// or mutable) options to a reference to the value.
template <class Options, class Reach>
Field<Options> flag_field(std::string_view name, std::string_view help, Reach reach) {
  Field<Options> field{.name = name, .help = help, .kind = FieldKind::Flag};
  field.get = [reach](const Options& options) -> std::string {
    return std::invoke(reach, options) ? "true" : "false";
  };
  const auto read = [](std::string_view text) {
    return text == "true" || text == "false" ? std::optional(text == "true") : std::nullopt;
  };
  field.set = fields_detail::setter<Options>(name, reach, read, "true or false");
  return field;
}

// Integer, floating-point number or std::optional of one, which "" resets. Bounds are inclusive;
// both 0: unbounded.
template <class Options, class Reach>
Field<Options> number_field(std::string_view name, std::string_view help, Reach reach,
                            double minimum = 0.0, double maximum = 0.0,
                            std::string_view unit = {}) {
  using Value = std::remove_cvref_t<std::invoke_result_t<Reach, Options&>>;
  using Number = typename decltype(std::optional(std::declval<Value>()))::value_type;
  constexpr bool kOptional = !std::is_same_v<Value, Number>;
  constexpr bool kWhole = std::is_integral_v<Number>;
  Field<Options> field{.name = name,
                       .help = help,
                       .kind = kWhole ? FieldKind::Integer : FieldKind::Number,
                       .minimum = minimum,
                       .maximum = maximum,
                       .unit = unit};
  field.get = [reach](const Options& options) -> std::string {
    const std::optional<Number> value = std::invoke(reach, options);
    return value ? fields_detail::number_text(*value) : "";
  };
  const auto read = [=](std::string_view text) -> std::optional<Value> {
    if (kOptional && text.empty()) return Value{};
    const auto number = fields_detail::parsed<Number>(text, minimum, maximum);
    return number ? std::optional<Value>(*number) : std::nullopt;
  };
  field.set = fields_detail::setter<Options>(
      name, reach, read, fields_detail::number_kind_text(kWhole, minimum, maximum));
  return field;
}

// A text that `is_sound` accepts, if any; others return an error with `expected`.
template <class Options, class Reach>
Field<Options> text_field(std::string_view name, std::string_view help, Reach reach,
                          bool (*is_sound)(std::string_view) = nullptr, std::string expected = {}) {
  Field<Options> field{.name = name, .help = help};
  field.get = [reach](const Options& options) -> std::string {
    return std::invoke(reach, options);
  };
  const auto read = [is_sound](std::string_view text) {
    const bool is_refused = is_sound != nullptr && !is_sound(text);
    return is_refused ? std::nullopt : std::optional(std::string(text));
  };
  field.set = fields_detail::setter<Options>(name, reach, read, std::move(expected));
  return field;
}

// One of `choices`: `name_of(value)` returns its name, `named(text)` the std::optional value.
template <class Options, class Reach, class NameOf, class Named>
Field<Options> choice_field(std::string_view name, std::string_view help, Reach reach,
                            const std::vector<std::string_view>& choices, NameOf name_of,
                            Named named) {
  Field<Options> field{.name = name, .help = help, .kind = FieldKind::Choice, .choices = choices};
  field.get = [reach, name_of](const Options& options) {
    return std::string(name_of(std::invoke(reach, options)));
  };
  field.set = fields_detail::setter<Options>(name, reach, named, "one of " + joined(choices));
  return field;
}

// A text that is one of `names`.
template <class Options, class Reach>
Field<Options> name_field(std::string_view name, std::string_view help, Reach reach,
                          const std::vector<std::string_view>& names) {
  const auto named = [names](std::string_view text) {
    const bool is_known = std::ranges::find(names, text) != names.end();
    return is_known ? std::optional(std::string(text)) : std::nullopt;
  };
  return choice_field<Options>(name, help, reach, names, std::identity(), named);
}

// Choice from names in the order of the enumerators.
template <class Options, class Enum, class Owner, std::size_t kCount>
Field<Options> enum_field(std::string_view name, std::string_view help, Enum Owner::*member,
                          const std::array<std::string_view, kCount>& names,
                          const std::vector<std::string_view>& labels = {}) {
  static_assert(count_of<Enum>() == kCount);
  Field<Options> field = choice_field<Options>(
      name, help, member, {names.begin(), names.end()},
      [&names](Enum value) { return names[static_cast<std::size_t>(value)]; },
      [&names](std::string_view text) -> std::optional<Enum> {
        const auto found = std::ranges::find(names, text);
        if (found == names.end()) return std::nullopt;
        return static_cast<Enum>(found - names.begin());
      });
  field.choice_labels = labels;
  return field;
}

// Choice from a table whose rows have a value and a name.
template <class Options, class Row, class Enum, class Reach>
Field<Options> table_field(const char* name, const char* help, Reach reach,
                           std::span<const Row> rows, Enum Row::*value,
                           std::string_view Row::*label = nullptr) {
  Field<Options> field = choice_field<Options>(
      name, help, reach, names_of(rows, &Row::name),
      [rows, value](Enum wanted) { return std::ranges::find(rows, wanted, value)->name; },
      [rows, value](std::string_view text) -> std::optional<Enum> {
        const auto found = std::ranges::find(rows, text, &Row::name);
        return found != rows.end() ? std::optional((*found).*value) : std::nullopt;
      });
  if (label != nullptr) field.choice_labels = names_of(rows, label);
  return field;
}

template <class Options>
Field<Options> labelled(Field<Options> field, std::string_view label) {
  field.label = label;
  return field;
}

}  // namespace attn
