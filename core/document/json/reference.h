// References of a document to numbers in files. Internal to core/document.
#pragma once

#include "base/tensor.h"
#include "document/json/cursor.h"
#include "document/json/values.h"

namespace attn {

// Reads {"file": "q.npy"} in place of nested lists, with as many axes as `depths` allows. False
// with an error in cursor.errors() otherwise.
bool read_reference(JsonCursor& cursor, DepthRange depths, Tensor& tensor);
bool read_reference(JsonCursor& cursor, DepthRange depths, BoolTensor& tensor);

}  // namespace attn
