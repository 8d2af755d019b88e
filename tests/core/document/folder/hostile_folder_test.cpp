// Every folder and every input has an answer: a document, or an error with file, place, found and
// expected, in bounded time and memory; and nothing outside of the folder is opened.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <limits>

#include "base/joined.h"
#include "document/load/open.h"
#include "document/problem.h"
#include "engine/compute.h"
#include "tests/core/document/folder/model_folder.h"

namespace attn::test {
namespace {

namespace fs = std::filesystem;

// A Llama of two layers of width 4, with more settings; a SmolLM 3 for those of windows.
std::string llama(const std::string& more) {
  const bool has_heads = more.find("\"num_attention_heads\"") != more.npos;
  const bool has_windows =
      more.find("layer_types") != more.npos || more.find("window") != more.npos;
  const std::string type =
      has_windows ? R"(smollm3", "num_key_value_heads": 2, "use_sliding_window": true)" : "llama\"";
  return R"({"model_type": ")" + type + R"(, "hidden_size": 4, "num_hidden_layers": 2,
    "intermediate_size": 6)" +
         std::string(has_heads ? "" : R"(, "num_attention_heads": 2)") +
         (more.empty() ? "" : ", " + more) + "}";
}

Arrays llama_arrays() {
  Arrays arrays{{"model.embed_tokens.weight", numbers({5, 4})},
                {"model.norm.weight", numbers({4})}};
  for (const std::string layer : {"model.layers.0.", "model.layers.1."}) {
    for (const char* name : {"q_proj", "k_proj", "v_proj", "o_proj"}) {
      arrays[layer + "self_attn." + name + ".weight"] = numbers({4, 4});
    }
    arrays[layer + "mlp.gate_proj.weight"] = arrays[layer + "mlp.up_proj.weight"] = numbers({6, 4});
    arrays[layer + "mlp.down_proj.weight"] = numbers({4, 6});
    arrays[layer + "input_layernorm.weight"] = numbers({4});
    arrays[layer + "post_attention_layernorm.weight"] = numbers({4});
  }
  return arrays;
}

// A RoBERTa of one layer of width 4.
Arrays roberta_arrays(std::size_t positions) {
  Arrays roberta{{"embeddings.word_embeddings.weight", numbers({5, 4})},
                 {"embeddings.position_embeddings.weight", numbers({positions, 4})},
                 {"encoder.layer.0.intermediate.dense.weight", numbers({6, 4})},
                 {"encoder.layer.0.output.dense.weight", numbers({4, 6})}};
  roberta["embeddings.token_type_embeddings.weight"] = numbers({1, 4});
  roberta["encoder.layer.0.intermediate.dense.bias"] = numbers({6});
  roberta["encoder.layer.0.output.dense.bias"] = numbers({4});
  for (const std::string name : {"self.query", "self.key", "self.value", "output.dense"}) {
    roberta["encoder.layer.0.attention." + name + ".weight"] = numbers({4, 4});
    roberta["encoder.layer.0.attention." + name + ".bias"] = numbers({4});
  }
  for (const std::string name :
       {"embeddings", "encoder.layer.0.attention.output", "encoder.layer.0.output"}) {
    roberta[name + ".LayerNorm.weight"] = roberta[name + ".LayerNorm.bias"] = numbers({4});
  }
  return roberta;
}

class HostileFolder : public testing::Test {
 protected:
  HostileFolder() { folder.write("tokenizer.json", kTokenizer); }

  // The error of opening the folder, or "read", with the notes.
  std::string answer(const ReadOptions& options = {.input = {.text = "a b"}}) const {
    const Result<Reading> reading = open_document(folder.path(), options);
    if (!reading) return describe(reading.error());
    return reading->errors.empty() ? "read; " + joined(reading->notes)
                                   : describe(reading->errors.front());
  }
  std::string answer(const std::string& config, const Arrays& arrays) const {
    folder.write("config.json", config);
    folder.write("model.safetensors", safetensors_of(arrays));
    return answer();
  }
  void expect(const std::string& config, const Arrays& arrays, const std::string& said) const {
    const std::string found = answer(config, arrays);
    EXPECT_NE(found.find(said), found.npos) << config << "\n" << found << "\nhas not: " << said;
  }
  void expect_said(const std::string& said, const ReadOptions& options) const {
    const std::string found = answer(options);
    EXPECT_NE(found.find(said), found.npos) << found << "\nhas not: " << said;
  }

