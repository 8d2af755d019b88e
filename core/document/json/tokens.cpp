// Reads and writes token lists and the names of features.
#include <optional>
#include <utility>

#include "base/json_writer.h"
#include "base/number_text.h"
#include "document/json/document_text.h"
#include "document/json/write.h"

namespace attn {

struct CountedTokens {
  std::optional<std::uint64_t> count;
  std::vector<TokenName> names;
  friend bool operator==(const CountedTokens&, const CountedTokens&) = default;
};

namespace {

using Kind = JsonValue::Kind;

// Limits the count, as every token takes at least one number.
bool read_token_count(JsonValue json, std::uint64_t& count) {
  if (!read_count(json, 1, count)) return false;
  const std::uint64_t most = json.reader().memory_left() / sizeof(float);
  if (count <= most) return true;
  json.refuse("these tokens would need more memory than is allowed", counted(count, "token"),
              "at most " + counted(most, "token"),
              "use shorter sequences, or raise the memory limit");
  json.reader().errors().back().kind = ErrorKind::OverMemoryLimit;
  return false;
}

// No token has two keys.
bool read_name_of_token(JsonValue json, const std::string& key, std::vector<TokenName>& names) {
  const std::optional<std::size_t> number = number_spelt<std::size_t>(key);
  if (!number) {
    return json.refuse_key("the keys of names are numbers of tokens",
                           "a whole number such as \"17\", counted from 0", "");
  }
  std::string text;
  if (!json.read_text(text) || !json.charge(2 * sizeof(TokenName) + text.size())) return false;
  names.push_back({*number, std::move(text)});
  return true;
}

bool read_names(JsonValue json, std::vector<TokenName>& names) {
  const bool read = json.each_member([&](const std::string& key, JsonValue member) {
    return read_name_of_token(member, key, names);
  });
  std::ranges::sort(names, {}, &TokenName::index);
  return read;
}

void write_names(const TextWriter& to, const std::vector<TokenName>& names) {
  ObjectWriter object(to.out, to.level);
  for (const TokenName& name : names) object.text(std::to_string(name.index), name.text);
  object.end();
}

namespace counted_keys {
using Key = RowOf<CountedTokens>;
constexpr Row kAll[] = {
    Key::at<&CountedTokens::count>(
        "count",
        form_of<std::uint64_t, read_token_count, write_value<std::uint64_t>>({.one_of = "count"}),
        "How many tokens there are.")
        .required(),
    Key::at<&CountedTokens::names>(
        "names",
        form_of<std::vector<TokenName>, read_names, write_names>(
            {.one_of = R"({"type": "object", "additionalProperties": {"type": "string"}})"}),
        "Texts of tokens by their numbers, counted from 0."),
};
}  // namespace counted_keys

bool settle_counted(JsonValue json, void* object, bool is_sound) {
  if (!is_sound) return true;  // reported; the rest can be read
  const CountedTokens& tokens = *static_cast<const CountedTokens*>(object);
  if (!tokens.count) {
    return json.refuse("the number of tokens is missing", "no count",
                       "\"count\": a whole number from 1 on");
  }
  if (!tokens.names.empty() && tokens.names.back().index >= *tokens.count) {
    return json.refuse("a name is beyond the last token",
                       "a name of token " + std::to_string(tokens.names.back().index),
                       "names of tokens 0 to " + std::to_string(*tokens.count - 1),
                       "tokens are counted from 0; or raise the count");
  }
  return true;
}

bool read_counted(JsonValue json, TokenList& list) {
  CountedTokens tokens;
  if (!read_as(json, kCountedObject, tokens)) return false;
  if (tokens.count) list = TokenList::counted(*tokens.count, std::move(tokens.names));
  return true;
}

// An item of a list of texts; numbers there are usually ids of a vocabulary, not counts.
bool read_text_of_token(JsonValue json, std::string& text) {
  if (json.kind() == Kind::Number) {
    return json.refuse("a token is not a text", json.describe(), "a text",
                       "write numbers of a vocabulary as texts, \"101\"; where tokens have no "
                       "names, give how many "
                       "there are in place of the list, \"tokens\": 12");
  }
  return json.read_text(text) && json.charge(text.size());
}

bool read_named_tokens(JsonValue json, TokenList& list) {
  std::vector<std::string> texts;
  const bool read = read_list(json, texts, 2 * sizeof(TokenName), "no tokens", "at least one token",
                              read_text_of_token);
  if (read) list = TokenList(std::move(texts));
  return read;
}

bool read_bare_count(JsonValue json, TokenList& list) {
  std::uint64_t count = 0;
  if (!read_token_count(json, count)) return false;
  list = TokenList::counted(count);
  return true;
}

bool read_list_of_sample(JsonValue json, TokenList& list) {
  return json.kind() == Kind::Object ? read_counted(json, list) : read_named_tokens(json, list);
}

void write_token_list(const TextWriter& to, const TokenList& list) {
  if (list.all_named()) return append_row(to.out, list.texts());
  const CountedTokens counted{list.size(), {list.names().begin(), list.names().end()}};
  write_object(to, kCountedObject, &counted);
}

// --- names of features

constexpr auto kNamesForm =
    form_of<std::vector<std::string>, read_texts, write_texts>({.one_of = "feature_names"});

namespace features_keys {
using Key = RowOf<FeaturesText>;
constexpr Row kAll[] = {
    Key::at<&FeaturesText::d_model>("d_model", kNamesForm, ""),
    Key::at<&FeaturesText::d_k>("d_k", kNamesForm, ""),
    Key::at<&FeaturesText::d_v>("d_v", kNamesForm, ""),
    Key::at<&FeaturesText::d_ff>("d_ff", kNamesForm, ""),
};
}  // namespace features_keys
constexpr std::pair<FeatureAxis, std::vector<std::string> FeaturesText::*> kAxes[] = {
    {FeatureAxis::Model, &FeaturesText::d_model},
    {FeatureAxis::Key, &FeaturesText::d_k},
    {FeatureAxis::Value, &FeaturesText::d_v},
    {FeatureAxis::Hidden, &FeaturesText::d_ff},
};
static_assert(std::size(kAxes) == kFeatureAxes);

// Texts of the names, with empty ones for the columns before and between.
std::vector<std::string> texts_of(std::span<const TokenName> names) {
  std::vector<std::string> texts(names.empty() ? 0 : names.back().index + 1);
  for (const TokenName& name : names) texts[name.index] = name.text;
  return texts;
}

}  // namespace

constinit const ObjectOf<CountedTokens> kCountedObject{
    {.name = "counted_tokens",
     .words =
         "Tokens by number: those in names have a text; the text of the others is their number, "
         "counted from 0.",
     .rows = counted_keys::kAll,
     .settle = settle_counted}};

constinit const ObjectOf<FeaturesText> kFeaturesObject{{.rows = features_keys::kAll}};

bool read_token_lists(JsonValue json, TokenLists& lists) {
  const auto add = [&](JsonValue sample) {
    return read_item(sample, lists, 2 * sizeof(TokenList), read_list_of_sample);
  };
  if (json.kind() == Kind::Number) return read_bare_count(json, lists.emplace_back());
  if (json.kind() != Kind::List && json.kind() != Kind::Object) {
    return json.refuse("tokens are neither listed nor counted", json.describe(),
                       "a list of texts, or how many tokens there are as a number",
                       "write a count without quotation marks");
  }
  return json.is_list_of("[{") ? json.each_item(add) : add(json);
}

void write_token_lists(const TextWriter& to, const TokenLists& lists) {
  const TokenList& first = lists.front();
  if (lists.size() == 1 && first.names().empty()) return append_json(to.out, first.size());
  if (lists.size() == 1) return write_token_list(to, first);
  append_list(to.out, lists.size(), to.level, [&](std::size_t i) {
    write_token_list({to.out, to.level + 1}, lists[i]);
  });
}

bool read_features(JsonValue json, FeaturesText& features) {
  switch (json.kind()) {
    case Kind::List:
      return read_texts(json, features.only);
    case Kind::Object:
      return read_as(json, kFeaturesObject, features);
    default:
      return json.refuse("features are neither a list nor an object", json.describe(),
                         "a list of names, or an object such as {\"d_model\": [\"animal\"]}");
  }
}

void write_features(const TextWriter& to, const FeaturesText& features) {
  write_object(to, kFeaturesObject, &features);
}

FeatureNames names_of(FeaturesText text) {
  FeatureNames names;
  for (const auto& [axis, member] : kAxes) names.set(axis, std::move(text.*member));
  return names;
}

FeaturesText as_text(const FeatureNames& names) {
  FeaturesText text;
  for (const auto& [axis, member] : kAxes) text.*member = texts_of(names.of(axis));
  return text;
}

void write_tokens(ObjectWriter& object, const Document& document) {
  const auto write = [&](std::string_view key, const TokenLists& lists) {
    if (!lists.empty()) write_token_lists({object.member(key), 1}, lists);
  };
  write(document.cross ? "query_tokens" : "tokens", document.query_tokens);
  if (document.cross) write("key_tokens", document.key_tokens);
}

}  // namespace attn
