// The tensors behind the matrices that a person edits. Internal to core/document.
#pragma once

#include <cstddef>
#include <string>

#include "document/document.h"
#include "document/edit.h"

namespace attn {

// The tensor of a role (in the block of ref.at), or null when the document's input has no such
// tensor; it may be absent (empty).
const Tensor* tensor_of(const Document& document, const MatrixRef& ref);
Tensor* tensor_of(Document& document, const MatrixRef& ref);

// Position of the matrix among all leading axes, flattened; axes that its tensor lacks are ignored,
// and indices beyond the last are brought to it. Precondition: the tensor is there.
std::size_t matrix_index(const Document& document, const MatrixRef& ref);

}  // namespace attn
