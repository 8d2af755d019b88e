// Reads and writes token lists and the names of features.
#include "document/json/tokens.h"

#include <charconv>
#include <optional>
#include <utility>

#include "base/json_writer.h"
#include "base/number_text.h"
#include "document/inconsistencies.h"
#include "document/json.h"
#include "document/json/values.h"

namespace attn {
namespace {

using Kind = JsonValue::Kind;

struct CountedTokens {
  std::optional<std::uint64_t> count;
  std::vector<TokenName> names;
};

// Every token takes one number at least.
bool read_token_count(JsonValue json, std::uint64_t& count) {
  if (!read_count(json, 1, count)) return false;
  const std::uint64_t most = json.reader().memory_left() / sizeof(float);
  if (count <= most) return true;
  json.refuse("so many tokens would need more memory than is allowed", counted(count, "token"),
              "at most " + counted(most, "token"),
              "use shorter sequences, or raise the memory limit");
  json.reader().errors().back().kind = ErrorKind::OverMemoryLimit;
  return false;
}

bool read_count_of(JsonValue json, CountedTokens& tokens) {
  std::uint64_t count = 0;
  if (!read_token_count(json, count)) return false;
  tokens.count = count;
  return true;
}

// "17", and not "017": no token has two keys.
std::optional<std::size_t> token_number(const std::string& key) {
  std::size_t number = 0;
  const auto read = std::from_chars(key.data(), key.data() + key.size(), number);
  if (read.ec != std::errc{} || std::to_string(number) != key) return std::nullopt;
  return number;
}

bool read_name(JsonValue json, const std::string& key, std::vector<TokenName>& names) {
  const std::optional<std::size_t> number = token_number(key);
  if (!number) {
    return json.refuse_key("a name belongs to the number of a token",
                           "a whole number such as \"17\", counted from 0", "");
  }
  std::string text;
  if (!json.read_text(text) || !json.charge(2 * sizeof(TokenName) + text.size())) return false;
  names.push_back({*number, std::move(text)});
  return true;
}

bool read_names_of(JsonValue json, CountedTokens& tokens) {
  const bool read = json.each_member([&](const std::string& key, JsonValue member) {
    return read_name(member, key, tokens.names);
  });
  std::ranges::sort(tokens.names, {}, &TokenName::index);
  return read;
}

constexpr Row<CountedTokens> kCountedRows[] = {
    {"count", read_count_of},
    {"names", read_names_of},
};

bool read_counted(JsonValue json, TokenList& list) {
  const std::size_t known = json.reader().errors().size();
  CountedTokens tokens;
  if (!read_object<CountedTokens>(json, kCountedRows, tokens)) return false;
  if (json.reader().errors().size() > known) return true;  // reported; the rest can be read
  if (!tokens.count) {
    return json.refuse("how many tokens there are is missing", "no count",
                       "\"count\": a whole number from 1 on");
  }
  if (!tokens.names.empty() && tokens.names.back().index >= *tokens.count) {
    return json.refuse("a name is beyond the last token",
                       "a name of token " + std::to_string(tokens.names.back().index),
                       "names of tokens 0 to " + std::to_string(*tokens.count - 1),
                       "tokens are counted from 0; or raise the count");
  }
  list = TokenList::counted(*tokens.count, std::move(tokens.names));
  return true;
}

// An item of a list of texts; numbers there are usually ids of a vocabulary, not counts.
bool read_text_of_token(JsonValue json, std::vector<std::string>& texts) {
  if (json.kind() == Kind::Number) {
    return json.refuse("a token is no text", json.describe(), "a text",
                       "write numbers of a vocabulary as texts; so many tokens without names "
                       "are {\"count\": …}");
  }
  std::string text;
  if (!json.read_text(text) || !json.charge(2 * sizeof(TokenName) + text.size())) return false;
  texts.push_back(std::move(text));
  return true;
}

bool read_named_tokens(JsonValue json, TokenList& list) {
  std::vector<std::string> texts;
  if (!json.each_item([&](JsonValue item) { return read_text_of_token(item, texts); }))
    return false;
  if (texts.empty()) {
    return json.refuse("an empty list", "no tokens", "at least one token");
  }
  list = TokenList(std::move(texts));
  return true;
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

void append_names(std::string& out, std::span<const TokenName> names, std::size_t level) {
  ObjectWriter object(out, level);
  for (const TokenName& name : names) object.text(std::to_string(name.index), name.text);
  object.end();
}

void append_counted(std::string& out, const TokenList& list, std::size_t level) {
  ObjectWriter object(out, level);
  object.number("count", list.size());
  if (!list.names().empty()) append_names(object.member("names"), list.names(), level + 1);
  object.end();
}

void append_tokens(std::string& out, const TokenList& list, std::size_t level) {
  list.all_named() ? append_row(out, list) : append_counted(out, list, level);
}

void write_lists(ObjectWriter& object, std::string_view key, const TokenLists& lists) {
  if (lists.empty()) return;
  std::string& out = object.member(key);
  const TokenList& first = lists.front();
  if (lists.size() == 1 && first.names().empty()) return append_json(out, first.size());
  if (lists.size() == 1) return append_tokens(out, first, 1);
  append_list(out, lists.size(), 1, [&](std::size_t i) { append_tokens(out, lists[i], 2); });
}

template <FeatureAxis Axis>
bool read_names_along(JsonValue json, FeatureFields& fields) {
  std::vector<std::string> names;
  if (!read_texts(json, names)) return false;
  fields.names.set(Axis, std::move(names));
  return true;
}

constexpr Row<FeatureFields> kAxisKeys[] = {
    {"d_model", read_names_along<FeatureAxis::Model>},
    {"d_k", read_names_along<FeatureAxis::Key>},
    {"d_v", read_names_along<FeatureAxis::Value>},
    {"d_ff", read_names_along<FeatureAxis::Hidden>},
};
static_assert(std::size(kAxisKeys) == kFeatureAxes);

// With empty texts for the columns before and between.
std::vector<std::string> texts_of(std::span<const TokenName> names) {
  std::vector<std::string> texts(names.empty() ? 0 : names.back().index + 1);
  for (const TokenName& name : names) texts[name.index] = name.text;
  return texts;
}

}  // namespace

bool read_token_lists(JsonValue json, TokenLists& lists) {
  const auto add = [&](JsonValue sample) {
    TokenList list;
    if (!sample.charge(2 * sizeof(TokenList)) || !read_list_of_sample(sample, list)) return false;
    lists.push_back(std::move(list));
    return true;
  };
  if (json.kind() == Kind::Number) return read_bare_count(json, lists.emplace_back());
  if (json.kind() != Kind::List && json.kind() != Kind::Object) {
    return json.refuse("tokens are neither listed nor counted", json.describe(),
                       "a list of texts, or how many tokens there are as a number",
                       "a count stands without quotation marks");
  }
  return json.is_list_of("[{") ? json.each_item(add) : add(json);
}

void write_tokens(ObjectWriter& object, const Document& document) {
  write_lists(object, document.cross ? "query_tokens" : "tokens", document.query_tokens);
  if (document.cross) write_lists(object, "key_tokens", document.key_tokens);
}

bool read_features(JsonValue json, FeatureFields& fields) {
  switch (json.kind()) {
    case Kind::List:
      return read_texts(json, fields.only);
    case Kind::Object:
      return read_object<FeatureFields>(json, kAxisKeys, fields);
    default:
      return json.refuse("features are neither a list nor an object", json.describe(),
                         "a list of names, or an object such as {\"d_model\": [\"animal\"]}");
  }
}

void write_features(ObjectWriter& document, const FeatureNames& names) {
  if (names.none()) return;
  ObjectWriter object(document.member("features"), 1);
  for (const FeatureAxisInfo& info : all_feature_axes()) {
    const std::vector<std::string> texts = texts_of(names.of(info.axis));
    if (!texts.empty()) append_row(object.member(info.key), texts);
  }
  object.end();
}

}  // namespace attn
