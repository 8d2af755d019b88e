// Makes the JSON Schema from the rows of a document's keys.
#include "schema_of_rows.h"

#include <vector>

#include "document/json/document_text.h"
#include "document/json/tensors.h"
#include "document/json/view.h"
#include "view/fields.h"

namespace attn::test {
namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr FormWords kForms[] = {
    {"number", "number", "a number that fits 32 bits, or `\"nan\"`, `\"inf\"`, `\"-inf\"`",
     R"({"description": "A number that fits 32 bits, or one of the texts \"nan\", \"inf\" and \"-inf\".",
         "anyOf": [{"$ref": "#/definitions/finite"}, {"enum": ["nan", "inf", "-inf"]}]})"},
    {"finite", "finite number", "a number that fits 32 bits",
     R"({"type": "number", "minimum": -3.4028235677973366e+38, "maximum": 3.4028235677973366e+38})"},
    {"positive", "number above 0", "a finite number above 0",
     R"({"type": "number", "exclusiveMinimum": 0, "maximum": 3.4028235677973366e+38})"},
    {"count", "count", "a whole number from 1 on", R"({"type": "integer", "minimum": 1})"},
    {"index", "index", "a whole number from 0 on",
     R"({"type": "integer", "minimum": 0, "maximum": 18446744073709551615})"},
    {"numbers", "numbers", "a list of numbers, or [numbers in a file](#numbers-in-a-file)",
     R"({"anyOf": [{"$ref": "#/definitions/list1"}, {"$ref": "#/definitions/in_file"}]})"},
    {"matrix", "matrix",
     "a list of rows of the same length, or [numbers in a file](#numbers-in-a-file)",
     R"({"description": "Rows of numbers, all of the same length.",
         "anyOf": [{"$ref": "#/definitions/list2"}, {"$ref": "#/definitions/in_file"}]})"},
    {"tensor3", "depth 3", "a list of matrices, or [numbers in a file](#numbers-in-a-file)",
     R"({"anyOf": [{"$ref": "#/definitions/list3"}, {"$ref": "#/definitions/in_file"}]})"},
    {"tensor4", "depth 4",
     "a list of lists of matrices, or [numbers in a file](#numbers-in-a-file)",
     R"({"anyOf": [{"$ref": "#/definitions/list4"}, {"$ref": "#/definitions/in_file"}]})"},
    {"tensor5", "depth 5", "one level more, or [numbers in a file](#numbers-in-a-file)",
     R"({"anyOf": [{"$ref": "#/definitions/list5"}, {"$ref": "#/definitions/in_file"}]})"},
    {"flag", "flag", "`true` or `false`, 1 or 0; true: a real token, or may attend",
     R"({"description": "true means a real token, or: may attend. 1 and 0 mean the same.",
         "enum": [true, false, 1, 0]})"},
    {"flags", "flags", "a list of flags",
     R"({"type": "array", "minItems": 1, "items": {"$ref": "#/definitions/flag"}})"},
    {"flags2", "flags of depth 2", "a list of lists of flags",
     R"({"type": "array", "minItems": 1, "items": {"$ref": "#/definitions/flags"}})"},
    {"flags3", "flags of depth 3", "one level more",
     R"({"type": "array", "minItems": 1, "items": {"$ref": "#/definitions/flags2"}})"},
    {"flags4", "flags of depth 4", "one level more",
     R"({"type": "array", "minItems": 1, "items": {"$ref": "#/definitions/flags3"}})"},
    {"flags5", "flags of depth 5", "one level more",
     R"({"type": "array", "minItems": 1, "items": {"$ref": "#/definitions/flags4"}})"},
    {"token_list", "texts", "a list of texts",
     R"({"type": "array", "minItems": 1, "items": {"type": "string"}})"},
    {"tokens_in_texts", "texts per sample", "a list of texts, or one for each sample",
     R"({"anyOf": [{"$ref": "#/definitions/token_list"},
                   {"type": "array", "minItems": 1, "items": {"anyOf": [
                     {"$ref": "#/definitions/token_list"},
                     {"$ref": "#/definitions/counted_tokens"}]}}]})"},
    {"list1", "", "",
     R"({"type": "array", "minItems": 1, "items": {"$ref": "#/definitions/number"}})"},
    {"list2", "", "",
     R"({"type": "array", "minItems": 1, "items": {"$ref": "#/definitions/list1"}})"},
    {"list3", "", "",
     R"({"type": "array", "minItems": 1, "items": {"$ref": "#/definitions/list2"}})"},
    {"list4", "", "",
     R"({"type": "array", "minItems": 1, "items": {"$ref": "#/definitions/list3"}})"},
    {"list5", "", "",
     R"({"type": "array", "minItems": 1, "items": {"$ref": "#/definitions/list4"}})"},
    {"integers", "", "", R"({"type": "array", "minItems": 1, "items": {"type": "integer"}})"},
    {"indices", "", "",
     R"({"type": "array", "minItems": 1, "items": {"$ref": "#/definitions/index"}})"},
    {"finites", "", "",
     R"({"type": "array", "minItems": 1, "items": {"$ref": "#/definitions/finite"}})"},
    {"segments", "", "",
     R"({"anyOf": [{"$ref": "#/definitions/integers"},
                   {"type": "array", "minItems": 1, "items": {"$ref": "#/definitions/integers"}}]})"},
    {"padding", "", "",
     R"({"description": "One flag for each token, true for a real one; one list for all samples, or one list per sample.",
         "anyOf": [{"$ref": "#/definitions/flags"}, {"$ref": "#/definitions/flags2"}]})"},
    {"feature_names", "", "",
     R"({"description": "Names from the first column on, at most as many as there are columns; that of an empty text is its number.",
         "type": "array", "items": {"type": "string"}})"},
    {"tokens", "", "",
     R"({"description": "The tokens as texts, blanks included, or how many there are. One list, or one list per sample; shorter samples are filled up with <pad> and masked.",
         "anyOf": [{"$ref": "#/definitions/count"}, {"$ref": "#/definitions/counted_tokens"},
                   {"$ref": "#/definitions/tokens_in_texts"}]})"},
};

// Further rules between the keys of a document, in addition to all_exclusions().
constexpr std::string_view kKeyRules = R"({
  "anyOf": [{"required": ["tokens"]}, {"required": ["query_tokens", "key_tokens"]},
            {"required": ["q"]}, {"required": ["embeddings"]}, {"required": ["query_embeddings"]},
            {"required": ["attention"]}, {"required": ["model"]}],
  "dependencies": {
    "q": {"required": ["k"]},
    "k": {"required": ["q"]},
    "v": {"required": ["q", "k"]},
    "query_embeddings": {"required": ["key_embeddings"]},
    "key_embeddings": {"required": ["query_embeddings"]},
    "value_embeddings": {"anyOf": [{"required": ["embeddings"]}, {"required": ["query_embeddings"]}],
                         "not": {"anyOf": [{"required": ["blocks"]}, {"required": ["recurrent"]}]}},
    "recurrent": {"properties": {"heads": {"maximum": 1}}},
    "self_attention": {"required": ["attention"]},
    "encoder_attention": {"required": ["attention"]},
    "self_mask": {"anyOf": [{"required": ["self_attention"]},
                            {"required": ["blocks", "key_tokens"]},
                            {"required": ["blocks", "key_embeddings"]}]},
    "encoder_mask": {"required": ["encoder_attention"]},
    "axes": {"anyOf": [
      {"required": ["q"],
       "properties": {"axes": {"items": {"enum": ["layer", "sample", "head", "token",
                                                  "feature"]}}}},
      {"required": ["attention"],
       "properties": {"axes": {"items": {"enum": ["layer", "sample", "head", "query", "key"]}}}}]}
  }})";

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    parts.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

OrderedJson reference_to(std::string_view definition) {
  return {{"$ref", "#/definitions/" + std::string(definition)}};
}

OrderedJson object_schema(const Object& object, OrderedJson& definitions);

// Objects with a name are definitions.
OrderedJson reference_or_schema(const Object& object, OrderedJson& definitions) {
  if (object.name.empty()) return object_schema(object, definitions);
  const std::string name(object.name);
  if (!definitions.contains(name)) {
    definitions[name] = nullptr;  // it may be within itself
    const OrderedJson schema = object_schema(object, definitions);
    definitions[name] = schema;
  }
  return reference_to(name);
}

OrderedJson list_of(const OrderedJson& items) {
  return {{"type", "array"}, {"minItems", 1}, {"items", items}};
}

// One of the alternatives of a form.
OrderedJson alternative(const Form& form, const std::string& name, OrderedJson& definitions) {
  if (name == "names") return {{"enum", form.names()}};
  if (name == "object") return reference_or_schema(*form.object, definitions);
  if (name == "objects") return list_of(reference_or_schema(*form.object, definitions));
  if (name.starts_with('{')) return OrderedJson::parse(name);
  const bool is_type = name == "string" || name == "boolean" || name == "integer";
  return is_type ? OrderedJson{{"type", name}} : reference_to(name);
}

OrderedJson form_schema(const Form& form, OrderedJson& definitions) {
  OrderedJson all = OrderedJson::array();
  const std::vector<std::string> depths = split(form.depths, '|');
  for (std::size_t depth = form.low; depth > 0 && depth <= form.high && depth <= depths.size();
       ++depth) {
    all.push_back(alternative(form, depths[depth - 1], definitions));
  }
  for (const std::string& name : split(form.one_of, '|')) {
    all.push_back(alternative(form, name, definitions));
  }
  if (form.may_be_null) all.push_back({{"type", "null"}});
  return all.size() == 1 ? all.front() : OrderedJson{{"anyOf", all}};
}

// Meaning of an absent key; null if the row does not state it.
OrderedJson meaning_of_absent(const Row& row) {
  if (!row.absent.empty()) return OrderedJson::parse(row.absent);
  if (!row.form.is_scalar || row.usual == nullptr) return nullptr;
  std::string text;
  row.form.write({text}, row.form, row.usual());
  return OrderedJson::parse(text);
}

OrderedJson key_schema(const Row& row, OrderedJson& definitions) {
  OrderedJson form = form_schema(row.form, definitions);
  const OrderedJson absent = meaning_of_absent(row);
  if (row.words.empty() && absent.is_null()) return form;
  OrderedJson schema;
  if (!row.words.empty()) schema["description"] = row.words;
  if (form.contains("$ref")) form = {{"allOf", OrderedJson::array({form})}};
  for (const auto& [keyword, value] : form.items()) schema[keyword] = value;
  if (!absent.is_null()) schema["default"] = absent;
  if (!row.examples.empty()) schema["examples"] = OrderedJson::parse(row.examples);
  return schema;
}

OrderedJson object_schema(const Object& object, OrderedJson& definitions) {
  OrderedJson schema;
  if (!object.words.empty()) schema["description"] = object.words;
  schema["type"] = "object";
  schema["additionalProperties"] = false;
  OrderedJson keys = OrderedJson::object();
  for (const Row& row : object.rows) {
    if (row.is_required) schema["required"].push_back(row.key);
    keys[std::string(row.key)] = key_schema(row, definitions);
  }
  schema["properties"] = keys;
  return schema;
}

// A value of a field as JSON; fields exchange texts.
OrderedJson value_of(const Field<ViewOptions>& field, const std::string& text) {
  const bool is_text = field.kind == FieldKind::Text || field.kind == FieldKind::Choice;
  return is_text ? OrderedJson(text) : OrderedJson::parse(text);
}

// The number without a point if it is whole.
OrderedJson number_of(double value) {
  const auto whole = static_cast<std::int64_t>(value);
  return static_cast<double>(whole) == value ? OrderedJson(whole) : OrderedJson(value);
}

OrderedJson option_schema(const Field<ViewOptions>& field) {
  OrderedJson schema = {{"description", std::string(field.help) + "."}};
  const bool is_bounded = field.minimum != 0.0 || field.maximum != 0.0;
  switch (field.kind) {
    case FieldKind::Flag:
      schema["type"] = "boolean";
      break;
    case FieldKind::Integer:
      schema["type"] = "integer";
      break;
    case FieldKind::Number:
      is_bounded ? schema["type"] = "number"
                 : schema["allOf"] = OrderedJson::array({reference_to("finite")});
      break;
    case FieldKind::Choice:
      if (!field.grows) schema["enum"] = field.choices;
      [[fallthrough]];
    case FieldKind::Text:
      if (!schema.contains("enum")) schema["type"] = "string";
      break;
  }
  if (is_bounded) {
    schema["minimum"] = number_of(field.minimum);
    schema["maximum"] = number_of(field.maximum);
  }
  if (field.is_length) {
    const OrderedJson number = {
        {"type", "number"}, {"minimum", schema["minimum"]}, {"maximum", schema["maximum"]}};
    schema = {{"description", schema["description"]},
              {"anyOf", OrderedJson::array({number, {{"type", "string"}}})}};
  }
  if (field.may_list) {
    schema = {
        {"description", schema["description"]},
        {"anyOf", OrderedJson::array({{{"type", "string"}},
                                      {{"type", "array"}, {"items", {{"type", "string"}}}}})}};
  }
  const std::string usual = field.get(ViewOptions{});
  if (!usual.empty() && !field.alias) schema["default"] = value_of(field, usual);
  return schema;
}

OrderedJson view_schema() {
  OrderedJson keys;
  keys["plot"] = {{"description", "Name of the plot, such as heatmap or dimensions."},
                  {"type", "string"},
                  {"default", kUsualPlot}};
  for (const Field<ViewOptions>& field : plot_option_fields()) {
    keys[std::string(field.name)] = option_schema(field);
  }
  return {{"description", row_of(kDocumentObject, "view")->words},
          {"type", "object"},
          {"additionalProperties", false},
          {"properties", keys}};
}

// A document with one of `these` has none of `others`.
void exclude(OrderedJson& dependencies, const Exclusion& exclusion) {
  for (const std::string& key : split(exclusion.these, ' ')) {
    for (const std::string& other : split(exclusion.others, ' ')) {
      dependencies[key]["not"]["anyOf"].push_back({{"required", OrderedJson::array({other})}});
    }
  }
}

OrderedJson document_schema_of_rows(OrderedJson& definitions) {
  OrderedJson schema = object_schema(kDocumentObject, definitions);
  const OrderedJson keys = schema["properties"];
  schema.erase("properties");
  schema.update(OrderedJson::parse(kKeyRules));
  for (const Exclusion& exclusion : all_exclusions()) exclude(schema["dependencies"], exclusion);
  schema["properties"] = keys;
  return schema;
}

std::string on_one_line(const OrderedJson& json) {
  if (!json.is_structured()) return json.dump();
  std::string text;
  for (const auto& [key, value] : json.items()) {
    text += (text.empty() ? "" : ", ") + (json.is_object() ? OrderedJson(key).dump() + ": " : "") +
            on_one_line(value);
  }
  return json.is_object() ? "{" + text + "}" : "[" + text + "]";
}

std::string laid_out(const OrderedJson& json, std::size_t level, std::size_t before) {
  constexpr std::size_t kWidth = 100;
  const std::string line = on_one_line(json);
  if (!json.is_structured() || 2 * level + before + line.size() <= kWidth) return line;
  const std::string indent(2 * level, ' ');
  std::string text;
  for (const auto& [key, value] : json.items()) {
    const std::string name = json.is_object() ? OrderedJson(key).dump() + ": " : "";
    text += (text.empty() ? "" : ",") + ("\n  " + indent) + name +
            laid_out(value, level + 1, name.size() + 1);
  }
  return (json.is_object() ? "{" : "[") + text + "\n" + indent + (json.is_object() ? "}" : "]");
}

}  // namespace

std::span<const FormWords> all_forms() { return kForms; }

OrderedJson schema_of_rows() {
  OrderedJson definitions;
  definitions["document"] = nullptr;  // the first
  const OrderedJson document = document_schema_of_rows(definitions);
  definitions["document"] = document;
  reference_or_schema(kCountedObject, definitions);
  reference_or_schema(kReferenceObject, definitions);
  definitions["view"] = view_schema();
  for (const FormWords& form : kForms) {
    definitions[std::string(form.definition)] = OrderedJson::parse(form.json);
  }
  return {{"$schema", "http://json-schema.org/draft-07/schema#"},
          {"$id", "urn:attnscope:document:1"},
          {"title", "AttnScope document"},
          {"description",
           "Numbers whose attention AttnScope computes and shows: tokens alone, q k v, embeddings, "
           "or finished attention. A list of tokens is a document too."},
          {"anyOf", {reference_to("tokens_in_texts"), reference_to("document")}},
          {"definitions", definitions}};
}

std::string schema_text(const OrderedJson& json) { return laid_out(json, 0, 0) + "\n"; }

}  // namespace attn::test
