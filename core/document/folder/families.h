// Families of language models: where each has its parameters, and how its layers are built. A
// family is a row of data, and its name is the "model_type" of config.json. Internal to
// core/document.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "attention/block.h"

namespace attn {

// Places of one array for queries, keys and values, or of two of a network, in one matrix.
enum class Fused {
  Sides,    // one after another
  ByHeads,  // queries, keys and values of each head together
};

// Layers whose attention has a window, if the model has one.
enum class WindowedLayers {
  All,
  NotLast,          // all but the last of each `window_every` ones
  NotFirst,         // all but the first of each `window_every` ones
  FromBound,        // from max_window_layers on
  WithoutRotation,  // those whose queries and keys are not rotated
};

// Names of arrays; "{}" stands for the number of the layer, names begin with one of the prefixes.
// Empty names are parts that the family has not. Names of matrices and norms have no ".weight".
struct ArrayNames {
  std::string_view prefixes = {};  // separated by "|"; one may be empty
  std::string_view table = {}, positions = {}, types = {}, embedding_norm = {}, layer = {};
  std::string_view attention_norm = {}, feed_forward_norm = {};  // in front of a part, or behind it
  std::string_view attention_out_norm = {},
                   feed_forward_out_norm = {};  // behind a part, before it is added
  std::string_view q = {}, k = {}, v = {}, o = {}, qkv = {}, q_norm = {}, k_norm = {};
  std::string_view gate = {}, up = {}, down = {}, gate_up = {};
  std::string_view final_norm = {};
  std::string_view head = {};  // empty: the table
  std::string_view head_bias = {}, transform = {},
                   transform_norm = {};  // before the head, as in BERT
};

// True where there are biases: of the maps to queries, keys and values, of the output, of the
// network, of norms, and of the layer before the head. Arrays of others are not used.
struct Biases {
  bool qkv = false, out = false, network = false, norms = false, transform = false;
};
inline constexpr Biases kAllBiases{true, true, true, true, true};

struct Family {
  std::string_view types;  // separated by blanks
  ArrayNames names = {};
  NormKind norm = NormKind::Rms;
  NormOrder order = NormOrder::Pre;
  bool parallel = false;  // both parts of a layer read its input
  bool causal = true;
  bool in_out = false;  // matrices are stored (inputs, outputs)
  Fused fused = Fused::Sides;
  bool gated = true;               // the network has a gate
  Biases biases = {};              // changed by those of the settings below that are listed
  bool rotary = true;              // else positions are learned
  bool skips_padding = false;      // they begin behind the id of padding, which has none
  float norm_offset = 0.0F;        // added to the weights of norms
  bool scales_embeddings = false;  // by √width
  bool cuts_like_gpt2 = false;     // its vocab.json and merges.txt can be read
  bool ends_texts = false;         // these have <s> and </s> around each text
  bool sees_pictures = false;      // some models have a "text_config" beneath
  bool lacks_first_norm = false;   // the first attention reads its input without a norm
  WindowedLayers windows = WindowedLayers::All;
  std::size_t window_every = 1;          // if the settings do not state it
  std::string_view activation = "silu";  // if config.json has none
  std::string_view activation_keys = "hidden_act|activation_function|activation";
  std::string_view head_activation = {};  // of the layer before the head; empty: as of networks
  double eps = 1e-6;                      // of norms, if config.json has none
  bool old_gelu_is_tanh = false;          // "hidden_act": "gelu" of its files is the tanh form
  bool scales_windowed = false;           // "rope_scaling" is also of layers with a window
  std::string_view longrope_names = {};   // more names of LongRoPE, separated by blanks
  std::string_view scalings = {};         // of positions, separated by blanks; empty: all
  std::size_t trained_length = 0;         // before scaling, if config.json has none
  std::string_view sizes = "{}";          // as below, where config.json does not name them
  // Settings that not all families have, as a JSON object, and what they are where config.json does
  // not name them; null: nothing.
  std::string_view settings = "{}";
};

// The family of a "model_type", or null.
const Family* family_of(std::string_view type);
std::span<const Family> all_families();

// Kinds of models that cannot be read, with what can be done: experts, encoder–decoders, pictures.
struct RefusedFamily {
  std::string_view types;
  std::string_view reason;
};
const RefusedFamily* refused_family(std::string_view type);

}  // namespace attn
