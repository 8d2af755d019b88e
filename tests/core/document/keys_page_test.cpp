// The JSON Schema follows the rows of the keys, and docs/DOCUMENT_KEYS.md follows the schema, in
// tables.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "schema_of_rows.h"
#include "support/golden.h"

namespace attn {
namespace {

using OrderedJson = nlohmann::ordered_json;

const OrderedJson& definitions() {
  static const OrderedJson parsed = test::schema_of_rows()["definitions"];
  return parsed;
}

std::string definition_of(const OrderedJson& reference) {
  const std::string path = reference.get<std::string>();
  return path.substr(path.rfind('/') + 1);
}

// Null for a definition that is explained in place.
const test::FormWords* form_of(const std::string& definition) {
  const auto forms = test::all_forms();
  const auto found =
      std::ranges::find(forms, std::string_view(definition), &test::FormWords::definition);
  return found == forms.end() || found->called.empty() ? nullptr : &*found;
}

// An object with its own keys, and the keys that hold it.
struct Section {
  std::string name;
  const OrderedJson* schema;
  std::vector<std::string> stands_at;
};

// "in_file" is named after its content.
std::string words_of_name(const std::string& name) {
  std::string words = name == "in_file" ? "numbers in a file" : name;
  std::ranges::replace(words, '_', ' ');
  return words;
}

std::string heading(const std::string& name) {
  std::string text = words_of_name(name);
  text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text;
}

std::string link(const std::string& name) {
  const std::string words = words_of_name(name);
  std::string target = words;
  std::ranges::replace(target, ' ', '-');
  return "[" + words + "](#" + target + ")";
}

// The sections in the order in which they are met; `names` has the name of each object.
class Sections {
 public:
  Sections() { add("document", definitions()["document"], ""); }

  const std::vector<Section>& all() const { return sections_; }
  const std::string& name_of(const OrderedJson& schema) const { return names_.at(&schema); }

 private:
  void add(const std::string& name, const OrderedJson& schema, const std::string& key) {
    const auto known = std::ranges::find(sections_, &schema, &Section::schema);
    if (known != sections_.end()) {
      if (std::ranges::find(known->stands_at, key) == known->stands_at.end()) {
        known->stands_at.push_back(key);
      }
      return;
    }
    sections_.push_back({name, &schema, {}});
    if (!key.empty()) sections_.back().stands_at.push_back(key);
    names_[&schema] = name;
    for (const auto& [inner, property] : schema["properties"].items()) look(inner, inner, property);
  }

  // Objects in the value of `key`, which are called `name` unless a definition has a name.
  void look(const std::string& key, const std::string& name, const OrderedJson& schema) {
    if (schema.contains("$ref")) {
      const std::string definition = definition_of(schema["$ref"]);
      return look(key, definition, definitions()[definition]);
    }
    if (schema.contains("properties")) return add(name, schema, key);
    if (schema.contains("items")) look(key, name == "blocks" ? "block" : name, schema["items"]);
    for (const char* several : {"allOf", "anyOf"}) {
      if (!schema.contains(several)) continue;
      for (const OrderedJson& one : schema[several]) look(key, name, one);
    }
  }

