// Translates the folder of a model.
#include "document/folder/folder.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <utility>

#include "base/files.h"
#include "base/joined.h"
#include "base/number_text.h"
#include "document/folder/config.h"
#include "document/folder/families.h"
#include "document/folder/model_arrays.h"
#include "document/folder/settings.h"
#include "document/folder/tokenizer_files.h"
#include "document/tensors/matrix_parts.h"
#include "document/tensors/tensor_file.h"
#include "text/nearest.h"

namespace attn {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kWeightFiles[] = {"model.safetensors", "model.safetensors.index.json"};

Error in_file(const std::string& file, Error error) {
  error.file = file;
  return error;
}

// --- layers

// Reads parts of one layer.
struct LayerReader {
  ModelArrays& arrays;
  const Family& family;
  const Sizes& sizes;
  const Biases& biases;
  std::string place;        // "layers.3."
  bool lacks_norm = false;  // in front of its attention

  std::string name(std::string_view slot) const { return place + std::string(slot); }

  // (in, out) of a slot, or of a part of its outputs.
  Tensor matrix(std::string_view slot, std::size_t in, std::size_t out,
                const OutputPart& part = {}) const {
    return arrays.take(name(slot) + ".weight", {in, out}, true, !family.in_out, part);
  }
  Tensor bias(bool is_there, std::string_view slot, std::size_t out,
              const OutputPart& part = {}) const {
    if (!is_there) return {};
    return arrays.take(name(slot) + ".bias", {out}, true, false, part);
  }
  Norm norm(std::string_view slot) const {
    Norm norm;
    norm.weight = arrays.take(name(slot) + ".weight", {sizes.width}, true);
    norm.bias = bias(biases.norms, slot, sizes.width);
    return norm;
  }
  // The norm in front of a part, or behind it.
  Norm norm_of_part(std::string_view slot) const {
    if (slot.empty()) return {};
    if (lacks_norm && slot == family.names.attention_norm)
      return {.weight = {}, .bias = {}, .none = true};
    return norm(slot);
  }

  void projections(ProjectionsText& to) const {
    const ArrayNames& names = family.names;
    const std::size_t q = sizes.heads * sizes.head_width, kv = sizes.kv_heads * sizes.head_width;
    const std::array<std::string_view, 3> slots = names.qkv.empty()
                                                      ? std::array{names.q, names.k, names.v}
                                                      : std::array{names.qkv, names.qkv, names.qkv};
    std::array<OutputPart, 3> parts{};
    if (!names.qkv.empty()) parts = fused_parts(q, kv);
    const std::size_t widths[] = {q, kv, kv};
    Tensor* const matrices[] = {&to.w_q, &to.w_k, &to.w_v};
    Tensor* const offsets[] = {&to.b_q, &to.b_k, &to.b_v};
    for (std::size_t i = 0; i < 3; ++i) {
      *matrices[i] = matrix(slots[i], sizes.width, widths[i], parts[i]);
      *offsets[i] = bias(biases.qkv, slots[i], widths[i], parts[i]);
    }
    to.w_o = matrix(names.o, q, sizes.width);
    to.b_o = bias(biases.out, names.o, sizes.width);
    to.order = MatrixOrder::InOut;
    if (names.q_norm.empty()) return;
    to.q_norm = arrays.take(name(names.q_norm) + ".weight", {0}, true);
    to.k_norm = arrays.take(name(names.k_norm) + ".weight", {0}, true);
  }

  std::array<OutputPart, 3> fused_parts(std::size_t q, std::size_t kv) const {
    const std::size_t one = sizes.head_width, whole = q + 2 * kv;
    if (family.fused == Fused::Sides) {
      return {{{{0, q}, whole}, {{q, kv}, whole}, {{q + kv, kv}, whole}}};
    }
    const std::size_t every = 3 * one;
    return {{{{0, one, every}, whole}, {{one, one, every}, whole}, {{2 * one, one, every}, whole}}};
  }

  void network(FeedForwardText& to, Activation activation) const {
    const ArrayNames& names = family.names;
    const std::size_t hidden = sizes.hidden;
    const bool fused = !names.gate_up.empty();
    const std::string_view up = fused ? names.gate_up : names.up;
    const std::string_view gate = fused ? names.gate_up : names.gate;
    const OutputPart gate_part = fused ? OutputPart{{0, hidden}, 2 * hidden} : OutputPart{};
    const OutputPart up_part = fused ? OutputPart{{hidden, hidden}, 2 * hidden} : OutputPart{};
    to.activation = activation;
    to.said_activation = activation;
    to.w_1 = matrix(up, sizes.width, hidden, up_part);
    to.b_1 = bias(biases.network, up, hidden, up_part);
    to.w_2 = matrix(names.down, hidden, sizes.width);
    to.b_2 = bias(biases.network, names.down, sizes.width);
    if (!family.gated) return;
    to.w_gate = matrix(gate, sizes.width, hidden, gate_part);
    to.b_gate = bias(biases.network, gate, hidden, gate_part);
  }

