// Random models in the layout of each family, as their libraries publish it: what the program
// computes is what a plain forward pass in double computes, with a table of names of its own.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numbers>

#include "base/joined.h"
#include "base/random.h"
#include "document/load/open.h"
#include "document/problem.h"
#include "engine/compute.h"
#include "kinds/parts/logits.h"
#include "tests/core/document/folder/model_folder.h"

namespace attn {
namespace {

using test::Arrays;
using Rows = std::vector<std::vector<double>>;

constexpr std::size_t kLayers = 6, kWidth = 8, kHidden = 12, kVocabulary = 11, kPositions = 20;
const std::vector<std::size_t> kIds = {3, 1, 4, 1, 5, 9, 2};

// The layout of a family. Names have the number of the layer in place of #; bases of rotation and
// the window are those that the settings below state.
struct Layout {
  std::string type, settings, prefix;
  std::string table, layer;
  std::vector<std::string> qkv;  // three names, or one
  std::string o, n1, n2;         // norms in front of the parts; behind them in `post`
  std::string up, down, gate, final_norm;
  std::string post1 = "", post2 = "", q_norm = "", k_norm = "";
  std::string positions = "", types = "", table_norm = "";
  std::string head = "", head_bias = "", transform = "", transform_norm = "";  // head: the table
  std::size_t kv_heads = 2, head_width = 4, first_position = 0, rotary = 0;
  double eps = 1e-5, base = 10000, local_base = 0, offset = 0, scale = 1, query_scale = 0,
         softcap = 0, logit_cap = 0;
  std::function<double(double)> activation = {};
  std::function<bool(std::size_t)> is_local = {};  // layers with the window of 3
  std::function<double(double)> frequency = {};    // of scaled positions
  std::size_t unrotated_every = 0;                 // the last of so many layers has no rotation
  bool layer_norm = false, post = false, causal = true, in_out = false, by_heads = false,
       parallel = false, branch = false, fused_gate = false, norms_all = false;
};

double gelu(double x) { return 0.5 * x * (1 + std::erf(x / std::sqrt(2.0))); }
double gelu_tanh(double x) {
  return 0.5 * x * (1 + std::tanh(std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x)));
}
double silu(double x) { return x / (1 + std::exp(-x)); }

// --- the forward pass

struct Forward {
  const Layout& of;
  const Arrays& arrays;
  static constexpr std::size_t kHeads = 2;
  std::vector<Rows> weights = {};  // of all heads of all layers
  Rows last = {};

  std::string full(std::string name, std::size_t layer = 0) const {
    if (const auto at = name.find('#'); at != name.npos) name.replace(at, 1, std::to_string(layer));
    return of.prefix + name;
  }
  const test::Array* find(const std::string& name) const {
    const auto found = arrays.find(name);
    return found == arrays.end() ? nullptr : &found->second;
  }
  // x · W + b for the outputs that `place` names.
  template <class Place>
  Rows mapped(const Rows& x, const std::string& name, std::size_t outputs, Place place) const {
    const test::Array& w = *find(name + ".weight");
    const test::Array* b = find(name + ".bias");
    Rows out(x.size(), std::vector<double>(outputs));
    for (std::size_t r = 0; r < x.size(); ++r) {
      for (std::size_t o = 0; o < outputs; ++o) {
        double sum = b == nullptr ? 0.0 : static_cast<double>(b->numbers[place(o)]);
        for (std::size_t i = 0; i < x[r].size(); ++i) {
          const std::size_t at = of.in_out ? i * w.shape[1] + place(o) : place(o) * w.shape[1] + i;
          sum += x[r][i] * static_cast<double>(w.numbers[at]);
        }
        out[r][o] = sum;
      }
    }
    return out;
  }
  Rows mapped(const Rows& x, const std::string& name, std::size_t outputs) const {
    return mapped(x, name, outputs, [](std::size_t o) { return o; });
  }
  std::vector<double> normed(const std::vector<double>& x, const std::string& name, bool rms,
                             std::size_t first = 0) const {
    const test::Array* weight = find(name + ".weight");
    if (weight == nullptr) return x;
    const test::Array* bias = find(name + ".bias");
    double mean = 0, square = 0;
    for (const double v : x) mean += rms ? 0 : v / static_cast<double>(x.size());
    for (const double v : x) square += (v - mean) * (v - mean) / static_cast<double>(x.size());
    std::vector<double> out;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double w = static_cast<double>(weight->numbers[first + i]) + of.offset;
      out.push_back((x[i] - mean) / std::sqrt(square + of.eps) * w +
                    (bias == nullptr ? 0 : static_cast<double>(bias->numbers[i])));
    }
    return out;
  }
  Rows normed(Rows x, const std::string& name) const {
    if (name.empty()) return x;
    for (auto& row : x) row = normed(row, name, !of.layer_norm);
    return x;
  }

