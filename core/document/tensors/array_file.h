// Files that hold several arrays under names: .npz, .safetensors in one file or in shards, and the
// unquantised tensors and Q8_0 of GGUF; and .npy, which holds one. Mapped: bytes are read when an
// array is taken.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "document/tensors/stored_array.h"

namespace attn {

struct ArrayListing {
  std::vector<StoredArray> arrays;    // in the order of the file
  std::string note;                   // JSON that accompanies the arrays; "" if there is none
  std::vector<std::string> left_out;  // arrays of types that are not read: "tok: Q4_K"
};

// Listings of the formats. `bytes` are borrowed. Offsets, sizes, names and shapes are checked
// before anything is allocated by them; nothing in the file is executed. Errors name no file.
Result<ArrayListing> list_npy(std::string_view bytes);
Result<ArrayListing> list_npz(std::string_view bytes);
Result<ArrayListing> list_safetensors(std::string_view bytes);
Result<ArrayListing> list_gguf(std::string_view bytes);

struct ArrayFormat {
  std::string_view name;   // its ending, and a noun: ".npz archive"
  std::string_view start;  // what its first bytes are
  bool (*sniff)(std::string_view start);
  Result<ArrayListing> (*list)(std::string_view bytes);
};
inline constexpr std::size_t kSniffBytes = 256;
// Recognised by the first kSniffBytes; null if none is.
const ArrayFormat* array_format_of(std::string_view start);
// By the ending of a file's name, in any case; that of .npy for others.
const ArrayFormat& array_format_called(std::string_view name);

// NumPy array files (.npy), versions 1, 2 and 3 of the format, as documented by numpy.lib.format.
inline constexpr std::string_view kNpyMagic = "\x93NUMPY";
// The only array of a file of `size` bytes, without its data where `start` ends before them.
// BadInput if its elements are no numbers and no text, or if it is no sound array (check_stored).
// Errors name no file; `found` and `expected` are always set.
Result<StoredArray> stored_npy(std::string_view start, std::uint64_t size);

// Names of shards and arrays in an index such as model.safetensors.index.json: pairs of an array
// and the file, beside the index, that holds it.
Result<std::vector<std::pair<std::string, std::string>>> read_shard_index(std::string_view json);
// By its first kSniffBytes and its name, ".safetensors.index.json"; else it is a document.
bool is_shard_index(std::string_view start, std::string_view name = "");

}  // namespace attn
