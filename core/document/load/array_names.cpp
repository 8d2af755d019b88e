// Meaning of arrays by their names, and by rows that sum to 1.
#include <algorithm>
#include <string_view>

#include "document/load/array_reading.h"

namespace attn {
namespace {

using Groups = std::vector<const ArrayGroup*>;

enum class Which { Plain, Across, Decoder, Encoder };

// The attention that "decoder.3.attn", "encoder_attentions" or "cross_attentions" names;
// "decoder.layers.3.encoder_attn" is across.
Which which_attention(const ArrayGroup& group) {
  const std::string words = name_words(group.names.front());
  const auto says = [&](std::string_view word) { return words.find(word) != words.npos; };
  const bool encoder = says("encoder"), decoder = says("decoder") || words.starts_with("self_");
  if (says("cross") || (encoder && decoder)) return Which::Across;
  if (!encoder && !decoder) return Which::Plain;
  return encoder ? Which::Encoder : Which::Decoder;
}

bool sums_to_one(const ArrayChoices& choices, const ArrayGroup& group) {
  return std::ranges::all_of(
      group.places, [&](std::size_t place) { return choices.arrays[place].rows.sum_to_one; });
}

// The most specific of the names; among equal ones the largest group, then the first.
const ArrayGroup* best_of(const Groups& groups) {
  const ArrayGroup* best = nullptr;
  for (const ArrayGroup* group : groups) {
    const auto better = [&] {
      const std::size_t known = group->known ? group->known->rank : 0;
      const std::size_t before = best->known ? best->known->rank : 0;
      if (known != before) return known < before;
      return group->names.size() > best->names.size();
    };
    if (best == nullptr || better()) best = group;
  }
  return best;
}

std::vector<std::string> names_of_best(const Groups& groups) {
  const ArrayGroup* best = best_of(groups);
  return best == nullptr ? std::vector<std::string>() : best->names;
}

Groups groups_if(const ArrayChoices& choices, const auto& is_it) {
  Groups found;
  for (const ArrayGroup& group : choices.groups) {
    if (is_it(group)) found.push_back(&group);
  }
  return found;
}

Groups groups_of_role(const ArrayChoices& choices, NameRole role) {
  return groups_if(choices, [&](const ArrayGroup& group) { return group.has_role(role); });
}

bool has_edges(const ArrayChoices& choices) {
  return !groups_of_role(choices, NameRole::Sparse).empty();
}

// Arrays that may be finished attention by their names.
Groups known_weights(const ArrayChoices& choices) {
  return groups_if(choices, [&](const ArrayGroup& group) {
    const bool may_be = group.has_role(NameRole::Scores) || group.has_role(NameRole::Perhaps);
    const bool is_finished = (may_be || has_edges(choices)) && sums_to_one(choices, group);
    return is_finished || (group.has_role(NameRole::Weights) && !has_edges(choices));
  });
}

bool is_unknown(const ArrayGroup& group) { return !group.known && group.type != NameType::Text; }

bool is_square(const ArrayGroup& group) {
  const Shape& shape = group.shape;
  return shape.size() > 1 && shape.back() == shape[shape.size() - 2];
}

// Takes two groups with equal layers, one square and one with other keys: the square one is the
// decoder's own attention, the other one is across. False if there are none.
bool takes_parts(const Groups& groups, ArrayMeanings& means) {
  for (const ArrayGroup* across : groups) {
    for (const ArrayGroup* own : groups) {
      const bool are_parts =
          own->names.size() == across->names.size() && own->shape.size() == across->shape.size() &&
          name_words(own->pattern) == name_words(across->pattern) && own->layers == across->layers;
      const bool are_two = is_square(*own) && !is_square(*across) &&
                           own->shape.back() == across->shape[across->shape.size() - 2];
      if (!are_parts || !are_two) continue;
      means.attention = across->names;
      means.self_attention = own->names;
      return true;
    }
  }
  return false;
}

// Assigns attentions by their names. Without one across, a decoder's or an encoder's is the only
// one; with one, attention of any other name is the decoder's own.
void take_attentions(const Groups& all, ArrayMeanings& means) {
  const auto of = [&](Which which) {
    Groups found = all;
    std::erase_if(found, [&](const ArrayGroup* group) { return which_attention(*group) != which; });
    return names_of_best(found);
  };
  const std::vector<std::string> plain = of(Which::Plain);
  means.attention = of(Which::Across);
  means.self_attention = of(Which::Decoder);
  means.encoder_attention = of(Which::Encoder);
  if (means.attention.empty()) {
    means.attention = plain;
  } else if (means.self_attention.empty()) {
    means.self_attention = plain;
  }
  const bool has_across = !means.attention.empty() && means.attention != plain;
  if (!has_across && takes_parts(all, means)) return;
  if (!means.attention.empty()) return;
  const bool of_keys = means.self_attention.empty();
  means.attention.swap(of_keys ? means.encoder_attention : means.self_attention);
  if (!means.attention.empty()) means.only = of_keys ? Side::Key : Side::Query;
  means.encoder_attention.clear();
}

}  // namespace

ArrayMeanings meanings_of(const ArrayChoices& choices) {
  ArrayMeanings means;
  const auto names = [&](NameRole role) { return names_of_best(groups_of_role(choices, role)); };
  take_attentions(known_weights(choices), means);
  means.q = names(NameRole::Q);
  means.k = names(NameRole::K);
  means.v = names(NameRole::V);
  means.tokens = names(NameRole::Tokens);
  means.query_tokens = names(NameRole::QueryTokens);
  means.key_tokens = names(NameRole::KeyTokens);
  means.ids = names(NameRole::Ids);
  const bool has_attention = !means.attention.empty() || (!means.q.empty() && !means.k.empty());
  if (has_attention || has_edges(choices)) return means;
  const Groups unknown = groups_if(choices, is_unknown);
  Groups finished = unknown;
  std::erase_if(finished, [&](const ArrayGroup* group) {
    return group->shape.size() < 2 || !sums_to_one(choices, *group);
  });
  take_attentions(finished, means);
  // A single array is shown whatever its name.
  const bool is_lone = unknown.size() == 1 && unknown.front()->names.size() == 1;
  if (finished.empty() && is_lone) means.attention = unknown.front()->names;
  return means;
}

}  // namespace attn
