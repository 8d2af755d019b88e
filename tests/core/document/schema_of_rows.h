// The JSON Schema that the rows of a document's keys define, and its forms of values.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>

namespace attn::test {

// A form of values: its definition in the schema, and how the page of keys explains it.
struct FormWords {
  std::string_view definition;
  std::string_view called, is;  // empty: it is explained where it stands
  std::string_view json;
};
std::span<const FormWords> all_forms();

nlohmann::ordered_json schema_of_rows();

// Indented, with short lists and objects on one line.
std::string schema_text(const nlohmann::ordered_json& json);

}  // namespace attn::test