  Rows embedded() const {
    const test::Array& table = *find(full(of.table) + ".weight");
    Rows x;
    for (std::size_t r = 0; r < kIds.size(); ++r) {
      std::vector<double>& row = x.emplace_back(kWidth);
      for (std::size_t c = 0; c < kWidth; ++c) {
        row[c] = static_cast<double>(table.numbers[kIds[r] * kWidth + c]) * of.scale;
        if (!of.types.empty())
          row[c] += static_cast<double>(find(full(of.types) + ".weight")->numbers[c]);
        if (of.positions.empty()) continue;
        const std::size_t at = r + of.first_position;
        row[c] +=
            static_cast<double>(find(full(of.positions) + ".weight")->numbers[at * kWidth + c]);
      }
    }
    return of.table_norm.empty() ? x : normed(x, full(of.table_norm));
  }

  void rotate(std::vector<double>& row, std::size_t position, bool local) const {
    if (!of.positions.empty()) return;
    const std::size_t width = of.rotary == 0 ? of.head_width : of.rotary;
    const double base = local && of.local_base > 0 ? of.local_base : of.base;
    for (std::size_t i = 0; i < width / 2; ++i) {
      double step = std::pow(base, -2.0 * static_cast<double>(i) / static_cast<double>(width));
      if (of.frequency && !(local && of.local_base > 0)) step = of.frequency(step);
      const double angle = step * static_cast<double>(position);
      const double a = row[i], b = row[i + width / 2];
      row[i] = a * std::cos(angle) - b * std::sin(angle);
      row[i + width / 2] = b * std::cos(angle) + a * std::sin(angle);
    }
  }

  // Rows of one head of queries, keys or values (0, 1, 2).
  Rows part(const Rows& x, std::size_t which, std::size_t head, std::size_t layer) const {
    const std::size_t heads = which == 0 ? kHeads : of.kv_heads, w = of.head_width;
    const std::size_t own = head * heads / kHeads;
    const std::size_t before = which == 0   ? 0
                               : which == 1 ? kHeads * w
                                            : (kHeads + of.kv_heads) * w;
    const bool fused = of.qkv.size() == 1;
    const auto place = [&](std::size_t o) {
      if (!fused) return own * w + o;
      return of.by_heads ? own * 3 * w + which * w + o : before + own * w + o;
    };
    Rows out = mapped(x, full(of.layer + of.qkv[fused ? 0 : which], layer), w, place);
    const std::string& norm = which == 0 ? of.q_norm : of.k_norm;
    if (norm.empty() || which == 2) return out;
    if (!of.norms_all) {
      for (auto& row : out) row = normed(row, full(of.layer + norm, layer), true);
      return out;
    }
    const Rows all = mapped(x, full(of.layer + of.qkv[which], layer), heads * w);
    for (std::size_t r = 0; r < out.size(); ++r) {
      const std::vector<double> whole = normed(all[r], full(of.layer + norm, layer), true);
      out[r].assign(whole.begin() + static_cast<std::ptrdiff_t>(own * w),
                    whole.begin() + static_cast<std::ptrdiff_t>((own + 1) * w));
    }
    return out;
  }

