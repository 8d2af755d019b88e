// Translates the folder of a model.
#include "document/folder/folder.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <utility>

#include "base/files.h"
#include "base/joined.h"
#include "base/number_text.h"
#include "document/folder/config.h"
#include "document/folder/families.h"
#include "document/folder/model_arrays.h"
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

// --- settings

// Sizes of a model.
struct Sizes {
  std::size_t layers = 0, heads = 0, kv_heads = 0, width = 0, head_width = 0, hidden = 0;
};

Sizes sizes_of(ModelConfig& config) {
  Sizes sizes;
  sizes.layers = config.needed("num_hidden_layers|n_layer|n_layers");
  sizes.heads = config.needed("num_attention_heads|n_head|n_heads");
  sizes.width = config.needed("hidden_size|n_embd|dim");
  if (config.error()) return sizes;
  sizes.kv_heads = config.count("num_key_value_heads");
  if (sizes.kv_heads == 0) sizes.kv_heads = sizes.heads;
  sizes.head_width = config.count("head_dim");
  sizes.hidden = config.count("intermediate_size|n_inner|hidden_dim");
  constexpr std::size_t kMostLayers = 10'000;
  if (sizes.layers > kMostLayers) {
    config.refuse("num_hidden_layers", "the model has too many layers",
                  std::to_string(sizes.layers), "at most 10,000");
  }
  if (sizes.head_width == 0) sizes.head_width = sizes.width / sizes.heads;
  const bool divides = sizes.head_width > 0 && sizes.heads % sizes.kv_heads == 0 &&
                       (config.has("head_dim") || sizes.width % sizes.heads == 0);
  if (!divides) {
    config.refuse("num_attention_heads", "the heads do not divide the model",
                  counted(sizes.heads, "head") + ", " + counted(sizes.kv_heads, "key-value head") +
                      ", width " + std::to_string(sizes.width),
                  "heads that divide the width, and key-value heads that divide the heads");
  }
  return sizes;
}

// The row of a table that has this name.
template <class Rows>
const auto& named(const Rows& rows, std::string_view name) {
  return *std::ranges::find(rows, name, [](const auto& row) { return row.name; });
}

// Names of activations in settings, and those that documents give them.
struct NamedActivation {
  std::string_view names;  // separated by blanks
  std::string_view plain, gated;
};
constexpr NamedActivation kActivations[] = {
    {"relu", "relu", ""},
    {"gelu", "gelu", "geglu"},
    {"gelu_new gelu_pytorch_tanh gelu_fast gelu_python_tanh", "gelu_tanh", "geglu_tanh"},
    {"silu swish", "silu", "swiglu"},
    {"quick_gelu", "quick_gelu", ""},
    {"relu2", "relu2", ""},
};

Activation activation_of(ModelConfig& config, const Family& family, bool gated) {
  const std::string name =
      config.text(family.activation_keys).value_or(std::string(family.activation));
  for (const NamedActivation& row : kActivations) {
    const std::vector<std::string> names = split(row.names, ' ');
    const std::string_view own = gated ? row.gated : row.plain;
    if (!own.empty() && std::ranges::find(names, name) != names.end()) {
      return named(all_activations(), own).activation;
    }
  }
  config.refuse("hidden_act", "the activation is not known", "\"" + name + "\"",
                gated ? "silu, gelu or gelu_pytorch_tanh, for a network with a gate"
                      : "relu, gelu, gelu_new, silu, quick_gelu or relu2");
  return {};
}

// --- positions and windows of layers

std::vector<float> floats(const std::vector<double>& numbers) {
  return {numbers.begin(), numbers.end()};
}

