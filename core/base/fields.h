// Fields of an options struct, described once; JSON, command-line flags, help and controls all
// iterate over the description.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/number_text.h"
#include "base/result.h"

namespace attn {

enum class FieldKind { Flag, Integer, Number, Text, Choice };

// One field of `Options`. Text is the exchange format in both directions: flags are "true"/"false",
// choices their names; an optional that is not set reads as "".
template <class Options>
struct Field {
  std::string_view name;  // snake_case, as in JSON; the command line shows it with dashes
  std::string_view help;  // one line, sentence case, no full stop
  FieldKind kind = FieldKind::Text;
  std::vector<std::string_view> choices;  // for Choice
  double minimum = 0.0;                   // for Integer and Number; both 0: unbounded
  double maximum = 0.0;
  std::string (*get)(const Options&) = nullptr;
  // Refuses text that is not of the kind or out of bounds (kind Usage, message names the field).
  Status (*set)(Options&, std::string_view) = nullptr;
};

}  // namespace attn