  bool sees(std::size_t q, std::size_t k, bool local) const {
    const std::size_t distance = q > k ? q - k : k - q;
    if (of.causal && k > q) return false;
    return !local || distance < (of.causal ? 3U : 2U);
  }

  Rows attention(const Rows& x, std::size_t layer) {
    const bool local = of.is_local && of.is_local(layer);
    Rows concat(x.size());
    for (std::size_t head = 0; head < kHeads; ++head) {
      Rows q = part(x, 0, head, layer), k = part(x, 1, head, layer), v = part(x, 2, head, layer);
      Rows map(x.size(), std::vector<double>(x.size()));
      const bool rotates = of.unrotated_every == 0 || (layer + 1) % of.unrotated_every != 0;
      for (std::size_t r = 0; rotates && r < x.size(); ++r) {
        rotate(q[r], r, local), rotate(k[r], r, local);
      }
      for (std::size_t r = 0; r < x.size(); ++r) {
        double total = 0;
        for (std::size_t c = 0; c < x.size(); ++c) {
          double score = 0;
          for (std::size_t i = 0; i < of.head_width; ++i) score += q[r][i] * k[c][i];
          score /=
              std::sqrt(of.query_scale > 0 ? of.query_scale : static_cast<double>(of.head_width));
          if (of.softcap > 0) score = of.softcap * std::tanh(score / of.softcap);
          map[r][c] = sees(r, c, local) ? std::exp(score) : 0.0;
          total += map[r][c];
        }
        std::vector<double> output(of.head_width);
        for (std::size_t c = 0; c < x.size(); ++c) {
          map[r][c] /= total;
          for (std::size_t i = 0; i < of.head_width; ++i) output[i] += map[r][c] * v[c][i];
        }
        concat[r].insert(concat[r].end(), output.begin(), output.end());
      }
      weights.push_back(map);
    }
    return mapped(concat, full(of.layer + of.o, layer), kWidth);
  }

  Rows network(const Rows& x, std::size_t layer) const {
    const std::string up = full(of.layer + of.up, layer);
    const auto at = [](std::size_t first) { return [first](std::size_t o) { return first + o; }; };
    Rows hidden = mapped(x, up, kHidden, at(of.fused_gate ? kHidden : 0));
    if (of.gate.empty() && !of.fused_gate) {
      for (auto& row : hidden) std::ranges::transform(row, row.begin(), of.activation);
    } else {
      const Rows gate = mapped(x, of.fused_gate ? up : full(of.layer + of.gate, layer), kHidden);
      for (std::size_t r = 0; r < x.size(); ++r) {
        for (std::size_t i = 0; i < kHidden; ++i) hidden[r][i] *= of.activation(gate[r][i]);
      }
    }
    return mapped(hidden, full(of.layer + of.down, layer), kWidth);
  }

  static Rows sum(Rows a, const Rows& b) {
    for (std::size_t r = 0; r < a.size(); ++r) {
      for (std::size_t c = 0; c < a[r].size(); ++c) a[r][c] += b[r][c];
    }
    return a;
  }

  // Logits of all tokens of the vocabulary.
  Rows logits() const {
    Rows x = last;
    if (!of.transform.empty()) {
      x = mapped(x, of.transform, kWidth);
      for (auto& row : x) {
        std::ranges::transform(row, row.begin(), of.activation);
        row = normed(row, of.transform_norm, false);
      }
    }
    const test::Array& head = *find((of.head.empty() ? full(of.table) : of.head) + ".weight");
    Rows out(x.size(), std::vector<double>(kVocabulary));
    for (std::size_t r = 0; r < x.size(); ++r) {
      for (std::size_t id = 0; id < kVocabulary; ++id) {
        double sum =
            of.head_bias.empty() ? 0.0 : static_cast<double>(find(of.head_bias)->numbers[id]);
        for (std::size_t c = 0; c < kWidth; ++c) {
          sum += x[r][c] * static_cast<double>(head.numbers[id * kWidth + c]);
        }
        out[r][id] = of.logit_cap > 0 ? of.logit_cap * std::tanh(sum / of.logit_cap) : sum;
      }
    }
    return out;
  }

