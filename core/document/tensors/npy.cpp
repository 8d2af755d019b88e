// Parser of .npy headers, and conversion of their numbers.
#include "document/tensors/npy.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <set>
#include <span>

#include "base/number_text.h"
#include "base/utf8.h"
#include "document/axes.h"
#include "document/problem.h"

namespace attn {
namespace {

// --- the header: a magic word, a version, a length and a dictionary as Python writes it

constexpr std::size_t kMostHeaderBytes = 65536;
constexpr std::size_t kMostAxes = 64;  // as many as in NumPy

// Parser of a Python dictionary of strings, booleans and tuples of integers.
class PythonText {
 public:
  explicit PythonText(std::string_view text) : text_(text) {}

  // Skips blanks, and `c` if it follows; true if it did.
  bool take(char c) {
    skip_blanks();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  bool take_word(std::string_view word) {
    skip_blanks();
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }

  std::optional<std::string> text() {
    for (const char quote : {'\'', '"'}) {
      if (!take(quote)) continue;
      const std::size_t end = text_.find(quote, at_);
      if (end == text_.npos) return std::nullopt;
      const std::string_view inside = text_.substr(at_, end - at_);
      at_ = end + 1;
      return std::string(inside);
    }
    return std::nullopt;
  }

  // Python 2 wrote an L after long integers.
  std::optional<std::size_t> count() {
    skip_blanks();
    std::size_t value = 0;
    const char* const start = text_.data() + at_;
    const auto read = std::from_chars(start, text_.data() + text_.size(), value);
    if (read.ec != std::errc{}) return std::nullopt;
    at_ += static_cast<std::size_t>(read.ptr - start);
    if (at_ < text_.size() && text_[at_] == 'L') ++at_;
    return value;
  }

  bool at_end() {
    skip_blanks();
    return at_ >= text_.size();
  }

  std::string ahead() {
    skip_blanks();
    if (at_ >= text_.size()) return "the end of the header";
    return "\"" + shortened(printable_line(text_.substr(at_)), 40) + "\"";
  }

 private:
  void skip_blanks() {
    while (at_ < text_.size() && std::string_view(" \t\n\r").find(text_[at_]) != std::string::npos)
      ++at_;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

std::optional<Shape> read_tuple(PythonText& text) {
  Shape shape;
  if (!text.take('(')) return std::nullopt;
  while (!text.take(')')) {
    const std::optional<std::size_t> extent = text.count();
    if (!extent || shape.size() == kMostAxes) return std::nullopt;
    shape.push_back(*extent);
    if (!text.take(',')) return text.take(')') ? std::optional(shape) : std::nullopt;
  }
  return shape;
}

template <class T>
bool put(std::optional<T> read, T& member) {
  if (read) member = *std::move(read);
  return read.has_value();
}

// False if the value is invalid for the key.
bool read_member(PythonText& text, const std::string& key, NpyHeader& header) {
  if (key == "descr") return put(text.text(), header.descr);
  if (key == "shape") return put(read_tuple(text), header.shape);
  if (key != "fortran_order") return false;
  header.fortran_order = text.take_word("True");
  return header.fortran_order || text.take_word("False");
}

Error bad_member(const std::string& key, const std::string& found) {
  if (key == "descr") {
    return refusal_at("", "the elements of the array are no plain numbers", found,
                      "one type of numbers, such as '<f4'",
                      "save each field of it as an array of its own");
  }
  if (key == "shape") {
    return refusal_at("", "the header has no shape", found, "whole numbers such as (12, 64)");
  }
  if (key == "fortran_order") {
    return refusal_at("", "the header does not say the order of axes", found, "True or False");
  }
  return refusal_at("", "the header has an unknown key",
                    "\"" + shortened(printable_line(key), 40) + "\"",
                    "descr, fortran_order and shape");
}

Result<NpyHeader> read_dictionary(std::string_view dictionary) {
  PythonText text(dictionary);
  NpyHeader header;
  std::set<std::string> missing{"descr", "fortran_order", "shape"};
  const auto torn = [&] {
    return refusal_at("", "the header is no dictionary", text.ahead(),
                      "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2)}");
  };
  if (!text.take('{')) return torn();
  while (!text.take('}')) {
    const std::optional<std::string> key = text.text();
    if (!key || !text.take(':')) return torn();
    const std::string found = text.ahead();
    if (!read_member(text, *key, header)) return bad_member(*key, found);
    missing.erase(*key);
    if (text.take(',')) continue;
    if (!text.take('}')) return torn();
    break;
  }
  if (!text.at_end()) return torn();
  if (missing.empty()) return header;
  return refusal_at("", "the header lacks a key", "no '" + *missing.begin() + "'",
                    "descr, fortran_order and shape");
}

std::size_t little_endian(std::string_view bytes) {
  std::size_t value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) {
    value = value << 8U | static_cast<unsigned char>(bytes[i]);
  }
  return value;
}

// --- the numbers, whatever their type and order

static_assert(std::endian::native == std::endian::little, "mapped numbers are little-endian");

template <class T>
float element(const char* at, bool swapped) {
  char bytes[sizeof(T)];
  std::memcpy(bytes, at, sizeof(T));
  if (swapped) std::reverse(bytes, bytes + sizeof(T));
  T value;
  std::memcpy(&value, bytes, sizeof(T));
  return static_cast<float>(value);
}

// IEEE 754 binary16: 1 bit of sign, 5 of exponent, 10 of fraction.
float half_element(const char* at, bool swapped) {
  const auto low = static_cast<unsigned char>(at[swapped ? 1 : 0]);
  const auto high = static_cast<unsigned char>(at[swapped ? 0 : 1]);
  const unsigned bits = low | static_cast<unsigned>(high) << 8U;
  const int exponent = static_cast<int>(bits >> 10U & 31U);
  const auto fraction = static_cast<float>(bits & 1023U);
  float size = 0.0F;
  if (exponent == 31) {
    size = fraction == 0.0F ? std::numeric_limits<float>::infinity()
                            : std::numeric_limits<float>::quiet_NaN();
  } else if (exponent == 0) {
    size = std::ldexp(fraction, -24);
  } else {
    size = std::ldexp(fraction + 1024.0F, exponent - 25);
  }
  return (bits & 0x8000U) != 0 ? -size : size;
}

struct ElementType {
  std::string_view code;  // as in NumPy, without byte order
  std::string_view name;
  std::size_t size;
  float (*read)(const char* at, bool swapped);
};

constexpr ElementType kTypes[] = {
    {"f4", "float32", 4, element<float>},        {"f8", "float64", 8, element<double>},
    {"f2", "float16", 2, half_element},          {"i1", "int8", 1, element<std::int8_t>},
    {"i2", "int16", 2, element<std::int16_t>},   {"i4", "int32", 4, element<std::int32_t>},
    {"i8", "int64", 8, element<std::int64_t>},   {"u1", "uint8", 1, element<std::uint8_t>},
    {"u2", "uint16", 2, element<std::uint16_t>}, {"u4", "uint32", 4, element<std::uint32_t>},
    {"u8", "uint64", 8, element<std::uint64_t>}, {"b1", "bool", 1, element<std::uint8_t>},
};

const ElementType* type_of(const std::string& descr) {
  const bool has_order =
      !descr.empty() && std::string_view("<>|=").find(descr[0]) != std::string::npos;
  const std::string_view code = std::string_view(descr).substr(has_order ? 1 : 0);
  const auto found = std::ranges::find(kTypes, code, &ElementType::code);
  return found == std::end(kTypes) ? nullptr : found;
}

Error unknown_type(const std::string& descr) {
  std::string known;
  for (const ElementType& type : kTypes) known.append(known.empty() ? "" : ", ").append(type.name);
  const bool complex = descr.find('c') != std::string::npos;
  return refusal_at("", "this type of elements is not known",
                    "'" + shortened(printable_line(descr), 40) + "'", "one of " + known,
                    complex ? "save the real part, the imaginary part or the absolute value"
                            : "convert it first: numpy.save(file, array.astype(numpy.float32))");
}

// A parsed header of a file of the right length.
struct SoundArray {
  NpyHeader header;
  const ElementType* type = nullptr;
  bool swapped = false;
  const char* data = nullptr;
  std::size_t count = 0;
};

Result<SoundArray> sound_array(std::string_view bytes) {
  Result<NpyHeader> header = read_npy_header(bytes);
  if (!header) return header.error();
  SoundArray array;
  array.type = type_of(header->descr);
  if (array.type == nullptr) return unknown_type(header->descr);
  array.swapped = header->descr[0] == '>';
  array.count = element_count(header->shape);
  if (array.count == 0) {
    return refusal_at("", "the array is empty", shape_text(header->shape), "no extent of 0", "");
  }
  const std::size_t there = bytes.size() - header->data_offset;
  if (array.count > there / array.type->size || array.count * array.type->size != there) {
    return refusal_at(
        "", "the file is not as long as its header says", bytes_text(there) + " of numbers",
        shape_text(header->shape) + " of " + std::string(array.type->name) + ", which is " +
            bytes_text(element_count({array.count, array.type->size})),
        "copy or save the file again, one array in each");
  }
  array.data = bytes.data() + header->data_offset;
  array.header = *std::move(header);
  return array;
}

Status check_memory(std::size_t count, std::size_t size, std::uint64_t limit_bytes) {
  const std::size_t needed = element_count({count, size});
  if (needed <= limit_bytes) return ok_status();
  return over_memory("the numbers would need more memory than is allowed", needed, limit_bytes,
                     "raise the memory limit, or save the array as float32 in C order, which is "
                     "used where it lies");
}

bool is_usable_in_place(const SoundArray& array) {
  return array.type->code == "f4" && !array.swapped && !array.header.fortran_order &&
         reinterpret_cast<std::uintptr_t>(array.data) % alignof(float) == 0;
}

// Calls visit(offset in the file) for every element in row-major order.
template <class Visit>
void each_in_row_order(const SoundArray& array, Visit visit) {
  const Shape& shape = array.header.shape;
  if (!array.header.fortran_order || shape.size() < 2) {
    for (std::size_t i = 0; i < array.count; ++i) visit(i);
    return;
  }
  Shape strides(shape.size(), 1);
  for (std::size_t axis = 1; axis < shape.size(); ++axis) {
    strides[axis] = strides[axis - 1] * shape[axis - 1];
  }
  each_place(shape, strides, visit);
}

float element_at(const SoundArray& array, std::size_t place) {
  return array.type->read(array.data + place * array.type->size, array.swapped);
}

}  // namespace

Result<NpyHeader> read_npy_header(std::string_view bytes) {
  constexpr std::size_t kVersionEnd = kNpyMagic.size() + 2;
  if (!bytes.starts_with(kNpyMagic.substr(0, std::min(bytes.size(), kNpyMagic.size())))) {
    return refusal_at("", "this is no file of NumPy", "other bytes at its start", "\\x93NUMPY",
                      "save the array with numpy.save");
  }
  const auto cut = [&](std::size_t needed) {
    return refusal_at("", "the file ends within its header", bytes_text(bytes.size()),
                      "at least " + bytes_text(needed), "copy or save the file again");
  };
  if (bytes.size() < kVersionEnd) return cut(kVersionEnd);
  const auto version = static_cast<unsigned char>(bytes[kNpyMagic.size()]);
  const auto minor = static_cast<unsigned char>(bytes[kNpyMagic.size() + 1]);
  if (version < 1 || version > 3 || minor != 0) {
    return refusal_at("", "this version of the format is not known",
                      std::to_string(version) + "." + std::to_string(minor), "1.0, 2.0 or 3.0",
                      "save the array with numpy.save");
  }
  const std::size_t length_bytes = version == 1 ? 2 : 4;
  const std::size_t start = kVersionEnd + length_bytes;
  if (bytes.size() < start) return cut(start);
  const std::size_t length = little_endian(bytes.substr(kVersionEnd, length_bytes));
  if (length > kMostHeaderBytes) {
    return refusal_at("", "the header is too long to be one", bytes_text(length),
                      "at most " + bytes_text(kMostHeaderBytes));
  }
  if (bytes.size() < start + length) return cut(start + length);
  Result<NpyHeader> header = read_dictionary(bytes.substr(start, length));
  if (header) header->data_offset = start + length;
  return header;
}

Result<Tensor> read_npy(std::string_view bytes, const std::shared_ptr<const void>& owner,
                        std::uint64_t limit_bytes) {
  const Result<SoundArray> array = sound_array(bytes);
  if (!array) return array.error();
  if (owner && is_usable_in_place(*array)) {
    const auto* first = reinterpret_cast<const float*>(array->data);
    return Tensor(array->header.shape, first, owner);
  }
  if (const Status fits = check_memory(array->count, sizeof(float), limit_bytes); !fits) {
    return fits.error();
  }
  std::vector<float> values;
  values.reserve(array->count);
  each_in_row_order(*array,
                    [&](std::size_t place) { values.push_back(element_at(*array, place)); });
  return Tensor(array->header.shape, std::move(values));
}

Result<BoolTensor> read_npy_flags(std::string_view bytes, std::uint64_t limit_bytes) {
  const Result<SoundArray> array = sound_array(bytes);
  if (!array) return array.error();
  if (const Status fits = check_memory(array->count, 1, limit_bytes); !fits) return fits.error();
  std::vector<std::uint8_t> values;
  values.reserve(array->count);
  float odd = 0.0F;
  bool sound = true;
  each_in_row_order(*array, [&](std::size_t place) {
    const float value = element_at(*array, place);
    if (sound && value != 0.0F && value != 1.0F) {
      sound = false;
      odd = value;
    }
    values.push_back(value != 0.0F ? 1 : 0);
  });
  if (!sound) {
    return refusal_at("", "these are no truth values", "the number " + shortest_text(odd), "0 or 1",
                      "true always means \"may attend\"");
  }
  return BoolTensor(array->header.shape, std::move(values));
}

}  // namespace attn
