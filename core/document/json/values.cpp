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

bool read_file_key(JsonCursor& cursor, TensorReference& reference) {
  return cursor.read_text(reference.file);
}

constexpr Row<TensorReference> kReferenceRows[] = {
    {"file", read_file_key},
};

// What is wrong with a file, said at the place that refers to it.
bool refuse_file(JsonCursor& cursor, const JsonCursor::Mark& start,
                 const TensorReference& reference, const Error& error) {
  cursor.refuse_at(start, reference.file + ": " + error.message, error.found, error.expected,
                   error.hint);
  cursor.errors().back().kind = error.kind;
  return false;
}

// Usage: the file is not looked at, so nothing is told of it.
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

Result<Tensor> open(const JsonCursor& cursor, const TensorReference& reference, const Tensor&) {
  return open_tensor(reference, cursor.folder(), cursor.memory_left());
}

Result<BoolTensor> open(const JsonCursor& cursor, const TensorReference& reference,
                        const BoolTensor&) {
  return open_flags(reference, cursor.folder(), cursor.memory_left());
}

template <class T>
bool read(JsonCursor& cursor, DepthRange depths, BasicTensor<T>& tensor) {
  const JsonCursor::Mark start = cursor.mark();
  const std::size_t known = cursor.errors().size();
  TensorReference reference;
  if (!read_object<TensorReference>(cursor, kReferenceRows, reference)) return false;
  if (cursor.errors().size() != known) return false;
  if (reference.file.empty()) {
    return cursor.refuse_at(start, "the reference names no file", "no \"file\"",
                            "lists of numbers, or {\"file\": \"q.npy\"}");
  }
  if (!cursor.allows_outside() && leads_outside(reference.file, cursor.folder())) {
    return refuse_file(cursor, start, reference, outside_error());
  }
  Result<BasicTensor<T>> opened = open(cursor, reference, tensor);
  if (!opened) return refuse_file(cursor, start, reference, opened.error());
  if (opened->rank() < depths.low || opened->rank() > depths.high) {
    return cursor.refuse_at(start, reference.file + ": the array has the wrong number of axes",
                            shape_text(opened->shape()), axes_text(depths));
  }
  tensor = *std::move(opened);
  return lies_in_its_file(tensor) || cursor.charge(tensor.size() * sizeof(T));
}

bool read_reference(JsonCursor& cursor, DepthRange depths, Tensor& tensor) {
  return read(cursor, depths, tensor);
}

bool read_reference(JsonCursor& cursor, DepthRange depths, BoolTensor& tensor) {
  return read(cursor, depths, tensor);
}

using Kind = JsonCursor::Kind;

bool read_element(JsonCursor& cursor, float& value) { return cursor.read_float(value); }

bool read_element(JsonCursor& cursor, std::uint8_t& value) {
  bool flag = false;
  if (!read_flag(cursor, flag)) return false;
  value = flag ? 1 : 0;
  return true;
}

std::string depth_text(DepthRange depths) {
  const std::string low = std::to_string(depths.low);
  return depths.low == depths.high ? "depth " + low
                                   : "depth " + low + " to " + std::to_string(depths.high);
}

// The shape is that of the first branch; every later one must repeat it.
template <class T>
class NestedLists {
 public:
  NestedLists(JsonCursor& cursor, DepthRange depths, const char* noun)
      : cursor_(cursor), depths_(depths), noun_(noun) {}

  bool read(BasicTensor<T>& tensor) {
    if (!read_level(0)) return false;
    const std::shared_ptr<const T> values = values_.release();
    tensor = BasicTensor<T>(shape_, values.get(), values);
    return true;
  }

 private:
  bool read_level(std::size_t level) {
    if (cursor_.kind() == Kind::List) return read_list(level);
    const bool first = !leaf_level_;
    if (first && cursor_.kind() != Kind::Nothing && level < depths_.low) {
      return cursor_.refuse("the lists are nested to the wrong depth",
                            cursor_.describe() + " at depth " + std::to_string(level),
                            "lists of " + std::string(noun_) + "s of " + depth_text(depths_));
    }
    if (!first && level != *leaf_level_ && cursor_.kind() != Kind::Nothing) {
      return cursor_.refuse("the lists are ragged: their depth changes", cursor_.describe(),
                            "a list of " + counted(shape_hint(level), noun_at(level + 1)));
    }
    T value{};
    if (!read_element(cursor_, value)) return false;
    leaf_level_ = level;
    if (!cursor_.charge(2 * sizeof(T))) return false;
    values_.push_back(value);
    return true;
  }

