// Tensors that a document does not hold but refers to: {"file": "q.npy"}. Where its numbers came
// from stays with a tensor until somebody edits it, so that saving writes the reference again.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/mapped_file.h"
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

// Whether a reference of a document in `folder` leads to a file that is not below it. Links are not
// followed.
bool leads_outside(const std::string& file, const std::string& folder);

// The folder of a file, absolute, where references of a document in it start.
std::string folder_of(const std::string& path);

// The name of another document as it is called from the working folder: relative ones start in
// `folder`; those of examples, and all without a folder, stay as they are.
std::string seen_from(const std::string& name, const std::string& folder);

// `document` as it is written to `folder`: references of tensors that stem from elsewhere, and to
// another document, lead there from the new place.
Document moved_to(Document document, const std::string& folder);

bool has_files_of_numbers(const Document& document);

// Files that tensors of the document refer to; saving must not write over them. Absolute.
std::vector<std::string> files_of(const Document& document);

// True where the numbers are used in the file itself, and take no memory.
template <class T>
bool lies_in_its_file(const BasicTensor<T>& tensor) {
  return tensor.origin() != nullptr && tensor.origin()->mapping &&
         !tensor.origin()->mapping->bytes().empty();
}

// BadInput when a file that the document refers to was written or replaced since it was opened.
// What was taken from its numbers until now may be of two versions.
Status check_files(const Document& document);

// `document` with the numbers that such files have now, and all that was edited. BadInput where one
// has another shape than before.
Result<Document> read_files_again(Document document, std::uint64_t limit_bytes);

}  // namespace attn
