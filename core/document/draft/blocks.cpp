// Completion of stacks of blocks.
#include <algorithm>
#include <utility>

#include "base/number_text.h"
#include "document/draft/draft.h"
#include "document/tensors/matrix_parts.h"

namespace attn {
namespace {

// Takes over given tensors of a feed-forward layer.
FeedForward taken(FeedForwardText& text, const FeedForwardText& first) {
  if (text.out_in) {
    for (Tensor* matrix : {&text.w_1, &text.w_gate, &text.w_2}) {
      if (!matrix->empty()) *matrix = turned(*matrix);
    }
  }
  text.activation =
      text.said_activation.value_or(first.said_activation.value_or(FeedForward{}.activation));
  return std::move(text);
}

// Hidden units of a feed-forward layer, from its matrices or as requested.
std::size_t hidden_units_of(const FeedForward& network, const FeedForwardText& fields,
                            const FeedForwardText& first, std::size_t d_model) {
  if (!network.w_1.empty()) return network.w_1.extent(1);
  if (!network.w_2.empty()) return network.w_2.extent(0);
  return fields.d_ff.value_or(first.d_ff.value_or(4 * d_model));
}

std::uint64_t bytes_to_generate(const TensorList& list) {
  std::uint64_t bytes = 0;
  for (const TensorInfo& info : list) {
    if (info.needed && !info.is_there()) bytes += float_bytes(info.shape());
  }
  return bytes;
}

// True if the first block, of which `bytes` are generated, and all following generated blocks fit
// into memory.
bool fit_memory(Draft& draft, const std::vector<BlockText>& blocks, std::uint64_t bytes) {
  const auto left_out = std::count_if(blocks.begin() + 1, blocks.end(), [](const BlockText& block) {
    return block.projections.w_q.empty() && block.projections.w_qkv.empty() &&
           block.feed_forward.w_1.empty();
  });
  const std::uint64_t before = draft.generated_bytes;
  const std::uint64_t all = element_count({static_cast<std::size_t>(left_out), bytes});
  if (!fits_memory(draft, {bytes, all}, "/blocks", "generating the blocks")) return false;
  draft.generated_bytes = before;
  return true;
}

// Refuses cross-attention without a second sequence.
bool check_cross(Draft& draft, const BlockText& fields, std::size_t layer) {
  const std::string key = fields.cross_projections          ? "cross_projections"
                          : fields.cross_norm != Norm{}     ? "cross_norm"
                          : fields.cross_out_norm != Norm{} ? "cross_out_norm"
                                                            : "";
  if (key.empty()) return true;
  return draft.refuse("/blocks/" + std::to_string(layer) + "/" + key,
                      "cross-attention needs a second sequence", key + " and one sequence",
                      "query_tokens and key_tokens, or query_embeddings and key_embeddings");
}

// Takes over given tensors of a block and generates the rest. `shape`: of all blocks, without the
// hidden units.
bool set_block(Draft& draft, std::size_t layer, AttentionShape shape, bool across,
               TransformerBlock& block) {
  BlockText& fields = draft.text.blocks[layer];
  const FeedForwardText& first = draft.text.blocks.front().feed_forward;
  if (!across && !check_cross(draft, fields, layer)) return false;
  const std::string place = "/blocks/" + std::to_string(layer);
  const bool no_w_o = fields.projections.no_w_o;
  const bool no_cross_w_o = fields.cross_projections && fields.cross_projections->no_w_o;
  block.projections = std::move(fields.projections);
  if (across) {
    ProjectionsText cross = std::move(fields.cross_projections).value_or(ProjectionsText{});
    block.cross = CrossAttention{std::move(cross), std::move(fields.cross_norm),
                                 std::move(fields.cross_out_norm)};
  }
  static_cast<BlockNorms&>(block) = std::move(fields);
  block.rules = {fields.window, {}, std::move(fields.sinks)};
  if (fields.position) block.rules.position = position_of(*fields.position);
  block.feed_forward = taken(fields.feed_forward, first);
  shape.d_ff = hidden_units_of(block.feed_forward, fields.feed_forward, first, shape.d_model);
  TensorList list;
  list_block(list, block, shape, layer);
  std::erase_if(list, [&](const TensorInfo& info) {  // refused as absent, later
    return (no_w_o && info.path == place + "/projections/w_o") ||
           (no_cross_w_o && info.path == place + "/cross_projections/w_o");
  });
  const std::vector<BlockText>& blocks = draft.text.blocks;
  const bool first_of_many = layer == 0 && blocks.size() > 1;
  if (first_of_many && !fit_memory(draft, blocks, bytes_to_generate(list))) return false;
  if (!generate_matrices(draft, list)) return false;
  const std::optional<std::uint64_t>& requested = fields.feed_forward.d_ff;
  return !requested || *requested == shape.d_ff ||
         draft.refuse(place + "/feed_forward/d_ff", "d_ff does not fit the matrices of the network",
                      std::to_string(*requested), std::to_string(shape.d_ff));
}

// Settings of all blocks.
Stack settings_of(const DocumentText& text) {
  Stack stack = text.norms.value_or(Stack{});
  stack.dropout = text.dropout;
  return stack;
}

bool fill_stack(Draft& draft, const Embeddings& embeddings, Stack& stack, std::size_t& heads) {
  std::vector<BlockText>& blocks = draft.text.blocks;
  stack = settings_of(draft.text);
  AttentionShape shape = shape_of(embeddings);
  // All blocks have the number of heads of the first.
  if (!plan_heads(draft, blocks.front().projections, "/blocks/0/projections", shape)) return false;
  heads = shape.heads;
  for (std::size_t layer = 0; layer < blocks.size(); ++layer) {
    TransformerBlock& block = stack.blocks.emplace_back();
    const ProgressPart part(draft.progress, layer, blocks.size());
    if (!set_block(draft, layer, shape, !embeddings.key.empty(), block)) return false;
  }
  return true;
}

// True for norms of which at least one has numbers, in any block.
bool gives_any(const Stack& stack, std::initializer_list<Norm BlockNorms::*> norms) {
  return std::ranges::any_of(stack.blocks, [&](const TransformerBlock& block) {
    return std::ranges::any_of(norms, [&](auto norm) { return block.*norm != Norm{}; });
  });
}

void note_norms_of_other_orders(Draft& draft, const Stack& stack) {
  const auto note = [&](const char* names, bool given) {
    if (given) draft.notes.push_back(std::string(names) + " have no effect in this order of norms");
  };
  note("attention_norm and feed_forward_norm",
       stack.order == NormOrder::Branch &&
           gives_any(stack, {&BlockNorms::attention_norm, &BlockNorms::feed_forward_norm}));
  note("attention_out_norm and feed_forward_out_norm",
       !norms_outputs(stack.order) &&
           gives_any(stack, {&BlockNorms::attention_out_norm, &BlockNorms::feed_forward_out_norm}));
}

}  // namespace

bool unify_blocks(Draft& draft) {
  std::vector<BlockText>& blocks = draft.text.blocks;
  for (std::size_t layer = 0; layer < blocks.size(); ++layer) {
    BlockText& block = blocks[layer];
    const std::string place = "/blocks/" + std::to_string(layer);
    constexpr StageRole kRows = StageRole::Query, kKeys = StageRole::Key;
    if (!unify_projections(draft, block.projections, place + "/projections",
                           {kRows, kRows, kRows})) {
      return false;
    }
    if (block.cross_projections &&
        !unify_projections(draft, *block.cross_projections, place + "/cross_projections",
                           {kRows, kKeys, kKeys})) {
      return false;
    }
  }
  return true;
}

std::size_t blocks_input_width(const Draft& draft, StageRole role) {
  const BlockText& first = draft.text.blocks.front();
  if (role == StageRole::Query || !draft.document.cross) {
    return input_width(draft, first.projections, role);
  }
  // Keys of the second sequence are also its values.
  return input_width(draft, first.cross_projections, StageRole::Key);
}

void note_idle_norms(Draft& draft) {
  if (const Stack* stack = stack_of(draft.document.model))
    note_norms_of_other_orders(draft, *stack);
  const float dropout = draft.text.dropout;
  const bool has_blocks = !draft.text.blocks.empty();
  if (has_blocks && dropout > 0.0F) {
    draft.notes.push_back("dropout " + shortest_text(dropout) +
                          " is only for training and is not applied");
  }
  const Stack given = settings_of(draft.text);
  if (has_blocks || given == Stack{}) return;
  draft.document.kept.stack = given;
  draft.notes.push_back("norms and dropout have no effect without blocks");
}

bool set_blocks(Draft& draft, Embeddings embeddings) {
  Stack stack;
  std::size_t heads = 1;
  if (!fill_stack(draft, embeddings, stack, heads)) return false;
  draft.document.model = BlockModel{std::move(embeddings), heads, std::move(stack)};
  return true;
}

}  // namespace attn
