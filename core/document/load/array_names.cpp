// The names that libraries give to attention, queries, keys, values, masks and tokens.
#include "document/load/array_names.h"

#include <algorithm>
#include <cctype>
#include <optional>
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

struct NameReading {
  const KnownName* known = nullptr;
  std::optional<std::size_t> layer;
};

// The words of a name joined by "_", and the first number among them.
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
const KnownName& told_apart(std::string_view words, const KnownName& known) {
  const auto says = [&](std::string_view word) { return words.find(word) != words.npos; };
  if (known.meaning != &M::attention) return known;
  const bool encoder = says("encoder"), decoder = says("decoder") || words.starts_with("self_");
  if (says("cross") || (encoder && decoder)) return kAcross;
  return encoder ? kEncoder : decoder ? kSelf : known;
}

NameReading reading_of(std::string_view name) {
  NameReading reading;
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

struct Candidate {
  const KnownName* known;
  std::size_t layer;
  std::string name;
};

// The candidates of one meaning with the preferred name, by layer.
std::vector<Candidate> chosen(std::vector<Candidate> candidates) {
  if (candidates.empty()) return candidates;
  const KnownName* best = std::ranges::min_element(candidates, {}, &Candidate::known)->known;
  std::erase_if(candidates, [&](const Candidate& other) { return other.known != best; });
  std::ranges::stable_sort(candidates, {}, &Candidate::layer);
  // Two arrays of one layer, such as those of encoder and decoder, are not two layers.
  const auto same = [](const Candidate& a, const Candidate& b) { return a.layer == b.layer; };
  const auto twice = std::unique(candidates.begin(), candidates.end(), same);
  candidates.erase(twice, candidates.end());
  return candidates;
}

// Beside a cross-attention, attention of no other name is the decoder's own.
void take_own_attention(std::vector<Candidate>& all) {
  const auto has = [&](const KnownName& known) {
    return std::ranges::find(all, &known, &Candidate::known) != all.end();
  };
  if (!has(kAcross) || has(kSelf)) return;
  for (Candidate& other : all) {
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
  std::vector<Candidate> all;
  for (const ListedArray& listed : listing.arrays) {
    const NameReading reading = reading_of(listed.array.name);
    if (reading.known != nullptr) {
      all.push_back({reading.known, reading.layer.value_or(0), listed.array.name});
    } else {
      meanings.unused.push_back(listed.array.name);
    }
  }
  take_own_attention(all);
  while (!all.empty()) {
    const auto meaning = all.front().known->meaning;
    std::vector<Candidate> same;
    std::erase_if(all, [&](const Candidate& candidate) {
      const bool is_same = candidate.known->meaning == meaning;
      if (is_same) same.push_back(candidate);
      return is_same;
    });
    const std::vector<Candidate> taken = chosen(same);
    for (const Candidate& candidate : taken) (meanings.*meaning).push_back(candidate.name);
    for (const Candidate& candidate : same) {
      const bool is_taken =
          std::ranges::find(taken, candidate.name, &Candidate::name) != taken.end();
      if (!is_taken) meanings.unused.push_back(candidate.name);
    }
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
