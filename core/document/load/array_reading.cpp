// Readings of array files: words, candidates by rank, and what must agree.
#include "document/load/array_reading.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include "base/joined.h"
#include "base/number_text.h"
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
                                {"mask", "Mask", &Means::visible},
                                {"bias", "Bias", &Means::bias},
                                {"tokens", "Tokens", &Means::tokens},
                                {"query_tokens", "Query tokens", &Means::query_tokens},
                                {"key_tokens", "Key tokens", &Means::key_tokens}};
constexpr std::string_view kOtherKeys[] = {"axes", "k.axes", "v.axes", "heads"};

// Orders of axes by their first letters, the usual ones first. T and F: token and feature, or query
// and key.
constexpr std::string_view kLetters = "lshTF";
constexpr std::string_view kOrders[] = {"TF",   "hTF",  "ThF",  "lTF",   "sTF",  "shTF",
                                        "lhTF", "sThF", "lThF", "lshTF", "lsThF"};
constexpr std::size_t kMostLikelyHeads = 128;

Error wrong_axes(const Shape& shape) {
  return refusal_at("", "an array with this number of axes is no document by itself",
                    shape_text(shape),
                    "(n_q, n_k), (heads, n_q, n_k), (layers, heads, n_q, n_k) or (layers, samples, "
                    "heads, n_q, n_k)",
                    "refer to it in a document: {\"q\": {\"file\": \"q.npy\"}, …}");
}

std::vector<std::string_view> known_keys() {
  std::vector<std::string_view> keys = names_of(std::span(kRoles), &ArrayRole::key);
  keys.insert(keys.end(), std::begin(kOtherKeys), std::end(kOtherKeys));
  return keys;
}

Error no_words(const std::string& found) {
  return refusal_at("", "this says nothing about arrays", "\"" + found + "\"",
                    "KEY=NAME with a key of " + joined(known_keys()),
                    "for example: q=layers.*.q axes=layer,head,token,feature");
}

// --- names

// "layers.*.q": the first number that is a word of its own is left open; "" without one.
std::string pattern_of(const std::string& name) {
  const auto is_part = [](unsigned char c) { return std::isalnum(c) != 0; };
  const auto is_digit = [](unsigned char c) { return std::isdigit(c) != 0; };
  for (auto from = name.begin(); from != name.end();) {
    const auto to = std::find_if_not(from, name.end(), is_part);
    if (from != to && std::all_of(from, to, is_digit)) {
      return std::string(name.begin(), from) + "*" + std::string(to, name.end());
    }
    from = std::find_if(to, name.end(), is_part);
  }
  return "";
}

// The only array of a file may have no name. Precondition: it is there.
const ArrayFacts& array_in(const ArrayChoices& choices, std::string_view name) {
  return *std::ranges::find(choices.arrays, name, &ArrayFacts::name);
}

// The array of the name, or those of a pattern in the order of their numbers.
Result<Names> arrays_named(const ArrayChoices& choices, const std::string& name) {
  Names names;
  for (const ArrayFacts& array : choices.arrays) {
    if (array.name == name) return Names{name};
    if (pattern_of(array.name) == name) names.push_back(array.name);
  }
  std::ranges::sort(names, {}, [](const std::string& n) { return std::pair(n.size(), n); });
  if (!names.empty()) return names;
  if (auto refused = left_out_refusal(choices.left_out, name)) return *std::move(refused);
  constexpr std::size_t kShown = 6;
  const Names all = array_patterns(choices.arrays);
  const std::string meant(nearest(name, std::vector<std::string_view>(all.begin(), all.end())));
  return refusal_at("", "the file has no array of this name", "\"" + name + "\"",
                    "one of " + joined_first(all, kShown),
                    meant.empty() ? "" : "did you mean " + meant + "?");
}

// --- shapes

Shape stacked_shape(const ArrayChoices& choices, const Names& names) {
  Shape shape = array_in(choices, names.front()).shape;
  if (names.size() > 1) shape.insert(shape.begin(), names.size());
  return shape;
}

Status check_stack(const ArrayChoices& choices, const Names& names) {
  const ArrayFacts& first = array_in(choices, names.front());
  const std::set<std::string_view> stacked(names.begin(), names.end());
  for (const ArrayFacts& array : choices.arrays) {
    if (array.shape == first.shape || !stacked.contains(array.name)) continue;
    return refusal_at("", "arrays of different shapes cannot be layers of one",
                      first.name + " " + shape_text(first.shape) + ", " + array.name + " " +
                          shape_text(array.shape),
                      "equal shapes");
  }
  return ok_status();
}

