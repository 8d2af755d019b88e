// Readings of array files: words, candidates by rank, and consistency.
#include "document/load/array_reading.h"

#include <algorithm>
#include <cctype>
#include <functional>
#include <set>
#include <utility>

#include "base/joined.h"
#include "base/parsed_number.h"
#include "document/axes.h"
#include "document/problem.h"
#include "text/nearest.h"

namespace attn {
namespace {

using Names = std::vector<std::string>;
using Means = ArrayMeanings;

constexpr ArrayRole kRoles[] = {{"attention", "Attention", &Means::attention},
                                {"q", "Queries", &Means::q},
                                {"k", "Keys", &Means::k},
                                {"v", "Values", &Means::v},
                                {"tokens", "Tokens", &Means::tokens},
                                {"query_tokens", "Query tokens", &Means::query_tokens},
                                {"key_tokens", "Key tokens", &Means::key_tokens}};
constexpr std::string_view kOtherKeys[] = {"mask",   "hidden", "bias",  "axes",
                                           "k.axes", "v.axes", "heads", "mask.axes"};

// Orders of axes by their first letters, the usual ones first; a q without k: one query.
constexpr std::string_view kLetters = "lshqk";
constexpr std::string_view kWeightOrders[] = {"qk",   "hk",    "sk",    "hqk",   "sqk",  "lqk",
                                              "qhk",  "lhqk",  "shqk",  "hsqk",  "sqhk", "lsqk",
                                              "slqk", "lshqk", "slhqk", "lhsqk", "lsqhk"};
// Orders of axes of queries, keys and values; q and k are tokens and features.
constexpr std::string_view kRowOrders[] = {"qk",   "hqk",  "qhk",  "sqk",   "lqk",  "shqk",
                                           "sqhk", "lhqk", "lqhk", "lshqk", "lsqhk"};

Error wrong_axes(const Shape& shape) {
  return refusal_at(
      "", "an array with this number of axes is not attention", shape_text(shape),
      "(n_q, n_k), (heads, n_q, n_k), (layers, heads, n_q, n_k) or (layers, samples, "
      "heads, n_q, n_k)",
      shape.size() < 2 ? "give it rows: array.reshape(1, -1)" : "save a part of it: array[0]");
}

std::vector<std::string_view> known_keys() {
  std::vector<std::string_view> keys = names_of(std::span(kRoles), &ArrayRole::key);
  keys.insert(keys.end(), std::begin(kOtherKeys), std::end(kOtherKeys));
  return keys;
}

Error no_words(const std::string& found) {
  return refusal_at("", "this is not a setting of arrays", "\"" + found + "\"",
                    "KEY=NAME with a key of " + joined(known_keys()),
                    "for example: q=layers.*.q axes=layer,head,token,feature");
}

// --- names

// The only array of a file may have no name. Precondition: the array exists.
const ArrayFacts& array_in(const ArrayChoices& choices, std::string_view name) {
  return *std::ranges::find(choices.arrays, name, &ArrayFacts::name);
}

// --- shapes

// The array, or the arrays of layers, heads or both stacked along new first axes.
ArrayLayout stacked_array(const ArrayChoices& choices, std::string_view key, const Names& names) {
  ArrayLayout layout{std::string(key), names, array_in(choices, names.front()).shape, {}};
  const auto is_group = [&](const ArrayGroup& group) { return group.names == names; };
  const auto group = std::ranges::find_if(choices.groups, is_group);
  const std::size_t heads = group == choices.groups.end() ? 0 : group->heads;
  const std::size_t layers = heads == 0 ? names.size() : names.size() / heads;
  if (layers > 1) layout.stacked = "l";
  if (heads > 0) layout.stacked += "h";
  // Drops an axis of extent 1 when there are six.
  const auto one = std::ranges::find(layout.shape, 1U);
  const std::size_t rank = layout.stacked.size() + layout.shape.size();
  if (rank > known_axes(key).size() && one != layout.shape.end()) layout.shape.erase(one);
  if (heads > 0) layout.shape.insert(layout.shape.begin(), heads);
  if (layers > 1) layout.shape.insert(layout.shape.begin(), layers);
  return layout;
}

// Names that words list are stacked in their order.
Status check_stack(const ArrayChoices& choices, const std::string& key, const Names& names,
                   bool are_listed) {
  const ArrayFacts& first = array_in(choices, names.front());
  const std::set<std::string_view> stacked(names.begin(), names.end());
  for (const ArrayFacts& array : choices.arrays) {
    if (array.shape == first.shape || !stacked.contains(array.name)) continue;
    return refusal_at("", "the layers have different shapes",
                      first.name + " " + shape_text(first.shape) + ", " + array.name + " " +
                          shape_text(array.shape),
                      "equal shapes");
  }
  for (const ArrayGroup& group : choices.groups) {
    if (group.collision.empty() || group.names != names || are_listed) continue;
    return refusal_at("", "two names have the same number", group.collision,
                      "different numbers of layers",
                      "name the layers in their order: " + arrays_flag({{key, names}}));
  }
  return ok_status();
}

// The number of heads in the words; 0 if there is none.
Result<std::size_t> heads_in_words(const ArrayWords& words) {
  const auto said = words.find("heads");
  if (said == words.end()) return std::size_t{0};
  const Result<std::int64_t> number = parse_integer(joined(said->second));
  if (number && *number > 0) return static_cast<std::size_t>(*number);
  return refusal_at("", "this is not a number of heads", joined(said->second), "1 or more");
}

// Splits the last axes into heads: `heads` of the queries, keys of the same width, values in equal
// number.
Status put_heads_apart(std::vector<ArrayLayout>& all, std::size_t heads) {
  std::size_t width = 0;
  for (ArrayLayout& layout : all) {
    const std::size_t last = layout.shape.empty() ? 0 : layout.shape.back();
    if (layout.key == "k") heads = width == 0 ? 0 : last / width;
    if (heads == 0 || last % heads != 0) {
      return refusal_at(
          "", "the last axis of " + layout.key + " cannot be cut into heads of equal width",
          std::to_string(last), "a multiple of the number of heads");
    }
    width = layout.shape.back() = last / heads;
    layout.shape.insert(layout.shape.end() - 1, layout.heads = heads);
  }
  return ok_status();
}

Status check_axes(const ArrayLayout& layout) {
  const std::span<const std::string_view> known = known_axes(layout.key);
  const auto times = [&](std::string_view axis) { return std::ranges::count(layout.axes, axis); };
  const auto all = std::ranges::count_if(known, [&](auto axis) { return times(axis) == 1; });
  const bool may_lack = layout.key == "attention";  // queries, if there is one
  const bool has_last =
      times(known.back()) == 1 && (may_lack || times(known[known.size() - 2]) == 1);
  const std::size_t rank = layout.shape.size();
  if (has_last && layout.axes.size() == rank && static_cast<std::size_t>(all) == rank) {
    return ok_status();
  }
  return refusal_at("", "these are no axes of " + layout.key,
                    joined(layout.axes) + " for " + shape_text(layout.shape),
                    (rank > known.size() ? "at most " + std::to_string(known.size())
                                         : std::to_string(rank) + " different ones") +
                        " of " + joined(known) + ", with " + std::string(known[known.size() - 2]) +
                        " and " + std::string(known.back()));
}

// Queries, keys and any values.
Status check_rows(const std::vector<ArrayLayout>& layouts) {
  const ArrayLayout& k = layouts[1];
  for (const ArrayLayout& other : layouts) {
    if (other.names.size() != k.names.size() && other.shape.size() != k.shape.size()) {
      return refusal_at("", other.key + " and k have different numbers of layers",
                        joined(other.names) + "; " + joined(k.names),
                        "an array of each for every layer");
    }
    const bool is_q = other.key == "q";
    for (const char* axis : {"layer", "sample", is_q ? "feature" : "head", is_q ? "" : "token"}) {
      if (other.extent(axis) == k.extent(axis)) continue;
      return refusal_at(
          "", other.key + " and k differ along the axis " + axis,
          std::to_string(other.extent(axis)) + " and " + std::to_string(k.extent(axis)),
          "equal extents, or heads=N if N heads are joined in the last axis");
    }
  }
  const std::size_t heads = layouts.front().extent("head"), kv_heads = k.extent("head");
  if (heads % kv_heads == 0) return ok_status();
  return refusal_at("", "the heads of q are not a multiple of those of k",
                    std::to_string(heads) + " and " + std::to_string(kv_heads),
                    "a multiple of the heads of k");
}

Status check_layouts(const std::vector<ArrayLayout>& layouts) {
  if (Status rows = layouts.size() == 1 ? ok_status() : check_rows(layouts); !rows) return rows;
  for (const ArrayLayout& each : layouts) {
    if (Status axes = check_axes(each); !axes) return axes;
  }
  return ok_status();
}

// --- candidates

// Returns the axes of an order, or nothing if they are not those of such an array.
Names axes_in_order(std::string_view order, const ArrayLayout& layout, bool heads_are_behind) {
  const bool is_stack = order.size() == layout.shape.size() - layout.stacked.size();
  const bool repeats = std::ranges::any_of(
      layout.stacked, [&](char letter) { return order.find(letter) != order.npos; });
  const bool is_behind = order.ends_with("qhk") || order == "qk";
  if (!is_stack || repeats || (heads_are_behind && !is_behind)) return {};
  Names axes;
  for (const char letter : layout.stacked + std::string(order)) {
    axes.emplace_back(known_axes(layout.key)[kLetters.find(letter)]);
  }
  return axes;
}

// Axes and extents other than 1: equal for readings that give the same document.
std::string document_of(const ArrayReading& reading) {
  std::string text;
  for (const ArrayLayout& layout : reading.layouts) {
    for (std::size_t i = 0; i < layout.axes.size(); ++i) {
      if (layout.shape[i] > 1) text += layout.axes[i] + std::to_string(layout.shape[i]) + " ";
    }
    text += "; ";
  }
  return text;
}

// The arrays of which a reading takes numbers, without axes.
Result<ArrayReading> base_reading(const ArrayChoices& choices, const ArrayWords& words) {
  const Result<Means> names = names_in_words(choices, words);
  if (!names) return names.error();
  ArrayReading base{*names, {}, 0, {}};
  for (const ArrayRole& role : std::span(kRoles).first(4)) {
    const Names& of = base.names.*role.names;
    if (of.empty() || (!names->attention.empty() && !base.layouts.empty())) continue;
    const auto said = words.find(role.key);
    const bool are_listed = said != words.end() && said->second.size() == of.size();
    const Status stack = check_stack(choices, std::string(role.key), of, are_listed);
    if (!stack) return stack.error();
    base.layouts.push_back(stacked_array(choices, role.key, of));
  }
  const Result<std::size_t> heads = heads_in_words(words);
  if (!heads) return heads.error();
  if (!names->attention.empty()) return base;
  if (!names->q.empty() && !names->k.empty()) {
    const Status apart = *heads == 0 ? ok_status() : put_heads_apart(base.layouts, *heads);
    return apart ? Result(base) : apart.error();
  }
  return refusal_at("", "no array is attention, or queries and keys",
                    "neither attention nor q and k", "attention=NAME, or q=NAME k=NAME");
}

// Axes that words or the file itself give to an array; none if they do not.
Names axes_given(const ArrayChoices& choices, const ArrayWords& words, const ArrayLayout& layout) {
  Names axes = choices.noted_axes(layout.names.front());
  if (!axes.empty() && layout.names.size() > 1) axes.insert(axes.begin(), "layer");
  for (const std::string& key : {std::string("axes"), layout.key + ".axes"}) {
    if (const auto said = words.find(key); said != words.end()) axes = said->second;
  }
  if (layout.key == "attention") return axes;
  std::ranges::replace(axes, "query", "token");
  std::ranges::replace(axes, "key", "token");
  return axes;
}

// Readings by all orders of axes, or by the given ones.
std::vector<ArrayReading> candidates(const ArrayChoices& choices, const ArrayWords& words,
                                     const ArrayReading& base) {
  const ArrayLayout& first = base.layouts.front();
  const bool is_given = !axes_given(choices, words, first).empty();
  const std::span<const std::string_view> orders =
      first.key == "attention" ? std::span<const std::string_view>(kWeightOrders) : kRowOrders;
  std::vector<ArrayReading> found;
  for (const std::string_view order : is_given ? orders.first(1) : orders) {
    const Names axes = axes_in_order(order, first, words.contains("heads"));
    if (axes.empty() && !is_given) continue;
    ArrayReading& reading = found.emplace_back(base);
    for (ArrayLayout& layout : reading.layouts) {
      const Names given = axes_given(choices, words, layout);
      layout.axes = given.empty() ? axes : given;
    }
  }
  return found;
}

}  // namespace

std::span<const ArrayRole> all_array_roles() { return kRoles; }

std::span<const std::string_view> known_axes(std::string_view key) {
  if (key == "attention") return kAttentionAxes;
  return kQkvAxes;
}

std::size_t ArrayLayout::extent(std::string_view axis) const {
  const auto at = std::ranges::find(axes, axis) - axes.begin();
  return static_cast<std::size_t>(at) < shape.size() ? shape[static_cast<std::size_t>(at)] : 1;
}

bool ArrayReading::is_finished() const { return layouts.front().key == "attention"; }

std::size_t ArrayReading::extent(std::string_view axis) const {
  const ArrayLayout& of = axis == "key" && !is_finished() ? layouts[1] : layouts.front();
  const bool is_token = !is_finished() && (axis == "query" || axis == "key");
  return of.extent(is_token ? "token" : axis);
}

Names ArrayChoices::noted_axes(const std::string& name) const {
  const auto noted = axes.find(name);
  return noted == axes.end() ? Names() : noted->second;
}

// A backslash escapes a blank, a comma or a backslash in a name.
Result<ArrayWords> parse_array_words(std::string_view text) {
  ArrayWords words;
  std::string key, item;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : ' ';
    if (c == '\\' && i + 1 < text.size()) {
      item += text[++i];
    } else if (c == '=' && key.empty()) {
      key = std::exchange(item, {});
      if (std::ranges::count(known_keys(), key) == 0) return no_words(key);
      words[key].clear();
    } else if (c != ' ' && (c != ',' || key.empty())) {
      item += c;
    } else {
      if (key.empty() && !item.empty()) return no_words(item);
      if (!item.empty()) words[key].push_back(std::exchange(item, {}));
      if (c == ' ') key.clear();
    }
  }
  return words;
}

