// Descriptions of options: JSON, command-line flags, help and controls iterate over them.
#pragma once

#include <algorithm>
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

#include "base/joined.h"
#include "base/number_text.h"
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
  bool alias = false;          // sets another field; read, but never written or offered
  bool grows = false;          // later versions may add choices, so unknown ones in a
                               // file are no error
  std::string_view unit = {};  // unit of a Number or Integer: "points"; empty: none
  bool may_list = false;       // a Choice that may also be other texts, or a list of them
  bool is_length = false;      // a Number that may also be a text with its unit, "85mm"
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

}  // namespace fields_detail

// Factories of fields. `reach` accesses the value: a pointer to a member, or a callable from (const
// or mutable) options to a reference to the value.
template <class Options, class Reach>
Field<Options> flag_field(std::string_view name, std::string_view help, Reach reach) {
  Field<Options> field{.name = name, .help = help, .kind = FieldKind::Flag};
  field.get = [reach](const Options& options) -> std::string {
    return std::invoke(reach, options) ? "true" : "false";
  };
  field.set = [reach, name](Options& options, std::string_view text, Spelling spelling) -> Status {
    if (text != "true" && text != "false") {
      return fields_detail::refusal(spelt(name, spelling), text, "true or false");
    }
    std::invoke(reach, options) = text == "true";
    return ok_status();
  };
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
  field.set = [=](Options& options, std::string_view text, Spelling spelling) -> Status {
    Value& value = std::invoke(reach, options);
    if constexpr (kOptional) {
      if (text.empty()) {
        value = std::nullopt;
        return ok_status();
      }
    }
    const auto number = fields_detail::parsed<Number>(text, minimum, maximum);
    if (!number) {
      return fields_detail::refusal(spelt(name, spelling), text,
                                    fields_detail::number_kind_text(kWhole, minimum, maximum));
    }
    value = *number;
    return ok_status();
  };
  return field;
}

template <class Options, class Reach>
Field<Options> text_field(std::string_view name, std::string_view help, Reach reach) {
  Field<Options> field{.name = name, .help = help};
  field.get = [reach](const Options& options) -> std::string {
    return std::invoke(reach, options);
  };
  field.set = [reach](Options& options, std::string_view text, Spelling /*any*/) -> Status {
    std::invoke(reach, options) = std::string(text);
    return ok_status();
  };
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
  field.set = [=](Options& options, std::string_view text, Spelling spelling) -> Status {
    const auto value = named(text);
    if (!value) {
      return fields_detail::refusal(spelt(name, spelling), text, "one of " + joined(choices));
    }
    std::invoke(reach, options) = *value;
    return ok_status();
  };
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

}  // namespace attn