  ModelFolder folder{kConfig, small_model()};
};

TEST_F(HostileFolder, WithSettingsThatCannotBeIsRefusedByTheirPlace) {
  const Arrays arrays = llama_arrays();
  expect(llama(""), arrays, "read");
  const std::pair<const char*, const char*> cases[] = {
      {R"("num_key_value_heads": 3)", "/num_attention_heads: the heads do not divide"},
      {R"("num_attention_heads": 3)", "config.json: /num_attention_heads: the heads do not divide"},
      {R"("head_dim": 0)", "/head_dim: this setting of the model is not understood"},
      {R"("head_dim": 10000000)", "self_attn.q_proj.weight does not fit"},
      {R"("num_key_value_heads": -1)", "/num_key_value_heads: "},
      {R"("num_key_value_heads": 1.5)", "found 1.5"},
      {R"("rms_norm_eps": 0)", "/rms_norm_eps: "},
      {R"("rms_norm_eps": -1e-5)", "/rms_norm_eps: "},
      {R"("rms_norm_eps": NaN)", "config.json:2:"},
      {R"("rms_norm_eps": 1e-5, "rms_norm_eps": 1e-6)", "config.json:2:"},
      {R"("rope_scaling": {"factor": 2, "factor": 2})", "/rope_scaling/factor: the key appears"},
      {R"("rope_scaling": {"factor": 2})", "/rope_scaling/rope_type: "},
      {R"("rope_scaling": "linear")", "/rope_scaling: "},
      {R"("attention_bias": true)", "lacks an array: found no model.layers.0.self_attn"},
      {R"("mlp_bias": true)", "lacks an array: found no model.layers.0.mlp"},
      {R"("rms_norm_eps": 1e999)", "config.json"},
      {R"("rms_norm_eps": "1e-5")", "/rms_norm_eps: "},
      {R"("sliding_window": 0)", "/sliding_window: "},
      {R"("rope_theta": 0)", "/rope_theta: "},
      {R"("rope_scaling": {"type": "linear", "factor": 0})", "/rope_scaling/factor: "},
      {R"("rope_scaling": {"rope_type": "llama3", "factor": -2})", "/rope_scaling/factor: "},
      {R"("rope_scaling": {"rope_type": "spiral"})", "the scaling of positions is not known"},
      {R"("rope_scaling": {"rope_type": "longrope", "long_factor": [0], "short_factor": [0]})",
       "longrope needs the trained length"},
      {R"("rope_scaling": {"rope_type": "longrope", "long_factor": [1, 1], "short_factor": "x"})",
       "/rope_scaling/short_factor: "},
      {R"("layer_types": ["full_attention"])", "/layer_types: "},
      {R"("layer_types": [1, 2])", "/layer_types: "},
      {R"("layer_types": ["full_attention", "chunked_attention"])", "found \"chunked_attention\""},
      {R"("is_causal": false)", "/is_causal: "},
      {R"("use_bidirectional_attention": true)", "/use_bidirectional_attention: "},
      {R"("pruned_heads": {"0": [1]})", "/pruned_heads: "},
      {R"("vocab_size": 6)", "found (5, 4), expected (6, 4)"},
      {R"("rope_scaling": {"rope_type": "llama3", "factor": 2})",
       "/rope_scaling/low_freq_factor: "},
      {R"("hidden_act": "sine")", "/hidden_act: the activation is not known"},
      {R"("architectures": "LlamaForCausalLM")", "/architectures: "},
  };
  for (const auto& [more, said] : cases) expect(llama(more), arrays, said);
  for (const char* layers : {"0", "-1", "1000000000", "2.5", "\"2\"", "[]"}) {
    expect(R"({"model_type": "gpt2", "n_embd": 4, "n_head": 2, "n_layer": )" + std::string(layers) +
               "}",
           small_model(), "/n_layer: ");
  }
  expect(R"({"model_type": "gpt2", "n_embd": 4, "n_head": 2, "n_layer": 10000000})", small_model(),
         "too many layers");
  expect(R"({"model_type": "gpt2", "n_embd": 4, "n_head": 2, "n_layer": 10000})", small_model(),
         "h.2.attn.c_attn.weight");
  std::string deep;
  for (int level = 0; level < 100'000; ++level) deep += "[";
  expect(deep, small_model(), "config.json");
  expect(R"({"model_type": "roberta", "hidden_size": 4, "num_attention_heads": 2,
             "num_hidden_layers": 1})",
         roberta_arrays(2), "no position for the first token");
  expect("", small_model(), "config.json");
}

