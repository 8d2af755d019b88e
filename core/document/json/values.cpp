// Reads numbers, texts, lists and tensors, within the memory that is left for them.
#include "document/json/values.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <system_error>
#include <type_traits>
#include <utility>

#include "base/growing_array.h"
#include "base/utf8.h"
#include "document/inconsistencies.h"
#include "document/load/tensor_file.h"
#include "text/nearest.h"

namespace attn {
namespace {

// --- {"file": …} in place of nested lists: numbers of files

bool read_file_key(JsonValue json, TensorReference& reference) {
  return json.read_text(reference.file);
}

constexpr Row<TensorReference> kReferenceRows[] = {
    {"file", read_file_key},
};

// Error of a file, at the place that refers to it.
bool refuse_file(JsonValue json, const TensorReference& reference, const Error& error) {
  json.refuse(reference.file + ": " + error.message, error.found, error.expected, error.hint);
  json.reader().errors().back().kind = error.kind;
  return false;
}

// Usage error: the file is not opened, so nothing about it is disclosed.
Error outside_error() {
  Error error = usage_error("the file lies outside of the folder of the document");
  error.hint = "add --allow-outside if whoever made the document may read your files";
  return error;
}

std::string axes_text(DepthRange depths) {
  const std::string low = std::to_string(depths.low);
  return depths.low == depths.high ? low + (depths.low == 1 ? " axis" : " axes")
                                   : low + " to " + std::to_string(depths.high) + " axes";
}

Result<Tensor> open(JsonValue json, const TensorReference& reference, const Tensor&) {
  const JsonReader& reader = json.reader();
  return open_tensor(reference, reader.limits().folder, reader.memory_left());
}

Result<BoolTensor> open(JsonValue json, const TensorReference& reference, const BoolTensor&) {
  const JsonReader& reader = json.reader();
  return open_flags(reference, reader.limits().folder, reader.memory_left());
}

template <class T>
bool read(JsonValue json, DepthRange depths, BasicTensor<T>& tensor) {
  const std::size_t known = json.reader().errors().size();
  TensorReference reference;
  if (!read_object<TensorReference>(json, kReferenceRows, reference)) return false;
  if (json.reader().errors().size() != known) return false;
  if (reference.file.empty()) {
    return json.refuse("the reference names no file", "no \"file\"",
                       "lists of numbers, or {\"file\": \"q.npy\"}");
  }
  const JsonLimits& limits = json.reader().limits();
  if (!limits.allows_outside && leads_outside(reference.file, limits.folder)) {
    return refuse_file(json, reference, outside_error());
  }
  Result<BasicTensor<T>> opened = open(json, reference, tensor);
  if (!opened) return refuse_file(json, reference, opened.error());
  if (opened->rank() < depths.low || opened->rank() > depths.high) {
    return json.refuse(reference.file + ": the array has the wrong number of axes",
                       shape_text(opened->shape()), axes_text(depths));
  }
  tensor = *std::move(opened);
  return lies_in_its_file(tensor) || json.charge(tensor.size() * sizeof(T));
}

bool read_reference(JsonValue json, DepthRange depths, Tensor& tensor) {
  return read(json, depths, tensor);
}

bool read_reference(JsonValue json, DepthRange depths, BoolTensor& tensor) {
  return read(json, depths, tensor);
}

using Kind = JsonValue::Kind;

bool read_element(JsonValue json, float& value) { return json.read_float(value); }

bool read_element(JsonValue json, std::uint8_t& value) {
  bool flag = false;
  if (!read_flag(json, flag)) return false;
  value = flag ? 1 : 0;
  return true;
}

std::string depth_text(DepthRange depths) {
  const std::string low = std::to_string(depths.low);
  return depths.low == depths.high ? "depth " + low
                                   : "depth " + low + " to " + std::to_string(depths.high);
}

// The first branch sets the shape; later ones must match.
template <class T>
class NestedLists {
 public:
  NestedLists(DepthRange depths, const char* noun) : depths_(depths), noun_(noun) {}

  bool read(JsonValue json, BasicTensor<T>& tensor) {
    if constexpr (std::is_same_v<T, float>) values_ = json.take_floats();
    has_all_ = values_.size() > 0;
    if (!read_level(json, 0)) return false;
    const std::shared_ptr<const T> values = values_.release();
    tensor = BasicTensor<T>(shape_, values.get(), values);
    return true;
  }

 private:
  bool read_level(JsonValue json, std::size_t level) {
    if (json.kind() == Kind::List) return read_list(json, level);
    const bool first = !leaf_level_;
    if (first && json.kind() != Kind::Nothing && level < depths_.low) {
      return json.refuse("the lists are nested to the wrong depth",
                         json.describe() + " at depth " + std::to_string(level),
                         "lists of " + std::string(noun_) + "s of " + depth_text(depths_));
    }
    if (!first && level != *leaf_level_ && json.kind() != Kind::Nothing) {
      return json.refuse("the lists are ragged: their depth changes", json.describe(),
                         "a list of " + counted(shape_hint(level), noun_at(level + 1)));
    }
    leaf_level_ = level;
    return has_all_ || read_value(json);
  }

