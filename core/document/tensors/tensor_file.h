// Tensors in referenced files: {"file": "q.npy"}, {"file": "run.npz", "array": "q"}. A tensor keeps
// its origin until it is edited, so that saving writes the reference again.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/mapped_file.h"
#include "base/result.h"
#include "base/tensor.h"
#include "document/document.h"
#include "document/tensors/array_file.h"

namespace attn {

// Arrays of a file in any known format. Bytes of no known format are reported as a damaged file of
// the format that the name's ending gives, else of .npy, and an index of shards as one without a
// path.
Result<ArrayListing> list_arrays(std::string_view bytes, std::string_view name,
                                 const ReadOptions& options = {});

// A file with its arrays, or an index of shards with those of all shards, which are in its folder
// and are parts() of the file. BadInput, naming the shard, if one is missing, is no sound
// .safetensors, or lacks an array of the index.
struct OpenedArrays {
  std::shared_ptr<const MappedFile> file;  // keeps the arrays' bytes alive
  ArrayListing listing;
};
// `file`: as of MappedFile::open().
Result<OpenedArrays> open_arrays(const std::string& path, const ReadOptions& options = {},
                                 Descriptor file = Descriptor());
// Opens a file, which open_array() does not list again while the result is kept.
Result<std::shared_ptr<const OpenedArrays>> shared_arrays(const std::string& path,
                                                          const ReadOptions& options = {});

// The array that the reference names; without a name the only one. `owner` keeps its bytes alive.
template <class T>
Result<BasicTensor<T>> referred_array(const ArrayListing& listing, const TensorReference& reference,
                                      const std::shared_ptr<const void>& owner,
                                      std::uint64_t limit_bytes,
                                      std::size_t most_at_once = kMostReadInPassing);

// Opens the array and sets its origin. `folder`: of the document; empty: working folder. Errors
// name the file in their message. `progress` may be null; it only cancels. `most_at_once`: as of
// floats_of().
template <class T>
Result<BasicTensor<T>> open_array(const TensorReference& reference, const std::string& folder,
                                  std::uint64_t limit_bytes, Progress* progress = nullptr,
                                  std::size_t most_at_once = kMostReadInPassing);

// True if a reference of a document in `folder` leads to a file that is not below it. Does not
// follow links.
bool leads_outside(const std::string& file, const std::string& folder);

// Absolute folder of a file, the base of references of a document in it.
std::string folder_of(const std::string& path);

// Path of another document relative to the working folder: relative names start in `folder`; names
// of examples, and all without a folder, are unchanged.
std::string seen_from(const std::string& name, const std::string& folder);

// Copy for writing to `folder`: references of tensors and to another document become relative to
// it.
Document moved_to(Document document, const std::string& folder);

bool has_files_of_numbers(const Document& document);

// Absolute paths of referenced files and of those of a model, each once, which saving must not
// overwrite.
std::vector<std::string> files_of(const Document& document);

// BadInput if a referenced file was written or replaced since it was opened. Numbers read so far
// may then mix two versions.
Status check_files(const Document& document);

// Copy with the present numbers of such files, and all edits. BadInput if the shape of an array has
// changed.
Result<Document> read_files_again(Document document, std::uint64_t limit_bytes);

}  // namespace attn