// The number that is said; 0 if none is.
Result<std::size_t> heads_said(const ArrayWords& words) {
  const auto said = words.find("heads");
  if (said == words.end()) return std::size_t{0};
  const Result<std::int64_t> number = parse_integer(joined(said->second));
  if (number && *number > 0) return static_cast<std::size_t>(*number);
  return refusal_at("", "this is no number of heads", joined(said->second), "1 or more");
}

// Cuts the last axes into heads: so many of queries, as wide ones of keys, as many of values.
Status put_heads_apart(std::vector<LaidArray>& all, std::size_t heads) {
  std::size_t width = 0;
  for (LaidArray& laid : all) {
    const std::size_t last = laid.shape.empty() ? 0 : laid.shape.back();
    if (laid.key == "k") heads = width == 0 ? 0 : last / width;
    if (heads == 0 || last % heads != 0) {
      return refusal_at("",
                        "the last axis of " + laid.key + " cannot be cut into heads of equal width",
                        std::to_string(last), "a multiple of the number of heads");
    }
    width = laid.shape.back() = last / heads;
    laid.shape.insert(laid.shape.end() - 1, laid.heads = heads);
  }
  return ok_status();
}

Status check_axes(const LaidArray& laid) {
  const std::span<const std::string_view> known = known_axes(laid.key);
  const auto times = [&](std::string_view axis) { return std::ranges::count(laid.axes, axis); };
  const auto all = std::ranges::count_if(known, [&](auto axis) { return times(axis) == 1; });
  const bool has_last = times(known.back()) == 1 && times(known[known.size() - 2]) == 1;
  const std::size_t rank = laid.shape.size();
  if (has_last && laid.axes.size() == rank && static_cast<std::size_t>(all) == rank) {
    return ok_status();
  }
  return refusal_at("", "these are no axes of " + laid.key,
                    joined(laid.axes) + " for " + shape_text(laid.shape),
                    std::to_string(rank) + " different ones of " + joined(known) + ", with " +
                        std::string(known[known.size() - 2]) + " and " + std::string(known.back()));
}

// Queries, keys and any values.
Status check_rows(const std::vector<LaidArray>& laid) {
  const LaidArray& k = laid[1];
  for (const LaidArray& other : laid) {
    const bool is_q = other.key == "q";
    for (const char* axis : {"layer", "sample", is_q ? "feature" : "head", is_q ? "" : "token"}) {
      if (other.extent(axis) == k.extent(axis)) continue;
      return refusal_at(
          "", other.key + " and k differ along the axis " + axis,
          std::to_string(other.extent(axis)) + " and " + std::to_string(k.extent(axis)),
          "equal extents, or heads=N if N heads lie side by side in the last axis");
    }
  }
  const std::size_t heads = laid.front().extent("head"), kv_heads = k.extent("head");
  if (heads % kv_heads == 0) return ok_status();
  return refusal_at("", "the heads of q cannot share those of k equally",
                    std::to_string(heads) + " and " + std::to_string(kv_heads),
                    "a multiple of the heads of k");
}

Status check_laid(const std::vector<LaidArray>& laid) {
  for (const LaidArray& each : laid) {
    if (Status axes = check_axes(each); !axes) return axes;
  }
  return laid.size() == 1 ? ok_status() : check_rows(laid);
}

// --- sentences

std::string sentence_of(const std::vector<LaidArray>& laid) {
  const bool is_weights = laid.size() == 1;
  const LaidArray &q = laid.front(), &last = laid.back();
  std::string text;
  for (const char* axis : {"layer", "sample", "head"}) {
    if (q.extent(axis) > 1) text += counted(q.extent(axis), axis) + " of ";
  }
  if (text.empty()) text = "a map of ";
  text += grouped_text(q.extent(is_weights ? "query" : "token")) + " × " +
          grouped_text(last.extent(is_weights ? "key" : "token"));
  if (q.names.front().empty()) return text;
  const char* what = is_weights         ? ", attention from "
                     : laid.size() == 2 ? ", queries and keys without values from "
                                        : ", queries, keys and values from ";
  return text + what +
         joined(laid, ", ", [](const LaidArray& each) { return source_text(each.names); });
}

