// Rows of the families of models.
#include "document/folder/families.h"

#include <algorithm>

#include "base/joined.h"

namespace attn {
namespace {

constexpr Family kLlama{.types = "llama smollm2 tinyllama",
                        .names = {.prefixes = "model.|",
                                  .table = "embed_tokens",
                                  .layer = "layers.{}.",
                                  .attention_norm = "input_layernorm",
                                  .feed_forward_norm = "post_attention_layernorm",
                                  .q = "self_attn.q_proj",
                                  .k = "self_attn.k_proj",
                                  .v = "self_attn.v_proj",
                                  .o = "self_attn.o_proj",
                                  .gate = "mlp.gate_proj",
                                  .up = "mlp.up_proj",
                                  .down = "mlp.down_proj",
                                  .final_norm = "norm",
                                  .head = "lm_head"},
                        .settings = R"({"rope_theta": 10000, "rms_norm_eps": null, "head_dim": null,
    "num_key_value_heads": null, "tie_word_embeddings": false, "attention_bias": false,
    "mlp_bias": false})"};

constexpr Family kGpt2{.types = "gpt2",
                       .names = {.prefixes = "transformer.|",
                                 .table = "wte",
                                 .positions = "wpe",
                                 .layer = "h.{}.",
                                 .attention_norm = "ln_1",
                                 .feed_forward_norm = "ln_2",
                                 .o = "attn.c_proj",
                                 .qkv = "attn.c_attn",
                                 .up = "mlp.c_fc",
                                 .down = "mlp.c_proj",
                                 .final_norm = "ln_f",
                                 .head = "lm_head"},
                       .norm = NormKind::Layer,
                       .in_out = true,
                       .gated = false,
                       .biases = kAllBiases,
                       .rotary = false,
                       .cuts_like_gpt2 = true,
                       .activation = "gelu_new",
                       .eps = 1e-5,
                       .settings = R"({"layer_norm_epsilon": null, "tie_word_embeddings": true})"};

constexpr Family kNeoX{.types = "gpt_neox",
                       .names = {.prefixes = "gpt_neox.|",
                                 .table = "embed_in",
                                 .layer = "layers.{}.",
                                 .attention_norm = "input_layernorm",
                                 .feed_forward_norm = "post_attention_layernorm",
                                 .o = "attention.dense",
                                 .qkv = "attention.query_key_value",
                                 .up = "mlp.dense_h_to_4h",
                                 .down = "mlp.dense_4h_to_h",
                                 .final_norm = "final_layer_norm",
                                 .head = "embed_out"},
                       .norm = NormKind::Layer,
                       .parallel = true,
                       .fused = Fused::ByHeads,
                       .gated = false,
                       .biases = kAllBiases,
                       .activation = "gelu",
                       .eps = 1e-5,
                       .settings = R"({"rotary_emb_base": 10000, "rope_theta": null,
    "rotary_pct": 0.25, "partial_rotary_factor": null, "layer_norm_eps": null,
    "use_parallel_residual": true, "attention_bias": true, "tie_word_embeddings": false})"};

constexpr Family kBert{.types = "bert",
                       .names = {.prefixes = "bert.|",
                                 .table = "embeddings.word_embeddings",
                                 .positions = "embeddings.position_embeddings",
                                 .types = "embeddings.token_type_embeddings",
                                 .embedding_norm = "embeddings.LayerNorm",
                                 .layer = "encoder.layer.{}.",
                                 .attention_norm = "attention.output.LayerNorm",
                                 .feed_forward_norm = "output.LayerNorm",
                                 .q = "attention.self.query",
                                 .k = "attention.self.key",
                                 .v = "attention.self.value",
                                 .o = "attention.output.dense",
                                 .up = "intermediate.dense",
                                 .down = "output.dense",
                                 .head = "cls.predictions.decoder",
                                 .head_bias = "cls.predictions.bias",
                                 .transform = "cls.predictions.transform.dense",
                                 .transform_norm = "cls.predictions.transform.LayerNorm"},
                       .norm = NormKind::Layer,
                       .order = NormOrder::Post,
                       .causal = false,
                       .gated = false,
                       .biases = kAllBiases,
                       .rotary = false,
                       .activation = "gelu",
                       .eps = 1e-12,
                       .settings = R"({"layer_norm_eps": null, "pad_token_id": 0,
    "tie_word_embeddings": true})"};