  // Items of a list of numbers, up to one that needs a closer look, such as the last.
  std::size_t read_most() requires std::is_same_v<T, float> {
    const std::size_t affordable = cursor_.memory_left() / (2 * sizeof(T));
    const std::span<T> room = values_.room();
    const std::size_t count =
        cursor_.read_floats(room.first(std::min<std::size_t>(room.size(), affordable)));
    values_.took(count);
    cursor_.charge(2 * sizeof(T) * count);
    return count;
  }
  std::size_t read_most() { return 0; }

  bool read_list(std::size_t level) {
    if (leaf_level_ && level >= *leaf_level_) {
      return cursor_.refuse("the lists are ragged: their depth changes", "a list",
                            "a " + std::string(noun_));
    }
    if (level >= depths_.high) {
      return cursor_.refuse("the lists are nested to the wrong depth",
                            "depth " + std::to_string(level + 1) + " or more", depth_text(depths_));
    }
    const JsonCursor::Mark start = cursor_.mark();
    std::size_t count = 0;
    const bool read = cursor_.each_item([&] {
      if (leaf_level_ == level + 1) count += read_most();
      ++count;
      return read_level(level + 1);
    });
    if (!read) return false;
    if (count == 0) {
      return cursor_.refuse_at(start, "an empty list", "no values",
                               "at least one " + std::string(noun_));
    }
    return fits(level, count, start);
  }

  bool fits(std::size_t level, std::size_t count, const JsonCursor::Mark& start) {
    if (shape_.size() < *leaf_level_) shape_.resize(*leaf_level_, 0);
    if (shape_[level] == 0) shape_[level] = count;
    if (shape_[level] == count) return true;
    return cursor_.refuse_at(start, "the lists are ragged", counted(count, noun_at(level + 1)),
                             std::to_string(shape_[level]) + ", as in those before");
  }

  // What a list at `level - 1` holds.
  std::string noun_at(std::size_t level) const {
    return leaf_level_ && level < *leaf_level_ ? "list" : noun_;
  }

  std::size_t shape_hint(std::size_t level) const {
    return level < shape_.size() && shape_[level] > 0 ? shape_[level] : 1;
  }

  JsonCursor& cursor_;
  DepthRange depths_;
  const char* noun_;
  std::optional<std::size_t> leaf_level_;
  Shape shape_;
  GrowingArray<T> values_;
};

// One list, or one per sample. read_one(cursor, list) reads one of them.
template <class List, class ReadOne>
bool read_one_or_many(JsonCursor& cursor, std::vector<List>& lists, ReadOne read_one) {
  const auto add = [&] {
    List list;
    if (!cursor.charge(2 * sizeof(List)) || !read_one(cursor, list)) return false;
    lists.push_back(std::move(list));
    return true;
  };
  const auto add_item = [&] { return add(); };
  return cursor.is_list_of("[") ? cursor.each_item(add_item) : add();
}

bool read_flags(JsonCursor& cursor, std::vector<std::uint8_t>& flags) {
  const JsonCursor::Mark start = cursor.mark();
  const bool read = cursor.each_item([&] {
    std::uint8_t flag = 0;
    if (!cursor.charge(2) || !read_element(cursor, flag)) return false;
    flags.push_back(flag);
    return true;
  });
  if (!read || !flags.empty()) return read;
  return cursor.refuse_at(start, "an empty list", "no flags", "one flag for each token");
}

// One number, or a list of them.
template <class T, class ReadOne>
bool read_one_or_list(JsonCursor& cursor, std::vector<T>& values, ReadOne read_one) {
  const auto add = [&] {
    T value{};
    if (!cursor.charge(2 * sizeof value) || !read_one(cursor, value)) return false;
    values.push_back(value);
    return true;
  };
  values.clear();
  if (cursor.kind() != Kind::List) return add();
  const JsonCursor::Mark start = cursor.mark();
  if (!cursor.each_item(add)) return false;
  return !values.empty() ||
         cursor.refuse_at(start, "an empty list", "no numbers", "at least one number");
}

constexpr double kExact = 9007199254740992.0;  // 2^53: doubles hold every whole number up to it

// The whole number that `text` stands for, as a double when it is not written in digits alone.
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

bool read_tensor(JsonCursor& cursor, DepthRange depths, Tensor& tensor) {
  if (cursor.kind() == Kind::Object) return read_reference(cursor, depths, tensor);
  return NestedLists<float>(cursor, depths, "number").read(tensor);
}

bool read_tensor(JsonCursor& cursor, DepthRange depths, BoolTensor& tensor) {
  if (cursor.kind() == Kind::Object) return read_reference(cursor, depths, tensor);
  return NestedLists<std::uint8_t>(cursor, depths, "flag").read(tensor);
}

