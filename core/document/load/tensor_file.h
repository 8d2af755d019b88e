// Tensors that a document does not hold but refers to: {"file": "q.npy"}. Where its numbers came
// from stays with a tensor until somebody edits it, so that saving writes the reference again.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/tensor.h"
#include "document/document.h"

namespace attn {

struct TensorReference {
  std::string file;  // absolute, or relative to the folder of the document
};

// Opens the array; its origin is set. `folder`: of the document, empty for the working folder.
// Errors say what is wrong with the file, which they name in their message.
Result<Tensor> open_tensor(const TensorReference& reference, const std::string& folder,
                           std::uint64_t limit_bytes);
Result<BoolTensor> open_flags(const TensorReference& reference, const std::string& folder,
                              std::uint64_t limit_bytes);

// The folder of a file, absolute, where references of a document in it start.
std::string folder_of(const std::string& path);

// The name of another document as it is called from the working folder: relative ones start in
// `folder`; those of examples, and all without a folder, stay as they are.
std::string seen_from(const std::string& name, const std::string& folder);

// `document` as it is written to `folder`: references of tensors that stem from elsewhere, and to
// another document, lead there from the new place.
Document moved_to(Document document, const std::string& folder);

// Files that tensors of the document refer to; saving must not write over them. Absolute.
std::vector<std::string> files_of(const Document& document);

// BadInput when a file whose numbers are used where they lie has been cut short since.
Status check_files(const Document& document);

}  // namespace attn
