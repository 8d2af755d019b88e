// Numbers in names: finds those that count layers and heads, and those that separate groups.
#include "document/load/name_groups.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "base/parsed_number.h"

namespace attn {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// A name in parts: texts[0] numbers[0] texts[1] numbers[1] … texts.back().
struct Parts {
  std::vector<std::string> texts{""};
  std::vector<std::uint64_t> numbers;
  std::size_t array = 0;  // position in the file
};

Parts parts_of(std::string_view name) {
  Parts parts;
  for (std::size_t at = 0; at < name.size();) {
    if (!is_digit(name[at])) {
      parts.texts.back() += name[at++];
      continue;
    }
    const std::size_t begin = at;
    while (at < name.size() && is_digit(name[at])) ++at;
    const Result<std::int64_t> number = parse_integer(name.substr(begin, at - begin));
    if (number) {
      parts.numbers.push_back(static_cast<std::uint64_t>(*number));
      parts.texts.emplace_back();
    } else {
      parts.texts.back() += name.substr(begin, at - begin);  // a hash, not a number
    }
  }
  return parts;
}

// True if the number follows one of the words: "layer.3", "encoderLayer3", "heads_1".
bool is_behind(const Parts& parts, std::size_t number, std::span<const std::string_view> words) {
  const std::string before = name_words(parts.texts[number]);
  return std::ranges::any_of(words, [&](std::string_view word) {
    return before.ends_with(word) || before.ends_with(std::string(word) + "s");
  });
}

constexpr std::string_view kLayerWords[] = {"layer", "block", "stage"}, kHeadWords[] = {"head"};
constexpr std::size_t kNone = static_cast<std::size_t>(-1);

// Positions of the numbers that count layers and heads in names that are otherwise equal.
struct Meaning {
  std::size_t layer = kNone, head = kNone;
  std::vector<std::size_t> others;
};

Meaning meaning_of(const std::vector<Parts>& family, bool with_heads) {
  Meaning meaning;
  std::vector<std::size_t> varying;
  for (std::size_t i = 0; i < family.front().numbers.size(); ++i) {
    const auto differs = [&](const Parts& one) {
      return one.numbers[i] != family.front().numbers[i];
    };
    if (std::ranges::any_of(family, differs)) varying.push_back(i);
  }
  const auto take = [&](std::size_t& as, const auto& is_it) {
    const auto found = std::ranges::find_if(varying, is_it);
    if (found == varying.end()) return;
    as = *found;
    varying.erase(found);
  };
  const auto behind = [&](std::span<const std::string_view> words) {
    return [&family, words](std::size_t i) { return is_behind(family.front(), i, words); };
  };
  if (with_heads) take(meaning.head, behind(kHeadWords));
  take(meaning.layer, behind(kLayerWords));
  if (meaning.layer == kNone) take(meaning.layer, [](std::size_t) { return true; });
  meaning.others = std::move(varying);
  return meaning;
}

std::uint64_t number_at(const Parts& parts, std::size_t place) {
  return place == kNone ? 0 : parts.numbers[place];
}

std::string pattern_of(const Parts& parts, const Meaning& meaning, const std::string& name) {
  std::string pattern;
  std::size_t at = 0;
  for (std::size_t i = 0; i < parts.numbers.size(); ++i) {
    pattern += parts.texts[i];
    at += parts.texts[i].size();
    const std::size_t begin = at;
    while (at < name.size() && is_digit(name[at])) ++at;
    const bool is_open = i == meaning.layer || i == meaning.head;
    pattern += is_open ? "*" : name.substr(begin, at - begin);
  }
  return pattern + parts.texts.back();
}

// One group of a family; by layer and head.
ArrayGroup group_of(std::span<const ArrayFacts> arrays, std::vector<Parts> members,
                    const Meaning& meaning) {
  const auto place = [&](const Parts& parts) {
    return std::pair(number_at(parts, meaning.layer), number_at(parts, meaning.head));
  };
  std::ranges::stable_sort(members, {}, place);
  const ArrayFacts& first = arrays[members.front().array];
  ArrayGroup group;
  group.pattern = first.name;
  group.shape = first.shape;
  group.type = type_of(first);
  group.known = known_name(first.name, group.type);
  std::set<std::uint64_t> layers;
  for (const Parts& member : members) {
    const std::string& name = arrays[member.array].name;
    const bool is_same = !group.names.empty() && place(member) == place(*(&member - 1));
    if (is_same) group.collision = group.names.back() + ", " + name;
    group.names.push_back(name);
    group.places.push_back(member.array);
    layers.insert(number_at(member, meaning.layer));
  }
  if (members.size() == 1) return group;
  group.pattern = pattern_of(members.front(), meaning, first.name);
  if (meaning.head != kNone) group.heads = members.size() / layers.size();
  group.layers.assign(layers.begin(), layers.end());
  return group;
}

// True if each layer has the same heads.
bool is_grid(const std::vector<Parts>& members, const Meaning& meaning) {
  std::set<std::pair<std::uint64_t, std::uint64_t>> cells;
  std::set<std::uint64_t> layers, heads;
  for (const Parts& member : members) {
    layers.insert(number_at(member, meaning.layer));
    heads.insert(number_at(member, meaning.head));
    cells.emplace(number_at(member, meaning.layer), number_at(member, meaning.head));
  }
  return cells.size() == layers.size() * heads.size();
}

// Groups of names that differ only in numbers.
std::vector<ArrayGroup> groups_in(std::span<const ArrayFacts> arrays,
                                  const std::vector<Parts>& family, bool with_heads = true) {
  const Meaning meaning = meaning_of(family, with_heads);
  using PartKey = std::tuple<std::vector<std::uint64_t>, Shape, NameType>;
  std::map<PartKey, std::vector<Parts>> parted;
  for (const Parts& parts : family) {
    PartKey key{{}, arrays[parts.array].shape, type_of(arrays[parts.array])};
    for (const std::size_t other : meaning.others) std::get<0>(key).push_back(parts.numbers[other]);
    parted[key].push_back(parts);
  }
  std::vector<ArrayGroup> groups;
  for (const auto& [key, members] : parted) {
    if (meaning.head != kNone && !is_grid(members, meaning)) {
      std::vector<ArrayGroup> apart = groups_in(arrays, family, false);
      for (ArrayGroup& group : apart) group.lacks_heads = true;
      return apart;
    }
    groups.push_back(group_of(arrays, members, meaning));
  }
  return groups;
}

}  // namespace