// --- candidates

// The axes of an order, or nothing if they are not those of such an array.
Names axes_in_order(std::string_view order, const LaidArray& laid, bool heads_are_behind) {
  const bool is_weights = laid.key == "attention";
  LaidArray named = laid;
  named.axes.clear();
  for (const char letter : order) {
    named.axes.emplace_back(known_axes(laid.key)[kLetters.find(letter)]);
  }
  const bool is_behind = order.ends_with("ThF");
  const bool fits = named.axes.size() == laid.shape.size() &&
                    (laid.names.size() == 1 || named.axes.front() == "layer") &&
                    (!heads_are_behind || is_behind || order == "TF");
  // Attention with its heads behind the queries can only be told where it is square.
  const std::size_t queries = named.extent("query");
  const bool is_told = !is_weights || !is_behind || (queries > 1 && queries == named.extent("key"));
  return fits && is_told ? named.axes : Names{};
}

// A batch is as usual for queries as layers are; batches of attention are not asked about.
bool is_likely_order(std::string_view order, const LaidArray& laid) {
  if (laid.names.size() > 1 || order.starts_with("T") || order.starts_with("h")) return true;
  return laid.shape.size() > 3 && (laid.key != "attention" || !order.starts_with("s"));
}

// Drops the readings without the property unless none has it.
void prefer(std::vector<ArrayReading>& readings, const auto& has_it) {
  if (!std::ranges::any_of(readings, has_it)) return;
  std::erase_if(readings, [&](const ArrayReading& reading) { return !has_it(reading); });
}

// Likely ones with likely numbers of heads.
bool has_few_heads(const ArrayReading& reading) {
  return reading.is_likely && std::ranges::all_of(reading.laid, [](const LaidArray& laid) {
           return laid.extent("head") <= kMostLikelyHeads;
         });
}

// Drops what lists of tokens, or too many heads, speak against.
void sift(const ArrayChoices& choices, std::vector<ArrayReading>& readings) {
  prefer(readings, [&](const ArrayReading& reading) {
    const LaidArray& laid = reading.laid.front();
    const bool has_tokens =
        choices.tokens == 0 ||
        std::ranges::any_of(std::to_array({"token", "query", "key"}),
                            [&](const char* axis) { return laid.extent(axis) == choices.tokens; });
    return has_tokens && (choices.samples < 2 || laid.extent("sample") == choices.samples);
  });
  if (!std::ranges::any_of(readings, has_few_heads)) return;
  std::erase_if(readings, [](const ArrayReading& reading) {
    return reading.is_likely && !has_few_heads(reading);
  });
}

// The arrays that a reading takes numbers of, without axes.
Result<ArrayReading> base_reading(const ArrayChoices& choices, const ArrayWords& words) {
  const Result<Means> names = names_in_words(choices, words);
  if (!names) return names.error();
  ArrayReading base{*names, {}, true, {}};
  for (const ArrayRole& role : std::span(kRoles).first(4)) {
    const Names& of = base.names.*role.names;
    if (of.empty() || (!names->attention.empty() && !base.laid.empty())) continue;
    if (const Status stack = check_stack(choices, of); !stack) return stack.error();
    base.laid.push_back({std::string(role.key), of, stacked_shape(choices, of), {}});
  }
  const Result<std::size_t> heads = heads_said(words);
  if (!heads) return heads.error();
  if (!names->attention.empty()) return base;
  if (!names->q.empty() && !names->k.empty()) {
    const Status apart = *heads == 0 ? ok_status() : put_heads_apart(base.laid, *heads);
    return apart ? Result(base) : apart.error();
  }
  return refusal_at("", "no array is attention, or queries and keys",
                    "neither attention nor q and k", "attention=NAME, or q=NAME k=NAME");
}

// Axes that words or the file itself give to an array; none if they do not.
Names axes_given(const ArrayChoices& choices, const ArrayWords& words, const LaidArray& laid) {
  Names axes = choices.noted_axes(laid.names.front());
  if (!axes.empty() && laid.names.size() > 1) axes.insert(axes.begin(), "layer");
  for (const std::string& key : {std::string("axes"), laid.key + ".axes"}) {
    if (const auto said = words.find(key); said != words.end()) axes = said->second;
  }
  if (laid.key == "attention") return axes;
  std::ranges::replace(axes, "query", "token");
  std::ranges::replace(axes, "key", "token");
  return axes;
}