  bool read_value(JsonValue json) {
    T value{};
    if (!read_element(json, value) || !json.charge(2 * sizeof(T))) return false;
    values_.push_back(value);
    return true;
  }

  bool read_list(JsonValue json, std::size_t level) {
    if (leaf_level_ && level >= *leaf_level_) {
      return json.refuse("the lists are ragged: their depth changes", "a list",
                         "a " + std::string(noun_));
    }
    if (level >= depths_.high) {
      return json.refuse("the lists are nested to the wrong depth",
                         "depth " + std::to_string(level + 1) + " or more", depth_text(depths_));
    }
    std::size_t count = 0;
    JsonItems items(json);
    while (!items.is_at_end()) {
      if (!read_level(items.value(), level + 1)) return false;
      count += has_all_ ? items.step_over_row() : items.step();
    }
    if (!json.is_whole()) return false;
    if (count == 0) {
      return json.refuse("an empty list", "no values", "at least one " + std::string(noun_));
    }
    return fits(json, level, count);
  }

  bool fits(JsonValue json, std::size_t level, std::size_t count) {
    if (shape_.size() < *leaf_level_) shape_.resize(*leaf_level_, 0);
    if (shape_[level] == 0) shape_[level] = count;
    if (shape_[level] == count) return true;
    return json.refuse("the lists are ragged", counted(count, noun_at(level + 1)),
                       std::to_string(shape_[level]) + ", as in those before");
  }

  // Reads the contents of a list at `level - 1`.
  std::string noun_at(std::size_t level) const {
    return leaf_level_ && level < *leaf_level_ ? "list" : noun_;
  }

  std::size_t shape_hint(std::size_t level) const {
    return level < shape_.size() && shape_[level] > 0 ? shape_[level] : 1;
  }

