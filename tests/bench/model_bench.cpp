// A model of GPT-2's size in a folder, with random weights: reading it, all layers at 64 tokens,
// all again when nothing has changed, gates of heads, and the atlas.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <vector>

#include "base/random.h"
#include "document/load/open.h"
#include "document/problem.h"
#include "engine/compute.h"
#include "kinds/parts/atlas.h"
#include "median.h"

namespace attn {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kModelWidth = 768, kLayers = 12, kVocabulary = 1000, kTokens = 64;

// The folder, until the program ends.
class Gpt2Folder {
 public:
  Gpt2Folder()
      : path_(fs::temp_directory_path() / ("attnscope_bench_" + std::to_string(::getpid()))) {
    fs::create_directories(path_);
    std::ofstream(path_ / "config.json")
        << R"({"model_type": "gpt2", "n_embd": 768, "n_layer": 12, "n_head": 12})";
    put("wte.weight", {kVocabulary, kModelWidth});
    put("wpe.weight", {kTokens, kModelWidth});
    put_norm("ln_f");
    for (std::size_t layer = 0; layer < kLayers; ++layer) {
      const std::string place = "h." + std::to_string(layer) + ".";
      put_norm(place + "ln_1");
      put_norm(place + "ln_2");
      put_map(place + "attn.c_attn", kModelWidth, 3 * kModelWidth);
      put_map(place + "attn.c_proj", kModelWidth, kModelWidth);
      put_map(place + "mlp.c_fc", kModelWidth, 4 * kModelWidth);
      put_map(place + "mlp.c_proj", 4 * kModelWidth, kModelWidth);
    }
    write_arrays();
  }
  ~Gpt2Folder() {
    std::error_code failed;
    fs::remove_all(path_, failed);
  }
  Gpt2Folder(const Gpt2Folder&) = delete;
  Gpt2Folder& operator=(const Gpt2Folder&) = delete;

  std::string path() const { return path_.string(); }

 private:
  void put(const std::string& name, const Shape& shape) {
    const std::size_t end = bytes_ + element_count(shape) * sizeof(float);
    header_ += (header_.empty() ? "{\"" : ",\"") + name + R"(":{"dtype":"F32","shape":[)" +
               std::to_string(shape[0]) +
               (shape.size() > 1 ? "," + std::to_string(shape[1]) : std::string()) +
               "],\"data_offsets\":[" + std::to_string(bytes_) + "," + std::to_string(end) + "]}";
    bytes_ = end;
  }
  void put_map(const std::string& name, std::size_t in, std::size_t out) {
    put(name + ".weight", {in, out});
    put(name + ".bias", {out});
  }
  void put_norm(const std::string& name) {
    put(name + ".weight", {kModelWidth});
    put(name + ".bias", {kModelWidth});
  }
  void write_arrays() const {
    std::string header = header_ + "}";
    header.resize((header.size() + 7) / 8 * 8, ' ');
    const std::uint64_t size = header.size();
    std::ofstream file(path_ / "model.safetensors", std::ios::binary);
    file.write(reinterpret_cast<const char*>(&size), sizeof size) << header;
    Random random(1);
    std::vector<float> numbers(1'000'003);  // their count divides no row
    for (float& number : numbers) number = 0.02F * random.normal();
    const auto all = std::as_bytes(std::span(numbers));
    for (std::size_t left = bytes_; left > 0;) {
      const std::size_t some = std::min(left, all.size());
      file.write(reinterpret_cast<const char*>(all.data()), static_cast<std::streamsize>(some));
      left -= some;
    }
  }

  fs::path path_;
  std::string header_;
  std::size_t bytes_ = 0;
};

Reading open_model() {
  static const Gpt2Folder kFolder;
  ReadOptions options;
  for (std::size_t i = 0; i < kTokens; ++i) options.input.ids.push_back(i * 37 % kVocabulary);
  return open_document(kFolder.path(), options).value();
}

void model_read(benchmark::State& state) {
  open_model();
  measure_rounds(state, [] {
    Reading reading = open_model();
    benchmark::DoNotOptimize(reading);
  });
}
BENCHMARK(model_read)->Unit(benchmark::kMillisecond);

void model_forward(benchmark::State& state) {
  const Document document = open_model().document;
  measure_rounds(state, [&] {
    Result<ResultPtr> result =
        compute(make_problem(document), {.threads = static_cast<unsigned>(state.range(0))});
    benchmark::DoNotOptimize(result);
  });
}
BENCHMARK(model_forward)
    ->ArgName("threads")
    ->Arg(1)
    ->Arg(2)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

void model_again(benchmark::State& state) {
  const Document document = open_model().document;
  const ResultPtr before = compute(make_problem(document)).value();
  measure_rounds(state, [&] {
    Result<ResultPtr> result = compute(make_problem(document), {.before = before});
    benchmark::DoNotOptimize(result);
  });
}
BENCHMARK(model_again)->Unit(benchmark::kMillisecond)->UseRealTime();

// A gate that is dragged: from one factor to another, with the result before, through the layers
// in view.
void model_gate(benchmark::State& state) {
  AttentionProblem problem = make_problem(open_model().document);
  ComputeOptions options;
  options.layers = static_cast<std::size_t>(state.range(1));
  problem.panels = shared_panels(problem, options);
  options.before = compute(problem).value();
  const auto layer = static_cast<std::size_t>(state.range(0)) - 1;
  float factor = 0.0F;
  measure_rounds(state, [&] {
    factor += 0.01F;
    set_gate(problem.what_if, {layer, 0, 0}, factor);
    options.before = compute(problem, options).value();
  });
}
BENCHMARK(model_gate)
    ->ArgNames({"layer", "through"})
    ->Args({1, 12})
    ->Args({12, 12})
    ->Args({1, 2})
    ->Unit(benchmark::kMillisecond);

void model_atlas(benchmark::State& state) {
  const ResultPtr result = compute(make_problem(open_model().document)).value();
  for (auto _ : state) {
    auto atlas = atlas_of(result, {}, nullptr);
    benchmark::DoNotOptimize(atlas);
  }
}
BENCHMARK(model_atlas)->Unit(benchmark::kSecond)->Iterations(1)->UseRealTime();

}  // namespace
}  // namespace attn
