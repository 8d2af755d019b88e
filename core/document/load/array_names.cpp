// The names that libraries give to attention, queries, keys, values, masks and tokens.
#include <algorithm>
#include <array>
#include <string_view>
#include <tuple>
#include <utility>

#include "base/number_text.h"
#include "base/utf8.h"
#include "document/load/array_reading.h"

namespace attn {
namespace {

using M = ArrayMeanings;

// Ends of names, whose words are joined by "_", the preferred ones first. Parameters such as
// "q_proj.weight" end otherwise.
struct Meaning {
  std::vector<std::string> M::*names;
  std::array<std::string_view, 11> ends;
};

constexpr Meaning kMeanings[] = {
    {&M::attention,
     {"attention", "attentions", "self_attentions", "hook_pattern", "attention_weights",
      "attn_weights", "attention_probs", "attn_probs", "pattern", "weights", "attn"}},
    {&M::self_attention, {}},  // this and the next by what stands before the end
    {&M::encoder_attention, {}},
    {&M::q, {"hook_rot_q", "rot_q", "query_states", "hook_q", "q", "query", "queries"}},
    {&M::k, {"hook_rot_k", "rot_k", "key_states", "hook_k", "k", "key", "keys"}},
    {&M::v, {"value_states", "hook_v", "v", "value", "values"}},
    {&M::visible, {"visible", "mask"}},
    {&M::bias, {"bias", "attn_bias"}},
    {&M::query_tokens, {"query_tokens"}},
    {&M::key_tokens, {"key_tokens"}},
    {&M::tokens, {"tokens"}},
    {&M::ids, {"input_ids", "token_ids"}},
};
constexpr const Meaning* kAttention = &kMeanings[0];
constexpr const Meaning* kSelf = &kMeanings[1];
constexpr const Meaning* kEncoder = &kMeanings[2];

struct NamedArray {
  std::string name;
  const Meaning* meaning = nullptr;
  std::size_t rank = 0;   // of its end, from 1 on; 0: told by what stands before it
  std::size_t layer = 0;  // the first number among the words

  bool is_across() const { return meaning == kAttention && rank == 0; }
};

// The words of a name joined by "_", and the first number among them; 0 without one.
std::string words_of(std::string_view name, std::optional<std::size_t>& number) {
  std::string words, word;
  const auto end_word = [&] {
    const Result<std::int64_t> value = parse_integer(word);
    const bool is_number = value && *value >= 0;
    if (is_number && !number) number = static_cast<std::size_t>(*value);
    if (!word.empty() && !is_number) words += (words.empty() ? "" : "_") + word;
    word.clear();
  };
  for (const char c : in_small_letters(name)) {
    const bool is_part = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    is_part ? void(word += c) : end_word();
  }
  end_word();
  return words;
}

// Which attention is meant by "decoder.3.attn", "encoder_attentions" or "cross_attentions";
// "decoder.layers.3.encoder_attn" is across.
void tell_apart(std::string_view words, NamedArray& array) {
  const auto says = [&](std::string_view word) { return words.find(word) != words.npos; };
  const bool encoder = says("encoder"), decoder = says("decoder") || words.starts_with("self_");
  const bool across = says("cross") || (encoder && decoder);
  if (across || encoder || decoder) array.rank = 0;
  if (!across && (encoder || decoder)) array.meaning = encoder ? kEncoder : kSelf;
}

NamedArray reading_of(const std::string& name) {
  NamedArray reading{name};
  std::optional<std::size_t> layer;
  const std::string words = words_of(name, layer);
  reading.layer = layer.value_or(0);
  std::size_t longest = 0;
  for (const Meaning& meaning : kMeanings) {
    for (const std::string_view& end : meaning.ends) {
      const bool ends = words == end || words.ends_with("_" + std::string(end));
      if (!ends || end.size() <= longest) continue;
      longest = end.size();
      reading.meaning = &meaning;
      reading.rank = static_cast<std::size_t>(&end - meaning.ends.data()) + 1;
    }
  }
  if (reading.meaning == kAttention) tell_apart(words, reading);
  return reading;
}

// Beside a cross-attention, attention of no other name is the decoder's own.
void take_own_attention(std::vector<NamedArray>& all) {
  if (std::ranges::none_of(all, &NamedArray::is_across)) return;
  if (std::ranges::count(all, kSelf, &NamedArray::meaning) > 0) return;
  for (NamedArray& other : all) {
    if (other.meaning == kAttention && !other.is_across()) other.meaning = kSelf;
  }
}

// Without one across, a decoder's or an encoder's is the only attention.
void settle_attentions(ArrayMeanings& of) {
  if (!of.attention.empty()) return;
  const bool of_keys = of.self_attention.empty();
  of.attention.swap(of_keys ? of.encoder_attention : of.self_attention);
  if (of.attention.empty()) return;
  of.only = of_keys ? Side::Key : Side::Query;
  for (const std::string& name : std::exchange(of.encoder_attention, {})) {
    of.unused.push_back(name + " (needs a cross-attention beside it)");
  }
}

}  // namespace

ArrayMeanings meanings_of(const ArrayListing& listing) {
  ArrayMeanings meanings;
  std::vector<NamedArray> all;
  for (const StoredArray& array : listing.arrays) {
    const NamedArray reading = reading_of(array.name);
    if (reading.meaning == nullptr) {
      meanings.unused.push_back(array.name);
    } else {
      all.push_back(reading);
    }
  }
  take_own_attention(all);
  std::ranges::stable_sort(
      all, {}, [](const NamedArray& one) { return std::tuple(one.meaning, one.rank, one.layer); });
  const NamedArray* last = nullptr;
  for (const NamedArray& one : all) {
    const bool is_first = last == nullptr || last->meaning != one.meaning;
    // Two arrays of one layer, such as those of encoder and decoder, are not two layers.
    const bool is_taken = is_first || (last->rank == one.rank && last->layer != one.layer);
    (is_taken ? meanings.*one.meaning->names : meanings.unused).push_back(one.name);
    if (is_taken) last = &one;
  }
  settle_attentions(meanings);
  return meanings;
}

std::vector<std::uint64_t> layers_in(const std::vector<std::string>& names) {
  std::vector<std::uint64_t> layers;
  for (const std::string& name : names) {
    std::optional<std::size_t> layer;
    words_of(name, layer);
    if (!layer) return {};
    layers.push_back(*layer);
  }
  return layers;
}

}  // namespace attn
