// Any folder of a model is read or refused: with the settings of any config.json and arrays that
// fit them, if they are small; and with any settings, arrays and tokenizer. What is read is
// computed, and the same again after it was written.
#include <filesystem>

#include "base/files.h"
#include "base/joined.h"
#include "base/utf8.h"
#include "document/folder/config.h"
#include "document/folder/families.h"
#include "document/json/write.h"
#include "document/load/open.h"
#include "document/problem.h"
#include "document/tensors/tensor_file.h"
#include "engine/compute.h"
#include "fuzz.h"
#include "tests/core/document/folder/model_folder.h"

namespace attn::fuzz {
namespace {

constexpr std::size_t kLongestFolder = 1U << 14U, kMostArrayNumbers = 1U << 16U;
constexpr std::uint64_t kMostFolderBytes = std::uint64_t{64} << 20U;
constexpr std::uint64_t kMostFolderSteps = 2'000'000;

const std::string& model_folder() {
  static const std::string kFolder = [] {
    std::string folder = scratch_folder() + "/model";
    std::filesystem::create_directories(folder);
    return folder;
  }();
  return kFolder;
}

void write(const std::string& path, std::string_view bytes) {
  expect(write_file_atomically(path, bytes, Overwrite::Replace).ok(), "files can be written");
}

// The arrays that the family has with these settings; none if they are many.
class FittingArrays {
 public:
  FittingArrays(const Family& family, ModelConfig& config)
      : family_(family), prefix_(split(family.names.prefixes, '|').front()) {
    const auto size = [&](const char* names, std::size_t usual) {
      const std::size_t stated = config.count(names);
      return stated == 0 ? usual : stated;
    };
    layers_ = size("num_hidden_layers|n_layer|n_layers", 1);
    heads_ = size("num_attention_heads|n_head|n_heads", 1);
    width_ = size("hidden_size|n_embd|dim", 8);
    kv_heads_ = size("num_key_value_heads", heads_);
    head_ = size("head_dim", width_ / heads_);
    hidden_ = size("intermediate_size|n_inner|hidden_dim", 4 * width_);
  }

  test::Arrays make() {
    const ArrayNames& names = family_.names;
    const bool are_few = layers_ <= 8 && heads_ <= 8 && kv_heads_ <= 8 && width_ <= 32 &&
                         head_ <= 16 && hidden_ <= 128;
    if (!are_few) return {};
    for (const std::string_view table : {names.table, names.positions, names.types}) {
      put(table, {9, width_});
    }
    for (const std::string_view norm : {names.embedding_norm, names.final_norm}) put_norm(norm);
    for (std::size_t layer = 0; layer < layers_; ++layer) {
      place_ = with_replaced(names.layer, "{}", std::to_string(layer));
      put_layer();
    }
    return std::move(arrays_);
  }

 private:
  void put(std::string_view slot, const Shape& shape) {
    if (slot.empty() || arrays_.size() * width_ * hidden_ > kMostArrayNumbers) return;
    arrays_[prefix_ + place_ + std::string(slot) + ".weight"] = test::numbers(shape);
  }
  void put_norm(std::string_view slot) { put(slot, {width_}); }
  void put_map(std::string_view slot, std::size_t in, std::size_t out) {
    put(slot, family_.in_out ? Shape{in, out} : Shape{out, in});
  }
  void put_layer() {
    const ArrayNames& names = family_.names;
    const std::size_t q = heads_ * head_, kv = kv_heads_ * head_;
    for (const std::string_view norm : {names.attention_norm, names.feed_forward_norm,
                                        names.attention_out_norm, names.feed_forward_out_norm}) {
      put_norm(norm);
    }
    put_map(names.q, width_, q);
    put_map(names.k, width_, kv);
    put_map(names.v, width_, kv);
    put_map(names.qkv, width_, q + 2 * kv);
    put_map(names.o, q, width_);
    put(names.q_norm, {head_});
    put(names.k_norm, {head_});
    put_map(names.gate, width_, hidden_);
    put_map(names.up, width_, hidden_);
    put_map(names.gate_up, width_, 2 * hidden_);
    put_map(names.down, hidden_, width_);
  }

