// Files that hold several arrays under names: .npz, .safetensors in one file or in shards, and the
// unquantised tensors and Q8_0 of GGUF; and .npy, which holds one. Mapped: bytes are read when an
// array is taken.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/mapped_file.h"
#include "base/result.h"
#include "base/tensor.h"
#include "document/tensors/stored_array.h"
#include "document/tensors/zip.h"

namespace attn {

// An array of a listing. `packed` is unpacked when the array is taken; then `array` has no data
// before.
struct ListedArray {
  StoredArray array;
  std::optional<ZipMember> packed = std::nullopt;
};

struct ArrayListing {
  std::vector<ListedArray> arrays;    // in the order of the file
  std::string note;                   // JSON that accompanies the arrays; "" if there is none
  std::vector<std::string> left_out;  // arrays of types that are not read: "tok: Q4_K"
};

// Listings of the formats. `bytes` are borrowed. Offsets, sizes, names and shapes are checked
// before anything is allocated by them; nothing in the file is executed. Errors name no file.
Result<ArrayListing> list_npy(std::string_view bytes);
Result<ArrayListing> list_npz(std::string_view bytes);
Result<ArrayListing> list_safetensors(std::string_view bytes);
Result<ArrayListing> list_gguf(std::string_view bytes);

// An array with its numbers: of the mapped bytes, which `owner` keeps alive, or unpacked. Errors as
// of floats_of(), flags_of() and texts_of(); OverMemoryLimit before unpacking.
Result<Tensor> floats_in(const ListedArray& array, const std::shared_ptr<const void>& owner,
                         std::uint64_t limit_bytes);
Result<BoolTensor> flags_in(const ListedArray& array, std::uint64_t limit_bytes);
Result<std::vector<std::string>> texts_in(const ListedArray& array, std::uint64_t limit_bytes);

struct ArrayFormat {
  std::string_view label;   // "safetensors"
  std::string_view ending;  // ".safetensors"
  bool (*sniff)(std::string_view start);
  Result<ArrayListing> (*list)(std::string_view bytes);
};
inline constexpr std::size_t kSniffBytes = 256;
// Recognised by the first kSniffBytes; null if none is.
const ArrayFormat* array_format_of(std::string_view start);
std::span<const ArrayFormat> all_array_formats();

// Names of shards and arrays in an index such as model.safetensors.index.json: pairs of an array
// and the file, beside the index, that holds it.
Result<std::vector<std::pair<std::string, std::string>>> read_shard_index(std::string_view json);
// By its first kSniffBytes and its name, ".safetensors.index.json"; else it is a document.
bool is_shard_index(std::string_view start, std::string_view name = "");

}  // namespace attn
