// Compares names by the edits between them.
#include "text/nearest.h"

#include <algorithm>
#include <utility>

#include "base/json_writer.h"
#include "base/utf8.h"

namespace attn {
namespace {

// Longer names are never misspellings, and the comparison is quadratic.
constexpr std::size_t kLongestMisspelling = 64;

// Our keys, and the names that other programs and papers give to their values, in small letters.
struct ForeignNames {
  std::string_view key, names;  // with a blank around each
};
constexpr ForeignNames kForeignNames[] = {
    {"heads", " num_heads n_heads n_head nhead num_attention_heads "},
    {"kv_heads", " num_kv_heads n_kv_heads num_key_value_heads "},
    {"d_model", " hidden_size embed_dim embedding_dim n_embd d_embed "},
    {"d_ff", " intermediate_size dim_feedforward "},
    {"blocks", " layers num_layers n_layers n_layer num_hidden_layers "},
    {"q", " query queries "},
    {"k", " key keys "},
    {"v", " value values "},
    {"mask", " attn_mask attention_mask "},
    {"causal", " is_causal "},
    {"key_padding", " key_padding_mask "},
    {"attention", " weights attn_weights attention_weights "},
    {"weights", " attention attentions attn attn_weights probabilities probs softmax "},
    {"scores", " logits energies "},
    {"output", " context context_vectors "},
    {"base", " rope_theta "},
    {"window", " sliding_window "},
};

// Insertions, deletions, replacements and swaps of neighbours that turn `a` into `b`, in bytes.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) above[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({replaced, above[j] + 1, row[j - 1] + 1});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, above);
    std::swap(above, row);
  }
  return above[b.size()];
}

}  // namespace

std::string_view nearest(std::string_view name, std::span<const std::string_view> names) {
  if (name.empty() || name.size() > kLongestMisspelling || names.empty()) return {};
  const std::string_view best = nearest_few(name, names, 1).front();
  // A name with no letter right is not a misspelling.
  const std::size_t enough = std::min(std::max<std::size_t>(2, name.size() / 3) + 1, name.size());
  const bool is_near = edit_distance(in_small_letters(name), in_small_letters(best)) < enough;
  return is_near ? best : std::string_view{};
}

std::string_view meant_key(std::string_view name, std::span<const std::string_view> names) {
  const auto is_known = [&](std::string_view key) {
    return std::ranges::find(names, key) != names.end();
  };
  const std::string word = " " + in_small_letters(name) + " ";
  for (const auto& [key, foreign] : kForeignNames) {
    if (foreign.find(word) != foreign.npos && is_known(key)) return key;
  }
  return nearest(name, names);
}

std::vector<std::string_view> nearest_few(std::string_view name,
                                          std::span<const std::string_view> names,
                                          std::size_t count) {
  const std::string small = in_small_letters(name.substr(0, kLongestMisspelling));
  std::vector<std::pair<std::size_t, std::size_t>> places;  // by their distances
  for (std::size_t i = 0; i < names.size(); ++i) {
    places.emplace_back(edit_distance(small, in_small_letters(names[i])), i);
  }
  count = std::min(count, names.size());
  std::ranges::partial_sort(places, places.begin() + static_cast<std::ptrdiff_t>(count));
  std::vector<std::string_view> few;
  for (std::size_t i = 0; i < count; ++i) few.push_back(names[places[i].second]);
  return few;
}

std::string unknown_in_view(const std::string& what, const std::string& name,
                            const std::vector<std::string_view>& known, const std::string& usual) {
  std::string text = "the view names a " + what + " that does not exist, ";
  append_json(text, name);
  const std::string_view meant = nearest(name, known);
  if (!meant.empty()) append_json(text += ", perhaps for ", meant);
  return text + "; " + usual + " is shown";
}

}  // namespace attn