bool names_padding(const ArrayGroup& group) {
  constexpr int kListed = -9;  // attention_mask and similar names
  return group.has_role(NameRole::Padding) ||
         (group.has_role(NameRole::Mask) && group.known->leaning == kListed);
}

std::vector<ArrayGroup> groups_of(std::span<const ArrayFacts> arrays) {
  std::map<std::vector<std::string>, std::vector<Parts>> families;
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    Parts parts = parts_of(arrays[i].name);
    parts.array = i;
    families[parts.texts].push_back(std::move(parts));
  }
  std::vector<ArrayGroup> groups;
  for (const auto& [texts, family] : families) {
    std::ranges::move(groups_in(arrays, family), std::back_inserter(groups));
  }
  std::ranges::stable_sort(
      groups, {}, [](const ArrayGroup& group) { return *std::ranges::min_element(group.places); });
  return groups;
}

bool matches(std::string_view pattern, std::string_view name) {
  const std::size_t star = pattern.find('*');
  if (star == pattern.npos) return pattern == name;
  if (!name.starts_with(pattern.substr(0, star))) return false;
  std::size_t end = star;
  while (end < name.size() && is_digit(name[end])) ++end;
  return end > star && matches(pattern.substr(star + 1), name.substr(end));
}

}  // namespace attn