// Fills in the scaling of rotary positions from "rope_scaling", or from "rope_parameters".
void read_scaling(ModelConfig& scaling, ModelConfig& config, Position& position) {
  const std::string type = scaling.text("rope_type|type").value_or("default");
  position.factor = static_cast<float>(scaling.number("factor", 1e-6).value_or(1.0));
  position.original = scaling.count("original_max_position_embeddings");
  if (position.original == 0) position.original = config.count("original_max_position_embeddings");
  if (position.original == 0) position.original = config.count("max_position_embeddings");
  if (const auto gain = scaling.number("attention_factor")) {
    position.gain = static_cast<float>(*gain);
  }
  if (type == "linear") {
    position.scaling = RopeScaling::Linear;
  } else if (type == "dynamic" || type == "default") {
    position.factor = 1.0F;  // dynamic scaling begins after the trained length
    position.original = 0;
  } else if (type == "llama3") {
    position.scaling = RopeScaling::Llama3;
    position.low = static_cast<float>(scaling.number("low_freq_factor").value_or(1.0));
    position.high = static_cast<float>(scaling.number("high_freq_factor").value_or(4.0));
  } else if (type == "yarn") {
    position.scaling = RopeScaling::Yarn;
    position.low = static_cast<float>(scaling.number("beta_slow").value_or(1.0));
    position.high = static_cast<float>(scaling.number("beta_fast").value_or(32.0));
    position.truncate = scaling.flag("truncate").value_or(true);
  } else if (type == "longrope" || type == "su") {
    position.scaling = RopeScaling::Longrope;
    position.factors = floats(scaling.numbers("long_factor"));
    position.short_factors = floats(scaling.numbers("short_factor"));
    position.factor = static_cast<float>(config.count("max_position_embeddings")) /
                      static_cast<float>(std::max<std::uint64_t>(1, position.original));
  } else {
    scaling.refuse("rope_type", "the scaling of positions is not known", "\"" + type + "\"",
                   "linear, dynamic, llama3, yarn or longrope");
  }
  config.take_error(scaling);
}

// Rotary positions, of one kind of layers if there are several: "full_attention" or
// "sliding_attention".
Position rotary_of(ModelConfig& config, const Sizes& sizes, std::string_view layer_type) {
  Position position;
  position.kind = named(all_position_kinds(), "rope").kind;
  position.layout = PositionLayout::Halves;
  ModelConfig parameters = config.inside("rope_parameters");
  if (parameters.has(layer_type)) parameters = parameters.inside(layer_type);
  const bool is_local = layer_type == "sliding_attention";
  const char* const local = "rope_local_base_freq|local_rope_theta";
  const char* const global = "rope_theta|rotary_emb_base|global_rope_theta";
  const bool has_local = is_local && config.has(local);
  auto base = parameters.number(global, 1e-6);
  if (!base) base = config.number(has_local ? local : global, 1e-6);
  position.base = static_cast<float>(base.value_or(10000.0));
  auto share = parameters.number("partial_rotary_factor");
  if (!share) share = config.number("partial_rotary_factor|rotary_pct");
  const double part = share.value_or(1.0);
  if (part > 1.0) {
    config.refuse("partial_rotary_factor", "more than the columns of a head would be rotated",
                  shortest_text(static_cast<float>(part)), "a share of at most 1");
    return position;
  }
  const double columns = part * static_cast<double>(sizes.head_width);
  const std::size_t rotary = static_cast<std::size_t>(columns) / 2 * 2;
  if (rotary < sizes.head_width) position.rotary_dim = rotary;
  config.take_error(parameters);
  ModelConfig scaling = config.inside("rope_scaling");
  if (!has_local) read_scaling(config.has("rope_scaling") ? scaling : parameters, config, position);
  return position;
}

bool has_window(const Family& family, std::size_t layer, std::size_t bound) {
  switch (family.windows) {
    case WindowedLayers::All:
      return true;
    case WindowedLayers::NotEverySecond:
      return layer % 2 == 0;
    case WindowedLayers::NotEverySixth:
      return layer % 6 != 5;
    case WindowedLayers::NotEveryThird:
      return layer % 3 != 0;
    case WindowedLayers::FromBound:
      return layer >= bound;
  }
  return false;
}

