// NumPy array files (.npy), versions 1, 2 and 3 of the format, as documented by numpy.lib.format.
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

// Header of a .npy file.
struct NpyHeader {
  std::string descr;           // element type, such as "<f4"
  bool fortran_order = false;  // column-major
  Shape shape;
  std::size_t data_offset = 0;  // of the first element, in bytes
};

// Errors name no file; `found` and `expected` are always set.
Result<NpyHeader> read_npy_header(std::string_view bytes);

// The array as floats, with axes in the order of its shape. Shared without copying if it is aligned
// little-endian float32 in C order and an owner keeps the bytes alive; all other numeric types and
// byte orders are converted. BadInput if it is no array of numbers, empty, or of another length
// than the header states; OverMemoryLimit, before allocation, if the floats need more than
// `limit_bytes`.
Result<Tensor> read_npy(std::string_view bytes, const std::shared_ptr<const void>& owner,
                        std::uint64_t limit_bytes);

// An array of bool, or of numbers that are all 0 or 1, as flags. Errors as of read_npy().
Result<BoolTensor> read_npy_flags(std::string_view bytes, std::uint64_t limit_bytes);

}  // namespace attn
