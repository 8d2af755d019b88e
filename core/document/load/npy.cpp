// The numbers of .npy files, whatever their type and order, as floats.
#include "document/load/npy.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <span>

#include "base/number_text.h"
#include "base/utf8.h"
#include "document/inconsistencies.h"

namespace attn {
namespace {

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
  std::string_view code;  // as NumPy writes it, without the order of bytes
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

// A header that was read, and whose file is as long as it says.
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
  Error error =
      refusal_at("", "the numbers would need more memory than is allowed", bytes_text(needed),
                 "at most " + bytes_text(limit_bytes),
                 "raise the memory limit, or save the array as float32 in C order, which is "
                 "used where it lies");
  error.kind = ErrorKind::OverMemoryLimit;
  return error;
}

bool is_usable_in_place(const SoundArray& array) {
  return array.type->code == "f4" && !array.swapped && !array.header.fortran_order &&
         reinterpret_cast<std::uintptr_t>(array.data) % alignof(float) == 0;
}

// Calls visit(place in the file) for every element, in the order of a row-major tensor.
template <class Visit>
void each_in_row_order(const SoundArray& array, Visit visit) {
  const Shape& shape = array.header.shape;
  if (!array.header.fortran_order || shape.size() < 2) {
    for (std::size_t i = 0; i < array.count; ++i) visit(i);
    return;
  }
  Shape index(shape.size(), 0);
  Shape strides(shape.size(), 1);
  for (std::size_t axis = 1; axis < shape.size(); ++axis) {
    strides[axis] = strides[axis - 1] * shape[axis - 1];
  }
  std::size_t place = 0;
  for (std::size_t i = 0; i < array.count; ++i) {
    visit(place);
    for (std::size_t axis = shape.size(); axis-- > 0;) {
      place += strides[axis];
      if (++index[axis] < shape[axis]) break;
      place -= index[axis] * strides[axis];
      index[axis] = 0;
    }
  }
}

float element_at(const SoundArray& array, std::size_t place) {
  return array.type->read(array.data + place * array.type->size, array.swapped);
}

}  // namespace

Result<Tensor> read_npy(const FileBytes& file, std::uint64_t limit_bytes) {
  const Result<SoundArray> array = sound_array(file.bytes);
  if (!array) return array.error();
  if (file.owner && is_usable_in_place(*array)) {
    const auto* first = reinterpret_cast<const float*>(array->data);
    return Tensor(array->header.shape, first, file.owner);
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

Result<BoolTensor> read_npy_flags(const FileBytes& file, std::uint64_t limit_bytes) {
  const Result<SoundArray> array = sound_array(file.bytes);
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
