// Masks of files of arrays: which arrays are masks, their axes, and the meaning of true.
#include <algorithm>
#include <array>
#include <utility>

#include "base/joined.h"
#include "base/number_text.h"
#include "document/load/evidence.h"
#include "document/load/taken_arrays.h"

namespace attn {
namespace {

using Axes = std::vector<std::string>;

// An array that may be a mask: its use by words, its reading, and its numbers in the order of its
// axes.
struct MaskArray {
  ArrayGroup group;
  std::optional<MaskUse> said;
  std::size_t rank = 0;  // the smaller, the more specific its name
  MaskReading reading = {};
  BoolTensor flags = {};
  Tensor added = {};
};

// Uses of masks by array name, as the words define them. BadInput for names that do not exist.
Result<std::map<std::string, MaskUse>> named_masks(const ArrayChoices& choices) {
  std::map<std::string, MaskUse> said;
  for (const auto& [key, use] : {std::pair{"mask", MaskUse::Attends},
                                 {"hidden", MaskUse::Hides},
                                 {"bias", MaskUse::Added}}) {
    const auto words = choices.words.find(key);
    if (words == choices.words.end()) continue;
    for (const std::string& name : words->second) {
      const Result<std::vector<std::string>> names = arrays_named(choices, name);
      if (!names) return names.error();
      for (const std::string& each : *names) {
        if (said.emplace(each, use).second) continue;
        return refusal_at("", "an array is named for two masks", each, "every array once");
      }
    }
  }
  return said;
}

// Arrays for one side of a translation yield to those of the other side.
std::size_t rank_of(const ArrayGroup& group, std::optional<Side> only) {
  constexpr std::size_t kOther = 1000;
  const std::string words = name_words(group.pattern);
  const auto has = [&](std::string_view word) { return words.find(word) != words.npos; };
  const bool of_decoder = has("decoder") || has("tgt") || has("target");
  const bool of_encoder = has("encoder") || has("src") || has("source") || has("memory");
  const bool is_other = only == Side::Query ? of_encoder && !of_decoder : of_decoder && !of_encoder;
  return (group.known ? group.known->rank : kOther / 2) + (is_other ? kOther : 0);
}

// True if the group may be a mask by its name and type, and no word gives it another role.
bool is_usual_mask(const ArrayChoices& choices, const ArrayGroup& group) {
  if (group.has_role(NameRole::Bias)) return !says_nothing(choices.words, "bias");
  const bool is_known = group.has_role(NameRole::Mask) || group.has_role(NameRole::Padding);
  const bool has_flags = !group.known && group.type == NameType::Flags;
  return (is_known || has_flags) && !says_nothing(choices.words, "mask") &&
         !says_nothing(choices.words, "hidden");
}

// Returns the masks that words name first.
std::vector<MaskArray> possible_masks(const ArrayChoices& choices, const ArrayMeanings& of,
                                      const std::map<std::string, MaskUse>& said) {
  std::vector<MaskArray> all;
  std::vector<ArrayFacts> named;
  for (const ArrayFacts& array : choices.arrays) {
    if (said.contains(array.name)) named.push_back(array);
  }
  for (const ArrayGroup& group : groups_of(named)) {
    all.push_back({group, said.at(group.names.front())});
  }
  for (const ArrayGroup& group : choices.groups) {
    const std::string& first = group.names.front();
    const auto has_it = [&](const auto* names) { return std::ranges::count(*names, first) > 0; };
    const bool is_taken =
        said.contains(first) ||
        std::ranges::any_of(std::to_array({&of.attention, &of.q, &of.k, &of.v}), has_it);
    if (!is_usual_mask(choices, group) || is_taken) continue;
    all.push_back({group, std::nullopt, rank_of(group, of.only) + 1});
  }
  std::ranges::stable_sort(all, {}, &MaskArray::rank);
  return all;
}

// "−1.9 to 2.4".
std::string range_text(const Tensor& numbers) {
  const auto [low, high] = std::ranges::minmax(numbers.values());
  const auto text = [](float number) {
    std::string digits = short_text(number, 2);
    if (digits.starts_with('-')) digits.replace(0, 1, "−");
    return digits;
  };
  return text(low) + " to " + text(high);
}

constexpr float kLargeNegative = -1e4F;

bool is_added(std::span<const float> numbers) {
  return std::ranges::all_of(
      numbers, [](float number) { return number == 0.0F || number <= kLargeNegative; });
}

// Reads flags, or numbers added to scores; other numbers are not used.
Status read_mask(const ArrayFile& from, MaskArray& mask) {
  const std::vector<std::string>& names = mask.group.names;
  const bool is_bias =
      mask.said == MaskUse::Added || (!mask.said && mask.group.has_role(NameRole::Bias));
  if (!is_bias) {
    Result<BoolTensor> flags = numbers_of<std::uint8_t>(from, names);
    if (flags) {
      mask.flags = *std::move(flags);
      return ok_status();
    }
    if (flags.error().kind != ErrorKind::BadInput || mask.said) return flags.error();
  }
  Result<Tensor> numbers = numbers_of<float>(from, names);
  if (!numbers) return numbers.error();
  if (is_bias || is_added(numbers->values())) {
    mask.added = *std::move(numbers);
  } else {
    mask.reading.because = range_text(*numbers) + " is neither 0 and 1 nor 0 and large negative";
    mask.reading.word = "bias";
  }
  return ok_status();
}

// A mask as it broadcasts to (layers, samples, heads, queries, keys).
template <class T>
BasicTensor<T> broadcast(const Axes& axes, const BasicTensor<T>& mask) {
  Shape shape;
  std::size_t next = 0;
  for (const char* axis : {"layer", "sample", "head", "query", "key"}) {
    const bool there = next < axes.size() && axes[next] == axis;
    if (there || !shape.empty()) shape.push_back(there ? mask.extent(next++) : 1);
  }
  return shape == mask.shape() ? mask : mask.reshaped(shape);
}

template <class T>
BoolTensor where(const BasicTensor<T>& numbers, const auto& holds) {
  std::vector<std::uint8_t> flags(numbers.size());
  std::ranges::transform(numbers.values(), flags.begin(), holds);
  return {numbers.shape(), std::move(flags)};
}

// Lists of flags, true for real tokens.
PaddingLists lists_of(const BoolTensor& flags) {
  const std::size_t keys = flags.extent(flags.rank() - 1);
  PaddingLists lists;
  for (std::size_t at = 0; at < flags.size(); at += keys) {
    const auto row = flags.values().subspan(at, keys);
    lists.emplace_back(row.begin(), row.end());
  }
  return lists;
}

// The shape with the layers of a stack in front.
Shape stacked_shape(const ArrayGroup& group) {
  Shape shape = group.shape;
  if (group.names.size() > 1) shape.insert(shape.begin(), group.names.size());
  return shape;
}

// Returns the axes that fit a mask; only those that the words or the file give, if they fit.
std::vector<Axes> axes_for(const ArrayChoices& choices, const ArrayGroup& group,
                           const AttentionShape& shape) {
  std::vector<Axes> fitting = axes_of_mask(stacked_shape(group), names_padding(group), shape);
  if (group.names.size() > 1) {
    std::erase_if(fitting, [](const Axes& axes) { return axes.front() != "layer"; });
  }
  const auto said = choices.words.find("mask.axes");
  const Axes noted = choices.noted_axes(group.names.front());
  const Axes& named = said == choices.words.end() ? noted : said->second;
  if (std::ranges::count(fitting, named) > 0) return {named};
  return fitting;
}

// Reads flags by the axes whose evidence is strongest.
void judge_axes(const MaskedNumbers& numbers, const std::vector<Axes>& fitting, MaskArray& mask) {
  const MaskReading before = mask.reading;
  BoolTensor flags = std::move(mask.flags);
  for (const Axes& axes : fitting) {
    MaskReading tried = before;
    tried.axes = axes;
    BoolTensor own = flags.reshaped(shape_of_mask(stacked_shape(mask.group), axes, numbers.shape));
    judge_mask(numbers, own, mask.group.known, tried);
    if (axes != fitting.front() && tried.margin <= mask.reading.margin) continue;
    mask.reading = std::move(tried);
    mask.flags = std::move(own);
  }
  if (fitting.size() < 2) return;
  mask.reading.margin = std::min(mask.reading.margin, kMostLikelyMargin);
  mask.reading.other_axes = fitting[mask.reading.axes == fitting.front() ? 1 : 0];
}

Status read_and_judge(const ArrayFile& from, const TakenArrays& taken, const MaskedNumbers& numbers,
                      MaskArray& mask) {
  const ArrayGroup& group = mask.group;
  MaskReading& reading = mask.reading;
  reading.name = group.pattern;
  reading.names = group.names;
  const std::vector<Axes> fitting = axes_for(taken.choices, group, numbers.shape);
  if (fitting.empty()) {
    reading.because = "does not fit " + counted(numbers.shape.n_q, "query", "queries") + " and " +
                      counted(numbers.shape.n_k, "key");
    return ok_status();
  }
  if (Status read = read_mask(from, mask); !read || !reading.because.empty()) return read;
  if (mask.flags.empty()) {
    reading.use = MaskUse::Added;
    reading.axes = fitting.front();
    if (fitting.size() > 1) reading.other_axes = fitting[1];
    mask.added =
        mask.added.reshaped(shape_of_mask(stacked_shape(group), reading.axes, numbers.shape));
    return ok_status();
  }
  judge_axes(numbers, fitting, mask);
  const bool is_noted = reading.axes == taken.choices.noted_axes(group.names.front());
  reading.has_flags = !mask.said && !is_noted;
  if (reading.has_flags) return ok_status();
  reading.use = mask.said.value_or(MaskUse::Attends);
  reading.because.clear();
  reading.word.clear();
  return ok_status();
}

// Reason why a mask that fits is not used. `used`: name of the mask that replaces it.
std::string obstacle(const MaskArray& mask, bool is_finished, const std::string& used) {
  if (!used.empty()) return "`" + used + "` is";
  const bool adds = mask.reading.use == MaskUse::Added && is_finished;
  return adds && !is_added(mask.added.values()) ? "the weights are finished" : "";
}

// Slot of a mask: all lists of keys share one, and so do all matrices.
std::size_t place_of(const MaskReading& mask) {
  if (mask.use == MaskUse::Added) return 2;
  return lists_keys(mask.axes) ? 1 : 0;
}

void put_mask(MaskArray& mask, bool is_finished, DocumentText& text) {
  MaskText& to = text.mask ? *text.mask : text.mask.emplace();
  const std::vector<std::string>& axes = mask.reading.axes;
  if (mask.reading.use == MaskUse::Added && !is_finished) {
    to.bias = broadcast(axes, mask.added);
    return;
  }
  if (mask.reading.use == MaskUse::Added) {
    mask.flags = where(mask.added, [](float number) { return number == 0.0F; });
  }
  if (mask.reading.use == MaskUse::Hides) {
    mask.flags = where(mask.flags, [](std::uint8_t flag) { return flag == 0; });
  }
  if (lists_keys(axes)) {
    to.key_padding = lists_of(mask.flags);
  } else {
    to.visible = broadcast(axes, mask.flags);
  }
}

}  // namespace

Status take_masks(const ArrayFile& from, TakenArrays& taken) {
  ArrayChoices& choices = taken.choices;
  const auto said = named_masks(choices);
  if (!said) return said.error();
  const ArrayReading& reading_of_all = choices.fitting.front();
  const bool is_finished = reading_of_all.is_finished();
  MaskedNumbers numbers{{}, choices.tokens, taken.text.attention, taken.text.axes.value_or(Axes())};
  numbers.shape.layers = reading_of_all.extent("layer");
  numbers.shape.samples = reading_of_all.extent("sample");
  numbers.shape.heads = reading_of_all.extent("head");
  numbers.shape.n_q = reading_of_all.extent("query");
  numbers.shape.n_k = reading_of_all.extent("key");
  std::array<std::string, 3> used;
  for (MaskArray& mask : possible_masks(choices, taken.meanings, *said)) {
    Status read = read_and_judge(from, taken, numbers, mask);
    if (!read && (mask.said || read.error().kind != ErrorKind::BadInput)) return read;
    if (!read) continue;
    MaskReading& reading = mask.reading;
    if (mask.said && reading.use == MaskUse::NotUsed) {
      return refusal_at("", "`" + reading.name + "` is not a mask of this attention",
                        shape_text(mask.group.shape) + ", which " + reading.because,
                        "flags, or numbers to add, for each key");
    }
    std::string& name = used[place_of(reading)];
    const bool is_used = reading.use != MaskUse::NotUsed;
    const std::string why = is_used ? obstacle(mask, is_finished, name) : reading.because;
    if (is_used && why.empty()) {
      name = reading.name;
      put_mask(mask, is_finished, taken.text);
    } else {
      reading.use = MaskUse::NotUsed;
      reading.because = why;
    }
    choices.masks.push_back(std::move(reading));
  }
  const auto axes = choices.words.find("mask.axes");
  if (axes == choices.words.end()) return ok_status();
  const bool fits = std::ranges::count(choices.masks, axes->second, &MaskReading::axes) > 0;
  return fits ? ok_status()
              : refusal_at("", "no mask has these axes", joined(axes->second),
                           "axes that fit the shape of a mask, such as query,key or sample,key");
}

}  // namespace attn
