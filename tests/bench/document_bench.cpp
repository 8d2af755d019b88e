// Speed of reading documents of numbers, as bytes of text per second of CPU time, and of finding
// arrays among many names.
#include <benchmark/benchmark.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <string>

#include "base/random.h"
#include "document/load/read.h"
#include "document/tensors/array_file.h"
#include "document/tensors/tensor_file.h"

namespace attn {
namespace {

// A number of `digits` digits after the point, of either sign, as programs write weights and
// embeddings: "-0.123456".
std::string number_text(Random& random, int digits) {
  std::array<char, 32> text{};
  const double value = static_cast<double>(random.next() % 2'000'000'000) / 1e9 - 1.0;
  const int length = std::snprintf(text.data(), text.size(), "%.*f", digits, value);
  return {text.data(), static_cast<std::size_t>(length)};
}

// Returns a number in the notation of printf's %g, with the shares of exponents that small numbers
// have.
std::string scientific_text(Random& random, int digits) {
  std::array<char, 32> text{};
  const double power = static_cast<double>(random.next() % 1'000'000) / 1e5 - 9.0;
  const double value = (random.next() % 2 == 0 ? 1.0 : -1.0) * std::pow(10.0, power);
  const int length = std::snprintf(text.data(), text.size(), "%.*g", digits, value);
  return {text.data(), static_cast<std::size_t>(length)};
}

using NumberText = std::string (*)(Random&, int);

std::string matrix_text(NumberText number, int digits, const char* between, int columns) {
  const int rows = 1024 * 256 / columns;
  Random random(7);
  std::string text = "[";
  for (int row = 0; row < rows; ++row) {
    text += row == 0 ? "[" : ",\n[";
    for (int column = 0; column < columns; ++column) {
      if (column > 0) text += between;
      text += number(random, digits);
    }
    text += "]";
  }
  return text + "]";
}

void read_json(benchmark::State& state, NumberText number, int digits, const char* between,
               int columns = 256) {
  const std::string matrix = matrix_text(number, digits, between, columns);
  const std::string text =
      "{\"q\": " + matrix + ", \"k\": " + matrix + ", \"v\": " + matrix + "}\n";
  for (auto _ : state) {
    Result<Reading> report = read_document(text, "bench");
    benchmark::DoNotOptimize(report);
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * text.size()));
}

BENCHMARK_CAPTURE(read_json, six_digits, number_text, 6, ",")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read_json, rows_of_four, number_text, 6, ",", 4)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read_json, nine_digits, number_text, 9, ", ")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read_json, of_doubles, number_text, 17, ", ")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read_json, scientific, scientific_text, 8, ", ")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read_json, a_line_each, number_text, 8, ",\n        ")
    ->Unit(benchmark::kMillisecond);

// The bytes of a safetensors file of `count` arrays with one number each.
std::string many_arrays(std::int64_t count) {
  std::string header = "{";
  for (std::int64_t i = 0; i < count; ++i) {
    header += (i > 0 ? ",\"a" : "\"a") + std::to_string(i) +
              R"(":{"dtype":"F32","shape":[1],"data_offsets":[)" + std::to_string(4 * i) + "," +
              std::to_string(4 * i + 4) + "]}";
  }
  header += "}";
  std::string bytes(8, '\0');
  for (std::size_t i = 0; i < 8; ++i) bytes[i] = static_cast<char>(header.size() >> (8U * i));
  return bytes + header + std::string(static_cast<std::size_t>(4 * count), '\0');
}

// Lists the arrays of a file and finds all of them, last first: linear in their number.
void find_arrays(benchmark::State& state) {
  const std::string bytes = many_arrays(state.range(0));
  TensorReference all{"a.safetensors"};
  for (std::int64_t i = state.range(0); i-- > 0;) all.arrays.push_back("a" + std::to_string(i));
  for (auto _ : state) {
    const Result<ArrayListing> listing = list_safetensors(bytes);
    Result<Tensor> found = referred_array<float>(*listing, all, nullptr, std::uint64_t{1} << 30U);
    if (!found.ok()) state.SkipWithError(found.error().message.c_str());
    benchmark::DoNotOptimize(found);
  }
}

BENCHMARK(find_arrays)->Arg(15'000)->Arg(60'000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace attn