// The layers with a window, by their types if the settings list these.
std::vector<bool> windowed_layers(ModelConfig& config, const Family& family, const Sizes& sizes) {
  const std::vector<std::string> types = config.texts("layer_types");
  const bool is_off = family.windows == WindowedLayers::FromBound &&
                      !config.flag("use_sliding_window").value_or(false);
  const std::size_t bound = config.count("max_window_layers");
  std::vector<bool> windowed(sizes.layers);
  if (!types.empty() && types.size() != sizes.layers) {
    config.refuse("layer_types", "the types of layers are not as many as the layers",
                  counted(types.size(), "type"), std::to_string(sizes.layers));
    return windowed;
  }
  for (std::size_t layer = 0; layer < sizes.layers; ++layer) {
    windowed[layer] = types.empty() ? !is_off && has_window(family, layer, bound)
                                    : types[layer] == "sliding_attention";
  }
  return windowed;
}

// Adds windows and positions to the document, or to single blocks where layers differ.
void put_rules(ModelConfig& config, const Family& family, const Sizes& sizes, DocumentText& text) {
  std::vector<bool> windowed = windowed_layers(config, family, sizes);
  Window window;
  if (const std::size_t width = config.count("sliding_window|local_attention"); width > 0) {
    // A window includes the query itself; without a mask of later keys, half is on each side.
    window = family.causal ? Window{width - 1, 0} : Window{width / 2, width / 2};
  } else {
    windowed.assign(sizes.layers, false);
  }
  const Position full = family.rotary ? rotary_of(config, sizes, "full_attention") : Position{};
  const Position local = family.rotary ? rotary_of(config, sizes, "sliding_attention") : Position{};
  const std::vector<double> rope_layers = config.numbers("no_rope_layers");
  const bool all = std::ranges::count(windowed, false) == 0;
  if (family.rotary) text.position = as_text(all ? local : full);
  if (all) text.mask->window = window;
  for (std::size_t layer = 0; layer < sizes.layers; ++layer) {
    BlockText& block = text.blocks[layer];
    const bool no_rope = layer < rope_layers.size() && rope_layers[layer] == 0.0;
    if (!all && windowed[layer]) block.window = window;
    if (!all && windowed[layer] && local != full) block.position = as_text(local);
    if (no_rope) block.position = PositionText{};
  }
}

// --- layers

// Reads parts of one layer.
struct LayerReader {
  ModelArrays& arrays;
  const Family& family;
  const Sizes& sizes;
  std::string place;  // "layers.3."
  bool may_lack_norm = false;

  std::string name(std::string_view slot) const { return place + std::string(slot); }

  // (in, out) of a slot, or of a part of its outputs.
  Tensor matrix(std::string_view slot, std::size_t in, std::size_t out,
                const TensorPart& part = {}) const {
    return arrays.take(name(slot) + ".weight", {in, out}, true, !family.in_out, part);
  }
  Tensor bias(std::string_view slot, std::size_t out, const TensorPart& part = {}) const {
    return arrays.take(name(slot) + ".bias", {out}, family.biased, false, part);
  }
  Norm norm(std::string_view slot) const {
    Norm norm;
    norm.weight = arrays.take(name(slot) + ".weight", {sizes.width}, true);
    norm.bias = arrays.take(name(slot) + ".bias", {sizes.width}, family.biased);
    return norm;
  }
  // The norm in front of a part, or behind it.
  Norm norm_of_part(std::string_view slot) const {
    if (slot.empty()) return {};
    Norm none;
    none.none = may_lack_norm && !arrays.has(name(slot) + ".weight");
    return none.none ? none : norm(slot);
  }

  void projections(ProjectionsText& to) const {
    const ArrayNames& names = family.names;
    const std::size_t q = sizes.heads * sizes.head_width, kv = sizes.kv_heads * sizes.head_width;
    const std::array<std::string_view, 3> slots = names.qkv.empty()
                                                      ? std::array{names.q, names.k, names.v}
                                                      : std::array{names.qkv, names.qkv, names.qkv};
    std::array<TensorPart, 3> parts{};
    if (!names.qkv.empty()) parts = fused_parts(q, kv);
    const std::size_t widths[] = {q, kv, kv};
    Tensor* const matrices[] = {&to.w_q, &to.w_k, &to.w_v};
    Tensor* const biases[] = {&to.b_q, &to.b_k, &to.b_v};
    for (std::size_t i = 0; i < 3; ++i) {
      *matrices[i] = matrix(slots[i], sizes.width, widths[i], parts[i]);
      *biases[i] = bias(slots[i], widths[i], parts[i]);
    }
    to.w_o = matrix(names.o, q, sizes.width);
    to.b_o = bias(names.o, sizes.width);
    to.order = MatrixOrder::InOut;
    if (names.q_norm.empty()) return;
    to.q_norm = arrays.take(name(names.q_norm) + ".weight", {0}, true);
    to.k_norm = arrays.take(name(names.k_norm) + ".weight", {0}, true);
  }