constexpr Family kModernBert{.types = "modernbert",
                             .names = {.prefixes = "model.|",
                                       .table = "embeddings.tok_embeddings",
                                       .embedding_norm = "embeddings.norm",
                                       .layer = "layers.{}.",
                                       .attention_norm = "attn_norm",
                                       .feed_forward_norm = "mlp_norm",
                                       .o = "attn.Wo",
                                       .qkv = "attn.Wqkv",
                                       .down = "mlp.Wo",
                                       .gate_up = "mlp.Wi",
                                       .final_norm = "final_norm",
                                       .head = "decoder",
                                       .head_bias = "decoder.bias",
                                       .transform = "head.dense",
                                       .transform_norm = "head.norm"},
                             .norm = NormKind::Layer,
                             .causal = false,
                             .lacks_first_norm = true,
                             .windows = WindowedLayers::NotFirst,
                             .activation = "gelu",
                             .activation_keys = "hidden_activation",
                             .head_activation = "gelu",
                             .eps = 1e-5,
                             .scales_windowed = true,
                             .settings = R"({"global_rope_theta": 160000, "local_rope_theta": 10000,
    "local_attention": 128, "global_attn_every_n_layers": 3, "layer_types": null, "norm_eps": null,
    "attention_bias": false, "mlp_bias": false, "norm_bias": false, "classifier_bias": false,
    "decoder_bias": true, "classifier_activation": "gelu", "tie_word_embeddings": true})"};

template <class Change>
constexpr Family like(Family family, std::string_view types, Change change) {
  family.types = types;
  change(family);
  return family;
}

