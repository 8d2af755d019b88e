// Folders of models as tests write them.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "base/files.h"
#include "base/tensor.h"
#include "support/process.h"
#include "tests/core/document/arrays/array_bytes.h"

namespace attn::test {

struct Array {
  Shape shape = {};
  std::vector<float> numbers = {};
};
using Arrays = std::map<std::string, Array>;

inline std::string safetensors_of(const Arrays& arrays) {
  std::string header = "{", bytes;
  for (const auto& [name, array] : arrays) {
    const std::string data = bytes_of(array.numbers);
    std::string shape;
    for (const std::size_t extent : array.shape) {
      shape += (shape.empty() ? "" : ",") + std::to_string(extent);
    }
    header += (header.size() == 1 ? "\"" : ",\"") + name + "\":{\"dtype\":\"F32\",\"shape\":[" +
              shape + "],\"data_offsets\":[" + std::to_string(bytes.size()) + "," +
              std::to_string(bytes.size() + data.size()) + "]}";
    bytes += data;
  }
  return safetensors(header + "}", bytes);
}

// A model of two layers, which reads the tokens of the tokenizer below.
inline constexpr const char* kConfig =
    R"({"model_type": "gpt2", "n_embd": 4, "n_layer": 2, "n_head": 2,
  "n_positions": 6, "vocab_size": 5, "architectures": ["GPT2LMHeadModel"]})";

inline Array numbers(Shape shape) {
  Array array{std::move(shape), {}};
  for (std::size_t i = 0; i < element_count(array.shape); ++i) {
    array.numbers.push_back(0.1F * static_cast<float>(i % 7) - 0.25F);
  }
  return array;
}

inline Arrays small_model() {
  Arrays arrays{{"wte.weight", numbers({5, 4})},
                {"wpe.weight", numbers({6, 4})},
                {"ln_f.weight", numbers({4})},
                {"ln_f.bias", numbers({4})}};
  for (const std::string layer : {"h.0.", "h.1."}) {
    for (const auto& [name, in, out] : {std::tuple("attn.c_attn", 4, 12),
                                        {"attn.c_proj", 4, 4},
                                        {"mlp.c_fc", 4, 16},
                                        {"mlp.c_proj", 16, 4}}) {
      arrays[layer + name + ".weight"] =
          numbers({static_cast<std::size_t>(in), static_cast<std::size_t>(out)});
      arrays[layer + name + ".bias"] = numbers({static_cast<std::size_t>(out)});
    }
    for (const char* name : {"ln_1", "ln_2"}) {
      arrays[layer + name + ".weight"] = numbers({4});
      arrays[layer + name + ".bias"] = numbers({4});
    }
  }
  return arrays;
}

// Words a to d, and one for all others.
inline constexpr const char* kTokenizer = R"({"model": {"type": "WordPiece", "unk_token": "?",
  "continuing_subword_prefix": "##", "max_input_chars_per_word": 100,
  "vocab": {"?": 0, "a": 1, "b": 2, "c": 3, "d": 4}},
  "pre_tokenizer": {"type": "WhitespaceSplit"}, "added_tokens": []})";

// A folder with config.json and model.safetensors.
class ModelFolder {
 public:
  ModelFolder(const std::string& config, const Arrays& arrays) {
    write("config.json", config);
    write("model.safetensors", safetensors_of(arrays));
  }
  void write(const std::string& name, const std::string& bytes) const {
    EXPECT_TRUE(write_file_atomically(folder_.file(name), bytes, Overwrite::Replace).ok());
  }
  const std::string& path() const { return folder_.path(); }
  std::string file(const std::string& name) const { return folder_.file(name); }

 private:
  TemporaryFolder folder_;
};

}  // namespace attn::test
