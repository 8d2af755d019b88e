// Reads the files of a tokenizer and tries what they say.
#include "document/folder/tokenizer_files.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/files.h"
#include "base/joined.h"
#include "base/json.h"
#include "document/tensors/array_file.h"
#include "kinds/parts/findings.h"

namespace attn {
namespace {

namespace fs = std::filesystem;

// Reads a file of the tokenizer; empty if there is none.
Status read_part(const std::string& folder, const char* name, std::uint64_t limit,
                 std::string& content) {
  const fs::path file = fs::path(folder) / name;
  std::error_code failed;
  if (!fs::exists(file, failed)) return ok_status();
  Result<std::string> text = read_regular_file(file.string(), limit);
  if (!text) return text.error();
  if (text->empty()) {
    return file_error(ErrorKind::BadInput, file.string(), "the file is empty",
                      "download it again, or remove it");
  }
  if (auto pointer = lfs_refusal(*text)) {
    pointer->file = file.string();
    return *std::move(pointer);
  }
  content = *std::move(text);
  return ok_status();
}

// Notes another size. Tables have some rows more than there are tokens, which makes their number a
// round one.
void note_other_size(const Vocabulary& vocabulary, std::vector<std::string>& notes) {
  constexpr std::size_t kMostSpare = 1024;
  if (vocabulary.tokenizer == nullptr || vocabulary.table.empty()) return;
  const std::size_t tokens = vocabulary.tokenizer->size(), rows = vocabulary.table.extent(0);
  if (tokens <= rows && rows <= tokens + kMostSpare) return;
  notes.push_back("the tokenizer may be of another model: it has " + counted(tokens, "token") +
                  ", and the table of the model " + counted(rows, "row"));
}

// Notes files of settings that are no JSON objects.
void note_broken(const TokenizerFiles& files, std::vector<std::string>& notes) {
  const std::pair<const char*, const std::string*> parts[] = {
      {"tokenizer_config.json", &files.tokenizer_config_json},
      {"special_tokens_map.json", &files.special_tokens_map_json},
      {"added_tokens.json", &files.added_tokens_json}};
  for (const auto& [name, content] : parts) {
    if (content->empty() || parse_own_json(*content).is_object()) continue;
    notes.push_back(std::string(name) + " is no JSON object, and nothing of it is read");
  }
}

// The text of a special token, which is written as a text or as an object.
std::string special_token(const Json& config, const char* key) {
  const Json written = config.value(key, Json());
  const Json text = written.is_object() ? written.value("content", Json()) : written;
  return text.is_string() ? text.get<std::string>() : "";
}

// Something that a tokenizer does or not, and the key under which its configuration says it.
struct Habit {
  const char* key;
  bool does;
};

using Ids = std::vector<std::uint32_t>;

Ids ids_in(const Tokenizer& tokenizer, const char* text) {
  const auto encoded = tokenizer.encode(text);
  return encoded ? *encoded : Ids();
}

// `around`: the ids of an empty text.
std::vector<Habit> habits_of(const Tokenizer& tokenizer, const Json& config, const Ids& around) {
  const auto ids = [&](const char* text) { return ids_in(tokenizer, text); };
  // Where the configuration names no token: the only one around a text is at its begin.
  const auto adds = [&](const char* key) {
    const std::string token = special_token(config, key);
    if (token.empty()) return around.size() > (std::string_view(key) == "bos_token" ? 0 : 1);
    return std::ranges::any_of(around, [&](auto id) { return tokenizer.token(id) == token; });
  };
  std::vector<Habit> habits{{"add_bos_token", adds("bos_token")},
                            {"add_eos_token", adds("eos_token")}};
  if (ids("a") == ids("b")) return habits;  // letters are unknown
  habits.push_back({"do_lower_case", ids("A") == ids("a")});
  habits.push_back({"add_prefix_space", ids("a") == ids(" a")});
  return habits;
}

void note_habits(const TokenizerFiles& files, const Tokenizer& tokenizer,
                 std::vector<std::string>& notes) {
  const Json config = parse_own_json(files.tokenizer_config_json);
  if (files.tokenizer_json.empty() || !config.is_object()) return;
  std::vector<std::string> others;
  const Ids around = ids_in(tokenizer, "");
  for (const Habit& habit : habits_of(tokenizer, config, around)) {
    const Json said = config.value(habit.key, Json());
    if (said.is_boolean() && said.get<bool>() != habit.does) others.push_back(habit.key);
  }
  const std::pair<const char*, bool> ends[] = {{"cls_token", false}, {"sep_token", true}};
  for (const auto& [key, is_last] : ends) {
    const std::string token = special_token(config, key);
    if (token.empty() || around.empty()) continue;
    if (tokenizer.token(is_last ? around.back() : around.front()) != token) others.push_back(key);
  }
  if (config.contains("word_tokenizer_type")) others.push_back("word_tokenizer_type");
  if (others.empty()) return;
  notes.push_back("tokenizer.json is read, which does not do what tokenizer_config.json says of " +
                  listed(others));
}

constexpr std::size_t kNamesShown = 5;

// Notes tokens of added_tokens.json to which the file that is read gives other ids, or none.
void note_added(const TokenizerFiles& files, const Tokenizer& tokenizer, bool is_by_settings,
                std::vector<std::string>& notes) {
  const Json added = parse_own_json(files.added_tokens_json);
  if (!added.is_object()) return;
  std::vector<std::string> others;
  for (const auto& [text, id] : added.items()) {
    const bool is_id = id.is_number_unsigned() && id.get<std::uint64_t>() <= 0xFFFFFFFF;
    if (!is_id || tokenizer.token(id.get<std::uint32_t>()) != text) others.push_back(text);
  }
  if (others.empty()) return;
  const std::string read = !files.tokenizer_json.empty() ? "tokenizer.json"
                           : is_by_settings              ? "tokenizer_config.json"
                                                         : "the vocabulary";
  notes.push_back("ids of added_tokens.json are not those of " + read +
                  ", which is read: " + joined_first(others, kNamesShown));
}

// Notes special tokens that have two names.
void note_special(const TokenizerFiles& files, const Json& config, bool is_by_settings,
                  std::vector<std::string>& notes) {
  const Json map = parse_own_json(files.special_tokens_map_json);
  if (!files.tokenizer_json.empty() || !map.is_object() || !config.is_object()) return;
  std::vector<std::string> others;
  for (const auto& [role, token] : map.items()) {
    const std::string here = special_token(map, role.c_str());
    const std::string there = special_token(config, role.c_str());
    if (!here.empty() && !there.empty() && here != there) others.push_back(role);
  }
  if (others.empty()) return;
  const std::pair read("special_tokens_map.json", "tokenizer_config.json");
  notes.push_back(std::string(is_by_settings ? read.second : read.first) + " is read, from which " +
                  (is_by_settings ? read.first : read.second) + " differs in " + listed(others));
}

}  // namespace

Result<TokenizerFiles> tokenizer_files(const std::string& folder, const Family& family,
                                       const ReadOptions& options) {
  TokenizerFiles files;
  const std::pair<const char*, std::string*> parts[] = {
      {"tokenizer.json", &files.tokenizer_json},
      {"vocab.json", &files.vocab_json},
      {"merges.txt", &files.merges_txt},
      {"vocab.txt", &files.vocab_txt},
      {"tokenizer_config.json", &files.tokenizer_config_json},
      {"special_tokens_map.json", &files.special_tokens_map_json},
      {"added_tokens.json", &files.added_tokens_json}};
  // The largest in use have 34 MB; reading one needs some ten times its size.
  constexpr std::uint64_t kLargest = std::uint64_t{128} << 20U;
  for (const auto& [name, content] : parts) {
    const Status read =
        read_part(folder, name, std::min(options.memory_limit_bytes / 8, kLargest), *content);
    if (!read) return read.error();
  }
  files.ends_texts = family.ends_texts;
  const bool is_of_pairs = files.tokenizer_json.empty() && !files.vocab_json.empty();
  if (!is_of_pairs || family.cuts_like_gpt2) return files;
  Error error = refusal_at("", "tokenizers of this family are not read from vocab.json",
                           "no tokenizer.json", "tokenizer.json",
                           "save it in Python: AutoTokenizer.from_pretrained(FOLDER)"
                           ".save_pretrained(FOLDER), or give --ids");
  error.file = folder;
  return error;
}

Result<std::shared_ptr<const Tokenizer>> tokenizer_of(const std::string& folder,
                                                      const TokenizerFiles& files) {
  if (files.tokenizer_json.empty() && files.vocab_json.empty() && files.vocab_txt.empty()) {
    return std::shared_ptr<const Tokenizer>();
  }
  Result<std::shared_ptr<const Tokenizer>> tokenizer = Tokenizer::open(files);
  if (tokenizer) return tokenizer;
  Error error = tokenizer.error();
  error.file = folder + "/" + error.file;
  return error;
}

void note_tokenizer(const TokenizerFiles& files, const Vocabulary& vocabulary,
                    std::vector<std::string>& notes) {
  note_other_size(vocabulary, notes);
  note_broken(files, notes);
  if (vocabulary.tokenizer == nullptr) return;
  note_habits(files, *vocabulary.tokenizer, notes);
  const Json config = parse_own_json(files.tokenizer_config_json);
  const bool is_by_settings = config.is_object() && config.contains("added_tokens_decoder");
  note_added(files, *vocabulary.tokenizer, is_by_settings, notes);
  note_special(files, config, is_by_settings, notes);
}

}  // namespace attn
