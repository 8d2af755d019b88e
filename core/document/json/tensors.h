// Forms of tensors: nested lists, or a reference to a file of numbers. Internal to core/document.
#pragma once

#include <cstddef>

#include "base/tensor.h"
#include "document/tensors/tensor_file.h"
#include "text/forms.h"

namespace attn {

// {"file": …} in place of nested lists.
extern const ObjectOf<TensorReference> kReferenceObject;

// Read nested lists of numbers or flags into one flat array, or a reference to a file of them.
// Refuse ragged and empty lists and depths out of the form's range.
bool read_numbers_of(JsonValue json, const Form& form, Tensor& tensor);
bool read_flags_of(JsonValue json, const Form& form, BoolTensor& tensor);
bool read_element(JsonValue json, std::uint8_t& flag);  // 0 or 1
void write_numbers_of(const TextWriter& to, const Tensor& tensor);
void write_flags_of(const TextWriter& to, const BoolTensor& tensor);

// Numbers nested from `low` to `high` levels deep.
constexpr FormOf<Tensor> depth(std::size_t low, std::size_t high) {
  return form_of<Tensor, read_numbers_of, write_numbers_of>(
      {.depths = "numbers|matrix|tensor3|tensor4|tensor5", .low = low, .high = high});
}
constexpr FormOf<Tensor> depth(std::size_t of_all) { return depth(of_all, of_all); }

inline constexpr auto kAxesForm = form_of<std::vector<std::string>, read_texts, write_texts>(
    {.one_of = R"({"type": "array", "minItems": 2, "maxItems": 5, "uniqueItems": true, "items":
        {"enum": ["layer", "sample", "head", "query", "key", "token", "feature"]}})"});

inline constexpr FormOf<BoolTensor> kFlagsOfAnyDepth =
    form_of<BoolTensor, read_flags_of, write_flags_of>(
        {.one_of = "in_file", .depths = "flags|flags2|flags3|flags4|flags5", .low = 1, .high = 5});

}  // namespace attn
