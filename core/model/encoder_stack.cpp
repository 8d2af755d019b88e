// Stacks of transformer blocks: their extents and their lists.
#include "model/encoder_stack.h"

#include <algorithm>

#include "model/attention_layer.h"

namespace attn {
namespace {

// Adds entries of one block, or of what stands beside the blocks.
struct BlockList {
  TensorList& list;
  const AttentionShape& shape;
  std::optional<std::size_t> block;
  std::string path, name;  // "/blocks/1", "block 1 "

  void norm(const Norm& norm, const std::string& key, const std::string& label,
            const std::string& subscript) const {
    add(norm.weight, key + "/weight", key + " weight", label + "γ" + subscript, TensorUse::Norm,
        {Extent::ModelWidth}, "norms");
    add(norm.bias, key + "/bias", key + " bias", label + "β" + subscript, TensorUse::Norm,
        {Extent::ModelWidth}, "norms");
  }

  void network(const FeedForward& network) const {
    const auto matrix = [&](const Tensor& tensor, const std::string& key, const char* label,
                            Extent rows, Extent columns) {
      add(tensor, "feed_forward/" + key, key, label, TensorUse::Matrix, {rows, columns},
          "feed-forward");
    };
    const auto bias = [&](const Tensor& tensor, const std::string& key, const char* label,
                          Extent width) {
      add(tensor, "feed_forward/" + key, key, label, TensorUse::Bias, {width}, "feed-forward");
    };
    matrix(network.w_1, "w_1", "W_1", Extent::ModelWidth, Extent::HiddenWidth);
    bias(network.b_1, "b_1", "b_1", Extent::HiddenWidth);
    matrix(network.w_gate, "w_gate", "W_gate", Extent::ModelWidth, Extent::HiddenWidth);
    bias(network.b_gate, "b_gate", "b_gate", Extent::HiddenWidth);
    matrix(network.w_2, "w_2", "W_2", Extent::HiddenWidth, Extent::ModelWidth);
    bias(network.b_2, "b_2", "b_2", Extent::ModelWidth);
  }

 private:
  void add(const Tensor& tensor, const std::string& key, const std::string& own_name,
           const std::string& label, TensorUse use, std::initializer_list<Extent> extents,
           std::string_view part) const {
    list.push_back({&tensor, path + "/" + key, name + own_name, label, StageRole::Output, use,
                    axes_of(shape, extents), part, block});
  }
};

void list_block(TensorList& list, const TransformerBlock& block, const AttentionShape& shape,
                std::size_t layer) {
  const BlockList entries{list, shape, layer, "/blocks/" + std::to_string(layer),
                          block_prefix(layer)};
  ProjectionPlace own{.path = entries.path + "/projections",
                      .name = entries.name,
                      .label = "",
                      .part = block.cross ? "self-attention" : "attention",
                      .block = layer,
                      .key_rows = Extent::ModelWidth,
                      .value_rows = Extent::ModelWidth,
                      .outputs = Extent::ModelWidth};
  list_projections(list, block.projections, shape, own);
  entries.norm(block.attention_norm, "attention_norm", "", "_1");
  if (block.cross) {
    ProjectionPlace cross = own;
    cross.path = entries.path + "/cross_projections";
    cross.name = cross_prefix(layer);
    cross.label = "cross ";
    cross.part = "cross-attention";
    cross.key_rows = cross.value_rows = Extent::KeyInputWidth;
    list_projections(list, block.cross->projections, shape, cross);
    entries.norm(block.cross->norm, "cross_norm", "cross ", "");
  }
  entries.network(block.feed_forward);
  entries.norm(block.feed_forward_norm, "feed_forward_norm", "", "_2");
}

}  // namespace

std::string block_prefix(std::size_t layer) { return "block " + std::to_string(layer) + " "; }

std::string cross_prefix(std::size_t layer) { return block_prefix(layer) + "cross "; }

void set_stack_extents(AttentionShape& shape, const Stack& stack, std::size_t heads) {
  set_head_extents(shape, stack.blocks.front().projections, heads);
  shape.layers = stack.blocks.size();
  shape.d_ff = hidden_width(stack);
}

void list_stack(TensorList& list, const Stack& stack, const AttentionShape& shape,
                std::optional<std::size_t> only) {
  for (std::size_t layer = 0; layer < stack.blocks.size(); ++layer) {
    if (!only || *only == layer) list_block(list, stack.blocks[layer], shape, layer);
  }
  if (!stack.final_norm) return;
  BlockList{list, shape, {}, "/norms", "final "}.norm(*stack.final_norm, "final", "final ", "");
}

AttentionShape shape_of(const EncoderStack& model) {
  AttentionShape shape = shape_of(model.embeddings);
  set_stack_extents(shape, model.stack, model.heads);
  return shape;
}

TensorList tensors_of(const EncoderStack& model, const AttentionShape& shape,
                      std::optional<std::size_t> block) {
  TensorList list;
  list_embeddings(list, model.embeddings, shape);
  list_stack(list, model.stack, shape, block);
  return list;
}

}  // namespace attn
