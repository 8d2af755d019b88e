// Reads references of a document to numbers in files, and opens what they refer to.
#include "document/json/reference.h"

#include <utility>

#include "document/json/object.h"
#include "document/load/tensor_file.h"

namespace attn {
namespace {

bool read_file_key(JsonCursor& cursor, TensorReference& reference) {
  return cursor.read_text(reference.file);
}

constexpr KeyReader<TensorReference> kReferenceKeys[] = {
    {"file", read_file_key},
};

// What is wrong with a file, said at the place that refers to it.
bool refuse_file(JsonCursor& cursor, const JsonCursor::Mark& start,
                 const TensorReference& reference, const Error& error) {
  cursor.refuse_at(start, reference.file + ": " + error.message, error.found, error.expected,
                   error.hint);
  cursor.errors().back().kind = error.kind;
  return false;
}

std::string axes_text(DepthRange depths) {
  const std::string low = std::to_string(depths.low);
  return depths.low == depths.high ? low + (depths.low == 1 ? " axis" : " axes")
                                   : low + " to " + std::to_string(depths.high) + " axes";
}

Result<Tensor> open(const JsonCursor& cursor, const TensorReference& reference, const Tensor&) {
  return open_tensor(reference, cursor.folder(), cursor.memory_left());
}

Result<BoolTensor> open(const JsonCursor& cursor, const TensorReference& reference,
                        const BoolTensor&) {
  return open_flags(reference, cursor.folder(), cursor.memory_left());
}

template <class T>
bool read(JsonCursor& cursor, DepthRange depths, BasicTensor<T>& tensor) {
  const JsonCursor::Mark start = cursor.mark();
  const std::size_t known = cursor.errors().size();
  TensorReference reference;
  if (!read_object<TensorReference>(cursor, kReferenceKeys, reference)) return false;
  if (cursor.errors().size() != known) return false;
  if (reference.file.empty()) {
    return cursor.refuse_at(start, "the reference names no file", "no \"file\"",
                            "lists of numbers, or {\"file\": \"q.npy\"}");
  }
  Result<BasicTensor<T>> opened = open(cursor, reference, tensor);
  if (!opened) return refuse_file(cursor, start, reference, opened.error());
  if (opened->rank() < depths.low || opened->rank() > depths.high) {
    return cursor.refuse_at(start, reference.file + ": the array has the wrong number of axes",
                            shape_text(opened->shape()), axes_text(depths));
  }
  tensor = *std::move(opened);
  return tensor.origin()->mapping || cursor.charge(tensor.size() * sizeof(T));
}

}  // namespace

bool read_reference(JsonCursor& cursor, DepthRange depths, Tensor& tensor) {
  return read(cursor, depths, tensor);
}

bool read_reference(JsonCursor& cursor, DepthRange depths, BoolTensor& tensor) {
  return read(cursor, depths, tensor);
}

}  // namespace attn
