// Change of structure: first the kind, then extents, then rules. Tensors are resized by axes:
// numbers with a place in the new structure stay. Internal to core/document.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/tensor.h"
#include "document/edit/rearrange.h"
#include "document/edit/structure.h"

namespace attn {

// Labels of tensors, each once, and whole sentences.
struct StructureRemarks {
  std::vector<std::string> generated, extended, cut;
  std::vector<std::string> sentences;
};

struct Rebuilding {
  const Document& before;
  const AttentionResult* computed;  // of `before`; may be null
  HeadAddress at;                   // attention of `before` that is kept
  Structure wanted;                 // normalised
  // Tokens, rules and the kept part of the model; missing tensors are absent.
  Document document;
  // Extents of its layout; those of absent tensors do not count.
  AttentionShape layout;
  StructureRemarks remarks;
  StepCount* count = nullptr;  // steps of generated numbers
};

// Usual ratio of feed-forward width to model width.
inline constexpr std::size_t kUsualNetworkFactor = 4;

// Adds a label that is not there yet.
void add_label(std::vector<std::string>& labels, const std::string& label);

// Changes the kind of model, and the sequences to one or two. Keeps what the new kind can use;
// inputs then have full depth, and missing ones no numbers.
Status adopt_kind(Rebuilding& rebuilding);
Status adopt_blocks(Rebuilding& rebuilding);
Status adopt_decoder(Rebuilding& rebuilding);
Status adopt_cells(Rebuilding& rebuilding);
// Reduces a decoder to its self-attention blocks.
void keep_self_attention(Rebuilding& rebuilding);

// Embeddings of the old model, with projections of its layer or first block. Clears extents of the
// layout that belong to absent tensors.
Embeddings kept_embeddings(Rebuilding& rebuilding);
Projections kept_projections(const Rebuilding& rebuilding);
Projections first_block_projections(const Model& model);

// Reason against other cells; empty if there is none.
std::string reason_against_cells(const Document& document, const Structure& wanted);

// Makes the keys a sequence of their own, a copy of the queries.
void make_cross(Rebuilding& rebuilding);

// Extents of the wanted model.
AttentionShape target_of(const Rebuilding& rebuilding);
AttentionShape target_of_cells(const Rebuilding& rebuilding, AttentionShape target);

// Resizes the model to these extents, generates what is missing, and removes axes of one sample,
// head or layer that were not written.
void resize_model(Rebuilding& rebuilding, const AttentionShape& target);
void resize_tensors(Rebuilding& rebuilding, const AttentionShape& target);
void resize_blocks(Rebuilding& rebuilding);
void resize_cells(Rebuilding& rebuilding, const AttentionShape& target);

// Resizes rules to other heads, samples, widths and kinds. Precondition: the model is resized.
void resize_rules(Rebuilding& rebuilding, const AttentionShape& target);

// Source of each index of an axis: an old index, or kNewPlace.
using AxisSources = std::vector<std::size_t>;

// The first indices of each part stay, further ones are new.
AxisSources resized_axis(const AxisParts& from, const AxisParts& to);
inline AxisSources resized_axis(std::size_t from, std::size_t to) {
  return resized_axis(AxisParts{from}, AxisParts{to});
}

bool adds(const AxisSources& axis);
bool cuts(const AxisSources& axis, std::size_t from);

// Moves numbers of `tensor` to their new places; new places get those of `fresh`, which has the new
// shape, or is null if there are none.
template <class T>
BasicTensor<T> resized(const BasicTensor<T>& tensor, const std::vector<AxisSources>& axes,
                       const BasicTensor<T>* fresh = nullptr) {
  Shape shape, strides(axes.size(), 1), at(axes.size(), 0);
  for (const AxisSources& axis : axes) shape.push_back(axis.size());
  for (std::size_t i = axes.size(); i-- > 1;) strides[i - 1] = strides[i] * tensor.extent(i);
  std::vector<T> values(element_count(shape));
  for (std::size_t flat = 0; flat < values.size(); ++flat) {
    std::size_t source = 0;
    for (std::size_t i = 0; i < axes.size() && source != kNewPlace; ++i) {
      const std::size_t from = axes[i][at[i]];
      source = from == kNewPlace ? kNewPlace : source + from * strides[i];
    }
    assert(source == kNewPlace || source < tensor.size());
    values[flat] = source == kNewPlace ? (*fresh)[flat] : tensor[source];
    for (std::size_t i = axes.size(); i-- > 0 && ++at[i] == shape[i];) at[i] = 0;
  }
  return BasicTensor<T>(std::move(shape), std::move(values));
}

// Resizes one tensor and adds a remark. `fresh` makes a tensor of the new shape.
template <class T, class Fresh>
void resize_tensor(BasicTensor<T>& tensor, const std::vector<AxisSources>& axes,
                   const std::string& label, StructureRemarks& remarks, Fresh fresh) {
  bool grows = false, shrinks = false;
  Shape shape;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    grows = grows || adds(axes[i]);
    shrinks = shrinks || cuts(axes[i], tensor.extent(i));
    shape.push_back(axes[i].size());
  }
  if (!grows && !shrinks) return;
  if (grows) add_label(remarks.extended, label);
  if (shrinks) add_label(remarks.cut, label);
  const BasicTensor<T> new_numbers = grows ? fresh(shape) : BasicTensor<T>();
  tensor = resized(tensor, axes, grows ? &new_numbers : nullptr);
}

// Resizes one existing tensor of the model.
void resize_tensor(Rebuilding& rebuilding, const TensorInfo& info,
                   const std::vector<AxisSources>& axes);

}  // namespace attn