// A model of two layers of a family in Llama's layout, with all its sizes.
std::string sized(const std::string& type, const std::string& more) {
  return R"({"model_type": ")" + type + R"(", "hidden_size": 4, "num_hidden_layers": 2,
    "intermediate_size": 6, "num_attention_heads": 2, "num_key_value_heads": 2, "head_dim": 2)" +
         (more.empty() ? "" : ", " + more) + "}";
}

TEST_F(HostileFolder, WithPositionsThatCannotBeNamesTheirPlaceInItsSettings) {
  const auto yarn = [](const std::string& more) {
    return R"("max_position_embeddings": 64, "rope_scaling": {"rope_type": "yarn", )" + more + "}";
  };
  const auto longrope = [](const std::string& more) {
    return R"("max_position_embeddings": 64, "rope_parameters": {"rope_type": "longrope", )" +
           more + "}";
  };
  const std::pair<std::string, const char*> cases[] = {
      {yarn(R"("factor": 2, "attention_factor": 0)"), "/rope_scaling/attention_factor: "},
      {yarn(R"("factor": 2, "beta_slow": 9, "beta_fast": 3)"), "/rope_scaling/beta_slow: low"},
      {yarn(R"("beta_fast": 3)"), "/rope_scaling/factor: yarn needs this setting"},
      {longrope(R"("short_factor": [1])"), "/rope_parameters/long_factor: longrope needs"},
      {longrope(R"("short_factor": [1], "long_factor": [1, 2])"), "/rope_parameters/long_factor: "},
      {longrope(R"("short_factor": [0], "long_factor": [1])"), "/rope_parameters/short_factor: "},
      {R"("rope_scaling": {"rope_type": "linear"})", "/rope_scaling/factor: linear needs"},
      {R"("rope_scaling": {"rope_type": "dynamic"})", "/rope_scaling/factor: dynamic needs"},
      {R"("rope_scaling": {"type": "su", "factor": 2})", "/rope_scaling/rope_type: "},
      {R"("rope_theta": 0.5, "rope_scaling": {"rope_type": "yarn", "factor": 2,
          "original_max_position_embeddings": 8})",
       "config.json: /rope_theta: yarn needs waves that grow"},
      {R"("rope_scaling": {"rope_type": "linear", "factor": 2},
          "rope_parameters": {"rope_type": "default"})",
       "/rope_scaling/factor: rope_scaling and rope_parameters differ"},
      {R"("rope_parameters": {"full_attention": {"rope_theta": 7}})", "/rope_parameters: "},
      {R"("partial_rotary_factor": 0.5)", "/partial_rotary_factor: heads of this family"},
      {R"("rope_parameters": {"partial_rotary_factor": 0.5})",
       "/rope_parameters/partial_rotary_factor: heads of this family"},
      {R"("rope_scaling": {"partial_rotary_factor": 0.5})", "/rope_scaling/partial_rotary_factor"}};
  for (const auto& [more, said] : cases) expect(sized("llama", more), llama_arrays(), said);
  expect(sized("phi3", R"("rope_scaling": {"type": "linear", "factor": 2})"), llama_arrays(),
         "found \"linear\", expected default or longrope");
  expect(sized("phi", R"("partial_rotary_factor": 0.1)"), llama_arrays(), "columns are rotated");
}

