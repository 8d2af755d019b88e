// NumPy array files (.npy), versions 1, 2 and 3 of the format, as documented by numpy.lib.format.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/tensor.h"
#include "document/tensors/stored_array.h"

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

// The only array of a file of `size` bytes, without its data where `start` ends before them.
// BadInput if its elements are no numbers and no text, or if it is no sound array (check_stored).
Result<StoredArray> stored_npy(std::string_view start, std::uint64_t size);

}  // namespace attn
