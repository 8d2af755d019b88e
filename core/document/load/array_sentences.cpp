// Sentences on how the arrays of a file were read.
#include <algorithm>
#include <map>
#include <utility>

#include "base/joined.h"
#include "base/number_text.h"
#include "base/utf8.h"
#include "document/load/array_reading.h"

namespace attn {
namespace {

using Names = std::vector<std::string>;

constexpr std::size_t kUnusedShown = 12, kLayersShown = 24, kOthersShown = 3;
constexpr const char* kLacksHeads = "not every layer has each head";
constexpr int kCertainAxes = 4, kCertainFiveAxes = 12;

std::string extents_text(const Shape& shape) {
  return joined(shape, " × ", [](std::size_t extent) { return grouped_text(extent); });
}

std::string quoted(const std::string& name) {
  return name.empty() ? "the array" : "`" + printable_line(name) + "`";
}

// The --arrays flag of the present words with these changes.
std::string flag_with(const ArrayChoices& choices, const std::string& key, Names names,
                      const std::string& less = "") {
  ArrayWords words = choices.words;
  words[key] = std::move(names);
  if (const auto other = words.find(less); other != words.end()) {
    std::erase(other->second, words[key].front());
    if (other->second.empty()) words.erase(other);
  }
  return "`" + arrays_flag(words) + "`";
}

// The pattern, or the names if other arrays match it, too.
Names words_of(const ArrayChoices& choices, const ArrayGroup& group) {
  const Result<Names> named = arrays_named(choices, group.pattern);
  return named && *named == group.names ? Names{group.pattern} : group.names;
}

// --- axes

std::string extents_before(const ArrayLayout& layout, const std::string& layers) {
  std::string text;
  for (const char* axis : {"layer", "sample", "head"}) {
    if (layout.extent(axis) < 2) continue;
    if (!text.empty()) text += " of ";
    text += counted(layout.extent(axis), axis);
    if (std::string_view(axis) == "layer") text += layers;
  }
  return text;
}

std::string matrix_text(const ArrayReading& reading) {
  return grouped_text(reading.extent("query")) + " × " + grouped_text(reading.extent("key"));
}

std::string sizes_of(const ArrayReading& reading, const std::string& layers = "") {
  const std::string before = extents_before(reading.layouts.front(), layers);
  return (before.empty() ? "a map" : before) + " of " + matrix_text(reading);
}

// " (0 to 11)" of a stack of layers; " (0, 2, 4)".
std::string layers_text(const ArrayChoices& choices, const Names& names) {
  for (const ArrayGroup& group : choices.groups) {
    const std::vector<std::uint64_t>& layers = group.layers;
    if (group.names != names || layers.size() < 2) continue;
    const bool is_dense = layers.back() - layers.front() + 1 == layers.size();
    Names texts;
    for (const std::uint64_t layer : layers) texts.push_back(std::to_string(layer));
    return " (" +
           (is_dense ? texts.front() + " to " + texts.back() : joined_first(texts, kLayersShown)) +
           ")";
  }
  return "";
}

// The strongest reason for the first reading that the second one does not have.
std::string reason_of(const ArrayChoices& choices) {
  if (choices.words.contains("axes")) return "as specified";
  if (choices.fitting.size() < 2 || !choices.is_certain()) return "";
  const Evidence* best = nullptr;
  const std::vector<Evidence>& others = choices.fitting[1].evidence;
  for (const Evidence& each : choices.fitting.front().evidence) {
    const bool is_shared = std::ranges::any_of(others, [&](const Evidence& other) {
      return other.because == each.because && other.points == each.points;
    });
    if (is_shared || each.because.empty() || each.points <= 0) continue;
    if (best == nullptr || each.points > best->points) best = &each;
  }
  return best == nullptr ? "" : best->because;
}

// The sizes of another reading, without those that equal the first one's.
std::string other_sizes(const ArrayReading& first, const ArrayReading& other) {
  const std::string before = extents_before(other.layouts.front(), ""), sizes = sizes_of(other);
  if (sizes == sizes_of(first)) return sizes + " in another order";
  return matrix_text(first) == matrix_text(other) && !before.empty() ? before : sizes;
}

// The readings after the first one that are equally likely; the others are many and improbable.
std::vector<const ArrayReading*> likely_others(const ArrayChoices& choices) {
  std::vector<const ArrayReading*> others;
  for (const ArrayReading& each : std::span(choices.fitting).subspan(1)) {
    const int margin = choices.fitting.front().points - each.points;
    if (margin < choices.certain_margin()) others.push_back(&each);
  }
  return others;
}

void say_other_axes(const ArrayChoices& choices, ArrayRecord& record) {
  const std::vector<const ArrayReading*> others = likely_others(choices);
  if (others.empty()) return;
  Names plain, flagged;
  for (const ArrayReading* each : std::span(others).first(std::min(others.size(), kOthersShown))) {
    plain.push_back(other_sizes(choices.fitting.front(), *each));
    flagged.push_back(plain.back() + ": " + flag_with(choices, "axes", each->layouts.front().axes));
  }
  const std::size_t more = others.size() - plain.size();
  const std::string ways = more > 0 ? ", and " + counted(more, "more way") : "";
  record.other = joined(flagged) + ways;
  record.fits = "; as well " + joined(plain) + ways;
  record.flags = "; as well " + record.other;
}

// --- roles of groups

// Names of the arrays used, by role.
struct Use {
  std::string role;  // "attention", "queries"
  Names names;
};

std::vector<Use> uses_of(const ArrayChoices& choices) {
  const ArrayReading& reading = choices.fitting.front();
  const ArrayMeanings& of = reading.names;
  std::vector<Use> uses;
  const auto add = [&](const char* role, const Names& names) {
    if (!names.empty()) uses.push_back({role, names});
  };
  const bool is_decoders = of.only == Side::Query;
  add(!of.only      ? "attention"
      : is_decoders ? "attention of the decoder"
                    : "attention of the encoder",
      of.attention);
  if (!reading.is_finished()) {
    add("queries", of.q);
    add("keys", of.k);
    add("values", of.v);
  }
  add("attention of the decoder", of.self_attention);
  add("attention of the encoder", of.encoder_attention);
  add("tokens", of.tokens);
  add("tokens of the rows", of.query_tokens);
  add("tokens of the columns", of.key_tokens);
  if (of.tokens.empty() && of.query_tokens.empty()) add("tokens, by their numbers", of.ids);
  for (const MaskReading& mask : choices.masks) {
    if (mask.use != MaskUse::NotUsed) add("mask", mask.names);
  }
  return uses;
}

void add_text(std::string& text, const std::string& before, const std::string& part,
              const std::string& after = "") {
  if (!part.empty()) text += before + part + after;
}

void say_use(const ArrayChoices& choices, const MaskReading& mask, ArrayRecord& record) {
  const bool hides = mask.use == MaskUse::Hides;
  if (mask.use == MaskUse::Added) {
    record.role = choices.fitting.front().is_finished() ? "hides where it is large and negative"
                                                        : "added to the scores";
    record.text = record.role;
    return;
  }
  record.role = hides ? "true hides" : "true attends";
  const std::string as_mask = flag_with(choices, "mask", {mask.name}, "hidden");
  const std::string as_hidden = flag_with(choices, "hidden", {mask.name}, "mask");
  if (mask.is_open()) {
    record.other = hides ? as_mask : as_hidden;
    record.text = "may hide or attend where it is true, and its numbers do not decide; taken as " +
                  std::string(hides ? "hiding" : "attending");
    record.flags = ": say " + as_mask + " or " + as_hidden;
    return;
  }
  record.text = record.role;
  add_text(record.text, " (", mask.because, ")");
  if (!mask.is_likely()) return;
  record.other = hides ? as_mask : as_hidden;
  record.flags = "; " + record.other + " reads it the other way";
}

void say_mask(const ArrayChoices& choices, const MaskReading& mask, ArrayRecord& record) {
  record.axes = joined(mask.axes);
  record.because = mask.because;
  say_use(choices, mask, record);
  if (mask.other_axes.empty()) return;
  record.text += ", its axes " + record.axes;
  record.flags += "; " + flag_with(choices, "mask.axes", mask.other_axes) + " reads them as " +
                  joined(mask.other_axes);
}

void say_attention(const ArrayChoices& choices, const Use& use, ArrayRecord& record) {
  const ArrayReading& reading = choices.fitting.front();
  const ArrayLayout& first = reading.layouts.front();
  record.axes = joined(first.axes);
  record.because = reason_of(choices);
  record.text = use.role + ", " + sizes_of(reading, layers_text(choices, first.names));
  if (first.key == "q" && reading.layouts.size() == 2) record.text += ", without values";
  const auto group = std::ranges::find(choices.groups, first.names, &ArrayGroup::names);
  const bool lacks_heads = group != choices.groups.end() && group->lacks_heads;
  if (lacks_heads) record.text += std::string("; ") + kLacksHeads;
  add_text(record.text, " (", record.because, ")");
  const auto array = std::ranges::find(choices.arrays, first.names.front(), &ArrayFacts::name);
  const RowFacts& rows = array->rows;
  const bool is_known = known_name(first.names.front()).has_value() && !first.names.front().empty();
  if (rows.sum_to_one && (!is_known || choices.arrays.size() == 1)) {
    record.text += ", finished: " + rows.sums;
  } else if (!rows.sum_to_one && !rows.sums.empty()) {
    record.text += ", shown as it is, although " + rows.sums;
  }
  if (rows.sum_to_one && first.axes.back() != "key") {
    record.text += ", although the rows of its last axis sum to 1";
  }
  say_other_axes(choices, record);
}

ArrayRecord used_record(const ArrayChoices& choices, const Use& use, ArrayRecord record) {
  record.role = record.text = use.role;
  for (const MaskReading& mask : choices.masks) {
    if (use.role == "mask" && mask.names == use.names) say_mask(choices, mask, record);
  }
  if (use.names == choices.fitting.front().layouts.front().names)
    say_attention(choices, use, record);
  for (const ArrayLayout& layout : choices.fitting.front().layouts) {
    if (layout.names == use.names) record.axes = joined(layout.axes);
  }
  return record;
}

// Returns the array that is used in place of another one of its role.
std::string used_instead(const ArrayChoices& choices, const ArrayGroup& group) {
  using enum NameRole;
  const bool is_unknown = !group.known && group.shape.size() > 1 && group.type != NameType::Text;
  if (!group.known && !is_unknown) return "";
  const ArrayMeanings& of = choices.fitting.front().names;
  const NameRole role = group.known ? group.known->role : Perhaps;
  const bool is_row = role == Q || role == K || role == V;
  const Names* instead = nullptr;
  if (role == Weights || role == Scores || role == Perhaps) instead = &of.attention;
  if (is_row)
    instead = !of.attention.empty() ? &of.attention : role == Q ? &of.q : role == K ? &of.k : &of.v;
  if (role == Ids || role == Tokens) {
    instead = !of.tokens.empty()         ? &of.tokens
              : !of.query_tokens.empty() ? &of.query_tokens
                                         : &of.ids;
  }
  if (instead == nullptr || instead->empty()) return "";
  const auto found = std::ranges::find(choices.groups, *instead, &ArrayGroup::names);
  return found == choices.groups.end() ? instead->front() : found->pattern;
}

// True if the array could be attention, if it were chosen.
bool is_eligible(const ArrayChoices& choices, const ArrayGroup& group) {
  const ArrayReading& reading = choices.fitting.front();
  const auto taken =
      std::ranges::find(choices.groups, reading.layouts.front().names, &ArrayGroup::names);
  const bool is_finished = std::ranges::all_of(
      group.places, [&](std::size_t place) { return choices.arrays[place].rows.sum_to_one; });
  return reading.is_finished() && taken != choices.groups.end() &&
         (is_finished || name_words(taken->pattern) == name_words(group.pattern)) &&
         group.names.size() <= kUnusedShown;
}

ArrayRecord unused_record(const ArrayChoices& choices, const ArrayGroup& group,
                          ArrayRecord record) {
  record.role = "not used";
  for (const MaskReading& mask : choices.masks) {
    if (mask.names != group.names) continue;
    record.because = mask.because;
    if (mask.because.starts_with('`')) {
      record.text = "not used, " + mask.because;
      return record;
    }
    record.text = "not used: " + mask.because;
    if (!mask.word.empty()) {
      record.other = flag_with(choices, mask.word, {mask.name});
      record.flags =
          "; " + record.other + (mask.word == "bias" ? " adds it" : " hides where it is false");
    }
    return record;
  }
  const auto why = choices.fitting.front().names.unused.find(group.names.front());
  const std::string instead = used_instead(choices, group);
  record.text = "not used";
  if (why != choices.fitting.front().names.unused.end()) {
    record.because = why->second;
    record.text += ": " + why->second;
  } else if (group.has_role(NameRole::Sparse)) {
    record.text = "sparse, not read";
  } else if (group.has_role(NameRole::None) && name_words(group.pattern).ends_with("mask")) {
    record.text = "no mask of attention, not used";
  } else if (group.lacks_heads) {
    record.because = kLacksHeads;
    record.text += std::string(": ") + kLacksHeads;
  } else if (!instead.empty()) {
    record.because = quoted(instead) + " is";
    record.text += ", " + record.because;
  }
  if (is_eligible(choices, group)) {
    ArrayWords words;
    words["attention"] = words_of(choices, group);
    record.other = "`" + arrays_flag(words) + "`";
    record.flags = "; " + record.other + " reads it";
  }
  return record;
}

ArrayRecord empty_record(const ArrayGroup& group, const Names& names) {
  ArrayRecord record;
  const bool is_whole = names.size() == group.names.size();
  record.array = is_whole ? group.pattern : joined(names);
  Shape shape = group.shape;
  if (names.size() > 1) shape.insert(shape.begin(), names.size());
  record.shape = extents_text(shape);
  return record;
}

// Adds a record for each part of a group that has a use of its own, and one for the names without
// any; `places` has the use of a name.
void add_records(const ArrayChoices& choices, const ArrayGroup& group, const std::vector<Use>& uses,
                 const std::map<std::string_view, std::size_t>& places,
                 std::vector<ArrayRecord>& records) {
  std::map<std::size_t, Names> parts;
  for (const std::string& name : group.names) {
    const auto use = places.find(name);
    parts[use == places.end() ? uses.size() : use->second].push_back(name);
  }
  for (const auto& [use, names] : parts) {
    const ArrayRecord record = empty_record(group, names);
    records.push_back(use == uses.size() ? unused_record(choices, group, record)
                                         : used_record(choices, uses[use], record));
  }
}

// Replaces the quotation marks of code by typographic ones.
std::string with_quotes(std::string text) {
  bool opens = true;
  for (std::size_t at = text.find('`'); at != text.npos; at = text.find('`', at)) {
    text.replace(at, 1, std::exchange(opens, !opens) ? "“" : "”");
  }
  return text;
}

std::string text_of(const ArrayRecord& record, bool with_flags = true) {
  const bool is_open = record.text.starts_with("may ");
  return quoted(record.array) + (record.shape.empty() ? "" : " (" + record.shape + ")") +
         (is_open ? " " : ": ") + record.text + (with_flags ? record.flags : record.fits);
}

}  // namespace

std::string ArrayReading::sizes() const { return sizes_of(*this); }

int ArrayChoices::margin() const {
  return fitting.size() < 2 ? kNoOther : fitting[0].points - fitting[1].points;
}

int ArrayChoices::certain_margin() const {
  const ArrayLayout& first = fitting.front().layouts.front();
  const bool has_both = first.extent("layer") > 1 || std::ranges::count(first.axes, "layer") > 0;
  const bool is_five = first.names.size() == 1 && first.shape.size() == 5 && has_both &&
                       std::ranges::count(first.axes, "sample") > 0;
  return is_five ? kCertainFiveAxes : kCertainAxes;
}

bool ArrayChoices::is_certain() const { return margin() >= certain_margin(); }

std::vector<std::pair<std::string, std::string>> possible_attentions(const ArrayChoices& choices) {
  constexpr std::size_t kShown = 6, kTried = 50;
  std::vector<const ArrayGroup*> groups;
  for (const ArrayGroup& group : choices.groups) {
    using enum NameRole;
    const bool may_be = !group.known || group.has_role(Weights) || group.has_role(Scores) ||
                        group.has_role(Perhaps);
    if (may_be && group.shape.size() > 1 && group.type != NameType::Text) groups.push_back(&group);
  }
  std::ranges::stable_sort(groups, std::greater(),
                           [](const ArrayGroup* group) { return group->names.size(); });
  std::vector<std::pair<std::string, std::string>> possible;
  if (groups.size() > kTried) groups.resize(kTried);
  for (const ArrayGroup* group : groups) {
    if (possible.size() == kShown) break;
    const auto readings = array_readings(choices, {{"attention", {group->pattern}}});
    if (!readings) continue;
    const std::string label = quoted(group->pattern) + " · " + sizes_of(readings->front());
    possible.emplace_back(group->pattern, label);
  }
  return possible;
}

std::vector<ArrayRecord> records_of(const ArrayChoices& choices) {
  std::vector<ArrayRecord> records;
  if (choices.fitting.empty()) return records;
  const std::vector<Use> uses = uses_of(choices);
  std::map<std::string_view, std::size_t> places;
  for (std::size_t i = 0; i < uses.size(); ++i) {
    for (const std::string& name : uses[i].names) places.emplace(name, i);
  }
  for (const ArrayGroup& group : choices.groups) add_records(choices, group, uses, places, records);
  for (const std::string& other : choices.left_out) {
    const std::size_t end = std::min(other.find(": "), other.size());
    const std::string why = other.substr(std::min(end + 2, other.size()));
    records.push_back({other.substr(0, end), "", "not read", "", why, "",
                       why.empty() ? "not read" : "not read: " + why, "", ""});
  }
  return records;
}

std::string ArrayChoices::sentence(bool with_flags) const {
  std::vector<std::string> parts;
  std::size_t unused = 0, more = 0;
  for (const ArrayRecord& record : records) {
    const bool is_used = record.role != "not used" && record.role != "not read";
    if (is_used || ++unused <= kUnusedShown) {
      parts.push_back(text_of(record, with_flags));
    } else {
      ++more;
    }
  }
  if (more > 0) parts.push_back(counted(more, "more name") + ": not used");
  return with_flags ? joined(parts, " · ") : with_quotes(joined(parts, " · "));
}

std::string ArrayChoices::question() const {
  std::vector<std::string> parts;
  for (const ArrayRecord& record : records) {
    if (record.text.starts_with("may ")) parts.push_back(text_of(record));
  }
  return joined(parts, " · ");
}

}  // namespace attn