TEST_F(HostileFolder, WhoseSettingsSayTwoThingsSaysWhichIsTaken) {
  const std::string scaled = R"("max_position_embeddings": 64, "rope_scaling": {"rope_type": )";
  const std::string turns = R"("low_freq_factor": 1, "high_freq_factor": 4)";
  const std::string factors = R"("long_factor": [2], "short_factor": [1])";
  const std::tuple<const char*, std::string, const char*> cases[] = {
      {"llama", scaled + R"("llama3", "factor": 8, )" + turns + "}",
       "the trained length is max_position_embeddings, 64"},
      {"llama", scaled + R"("yarn", "factor": 2, "original_max_position_embeddings": 32},
          "original_max_position_embeddings": 16)",
       "the trained length is 16, as outside of the scaling, not 32"},
      {"phi3", scaled + R"("su", "original_max_position_embeddings": 32, )" + factors + "}",
       "the trained length is 4096, as usual in this family, not 32"},
      {"phi3", scaled + R"("yarn", )" + factors + R"(}, "original_max_position_embeddings": 32)",
       "read; "},
      {"llama",
       scaled + R"("longrope", "original_max_position_embeddings": 16, "factor": 2, )" + factors +
           "}",
       "grow by the factor 2, not by 4"},
      {"llama", R"("rope_theta": 55, "rope_scaling": {"rope_type": "default", "rope_theta": 77})",
       "stated twice: 77, with the scaling, is taken, not 55"},
      {"gemma", R"("hidden_act": "gelu")", "is computed in its tanh form"},
      {"llama", R"("attn_logit_softcapping": 2, "sliding_window": 3, "layer_types": null)",
       "settings that only other families have are not read: "},
      {"ministral", R"("layer_types": ["sliding_attention", "full_attention"],
          "sliding_window": null)",
       "layers of the type sliding_attention have no window"},
      {"llama", R"("text_config": {"hidden_size": 9})", "text_config is not read"}};
  for (const auto& [type, more, said] : cases) {
    Arrays arrays = llama_arrays();
    for (const std::string layer : {"model.layers.0.", "model.layers.1."}) {
      arrays[layer + "self_attn.qkv_proj.weight"] = numbers({12, 4});
      arrays[layer + "mlp.gate_up_proj.weight"] = numbers({12, 4});
    }
    expect(sized(type, more), arrays, said);
  }
}

TEST_F(HostileFolder, WithoutSizesTakesTheUsualOnesAndSaysSo) {
  const auto without = [](const std::string& text, const std::string& key) {
    return with_replaced(text, key, "");
  };
  const std::string heads = R"("num_attention_heads": 2, )",
                    pairs = R"("num_key_value_heads": 2, )";
  const std::string mistral = sized("mistral", "");
  expect(without(mistral, pairs), llama_arrays(), "num_key_value_heads 8");
  expect(without(mistral, heads), llama_arrays(), "num_attention_heads 32");
  expect(without(sized("llama", ""), pairs), llama_arrays(), "read; ");
  Arrays fewer = llama_arrays();
  fewer["model.layers.0.self_attn.k_proj.weight"] = numbers({2, 4});
  expect(without(sized("llama", ""), pairs), fewer, "num_key_value_heads as many as heads");
  expect(without(sized("llama", ""), heads), llama_arrays(), "does not state one of its sizes");
  Arrays arrays = llama_arrays();
  for (const std::string layer : {"model.layers.0.", "model.layers.1."}) {
    for (const char* name : {"q_proj", "k_proj", "v_proj"}) {
      const std::size_t columns = std::string(name) == "q_proj" ? 64 : 16;
      arrays[layer + "self_attn." + name + ".weight"] = numbers({columns, 4});
    }
    arrays[layer + "self_attn.o_proj.weight"] = numbers({4, 64});
  }
  expect(without(without(mistral, heads), pairs), arrays,
         "are taken: num_attention_heads 32, num_key_value_heads 8");
  expect(without(without(mistral, heads), pairs), arrays, "read; ");
}

TEST_F(HostileFolder, WithNullsIsReadAsByPython) {
  const std::pair<const char*, const char*> cases[] = {
      {R"("hidden_act": null)", "/hidden_act: the activation is not stated"},
      {R"("attention_bias": null, "mlp_bias": null, "is_decoder": null)", "read; "},
      {R"("scale_attn_weights": null)", "/scale_attn_weights: "},
      {R"("tie_word_embeddings": null)", "the folder lacks lm_head.weight"},
      {R"("num_key_value_heads": null)", "read; "}};
  for (const auto& [more, said] : cases) {
    const std::string whole = sized("llama", more);
    const bool is_twice = std::string(more).find("num_key") != std::string::npos;
    expect(is_twice ? with_replaced(whole, R"("num_key_value_heads": 2, )", "") : whole,
           llama_arrays(), said);
  }
}