bool read_flag(JsonCursor& cursor, bool& value) {
  if (cursor.kind() != Kind::Number) return cursor.read_bool(value);
  const JsonCursor::Mark start = cursor.mark();
  std::string_view text;
  if (!cursor.read_number(text)) return false;
  std::uint64_t number = 0;
  if (!whole_number(text, number) || number > 1) {
    return cursor.refuse_at(start, "this is no truth value", "the number " + shortened(text, 40),
                            "true or false");
  }
  value = number == 1;
  return true;
}

bool read_count(JsonCursor& cursor, std::uint64_t minimum, std::uint64_t& value) {
  const JsonCursor::Mark start = cursor.mark();
  std::string_view text;
  if (!cursor.read_number(text)) return false;
  if (whole_number(text, value) && value >= minimum) return true;
  double wide = 0.0;
  const bool parsed =
      std::from_chars(text.data(), text.data() + text.size(), wide).ec == std::errc{};
  const bool too_large = parsed ? wide > kExact : text.find("e-") == text.npos;
  const bool powers = too_large && text.find_first_of("eE") != text.npos;
  constexpr std::uint64_t kLargest = std::numeric_limits<std::uint64_t>::max();
  return cursor.refuse_at(start, "this is no whole number in range", shortened(text, 40),
                          "a whole number from " + std::to_string(minimum) +
                              (too_large ? " to " + std::to_string(kLargest) : " on"),
                          powers ? "write large numbers with all their digits" : "");
}

bool read_integer(JsonCursor& cursor, std::int64_t& value) {
  const JsonCursor::Mark start = cursor.mark();
  std::string_view text;
  if (!cursor.read_number(text)) return false;
  if (whole_number(text, value)) return true;
  return cursor.refuse_at(start, "this is no whole number", shortened(text, 40), "a whole number");
}

bool read_texts(JsonCursor& cursor, std::vector<std::string>& texts) {
  return cursor.each_item([&] {
    std::string text;
    if (!cursor.read_text(text)) return false;
    if (!cursor.charge(2 * sizeof(std::string) + text.size())) return false;
    texts.push_back(std::move(text));
    return true;
  });
}

bool read_padding(JsonCursor& cursor, PaddingLists& lists) {
  return read_one_or_many(cursor, lists, read_flags);
}

bool read_segments(JsonCursor& cursor, SegmentLists& lists) {
  return read_one_or_many(cursor, lists, read_integers);
}

bool read_finite(JsonCursor& cursor, float& value) {
  std::string_view text;
  return cursor.kind() != Kind::Number ? cursor.read_number(text) : cursor.read_float(value);
}

bool read_positive(JsonCursor& cursor, float& value) {
  const JsonCursor::Mark start = cursor.mark();
  const std::string found = cursor.describe();
  if (!read_finite(cursor, value)) return false;
  return value > 0.0F || cursor.refuse_at(start, "the " + cursor.key() + " is not above zero",
                                          found, "a number above 0");
}

bool read_integers(JsonCursor& cursor, std::vector<std::int64_t>& values) {
  return read_one_or_list(cursor, values, read_integer);
}

bool read_counts(JsonCursor& cursor, std::vector<std::uint64_t>& values) {
  return read_one_or_list(cursor, values, [](JsonCursor& at, std::uint64_t& count) {
    return read_count(at, 0, count);
  });
}

bool read_numbers(JsonCursor& cursor, std::vector<float>& values) {
  return read_one_or_list(cursor, values, read_finite);
}

bool refuse_unknown_key(JsonCursor& cursor, const std::string& key,
                        std::span<const std::string_view> known) {
  const std::string_view meant = meant_key(key, known);
  if (!meant.empty()) {
    return cursor.refuse_key(kUnknownKey, quoted_name(meant), did_you_mean(meant));
  }
  std::string such_as;
  for (const std::string_view name : nearest_few(key, known, 3)) {
    such_as += (such_as.empty() ? "a key such as " : ", ") + std::string(name);
  }
  const std::vector<Error>& errors = cursor.errors();
  const bool said = std::any_of(errors.begin(), errors.end(), [](const Error& error) {
    return error.message == kUnknownKey && error.hint == kAllKeys;
  });
  return cursor.refuse_key(kUnknownKey, said ? "" : such_as, said ? "" : kAllKeys);
}

bool refuse_unknown_name(JsonCursor& cursor, const JsonCursor::Mark& start, const std::string& what,
                         const std::string& name, std::span<const std::string_view> known) {
  std::string all;
  for (const std::string_view one : known) all += (all.empty() ? "" : ", ") + std::string(one);
  return cursor.refuse_at(start, "unknown " + what, quoted_name(name), "one of " + all,
                          did_you_mean(nearest(name, known)));
}

}  // namespace attn