std::string array_words_text(const ArrayWords& words) {
  const auto escaped = [](const std::string& name) {
    std::string text;
    for (const char c : name) {
      if (c == ' ' || c == ',' || c == '\\') text += '\\';
      text += c;
    }
    return text;
  };
  return joined(words, " ", [&](const ArrayWords::value_type& word) {
    return word.first + "=" + joined(word.second, ",", escaped);
  });
}

bool says_nothing(const ArrayWords& words, std::string_view key) {
  const auto said = words.find(key);
  return said != words.end() && said->second.empty();
}

std::string arrays_flag(const ArrayWords& words) {
  const std::string text = array_words_text(words);
  const auto is_plain = [](unsigned char c) {
    return std::isalnum(c) != 0 ||
           std::string_view("=_.-/:").find(static_cast<char>(c)) != std::string_view::npos;
  };
  if (std::ranges::all_of(text, is_plain)) return "--arrays " + text;
  std::string quoted;
  for (const char c : text) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return "--arrays '" + quoted + "'";
}

Result<Names> arrays_named(const ArrayChoices& choices, const std::string& name) {
  const auto is_it = [&](const ArrayFacts& array) { return array.name == name; };
  if (std::ranges::any_of(choices.arrays, is_it)) return Names{name};
  const ArrayGroup* largest = nullptr;
  std::vector<ArrayFacts> matching;
  for (const ArrayFacts& array : choices.arrays) {
    if (matches(name, array.name)) matching.push_back(array);
  }
  const std::vector<ArrayGroup> groups = groups_of(matching);
  for (const ArrayGroup& group : groups) {
    if (largest == nullptr || group.names.size() > largest->names.size()) largest = &group;
  }
  if (largest != nullptr) return largest->names;
  if (auto refused = left_out_refusal(choices.left_out, name)) return *std::move(refused);
  constexpr std::size_t kShown = 6;
  Names all;
  for (const ArrayGroup& group : choices.groups) all.push_back(group.pattern);
  const std::string meant(nearest(name, std::vector<std::string_view>(all.begin(), all.end())));
  return refusal_at("", "the file has no array of this name", "\"" + name + "\"",
                    "one of " + joined_first(all, kShown),
                    meant.empty() ? "" : "did you mean " + meant + "?");
}

