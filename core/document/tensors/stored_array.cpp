// Types of elements, and conversion of stored arrays to tensors.
#include <algorithm>
#include <bit>
#include <cstring>

#include "base/descriptor.h"
#include "base/joined.h"
#include "base/mapped_file.h"
#include "base/number_text.h"
#include "base/utf8.h"
#include "document/axes.h"
#include "document/tensors/array_file.h"

namespace attn {
namespace {

static_assert(std::endian::native == std::endian::little, "mapped numbers are little-endian");

template <class T>
T number_at(const char* at, bool swapped) {
  char bytes[sizeof(T)];
  std::memcpy(bytes, at, sizeof(T));
  if (swapped) std::reverse(bytes, bytes + sizeof(T));
  T value;
  std::memcpy(&value, bytes, sizeof(T));
  return value;
}

// IEEE 754 binary16: moves exponent and fraction to those of a float, whose bias is larger by 112.
float from_half(std::uint16_t bits) {
  constexpr std::uint16_t kSign = 0x8000, kExponent = 0x7C00;
  const auto size = static_cast<std::uint32_t>(bits & ~kSign);
  const bool is_finite = (bits & kExponent) != kExponent;
  const float value = is_finite ? std::bit_cast<float>(size << 13U) * 0x1p112F
                                : std::bit_cast<float>(size << 13U | 0x7F800000U);
  return (bits & kSign) != 0 ? -value : value;
}

// bfloat16: the upper half of a float.
float from_brain(std::uint16_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16U);
}

template <class T>
float from_number(T value) {
  return static_cast<float>(value);
}

template <class T, float (*kConvert)(T) = from_number<T>>
void read_as(const char* data, std::size_t first, bool swapped, std::span<float> out) {
  const char* at = data + first * sizeof(T);
  for (float& number : out) {
    number = kConvert(number_at<T>(at, swapped));
    at += sizeof(T);
  }
}

// Q8_0: a binary16 scale of 32 integers.
void read_q8(const char* data, std::size_t first, bool swapped, std::span<float> out) {
  constexpr std::size_t kIntegers = 32, kBytes = 34;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const char* const block = data + (first + i) / kIntegers * kBytes;
    const char* const integer = block + sizeof(std::uint16_t) + (first + i) % kIntegers;
    out[i] = from_half(number_at<std::uint16_t>(block, swapped)) *
             static_cast<float>(static_cast<signed char>(*integer));
  }
}

constexpr ElementType kTypes[] = {
    {"float32", "f4", "F32", 0, 4, 1, read_as<float>},
    {"float64", "f8", "F64", 28, 8, 1, read_as<double>},
    {"float16", "f2", "F16", 1, 2, 1, read_as<std::uint16_t, from_half>},
    {"bfloat16", "", "BF16", 30, 2, 1, read_as<std::uint16_t, from_brain>},
    {"int8", "i1", "I8", 24, 1, 1, read_as<std::int8_t>},
    {"int16", "i2", "I16", 25, 2, 1, read_as<std::int16_t>},
    {"int32", "i4", "I32", 26, 4, 1, read_as<std::int32_t>},
    {"int64", "i8", "I64", 27, 8, 1, read_as<std::int64_t>},
    {"uint8", "u1", "U8", -1, 1, 1, read_as<std::uint8_t>},
    {"uint16", "u2", "U16", -1, 2, 1, read_as<std::uint16_t>},
    {"uint32", "u4", "U32", -1, 4, 1, read_as<std::uint32_t>},
    {"uint64", "u8", "U64", -1, 8, 1, read_as<std::uint64_t>},
    {"bool", "b1", "BOOL", -1, 1, 1, read_as<std::uint8_t>},
    {"Q8_0", "", "", 8, 34, 32, read_q8},
};

Status check_memory(std::size_t count, std::size_t size, std::uint64_t limit_bytes) {
  const std::size_t needed = element_count({count, size});
  if (needed <= limit_bytes) return ok_status();
  return over_memory("the numbers would need more memory than is allowed", needed, limit_bytes,
                     "raise the memory limit, or save the array as float32 in C order, which is "
                     "read without a copy");
}

