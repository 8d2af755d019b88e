// The three layouts of files in which tokenizers are kept.
#include "tokenizer/parts.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "base/parsed_number.h"
#include "tokenizer/members.h"

namespace attn::tokenizing {
namespace {

Error in_file(const std::string& name, Error error) {
  error.file = name;
  return error;
}

// Calls read(the root of a file of JSON).
template <class Read>
Status read_file(const std::string& name, const std::string& text, Read&& read) {
  if (std::optional<Error> refusal = utf8_refusal(text, "the file")) return in_file(name, *refusal);
  JsonReader reader(text, {});
  if (reader.is_empty() && !reader.broken()) {
    return in_file(name, {.kind = ErrorKind::BadInput, .message = "the file is empty"});
  }
  if (!reader.broken()) read(reader.root());
  if (!reader.errors().empty()) return in_file(name, reader.errors().front());
  if (reader.broken()) return in_file(name, *reader.broken());
  return ok_status();
}

// Calls visit(line, its number from 1) until that returns an error.
template <class Visit>
Status each_line(const std::string& name, std::string_view text, Visit&& visit) {
  std::optional<Error> error = utf8_refusal(text, "the file");
  for (std::size_t number = 1; !error && !text.empty(); ++number) {
    std::string_view line = take_before(text, "\n");
    if (line.ends_with('\r')) line.remove_suffix(1);
    error = visit(line, number);
    if (error) error->line = number, error->column = 1;
  }
  return error ? Status(in_file(name, *error)) : ok_status();
}

// --- added tokens

// A token as an object; it has the text's usual settings of special ones where it names none.
AddedToken added_token(JsonValue json, bool is_special) {
  return {.content = get<std::string>(json, "content"),
          .single_word = get<bool>(json, "single_word"),
          .lstrip = get<bool>(json, "lstrip"),
          .rstrip = get<bool>(json, "rstrip"),
          .normalized = get(json, "normalized", !is_special)};
}

// A token has the id of its text in the vocabulary if that has it; else its own.
bool add_token(JsonValue json, AddedToken token, TokenizerParts& parts) {
  if (!is_short(json, token.content) || !json.charge(2 * sizeof token)) return false;
  const Vocabulary& vocabulary = *parts.model.vocabulary;
  token.id = vocabulary.id_of(token.content).value_or(token.id);
  const std::string* other = vocabulary.piece_of(token.id);
  const auto before = parts.added.find(token.id);
  if (before != parts.added.end()) other = &before->second.content;
  if (other != nullptr && *other != token.content) {
    return json.refuse("an added token has the id of another piece",
                       in_quotes(token.content) + " with the id " + std::to_string(token.id),
                       "an id other than that of " + in_quotes(*other));
  }
  parts.added.insert_or_assign(token.id, std::move(token));
  return json.reader().errors().empty();
}

// Adds a token with the id, unless it names one.
bool add_object(JsonValue json, std::uint32_t id, TokenizerParts& parts) {
  AddedToken token = added_token(json, get<bool>(json, "special"));
  token.id = get(json, "id", id);
  return add_token(json, std::move(token), parts);
}

// Texts of tokens that are found in normalized texts are normalized, too.
Status index_added(TokenizerParts& parts) {
  parts.size = parts.model.vocabulary->size();
  for (const auto& [id, token] : parts.added) {
    AddedTokens& added = token.normalized ? parts.normalized_tokens : parts.raw_tokens;
    Pieces text{{token.content}};
    if (token.normalized && parts.normalizer) {
      if (Status done = parts.normalizer(text); !done) return done;
    }
    added.sorted.emplace_back(text[0].text, static_cast<std::uint32_t>(added.tokens.size()));
    added.tokens.push_back(token);
    parts.size = std::max(parts.size, std::size_t{id} + 1);
  }
  for (AddedTokens* added : {&parts.raw_tokens, &parts.normalized_tokens}) {
    added->sorted = sorted(std::move(added->sorted));
  }
  return ok_status();
}

// --- tokenizer.json

bool is_byte_level(JsonValue root) {
  return std::ranges::any_of(
      std::initializer_list<std::string_view>{"decoder", "pre_tokenizer"}, [&](auto key) {
        const std::optional<JsonValue> step = member(root, key);
        return step && step->source().find("\"ByteLevel\"") != std::string_view::npos;
      });
}

void check_special_ids(JsonValue json, const TokenizerParts& parts) {
  for (const TokenIds* ids : {&parts.around.before, &parts.around.after}) {
    for (const std::uint32_t id : *ids) {
      if (parts.model.vocabulary->piece_of(id) != nullptr || parts.added.contains(id)) continue;
      json.refuse("a special token is not in the vocabulary", "the id " + std::to_string(id),
                  "an id of the vocabulary or of added_tokens");
    }
  }
}

void read_tokenizer_json(JsonValue root, TokenizerParts& parts) {
  const std::optional<JsonValue> model = member(root, "model");
  if (!model) {
    root.refuse("there is no model", root.describe(), "\"model\": {\"type\": …}");
    return;
  }
  parts.has_byte_letters = is_byte_level(root);
  if (const auto json = member(root, "normalizer")) parts.normalizer = read_normalizer(*json);
  if (const auto json = member(root, "pre_tokenizer")) {
    parts.pre_tokenizer = read_pre_tokenizer(*json);
  }
  parts.model = read_model(*model);
  if (const auto json = member(root, "added_tokens")) {
    json->each_item([&](JsonValue item) { return add_object(item, 0, parts); });
  }
  if (const auto json = member(root, "post_processor")) {
    parts.around = read_post_processor(*json);
    check_special_ids(*json, parts);
  }
}

// --- the older layouts

void read_added_by_id(JsonValue added, TokenizerParts& parts) {
  added.each_member([&](const std::string& key, JsonValue json) {
    const Result<std::int64_t> id = parse_integer(key);
    if (id && *id >= 0 && *id <= 0xFFFFFFFF) {
      add_object(json, static_cast<std::uint32_t>(*id), parts);
    } else {
      json.refuse_key("this is no id", "a whole number below 4294967296", "");
    }
  });
}

// A special token by its role in settings, or one of "additional_special_tokens".
struct SpecialToken {
  std::string_view role;
  AddedToken token = {};   // without content: none
  bool is_stated = false;  // else the usual one
};
using SpecialTokens = std::vector<SpecialToken>;

// The usual ones, in the order in which libraries number those that the vocabulary has not.
SpecialTokens special_of_gpt2() {
  constexpr const char* kEnd = "<|endoftext|>";
  return {{"bos_token", {kEnd}}, {"eos_token", {kEnd}}, {"unk_token", {kEnd}}, {"sep_token"},
          {"pad_token"},         {"cls_token"},         {"mask_token"}};
}
SpecialTokens special_of_roberta() {
  return {{"bos_token", {"<s>"}},
          {"eos_token", {"</s>"}},
          {"unk_token", {"<unk>"}},
          {"sep_token", {"</s>"}},
          {"pad_token", {"<pad>"}},
          {"cls_token", {"<s>"}},
          {"mask_token", {.content = "<mask>", .lstrip = true}}};
}
SpecialTokens special_of_bert() {
  return {{"bos_token"},
          {"eos_token"},
          {"unk_token", {"[UNK]"}},
          {"sep_token", {"[SEP]"}},
          {"pad_token", {"[PAD]"}},
          {"cls_token", {"[CLS]"}},
          {"mask_token", {"[MASK]"}}};
}

const std::string& text_of(const SpecialTokens& special, std::string_view role) {
  return std::ranges::find(special, role, &SpecialToken::role)->token.content;
}

// A token is a text, with the other settings that it had, or an object.
void read_special(JsonValue json, SpecialToken& special) {
  special.is_stated = true;
  if (json.kind() == JsonValue::Kind::Object) {
    special.token = added_token(json, true);
  } else {
    json.read_text(special.token.content);
  }
  is_short(json, special.token.content);
}

void read_special_tokens(JsonValue root, SpecialTokens& special) {
  if (root.kind() != JsonValue::Kind::Object) {
    root.refuse("this is not an object", root.describe(), "{\"cls_token\": \"[CLS]\", …}");
    return;
  }
  for (SpecialToken& one : special) {
    const std::optional<JsonValue> json = one.role.empty() ? std::nullopt : member(root, one.role);
    if (json) read_special(*json, one);
  }
  const std::optional<JsonValue> others = member(root, "additional_special_tokens");
  if (!others) return;
  others->each_item([&](JsonValue item) {
    if (!item.charge(2 * sizeof(SpecialToken))) return false;
    read_special(item, special.emplace_back());
    return item.reader().errors().empty();
  });
}

// {"token": id, …}
void read_added_ids(JsonValue root, const SpecialTokens& special, TokenizerParts& parts) {
  std::unordered_set<std::string_view> texts;
  for (const SpecialToken& one : special) texts.insert(one.token.content);
  root.each_member([&](const std::string& text, JsonValue value) {
    AddedToken token{.content = text, .normalized = !texts.contains(text)};
    if (read_value(value, token.id)) add_token(value, std::move(token), parts);
  });
}

// Gives special tokens that are in no vocabulary the next ids, and leaves such usual ones away.
void add_special(const SpecialTokens& special, TokenizerParts& parts) {
  std::unordered_map<std::string_view, std::uint32_t> known;
  std::size_t next = parts.model.vocabulary->size();
  for (const auto& [id, token] : parts.added) {
    known.emplace(token.content, id);
    next = std::max(next, std::size_t{id} + 1);
  }
  const std::size_t first = next;
  for (const auto& [role, token, is_stated] : special) {
    const std::string& text = token.content;
    if (text.empty()) continue;
    std::optional<std::uint32_t> id = parts.model.vocabulary->id_of(text);
    if (!id) {
      const auto [place, is_new] = known.emplace(text, static_cast<std::uint32_t>(next));
      next += is_new ? 1 : 0;
      id = place->second;
    }
    if (*id >= first && !is_stated) continue;
    parts.added.emplace(*id, token).first->second.id = *id;
  }
}

// Reads settings, special and added tokens; make_steps(the root of the settings).
template <class MakeSteps>
Status complete(const TokenizerFiles& files, SpecialTokens& special, TokenizerParts& parts,
                MakeSteps&& make_steps) {
  const auto read = [](const char* name, const std::string& text, const auto& visit) {
    return read_file(name, text.empty() ? "{}" : text, visit);
  };
  bool has_all = false;
  Status done = read("tokenizer_config.json", files.tokenizer_config_json, [&](JsonValue root) {
    read_special_tokens(root, special);
    const auto added = member(root, "added_tokens_decoder");
    if (added) read_added_by_id(*added, parts);
    has_all = added.has_value();
    make_steps(root);
  });
  if (done && !has_all) {
    done = read("special_tokens_map.json", files.special_tokens_map_json,
                [&](JsonValue root) { read_special_tokens(root, special); });
  }
  if (done && !has_all) {
    done = read("added_tokens.json", files.added_tokens_json,
                [&](JsonValue root) { read_added_ids(root, special, parts); });
  }
  if (done) add_special(special, parts);
  return done;
}

std::optional<std::uint32_t> id_of(const TokenizerParts& parts, const std::string& text) {
  const auto added = std::ranges::find_if(
      parts.added, [&](const auto& known) { return known.second.content == text; });
  return added == parts.added.end() ? std::nullopt : std::optional(added->first);
}

// Puts the special tokens around each text.
Status add_ends(const std::string& file, const SpecialTokens& special, TokenizerParts& parts) {
  const std::string &start = text_of(special, "cls_token"), &end = text_of(special, "sep_token");
  const auto first = id_of(parts, start), last = id_of(parts, end);
  if (first && last) {
    parts.around = {{*first}, {*last}};
    return ok_status();
  }
  return in_file(file, {.kind = ErrorKind::BadInput,
                        .message = "the vocabulary lacks a token that is around each text",
                        .found = "no " + (first ? end : start),
                        .expected = start + " and " + end,
                        .hint = "write their names in special_tokens_map.json: \"cls_token\" and "
                                "\"sep_token\""});
}

Status read_like_gpt2(const TokenizerFiles& files, TokenizerParts& parts) {
  auto vocabulary = std::make_shared<Vocabulary>();
  Status read = read_file("vocab.json", files.vocab_json,
                          [&](JsonValue root) { read_vocabulary(root, *vocabulary); });
  if (!read) return read;
  Bpe bpe{.vocabulary = vocabulary};
  read = each_line("merges.txt", files.merges_txt, [&](std::string_view line, std::size_t) {
    const bool is_merge = !line.empty() && !line.starts_with("#version");
    return is_merge ? add_merge(bpe, line) : std::nullopt;
  });
  if (!read) return read;
  parts.model = model_of(std::move(bpe));
  parts.has_byte_letters = true;
  SpecialTokens special = files.ends_texts ? special_of_roberta() : special_of_gpt2();
  bool adds_start = false;
  read = complete(files, special, parts, [&](JsonValue root) {
    parts.pre_tokenizer = byte_level(root, false);
    adds_start = get<bool>(root, "add_bos_token");
  });
  if (!read || files.ends_texts) return read ? add_ends("vocab.json", special, parts) : read;
  const auto start = id_of(parts, text_of(special, "bos_token"));
  if (adds_start && start) parts.around.before = {*start};
  return read;
}

Status read_like_bert(const TokenizerFiles& files, TokenizerParts& parts) {
  auto vocabulary = std::make_shared<Vocabulary>();
  const auto add = [&](std::string_view line, std::size_t number) -> std::optional<Error> {
    vocabulary->add(std::string(line), static_cast<std::uint32_t>(number - 1));
    if (line.size() <= kLongestPiece) return std::nullopt;
    return Error{.kind = ErrorKind::BadInput, .message = "the text is too long to be searched for"};
  };
  if (Status read = each_line("vocab.txt", files.vocab_txt, add); !read) return read;
  parts.model.vocabulary = vocabulary;
  SpecialTokens special = special_of_bert();
  Status read = complete(files, special, parts, [&](JsonValue root) {
    parts.normalizer = bert_normalizer(root);
    parts.pre_tokenizer = bert_pre_tokenizer(root);
  });
  if (!read) return read;
  parts.model = word_piece(vocabulary, text_of(special, "unk_token"));
  return add_ends("vocab.txt", special, parts);
}

Status read_any(const TokenizerFiles& files, TokenizerParts& parts) {
  if (!files.tokenizer_json.empty()) {
    return read_file("tokenizer.json", files.tokenizer_json,
                     [&](JsonValue root) { read_tokenizer_json(root, parts); });
  }
  if (!files.vocab_json.empty() && !files.merges_txt.empty()) return read_like_gpt2(files, parts);
  if (!files.vocab_txt.empty()) return read_like_bert(files, parts);
  return Error{.kind = ErrorKind::BadInput,
               .message = "there is no tokenizer that can be read",
               .found = files.vocab_json.empty() ? "none of its files" : "vocab.json alone",
               .expected = "tokenizer.json, vocab.json with merges.txt, or vocab.txt",
               .hint = kGiveIds};
}

}  // namespace

Result<TokenizerParts> read_parts(const TokenizerFiles& files) {
  TokenizerParts parts;
  if (const Status read = read_any(files, parts); !read) return read.error();
  if (const Status indexed = index_added(parts); !indexed) return indexed.error();
  return parts;
}

}  // namespace attn::tokenizing
