// The list of post-processors.
#include "tokenizer/post_processors.h"

#include "tokenizer/members.h"

namespace attn::tokenizing {
namespace {

bool read_byte_level_processor(JsonValue, SpecialIds&) { return true; }

// "cls": ["[CLS]", 101]
bool read_named_id(JsonValue json, std::string_view key, TokenIds& ids) {
  const JsonValue pair = member(json, key).value_or(json);
  JsonItems items(pair);
  if (pair.kind() == JsonValue::Kind::List && !items.is_at_end()) items.step();
  if (pair.kind() == JsonValue::Kind::List && !items.is_at_end()) {
    return read_value(items.value(), ids.emplace_back());
  }
  return pair.refuse("this is no special token with its id", pair.describe(),
                     "\"" + std::string(key) + "\": [\"text\", id]");
}

bool read_pair_processor(JsonValue json, SpecialIds& around) {
  return read_named_id(json, "cls", around.before) && read_named_id(json, "sep", around.after);
}

// {"SpecialToken": {"id": "<s>"}}: adds the ids that "special_tokens" has for it.
bool read_special(JsonValue processor, JsonValue special, TokenIds& ids) {
  std::string name;
  if (!read_member(special, "id", name)) return false;
  const std::optional<JsonValue> known = member(processor, "special_tokens");
  const std::optional<JsonValue> entry = known ? member(*known, name) : std::nullopt;
  if (!entry) {
    return special.refuse("the template has a token that is not known", in_quotes(name),
                          "one of special_tokens");
  }
  return read_member(*entry, "ids", ids);
}

bool read_template(JsonValue json, SpecialIds& around) {
  const std::optional<JsonValue> single = member(json, "single");
  std::size_t texts = 0;
  const auto read_one = [&](JsonValue item) {
    const std::optional<JsonValue> special = member(item, "SpecialToken");
    if (special) return read_special(json, *special, texts == 0 ? around.before : around.after);
    ++texts;
    return member(item, "Sequence").has_value() ||
           item.refuse("this is no part of a template", item.describe(),
                       "{\"SpecialToken\": …} or {\"Sequence\": …}");
  };
  if (single && !single->each_item(read_one)) return false;
  return texts == 1 || json.refuse("the template for one text has it not once",
                                   std::to_string(texts) + " sequences in single", "1");
}

bool read_sequence_of_processors(JsonValue json, SpecialIds& around);

struct PostProcessorType {
  std::string_view name;
  bool (*read)(JsonValue, SpecialIds&);
};
constexpr PostProcessorType kPostProcessors[] = {
    {"TemplateProcessing", read_template},      {"BertProcessing", read_pair_processor},
    {"RobertaProcessing", read_pair_processor}, {"ByteLevel", read_byte_level_processor},
    {"Sequence", read_sequence_of_processors},
};

bool read_sequence_of_processors(JsonValue json, SpecialIds& around) {
  const std::optional<JsonValue> list = member(json, "processors");
  return !list || list->each_item([&](JsonValue item) {
    SpecialIds next;
    if (!read_post_processor(item, next)) return false;
    around.before.insert(around.before.begin(), next.before.begin(), next.before.end());
    around.after.insert(around.after.end(), next.after.begin(), next.after.end());
    return true;
  });
}

}  // namespace

bool read_post_processor(JsonValue json, SpecialIds& around) {
  const PostProcessorType* const type = type_of(json, "post-processor", kPostProcessors);
  return type != nullptr && type->read(json, around);
}

}  // namespace attn::tokenizing
