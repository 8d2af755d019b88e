// Checks JSON against the keywords that our schema uses.
#include "schema_validator.h"

#include <cmath>
#include <set>

namespace attn::test {
namespace {

using nlohmann::json;
using Errors = std::vector<std::string>;

bool is_integer(const json& value) {
  return value.is_number_integer() ||
         (value.is_number_float() && std::floor(value.get<double>()) == value.get<double>());
}

bool has_type(const json& value, const std::string& type) {
  if (type == "object") return value.is_object();
  if (type == "array") return value.is_array();
  if (type == "string") return value.is_string();
  if (type == "number") return value.is_number();
  if (type == "integer") return is_integer(value);
  if (type == "boolean") return value.is_boolean();
  return type == "null" && value.is_null();
}

// nlohmann calls true and 1 different, as JSON Schema does, and 1 and 1.0 equal.
bool is_one_of(const json& value, const json& choices) {
  return std::any_of(choices.begin(), choices.end(),
                     [&](const json& choice) { return choice == value; });
}

class Validator {
 public:
  explicit Validator(const json& root) : root_(root) {}

  Errors validate(const json& schema, const json& value, const std::string& at) const {
    Errors errors;
    if (schema.contains("$ref")) {
      const std::string target = schema["$ref"].get<std::string>().substr(1);
      return validate(root_.at(json::json_pointer(target)), value, at);
    }
    check_value(schema, value, at, errors);
    check_combinations(schema, value, at, errors);
    if (value.is_array()) check_array(schema, value, at, errors);
    if (value.is_object()) check_object(schema, value, at, errors);
    return errors;
  }

 private:
  bool accepts(const json& schema, const json& value) const {
    return validate(schema, value, "").empty();
  }

  void check_value(const json& schema, const json& value, const std::string& at,
                   Errors& errors) const {
    if (schema.contains("type") && !has_type(value, schema["type"])) {
      errors.push_back(at + ": not of type " + schema["type"].get<std::string>());
    }
    if (schema.contains("enum") && !is_one_of(value, schema["enum"])) {
      errors.push_back(at + ": not one of " + schema["enum"].dump());
    }
    if (!value.is_number()) return;
    const double number = value.get<double>();
    if (schema.contains("minimum") && number < schema["minimum"].get<double>()) {
      errors.push_back(at + ": below the minimum");
    }
    if (schema.contains("maximum") && number > schema["maximum"].get<double>()) {
      errors.push_back(at + ": above the maximum");
    }
    if (schema.contains("exclusiveMinimum") && number <= schema["exclusiveMinimum"].get<double>()) {
      errors.push_back(at + ": not above the minimum");
    }
    if (schema.contains("exclusiveMaximum") && number >= schema["exclusiveMaximum"].get<double>()) {
      errors.push_back(at + ": not below the minimum");
    }
  }

  void check_combinations(const json& schema, const json& value, const std::string& at,
                          Errors& errors) const {
    if (schema.contains("anyOf")) {
      const auto fits = [&](const json& choice) { return accepts(choice, value); };
      if (std::none_of(schema["anyOf"].begin(), schema["anyOf"].end(), fits)) {
        errors.push_back(at + ": fits none of the alternatives");
      }
    }
    if (schema.contains("allOf")) {
      for (const json& part : schema["allOf"]) append(errors, validate(part, value, at));
    }
    if (schema.contains("not") && accepts(schema["not"], value)) {
      errors.push_back(at + ": fits what it must not fit");
    }
  }

  void check_array(const json& schema, const json& value, const std::string& at,
                   Errors& errors) const {
    if (schema.contains("minItems") && value.size() < schema["minItems"].get<std::size_t>()) {
      errors.push_back(at + ": too few items");
    }
    if (schema.contains("maxItems") && value.size() > schema["maxItems"].get<std::size_t>()) {
      errors.push_back(at + ": too many items");
    }
    if (schema.value("uniqueItems", false) &&
        std::set<json>(value.begin(), value.end()).size() != value.size()) {
      errors.push_back(at + ": an item twice");
    }
    if (!schema.contains("items")) return;
    for (std::size_t i = 0; i < value.size(); ++i) {
      append(errors, validate(schema["items"], value[i], at + "/" + std::to_string(i)));
    }
  }

  void check_object(const json& schema, const json& value, const std::string& at,
                    Errors& errors) const {
    const json properties = schema.value("properties", json::object());
    const json others = schema.value("additionalProperties", json(true));
    for (const auto& [key, member] : value.items()) {
      if (properties.contains(key)) {
        append(errors, validate(properties[key], member, at + "/" + key));
      } else if (others.is_object()) {
        append(errors, validate(others, member, at + "/" + key));
      } else if (others == false) {
        errors.push_back(at + ": unknown key " + key);
      }
    }
    check_required(schema.value("required", json::array()), value, at, errors);
    const json rules = schema.value("dependencies", json::object());
    for (const auto& [key, rule] : rules.items()) {
      if (!value.contains(key)) continue;
      if (rule.is_array()) {
        check_required(rule, value, at, errors);
      } else {
        append(errors, validate(rule, value, at));
      }
    }
  }

  static void check_required(const json& keys, const json& value, const std::string& at,
                             Errors& errors) {
    for (const json& key : keys) {
      if (!value.contains(key.get<std::string>())) errors.push_back(at + ": no " + key.dump());
    }
  }

  static void append(Errors& errors, const Errors& more) {
    errors.insert(errors.end(), more.begin(), more.end());
  }

  const json& root_;
};

void find_unknown(const json& schema, Errors& unknown) {
  static const std::set<std::string> known{"$schema",
                                           "$id",
                                           "$ref",
                                           "title",
                                           "description",
                                           "definitions",
                                           "default",
                                           "examples",
                                           "type",
                                           "enum",
                                           "minimum",
                                           "maximum",
                                           "exclusiveMinimum",
                                           "exclusiveMaximum",
                                           "anyOf",
                                           "allOf",
                                           "not",
                                           "minItems",
                                           "maxItems",
                                           "uniqueItems",
                                           "items",
                                           "properties",
                                           "additionalProperties",
                                           "required",
                                           "dependencies"};
  if (!schema.is_object()) return;
  for (const auto& [key, value] : schema.items()) {
    if (!known.contains(key)) unknown.push_back(key);
    if (key == "properties" || key == "definitions" || key == "dependencies") {
      for (const json& part : value) find_unknown(part, unknown);
    } else if (key == "anyOf" || key == "allOf") {
      for (const json& part : value) find_unknown(part, unknown);
    } else if (key == "items" || key == "not") {
      find_unknown(value, unknown);
    }
  }
}

}  // namespace

std::vector<std::string> schema_errors(const json& schema, const json& document) {
  return Validator(schema).validate(schema, document, "");
}

std::vector<std::string> unknown_keywords(const json& schema) {
  Errors unknown;
  find_unknown(schema, unknown);
  return unknown;
}

}  // namespace attn::test
