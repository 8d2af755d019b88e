// Reads what layers are by the settings of a model.
#include "document/folder/settings.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/joined.h"
#include "base/number_text.h"

namespace attn {
namespace {

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

// --- windows of layers

constexpr const char* kNoWindow =
    "layers of the type sliding_attention have no window, as config.json has none for them";

// Refuses a list that is there without an item for each layer, or with more if it must be `whole`.
void check_list(ModelConfig& config, std::string_view name, std::size_t found, std::size_t layers,
                bool whole) {
  if (!config.has(name) || found == layers || (found > layers && !whole)) return;
  config.refuse(name, "there are not as many items as layers", counted(found, "item"),
                std::to_string(layers));
}

// The layers whose queries and keys are not rotated; a longer list is of more layers.
std::vector<bool> layers_without_rotation(ModelConfig& config, const Sizes& sizes) {
  const std::vector<double> rotated = config.numbers("no_rope_layers");  // 0: without
  const std::size_t every = config.count("no_rope_layer_interval");
  std::vector<bool> without(sizes.layers);
  check_list(config, "no_rope_layers", rotated.size(), sizes.layers, false);
  if (config.error()) return without;
  for (std::size_t layer = 0; layer < sizes.layers; ++layer) {
    without[layer] = rotated.empty() ? every > 0 && (layer + 1) % every == 0 : rotated[layer] == 0;
  }
  return without;
}

bool has_window(ModelConfig& config, const Family& family, std::size_t layer, bool is_rotated) {
  const std::size_t stated =
      config.count("sliding_window_pattern|_sliding_window_pattern|global_attn_every_n_layers");
  const std::size_t every = stated > 0 ? stated : family.window_every;
  switch (family.windows) {
    case WindowedLayers::All:
      return true;
    case WindowedLayers::NotLast:
      return (layer + 1) % every != 0;
    case WindowedLayers::NotFirst:
      return layer % every != 0;
    case WindowedLayers::FromBound:
      return static_cast<double>(layer) >= config.number("max_window_layers").value_or(0.0);
    case WindowedLayers::WithoutRotation:
      return !is_rotated;
  }
  return false;
}

bool is_windowed(ModelConfig& config, const std::string& type) {
  const bool is_local = type == "sliding_attention";
  if (!is_local && type != "full_attention") {
    config.refuse("layer_types", "layers of this type are not read", "\"" + type + "\"",
                  "full_attention or sliding_attention");
  }
  return is_local;
}

// The layers with a window, by their types if the settings list these.
std::vector<bool> windowed_layers(ModelConfig& config, const Family& family, const Sizes& sizes,
                                  const std::vector<bool>& without_rotation) {
  std::vector<bool> windowed(sizes.layers);
  const std::vector<std::string> types = config.texts("layer_types");
  check_list(config, "layer_types", types.size(), sizes.layers, true);
  if (config.error()) return windowed;
  for (std::size_t layer = 0; layer < sizes.layers; ++layer) {
    windowed[layer] = types.empty() ? has_window(config, family, layer, !without_rotation[layer])
                                    : is_windowed(config, types[layer]);
  }
  const bool is_listed = !types.empty();
  // Types of SmolLM 3 have windows whatever the flag says.
  const bool may_be_off = !is_listed || family.windows != WindowedLayers::WithoutRotation;
  if (may_be_off && !config.flag("use_sliding_window").value_or(true)) {
    if (is_listed && std::ranges::count(windowed, true) > 0) config.note(kNoWindow);
    windowed.assign(sizes.layers, false);
  }
  return windowed;
}

// The activation of a name that stands under the first of some keys that is there.
Activation activation_named(ModelConfig& config, std::string_view keys, const std::string& name,
                            bool gated) {
  for (const NamedActivation& row : kActivations) {
    const std::vector<std::string> names = split(row.names, ' ');
    const std::string_view own = gated ? row.gated : row.plain;
    if (!own.empty() && std::ranges::find(names, name) != names.end()) {
      return named(all_activations(), own).activation;
    }
  }
  config.refuse(config.stated(keys), "the activation is not known", "\"" + name + "\"",
                gated ? "silu, gelu or gelu_pytorch_tanh, for a network with a gate"
                      : "relu, gelu, gelu_new, silu, quick_gelu or relu2");
  return {};
}

}  // namespace

std::string settle(ModelConfig& config, const Family& family) {
  const bool has_share = family.settings.find("partial_rotary_factor") != std::string_view::npos;
  if (family.rotary && !has_share && config.number("partial_rotary_factor").value_or(1.0) != 1.0) {
    config.refuse("partial_rotary_factor", "heads of this family are rotated whole",
                  config.written("partial_rotary_factor"), "1");
  }
  constexpr std::string_view kPairs = "num_key_value_heads";
  const std::string lacks = "config.json lacks sizes, for which the usual ones are taken: ";
  std::vector<std::string> sizes = config.take_usual(family.sizes);
  if (!sizes.empty()) config.note(lacks + joined(sizes));
  if (family.settings.find(kPairs) != std::string_view::npos && !config.knows(kPairs)) {
    sizes.push_back(std::string(kPairs) + " as many as heads");
  }
  std::vector<std::string_view> all;
  for (const Family& one : all_families()) all.push_back(one.settings);
  std::vector<std::string> unread = config.settle(family.settings, all);
  std::erase(unread, "pad_token_id");                              // most files have it
  if (family.rotary) std::erase(unread, "partial_rotary_factor");  // 1, as all else is refused
  if (!unread.empty()) {
    config.note("settings that only other families have are not read: " + joined(unread));
  }
  return sizes.empty() ? "" : lacks + joined(sizes);
}

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
    config.refuse(config.stated("num_hidden_layers|n_layer|n_layers"),
                  "the model has too many layers", std::to_string(sizes.layers), "at most 10,000");
  }
  if (sizes.head_width == 0) sizes.head_width = sizes.width / sizes.heads;
  const bool divides = sizes.head_width > 0 && sizes.heads % sizes.kv_heads == 0 &&
                       (config.has("head_dim") || sizes.width % sizes.heads == 0);
  if (!divides) {
    config.refuse(config.stated("num_attention_heads|n_head|n_heads"),
                  "the heads do not divide the model",
                  counted(sizes.heads, "head") + ", " + counted(sizes.kv_heads, "key-value head") +
                      ", width " + std::to_string(sizes.width),
                  "heads that divide the width, and key-value heads that divide the heads");
  }
  return sizes;
}