bool is_usable_in_place(const StoredArray& array) {
  return array.type == kTypes && !array.swapped && !array.fortran_order &&
         reinterpret_cast<std::uintptr_t>(array.data.data()) % alignof(float) == 0;
}

// Calls visit(position in the file) for every element in row-major order.
template <class Visit>
void each_in_row_order(const StoredArray& array, Visit visit) {
  const Shape& shape = array.shape;
  if (!array.fortran_order || shape.size() < 2) {
    for (std::size_t i = 0, count = element_count(shape); i < count; ++i) visit(i);
    return;
  }
  Shape strides(shape.size(), 1);
  for (std::size_t axis = 1; axis < shape.size(); ++axis) {
    strides[axis] = strides[axis - 1] * shape[axis - 1];
  }
  each_place(shape, strides, visit);
}

float element_at(const StoredArray& array, std::size_t place) {
  float number = 0.0F;
  array.type->read(array.data.data(), place, array.swapped, {&number, 1});
  return number;
}

// The array with its data, which `owner` keeps alive, if it holds text as `wants_text` requires and
// the elements fit into memory with `bytes_each` bytes each.
Result<StoredArray> with_data(StoredArray array, bool wants_text, std::size_t bytes_each,
                              std::shared_ptr<const void>& owner, std::uint64_t limit_bytes) {
  if (wants_text && array.type != nullptr) {
    return refusal_at("", "the elements are numbers", type_text(array), "text");
  }
  if (!wants_text && array.type == nullptr) {
    return refusal_at("", "the elements are text", shape_text(array.shape) + " of text", "numbers");
  }
  const Status fits = check_memory(element_count(array.shape), bytes_each, limit_bytes);
  if (!fits) return fits.error();
  if (!array.packed) return array;
  if (array.packed->size > limit_bytes) {
    return over_memory("the unpacked array would need more memory than is allowed",
                       array.packed->size, limit_bytes,
                       "raise the memory limit, or save it with numpy.savez, which does not pack");
  }
  Result<std::string> bytes = unpacked(*array.packed, array.packed->size);
  if (!bytes) return bytes.error();
  const auto kept = std::make_shared<const std::string>(*std::move(bytes));
  array.data = std::string_view(*kept).substr(array.header_bytes);
  owner = kept;
  return array;
}

}  // namespace

std::span<const ElementType> all_element_types() { return kTypes; }

std::string type_text(const StoredArray& array) {
  return array.type != nullptr ? std::string(array.type->name) : "text";
}

Status count_array(ArrayListing& listing, std::string_view name, const ReadOptions& options) {
  constexpr std::uint64_t kBytesEach = 3 * sizeof(StoredArray), kCopies = 8;  // of the name
  if (is_cancelled(options.progress)) return reading_stopped("");
  listing.needed_bytes += kBytesEach + kCopies * name.size();
  if (listing.needed_bytes <= options.memory_limit_bytes) return ok_status();
  return over_memory("the list of the file's arrays would need more memory than is allowed",
                     listing.needed_bytes, options.memory_limit_bytes,
                     "raise the memory limit, or write fewer arrays to one file");
}

void list_array(ArrayListing& listing, StoredArray array, const std::string& type) {
  const bool is_empty = element_count(array.shape) == 0;
  if (array.type != nullptr && !is_empty) return listing.arrays.push_back(std::move(array));
  listing.left_out.push_back(array.name + ": " +
                             (is_empty ? "empty, " + shape_text(array.shape) : type));
}

std::optional<Error> left_out_refusal(const std::vector<std::string>& left_out,
                                      const std::string& name) {
  const auto other = std::ranges::find_if(
      left_out, [&](const std::string& text) { return text.starts_with(name + ": "); });
  if (other == left_out.end()) return std::nullopt;
  return refusal_at("", "the array `" + name + "` is not read", other->substr(name.size() + 2),
                    "at least one element, and numbers of the type " +
                        joined(names_of(all_element_types(), &ElementType::name)),
                    "write it with such numbers");
}