constexpr Family kMistral = like(kLlama, "mistral", [](Family& f) {
  f.sizes = R"({"num_attention_heads": 32, "num_key_value_heads": 8})";
  f.settings = R"({"rope_theta": 10000, "rms_norm_eps": null, "head_dim": null,
    "num_key_value_heads": null, "tie_word_embeddings": false, "sliding_window": 4096})";
});
constexpr Family kMinistral = like(kMistral, "ministral", [](Family& f) {
  f.settings = R"({"rope_theta": 10000, "rms_norm_eps": null, "head_dim": null,
    "num_key_value_heads": null, "tie_word_embeddings": false, "sliding_window": 4096,
    "layer_types": null})";
});
constexpr Family kSmollm3 = like(kLlama, "smollm3", [](Family& f) {
  f.windows = WindowedLayers::WithoutRotation;
  f.sizes = R"({"num_attention_heads": 16, "num_key_value_heads": 4})";
  f.settings = R"({"rope_theta": 2e6, "rms_norm_eps": null, "head_dim": null,
    "num_key_value_heads": null, "tie_word_embeddings": true, "attention_bias": false,
    "mlp_bias": false, "use_sliding_window": false, "sliding_window": null, "layer_types": null,
    "no_rope_layers": null, "no_rope_layer_interval": 4})";
});
constexpr Family kQwen2 = like(kLlama, "qwen2", [](Family& f) {
  f.windows = WindowedLayers::FromBound;
  f.biases.qkv = true;
  f.settings = R"({"rope_theta": 10000, "rms_norm_eps": null, "head_dim": null,
    "num_key_value_heads": null, "tie_word_embeddings": false, "use_sliding_window": false,
    "sliding_window": 4096, "max_window_layers": 28, "layer_types": null})";
});
constexpr Family kQwen3 = like(kLlama, "qwen3", [](Family& f) {
  f.sizes = R"({"num_attention_heads": 32, "head_dim": 128})";
  f.windows = WindowedLayers::FromBound;
  f.names.q_norm = "self_attn.q_norm";
  f.names.k_norm = "self_attn.k_norm";
  f.settings = R"({"rope_theta": 10000, "rms_norm_eps": null, "head_dim": null,
    "num_key_value_heads": null, "tie_word_embeddings": false, "attention_bias": false,
    "use_sliding_window": false, "sliding_window": 4096, "max_window_layers": 28,
    "layer_types": null})";
});
constexpr Family kGemma = like(kLlama, "gemma", [](Family& f) {
  f.norm_offset = 1.0F;
  f.scales_embeddings = true;
  f.activation = "gelu_pytorch_tanh";
  f.activation_keys = "hidden_activation|hidden_act";
  f.old_gelu_is_tanh = true;
  f.sizes = R"({"num_attention_heads": 16, "head_dim": 256})";
  f.settings = R"({"rope_theta": 10000, "rms_norm_eps": null, "head_dim": null,
    "num_key_value_heads": null, "tie_word_embeddings": true, "attention_bias": false})";
});
constexpr Family kGemma2 = like(kGemma, "gemma2", [](Family& f) {
  f.activation_keys = "hidden_activation";
  f.sizes = R"({"num_attention_heads": 8, "num_key_value_heads": 4, "head_dim": 256})";
  f.order = NormOrder::Both;
  f.names.attention_out_norm = "post_attention_layernorm";
  f.names.feed_forward_norm = "pre_feedforward_layernorm";
  f.names.feed_forward_out_norm = "post_feedforward_layernorm";
  f.windows = WindowedLayers::NotLast;
  f.window_every = 2;
  f.settings = R"({"rope_theta": 10000, "rms_norm_eps": null, "head_dim": null,
    "num_key_value_heads": null, "tie_word_embeddings": true, "attention_bias": false,
    "query_pre_attn_scalar": 256, "sliding_window": 4096, "layer_types": null,
    "attn_logit_softcapping": 50, "final_logit_softcapping": 30})";
});
constexpr Family kGemma3 = like(kGemma2, "gemma3_text gemma3", [](Family& f) {
  f.names.prefixes = "model.|language_model.model.|model.language_model.|";
  f.names.q_norm = "self_attn.q_norm";
  f.names.k_norm = "self_attn.k_norm";
  f.window_every = 6;
  f.sees_pictures = true;
  f.settings = R"({"rope_theta": 1e6, "rope_local_base_freq": 10000, "rms_norm_eps": null,
    "head_dim": null, "num_key_value_heads": null, "tie_word_embeddings": true,
    "attention_bias": false, "query_pre_attn_scalar": 256, "sliding_window": 4096,
    "sliding_window_pattern": null, "_sliding_window_pattern": null, "layer_types": null,
    "final_logit_softcapping": null})";
});
constexpr Family kOlmo2 = like(kLlama, "olmo2", [](Family& f) {
  f.eps = 1e-5;
  f.order = NormOrder::Branch;
  f.names.attention_norm = f.names.feed_forward_norm = "";
  f.names.attention_out_norm = "post_attention_layernorm";
  f.names.feed_forward_out_norm = "post_feedforward_layernorm";
  f.names.q_norm = "self_attn.q_norm";
  f.names.k_norm = "self_attn.k_norm";
  f.settings = R"({"rope_theta": 10000, "rms_norm_eps": null, "head_dim": null,
    "num_key_value_heads": null, "tie_word_embeddings": false, "attention_bias": false})";
});
constexpr Family kPhi3 = like(kLlama, "phi3", [](Family& f) {
  f.eps = 1e-5;
  f.longrope_names = "su yarn";
  f.scalings = "default longrope";
  f.trained_length = 4096;
  f.names.q = f.names.k = f.names.v = f.names.gate = f.names.up = "";
  f.names.qkv = "self_attn.qkv_proj";
  f.names.gate_up = "mlp.gate_up_proj";
  f.settings = R"({"rope_theta": 10000, "rms_norm_eps": null, "head_dim": null,
    "num_key_value_heads": null, "tie_word_embeddings": false, "sliding_window": null,
    "partial_rotary_factor": 1})";
});
constexpr Family kPhi = like(kLlama, "phi", [](Family& f) {
  f.norm = NormKind::Layer;
  f.biases = kAllBiases;
  f.cuts_like_gpt2 = true;
  f.parallel = true;
  f.gated = false;
  f.activation = "gelu_new";
  f.eps = 1e-5;
  f.names.feed_forward_norm = "input_layernorm";  // both parts read one norm
  f.names.o = "self_attn.dense";
  f.names.gate = "";
  f.names.up = "mlp.fc1";
  f.names.down = "mlp.fc2";
  f.names.final_norm = "final_layernorm";
  f.names.head_bias = "lm_head.bias";
  f.settings = R"({"rope_theta": 10000, "layer_norm_eps": null, "num_key_value_heads": null,
    "tie_word_embeddings": false, "partial_rotary_factor": 0.5})";
});
constexpr Family kRoberta = like(kBert, "roberta xlm-roberta camembert", [](Family& f) {
  f.cuts_like_gpt2 = f.ends_texts = f.skips_padding = true;
  f.names.prefixes = "roberta.|";
  f.head_activation = "gelu";
  f.names.head = "lm_head.decoder";
  f.names.head_bias = "lm_head.bias";
  f.names.transform = "lm_head.dense";
  f.names.transform_norm = "lm_head.layer_norm";
  f.settings = R"({"layer_norm_eps": null, "pad_token_id": 1, "tie_word_embeddings": true})";
});
constexpr Family kElectra = like(kBert, "electra", [](Family& f) {
  f.names.prefixes = "electra.|";
  f.head_activation = "gelu";
  f.names.head = "generator_lm_head";
  f.names.head_bias = "generator_lm_head.bias";
  f.names.transform = "generator_predictions.dense";
  f.names.transform_norm = "generator_predictions.LayerNorm";
});
constexpr Family kDistilbert = like(kBert, "distilbert", [](Family& f) {
  f.activation_keys = "activation";
  f.names.prefixes = "distilbert.|";
  f.names.types = "";
  f.names.layer = "transformer.layer.{}.";
  f.names.attention_norm = "sa_layer_norm";
  f.names.feed_forward_norm = "output_layer_norm";
  f.names.q = "attention.q_lin";
  f.names.k = "attention.k_lin";
  f.names.v = "attention.v_lin";
  f.names.o = "attention.out_lin";
  f.names.up = "ffn.lin1";
  f.names.down = "ffn.lin2";
  f.names.head = "vocab_projector";
  f.names.head_bias = "vocab_projector.bias";
  f.names.transform = "vocab_transform";
  f.names.transform_norm = "vocab_layer_norm";
  f.settings = R"({"pad_token_id": 0, "tie_word_embeddings": true})";
});