  void run() {
    Rows x = embedded();
    for (std::size_t layer = 0; layer < kLayers; ++layer) {
      const auto norm = [&](const Rows& rows, const std::string& name) {
        return name.empty() ? rows : normed(rows, full(of.layer + name, layer));
      };
      if (of.post) {
        x = norm(sum(x, attention(x, layer)), of.n1);
        x = norm(sum(x, network(x, layer)), of.n2);
        continue;
      }
      const Rows attended = sum(x, norm(attention(norm(x, of.n1), layer), of.post1));
      const Rows& read = of.parallel ? x : attended;
      x = sum(attended, norm(network(norm(read, of.n2), layer), of.post2));
    }
    last = of.final_norm.empty() ? x : normed(x, full(of.final_norm));
  }
};

// --- layouts

Layout llama(const std::string& type, const std::string& settings) {
  return {.type = type,
          .settings = settings,
          .prefix = "model.",
          .table = "embed_tokens",
          .layer = "layers.#.",
          .qkv = {"self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj"},
          .o = "self_attn.o_proj",
          .n1 = "input_layernorm",
          .n2 = "post_attention_layernorm",
          .up = "mlp.up_proj",
          .down = "mlp.down_proj",
          .gate = "mlp.gate_proj",
          .final_norm = "norm",
          .kv_heads = 1,
          .activation = silu};
}

constexpr const char* kLlamaSizes =
    R"("hidden_size": 8, "num_hidden_layers": 6, "num_attention_heads": 2, "rms_norm_eps": 1e-5,
       "num_key_value_heads": 1, "intermediate_size": 12, "vocab_size": 11,
       "max_position_embeddings": 20)";

Layout gemma2() {
  Layout l =
      llama("gemma2", std::string(kLlamaSizes) +
                          R"(, "head_dim": 6, "sliding_window": 3, "query_pre_attn_scalar": 7,
      "attn_logit_softcapping": 1.5, "final_logit_softcapping": 2, "hidden_activation": "gelu_pytorch_tanh")");
  l.head_width = 6, l.offset = 1, l.scale = std::sqrt(8.0F), l.query_scale = 7, l.softcap = 1.5;
  l.logit_cap = 2;
  l.activation = gelu_tanh, l.post1 = "post_attention_layernorm";
  l.n2 = "pre_feedforward_layernorm", l.post2 = "post_feedforward_layernorm";
  l.is_local = [](std::size_t layer) { return layer % 2 == 0; };
  return l;
}

Layout bert(const std::string& type, const std::string& prefix) {
  return {.type = type,
          .settings = R"("hidden_size": 8, "num_hidden_layers": 6, "num_attention_heads": 2,
       "intermediate_size": 12, "vocab_size": 11, "max_position_embeddings": 20,
       "layer_norm_eps": 1e-5, "hidden_act": "gelu")",
          .prefix = prefix,
          .table = "embeddings.word_embeddings",
          .layer = "encoder.layer.#.",
          .qkv = {"attention.self.query", "attention.self.key", "attention.self.value"},
          .o = "attention.output.dense",
          .n1 = "attention.output.LayerNorm",
          .n2 = "output.LayerNorm",
          .up = "intermediate.dense",
          .down = "output.dense",
          .gate = "",
          .final_norm = "",
          .positions = "embeddings.position_embeddings",
          .types = "embeddings.token_type_embeddings",
          .table_norm = "embeddings.LayerNorm",
          .head_bias = "cls.predictions.bias",
          .transform = "cls.predictions.transform.dense",
          .transform_norm = "cls.predictions.transform.LayerNorm",
          .activation = gelu,
          .layer_norm = true,
          .post = true,
          .causal = false};
}

