// The list of array formats, and arrays taken out of their files.
#include "document/tensors/array_file.h"

#include <algorithm>

#include "base/number_text.h"
#include "document/problem.h"
#include "document/tensors/npy.h"

namespace attn {
namespace {

bool is_npy(std::string_view start) { return start.starts_with(kNpyMagic); }

// PyTorch's files are archives too, whose members are pickles.
bool is_npz(std::string_view start) {
  const bool is_archive = start.starts_with("PK\x03\x04") || start.starts_with("PK\x05\x06");
  return is_archive && start.find("data.pkl") == start.npos;
}

// Header length in eight bytes, the last of them 0; then the header in JSON.
bool is_safetensors(std::string_view start) {
  constexpr std::size_t kLength = 8;
  return start.size() > kLength && start[kLength] == '{' && start[kLength - 1] == '\0';
}

bool is_gguf(std::string_view start) { return start.starts_with("GGUF"); }

constexpr ArrayFormat kFormats[] = {
    {"NumPy arrays", ".npy", is_npy, list_npy},
    {"NumPy archives", ".npz", is_npz, list_npz},
    {"safetensors", ".safetensors", is_safetensors, list_safetensors},
    {"GGUF", ".gguf", is_gguf, list_gguf},
};

// Calls take(array, owner) with what a packed member unpacks to.
template <class Take>
auto unpacked_for(const ListedArray& listed, const std::shared_ptr<const void>& owner,
                  std::uint64_t limit_bytes, const Take& take)
    -> decltype(take(listed.array, owner)) {
  if (!listed.packed) return take(listed.array, owner);
  if (listed.packed->size > limit_bytes) {
    return over_memory("the unpacked array would need more memory than is allowed",
                       listed.packed->size, limit_bytes,
                       "raise the memory limit, or save it with numpy.savez, which does not pack");
  }
  Result<std::string> bytes = unpacked(*listed.packed, listed.packed->size);
  if (!bytes) return bytes.error();
  const auto kept = std::make_shared<const std::string>(*std::move(bytes));
  const Result<StoredArray> array = stored_npy(*kept, kept->size());
  if (!array) return array.error();
  return take(*array, kept);
}

}  // namespace

std::span<const ArrayFormat> all_array_formats() { return kFormats; }

const ArrayFormat* array_format_of(std::string_view start) {
  const auto format =
      std::ranges::find_if(kFormats, [&](const ArrayFormat& known) { return known.sniff(start); });
  return format == std::end(kFormats) ? nullptr : format;
}

Result<Tensor> floats_in(const ListedArray& array, const std::shared_ptr<const void>& owner,
                         std::uint64_t limit_bytes) {
  return unpacked_for(array, owner, limit_bytes, [&](const StoredArray& stored, const auto& kept) {
    return floats_of(stored, kept, limit_bytes);
  });
}

Result<BoolTensor> flags_in(const ListedArray& array, std::uint64_t limit_bytes) {
  return unpacked_for(array, nullptr, limit_bytes, [&](const StoredArray& stored, const auto&) {
    return flags_of(stored, limit_bytes);
  });
}

Result<std::vector<std::string>> texts_in(const ListedArray& array, std::uint64_t limit_bytes) {
  return unpacked_for(array, nullptr, limit_bytes, [&](const StoredArray& stored, const auto&) {
    return texts_of(stored, limit_bytes);
  });
}

}  // namespace attn
