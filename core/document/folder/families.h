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
  NotEverySecond,  // layers 0, 2, … have one
  NotEverySixth,   // all but layers 5, 11, …
  NotEveryThird,   // all but layers 0, 3, …
  FromBound,       // from max_window_layers on, where use_sliding_window is set
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

enum class Bias { IfThere, Needed, None };

// Biases of the maps to queries, keys and values, of the output, of the network, and of norms.
struct Biases {
  Bias qkv = Bias::IfThere, out = Bias::IfThere, network = Bias::IfThere, norms = Bias::IfThere;
};
inline constexpr Biases kAllBiases{Bias::Needed, Bias::Needed, Bias::Needed, Bias::Needed};

struct Family {
  std::string_view types;  // separated by blanks
  ArrayNames names = {};
  NormKind norm = NormKind::Rms;
  NormOrder order = NormOrder::Pre;
  bool parallel = false;  // both parts of a layer read its input
  bool causal = true;
  bool in_out = false;  // matrices are stored (inputs, outputs)
  Fused fused = Fused::Sides;
  bool gated = true;  // the network has a gate
  Biases biases = {};
  bool fixes_biases = false;       // settings have no say in them
  bool rotary = true;              // else positions are learned
  float norm_offset = 0.0F;        // added to the weights of norms
  bool scales_embeddings = false;  // by √width
  bool lacks_first_norm = false;   // the first attention reads its input without a norm
  std::size_t first_position = 0;  // row of the table of positions for the first token
  WindowedLayers windows = WindowedLayers::All;
  std::string_view activation = "silu";  // if config.json has none
  std::string_view activation_keys = "hidden_act|activation_function|activation";
  double eps = 1e-6;  // of norms, if config.json has none
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
