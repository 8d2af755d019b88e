// The names that libraries give to attention, queries, keys, values, masks and tokens.
#include "document/load/array_names.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/number_text.h"
#include "base/utf8.h"

namespace attn {
namespace {

struct KnownName {
  std::vector<std::string> ArrayMeanings::*meaning;
  std::string_view name;  // the end of a name whose words are joined by "_"
};

using M = ArrayMeanings;

// Of each meaning the preferred names first. Parameters such as "q_proj.weight" end otherwise.
constexpr KnownName kNames[] = {
    {&M::attention, ""},  // across, of an encoder–decoder; this and the next whatever the name
    {&M::self_attention, ""},
    {&M::encoder_attention, ""},
    {&M::attention, "attention"},
    {&M::attention, "attentions"},
    {&M::attention, "self_attentions"},
    {&M::attention, "hook_pattern"},
    {&M::attention, "attention_weights"},
    {&M::attention, "attn_weights"},
    {&M::attention, "attention_probs"},
    {&M::attention, "attn_probs"},
    {&M::attention, "pattern"},
    {&M::attention, "weights"},
    {&M::attention, "attn"},
    {&M::q, "hook_rot_q"},
    {&M::q, "rot_q"},
    {&M::q, "query_states"},
    {&M::q, "hook_q"},
    {&M::q, "q"},
    {&M::q, "query"},
    {&M::q, "queries"},
    {&M::k, "hook_rot_k"},
    {&M::k, "rot_k"},
    {&M::k, "key_states"},
    {&M::k, "hook_k"},
    {&M::k, "k"},
    {&M::k, "key"},
    {&M::k, "keys"},
    {&M::v, "value_states"},
    {&M::v, "hook_v"},
    {&M::v, "v"},
    {&M::v, "value"},
    {&M::v, "values"},
    {&M::visible, "visible"},
    {&M::visible, "mask"},
    {&M::bias, "bias"},
    {&M::bias, "attn_bias"},
    {&M::query_tokens, "query_tokens"},
    {&M::key_tokens, "key_tokens"},
    {&M::tokens, "tokens"},
    {&M::ids, "input_ids"},
    {&M::ids, "token_ids"},
};

constexpr const KnownName &kAcross = kNames[0], &kSelf = kNames[1], &kEncoder = kNames[2];

struct NamedArray {
  std::string name;
  const KnownName* known = nullptr;
  std::size_t layer = 0;  // the first number among the words
};

// The words of a name joined by "_", and the first number among them; 0 without one.
std::string words_of(std::string_view name, std::size_t& number) {
  std::string words, word;
  bool has_number = false;
  const auto end_word = [&] {
    const Result<std::int64_t> value = parse_integer(word);
    const bool is_number = value && *value >= 0;
    if (is_number && !has_number) number = static_cast<std::size_t>(*value);
    has_number = has_number || is_number;
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
const KnownName& told_apart(std::string_view words, const KnownName& known) {
  const auto says = [&](std::string_view word) { return words.find(word) != words.npos; };
  if (known.meaning != &M::attention) return known;
  const bool encoder = says("encoder"), decoder = says("decoder") || words.starts_with("self_");
  if (says("cross") || (encoder && decoder)) return kAcross;
  return encoder ? kEncoder : decoder ? kSelf : known;
}

NamedArray reading_of(const std::string& name) {
  NamedArray reading{name};
  const std::string words = words_of(name, reading.layer);
  std::size_t longest = 0;
  for (const KnownName& known : kNames) {
    const bool ends = words == known.name || words.ends_with("_" + std::string(known.name));
    if (!ends || known.name.size() <= longest) continue;
    longest = known.name.size();
    reading.known = &known;
  }
  if (reading.known != nullptr) reading.known = &told_apart(words, *reading.known);
  return reading;
}

// Beside a cross-attention, attention of no other name is the decoder's own.
void take_own_attention(std::vector<NamedArray>& all) {
  const auto has = [&](const KnownName& known) {
    return std::ranges::find(all, &known, &NamedArray::known) != all.end();
  };
  if (!has(kAcross) || has(kSelf)) return;
  for (NamedArray& other : all) {
    if (other.known->meaning == &M::attention && other.known != &kAcross) other.known = &kSelf;
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
    if (reading.known == nullptr) {
      meanings.unused.push_back(array.name);
    } else {
      all.push_back(reading);
    }
  }
  take_own_attention(all);
  std::ranges::stable_sort(all, {},
                           [](const NamedArray& one) { return std::pair(one.known, one.layer); });
  std::vector<NamedArray> taken;
  for (const NamedArray& one : all) {
    const auto meaning = one.known->meaning;
    const auto last = std::find_if(taken.rbegin(), taken.rend(), [&](const NamedArray& other) {
      return other.known->meaning == meaning;
    });
    // Two arrays of one layer, such as those of encoder and decoder, are not two layers.
    const bool is_taken =
        last == taken.rend() || (last->known == one.known && last->layer != one.layer);
    (is_taken ? meanings.*meaning : meanings.unused).push_back(one.name);
    if (is_taken) taken.push_back(one);
  }
  settle_attentions(meanings);
  return meanings;
}

}  // namespace attn
