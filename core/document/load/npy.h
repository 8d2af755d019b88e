// NumPy's files of one array (.npy): versions 1, 2 and 3 of the format, as NumPy's documentation of
// numpy.lib.format describes them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/mapped_file.h"
#include "base/result.h"
#include "base/tensor.h"

namespace attn {

inline constexpr std::string_view kNpyMagic = "\x93NUMPY";

// What stands before the numbers.
struct NpyHeader {
  std::string descr;           // type of the elements, such as "<f4"
  bool fortran_order = false;  // the first axis moves fastest
  Shape shape;
  std::size_t data_offset = 0;  // of the first element, in bytes
};

// Errors name no file; `found` and `expected` are always set.
Result<NpyHeader> read_npy_header(std::string_view bytes);

// Bytes that `owner` (may be null: of the caller) keeps alive.
struct FileBytes {
  std::string_view bytes;
  std::shared_ptr<const void> owner;
};

// The array as floats, its axes in the order of its shape. Without copying when it holds
// little-endian float32 in C order at an aligned place and there is an owner; all other types of
// numbers and both orders of bytes are converted. BadInput for what is no array of numbers, is
// empty, or has another length than its header says; OverMemoryLimit, before anything is allocated,
// when the floats would need more than `limit_bytes`.
Result<Tensor> read_npy(const FileBytes& file, std::uint64_t limit_bytes);

// The same for truth values: an array of bool, or of numbers that are all 0 or 1.
Result<BoolTensor> read_npy_flags(const FileBytes& file, std::uint64_t limit_bytes);

}  // namespace attn