  const Family& family_;
  std::string prefix_, place_;
  std::size_t layers_, heads_, width_, kv_heads_, head_, hidden_;
  test::Arrays arrays_;
};

// Lines of a name and extents: "h.0.ln_1.weight 8".
test::Arrays listed_arrays(std::string_view lines) {
  test::Arrays arrays;
  std::size_t all = 0;
  while (!lines.empty()) {
    std::string_view line = take_before(lines, "\n");
    const std::string name(take_before(line, " "));
    Shape shape;
    while (!line.empty()) {
      const std::string_view extent = take_before(line, " ");
      shape.push_back(extent.size() < 4 ? std::strtoul(std::string(extent).c_str(), nullptr, 10)
                                        : 1);
    }
    if (first_invalid_utf8(name) || name.find_first_of("\"\\\t\r") != name.npos) continue;
    all += element_count(shape);
    if (all > kMostArrayNumbers || shape.size() > 4) return arrays;
    arrays[name] = test::numbers(shape);
  }
  return arrays;
}

void expect_layers_computed(const Document& document) {
  const AttentionProblem problem = make_problem(document);
  if (predicted_multiply_adds(problem) > kMostFolderSteps) return;
  const Result<ResultPtr> result = compute(problem);
  if (!result) return expect_clear(result.error());
  const AttentionShape shape = shape_of(document);
  const float last = (*result)->value(Stage::Weights, {shape.layers - 1, 0, shape.heads - 1},
                                      shape.n_q - 1, shape.n_k - 1);
  expect(!(last < 0.0F), "a weight is no negative number");
}

void expect_same_model_again(const Document& document) {
  const std::string path = scratch_folder() + "/model.attn.json";
  write(path, write_document(moved_to(document, folder_of(path))));
  const Result<Reading> again = open_document(path, {.memory_limit_bytes = kMostFolderBytes});
  expect(again.ok(), "the document of a model can be read again");
  expect(again->document == document, "the document of a model is the same again");
}

void open_folder(const ReadOptions& options) {
  const Result<Reading> reading = open_document(model_folder(), options);
  if (!reading) return expect_clear(reading.error());
  if (!reading->errors.empty()) return expect_clear(reading->errors.front());
  expect_layers_computed(reading->document);
  expect_same_model_again(reading->document);
}

}  // namespace

void fuzz_config(std::string_view bytes) {
  if (bytes.size() > kLongestFolder) return;
  const QuickFiles quick;
  std::filesystem::remove(model_folder() + "/tokenizer.json");
  write(model_folder() + "/config.json", bytes);
  test::Arrays arrays{{"wte.weight", test::numbers({9, 8})}};
  if (Result<ModelConfig> whole = ModelConfig::read(bytes, "config.json")) {
    ModelConfig config = whole->has("text_config") ? whole->inside("text_config") : *whole;
    const Family* const family = family_of(whole->type());
    if (family != nullptr) arrays = FittingArrays(*family, config).make();
  }
  write(model_folder() + "/model.safetensors", test::safetensors_of(arrays));
  open_folder({.memory_limit_bytes = kMostFolderBytes, .input = {.ids = {3, 1, 4, 1}}});
}

// A line of text, then config.json, the list of arrays and tokenizer.json, each up to a zero.
void fuzz_folder(std::string_view bytes) {
  if (bytes.size() > kLongestFolder) return;
  const QuickFiles quick;
  Bytes input(bytes);
  const std::string text(input.line());
  std::string_view rest = input.rest();
  const auto next = [&] { return take_before(rest, std::string_view("\0", 1)); };
  write(model_folder() + "/config.json", next());
  write(model_folder() + "/model.safetensors", test::safetensors_of(listed_arrays(next())));
  write(model_folder() + "/tokenizer.json", next());
  open_folder({.memory_limit_bytes = kMostFolderBytes, .input = {.text = text}});
}

}  // namespace attn::fuzz
