// The three layouts of files in which tokenizers are kept.
#include "tokenizer/parts.h"

#include <algorithm>
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

// A token has the id of its text in the vocabulary if that has it; else this one, or its own.
bool add_token(JsonValue json, std::uint32_t id, TokenizerParts& parts) {
  AddedToken token{.content = get<std::string>(json, "content"),
                   .id = get(json, "id", id),
                   .single_word = get<bool>(json, "single_word"),
                   .lstrip = get<bool>(json, "lstrip"),
                   .rstrip = get<bool>(json, "rstrip"),
                   .normalized = get(json, "normalized", !get<bool>(json, "special"))};
  if (!is_short(json, token.content) || !json.charge(2 * sizeof token)) return false;
  token.id = parts.model.vocabulary->id_of(token.content).value_or(token.id);
  const std::string* const other = parts.model.vocabulary->piece_of(token.id);
  if (other != nullptr && *other != token.content) {
    return json.refuse("an added token has the id of another piece",
                       in_quotes(token.content) + " with the id " + std::to_string(token.id),
                       "an id other than that of " + in_quotes(*other));
  }
  parts.added.insert_or_assign(token.id, std::move(token));
  return json.reader().errors().empty();
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
    json->each_item([&](JsonValue item) { return add_token(item, 0, parts); });
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
      add_token(json, static_cast<std::uint32_t>(*id), parts);
    } else {
      json.refuse_key("this is no id", "a whole number below 4294967296", "");
    }
  });
}

// Adds the usual special tokens, and reads the configuration; make_steps(its root).
template <class MakeSteps>
Status complete(const TokenizerFiles& files, TokenizerParts& parts, MakeSteps&& make_steps) {
  for (const char* name : {"<|endoftext|>", "[UNK]", "[SEP]", "[PAD]", "[CLS]", "[MASK]"}) {
    const std::optional<std::uint32_t> id = parts.model.vocabulary->id_of(name);
    if (id) parts.added.emplace(*id, AddedToken{.content = name, .id = *id});
  }
  const std::string& config = files.tokenizer_config_json;
  return read_file("tokenizer_config.json", config.empty() ? "{}" : config, [&](JsonValue root) {
    if (const auto added = member(root, "added_tokens_decoder")) read_added_by_id(*added, parts);
    make_steps(root);
  });
}

Error lacks_end(const std::string& file, const std::string& found, const std::string& expected) {
  return in_file(file, {.kind = ErrorKind::BadInput,
                        .message = "the vocabulary lacks a token that is around each text",
                        .found = "no " + found,
                        .expected = expected,
                        .hint = "write them in tokenizer.json if they have other names"});
}

// Adds the special tokens of RoBERTa: ends of a text, and others that are found in it.
Status add_ends(const Vocabulary& vocabulary, TokenizerParts& parts) {
  for (const char* name : {"<s>", "</s>", "<unk>", "<pad>", "<mask>"}) {
    const std::optional<std::uint32_t> id = vocabulary.id_of(name);
    const bool is_mask = name == std::string_view("<mask>");
    if (id) parts.added.emplace(*id, AddedToken{.content = name, .id = *id, .lstrip = is_mask});
  }
  const auto start = vocabulary.id_of("<s>"), end = vocabulary.id_of("</s>");
  if (!start || !end) return lacks_end("vocab.json", start ? "</s>" : "<s>", "<s> and </s>");
  parts.around = {{*start}, {*end}};
  return ok_status();
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
  if (files.ends_texts) {
    if (Status ends = add_ends(*vocabulary, parts); !ends) return ends;
  }
  return complete(files, parts,
                  [&](JsonValue root) { parts.pre_tokenizer = byte_level(root, false); });
}

Status read_like_bert(const TokenizerFiles& files, TokenizerParts& parts) {
  auto vocabulary = std::make_shared<Vocabulary>();
  const auto add = [&](std::string_view line, std::size_t number) -> std::optional<Error> {
    vocabulary->add(std::string(line), static_cast<std::uint32_t>(number - 1));
    if (line.size() <= kLongestPiece) return std::nullopt;
    return Error{.kind = ErrorKind::BadInput, .message = "the text is too long to be searched for"};
  };
  if (Status read = each_line("vocab.txt", files.vocab_txt, add); !read) return read;
  parts.model = word_piece(vocabulary);
  const auto start = vocabulary->id_of("[CLS]"), end = vocabulary->id_of("[SEP]");
  if (!start || !end) return lacks_end("vocab.txt", start ? "[SEP]" : "[CLS]", "[CLS] and [SEP]");
  parts.around = {{*start}, {*end}};
  return complete(files, parts, [&](JsonValue root) {
    parts.normalizer = bert_normalizer(root);
    parts.pre_tokenizer = bert_pre_tokenizer(root);
  });
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
