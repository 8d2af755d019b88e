// Speed of tokenizers: 1 MB of words as English has them, each third of which was there before.
#include <benchmark/benchmark.h>

#include <cmath>
#include <string>

#include "base/random.h"
#include "tokenizer/tokenizer.h"

namespace attn {
namespace {

// The word of a rank: longer and rarer with it.
std::string word_of(std::uint64_t rank) {
  constexpr std::string_view kLetters = "etaoinshrdlucmfwypvbgkjqxz";
  std::string word;
  for (std::uint64_t rest = rank * 2'654'435'761 % 1'000'003 + rank; rest > 0; rest /= 97) {
    word += kLetters[rest % 13];
    word += kLetters[rest % 26];
    if (rank < 300) break;
  }
  return word;
}

std::string english(std::size_t bytes) {
  Random random(3);
  std::string text;
  while (text.size() < bytes) {
    const double even = static_cast<double>(random.next() % 1'000'000) / 1e6;
    text += word_of(static_cast<std::uint64_t>(std::pow(30'000.0, even)));
    text += random.next() % 12 == 0 ? ". " : random.next() % 90 == 0 ? ".\n" : " ";
  }
  return text;
}

// All bytes, and a merge of each pair of letters that words are made of.
TokenizerFiles byte_level_files() {
  constexpr std::string_view kLetters = "etaoinshrdlucmfwypvbgkjqxz";
  std::string vocabulary = "{\"\u0120\": 0, \".\": 1, \"\u010a\": 2";
  std::string merges = "#version: 0.2\n";
  std::size_t id = 3;
  const auto add = [&](const std::string& piece) {
    vocabulary += ", \"" + piece + "\": " + std::to_string(id++);
  };
  for (const char a : kLetters) add(std::string(1, a));
  for (const char a : kLetters) {
    for (const char b : kLetters) add({a, b}), merges += std::string{a, ' ', b, '\n'};
    add(std::string("\u0120") + a);
    merges += std::string("\u0120 ") + a + '\n';
  }
  return {.vocab_json = vocabulary + "}", .merges_txt = merges};
}

TokenizerFiles word_files() {
  std::string words = "[UNK]\n[CLS]\n[SEP]\n.\n";
  for (std::uint64_t rank = 1; rank < 20'000; rank += 2) words += word_of(rank) + "\n";
  for (char a = 'a'; a <= 'z'; ++a) words += std::string(1, a) + "\n##" + a + "\n";
  return {.vocab_txt = words};
}

// Each word with and without a blank in front of it, and all letters.
TokenizerFiles scored_files() {
  std::string pieces = R"(["<unk>", 0], [".", -3])";
  const auto add = [&](const std::string& piece, int score) {
    pieces += ", [\"" + piece + "\", -" + std::to_string(score) + "]";
  };
  int score = 3;
  for (std::uint64_t rank = 1; rank < 20'000; rank += 2) {
    add("▁" + word_of(rank), score % 11);
    add(word_of(rank), ++score % 13);
  }
  for (char a = 'a'; a <= 'z'; ++a) add(std::string(1, a), 15);
  return {.tokenizer_json = R"({"normalizer": {"type": "NFKC"}, "pre_tokenizer": {"type":
      "Metaspace"}, "model": {"type": "Unigram", "unk_id": 0, "vocab": [)" +
                            pieces + "]}}"};
}

void tokenizer(benchmark::State& state, TokenizerFiles (*files)(), bool has_blanks) {
  const auto opened = Tokenizer::open(files()).value();
  std::string text = english(1'000'000);
  if (!has_blanks) std::erase(text, ' ');
  for (auto _ : state) {
    auto ids = opened->encode(text);
    benchmark::DoNotOptimize(ids);
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * text.size()));
}
BENCHMARK_CAPTURE(tokenizer, gpt2, byte_level_files, true)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(tokenizer, without_blanks, byte_level_files, false)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(tokenizer, bert, word_files, true)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(tokenizer, unigram, scored_files, true)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(tokenizer, unigram_without_blanks, scored_files, false)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace attn