ArrayChoices choices_of(std::vector<ArrayFacts> arrays) {
  ArrayChoices choices{std::move(arrays), {}};
  choices.groups = groups_of(choices.arrays);
  return choices;
}

Result<ArrayMeanings> names_in_words(const ArrayChoices& choices, const ArrayWords& words) {
  Means means = choices.usual;
  if (words.contains("q")) means.attention.clear();
  if (words.contains("tokens")) means.ids.clear();
  if (words.contains("attention") || words.contains("q")) {
    means.self_attention.clear();
    means.encoder_attention.clear();
    means.only.reset();
  }
  for (const ArrayRole& role : kRoles) {
    const auto said = words.find(role.key);
    if (said == words.end()) continue;
    (means.*role.names).clear();
    for (const std::string& name : said->second) {
      const Result<Names> found = arrays_named(choices, name);
      if (!found) return found.error();
      for (const std::string& array : *found) {
        if (std::ranges::count(means.*role.names, array) == 0) {
          (means.*role.names).push_back(array);
          continue;
        }
        return refusal_at("", "an array is named twice for " + std::string(role.key), array,
                          "every array once");
      }
    }
  }
  const bool has_numbers =
      !means.tokens.empty() && array_in(choices, means.tokens.front()).type != "text";
  if (has_numbers) means.ids = std::exchange(means.tokens, {});
  return means;
}

Result<std::vector<ArrayReading>> array_readings(const ArrayChoices& choices,
                                                 const ArrayWords& words) {
  Result<ArrayReading> base = base_reading(choices, words);
  if (!base) return base.error();
  std::vector<ArrayReading> fitting;
  std::map<std::string, std::size_t> known;
  std::optional<Error> refused;
  for (ArrayReading& reading : candidates(choices, words, *base)) {
    const Status sound = check_layouts(reading.layouts);
    if (!sound && !refused) refused = sound.error();
    if (!sound) continue;
    reading.evidence = evidence_for(choices, words, reading);
    for (const Evidence& each : reading.evidence) reading.points += each.points;
    const auto [same, is_new] = known.emplace(document_of(reading), fitting.size());
    if (is_new) {
      fitting.push_back(std::move(reading));
    } else if (fitting[same->second].points < reading.points) {
      fitting[same->second] = std::move(reading);
    }
  }
  if (fitting.empty()) return refused ? *refused : wrong_axes(base->layouts.front().shape);
  std::ranges::stable_sort(fitting, std::greater(), &ArrayReading::points);
  return fitting;
}

}  // namespace attn