std::size_t stored_bytes(const StoredArray& array) {
  const std::size_t count = element_count(array.shape);
  if (array.type == nullptr) return element_count({count, array.characters, sizeof(char32_t)});
  const std::size_t block = array.type->block;
  return element_count({count / block + (count % block != 0 ? 1 : 0), array.type->bytes});
}

Status check_stored(const StoredArray& array, std::uint64_t bytes) {
  if (element_count(array.shape) == 0) {
    return refusal_at("", "the array is empty", shape_text(array.shape), "no extent of 0", "");
  }
  const std::size_t needed = stored_bytes(array);
  if (needed == bytes) return ok_status();
  return damaged_file("the file is not as long as its header says",
                      counted(bytes, "byte") + " of numbers",
                      shape_text(array.shape) + " of " + type_text(array) + ", which is " +
                          counted(needed, "byte"));
}

Result<Tensor> floats_of(const StoredArray& stored, std::shared_ptr<const void> owner,
                         std::uint64_t limit_bytes, std::size_t most_at_once) {
  const Result<StoredArray> whole = with_data(stored, false, 0, owner, limit_bytes);
  if (!whole) return whole.error();
  const StoredArray& array = *whole;
  if (owner && is_usable_in_place(array)) {
    return Tensor(array.shape, reinterpret_cast<const float*>(array.data.data()), owner);
  }
  const std::size_t count = element_count(array.shape);
  const auto convert = [array, owner](std::size_t first, std::span<float> out) {
    const auto [bytes, block] = std::pair(array.type->bytes, array.type->block);
    array.type->read(array.data.data(), first, array.swapped, out);
    give_back(array.data.data() + first / block * bytes, out.size() / block * bytes);
  };
  if (owner && count > most_at_once && !array.fortran_order && is_mapped(array.data.data())) {
    const auto floats = floats_on_demand(count, convert, limit_bytes);
    if (floats) return Tensor(array.shape, floats.get(), floats);
  }
  if (const Status fits = check_memory(count, sizeof(float), limit_bytes); !fits) {
    return fits.error();
  }
  std::vector<float> values(count);
  if (!array.fortran_order) {
    convert(0, values);
  } else {
    float* out = values.data();
    each_in_row_order(array, [&](std::size_t place) { *out++ = element_at(array, place); });
  }
  return Tensor(array.shape, std::move(values));
}

Result<BoolTensor> flags_of(const StoredArray& stored, std::uint64_t limit_bytes) {
  std::shared_ptr<const void> owner;
  const Result<StoredArray> whole = with_data(stored, false, 1, owner, limit_bytes);
  if (!whole) return whole.error();
  const StoredArray& array = *whole;
  std::vector<std::uint8_t> values;
  values.reserve(element_count(array.shape));
  std::optional<float> odd;
  each_in_row_order(array, [&](std::size_t place) {
    const float value = element_at(array, place);
    if (!odd && value != 0.0F && value != 1.0F) odd = value;
    values.push_back(value != 0.0F ? 1 : 0);
  });
  if (!odd) return BoolTensor(array.shape, std::move(values));
  return refusal_at("", "these are not 0 and 1", "the number " + shortest_text(*odd), "0 or 1",
                    "numbers that are added to scores are a bias");
}

Result<std::vector<std::string>> texts_of(const StoredArray& stored, std::uint64_t limit_bytes) {
  std::shared_ptr<const void> owner;
  const Result<StoredArray> whole =
      with_data(stored, true, sizeof(std::string) + stored.characters, owner, limit_bytes);
  if (!whole) return whole.error();
  const StoredArray& array = *whole;
  std::vector<std::string> texts;
  each_in_row_order(array, [&](std::size_t place) {
    std::string& text = texts.emplace_back();
    const char* at = array.data.data() + place * array.characters * sizeof(char32_t);
    for (std::size_t i = 0; i < array.characters; ++i, at += sizeof(char32_t)) {
      const auto letter = number_at<char32_t>(at, array.swapped);
      if (letter == 0) break;
      const bool is_sound = letter <= 0x10FFFF && (letter < 0xD800 || letter > 0xDFFF);
      append_utf8(text, is_sound ? letter : U'\uFFFD');
    }
  });
  return texts;
}

}  // namespace attn
