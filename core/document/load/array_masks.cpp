// Masks of files of arrays: which arrays are masks, of which axes, and what their true means.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "base/joined.h"
#include "base/number_text.h"
#include "document/load/evidence.h"
#include "document/load/taken_arrays.h"

namespace attn {
namespace {

using Axes = std::vector<std::string>;

// An array that may be a mask, with what words say that it is.
struct PossibleMask {
  ArrayGroup group;
  std::optional<MaskUse> said;
  std::size_t rank = 0;  // the less, the more specific is its name
};

// What words say of arrays, by name. BadInput for names that are not there.
Result<std::map<std::string, MaskUse>> masks_said(const ArrayChoices& choices) {
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

// Arrays for one side of a translation yield to those of the other.
std::size_t rank_of(const ArrayGroup& group, std::optional<Side> only) {
  constexpr std::size_t kOther = 1000;
  const std::string words = name_words(group.pattern);
  const auto has = [&](std::string_view word) { return words.find(word) != words.npos; };
  const bool of_decoder = has("decoder") || has("tgt") || has("target");
  const bool of_encoder = has("encoder") || has("src") || has("source") || has("memory");
  const bool is_other = only == Side::Query ? of_encoder && !of_decoder : of_decoder && !of_encoder;
  return (group.known ? group.known->rank : kOther / 2) + (is_other ? kOther : 0);
}

// True if the group may be a mask by its name and type, and nothing says otherwise.
bool is_usual_mask(const ArrayChoices& choices, const ArrayGroup& group) {
  if (group.has_role(NameRole::Bias)) return !says_nothing(choices.words, "bias");
  const bool is_known = group.has_role(NameRole::Mask) || group.has_role(NameRole::Padding);
  const bool has_flags = !group.known && group.type == NameType::Flags;
  return (is_known || has_flags) && !says_nothing(choices.words, "mask") &&
         !says_nothing(choices.words, "hidden");
}

// Returns the masks that words name first.
std::vector<PossibleMask> possible_masks(const ArrayChoices& choices, const ArrayMeanings& of,
                                         const std::map<std::string, MaskUse>& said) {
  std::vector<PossibleMask> all;
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
  std::ranges::stable_sort(all, {}, &PossibleMask::rank);
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

// The numbers of a mask: flags, or what is added to scores.
struct MaskNumbers {
  BoolTensor flags;
  Tensor added;
  std::string problem;
};

constexpr float kLargeNegative = -1e4F;

bool is_added(std::span<const float> numbers) {
  return std::ranges::all_of(
      numbers, [](float number) { return number == 0.0F || number <= kLargeNegative; });
}

Result<MaskNumbers> read_mask(const ArrayFile& from, const PossibleMask& mask) {
  const std::vector<std::string>& names = mask.group.names;
  MaskNumbers read;
  const bool is_bias =
      mask.said == MaskUse::Added || (!mask.said && mask.group.has_role(NameRole::Bias));
  if (!is_bias) {
    Result<BoolTensor> flags = numbers_of<std::uint8_t>(from, names);
    if (flags) {
      read.flags = *std::move(flags);
      return read;
    }
    if (flags.error().kind != ErrorKind::BadInput || mask.said) return flags.error();
  }
  Result<Tensor> numbers = numbers_of<float>(from, names);
  if (!numbers) return numbers.error();
  if (is_bias || is_added(numbers->values())) {
    read.added = *std::move(numbers);
  } else {
    read.problem = range_text(*numbers) + " is neither 0 and 1 nor 0 and large negative";
  }
  return read;
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

BoolTensor opposite(const BoolTensor& flags) {
  std::vector<std::uint8_t> values(flags.size());
  std::ranges::transform(flags.values(), values.begin(), [](auto flag) { return flag == 0; });
  return {flags.shape(), std::move(values)};
}

// Lists of flags, true for tokens that are there.
PaddingLists lists_of(const BoolTensor& flags) {
  const std::size_t keys = flags.extent(flags.rank() - 1);
  PaddingLists lists;
  for (std::size_t at = 0; at < flags.size(); at += keys) {
    const auto row = flags.values().subspan(at, keys);
    lists.emplace_back(row.begin(), row.end());
  }
  return lists;
}

// The reading of one mask, with its numbers in the order of its axes.
struct Judged {
  MaskReading reading;
  MaskNumbers numbers;
};

// The shape with the layers of a stack in front.
Shape stacked_shape(const ArrayGroup& group) {
  Shape shape = group.shape;
  if (group.names.size() > 1) shape.insert(shape.begin(), group.names.size());
  return shape;
}

// Axes that the file notes, if they fit, else the likeliest ones that do.
Axes axes_for(const ArrayChoices& choices, const ArrayGroup& group, const AttentionShape& shape) {
  std::vector<Axes> fitting = axes_of_mask(stacked_shape(group), names_padding(group), shape);
  if (group.names.size() > 1) {
    std::erase_if(fitting, [](const Axes& axes) { return axes.front() != "layer"; });
  }
  Axes noted = choices.noted_axes(group.names.front());
  if (std::ranges::count(fitting, noted) > 0) return noted;
  return fitting.empty() ? Axes() : fitting.front();
}

Result<Judged> judged(const ArrayFile& from, const TakenArrays& taken, const MaskedNumbers& numbers,
                      const PossibleMask& mask) {
  const ArrayGroup& group = mask.group;
  Judged made;
  MaskReading& reading = made.reading;
  reading.name = group.pattern;
  reading.names = group.names;
  reading.axes = axes_for(taken.choices, group, numbers.shape);
  if (reading.axes.empty()) {
    const AttentionShape& shape = numbers.shape;
    reading.because = "does not fit " + counted(shape.n_q, "query", "queries") + " and " +
                      counted(shape.n_k, "key");
    return made;
  }
  Result<MaskNumbers> read = read_mask(from, mask);
  if (!read) return read.error();
  made.numbers = *std::move(read);
  reading.because = made.numbers.problem;
  if (!reading.because.empty()) return made;
  const Shape shape = shape_of_mask(stacked_shape(group), reading.axes, numbers.shape);
  if (made.numbers.flags.empty()) {
    reading.use = MaskUse::Added;
    made.numbers.added = made.numbers.added.reshaped(shape);
    return made;
  }
  if (shape != made.numbers.flags.shape()) {
    made.numbers.flags = made.numbers.flags.reshaped(shape);
  }
  reading.has_flags = !mask.said;
  reading.use = mask.said.value_or(MaskUse::Attends);
  if (reading.axes == taken.choices.noted_axes(group.names.front())) reading.has_flags = false;
  if (reading.has_flags) judge_mask(numbers, made.numbers.flags, group.known, reading);
  return made;
}

// Lists beside lists, and matrices beside matrices, are the same mask.
std::string* used_name(std::array<std::string, 3>& used, const Judged& mask) {
  if (mask.reading.use == MaskUse::Added) return &used[2];
  return &used[lists_keys(mask.reading.axes) ? 1 : 0];
}

Status put_mask(Judged& mask, bool is_finished, DocumentText& text) {
  MaskText& to = text.mask ? *text.mask : text.mask.emplace();
  MaskNumbers& numbers = mask.numbers;
  if (mask.reading.use == MaskUse::Added && is_finished) {
    std::vector<std::uint8_t> flags(numbers.added.size());
    std::ranges::transform(numbers.added.values(), flags.begin(),
                           [](float number) { return number == 0.0F; });
    numbers.flags = BoolTensor(numbers.added.shape(), std::move(flags));
  } else if (mask.reading.use == MaskUse::Added) {
    to.bias = broadcast(mask.reading.axes, numbers.added);
    return ok_status();
  }
  if (mask.reading.use == MaskUse::Hides) numbers.flags = opposite(numbers.flags);
  if (lists_keys(mask.reading.axes)) {
    to.key_padding = lists_of(numbers.flags);
  } else {
    to.visible = broadcast(mask.reading.axes, numbers.flags);
  }
  return ok_status();
}

}  // namespace

Status take_masks(const ArrayFile& from, TakenArrays& taken) {
  ArrayChoices& choices = taken.choices;
  const auto said = masks_said(choices);
  if (!said) return said.error();
  const LaidArray& first = choices.fitting.front().laid.front();
  const bool is_finished = first.key == "attention";
  const LaidArray& last = choices.fitting.front().laid[is_finished ? 0 : 1];
  MaskedNumbers numbers{{}, choices.tokens, taken.text.attention, {}};
  numbers.axes = taken.text.axes.value_or(Axes());
  numbers.shape.layers = first.extent("layer");
  numbers.shape.samples = first.extent("sample");
  numbers.shape.heads = first.extent("head");
  numbers.shape.n_q = first.extent(is_finished ? "query" : "token");
  numbers.shape.n_k = last.extent(is_finished ? "key" : "token");
  std::array<std::string, 3> used;
  for (const PossibleMask& mask : possible_masks(choices, taken.meanings, *said)) {
    Result<Judged> made = judged(from, taken, numbers, mask);
    if (!made && (mask.said || made.error().kind != ErrorKind::BadInput)) return made.error();
    if (!made) continue;
    MaskReading& reading = made->reading;
    if (mask.said && reading.use == MaskUse::NotUsed) {
      return refusal_at("", "`" + reading.name + "` is no mask of this attention",
                        shape_text(mask.group.shape) + ", which " + reading.because,
                        "flags, or numbers to add, for each key");
    }
    std::string* const name = used_name(used, *made);
    const bool adds_to_finished =
        reading.use == MaskUse::Added && is_finished && !is_added(made->numbers.added.values());
    if (reading.use != MaskUse::NotUsed && !name->empty()) {
      reading.use = MaskUse::NotUsed;
      reading.because = "`" + *name + "` is";
    } else if (adds_to_finished) {
      reading.use = MaskUse::NotUsed;
      reading.because = "the weights are finished";
    } else if (reading.use != MaskUse::NotUsed) {
      *name = reading.name;
      if (Status put = put_mask(*made, is_finished, taken.text); !put) return put;
    }
    choices.masks.push_back(std::move(reading));
  }
  return ok_status();
}

}  // namespace attn