  std::array<TensorPart, 3> fused_parts(std::size_t q, std::size_t kv) const {
    const std::size_t one = sizes.head_width;
    if (family.fused == Fused::Sides) return {{{0, q}, {q, kv}, {q + kv, kv}}};
    return {{{0, one, 3 * one}, {one, one, 3 * one}, {2 * one, one, 3 * one}}};
  }

  void network(FeedForwardText& to, Activation activation) const {
    const ArrayNames& names = family.names;
    const std::size_t hidden = sizes.hidden;
    const bool fused = !names.gate_up.empty();
    const std::string_view up = fused ? names.gate_up : names.up;
    const std::string_view gate = fused ? names.gate_up : names.gate;
    const TensorPart gate_part = fused ? TensorPart{0, hidden} : TensorPart{};
    const TensorPart up_part = fused ? TensorPart{hidden, hidden} : TensorPart{};
    to.activation = activation;
    to.said_activation = activation;
    to.w_1 = matrix(up, sizes.width, hidden, up_part);
    to.b_1 = bias(up, hidden, up_part);
    to.w_2 = matrix(names.down, hidden, sizes.width);
    to.b_2 = bias(names.down, sizes.width);
    if (!family.gated) return;
    to.w_gate = matrix(gate, sizes.width, hidden, gate_part);
    to.b_gate = bias(gate, hidden, gate_part);
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

void put_blocks(ModelArrays& arrays, const Family& family, const Sizes& sizes,
                Activation activation, DocumentText& text) {
  text.blocks.resize(sizes.layers);
  for (std::size_t layer = 0; layer < sizes.layers && !arrays.error(); ++layer) {
    const std::string place = with_replaced(family.names.layer, "{}", std::to_string(layer));
    const bool may_lack_norm = layer == 0 && family.lacks_first_norm;
    LayerReader{arrays, family, sizes, place, may_lack_norm}.block(text.blocks[layer], activation);
  }
  Stack& norms = text.norms.emplace();
  const LayerReader whole{arrays, family, sizes, ""};
  norms.order = family.order;
  norms.norm = family.norm;
  norms.weight_offset = family.norm_offset;
  if (!family.names.embedding_norm.empty()) {
    norms.embedding_norm = whole.norm(family.names.embedding_norm);
  }
  if (!family.names.final_norm.empty()) norms.final_norm = whole.norm(family.names.final_norm);
}

// --- the vocabulary

// Reads the head of a language model: an array of its own, or the table, if the model is one.
void put_head(ModelArrays& arrays, ModelConfig& config, const Family& family, const Sizes& sizes,
              Vocabulary& to) {
  const ArrayNames& names = family.names;
  const LayerReader whole{arrays, family, sizes, ""};
  const std::vector<std::string> classes = config.texts("architectures");
  const bool is_language_model = std::ranges::any_of(classes, [](const std::string& one) {
    return one.find("LMHead") != one.npos || one.find("MaskedLM") != one.npos ||
           one.find("CausalLM") != one.npos || one.find("ForPreTraining") != one.npos;
  });
  const std::size_t ids = to.table.empty() ? 0 : to.table.extent(0);
  to.head = arrays.take(std::string(names.head) + ".weight", {ids, sizes.width}, false);
  if (to.head.empty() && is_language_model) to.head = to.table;
  if (to.head.empty()) return;
  to.masked = !family.causal;
  const std::string bias(names.head_bias.empty() ? std::string(names.head) + ".bias"
                                                 : std::string(names.head_bias));
  to.head_bias = arrays.take(bias, {ids}, false);
  if (const auto cap = config.number("final_logit_softcapping", 1e-6)) {
    to.softcap = static_cast<float>(*cap);
  }
  if (names.transform.empty() || !arrays.has(std::string(names.transform) + ".weight")) return;
  to.transform =
      arrays.take(std::string(names.transform) + ".weight", {sizes.width, sizes.width}, true, true);
  to.transform_bias = whole.bias(names.transform, sizes.width);
  to.transform_norm = whole.norm(names.transform_norm);
}

// Reads a file of the tokenizer; empty if there is none.
Status read_part(const std::string& folder, const char* name, std::uint64_t limit,
                 std::string& content) {
  const fs::path file = fs::path(folder) / name;
  std::error_code failed;
  if (!fs::exists(file, failed)) return ok_status();
  Result<std::string> text = read_regular_file(file.string(), limit);
  if (!text) return text.error();
  content = *std::move(text);
  return ok_status();
}

Result<std::shared_ptr<const Tokenizer>> tokenizer_of(const std::string& folder,
                                                      const ReadOptions& options) {
  TokenizerFiles files;
  const std::pair<const char*, std::string*> parts[] = {
      {"tokenizer.json", &files.tokenizer_json},
      {"vocab.json", &files.vocab_json},
      {"merges.txt", &files.merges_txt},
      {"vocab.txt", &files.vocab_txt},
      {"tokenizer_config.json", &files.tokenizer_config_json}};
  for (const auto& [name, content] : parts) {
    const Status read = read_part(folder, name, options.memory_limit_bytes / 8, *content);
    if (!read) return read.error();
  }
  if (files.tokenizer_json.empty() && files.vocab_json.empty() && files.vocab_txt.empty()) {
    return std::shared_ptr<const Tokenizer>();
  }
  Result<std::shared_ptr<const Tokenizer>> tokenizer = Tokenizer::open(files);
  if (!tokenizer) return in_file(folder + "/" + tokenizer.error().file, tokenizer.error());
  return tokenizer;
}

Vocabulary vocabulary_of(ModelArrays& arrays, ModelConfig& config, const Family& family,
                         const Sizes& sizes, DocumentText& text) {
  const ArrayNames& names = family.names;
  Vocabulary to;
  to.table = arrays.take(std::string(names.table) + ".weight", {0, sizes.width}, true);
  if (family.scales_embeddings) to.scale = std::sqrt(static_cast<float>(sizes.width));
  const std::string types = std::string(names.types) + ".weight";
  if (!names.types.empty()) {
    const Tensor all = arrays.take(types, {0, sizes.width}, true);
    if (!all.empty()) to.type = all.part(0);
  }
  to.most_tokens = config.count("max_position_embeddings|n_positions|n_ctx");
  if (!names.positions.empty()) {
    const Tensor rows =
        arrays.take(std::string(names.positions) + ".weight", {0, sizes.width}, true);
    const std::size_t first = family.first_position, count = rows.empty() ? 0 : rows.extent(0);
    if (count > first) {
      text.position.kind = named(all_position_kinds(), "learned").kind;
      text.position.table = first == 0 ? rows : rows_after(rows, first);
      to.most_tokens = count - first;
    } else if (count > 0) {
      config.refuse("max_position_embeddings", "the model has no position for the first token",
                    counted(count, "row") + " of positions", "more than " + std::to_string(first));
    }
  }
  put_head(arrays, config, family, sizes, to);
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
  const std::string found = "\"model_type\": \"" + config.type() + "\"";
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
                             : "models of this family are not known",
          found, "one of " + joined(known),
          std::string(near.empty() || refused != nullptr ? "" : "the nearest is " + near + "; ") +
              "any model can be recorded in Python: attnscope.record"));
}

