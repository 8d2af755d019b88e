// Random models in the layout of each family, as their libraries publish it: what the program
// computes is what a plain forward pass in double computes, with a table of names of its own.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "base/joined.h"
#include "base/random.h"
#include "document/load/open.h"
#include "document/problem.h"
#include "engine/compute.h"
#include "kinds/parts/logits.h"
#include "tests/core/document/folder/forward_pass.h"

namespace attn {
namespace {

using namespace test;

// --- layouts

FamilyLayout llama(const std::string& type, const std::string& settings) {
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

FamilyLayout gemma2() {
  FamilyLayout l =
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

FamilyLayout bert(const std::string& type, const std::string& prefix) {
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

std::vector<FamilyLayout> layouts() {
  std::vector<FamilyLayout> all;
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
  FamilyLayout distil = bert("distilbert", "distilbert.");
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
  FamilyLayout gemma3 = gemma2();
  gemma3.type = "gemma3_text", gemma3.softcap = gemma3.logit_cap = 0, gemma3.local_base = 100,
  gemma3.base = 1000;
  gemma3.settings = std::string(kLlamaSizes) +
                    R"(, "head_dim": 6, "sliding_window": 3, "query_pre_attn_scalar": 7,
      "rope_theta": 1000, "rope_local_base_freq": 100, "hidden_activation": "gelu_pytorch_tanh")";
  gemma3.q_norm = "self_attn.q_norm", gemma3.k_norm = "self_attn.k_norm";
  gemma3.is_local = [](std::size_t layer) { return layer % 6 != 5; };
  all.push_back(gemma3);
  FamilyLayout olmo = llama("olmo2", kLlamaSizes);
  olmo.n1 = olmo.n2 = "", olmo.post1 = "post_attention_layernorm";
  olmo.post2 = "post_feedforward_layernorm", olmo.norms_all = true;
  olmo.q_norm = "self_attn.q_norm", olmo.k_norm = "self_attn.k_norm";
  all.push_back(olmo);
  FamilyLayout phi3 = llama("phi3", kLlamaSizes);
  phi3.qkv = {"self_attn.qkv_proj"}, phi3.up = "mlp.gate_up_proj", phi3.gate = "";
  phi3.fused_gate = true;
  all.push_back(phi3);
  FamilyLayout neox = all.front();
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
  FamilyLayout modern = llama("modernbert", R"("hidden_size": 8, "num_hidden_layers": 6,
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
  // Its older key of a scaling is of all layers.
  modern.settings += R"(, "rope_scaling": {"rope_type": "linear", "factor": 4})";
  modern.frequency = [](double step) { return step / 4; };
  modern.scales_local = true;
  all.push_back(modern);
  gemma3.settings = std::string(kLlamaSizes) + R"(, "head_dim": 6, "sliding_window": 3,
      "hidden_activation": "gelu_pytorch_tanh", "sliding_window_pattern": 2)";
  gemma3.base = 1e6, gemma3.local_base = 1e4, gemma3.query_scale = 256;
  gemma3.is_local = [](std::size_t layer) { return layer % 2 != 1; };
  all.push_back(gemma3);
  FamilyLayout gemma = gemma2();
  gemma.settings =
      std::string(kLlamaSizes) +
      R"(, "head_dim": 6, "sliding_window": 3, "hidden_activation": "gelu_pytorch_tanh")";
  gemma.query_scale = 256, gemma.softcap = 50, gemma.logit_cap = 30;
  all.push_back(gemma);
  FamilyLayout smol = llama(
      "smollm3", std::string(kLlamaSizes) + R"(, "use_sliding_window": true, "sliding_window": 3)");
  smol.base = 2e6, smol.unrotated_every = 4;
  smol.is_local = [](std::size_t layer) { return layer == 3; };
  all.push_back(smol);
  // Types of layers say which have a window, whatever the flag does.
  smol.settings = std::string(kLlamaSizes) + R"(, "sliding_window": 3, "layer_types": [
      "sliding_attention", "full_attention", "full_attention", "sliding_attention",
      "full_attention", "full_attention"], "use_sliding_window": false,
      "no_rope_layers": [true, true, true, false, true, true, true, false])";
  smol.is_local = [](std::size_t layer) { return layer % 3 == 0; };
  all.push_back(smol);
  FamilyLayout ministral = llama("ministral", smol.settings);
  ministral.is_local = smol.is_local;
  all.push_back(ministral);
  all.push_back(llama(
      "qwen2", std::string(kLlamaSizes) + R"(, "sliding_window": 3, "use_sliding_window": null)"));
  // Gemma 3 caps no scores, and a Gemma 1 has the activation that its older key says.
  gemma3.settings += R"(, "attn_logit_softcapping": 1)";
  all.push_back(gemma3);
  FamilyLayout gemma1 =
      llama("gemma", std::string(kLlamaSizes) + R"(, "head_dim": 6, "hidden_act": "silu")");
  gemma1.head_width = 6, gemma1.offset = 1, gemma1.scale = std::sqrt(8.0F);
  all.push_back(gemma1);
  gemma1.settings = with_replaced(gemma1.settings, "silu", "gelu");
  gemma1.activation = gelu_tanh;
  all.push_back(gemma1);
  // The base in the scaling counts.
  FamilyLayout scaled = llama("llama", std::string(kLlamaSizes) + R"(, "rope_scaling": {
      "rope_type": "linear", "factor": 4, "rope_theta": 77})");
  scaled.base = 77, scaled.frequency = [](double step) { return step / 4; };
  all.push_back(scaled);
  // Settings of other families have no effect.
  all.push_back(llama("llama", std::string(kLlamaSizes) +
                                   R"(, "sliding_window": 3, "attn_logit_softcapping": 1,
      "query_pre_attn_scalar": 7, "rotary_pct": 0.5, "no_rope_layers": [0], "layer_norm_eps": 1)"));
  return all;
}

// Random arrays of a layout. ModernBERT's first layer has no norm in front of its attention.
Arrays random_arrays(const FamilyLayout& of) {
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

std::string config_of(const FamilyLayout& of) {
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
  for (const FamilyLayout& of : layouts()) {
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

// Returns what the last layer of a model computes.
std::vector<float> computed(const FamilyLayout& of, const Arrays& arrays, const std::string& note) {
  const test::ModelFolder folder(config_of(of), arrays);
  const Reading reading = read_folder(folder);
  EXPECT_NE(joined(reading.notes).find(note), std::string::npos) << joined(reading.notes);
  const ResultPtr result = *compute(make_problem(reading.document));
  std::vector<float> all;
  for (std::size_t r = 0; r < kIds.size(); ++r) {
    for (std::size_t c = 0; c < kWidth; ++c) {
      all.push_back(result->value(Stage::BlockOutput, {kLayers - 1, 0, 0}, r, c));
    }
  }
  return all;
}

TEST(Families, TakeWhatIsLeftOutFromWhereTheLibraryDoes) {
  const std::string turns = R"("low_freq_factor": 1, "high_freq_factor": 4)";
  const std::string lists = R"("long_factor": [3, 4], "short_factor": [1, 2])";
  const auto scaled = [](const std::string& type, const std::string& more) {
    return R"(, "rope_scaling": {"rope_type": ")" + type + "\", " + more + "}";
  };
  const std::string trained = R"("original_max_position_embeddings": )";
  const std::pair<std::string, std::string> cases[] = {
      {scaled("yarn", trained + R"(5, "factor": null)"),
       scaled("yarn", trained + R"(5, "factor": 4)")},
      {scaled("yarn", trained + R"(9, "factor": 4)") + ", " + trained + "5",
       scaled("yarn", trained + R"(5, "factor": 4)")},
      {scaled("llama3", R"("factor": 8, )" + turns),
       scaled("llama3", trained + R"(20, "factor": 8, )" + turns)},
      {scaled("longrope", trained + "5, " + lists),
       scaled("longrope", trained + R"(5, "factor": 4, )" + lists)},
      {R"(, "rope_parameters": {"rope_theta": 77})", R"(, "rope_theta": 77)"}};
  for (const auto& [left_out, whole] : cases) {
    SCOPED_TRACE(left_out);
    const FamilyLayout of = llama("llama", kLlamaSizes + left_out);
    const Arrays arrays = random_arrays(of);
    const std::vector<float> plain = computed(llama("llama", kLlamaSizes), arrays, "");
    EXPECT_EQ(computed(of, arrays, ""), computed(llama("llama", kLlamaSizes + whole), arrays, ""));
    EXPECT_NE(computed(of, arrays, ""), plain);
  }
}

TEST(Families, UseNoBiasesThatTheyHaveNot) {
  for (const FamilyLayout& of : layouts()) {
    SCOPED_TRACE(of.type);
    const Arrays arrays = random_arrays(of);
    Arrays more = arrays;
    for (const auto& [name, array] : arrays) {
      const std::string bias = with_replaced(name, ".weight", ".bias");
      if (bias == name || name.find("embed") != name.npos) continue;
      more.try_emplace(bias, test::numbers({array.shape[of.in_out ? array.shape.size() - 1 : 0]}));
    }
    if (of.type == "modernbert") more["model.layers.0.attn_norm.weight"] = test::numbers({kWidth});
    if (more.size() == arrays.size()) continue;
    EXPECT_EQ(computed(of, more, "arrays of the model that are not used: "),
              computed(of, arrays, ""));
  }
}

TEST(Families, SayWhatAPlainForwardPassSays) {
  for (const FamilyLayout& of : layouts()) {
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