TEST_F(HostileFolder, WithSettingsThatAreNoSettingsSaysWhy) {
  const Arrays arrays = llama_arrays();
  expect(sized("llama", R"("rope_theta": 1e400)"), arrays, "a number that is too large");
  const std::string nan = answer(sized("llama", R"("rope_theta": NaN)"), arrays);
  EXPECT_EQ(nan.find("--allow-nan"), nan.npos) << nan;
  expect(with_replaced(sized("llama", ""), R"("model_type": "llama", )", ""), arrays,
         "the family of the model is not known");
  expect(R"({"model_type": "gemma3", "text_config": {"model_type": "gemma2"}})", arrays,
         "/text_config/model_type: the text model is of another family");
  expect(sized("llama", R"("architectures": ["FooForBar"], "tie_word_embeddings": true)"), arrays,
         "as the \"architectures\" of config.json have no head: [\"FooForBar\"]");
  folder.write("tokenizer_config.json", "{bad");
  expect(sized("llama", ""), arrays, "tokenizer_config.json is no JSON object");
}

TEST_F(HostileFolder, WithPointersInPlaceOfFilesSaysHowToGetThem) {
  const std::string pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n";
  for (const char* name : {"model.safetensors", "tokenizer.json"}) {
    const std::string kept = read_file(folder.file(name), 1U << 20U).value();
    folder.write(name, pointer);
    expect_said(std::string(name) + ": this is a pointer of Git LFS", {});
    folder.write(name, kept);
  }
  const Result<Reading> alone = open_document([&] {
    folder.write("x.npz", pointer);
    return folder.file("x.npz");
  }());
  EXPECT_NE(describe(alone.error()).find("a pointer of Git LFS"), std::string::npos);
  fs::rename(folder.file("model.safetensors"), folder.file("model-00001-of-00002.safetensors"));
  expect_said("found model-00001-of-00002.safetensors", {});
  expect_said("shards need their index", {});
  const std::string map = R"({"weight_map": {"a": "part.safetensors"}})";
  folder.write("model.safetensors.index.json", R"({"weight_map": {"a": 5}})");
  expect_said("index.json:1:22: /weight_map/a: this is not a text", {});
  folder.write("model.safetensors.index.json", map);
  folder.write("part.safetensors", pointer);
  expect_said("the shard part.safetensors: this is a pointer of Git LFS", {});
}

TEST_F(HostileFolder, WithQuantisedWeightsIsRefusedByWhatIsThere) {
  const std::pair<const char*, const char*> cases[] = {
      {"null", "read"},
      {"{}", "read"},
      {R"({"quant_method": "gptq"})", "/quantization_config: the weights are quantised"},
      {R"({"quant_method": "gptq"})", "found gptq"},
      {R"({"bits": 4})", R"(found {"bits":4})"},
      {R"({"quant_method": 7})", R"(found {"quant_method":7})"},
      {"true", "found true"}};
  for (const auto& [json, said] : cases) {
    expect(llama(R"("quantization_config": )" + std::string(json)), llama_arrays(), said);
  }
}

TEST_F(HostileFolder, WithPaddingInItsIdsSaysWhatBecomesOfIt) {
  const auto config = [](const std::string& type, const std::string& more) {
    return R"({"model_type": ")" + type + R"(", "hidden_size": 4, "num_attention_heads": 2,
              "num_hidden_layers": 1)" +
           more + "}";
  };
  const auto expect_of = [&](const std::vector<std::uint64_t>& ids, const std::string& said) {
    expect_said(said, {.input = {.ids = ids}});
  };
  answer(config("roberta", ""), roberta_arrays(8));
  expect_of({0, 3, 2}, "read; ");
  expect_of({0, 3, 1, 2}, "the model counts positions without its padding token");
  expect_of({0, 3, 1, 2}, R"(found "a" with the id 1)");
  expect_said("the model counts positions", {.input = {.text = "b a"}});
  answer(config("roberta", R"(, "pad_token_id": 3)"), roberta_arrays(8));
  expect_of({0, 1}, "read; ");
  expect_of({0, 3}, "the id 3, expected no padding");
  answer(config("roberta", R"(, "pad_token_id": 0)"), roberta_arrays(8));
  fs::remove(folder.file("tokenizer.json"));
  expect_said("the folder has no tokenizer", {});
  answer(config("bert", ""), roberta_arrays(8));
  expect_of({1, 0, 0}, "padding (the id 0) is seen like all tokens");
  answer(config("bert", R"(, "pad_token_id": -1)"), roberta_arrays(8));
  expect_of({1, 0, 0}, "read; ");
}