  std::vector<Section> sections_;
  std::map<const OrderedJson*, std::string> names_;
};

std::string joined_words(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

std::string code(const std::string& text) { return "`" + text + "`"; }

std::string bounds(const OrderedJson& schema) {
  const auto of = [&](const char* keyword) { return schema[keyword].dump(); };
  if (schema.contains("minimum") && schema.contains("maximum")) {
    return ", " + of("minimum") + " to " + of("maximum");
  }
  std::string text;
  if (schema.contains("minimum")) text += " from " + of("minimum");
  if (schema.contains("exclusiveMinimum")) text += " above " + of("exclusiveMinimum");
  if (schema.contains("maximum")) text += " up to " + of("maximum");
  if (schema.contains("exclusiveMaximum")) text += " below " + of("exclusiveMaximum");
  return text;
}

std::string choices(const OrderedJson& schema) {
  std::vector<std::string> words;
  for (const OrderedJson& choice : schema["enum"]) {
    words.push_back(code(choice.is_string() ? choice.get<std::string>() : choice.dump()));
  }
  return joined_words(words);
}

std::string value_words(const Sections& sections, const OrderedJson& schema);

std::string any_of(const Sections& sections, const OrderedJson& list) {
  std::vector<std::string> words;
  for (const OrderedJson& one : list) {
    const std::string said = value_words(sections, one);
    if (std::ranges::find(words, said) == words.end()) words.push_back(said);
  }
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : "; ") + word;
  return text;
}

// Words for the permitted values.
std::string value_words(const Sections& sections, const OrderedJson& schema) {
  if (schema.contains("$ref")) {
    const std::string definition = definition_of(schema["$ref"]);
    const test::FormWords* form = form_of(definition);
    return form != nullptr ? std::string(form->called)
                           : value_words(sections, definitions()[definition]);
  }
  if (schema.contains("properties")) return link(sections.name_of(schema));
  if (schema.contains("allOf")) return any_of(sections, schema["allOf"]);
  if (schema.contains("anyOf")) return any_of(sections, schema["anyOf"]);
  if (schema.contains("enum")) return choices(schema);
  const std::string type = schema.value("type", "");
  if (type == "string") return "text";
  if (type == "boolean") return "`true` or `false`";
  if (type == "null") return "`null`";
  if (type == "object" && !schema.contains("additionalProperties")) return "object";
  if (type == "object") return "object of " + value_words(sections, schema["additionalProperties"]);
  if (type == "array") return "list of (" + value_words(sections, schema["items"]) + ")";
  return (type == "integer" ? "whole number" : "number") + bounds(schema);
}

std::string meaning(const OrderedJson& schema) {
  if (schema.contains("description")) return schema["description"];
  if (!schema.contains("$ref")) return "";
  const std::string definition = definition_of(schema["$ref"]);
  return form_of(definition) != nullptr ? "" : meaning(definitions()[definition]);
}

bool is_required(const OrderedJson& schema, const std::string& key) {
  const OrderedJson required = schema.value("required", OrderedJson::array());
  return std::find(required.begin(), required.end(), OrderedJson(key)) != required.end();
}

std::string rows(const Sections& sections, const OrderedJson& schema) {
  std::string text = "| key | value | when absent | meaning |\n|---|---|---|---|\n";
  for (const auto& [key, property] : schema["properties"].items()) {
    const bool usual = property.contains("default");
    const std::string absent = is_required(schema, key) ? "required"
                               : usual                  ? code(property["default"].dump())
                                                        : "";
    text += "| " + code(key) + " | " + value_words(sections, property) + " | " + absent + " | " +
            meaning(property) + " |\n";
  }
  return text;
}

std::string section_text(const Sections& sections, const Section& section) {
  std::string text = "\n## " + heading(section.name) + "\n\n";
  if (section.schema->contains("description")) text += meaning(*section.schema) + "\n\n";
  std::vector<std::string> keys;
  for (const std::string& key : section.stands_at) keys.push_back(code(key));
  constexpr std::size_t kMostListed = 20;
  if (!keys.empty() && keys.size() <= kMostListed) {
    text += "Stands at " + joined_words(keys) + ".\n\n";
  }
  return text + rows(sections, *section.schema);
}

std::string page() {
  const Sections sections;
  std::string text =
      "# Keys of a document\n\nMade of the JSON Schema (`attnscope schema`) by `./dev docs`; a "
      "test fails when it says anything else.\n[Documents](guide/documents.md#documents) explains "
      "how the keys work together, and what is inferred.\nKeys that are not listed are refused.\n";
  text += "\n## Forms of values\n\n| form | is |\n|---|---|\n";
  for (const test::FormWords& form : test::all_forms()) {
    if (form.called.empty()) continue;
    text += "| " + std::string(form.called) + " | " + std::string(form.is) + " |\n";
  }
  for (const Section& section : sections.all()) text += section_text(sections, section);
  return text;
}

TEST(SchemaPage, SaysWhatTheRowsSay) {
  EXPECT_TRUE(
      test::matches_asset(test::schema_text(test::schema_of_rows()), "attnscope.schema.json"));
}

TEST(KeysPage, SaysWhatTheSchemaSays) {
  EXPECT_TRUE(test::matches_page(page(), "DOCUMENT_KEYS.md"));
}

TEST(KeysPage, ExplainsEveryKey) {
  const Sections sections;
  for (const Section& section : sections.all()) {
    for (const auto& [key, property] : (*section.schema)["properties"].items()) {
      EXPECT_NE(meaning(property), "") << section.name << "/" << key;
    }
  }
}

}  // namespace
}  // namespace attn