// Readings of all orders of axes, or of those that are given.
std::vector<ArrayReading> candidates(const ArrayChoices& choices, const ArrayWords& words,
                                     const ArrayReading& base) {
  const LaidArray& first = base.laid.front();
  const bool is_given = !axes_given(choices, words, first).empty();
  // Libraries of hooks record heads behind the tokens.
  const bool is_behind =
      first.key == "q" &&
      (words.contains("heads") || first.names.front().find("hook_") != std::string::npos);
  std::vector<ArrayReading> found;
  std::set<std::string_view> tails;
  for (const std::string_view order : is_given ? std::span(kOrders).first(1) : kOrders) {
    const Names axes = axes_in_order(order, first, is_behind);
    if (axes.empty() && !is_given) continue;
    // A first axis of extent 1 is the same, whatever it is called.
    const bool is_new = tails.insert(order.substr(1)).second;
    if (!is_new && first.shape.front() == 1) continue;
    ArrayReading& reading = found.emplace_back(base);
    reading.is_likely = is_likely_order(order, first);
    for (LaidArray& laid : reading.laid) {
      const Names given = axes_given(choices, words, laid);
      laid.axes = given.empty() ? axes : given;
    }
  }
  std::stable_partition(found.begin(), found.end(), std::mem_fn(&ArrayReading::is_likely));
  return found;
}

}  // namespace

std::vector<ArrayFacts> facts_of(const ArrayListing& listing) {
  std::vector<ArrayFacts> facts;
  facts.reserve(listing.arrays.size());
  for (const StoredArray& array : listing.arrays) {
    facts.push_back({array.name, type_text(array), array.shape});
  }
  return facts;
}

std::string source_text(const Names& names) {
  if (names.size() == 1) return "“" + names.front() + "”";
  return std::to_string(names.size()) + " arrays from “" + names.front() + "” to “" + names.back() +
         "”";
}

std::span<const ArrayRole> all_array_roles() { return kRoles; }

std::span<const std::string_view> known_axes(std::string_view key) {
  if (key == "attention") return kAttentionAxes;
  return kQkvAxes;
}

std::size_t LaidArray::extent(std::string_view axis) const {
  const auto at = std::ranges::find(axes, axis) - axes.begin();
  return static_cast<std::size_t>(at) < shape.size() ? shape[static_cast<std::size_t>(at)] : 1;
}

Names ArrayChoices::noted_axes(const std::string& name) const {
  const auto noted = axes.find(name);
  return noted == axes.end() ? Names() : noted->second;
}

// A backslash takes the meaning from a blank, a comma or a backslash in a name.
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
  std::set<std::string_view> used;
  for (const ArrayRole& role : kRoles) {
    used.insert((means.*role.names).begin(), (means.*role.names).end());
  }
  std::erase_if(means.unused, [&](const std::string& name) { return used.contains(name); });
  return means;
}

Result<std::vector<ArrayReading>> array_readings(const ArrayChoices& choices,
                                                 const ArrayWords& words) {
  Result<ArrayReading> base = base_reading(choices, words);
  if (!base) return base.error();
  std::vector<ArrayReading> fitting;
  std::optional<Error> refused;
  for (ArrayReading& reading : candidates(choices, words, *base)) {
    const Status sound = check_laid(reading.laid);
    if (!sound && !refused) refused = sound.error();
    if (!sound) continue;
    reading.sentence = sentence_of(reading.laid);
    fitting.push_back(std::move(reading));
  }
  if (fitting.empty()) return refused ? *refused : wrong_axes(base->laid.front().shape);
  sift(choices, fitting);
  return fitting;
}

std::vector<std::string> array_patterns(std::span<const ArrayFacts> arrays) {
  std::map<std::pair<std::string, Shape>, std::size_t> counts;
  for (const ArrayFacts& array : arrays) ++counts[{pattern_of(array.name), array.shape}];
  std::set<std::string> told;
  Names names;
  for (const ArrayFacts& array : arrays) {
    const std::string pattern = pattern_of(array.name);
    const bool is_stack = !pattern.empty() && counts[{pattern, array.shape}] > 1;
    const std::string& name = is_stack ? pattern : array.name;
    if (told.insert(name).second) names.push_back(name);
  }
  return names;
}

}  // namespace attn