std::vector<Layout> layouts() {
  std::vector<Layout> all;
  all.push_back({.type = "gpt2",
                 .settings = R"("n_embd": 8, "n_layer": 6, "n_head": 2, "n_positions": 20,
       "vocab_size": 11, "n_inner": 12, "activation_function": "gelu_new",
       "layer_norm_epsilon": 1e-5)",
                 .prefix = "transformer.",
                 .table = "wte",
                 .layer = "h.#.",
                 .qkv = {"attn.c_attn"},
                 .o = "attn.c_proj",
                 .n1 = "ln_1",
                 .n2 = "ln_2",
                 .up = "mlp.c_fc",
                 .down = "mlp.c_proj",
                 .gate = "",
                 .final_norm = "ln_f",
                 .positions = "wpe",
                 .activation = gelu_tanh,
                 .layer_norm = true,
                 .in_out = true});
  all.push_back(bert("bert", "bert."));
  all.push_back(bert("roberta", ""));
  all.back().first_position = 2, all.back().head_bias = "lm_head.bias";
  all.back().transform = "lm_head.dense", all.back().transform_norm = "lm_head.layer_norm";
  Layout distil = bert("distilbert", "distilbert.");
  distil.settings = R"("dim": 8, "n_layers": 6, "n_heads": 2, "hidden_dim": 12, "vocab_size": 11,
      "max_position_embeddings": 20, "activation": "gelu")";
  distil.eps = 1e-12;
  distil.layer = "transformer.layer.#.", distil.types = "";
  distil.qkv = {"attention.q_lin", "attention.k_lin", "attention.v_lin"};
  distil.o = "attention.out_lin", distil.n1 = "sa_layer_norm", distil.n2 = "output_layer_norm";
  distil.head_bias = "vocab_projector.bias", distil.transform = "vocab_transform";
  distil.transform_norm = "vocab_layer_norm";
  distil.up = "ffn.lin1", distil.down = "ffn.lin2";
  all.push_back(distil);
  all.push_back(llama("llama", std::string(kLlamaSizes) +
                                   R"(, "rope_theta": 500.0, "rope_scaling": {"rope_type": "llama3",
      "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
      "original_max_position_embeddings": 64})"));
  all.back().base = 500, all.back().head = "lm_head";
  all.back().frequency = [](double step) {
    const double turns = 64 * step / (2 * std::numbers::pi);  // within the trained length
    if (turns < 1) return step / 8;
    if (turns > 4) return step;
    const double share = (turns - 1) / 3;
    return (1 - share) * step / 8 + share * step;
  };
  all.push_back(llama("mistral", std::string(kLlamaSizes) + R"(, "sliding_window": 3)"));
  all.back().is_local = [](std::size_t) { return true; };
  all.push_back(llama("qwen2", std::string(kLlamaSizes) +
                                   R"(, "sliding_window": 3, "use_sliding_window": true,
      "max_window_layers": 4)"));
  all.back().is_local = [](std::size_t layer) { return layer >= 4; };
  all.push_back(llama("qwen3", std::string(kLlamaSizes) + R"(, "head_dim": 6)"));
  all.back().head_width = 6;
  all.back().q_norm = "self_attn.q_norm", all.back().k_norm = "self_attn.k_norm";
  all.push_back(gemma2());
  Layout gemma3 = gemma2();
  gemma3.type = "gemma3_text", gemma3.softcap = gemma3.logit_cap = 0, gemma3.local_base = 100,
  gemma3.base = 1000;
  gemma3.settings = std::string(kLlamaSizes) +
                    R"(, "head_dim": 6, "sliding_window": 3, "query_pre_attn_scalar": 7,
      "rope_theta": 1000, "rope_local_base_freq": 100, "hidden_activation": "gelu_pytorch_tanh")";
  gemma3.q_norm = "self_attn.q_norm", gemma3.k_norm = "self_attn.k_norm";
  gemma3.is_local = [](std::size_t layer) { return layer % 6 != 5; };
  all.push_back(gemma3);
  Layout olmo = llama("olmo2", kLlamaSizes);
  olmo.n1 = olmo.n2 = "", olmo.post1 = "post_attention_layernorm";
  olmo.post2 = "post_feedforward_layernorm", olmo.norms_all = true;
  olmo.q_norm = "self_attn.q_norm", olmo.k_norm = "self_attn.k_norm";
  all.push_back(olmo);
  Layout phi3 = llama("phi3", kLlamaSizes);
  phi3.qkv = {"self_attn.qkv_proj"}, phi3.up = "mlp.gate_up_proj", phi3.gate = "";
  phi3.fused_gate = true;
  all.push_back(phi3);
  Layout neox = all.front();
  neox.type = "gpt_neox", neox.prefix = "gpt_neox.", neox.table = "embed_in",
  neox.layer = "layers.#.";
  neox.settings = R"("hidden_size": 8, "num_hidden_layers": 6, "num_attention_heads": 2,
      "intermediate_size": 12, "vocab_size": 11, "rotary_pct": 0.5, "hidden_act": "gelu",
      "layer_norm_eps": 1e-5, "use_parallel_residual": true, "max_position_embeddings": 20)";
  neox.qkv = {"attention.query_key_value"}, neox.o = "attention.dense";
  neox.n1 = "input_layernorm", neox.n2 = "post_attention_layernorm";
  neox.up = "mlp.dense_h_to_4h", neox.down = "mlp.dense_4h_to_h", neox.positions = "";
  neox.final_norm = "final_layer_norm", neox.activation = gelu, neox.rotary = 2;
  neox.head = "embed_out";
  neox.in_out = false, neox.by_heads = true, neox.parallel = true;
  all.push_back(neox);
  Layout modern = llama("modernbert", R"("hidden_size": 8, "num_hidden_layers": 6,
      "num_attention_heads": 2, "intermediate_size": 12, "vocab_size": 11, "norm_eps": 1e-5,
      "hidden_activation": "gelu", "local_attention": 2, "global_rope_theta": 1000,
      "local_rope_theta": 50, "max_position_embeddings": 20)");
  modern.table = "embeddings.tok_embeddings", modern.table_norm = "embeddings.norm";
  modern.qkv = {"attn.Wqkv"}, modern.o = "attn.Wo", modern.n1 = "attn_norm", modern.n2 = "mlp_norm";
  modern.up = "mlp.Wi", modern.gate = "", modern.down = "mlp.Wo", modern.final_norm = "final_norm";
  modern.head = "", modern.head_bias = "decoder.bias", modern.transform = "head.dense";
  modern.transform_norm = "head.norm";
  modern.fused_gate = true, modern.kv_heads = 2, modern.layer_norm = true, modern.causal = false;
  modern.base = 1000, modern.local_base = 50, modern.activation = gelu;
  modern.is_local = [](std::size_t layer) { return layer % 3 != 0; };
  all.push_back(modern);
  // Settings that are left out are those of the family.
  modern.settings = with_replaced(modern.settings, "\"global_rope_theta\": 1000,", "");
  modern.settings = with_replaced(modern.settings, "\"local_rope_theta\": 50, ", "");
  modern.settings = with_replaced(modern.settings, "\"norm_eps\": 1e-5,",
                                  "\"norm_eps\": 1e-5, \"global_attn_every_n_layers\": 2,");
  modern.base = 160000, modern.local_base = 10000;
  modern.is_local = [](std::size_t layer) { return layer % 2 != 0; };
  all.push_back(modern);
  gemma3.settings = std::string(kLlamaSizes) + R"(, "head_dim": 6, "sliding_window": 3,
      "hidden_activation": "gelu_pytorch_tanh", "sliding_window_pattern": 2)";
  gemma3.base = 1e6, gemma3.local_base = 1e4, gemma3.query_scale = 256;
  gemma3.is_local = [](std::size_t layer) { return layer % 2 != 1; };
  all.push_back(gemma3);
  Layout gemma = gemma2();
  gemma.settings =
      std::string(kLlamaSizes) +
      R"(, "head_dim": 6, "sliding_window": 3, "hidden_activation": "gelu_pytorch_tanh")";
  gemma.query_scale = 256, gemma.softcap = 50, gemma.logit_cap = 30;
  all.push_back(gemma);
  Layout smol = llama(
      "smollm3", std::string(kLlamaSizes) + R"(, "use_sliding_window": true, "sliding_window": 3)");
  smol.base = 2e6, smol.unrotated_every = 4;
  smol.is_local = [](std::size_t layer) { return layer == 3; };
  all.push_back(smol);
  // Settings of other families have no effect.
  all.push_back(llama("llama", std::string(kLlamaSizes) +
                                   R"(, "sliding_window": 3, "attn_logit_softcapping": 1,
      "query_pre_attn_scalar": 7, "rotary_pct": 0.5, "no_rope_layers": [0], "layer_norm_eps": 1)"));
  return all;
}

