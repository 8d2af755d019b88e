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

// --- positions and windows of layers

std::vector<float> floats(const std::vector<double>& numbers) {
  return {numbers.begin(), numbers.end()};
}

// Returns the factor of cosines and sines that YaRN has for a scaling (Peng et al. 2023).
double yarn_gain(double factor, double scale) {
  return factor <= 1.0 ? 1.0 : 0.1 * scale * std::log(factor) + 1.0;
}

// Reads the factor of cosines and sines: a number, or YaRN's by two scales.
void read_gain(ModelConfig& scaling, Position& position) {
  const auto scale = scaling.number("mscale"), of_all = scaling.number("mscale_all_dim");
  auto gain = scaling.number("attention_factor");
  if (!gain && scale && of_all && *scale > 0.0 && *of_all > 0.0) {
    const auto factor = static_cast<double>(position.factor);
    gain = yarn_gain(factor, *scale) / yarn_gain(factor, *of_all);
  }
  if (gain) position.gain = static_cast<float>(*gain);
}

std::size_t trained_length(ModelConfig& scaling, ModelConfig& config) {
  const char* const key = "original_max_position_embeddings";
  if (const std::size_t own = scaling.count(key); own > 0) return own;
  const std::size_t other = config.count(key);
  return other > 0 ? other : config.count("max_position_embeddings");
}

// Fills in the scaling of rotary positions from "rope_scaling", or from "rope_parameters".
void read_scaling(ModelConfig& scaling, ModelConfig& config, Position& position) {
  const std::string type = scaling.text("rope_type|type").value_or("default");
  if (!scaling.has("rope_type|type") && scaling.has("factor")) {
    scaling.refuse("rope_type", "the scaling of positions has no type", "a factor alone",
                   "linear, dynamic, llama3, yarn or longrope");
  }
  position.factor = static_cast<float>(scaling.number("factor", 1e-6).value_or(1.0));
  if (type == "linear") {
    position.scaling = RopeScaling::Linear;
  } else if (type == "dynamic" || type == "default") {
    position.factor = 1.0F;  // dynamic scaling begins after the trained length
  } else if (type == "llama3") {
    position.scaling = RopeScaling::Llama3;
    for (const char* key :
         {"low_freq_factor", "high_freq_factor", "original_max_position_embeddings"}) {
      if (!scaling.has(key)) scaling.refuse(key, "llama3 needs this setting", "none", "a number");
    }
    position.original = trained_length(scaling, config);
    position.low = static_cast<float>(scaling.number("low_freq_factor").value_or(1.0));
    position.high = static_cast<float>(scaling.number("high_freq_factor").value_or(4.0));
  } else if (type == "yarn") {
    position.scaling = RopeScaling::Yarn;
    position.original = trained_length(scaling, config);
    read_gain(scaling, position);
    position.low = static_cast<float>(scaling.number("beta_slow").value_or(1.0));
    position.high = static_cast<float>(scaling.number("beta_fast").value_or(32.0));
    position.truncate = scaling.flag("truncate").value_or(true);
  } else if (type == "longrope" || type == "su") {
    position.scaling = RopeScaling::Longrope;
    position.original = trained_length(scaling, config);
    read_gain(scaling, position);
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
  const bool is_nested = parameters.has(layer_type);
  if (is_nested) parameters = parameters.inside(layer_type);
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
  if (!has_local || is_nested)
    read_scaling(config.has("rope_scaling") ? scaling : parameters, config, position);
  return position;
}

// The layers whose queries and keys are not rotated.
std::vector<bool> layers_without_rotation(ModelConfig& config, const Sizes& sizes) {
  const std::vector<double> rotated = config.numbers("no_rope_layers");  // 0: without
  const std::size_t every = config.count("no_rope_layer_interval");
  std::vector<bool> without(sizes.layers);
  if (!rotated.empty() && rotated.size() != sizes.layers) {
    config.refuse("no_rope_layers", "there are not as many numbers as layers",
                  counted(rotated.size(), "number"), std::to_string(sizes.layers));
    return without;
  }
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
  if (!config.flag("use_sliding_window").value_or(true)) return windowed;
  const std::vector<std::string> types = config.texts("layer_types");
  if (!types.empty() && types.size() != sizes.layers) {
    config.refuse("layer_types", "the types of layers are not as many as the layers",
                  counted(types.size(), "type"), std::to_string(sizes.layers));
    return windowed;
  }
  for (std::size_t layer = 0; layer < sizes.layers; ++layer) {
    windowed[layer] = types.empty() ? has_window(config, family, layer, !without_rotation[layer])
                                    : is_windowed(config, types[layer]);
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
  const std::vector<std::string> all = split(keys, '|');
  const auto key = std::ranges::find_if(all, [&](const auto& one) { return config.has(one); });
  config.refuse(key == all.end() ? all.front() : *key, "the activation is not known",
                "\"" + name + "\"",
                gated ? "silu, gelu or gelu_pytorch_tanh, for a network with a gate"
                      : "relu, gelu, gelu_new, silu, quick_gelu or relu2");
  return {};
}

}  // namespace

void settle(ModelConfig& config, const Family& family) {
  std::vector<std::string_view> all;
  for (const Family& one : all_families()) all.push_back(one.settings);
  config.settle(family.settings, all);
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

Activation activation_of(ModelConfig& config, const Family& family) {
  const std::string_view keys = family.activation_keys;
  const std::string name = config.text(keys).value_or(std::string(family.activation));
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
  const auto read = [&config](const char* name, Bias& bias) {
    const std::optional<bool> said = config.flag(name);
    if (said) bias = *said ? Bias::Needed : Bias::None;
  };
  read("attention_bias", biases.qkv);
  read("attention_bias", biases.out);
  read("mlp_bias", biases.network);
  read("norm_bias", biases.norms);
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
  std::vector<bool> windowed = windowed_layers(config, family, sizes, without_rotation);
  Window window;
  if (const std::size_t width = config.count("sliding_window|local_attention"); width > 0) {
    // A window includes the query itself; without a mask of later keys, half is on each side.
    window = family.causal ? Window{width - 1, 0} : Window{width / 2, width / 2};
  } else {
    windowed.assign(sizes.layers, false);
  }
  const Position full = family.rotary ? rotary_of(config, sizes, "full_attention") : Position{};
  const Position local = family.rotary ? rotary_of(config, sizes, "sliding_attention") : Position{};
  const bool all = std::ranges::count(windowed, false) == 0;
  if (family.rotary) text.position = as_text(all ? local : full);
  if (all) text.mask->window = window;
  for (std::size_t layer = 0; layer < sizes.layers; ++layer) {
    BlockText& block = text.blocks[layer];
    if (!all && windowed[layer]) block.window = window;
    if (!all && windowed[layer] && local != full) block.position = as_text(local);
    if (without_rotation[layer]) block.position = PositionText{};
  }
}

PositionKind learned_positions() { return named(all_position_kinds(), "learned").kind; }

}  // namespace attn
