// A change of structure in steps: the kind, then extents, then rules. Tensors are resized by axes,
// and numbers with a place in the new structure stay. Internal to core/document.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/tensor.h"
#include "document/edit/rearrange.h"
#include "document/edit/structure.h"

namespace attn {

struct Rebuilding {
  const Document& before;
  ResultPtr computed;  // of `before`; may be null
  HeadAddress at;      // attention of `before` that is kept
  Structure wanted;    // normalised
  // Tokens, rules and the kept part of the model; missing tensors are absent.
  Document document;
  // Extents of its layout; those of absent tensors do not count.
  AttentionShape layout = {};
  std::vector<std::string> generated = {}, extended = {}, cut = {};  // labels of tensors, each once
  std::vector<std::string> sentences = {};                           // other remarks
  StepCount* count = nullptr;                                        // steps of generated numbers
};

// Adds a label that is not there yet.
void add_label(std::vector<std::string>& labels, const std::string& label);

// Changes the kind of model, and the sequences to one or two. Keeps parts that the new kind
// has; inputs then have all outer axes, and missing ones no numbers.
Status adopt_kind(Rebuilding& rebuilding);
// Reduces a decoder to its self-attention blocks, and given weights to the queries' own.
void keep_self_attention(Rebuilding& rebuilding);

// Resizes the model to the wanted extents, which it returns, generates missing tensors, and removes
// axes of one sample, head or layer that were not written.
AttentionShape resize_model(Rebuilding& rebuilding);

// Resizes rules to other heads, samples, widths and kinds. Precondition: the model is resized.
void resize_rules(Rebuilding& rebuilding, const AttentionShape& target);

// Returns the sources of an axis: the first indices of each part stay, further ones are new.
AxisSources resized_axis(const AxisParts& from, const AxisParts& to);
inline AxisSources resized_axis(std::size_t from, std::size_t to) {
  return resized_axis(AxisParts{from}, AxisParts{to});
}

// Resizes an existing tensor, whose axes have the extents of `target`, and adds its label to the
// remarks. `fresh` makes a tensor of the new shape, whose numbers fill the new places.
using FreshNumbers = std::function<Tensor(const Shape&)>;
void resize_tensor(Rebuilding& rebuilding, const TensorInfo& info, const AttentionShape& target,
                   const FreshNumbers& fresh);

}  // namespace attn