  void block(BlockText& to, Activation activation) const {
    const ArrayNames& names = family.names;
    projections(to.projections);
    network(to.feed_forward, activation);
    to.attention_norm = norm_of_part(names.attention_norm);
    to.feed_forward_norm = norm_of_part(names.feed_forward_norm);
    if (!names.attention_out_norm.empty()) to.attention_out_norm = norm(names.attention_out_norm);
    if (!names.feed_forward_out_norm.empty()) {
      to.feed_forward_out_norm = norm(names.feed_forward_out_norm);
    }
  }
};

// The hidden width by the arrays, if the settings do not state it.
std::size_t hidden_of(const ModelArrays& arrays, const Family& family, const Sizes& sizes) {
  if (sizes.hidden > 0) return sizes.hidden;
  const std::string first = with_replaced(family.names.layer, "{}", "0");
  const std::string name = arrays.name_of(first + std::string(family.names.down) + ".weight");
  if (name.empty() || arrays.shape_of(name).size() != 2) return 4 * sizes.width;
  return arrays.shape_of(name)[family.in_out ? 0 : 1];
}

void put_blocks(ModelArrays& arrays, const Family& family, const Sizes& sizes, const Biases& biases,
                Activation activation, DocumentText& text) {
  text.blocks.resize(sizes.layers);
  for (std::size_t layer = 0; layer < sizes.layers && !arrays.error(); ++layer) {
    const std::string place = with_replaced(family.names.layer, "{}", std::to_string(layer));
    const bool lacks_norm = layer == 0 && family.lacks_first_norm;
    const LayerReader reader{arrays, family, sizes, biases, place, lacks_norm};
    reader.block(text.blocks[layer], activation);
  }
  Stack& norms = text.norms.emplace();
  const LayerReader whole{arrays, family, sizes, biases, ""};
  norms.order = family.order;
  norms.norm = family.norm;
  norms.weight_offset = family.norm_offset;
  if (!family.names.embedding_norm.empty()) {
    norms.embedding_norm = whole.norm(family.names.embedding_norm);
  }
  if (!family.names.final_norm.empty()) norms.final_norm = whole.norm(family.names.final_norm);
}

// --- the vocabulary

// True where a class of the model has a head, and without classes for families that write on.
bool is_language_model(ModelConfig& config, const Family& family) {
  if (config.texts("architectures").empty()) return family.causal;
  return std::ranges::any_of(config.texts("architectures"), [](const std::string& one) {
    return one.find("LMHead") != one.npos || one.find("MaskedLM") != one.npos ||
           one.find("CausalLM") != one.npos || one == "BertForPreTraining";
  });
}

// Returns the name of the bias of the head, which is kept in one of two places; empty: it has none.
std::string head_bias_of(const ModelArrays& arrays, ModelConfig& config, const ArrayNames& names) {
  if (names.head_bias.empty() || !config.flag("decoder_bias").value_or(true)) return "";
  const std::string own = std::string(names.head) + ".bias";
  return arrays.has(own) ? own : std::string(names.head_bias);
}

// Returns names of arrays that the folder lacks and without which the head predicts something else.
std::vector<std::string> lacking_in_head(const ModelArrays& arrays, ModelConfig& config,
                                         const Family& family) {
  const ArrayNames& names = family.names;
  std::vector<std::string> needed;
  if (!names.transform.empty()) {
    needed = {std::string(names.transform) + ".weight",
              std::string(names.transform_norm) + ".weight"};
    if (biases_of(config, family).transform) {
      needed.push_back(std::string(names.transform) + ".bias");
    }
  }
  needed.push_back(head_bias_of(arrays, config, names));
  if (config.flag("tie_word_embeddings") == false) {
    needed.push_back(std::string(names.head) + ".weight");
  }
  std::erase_if(needed, [&](const std::string& name) { return name.empty() || arrays.has(name); });
  return needed;
}

// Reads the head of a language model: an array of its own, or the table, if the model is one.
// Nothing, with a note, if the folder has only a part of it.
void put_head(ModelArrays& arrays, ModelConfig& config, const Family& family, const Sizes& sizes,
              Vocabulary& to, std::vector<std::string>& notes) {
  const ArrayNames& names = family.names;
  const std::string own = std::string(names.head) + ".weight";
  const bool is_own = arrays.has(own) && config.flag("tie_word_embeddings") != true;
  if (!is_own && !is_language_model(config, family)) {
    const std::string named = config.written("architectures");
    notes.push_back("no token is predicted, as " +
                    (named.empty()
                         ? "config.json names no \"architectures\""
                         : "the \"architectures\" of config.json have no head: " + named));
    return;
  }
  const std::vector<std::string> lacking = lacking_in_head(arrays, config, family);
  if (!lacking.empty()) {
    const bool is_usual = config.is_usual("tie_word_embeddings");
    notes.push_back("no token is predicted, as the folder lacks " + joined(lacking) +
                    (is_usual ? "; config.json has no \"tie_word_embeddings\"" : ""));
    return;
  }
  const std::size_t ids = to.table.empty() ? 0 : to.table.extent(0);
  to.head = is_own ? arrays.take(own, {ids, sizes.width}, true) : to.table;
  to.masked = !family.causal;
  const std::string bias = head_bias_of(arrays, config, names);
  if (!bias.empty()) to.head_bias = arrays.take(bias, {ids}, true);
  if (const auto cap = config.number("final_logit_softcapping", 1e-6)) {
    to.softcap = static_cast<float>(*cap);
  }
  if (names.transform.empty()) return;
  const Biases biases = biases_of(config, family);
  const LayerReader whole{arrays, family, sizes, biases, ""};
  to.transform =
      arrays.take(std::string(names.transform) + ".weight", {sizes.width, sizes.width}, true, true);
  to.transform_bias = whole.bias(biases.transform, names.transform, sizes.width);
  to.transform_norm = whole.norm(names.transform_norm);
}

Vocabulary vocabulary_of(ModelArrays& arrays, ModelConfig& config, const Family& family,
                         const Sizes& sizes, LoadedModel& loaded) {
  const ArrayNames& names = family.names;
  DocumentText& text = loaded.text;
  Vocabulary to;
  to.table = arrays.take(std::string(names.table) + ".weight",
                         {config.count("vocab_size"), sizes.width}, true);
  if (family.scales_embeddings) to.scale = std::sqrt(static_cast<float>(sizes.width));
  const std::string types = std::string(names.types) + ".weight";
  if (!names.types.empty()) {
    const Tensor all = arrays.take(types, {config.count("type_vocab_size"), sizes.width}, true);
    if (!all.empty()) to.type = all.part(0);
  }
  to.most_tokens = config.count("max_position_embeddings|n_positions|n_ctx");
  constexpr double kNone = -1e9;  // where positions do not need it
  const auto padding = config.number("pad_token_id", family.skips_padding ? 0.0 : kNone);
  if (padding && *padding >= 0.0) {
    to.padding = static_cast<std::uint32_t>(std::min(*padding, 4294967295.0));
    to.skips_padding = family.skips_padding;
  }
  if (!names.positions.empty()) {
    const Tensor rows =
        arrays.take(std::string(names.positions) + ".weight", {to.most_tokens, sizes.width}, true);
    const std::size_t first = to.skips_padding ? std::size_t{*to.padding} + 1 : 0;
    const std::size_t count = rows.empty() ? 0 : rows.extent(0);
    if (count > first) {
      text.position.kind = learned_positions();
      text.position.table = first == 0 ? rows : rows_after(rows, first);
      to.most_tokens = count - first;
    } else if (count > 0) {
      config.refuse("max_position_embeddings", "the model has no position for the first token",
                    counted(count, "row") + " of positions", "more than " + std::to_string(first));
    }
  }
  put_head(arrays, config, family, sizes, to, loaded.notes);
  return to;
}

// --- the folder

Result<std::string> weights_in(const std::string& folder) {
  std::error_code failed;
  for (const std::string_view name : kWeightFiles) {
    if (fs::is_regular_file(fs::path(folder) / name, failed)) return std::string(name);
  }
  std::string other = "no such file";
  std::string hint = "download the whole folder of the model";
  for (const auto& entry : fs::directory_iterator(folder, failed)) {
    const std::string name = entry.path().filename().string();
    if (name.ends_with(".safetensors")) {
      other = name;
      hint = name.starts_with("adapter")
                 ? "merge the adapter into its model, and save that"
                 : "shards need their index, model.safetensors.index.json; a file alone is renamed";
      break;
    }
    if (name.ends_with(".bin") || name.ends_with(".pt") || name.ends_with(".pth")) {
      other = name;
      hint = "save it once more in Python: model.save_pretrained(FOLDER, safe_serialization=True)";
    } else if (name.ends_with(".gguf")) {
      other = name;
      hint = "take the folder that the file was converted from";
    }
  }
  return in_file(folder,
                 refusal_at("", "the folder of the model has no weights that can be read", other,
                            "model.safetensors or model.safetensors.index.json", hint));
}

Result<const Family*> family_in(const ModelConfig& config, const std::string& file) {
  const std::string found =
      config.type().empty() ? "no \"model_type\"" : "\"model_type\": \"" + config.type() + "\"";
  const RefusedFamily* refused = refused_family(config.type());
  if (const Family* family = family_of(config.type())) return family;
  std::vector<std::string> known;
  for (const Family& family : all_families()) {
    for (std::string& type : split(family.types, ' ')) known.push_back(std::move(type));
  }
  const std::vector<std::string_view> names(known.begin(), known.end());
  const std::string near(nearest(config.type(), names));
  return in_file(
      file,
      refusal_at(
          "/model_type",
          refused != nullptr ? "this model cannot be read: " + std::string(refused->reason)
          : config.type().empty()
              ? "the family of the model is not known, as config.json does not state it"
              : "models of this family are not known",
          found, "one of " + joined_first(known, 8),
          std::string(near.empty() || refused != nullptr ? "" : "the nearest is " + near + "; ") +
              "any model can be recorded in Python: attnscope.record"));
}

// Returns the settings of the text model, which are inside of those of one that sees pictures.
ModelConfig text_settings(ModelConfig& whole, const Family& family) {
  if (!whole.has("text_config")) return whole;
  ModelConfig text = whole.inside("text_config");
  if (!family.sees_pictures) {
    ModelConfig alone = whole;
    alone.note("text_config is not read, as models of this family are not made of parts");
    return alone;
  }
  if (family_of(text.type()) != &family) {
    text.refuse("model_type", "the text model is of another family", "\"" + text.type() + "\"",
                "\"" + whole.type() + "_text\"");
  }
  return text;
}

// True if a class of the library has this name for a model of one of these types: LlamaForCausalLM.
bool is_class_of(std::string name, const Family& family) {
  const auto plain = [](std::string text) {
    std::erase_if(text, [](char c) { return c == '_' || c == '-'; });
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
    return text;
  };
  name = plain(std::move(name));
  return std::ranges::any_of(split(family.types, ' '), [&](const std::string& type) {
    std::string begin = plain(type);
    if (begin.ends_with("text")) begin.resize(begin.size() - 4);
    if (!name.starts_with(begin)) return false;
    const std::string_view rest = std::string_view(name).substr(begin.size());
    return rest == "model" || rest == "lmheadmodel" || rest == "doubleheadsmodel" ||
           rest.starts_with("for") || rest.starts_with("textmodel");
  });
}

// Notes code and classes of the folder's own, which are not run, and settings that nothing reads.
void note_foreign(ModelConfig& config, const Family& family) {
  const std::string as = ": the model is read as " + split(family.types, ' ').front() + " is";
  std::vector<std::string> foreign = config.texts("architectures");
  std::erase_if(foreign, [&](const std::string& name) { return is_class_of(name, family); });
  if (!foreign.empty()) {
    config.note("\"architectures\" of config.json names " + joined(foreign) +
                ", which is no class of this family" + as);
  }
  if (config.has("auto_map")) {
    config.note("\"auto_map\" of config.json names code of the folder's own, which is not run" +
                as);
  }
  const std::vector<std::string> unread = config.unread();
  if (!unread.empty()) {
    config.note("settings of config.json that models of this family do not have are not read: " +
                joined_first(unread, 12));
  }
}

// Refuses weights in fewer bits, which other programs unpack.
Status check_quantised(ModelConfig& config) {
  const std::string found = config.written("quantization_config");
  if (found.empty()) return ok_status();
  config.refuse("quantization_config", "the weights are quantised, which is not read",
                config.inside("quantization_config").text("quant_method").value_or(found),
                "weights of float32, float16 or bfloat16, and no such setting");
  return *config.error();
}

// Reads layers and their rules.
void put_layers(ModelArrays& arrays, ModelConfig& config, const Family& family, Sizes sizes,
                DocumentText& text) {
  sizes.hidden = hidden_of(arrays, family, sizes);
  text.mask.emplace().causal = family.causal;
  text.mask->says_causal = true;
  text.heads = sizes.heads;
  text.kv_heads = sizes.kv_heads;
  put_blocks(arrays, family, sizes, biases_of(config, family), activation_of(config, family), text);
  text.norms->eps = static_cast<float>(
      config.number("rms_norm_eps|layer_norm_epsilon|layer_norm_eps|norm_eps", 1e-30)
          .value_or(family.eps));
  text.norms->parallel = config.flag("use_parallel_residual").value_or(family.parallel);
  if (const auto scalar = config.number("query_pre_attn_scalar", 1e-6)) {
    text.scoring.emplace().scale = static_cast<float>(1.0 / std::sqrt(*scalar));
  }
  if (const auto cap = config.number("attn_logit_softcapping", 1e-6)) {
    if (!text.scoring) text.scoring.emplace();
    text.scoring->softcap = static_cast<float>(*cap);
  }
}

Status put_tokenizer(const std::string& folder, const Family& family, const ReadOptions& options,
                     Vocabulary& vocabulary, std::vector<std::string>& notes) {
  const Result<TokenizerFiles> files = tokenizer_files(folder, family, options);
  if (!files) return files.error();
  Result<std::shared_ptr<const Tokenizer>> tokenizer = tokenizer_of(folder, *files);
  if (!tokenizer) return tokenizer.error();
  vocabulary.tokenizer = *std::move(tokenizer);
  note_tokenizer(*files, vocabulary, notes);
  return ok_status();
}

void note_unused(const std::string& folder, const ModelArrays& arrays,
                 std::vector<std::string>& notes) {
  constexpr std::size_t kNamesShown = 5;
  std::error_code failed;
  if (fs::exists(fs::path(folder) / "adapter_config.json", failed)) {
    notes.push_back("the adapter in the folder is not read: merge it into the model first");
  }
  if (const std::vector<std::string> names = arrays.left_over(); !names.empty()) {
    notes.push_back("arrays of the model that are not used: " + joined_first(names, kNamesShown));
  }
}

}  // namespace