TEST_F(HostileFolder, WithArraysThatDoNotFitIsRefusedByTheirNames) {
  for (const auto& [name, shape] : {std::pair<const char*, Shape>{"wte.weight", {4, 5}},
                                    {"wte.weight", {20}},
                                    {"wpe.weight", {6, 4, 1}},
                                    {"h.1.ln_1.weight", {5}},
                                    {"h.1.ln_1.bias", {1, 4}},
                                    {"h.0.attn.c_attn.weight", {4, 11}},
                                    {"h.0.attn.c_attn.weight", {12}},
                                    {"h.0.attn.c_attn.bias", {11}},
                                    {"h.1.mlp.c_proj.weight", {4, 16}},
                                    {"ln_f.weight", {0}}}) {
    Arrays arrays = small_model();
    arrays[name] = numbers(shape);
    expect(kConfig, arrays, name);
  }
  for (const auto& [name, array] : small_model()) {
    Arrays arrays = small_model();
    arrays.erase(name);
    const std::string prefix = name == "wte.weight" ? "transformer." : "";
    expect(kConfig, arrays, "lacks an array: found no " + prefix + name + ", expected");
  }
  Arrays wide = small_model();  // has more than queries, keys and values
  wide["h.0.attn.c_attn.weight"] = numbers({4, 16});
  expect(kConfig, wide, "found (4, 16), expected (4, 12), by config.json");
  wide = llama_arrays();
  wide["model.layers.0.mlp.down_proj.weight"] = numbers({4, 7});
  expect(llama(""), wide, "found (4, 7), expected (4, 6), by config.json");
  expect(kConfig, {}, "model.safetensors");
}

TEST_F(HostileFolder, WithNumbersOfAnotherTypeSaysWhichArrayIsNotRead) {
  std::string bytes = safetensors_of(small_model());
  const std::string of = R"("h.1.ln_1.bias":{"dtype":")";
  for (const char* type : {"X32", "I32"}) {
    bytes.replace(bytes.find(of) + of.size(), 3, type);
    folder.write("model.safetensors", bytes);
    expect_said("the array h.1.ln_1.bias is not read: found ", {});
  }
}

TEST_F(HostileFolder, WithAPartOfAHeadPredictsNothingAndSaysSo) {
  const std::string untied = R"("tie_word_embeddings": false, "architectures": ["X)";
  for (const char* name : {"LlamaForCausalLM", "LlamaModel"}) {
    const std::string found = answer(llama(untied + name + "\"]"), llama_arrays());
    const bool is_said = found.find("no token is predicted, as the folder lacks") != found.npos;
    EXPECT_EQ(is_said, std::string(name) != "LlamaModel") << found;
  }
  Arrays arrays = llama_arrays();
  arrays["lm_head.weight"] = numbers({5, 4});
  folder.write("config.json", llama(R"("tie_word_embeddings": true)"));
  folder.write("model.safetensors", safetensors_of(arrays));
  expect_said("arrays of the model that are not used: lm_head.weight", {});
}

TEST_F(HostileFolder, WithATokenizerOfAnotherModelSaysSo) {
  Arrays arrays = small_model();
  const std::string config = with_replaced(kConfig, R"("vocab_size": 5, )", "");
  arrays["wte.weight"] = numbers({4, 4});
  expect(config, arrays, "the tokenizer may be of another model: it has 5 tokens");
  arrays["wte.weight"] = numbers({1100, 4});
  expect(config, arrays, "and the table of the model 1,100 rows");
  arrays["wte.weight"] = numbers({1000, 4});
  EXPECT_EQ(answer(config, arrays).find("another model"), std::string::npos);
}

TEST_F(HostileFolder, WhoseFilesOfTheTokenizerDisagreeSaysSo) {
  const auto says = [&](const std::string& config, const std::string& said) {
    folder.write("tokenizer_config.json", config);
    const std::string found = answer();
    EXPECT_NE(found.find(said), found.npos) << config << found;
    EXPECT_EQ(found.find("does not do") != found.npos, said != "") << config << found;
  };
  says(R"({"do_lower_case": true, "add_bos_token": false})", "says of do_lower_case");
  says(R"({"add_bos_token": true, "bos_token": {"content": "a"}})", "says of add_bos_token");
  says(R"({"word_tokenizer_type": "mecab"})", "says of word_tokenizer_type");
  says(R"({"do_lower_case": false, "bos_token": 5, "cls_token": null, "add_eos_token": "x"})", "");
  says("[]", "");
  folder.write("adapter_config.json", "{}");
  expect_said("the adapter in the folder is not read", {});
}

