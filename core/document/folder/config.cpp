// Reads settings of models.
#include "document/folder/config.h"

#include <algorithm>
#include <cmath>

#include "base/joined.h"
#include "base/number_text.h"
#include "base/utf8.h"
#include "kinds/parts/findings.h"
#include "text/reader.h"

namespace attn {
namespace {

constexpr double kMostCount = 1e7;

std::string shown(const Json& value) {
  return shortened(printable_line(value.dump(-1, ' ', false, Json::error_handler_t::replace)), 60);
}

// True for values that leave out what they are about.
bool says_nothing(const Json& value) {
  const auto is_full = [](const Json& item) { return item == "full_attention"; };
  return value.is_null() || value == Json(false) || value == Json(0) || value == Json::object() ||
         (value.is_array() && std::ranges::all_of(value, is_full));
}

// True for settings that change no number of a pass: of training, of writing texts, of the library.
bool is_of_no_number(std::string_view name) {
  constexpr std::string_view kNames =
      "architectures bos_token chunk_size_feed_forward classifier_pooling datasets "
      "deterministic_flash_attn directionality do_sample dtype embedding_size eos_token "
      "finetuning_task gradient_checkpointing id2label initializer_cutoff_factor "
      "initializer_factor initializer_range label2id language length_penalty license "
      "max_length min_length model_name n_ctx num_beams num_labels "
      "original_max_position_embeddings output_attentions output_hidden_states prefix "
      "pretraining_tp problem_type reference_compile repetition_penalty return_dict "
      "sinusoidal_pos_embds sparse_prediction task_specific_params temperature "
      "tie_weights_ tokenizer_class top_k top_p torch_dtype torchscript "
      "transformers_version type_vocab_size use_cache use_return_dict version vocab_size "
      "bad_words_ids begin_suppress_tokens cross_attention_hidden_size diversity_penalty "
      "early_stopping encoder_no_repeat_ngram_size exponential_decay_length_penalty "
      "is_llama_config max_sequence_length model_max_length n_special no_repeat_ngram_size "
      "num_beam_groups num_return_sequences output_past output_scores predict_special_tokens "
      "remove_invalid_values return_dict_in_generate sentence_transformers suppress_tokens "
      "tf_legacy_loss transformers.js_config typical_p use_bfloat16";
  constexpr std::string_view kEnds[] = {"_token_id",       "_token_ids", "dropout",
                                        "dropout_prob",    "_pdrop",     "_drop",
                                        "_implementation", "_version"};
  constexpr std::string_view kBegins[] = {"_",       "summary_", "pooler_",    "attnscope_",
                                          "unsloth", "repad_",   "sparse_pred"};
  return std::ranges::count(split(kNames, ' '), name) > 0 ||
         std::ranges::any_of(kEnds, [&](auto end) { return name.ends_with(end); }) ||
         std::ranges::any_of(kBegins, [&](auto begin) { return name.starts_with(begin); });
}

// Returns what is wrong with the text itself: no JSON, or a key that an object has twice.
std::optional<Error> fault_of_text(std::string_view text) {
  if (std::optional<Error> refusal = utf8_refusal(text, "the file")) return refusal;
  JsonReader reader(text, {});
  if (!reader.is_empty() && !reader.broken()) reader.root().refuse_duplicate_keys();
  std::optional<Error> fault = reader.errors().empty() ? reader.broken() : reader.errors().front();
  const bool is_number = fault && (fault->found == "NaN" || fault->found.ends_with("Infinity"));
  if (is_number) {
    fault->expected = "a finite number";
    fault->hint = "";
  }
  return fault;
}

}  // namespace

Result<ModelConfig> ModelConfig::read(std::string_view text, const std::string& file) {
  if (std::optional<Error> fault = fault_of_text(text)) {
    fault->file = file;
    return *std::move(fault);
  }
  ModelConfig config;
  config.file_ = file;
  config.json_ = parse_own_json(text);
  if (config.json_.is_discarded() && text.find_first_not_of(" \t\r\n") != text.npos) {
    config.refuse("", "a setting of the model is a number that is too large to be read",
                  "more than 1.8e308", "finite numbers");
    return *config.error_;
  }
  if (!config.json_.is_object()) {
    const bool is_blank = text.find_first_not_of(" \t\r\n") == text.npos;
    config.refuse("", "the settings of the model are no JSON object",
                  is_blank ? "an empty file" : "other JSON", "{\"model_type\": \"gpt2\", …}");
    return *config.error_;
  }
  config.type_ = config.text("model_type").value_or("");
  if (config.error_) return *config.error_;
  return config;
}

const Json* ModelConfig::find(std::string_view names, std::string* name) const {
  for (const std::string& one : split(names, '|')) {
    asked_.insert(one);
    const auto found = json_.find(one);
    if (found == json_.end() || found->is_null()) continue;
    if (name != nullptr) *name = one;
    return &*found;
  }
  return nullptr;
}

void ModelConfig::refuse(std::string_view name, const std::string& message,
                         const std::string& found, const std::string& expected) {
  if (error_) return;
  error_ = refusal_at(pointer_ + (name.empty() ? "" : "/" + std::string(name)), message, found,
                      expected);
  error_->file = file_;
}

void ModelConfig::refuse_value(std::string_view name, const Json& value,
                               const std::string& expected) {
  refuse(name, "this setting of the model is not understood", shown(value), expected);
}

std::string ModelConfig::null_in(std::string_view names) const {
  const std::vector<std::string> all = split(names, '|');
  const auto first = std::ranges::find_if(all, [this](const auto& one) { return knows(one); });
  return has(names) || first == all.end() ? "" : *first;
}

std::string ModelConfig::stated(std::string_view names) const {
  std::string name;
  return find(names, &name) != nullptr ? name : split(names, '|').front();
}

bool ModelConfig::is_usual(std::string_view names) const {
  std::string name;
  return find(names, &name) != nullptr && std::ranges::find(usual_, name) != usual_.end();
}

std::string ModelConfig::differing(const ModelConfig& other) const {
  for (const auto& [name, value] : json_.items()) {
    const Json* const found = other.find(name == "type" ? "rope_type|type" : name);
    const bool is_equal =
        found == nullptr ? value.is_null() || name == "rope_theta" : *found == value;
    if (!is_equal) return name;
  }
  return "";
}

void ModelConfig::note(const std::string& text) {
  if (std::ranges::find(notes_, text) == notes_.end()) notes_.push_back(text);
}

std::string ModelConfig::written(std::string_view names) const {
  const Json* const value = find(names);
  return value == nullptr || *value == Json::object() ? "" : shown(*value);
}

std::vector<std::string> ModelConfig::unread() const {
  std::vector<std::string> names;
  for (const auto& [name, value] : json_.items()) {
    if (!says_nothing(value) && !asked_.contains(name) && !is_usual(name) &&
        !is_of_no_number(name)) {
      names.push_back(name);
    }
  }
  return names;
}

std::vector<std::string> ModelConfig::take_usual(std::string_view own) {
  std::vector<std::string> taken;
  const Json usual = parse_own_json(own);
  for (const auto& [name, value] : usual.items()) {
    if (knows(name)) continue;
    json_[name] = value;
    usual_.push_back(name);
    taken.push_back(name + " " + value.dump());
  }
  return taken;
}

std::vector<std::string> ModelConfig::settle(std::string_view own,
                                             const std::vector<std::string_view>& others) {
  std::vector<std::string> left_out;
  const Json usual = parse_own_json(own);
  for (const auto& [name, value] : usual.items()) asked_.insert(name);
  for (const std::string_view text : others) {
    const Json other = parse_own_json(text);
    for (const auto& [name, value] : other.items()) {
      if (usual.contains(name) || !knows(name)) continue;
      if (!says_nothing(json_[name])) left_out.push_back(name);
      json_.erase(name);
    }
  }
  take_usual(own);
  return left_out;
}

std::optional<double> ModelConfig::number(std::string_view names, double low) {
  std::string name;
  const Json* const value = find(names, &name);
  if (value == nullptr) return std::nullopt;
  const double number = value->is_number() ? value->get<double>() : std::nan("");
  if (std::isfinite(number) && number >= low) return number;
  refuse_value(name, *value, "a number of at least " + shortest_text(static_cast<float>(low)));
  return std::nullopt;
}

std::size_t ModelConfig::count(std::string_view names) {
  std::string name;
  const Json* const value = find(names, &name);
  if (value == nullptr) return 0;
  const double number = value->is_number() ? value->get<double>() : 0.0;
  if (number >= 1.0 && number <= kMostCount && number == std::floor(number)) {
    return static_cast<std::size_t>(number);
  }
  refuse_value(name, *value, "a whole number from 1 to 10,000,000");
  return 0;
}

std::size_t ModelConfig::needed(std::string_view names) {
  const std::size_t found = count(names);
  if (found == 0) {
    refuse("", "the model does not state one of its sizes",
           "no \"" + split(names, '|').front() + "\"", "one of " + joined(split(names, '|')));
  }
  return found;
}

std::optional<bool> ModelConfig::flag(std::string_view names) {
  std::string name;
  const Json* const value = find(names, &name);
  if (value == nullptr) return null_in(names).empty() ? std::nullopt : std::optional(false);
  if (value->is_boolean()) return value->get<bool>();
  refuse_value(name, *value, "true or false");
  return std::nullopt;
}

std::optional<std::string> ModelConfig::text(std::string_view names) {
  std::string name;
  const Json* const value = find(names, &name);
  if (value == nullptr) return std::nullopt;
  if (value->is_string()) return value->get<std::string>();
  refuse_value(name, *value, "a text");
  return std::nullopt;
}

std::vector<double> ModelConfig::numbers(std::string_view names) {
  std::string name;
  const Json* const value = find(names, &name);
  std::vector<double> all;
  if (value == nullptr) return all;
  for (const Json& item : *value) {
    if (item.is_number()) all.push_back(item.get<double>());
    if (item.is_boolean()) all.push_back(item.get<bool>() ? 1.0 : 0.0);
  }
  if (value->is_array() && all.size() == value->size()) return all;
  refuse_value(name, *value, "a list of numbers");
  return {};
}

std::vector<std::string> ModelConfig::texts(std::string_view names) {
  std::string name;
  const Json* const value = find(names, &name);
  std::vector<std::string> all;
  if (value == nullptr) return all;
  for (const Json& item : *value) {
    if (item.is_string()) all.push_back(item.get<std::string>());
  }
  if (value->is_array() && all.size() == value->size()) return all;
  refuse_value(name, *value, "a list of texts");
  return {};
}

ModelConfig ModelConfig::inside(std::string_view names) const {
  ModelConfig part;
  part.file_ = file_;
  std::string name;
  const Json* const value = find(names, &name);
  part.pointer_ = pointer_ + "/" + name;
  if (value != nullptr && value->is_object()) part.json_ = *value;
  if (value != nullptr && !value->is_object()) {
    part.pointer_ = pointer_;
    part.refuse_value(name, *value, "an object of settings");
  }
  part.type_ = part.text("model_type").value_or(type_);
  return part;
}

}  // namespace attn
