// A document on its way to another structure: its kind first, then extents, then rules. Tensors are
// resized by their axes: numbers stay where they have a place. Internal to core/document.
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
  HeadAddress at;                   // of the attention of `before` that is kept
  Structure wanted;                 // normalised
  // Tokens, rules and what is kept of the model; tensors that are missing are absent.
  Document document;
  // By which they are laid out: extents of tensors that are absent do not count.
  AttentionShape layout;
  StructureRemarks remarks;
  StepCount* count = nullptr;  // of the numbers that are generated
};

// A network of blocks is usually so many times as wide as the model.
inline constexpr std::size_t kUsualNetworkFactor = 4;

extern const StructureKindInfo kCells;

StructureKind structure_kind_of(const Model& model);

// Adds a label that is not there yet.
void add_label(std::vector<std::string>& labels, const std::string& label);

// Makes the model one of the wanted kind, and the sequences one or two. Keeps what the kind has a
// place for; inputs are at full depth then, and those that are missing have no numbers.
Status adopt_kind(Rebuilding& rebuilding);
void adopt_blocks(Rebuilding& rebuilding);
void adopt_decoder(Rebuilding& rebuilding);
void adopt_cells(Rebuilding& rebuilding);
// Leaves of a decoder its blocks within their own sequence.
void keep_self_attention(Rebuilding& rebuilding);

// Of the model as it was: its embeddings, and the projections of its layer or of the first block.
// Extents of the layout that belong to what is absent are cleared.
Embeddings kept_embeddings(Rebuilding& rebuilding);
Projections kept_projections(const Rebuilding& rebuilding);
Projections first_block_projections(const Model& model);

// What speaks against other cells; empty for nothing.
std::string reason_against_cells(const Document& document, const Structure& wanted);

// The keys become a sequence of their own, a copy of the queries.
void make_cross(Rebuilding& rebuilding);

// Extents of the model as it is wanted.
AttentionShape target_of(const Rebuilding& rebuilding);
AttentionShape target_of_cells(const Rebuilding& rebuilding, AttentionShape target);

// Brings the model to these extents, generates what is missing, and takes away axes of one sample,
// head or layer that nobody wrote.
void resize_model(Rebuilding& rebuilding, const AttentionShape& target);
void resize_tensors(Rebuilding& rebuilding, const AttentionShape& target);
void resize_blocks(Rebuilding& rebuilding);
void resize_cells(Rebuilding& rebuilding, const AttentionShape& target);

// Rules for other heads, samples, widths and kinds. Precondition: the model has the target's shape.
void resize_rules(Rebuilding& rebuilding, const AttentionShape& target);

// Where each index of an axis comes from: an old index, or kNewPlace.
using AxisSources = std::vector<std::size_t>;
// Widths of what stands side by side along an axis, such as the columns of heads.
using AxisParts = std::vector<std::size_t>;

// The first indices of each part stay, what is more is new.
AxisSources resized_axis(const AxisParts& from, const AxisParts& to);
inline AxisSources resized_axis(std::size_t from, std::size_t to) {
  return resized_axis(AxisParts{from}, AxisParts{to});
}

bool adds(const AxisSources& axis);
bool cuts(const AxisSources& axis, std::size_t from);

// The numbers of `tensor` at their new places, and elsewhere those of `fresh`, which has the new
// shape, or is null where nothing is new.
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

// Resizes one tensor and says so. `fresh` makes a tensor of the new shape.
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

// One tensor of the model that is there.
void resize_tensor(Rebuilding& rebuilding, const TensorInfo& info,
                   const std::vector<AxisSources>& axes);

}  // namespace attn