Activation activation_of(ModelConfig& config, const Family& family) {
  const std::string_view keys = family.activation_keys;
  std::string name = config.text(keys).value_or(std::string(family.activation));
  if (const std::string key = config.null_in(keys); !key.empty()) {
    config.refuse(key, "the activation is not stated", "null", "the name of an activation");
  }
  if (name == "gelu" && family.old_gelu_is_tanh && !config.has("hidden_activation")) {
    config.note("\"hidden_act\": \"gelu\" of this family is computed in its tanh form, as trained");
    name = family.activation;
  }
  return activation_named(config, keys, name, family.gated);
}

Activation head_activation_of(ModelConfig& config, const Family& family) {
  const bool is_own = !family.head_activation.empty();
  const std::string_view keys = is_own ? "classifier_activation" : family.activation_keys;
  const std::string_view usual = is_own ? family.head_activation : family.activation;
  return activation_named(config, keys, config.text(keys).value_or(std::string(usual)), false);
}

Biases biases_of(ModelConfig& config, const Family& family) {
  Biases biases = family.biases;
  const auto read = [&config](const char* name, bool& bias) {
    bias = config.flag(name).value_or(bias);
  };
  read("attention_bias", biases.qkv);
  read("attention_bias", biases.out);
  read("mlp_bias", biases.network);
  read("norm_bias", biases.norms);
  read("classifier_bias", biases.transform);
  return biases;
}

void refuse_unread(ModelConfig& config, const Family& family) {
  struct Setting {
    std::string_view name;
    bool usual;  // has no effect
  };
  constexpr Setting kSettings[] = {{"scale_attn_by_inverse_layer_idx", false},
                                   {"scale_attn_weights", true},
                                   {"add_cross_attention", false},
                                   {"use_bidirectional_attention", false},
                                   {"qk_layernorm", false},
                                   {"is_causal", true},
                                   {"is_decoder", false}};
  for (const Setting& setting : kSettings) {
    if (setting.name == (family.causal ? "is_decoder" : "is_causal")) continue;
    if (config.flag(setting.name).value_or(setting.usual) == setting.usual) continue;
    config.refuse(setting.name, "a setting that changes the numbers of the model is not read",
                  setting.usual ? "false" : "true", setting.usual ? "true" : "false");
  }
  if (config.inside("pruned_heads").has_any()) {
    config.refuse("pruned_heads", "heads that were taken out of a model are not read", "some heads",
                  "none: save the model without pruning");
  }
  const std::string positions = config.text("position_embedding_type").value_or("absolute");
  if (positions == "absolute" || family.rotary) return;
  config.refuse("position_embedding_type", "positions of this kind are not read",
                "\"" + positions + "\"", "\"absolute\"");
}

void put_rules(ModelConfig& config, const Family& family, const Sizes& sizes, DocumentText& text) {
  const std::vector<bool> without_rotation = layers_without_rotation(config, sizes);
  const std::vector<bool> windowed = windowed_layers(config, family, sizes, without_rotation);
  const std::size_t width = config.count("sliding_window|local_attention");
  // A window includes the query itself; without a mask of later keys, half is on each side.
  const Window window =
      family.causal ? Window{std::max<std::size_t>(1, width) - 1, 0} : Window{width / 2, width / 2};
  if (width == 0 && config.has("layer_types") && std::ranges::count(windowed, true) > 0) {
    config.note(kNoWindow);
  }
  Position full, local;
  if (family.rotary) {
    full = rotary_of(config, family, sizes, "full_attention");
    local = rotary_of(config, family, sizes, "sliding_attention");
  }
  const bool all = std::ranges::count(windowed, false) == 0;
  if (family.rotary) text.position = as_text(all ? local : full);
  if (all && width > 0) text.mask->window = window;
  for (std::size_t layer = 0; layer < sizes.layers; ++layer) {
    BlockText& block = text.blocks[layer];
    if (!all && windowed[layer] && width > 0) block.window = window;
    if (!all && windowed[layer] && local != full) block.position = as_text(local);
    if (without_rotation[layer]) block.position = PositionText{};
  }
}

PositionKind learned_positions() { return named(all_position_kinds(), "learned").kind; }

}  // namespace attn