// Random arrays of a layout. ModernBERT's first layer has no norm in front of its attention.
Arrays random_arrays(const Layout& of) {
  Random random(of.type.size());
  Arrays arrays;
  const auto add = [&](const std::string& name, Shape shape) {
    std::vector<float> numbers(element_count(shape));
    for (float& number : numbers) number = 0.6F * random.normal();
    arrays[name] = {std::move(shape), std::move(numbers)};
  };
  const auto matrix = [&](const std::string& name, std::size_t in, std::size_t out, bool bias) {
    add(name + ".weight", of.in_out ? Shape{in, out} : Shape{out, in});
    if (bias) add(name + ".bias", {out});
  };
  const auto norm = [&](const std::string& name, std::size_t width, bool bias) {
    if (name.ends_with(".")) return;
    add(name + ".weight", {width});
    if (bias) add(name + ".bias", {width});
  };
  const bool biased = of.layer_norm && of.type != "modernbert";
  const std::size_t q = 2 * of.head_width, kv = of.kv_heads * of.head_width;
  Forward names{of, arrays};
  add(names.full(of.table) + ".weight", {kVocabulary, kWidth});
  if (!of.positions.empty()) add(names.full(of.positions) + ".weight", {kPositions, kWidth});
  if (!of.types.empty()) add(names.full(of.types) + ".weight", {2, kWidth});
  if (!of.table_norm.empty()) norm(names.full(of.table_norm), kWidth, biased);
  if (!of.final_norm.empty()) norm(names.full(of.final_norm), kWidth, biased);
  if (!of.head.empty()) add(of.head + ".weight", {kVocabulary, kWidth});
  if (!of.head_bias.empty()) add(of.head_bias, {kVocabulary});
  if (!of.transform.empty()) {
    matrix(of.transform, kWidth, kWidth, biased);
    norm(of.transform_norm, kWidth, biased);
  }
  for (std::size_t layer = 0; layer < kLayers; ++layer) {
    const auto at = [&](const std::string& name) { return names.full(of.layer + name, layer); };
    if (of.qkv.size() == 1) matrix(at(of.qkv[0]), kWidth, q + 2 * kv, biased);
    if (of.qkv.size() == 3) {
      matrix(at(of.qkv[0]), kWidth, q, biased || of.type == "qwen2");
      for (std::size_t i = 1; i < 3; ++i)
        matrix(at(of.qkv[i]), kWidth, kv, biased || of.type == "qwen2");
    }
    matrix(at(of.o), q, kWidth, biased);
    matrix(at(of.up), kWidth, of.fused_gate ? 2 * kHidden : kHidden, biased);
    matrix(at(of.down), kHidden, kWidth, biased);
    if (!of.gate.empty()) matrix(at(of.gate), kWidth, kHidden, false);
    for (const std::string& name : {of.n1, of.n2, of.post1, of.post2}) {
      const bool is_left_out = of.type == "modernbert" && layer == 0 && name == of.n1;
      if (!name.empty() && !is_left_out) norm(at(name), kWidth, biased);
    }
    if (!of.q_norm.empty()) norm(at(of.q_norm), of.norms_all ? q : of.head_width, false);
    if (!of.k_norm.empty()) norm(at(of.k_norm), of.norms_all ? kv : of.head_width, false);
  }
  return arrays;
}