std::string model_folder_of(const std::string& file) {
  const std::string folder = folder_of(file);
  return is_model_folder(folder) ? folder : "";
}

Result<LoadedModel> load_model(const std::string& folder, const ReadOptions& options) {
  const std::string file = folder + "/config.json";
  constexpr std::uint64_t kLongestConfig = std::uint64_t{1} << 22U;
  const Result<std::string> settings = read_regular_file(file, kLongestConfig);
  if (!settings) return settings.error();
  Result<ModelConfig> whole = ModelConfig::read(*settings, file);
  if (!whole) return whole.error();
  if (const Status status = check_quantised(*whole); !status) return status.error();
  const Result<const Family*> known = family_in(*whole, file);
  if (!known) return known.error();
  const Family& family = **known;
  ModelConfig config = text_settings(*whole, family);
  const std::string taken = settle(config, family);
  const auto with_taken = [&taken](Error error) {
    error.hint += (error.hint.empty() || taken.empty() ? "" : "; ") + taken;
    return error;
  };
  const Sizes sizes = sizes_of(config);
  refuse_unread(config, family);
  if (config.error()) return with_taken(*config.error());
  const Result<std::string> weights = weights_in(folder);
  if (!weights) return weights.error();
  const auto opened = shared_arrays(folder + "/" + *weights, options);
  if (!opened) return in_file(folder + "/" + *weights, opened.error());

  LoadedModel loaded;
  loaded.family = whole->type();
  ModelArrays arrays(folder, *weights, (*opened)->listing, options);
  arrays.choose_prefix(family);
  put_layers(arrays, config, family, sizes, loaded.text);
  Vocabulary vocabulary = vocabulary_of(arrays, config, family, sizes, loaded);
  if (!vocabulary.transform.empty()) vocabulary.activation = head_activation_of(config, family);
  put_rules(config, family, sizes, loaded.text);
  note_foreign(config, family);
  loaded.text.source = whole->text("attnscope_note");
  loaded.text.text = whole->text("attnscope_text");
  config.take(*whole);
  if (config.error()) return *config.error();
  if (arrays.error()) return with_taken(*arrays.error());
  loaded.notes.insert(loaded.notes.end(), config.notes().begin(), config.notes().end());
  const Status put = put_tokenizer(folder, family, options, vocabulary, loaded.notes);
  if (!put) return put.error();
  loaded.vocabulary = std::make_shared<const Vocabulary>(std::move(vocabulary));
  note_unused(folder, arrays, loaded.notes);
  return loaded;
}

}  // namespace attn