TEST_F(HostileFolder, WhoseFilesOfAddedTokensDisagreeSaysSo) {
  folder.write("added_tokens.json", R"({"d": 4, "e": 5, "c": 2})");
  expect_said("ids of added_tokens.json are not those of tokenizer.json, which is read: c, e", {});
  fs::remove(folder.file("tokenizer.json"));
  folder.write("vocab.txt", "[CLS]\n[SEP]\na\nc\nd\n");
  folder.write("added_tokens.json", R"({"d": 7, "c": 3})");
  expect_said("ids of added_tokens.json are not those of the vocabulary, which is read: d", {});
  folder.write("special_tokens_map.json", R"({"cls_token": "a", "sep_token": "[SEP]"})");
  folder.write("tokenizer_config.json", R"({"cls_token": {"content": "c"}, "sep_token": "[SEP]"})");
  expect_said(
      "special_tokens_map.json is read, from which tokenizer_config.json differs in "
      "cls_token",
      {});
  folder.write("tokenizer_config.json", R"({"cls_token": "c", "added_tokens_decoder": {}})");
  expect_said("tokenizer_config.json is read, from which special_tokens_map.json differs", {});
  expect_said("not those of tokenizer_config.json, which is read: d", {});
}

TEST_F(HostileFolder, WithAnEmptyFileOfTheTokenizerIsRefused) {
  folder.write("tokenizer.json", "");
  expect_said("tokenizer.json: the file is empty", {});
}

TEST_F(HostileFolder, WithPairsOfAnotherFamilyIsRefused) {
  std::filesystem::remove(folder.file("tokenizer.json"));
  folder.write("vocab.json", R"({"a": 0, "b": 1})");
  folder.write("merges.txt", "#version: 0.2\n");
  expect(llama(""), llama_arrays(), "tokenizers of this family are not read from vocab.json");
}

TEST_F(HostileFolder, HasNoDocumentThatSaysTwoThings) {
  const auto refusal = [&](const std::string& text) {
    folder.write("own.attn.json", text);
    const Result<Reading> reading = open_document(folder.file("own.attn.json"));
    if (!reading) return describe(reading.error());
    return reading->errors.empty() ? "" : describe(reading->errors.front());
  };
  EXPECT_NE(refusal(R"({"model": {}, "text": "a"})").find("/model"), std::string::npos);
  const std::string edited = R"({"model": {"folder": "."}, "text": "a", "edits":
      [{"tensor": "/embeddings", "cells": [[0, 1, 5]]}]})";
  EXPECT_EQ(refusal(edited), "");
  ReadOptions other;
  other.input.text = "b";
  EXPECT_FALSE(open_document(folder.file("own.attn.json"), other).ok()) << "another text";
  EXPECT_NE(refusal(R"({"model": {"folder": "."}, "text": "a", "edits": [{"tensor":
      "/blocks/0/feed_forward/b_2", "cells": [[0, 1]], "numbers": [1, 2, 3, 4]}]})")
                .find("all numbers or single cells"),
            std::string::npos);
}

TEST_F(HostileFolder, WithWeightsThatAreNoNumbersIsReadAndSaysSo) {
  Arrays arrays = small_model();
  arrays["h.0.attn.c_attn.weight"].numbers[0] = std::numeric_limits<float>::quiet_NaN();
  folder.write("model.safetensors", safetensors_of(arrays));
  const Result<Reading> reading = open_document(folder.path(), {.input = {.text = "a b"}});
  ASSERT_TRUE(reading.ok()) << describe(reading.error());
  const ResultPtr result = *compute(make_problem(reading->document));
  EXPECT_GT(result->non_finite_count(Stage::Query, {0, 0, 0}).value_or(0), 0U);
}

TEST_F(HostileFolder, ThatIsCutIsRefused) {
  const std::string whole = safetensors_of(small_model());
  for (const std::size_t bytes :
       {std::size_t{0}, std::size_t{7}, std::size_t{100}, whole.size() / 2, whole.size() - 1}) {
    folder.write("model.safetensors", whole.substr(0, bytes));
    expect_said("model.safetensors", {});
  }
  folder.write("model.safetensors", whole);
  for (const std::size_t bytes : {std::size_t{1}, std::size_t{40}}) {
    folder.write("config.json", std::string(kConfig).substr(0, bytes));
    expect_said("config.json", {});
  }
  folder.write("config.json", kConfig);
  folder.write("tokenizer.json", std::string(kTokenizer).substr(0, 60));
  expect_said("tokenizer.json", {});
}