std::string config_of(const Layout& of) {
  return "{\"model_type\": \"" + of.type + "\", \"architectures\": [\"" + of.type +
         (of.causal ? "ForCausalLM" : "ForMaskedLM") + "\"], " +
         (of.head.empty() ? "\"tie_word_embeddings\": true, " : "") + of.settings + "}";
}

Reading read_folder(const test::ModelFolder& folder) {
  ReadOptions options;
  options.input.ids.assign(kIds.begin(), kIds.end());
  Result<Reading> reading = open_document(folder.path(), options);
  EXPECT_TRUE(reading.ok()) << describe(reading.error());
  return *std::move(reading);
}

TEST(Families, ComputeWhatAPlainForwardPassComputes) {
  for (const Layout& of : layouts()) {
    SCOPED_TRACE(of.type);
    const Arrays arrays = random_arrays(of);
    const test::ModelFolder folder(config_of(of), arrays);
    const Reading reading = read_folder(folder);
    for (const std::string& note : reading.notes)
      EXPECT_EQ(note.find("not used"), note.npos) << note;
    Forward forward{of, arrays};
    forward.run();
    const ResultPtr result = *compute(make_problem(reading.document));
    ASSERT_EQ(result->shape().layers, kLayers);
    double far = 0;
    for (std::size_t map = 0; map < forward.weights.size(); ++map) {
      for (std::size_t r = 0; r < kIds.size(); ++r) {
        for (std::size_t c = 0; c < kIds.size(); ++c) {
          const float weight = result->value(Stage::Weights, {map / 2, 0, map % 2}, r, c);
          far = std::max(far, std::abs(static_cast<double>(weight) - forward.weights[map][r][c]));
        }
      }
    }
    EXPECT_LT(far, 2e-5);
    const Stage end = of.final_norm.empty() ? Stage::BlockOutput : Stage::FinalNorm;
    for (std::size_t r = 0; r < kIds.size(); ++r) {
      for (std::size_t c = 0; c < kWidth; ++c) {
        const double found = static_cast<double>(result->value(end, {kLayers - 1, 0, 0}, r, c));
        EXPECT_NEAR(found, forward.last[r][c], 1e-4 * (1 + std::abs(forward.last[r][c])));
      }
    }
  }
}

TEST(Families, SayWhatAPlainForwardPassSays) {
  for (const Layout& of : layouts()) {
    SCOPED_TRACE(of.type);
    const Arrays arrays = random_arrays(of);
    const test::ModelFolder folder(config_of(of), arrays);
    const ResultPtr result = *compute(make_problem(read_folder(folder).document));
    ASSERT_EQ(nothing_predicted(result->problem()), "");
    Forward forward{of, arrays};
    forward.run();
    const Rows expected = forward.logits();
    const auto found = logits_of(*result, last_rows(result->problem(), 0, 0, kIds.size()), nullptr);
    ASSERT_EQ(found->logits.size(), kIds.size() * kVocabulary);
    for (std::size_t r = 0; r < kIds.size(); ++r) {
      double sum = 0;
      for (std::uint32_t id = 0; id < kVocabulary; ++id) {
        const double logit = static_cast<double>(found->logits[r * kVocabulary + id]);
        EXPECT_NEAR(logit, expected[r][id], 1e-4 * (1 + std::abs(expected[r][id])));
        sum += found->share(r, id);
      }
      EXPECT_NEAR(sum, 1.0, 1e-9);
    }
  }
}

}  // namespace
}  // namespace attn
