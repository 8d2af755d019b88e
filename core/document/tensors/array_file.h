// Files that hold several arrays under names: .npz, .safetensors in one file or in shards, and the
// unquantised tensors and Q8_0 of GGUF; and .npy, which holds one. Mapped: bytes are read when an
// array is taken.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/row_sample.h"
#include "base/tensor.h"
#include "document/tensors/zip.h"
#include "text/reader.h"

namespace attn {

// --- arrays as stored in files, and their conversion to tensors, shared by all formats

// A type of numbers. Quantised types store `block` elements together.
struct ElementType {
  std::string_view name;         // "float32"
  std::string_view npy;          // as in NumPy, without byte order: "f4"; "" if it has none
  std::string_view safetensors;  // "F32"; "" if it has none
  std::int64_t gguf = -1;        // number in GGUF; -1 if it has none
  std::size_t bytes;             // of a block
  std::size_t block;             // elements
  // Converts the numbers of the data from index `first` on. Allocates nothing.
  void (*read)(const char* data, std::size_t first, bool swapped, std::span<float> out);
};
std::span<const ElementType> all_element_types();

// The type by its name in a format: element_type_by(&ElementType::npy, "f4"). Null for others.
template <class T>
const ElementType* element_type_by(T ElementType::*member, const T& name) {
  const auto found = std::ranges::find(all_element_types(), name, member);
  const bool is_none = name == ElementType{}.*member || found == all_element_types().end();
  return is_none ? nullptr : &*found;
}

struct StoredArray {
  std::string name;                   // "" in a file of one array
  const ElementType* type = nullptr;  // null: UTF-32 text of `characters` per element
  std::size_t characters = 0;
  Shape shape;
  bool swapped = false;        // big-endian
  bool fortran_order = false;  // column-major
  std::string_view data;       // borrowed from the file; empty while packed
  // A .npy to unpack when the array is taken: its data follow `header_bytes`.
  std::optional<ZipMember> packed = std::nullopt;
  std::size_t header_bytes = 0;
};

std::string type_text(const StoredArray& array);  // "float32"; "text"

// Number of bytes by type and shape; saturates.
std::size_t stored_bytes(const StoredArray& array);

// BadInput if the array is empty, or if its shape states another number of bytes. Errors name no
// file; `found` and `expected` are always set.
Status check_stored(const StoredArray& array, std::uint64_t bytes);

// Conversions of a sound array, with axes in the order of its shape. BadInput for text;
// OverMemoryLimit, before allocation, if the numbers, or the packed bytes, need more than
// `limit_bytes`. Floats are shared without copying if they are aligned little-endian float32 in C
// order and an owner keeps the bytes alive. Other numbers in C order in a mapped file, if there are
// more than `most_at_once`, are converted when they are read, if the system supports it (see
// floats_on_demand()).
Result<Tensor> floats_of(const StoredArray& array, std::shared_ptr<const void> owner,
                         std::uint64_t limit_bytes, std::size_t most_at_once = kMostReadInPassing);
// An array of bool, or of numbers that are all 0 or 1.
Result<BoolTensor> flags_of(const StoredArray& array, std::uint64_t limit_bytes);

// The elements of an array of text, in row-major order; BadInput for numbers.
Result<std::vector<std::string>> texts_of(const StoredArray& array, std::uint64_t limit_bytes);

// --- files of arrays

struct ArrayListing {
  std::vector<StoredArray> arrays;    // in the order of the file
  std::string note;                   // JSON that accompanies the arrays; "" if there is none
  std::vector<std::string> left_out;  // what is not read, and why: "tok: Q4_K", "notes.txt"
  std::uint64_t needed_bytes = 0;     // for these lists and their contents
};

// Counts one more array with its name, before it is listed. OverMemoryLimit if the list would need
// more than is allowed, Interrupted once reading was stopped.
Status count_array(ArrayListing& listing, std::string_view name, const ReadOptions& options);

// Reason why an array of the file is not read; none for arrays that are not among the `left_out`.
std::optional<Error> left_out_refusal(const std::vector<std::string>& left_out,
                                      const std::string& name);
// Adds an array of a file, whose type is called `type`; adds it to the left-out ones if it is
// empty, "k: empty, (0, 4)", or has no known type.
void list_array(ArrayListing& listing, StoredArray array, const std::string& type);

// Listings of the formats. `bytes` are borrowed. Offsets, sizes, names and shapes are checked
// before anything is allocated by them; nothing in the file is executed. Errors name no file. Only
// the options for the memory limit and the progress are used.
Result<ArrayListing> list_npy(std::string_view bytes, const ReadOptions& options = {});
Result<ArrayListing> list_npz(std::string_view bytes, const ReadOptions& options = {});
Result<ArrayListing> list_safetensors(std::string_view bytes, const ReadOptions& options = {});
Result<ArrayListing> list_gguf(std::string_view bytes, const ReadOptions& options = {});

struct ArrayFormat {
  std::string_view name;   // its ending, and a noun: ".npz archive"
  std::string_view start;  // its first bytes
  bool (*sniff)(std::string_view start);
  Result<ArrayListing> (*list)(std::string_view bytes, const ReadOptions& options);
};
inline constexpr std::size_t kSniffBytes = 256;
// Format by the first kSniffBytes; null if none is recognised.
const ArrayFormat* array_format_of(std::string_view start);
// Format by the ending of a file's name, in any case; .npy for others.
const ArrayFormat& array_format_called(std::string_view name);

// The error of bytes with which Git LFS stands for a file that was not downloaded; nothing for
// others.
std::optional<Error> lfs_refusal(std::string_view start);

// NumPy array files (.npy), versions 1, 2 and 3 of the format, as documented by numpy.lib.format.
inline constexpr std::string_view kNpyMagic = "\x93NUMPY";
// The only array of a file of `size` bytes, without its data if `start` ends before them. BadInput
// if its elements are neither numbers nor text, or if it is not sound (check_stored). Errors name
// no file; `found` and `expected` are always set.
Result<StoredArray> stored_npy(std::string_view start, std::uint64_t size);

// Names of shards and arrays in an index such as model.safetensors.index.json: pairs of an array
// and its file, in the folder of the index.
Result<std::vector<std::pair<std::string, std::string>>> read_shard_index(
    std::string_view json, const ReadOptions& options = {});
// True by its first kSniffBytes and its name, ".safetensors.index.json"; else it is a document.
bool is_shard_index(std::string_view start, std::string_view name = "");

}  // namespace attn
