// The list of post-processors.
#include "text/scalar.h"
#include "tokenizer/members.h"
#include "tokenizer/parts.h"

namespace attn::tokenizing {
namespace {

// "cls": ["[CLS]", 101]
TokenIds read_named_id(JsonValue json, std::string_view key) {
  const auto pair =
      pair_of(member(json, key).value_or(json), "this is no special token with its id",
              "\"" + std::string(key) + "\": [\"text\", id]");
  std::uint32_t id = 0;
  return pair && read_value(pair->second, id) ? TokenIds{id} : TokenIds();
}

SpecialIds read_pair(JsonValue json) {
  return {read_named_id(json, "cls"), read_named_id(json, "sep")};
}

// {"SpecialToken": {"id": "<s>"}}: the ids that "special_tokens" has for it.
TokenIds read_special(JsonValue processor, JsonValue special) {
  const std::string name = get<std::string>(special, "id");
  const std::optional<JsonValue> known = member(processor, "special_tokens"),
                                 entry = known ? member(*known, name) : std::nullopt;
  if (!entry) {
    special.refuse("the template has a token that is not known", in_quotes(name),
                   "one of special_tokens");
  }
  return entry ? get<TokenIds>(*entry, "ids") : TokenIds();
}

SpecialIds read_template(JsonValue json) {
  SpecialIds around;
  std::size_t texts = 0;
  const auto read_one = [&](JsonValue item) {
    const std::optional<JsonValue> special = member(item, "SpecialToken"),
                                   part = special ? special : member(item, "Sequence");
    if (part && get<std::uint32_t>(*part, "type_id") != 0) {
      part->refuse("a text of another type of tokens is not read", part->describe(),
                   "\"type_id\": 0");
    }
    if (special) {
      TokenIds& ids = texts == 0 ? around.before : around.after;
      const TokenIds more = read_special(json, *special);
      ids.insert(ids.end(), more.begin(), more.end());
      return json.charge(more.size() * sizeof(std::uint32_t));
    }
    ++texts;
    return part.has_value() || item.refuse("this is no part of a template", item.describe(),
                                           "{\"SpecialToken\": …} or {\"Sequence\": …}");
  };
  if (const auto single = member(json, "single")) single->each_item(read_one);
  if (texts != 1) {
    json.refuse("the template for one text has it not once",
                std::to_string(texts) + " sequences in single", "1");
  }
  return around;
}

SpecialIds read_sequence(JsonValue json) {
  SpecialIds around;
  const auto surround = [&](JsonValue item) {
    const SpecialIds next = read_post_processor(item);
    around.before.insert(around.before.begin(), next.before.begin(), next.before.end());
    around.after.insert(around.after.end(), next.after.begin(), next.after.end());
    return json.reader().errors().empty();
  };
  if (const auto list = member(json, "processors")) list->each_item(surround);
  return around;
}

constexpr ReaderOf<SpecialIds> kPostProcessors[] = {
    {"TemplateProcessing", read_template}, {"BertProcessing", read_pair},
    {"RobertaProcessing", read_pair},      {"ByteLevel", [](JsonValue) { return SpecialIds(); }},
    {"Sequence", read_sequence},
};

}  // namespace

SpecialIds read_post_processor(JsonValue json) {
  return read_by_type<SpecialIds>(json, "post-processor", kPostProcessors);
}

}  // namespace attn::tokenizing