// Refuses settings that change what layers compute and that are not read.
void refuse_unread(ModelConfig& config, const Family& family) {
  struct Setting {
    std::string_view name;
    bool usual;  // has no effect
  };
  constexpr Setting kSettings[] = {{"scale_attn_by_inverse_layer_idx", false},
                                   {"scale_attn_weights", true},
                                   {"add_cross_attention", false},
                                   {"is_decoder", false}};
  for (const Setting& setting : kSettings) {
    if (setting.name == "is_decoder" && family.causal) continue;
    if (config.flag(setting.name).value_or(setting.usual) == setting.usual) continue;
    config.refuse(setting.name, "a setting that changes the numbers of the model is not read",
                  setting.usual ? "false" : "true", setting.usual ? "true" : "false");
  }
  const std::string positions = config.text("position_embedding_type").value_or("absolute");
  if (positions == "absolute" || family.rotary) return;
  config.refuse("position_embedding_type", "positions of this kind are not read",
                "\"" + positions + "\"", "\"absolute\"");
}

// Refuses weights in fewer bits, which other programs unpack.
Status check_quantised(ModelConfig& config) {
  if (!config.has("quantization_config")) return ok_status();
  config.refuse("quantization_config", "the weights are quantised, which is not read",
                config.inside("quantization_config").text("quant_method").value_or("a method"),
                "weights of float32, float16 or bfloat16");
  return *config.error();
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
  ModelConfig config = whole->has("text_config") ? whole->inside("text_config") : *whole;
  if (const Status status = check_quantised(*whole); !status) return status.error();
  const Result<const Family*> known = family_in(*whole, file);
  if (!known) return known.error();
  const Family& family = **known;
  Sizes sizes = sizes_of(config);
  const Activation activation = activation_of(config, family, family.gated);
  refuse_unread(config, family);
  if (config.error()) return *config.error();
  const Result<std::string> weights = weights_in(folder);
  if (!weights) return weights.error();
  const Result<OpenedArrays> opened = open_arrays(folder + "/" + *weights, options);
  if (!opened) return in_file(folder + "/" + *weights, opened.error());

  LoadedModel loaded;
  DocumentText& text = loaded.text;
  ModelArrays arrays(folder, *weights, opened->listing, options);
  arrays.choose_prefix(family);
  sizes.hidden = hidden_of(arrays, family, sizes);
  text.mask.emplace().causal = family.causal;
  text.mask->says_causal = true;
  text.heads = sizes.heads;
  text.kv_heads = sizes.kv_heads;
  put_blocks(arrays, family, sizes, activation, text);
  text.norms->eps = static_cast<float>(
      config.number("rms_norm_eps|layer_norm_epsilon|layer_norm_eps|norm_eps", 1e-30)
          .value_or(family.eps));
  text.norms->parallel = config.flag("use_parallel_residual").value_or(family.parallel);
  Vocabulary vocabulary = vocabulary_of(arrays, config, family, sizes, text);
  put_rules(config, family, sizes, text);
  if (const auto scalar = config.number("query_pre_attn_scalar", 1e-6)) {
    text.scoring.emplace().scale = static_cast<float>(1.0 / std::sqrt(*scalar));
  }
  if (const auto cap = config.number("attn_logit_softcapping", 1e-6)) {
    if (!text.scoring) text.scoring.emplace();
    text.scoring->softcap = static_cast<float>(*cap);
  }
  text.source = whole->text("attnscope_note");
  text.text = whole->text("attnscope_text");
  config.take_error(*whole);
  if (config.error()) return *config.error();
  if (arrays.error()) return *arrays.error();
  if (!vocabulary.transform.empty()) vocabulary.activation = activation_of(config, family, false);
  Result<std::shared_ptr<const Tokenizer>> tokenizer = tokenizer_of(folder, options);
  if (!tokenizer) return tokenizer.error();
  vocabulary.tokenizer = *std::move(tokenizer);
  loaded.vocabulary = std::make_shared<const Vocabulary>(std::move(vocabulary));
  constexpr std::size_t kNamesShown = 5;
  if (const std::vector<std::string> names = arrays.left_over(); !names.empty()) {
    loaded.notes.push_back("arrays of the model that are not used: " +
                           joined_first(names, kNamesShown));
  }
  return loaded;
}

}  // namespace attn