TEST_F(HostileFolder, OpensNoPipesAndNoFoldersInPlaceOfFiles) {
  for (const char* name : {"config.json", "model.safetensors", "tokenizer.json"}) {
    const std::string path = folder.file(name), kept = read_file(path, 1U << 20U).value();
    fs::remove(path);
    ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
    EXPECT_EQ(answer().find("read;"), std::string::npos) << name;
    fs::remove(path);
    fs::create_directory(path);
    EXPECT_EQ(answer().find("read;"), std::string::npos) << name;
    fs::remove(path);
    folder.write(name, kept);
  }
  EXPECT_NE(answer().find("read;"), std::string::npos);
}

TEST_F(HostileFolder, OpensNothingOutside) {
  const TemporaryFolder elsewhere;
  ASSERT_TRUE(write_file_atomically(elsewhere.file("x.safetensors"), safetensors_of(small_model()),
                                    Overwrite::Replace)
                  .ok());
  fs::remove(folder.file("model.safetensors"));
  for (const std::string& shard : {elsewhere.file("x.safetensors"), std::string("../x.safetensors"),
                                   std::string(".."), std::string()}) {
    std::string map;
    for (const auto& [name, array] : small_model()) {
      map += (map.empty() ? "\"" : ", \"") + name + "\": \"" + shard + "\"";
    }
    folder.write("model.safetensors.index.json", "{\"weight_map\": {" + map + "}}");
    expect_said("a shard must be in the folder of its index", {});
  }
  fs::remove(folder.file("model.safetensors.index.json"));
  // Libraries keep files of models as links into another folder; they lead where the user's file
  // system says.
  fs::create_symlink(elsewhere.file("x.safetensors"), folder.file("model.safetensors"));
  EXPECT_NE(answer().find("read;"), std::string::npos);
  const auto document = [&](const std::string& target) {
    ASSERT_TRUE(write_file_atomically(elsewhere.file("a.attn.json"),
                                      "{\"model\": {\"folder\": \"" + target + "\"}}",
                                      Overwrite::Replace)
                    .ok());
    const Result<Reading> reading = open_document(elsewhere.file("a.attn.json"));
    ASSERT_FALSE(reading.ok());
    EXPECT_NE(describe(reading.error()).find("outside"), std::string::npos);
  };
  document(folder.path());
  document("../" + fs::path(folder.path()).filename().string());
}

TEST_F(HostileFolder, AnswersEveryInput) {
  for (const std::uint64_t id :
       {std::uint64_t{5}, std::uint64_t{1} << 32U, std::numeric_limits<std::uint64_t>::max()}) {
    ReadOptions options;
    options.input.ids = {0, id};
    expect_said("the vocabulary of the model has no such token", options);
  }
  std::string whole(1'000'000, 'a');
  for (const std::string& text :
       {whole, std::string("a a a a a a a"), std::string(), std::string("a\xFF"),
        std::string(" \n\t"), std::string("\0", 1)}) {
    const std::string said = answer({.input = {.text = text}});
    EXPECT_LT(said.size(), 1000U);
    if (text.size() != 1'000'000 && text != std::string("\0", 1)) {
      EXPECT_EQ(said.find("read;"), said.npos) << text.substr(0, 20);
    }
  }
  std::string special = with_replaced(kTokenizer, ", \"d\": 4", "");
  special = with_replaced(special, "\"added_tokens\": []",
                          R"("added_tokens": [{"id": 4, "content": "<s>", "special": true},
                              {"id": 70000, "content": "<t>", "special": true}])");
  folder.write("tokenizer.json", special);
  EXPECT_NE(answer({.input = {.text = "<s><s>"}}).find("read;"), std::string::npos);
  expect_said("expected ids below 5", {.input = {.text = "<t>"}});
}

TEST_F(HostileFolder, NeedsNoMoreMemoryThanIsAllowed) {
  ReadOptions options;
  options.memory_limit_bytes = 1000;
  options.input.text = "a b";
  expect_said("memory", options);
}

}  // namespace
}  // namespace attn::test
