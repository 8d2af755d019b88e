// The three layouts of files in which tokenizers are kept.
#include "tokenizer/parts.h"

#include <utility>

#include "base/parsed_number.h"
#include "tokenizer/members.h"

namespace attn::tokenizing {
namespace {

// Reads the root of a file of JSON; false for a first error.
template <class Read>
Status read_file(const std::string& name, const std::string& text, Read&& read) {
  const auto in_file = [&](Error error) {
    error.file = name;
    return error;
  };
  if (std::optional<Error> refusal = utf8_refusal(text, "the file")) return in_file(*refusal);
  JsonReader reader(text, {});
  if (reader.broken()) return in_file(*reader.broken());
  if (reader.is_empty()) {
    return in_file({.kind = ErrorKind::BadInput, .message = "the file is empty"});
  }
  const bool is_read = read(reader.root());
  if (!reader.errors().empty()) return in_file(reader.errors().front());
  if (reader.broken()) return in_file(*reader.broken());
  if (is_read) return ok_status();
  return in_file({.kind = ErrorKind::BadInput, .message = "the file cannot be read"});
}

bool is_byte_level(JsonValue root) {
  for (const char* key : {"decoder", "pre_tokenizer"}) {
    const std::optional<JsonValue> step = member(root, key);
    if (step && step->source().find("\"ByteLevel\"") != std::string_view::npos) return true;
  }
  return false;
}

// A token has the id of its text in the vocabulary if that has it.
bool add_token(JsonValue json, AddedToken token, TokenizerParts& parts) {
  if (!read_added_token(json, token)) return false;
  token.id = parts.model.vocabulary->id_of(token.content).value_or(token.id);
  parts.added.insert_or_assign(token.id, std::move(token));
  return true;
}

bool has_token(const TokenizerParts& parts, std::uint32_t id) {
  return parts.model.vocabulary->piece_of(id) != nullptr || parts.added.contains(id);
}

bool check_special_ids(JsonValue json, const TokenizerParts& parts) {
  for (const TokenIds* ids : {&parts.around.before, &parts.around.after}) {
    for (const std::uint32_t id : *ids) {
      if (has_token(parts, id)) continue;
      return json.refuse("a special token is not in the vocabulary", "the id " + std::to_string(id),
                         "an id of the vocabulary or of added_tokens");
    }
  }
  return true;
}

bool read_tokenizer_json(JsonValue root, TokenizerParts& parts) {
  const std::optional<JsonValue> normalizer = member(root, "normalizer"),
                                 pre_tokenizer = member(root, "pre_tokenizer"),
                                 model = member(root, "model"),
                                 post_processor = member(root, "post_processor"),
                                 added = member(root, "added_tokens");
  if (!model) return root.refuse("there is no model", root.describe(), "\"model\": {\"type\": …}");
  const auto add = [&](JsonValue item) { return add_token(item, {}, parts); };
  parts.has_byte_letters = is_byte_level(root);
  return (!normalizer || read_normalizer(*normalizer, parts.normalizer)) &&
         (!pre_tokenizer || read_pre_tokenizer(*pre_tokenizer, parts.pre_tokenizer)) &&
         read_model(*model, parts.model) && (!added || added->each_item(add)) &&
         (!post_processor || (read_post_processor(*post_processor, parts.around) &&
                              check_special_ids(*post_processor, parts)));
}

// Reads the options of the older layouts from tokenizer_config.json.
bool read_config(JsonValue root, StepOptions& options, TokenizerParts& parts) {
  const std::optional<JsonValue> added = member(root, "added_tokens_decoder");
  bool is_sound = true;
  const auto add = [&](const std::string& key, JsonValue json) {
    const Result<std::int64_t> id = parse_integer(key);
    const bool is_id = id && *id >= 0 && *id <= 0xFFFFFFFF;
    is_sound = is_id ? add_token(json, {.id = static_cast<std::uint32_t>(*id)}, parts) && is_sound
                     : json.refuse_key("this is no id", "a whole number below 4294967296", "");
  };
  return read_member(root, "do_lower_case", options.lowercase) &&
         read_member(root, "strip_accents", options.strip_accents) &&
         read_member(root, "tokenize_chinese_chars", options.handle_chinese_chars) &&
         read_member(root, "add_prefix_space", options.add_prefix_space) &&
         (!added || (added->each_member(add) && is_sound));
}

// Reads the configuration, once the vocabulary is known, and adds the usual special tokens.
Status complete(const TokenizerFiles& files, StepOptions& options, TokenizerParts& parts) {
  for (const char* name : {"<|endoftext|>", "[UNK]", "[SEP]", "[PAD]", "[CLS]", "[MASK]"}) {
    const std::optional<std::uint32_t> id = parts.model.vocabulary->id_of(name);
    if (id) parts.added.emplace(*id, AddedToken{.content = name, .id = *id});
  }
  if (files.tokenizer_config_json.empty()) return ok_status();
  return read_file("tokenizer_config.json", files.tokenizer_config_json,
                   [&](JsonValue root) { return read_config(root, options, parts); });
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
  if (!error) return ok_status();
  error->file = name;
  return *error;
}

Result<TokenizerParts> parts_like_gpt2(const TokenizerFiles& files) {
  auto vocabulary = std::make_shared<Vocabulary>();
  Status read = read_file("vocab.json", files.vocab_json,
                          [&](JsonValue root) { return read_vocabulary(root, *vocabulary); });
  if (!read) return read.error();
  Bpe bpe(vocabulary, {});
  read = each_line("merges.txt", files.merges_txt, [&](std::string_view line, std::size_t) {
    const bool is_merge = !line.empty() && !line.starts_with("#version");
    return is_merge ? bpe.add_merge(line) : std::nullopt;
  });
  if (!read) return read.error();
  StepOptions options{.add_prefix_space = false};
  TokenizerParts parts{.model = model_of(vocabulary, std::move(bpe)), .has_byte_letters = true};
  if (read = complete(files, options, parts); !read) return read.error();
  parts.pre_tokenizer = byte_level(options);
  return parts;
}

Result<TokenizerParts> parts_like_bert(const TokenizerFiles& files) {
  auto vocabulary = std::make_shared<Vocabulary>();
  Status read =
      each_line("vocab.txt", files.vocab_txt,
                [&](std::string_view line, std::size_t number) -> std::optional<Error> {
                  vocabulary->add(std::string(line), static_cast<std::uint32_t>(number - 1));
                  if (line.size() <= kLongestPiece) return std::nullopt;
                  return Error{.kind = ErrorKind::BadInput, .message = "the piece is too long"};
                });
  if (!read) return read.error();
  StepOptions options{.add_prefix_space = false};
  TokenizerParts parts{.pre_tokenizer = bert_pre_tokenizer({}),
                       .model = word_piece(vocabulary, {})};
  if (read = complete(files, options, parts); !read) return read.error();
  parts.normalizer = bert_normalizer(options);
  const auto start = vocabulary->id_of("[CLS]"), end = vocabulary->id_of("[SEP]");
  if (start && end) parts.around = {{*start}, {*end}};
  return parts;
}

Result<TokenizerParts> parts_of_one_file(const TokenizerFiles& files) {
  TokenizerParts parts;
  const Status read = read_file("tokenizer.json", files.tokenizer_json,
                                [&](JsonValue root) { return read_tokenizer_json(root, parts); });
  return read ? Result<TokenizerParts>(std::move(parts)) : read.error();
}

Result<TokenizerParts> parts_of_any(const TokenizerFiles& files) {
  if (!files.tokenizer_json.empty()) return parts_of_one_file(files);
  if (!files.vocab_json.empty() && !files.merges_txt.empty()) return parts_like_gpt2(files);
  if (!files.vocab_txt.empty()) return parts_like_bert(files);
  return Error{.kind = ErrorKind::BadInput,
               .message = "there is no tokenizer that can be read",
               .found = files.vocab_json.empty() ? "none of its files" : "vocab.json alone",
               .expected = "tokenizer.json, vocab.json with merges.txt, or vocab.txt",
               .hint = kGiveIds};
}

// Texts of tokens that are found in normalized texts are normalized, too.
Status index_added(TokenizerParts& parts) {
  std::vector<AddedToken> raw, normalized;
  parts.size = parts.model.vocabulary->size();
  for (const auto& [id, token] : parts.added) {
    parts.size = std::max(parts.size, std::size_t{id} + 1);
    (token.normalized ? normalized : raw).push_back(token);
    if (!token.normalized || !parts.normalizer) continue;
    Pieces pieces{{token.content}};
    if (Status done = parts.normalizer(pieces); !done) return done;
    normalized.back().content = pieces[0].text;
  }
  parts.raw_tokens = AddedTokens(std::move(raw));
  parts.normalized_tokens = AddedTokens(std::move(normalized));
  return ok_status();
}

}  // namespace

Result<TokenizerParts> read_parts(const TokenizerFiles& files) {
  Result<TokenizerParts> parts = parts_of_any(files);
  if (!parts) return parts;
  const Status indexed = index_added(*parts);
  return indexed ? std::move(parts) : indexed.error();
}

}  // namespace attn::tokenizing