constexpr Family kFamilies[] = {
    kGpt2,    kBert,      kRoberta, kDistilbert, kElectra, kModernBert, kLlama,
    kMistral, kMinistral, kSmollm3, kQwen2,      kQwen3,   kGemma,      kGemma2,
    kGemma3,  kOlmo2,     kPhi3,    kPhi,        kNeoX,
};

constexpr std::string_view kExperts =
    "its networks are chosen among experts for each token, which is not computed here";
constexpr std::string_view kTwoStacks = "it is an encoder–decoder, whose folder is not read";
constexpr std::string_view kPictures = "it reads pictures or sound, not a text";

constexpr RefusedFamily kRefused[] = {
    {"gpt_oss mixtral qwen2_moe qwen3_moe deepseek_v2 deepseek_v3 olmoe phimoe granitemoe dbrx "
     "llama4 llama4_text jamba",
     kExperts},
    {"t5 mt5 umt5 bart mbart pegasus marian m2m_100 nllb led longt5 encoder-decoder", kTwoStacks},
    {"vit clip siglip deit beit dinov2 swin whisper wav2vec2 hubert qwen2_vl llava", kPictures},
};

template <class Rows>
auto* row_with(const Rows& rows, std::string_view type) {
  const auto row = std::ranges::find_if(rows, [&](const auto& one) {
    const std::vector<std::string> types = split(one.types, ' ');
    return std::ranges::find(types, type) != types.end();
  });
  return row == std::end(rows) ? nullptr : &*row;
}

}  // namespace

std::span<const Family> all_families() { return kFamilies; }
const Family* family_of(std::string_view type) { return row_with(kFamilies, type); }
const RefusedFamily* refused_family(std::string_view type) { return row_with(kRefused, type); }

}  // namespace attn