  DepthRange depths_;
  const char* noun_;
  std::optional<std::size_t> leaf_level_;
  Shape shape_;
  GrowingArray<T> values_;
  bool has_all_ = false;  // only the shape is read
};

// One list, or one per sample. read_one(json, list) reads one of them.
template <class List, class ReadOne>
bool read_one_or_many(JsonValue json, std::vector<List>& lists, ReadOne read_one) {
  const auto add = [&](JsonValue one) {
    List list;
    if (!one.charge(2 * sizeof(List)) || !read_one(one, list)) return false;
    lists.push_back(std::move(list));
    return true;
  };
  return json.is_list_of("[") ? json.each_item(add) : add(json);
}

bool read_flags(JsonValue json, std::vector<std::uint8_t>& flags) {
  const bool read = json.each_item([&](JsonValue item) {
    std::uint8_t flag = 0;
    if (!item.charge(2) || !read_element(item, flag)) return false;
    flags.push_back(flag);
    return true;
  });
  if (!read || !flags.empty()) return read;
  return json.refuse("an empty list", "no flags", "one flag for each token");
}

// One number, or a list of them.
template <class T, class ReadOne>
bool read_one_or_list(JsonValue json, std::vector<T>& values, ReadOne read_one) {
  const auto add = [&](JsonValue one) {
    T value{};
    if (!one.charge(2 * sizeof value) || !read_one(one, value)) return false;
    values.push_back(value);
    return true;
  };
  values.clear();
  if (json.kind() != Kind::List) return add(json);
  if (!json.each_item(add)) return false;
  return !values.empty() || json.refuse("an empty list", "no numbers", "at least one number");
}

constexpr double kExact = 9007199254740992.0;  // 2^53: doubles hold every whole number up to it

// Whole number of `text`; read as a double unless written in digits alone.
template <class Integer>
bool whole_number(std::string_view text, Integer& value) {
  const char* end = text.data() + text.size();
  const auto digits = std::from_chars(text.data(), end, value);
  if (digits.ptr == end) return digits.ec == std::errc{};
  double wide = 0.0;
  const auto parsed = std::from_chars(text.data(), end, wide);
  if (parsed.ec != std::errc{} || std::abs(wide) > kExact || wide != std::floor(wide)) return false;
  if (wide < 0 && !std::is_signed_v<Integer>) return false;
  value = static_cast<Integer>(wide);
  return true;
}

constexpr const char* kUnknownKey = "unknown key";
constexpr const char* kAllKeys = "attnscope schema prints all keys";

std::string quoted_name(std::string_view name) { return "\"" + std::string(name) + "\""; }

std::string did_you_mean(std::string_view meant) {
  return meant.empty() ? "" : "did you mean " + quoted_name(meant) + "?";
}

}  // namespace

bool read_tensor(JsonValue json, DepthRange depths, Tensor& tensor) {
  if (json.kind() == Kind::Object) return read_reference(json, depths, tensor);
  return NestedLists<float>(depths, "number").read(json, tensor);
}

bool read_tensor(JsonValue json, DepthRange depths, BoolTensor& tensor) {
  if (json.kind() == Kind::Object) return read_reference(json, depths, tensor);
  return NestedLists<std::uint8_t>(depths, "flag").read(json, tensor);
}

bool read_flag(JsonValue json, bool& value) {
  if (json.kind() != Kind::Number) return json.read_bool(value);
  std::string_view text;
  if (!json.read_number(text)) return false;
  std::uint64_t number = 0;
  if (!whole_number(text, number) || number > 1) {
    return json.refuse("this is no truth value", "the number " + shortened(text, 40),
                       "true or false");
  }
  value = number == 1;
  return true;
}

bool read_count(JsonValue json, std::uint64_t minimum, std::uint64_t& value) {
  std::string_view text;
  if (!json.read_number(text)) return false;
  if (whole_number(text, value) && value >= minimum) return true;
  double wide = 0.0;
  const bool parsed =
      std::from_chars(text.data(), text.data() + text.size(), wide).ec == std::errc{};
  const bool too_large = parsed ? wide > kExact : text.find("e-") == text.npos;
  const bool powers = too_large && text.find_first_of("eE") != text.npos;
  constexpr std::uint64_t kLargest = std::numeric_limits<std::uint64_t>::max();
  return json.refuse("this is no whole number in range", shortened(text, 40),
                     "a whole number from " + std::to_string(minimum) +
                         (too_large ? " to " + std::to_string(kLargest) : " on"),
                     powers ? "write large numbers with all their digits" : "");
}

bool read_integer(JsonValue json, std::int64_t& value) {
  std::string_view text;
  if (!json.read_number(text)) return false;
  if (whole_number(text, value)) return true;
  return json.refuse("this is no whole number", shortened(text, 40), "a whole number");
}

bool read_texts(JsonValue json, std::vector<std::string>& texts) {
  return json.each_item([&](JsonValue item) {
    std::string text;
    if (!item.read_text(text)) return false;
    if (!item.charge(2 * sizeof(std::string) + text.size())) return false;
    texts.push_back(std::move(text));
    return true;
  });
}

bool read_padding(JsonValue json, PaddingLists& lists) {
  return read_one_or_many(json, lists, read_flags);
}

bool read_segments(JsonValue json, SegmentLists& lists) {
  return read_one_or_many(json, lists, read_integers);
}

bool read_finite(JsonValue json, float& value) {
  std::string_view text;
  return json.kind() != Kind::Number ? json.read_number(text) : json.read_float(value);
}

bool read_positive(JsonValue json, float& value) {
  const std::string found = json.describe();
  if (!read_finite(json, value)) return false;
  return value > 0.0F ||
         json.refuse("the " + json.key() + " is not above zero", found, "a number above 0");
}

bool read_integers(JsonValue json, std::vector<std::int64_t>& values) {
  return read_one_or_list(json, values, read_integer);
}

bool read_counts(JsonValue json, std::vector<std::uint64_t>& values) {
  return read_one_or_list(
      json, values, [](JsonValue at, std::uint64_t& count) { return read_count(at, 0, count); });
}

bool read_numbers(JsonValue json, std::vector<float>& values) {
  return read_one_or_list(json, values, read_finite);
}

bool refuse_unknown_key(JsonValue json, const std::string& key,
                        std::span<const std::string_view> known) {
  const std::string_view meant = meant_key(key, known);
  if (!meant.empty()) {
    return json.refuse_key(kUnknownKey, quoted_name(meant), did_you_mean(meant));
  }
  std::string such_as;
  for (const std::string_view name : nearest_few(key, known, 3)) {
    such_as += (such_as.empty() ? "a key such as " : ", ") + std::string(name);
  }
  const std::vector<Error>& errors = json.reader().errors();
  const bool said = std::any_of(errors.begin(), errors.end(), [](const Error& error) {
    return error.message == kUnknownKey && error.hint == kAllKeys;
  });
  return json.refuse_key(kUnknownKey, said ? "" : such_as, said ? "" : kAllKeys);
}

bool refuse_unknown_name(JsonValue json, const std::string& what, const std::string& name,
                         std::span<const std::string_view> known) {
  std::string all;
  for (const std::string_view one : known) all += (all.empty() ? "" : ", ") + std::string(one);
  return json.refuse("unknown " + what, quoted_name(name), "one of " + all,
                     did_you_mean(nearest(name, known)));
}

}  // namespace attn
