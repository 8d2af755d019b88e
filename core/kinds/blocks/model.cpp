// Stacks of transformer blocks: extents, lists of tensors and checks.
#include "kinds/blocks/model.h"

#include <cmath>

#include "base/number_text.h"

namespace attn {
namespace {

// Adds entries of one block, or of tensors outside of the blocks.
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
    const auto entry = [&](const Tensor& tensor, const std::string& key, const char* label,
                           std::initializer_list<Extent> extents) {
      const TensorUse use = extents.size() == 2 ? TensorUse::Matrix : TensorUse::Bias;
      add(tensor, "feed_forward/" + key, key, label, use, extents, "feed-forward");
    };
    entry(network.w_1, "w_1", "W_1", {Extent::ModelWidth, Extent::HiddenWidth});
    entry(network.b_1, "b_1", "b_1", {Extent::HiddenWidth});
    entry(network.w_gate, "w_gate", "W_gate", {Extent::ModelWidth, Extent::HiddenWidth});
    list.back().needed = activation_info(network.activation).gated;
    entry(network.b_gate, "b_gate", "b_gate", {Extent::HiddenWidth});
    entry(network.w_2, "w_2", "W_2", {Extent::HiddenWidth, Extent::ModelWidth});
    entry(network.b_2, "b_2", "b_2", {Extent::ModelWidth});
  }

 private:
  void add(const Tensor& tensor, const std::string& key, const std::string& own_name,
           const std::string& label, TensorUse use, std::initializer_list<Extent> extents,
           std::string_view part) const {
    list.push_back({&tensor, path + "/" + key, name + own_name, label, StageRole::Output, use,
                    axes_of(shape, extents), part, block, Extent::Queries,
                    use == TensorUse::Matrix});
  }
};

void vector_of(Findings& findings, const Tensor& tensor, const std::string& pointer,
               std::size_t width, const std::string& other) {
  if (tensor.empty() || !rank_between(findings, tensor, pointer, 1, 1)) return;
  same_count(findings, pointer, "number", tensor.extent(0), width, other);
}

void check_norm(Findings& findings, const Norm& norm, const std::string& pointer,
                std::size_t d_model) {
  vector_of(findings, norm.weight, pointer + "/weight", d_model, "the width of the model");
  vector_of(findings, norm.bias, pointer + "/bias", d_model, "the width of the model");
}

void check_matrix(Findings& findings, const Tensor& tensor, const std::string& name,
                  const Shape& shape, const std::string& widths) {
  findings.require(tensor.shape() == shape, "/feed_forward/" + name,
                   name + " does not fit (" + widths + ")",
                   tensor.empty() ? "no " + name : shape_text(tensor.shape()), shape_text(shape));
}

void check_network(Findings& findings, const FeedForward& network, const FeedForward& first,
                   std::size_t d_model) {
  const std::string name(activation_info(network.activation).name);
  const std::string first_name(activation_info(first.activation).name);
  if (!findings.require(network.activation == first.activation, "/feed_forward/activation",
                        "all blocks need the same activation", name, first_name) ||
      !rank_between(findings, first.w_1, "/feed_forward/w_1", 2, 2)) {
    return;
  }
  const std::size_t d_ff = first.w_1.extent(1);
  check_matrix(findings, network.w_1, "w_1", {d_model, d_ff}, "d_model × d_ff");
  check_matrix(findings, network.w_2, "w_2", {d_ff, d_model}, "d_ff × d_model");
  vector_of(findings, network.b_1, "/feed_forward/b_1", d_ff, "w_1");
  vector_of(findings, network.b_2, "/feed_forward/b_2", d_model, "w_2");
  vector_of(findings, network.b_gate, "/feed_forward/b_gate", d_ff, "w_gate");
  const bool gated = activation_info(network.activation).gated;
  if (gated) {
    return check_matrix(findings, network.w_gate, "w_gate", {d_model, d_ff}, "d_model × d_ff");
  }
  findings.require(network.w_gate.empty() && network.b_gate.empty(), "/feed_forward/w_gate",
                   name + " has no gate", name + " and a gate", "one of them");
}

void check_extents(Findings& findings, const Projections& own, const Projections& first,
                   const std::string& place, std::size_t d_model) {
  const std::size_t out = own.w_o.empty() ? 0 : own.w_o.extent(1);
  findings.require(out == d_model, place + "/w_o", "the output of a block is as wide as its input",
                   own.w_o.empty() ? "no w_o" : counted(out, "column"),
                   std::to_string(d_model) + ", as the embeddings have");
  const auto same = [&](const Tensor& a, const Tensor& b, const std::string& name) {
    same_count(findings, place + "/" + name, "column", a.extent(1), b.extent(1),
               "the first block's " + name);
  };
  same(own.w_q, first.w_q, "w_q");
  same(own.w_k, first.w_k, "w_k");
  same(own.w_v, first.w_v, "w_v");
}

// All blocks norm queries and keys alike, as they have the same stages.
void check_head_norms(Findings& findings, const Projections& own, const Projections& first,
                      const std::string& place) {
  const auto same = [&](const Tensor& norm, const Tensor& of_first, const std::string& name) {
    findings.require(norm.shape() == of_first.shape(), place + "/" + name,
                     "all blocks need the same norms of queries and keys",
                     norm.empty() ? "no " + name : counted(norm.size(), "number"),
                     of_first.empty()
                         ? "none, as in the first block"
                         : std::to_string(of_first.size()) + ", as in the first block");
  };
  same(own.q_norm, first.q_norm, "q_norm");
  same(own.k_norm, first.k_norm, "k_norm");
}

void check_stack(Findings& findings, const Stack& stack, std::size_t d_model) {
  findings.require(std::isfinite(stack.eps) && stack.eps > 0.0F, "/norms/eps",
                   "eps is not above zero", shortest_text(stack.eps), "a finite number above 0");
  findings.require(std::isfinite(stack.weight_offset), "/norms/offset", "the offset is not finite",
                   shortest_text(stack.weight_offset), "a finite number");
  findings.require(!stack.parallel || stack.order != NormOrder::Post, "/norms/parallel",
                   "parallel parts have no norm of a sum", "parallel and the order post",
                   "the order pre, both or branch");
  findings.require(stack.dropout >= 0.0F && stack.dropout < 1.0F, "/dropout",
                   "the dropout is not a share", shortest_text(stack.dropout),
                   "a number from 0 to below 1");
  const TransformerBlock& first = stack.blocks.front();
  for (std::size_t layer = 0; layer < stack.blocks.size(); ++layer) {
    const TransformerBlock& block = stack.blocks[layer];
    findings.enter("/blocks/" + std::to_string(layer));
    check_extents(findings, block.projections, first.projections, "/projections", d_model);
    check_head_norms(findings, block.projections, first.projections, "/projections");
    if (block.cross) {
      check_head_norms(findings, block.cross->projections, first.cross->projections,
                       "/cross_projections");
      check_extents(findings, block.cross->projections, first.projections, "/cross_projections",
                    d_model);
      check_norm(findings, block.cross->norm, "/cross_norm", d_model);
      check_norm(findings, block.cross->out_norm, "/cross_out_norm", d_model);
    }
    check_norm(findings, block.attention_norm, "/attention_norm", d_model);
    check_norm(findings, block.feed_forward_norm, "/feed_forward_norm", d_model);
    check_norm(findings, block.attention_out_norm, "/attention_out_norm", d_model);
    check_norm(findings, block.feed_forward_out_norm, "/feed_forward_out_norm", d_model);
    check_network(findings, block.feed_forward, first.feed_forward, d_model);
  }
  findings.enter("");
  if (stack.final_norm) check_norm(findings, *stack.final_norm, "/norms/final", d_model);
  if (stack.embedding_norm) {
    check_norm(findings, *stack.embedding_norm, "/norms/embeddings", d_model);
  }
}

void check_blocks(Findings& findings, const Embeddings& embeddings, std::size_t heads,
                  const Stack& stack, const std::string& query_name) {
  const Embeddings own{embeddings.query, {}, {}};
  const Embeddings across{embeddings.query, embeddings.key, {}};
  for (std::size_t layer = 0; layer < stack.blocks.size() && findings.none(); ++layer) {
    const TransformerBlock& block = stack.blocks[layer];
    const std::string place = "/blocks/" + std::to_string(layer);
    const std::string rows = layer == 0 ? query_name : "the block's input";
    findings.enter(place);
    check_projections(findings, block.projections, own, heads, rows);
    if (!block.cross) continue;
    Findings of_cross;
    check_projections(of_cross, block.cross->projections, across, heads, rows);
    findings.add_from(of_cross, "/projections", place + "/cross_projections");
  }
  findings.enter("");
  if (findings.none()) check_stack(findings, stack, extent_from_end(embeddings.query, 1));
}

}  // namespace

std::string block_prefix(std::size_t layer) { return "block " + std::to_string(layer) + " "; }

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
  entries.norm(block.attention_out_norm, "attention_out_norm", "out ", "_1");
  if (block.cross) {
    ProjectionPlace cross = own;
    cross.path = entries.path + "/cross_projections";
    cross.name = entries.name + "cross ";
    cross.label = "cross ";
    cross.part = "cross-attention";
    cross.key_rows = cross.value_rows = Extent::KeyInputWidth;
    list_projections(list, block.cross->projections, shape, cross);
    entries.norm(block.cross->norm, "cross_norm", "cross ", "");
    entries.norm(block.cross->out_norm, "cross_out_norm", "cross out ", "");
  }
  entries.network(block.feed_forward);
  entries.norm(block.feed_forward_norm, "feed_forward_norm", "", "_2");
  entries.norm(block.feed_forward_out_norm, "feed_forward_out_norm", "out ", "_2");
}

void take_head_norms(const TransformerBlock& from, TransformerBlock& block) {
  const auto take = [](const Projections& first, Projections& own) {
    own.q_norm = first.q_norm;
    own.k_norm = first.k_norm;
  };
  take(from.projections, block.projections);
  if (from.cross && block.cross) take(from.cross->projections, block.cross->projections);
}

namespace {

std::uint64_t numbers_of_blocks(const AttentionShape& s, std::size_t attentions) {
  return saturating_sum({numbers_of_embeddings(s),
                         element_count({s.layers, attentions, numbers_of_projections(s)}),
                         element_count({s.layers, 2, s.d_model, s.d_ff})});
}

}  // namespace

const KindInfo BlockModel::kEncoder{
    .name = "blocks",
    .label = "Encoder blocks",
    .sentence = "Transformer blocks, whose rows attend to one another",
    .projects = true,
    .has_layers = true,
    .sequences = 1,
    .problems = &kBlockProblems,
    .numbers = [](const AttentionShape& s) { return numbers_of_blocks(s, 1); }};

const KindInfo BlockModel::kDecoder{
    .name = "decoder",
    .label = "Decoder blocks",
    .sentence =
        "Transformer blocks, whose rows attend to one another and then to a second sequence",
    .projects = true,
    .has_layers = true,
    .sequences = 2,
    .problems = &kBlockProblems,
    .numbers = [](const AttentionShape& s) { return numbers_of_blocks(s, 2); }};

const KindInfo& BlockModel::info() const { return is_decoder(stack) ? kDecoder : kEncoder; }

AttentionShape BlockModel::shape() const {
  AttentionShape shape = shape_of(embeddings);
  set_head_extents(shape, stack.blocks.front().projections, heads);
  shape.layers = stack.blocks.size();
  shape.d_ff = hidden_width(stack);
  return shape;
}

TensorList BlockModel::tensors(const AttentionShape& shape, std::optional<std::size_t> only) const {
  TensorList list;
  list_embeddings(list, embeddings, shape);
  const BlockList around{list, shape, {}, "/norms", ""};
  if (stack.embedding_norm) around.norm(*stack.embedding_norm, "embeddings", "embeddings ", "");
  for (std::size_t layer = 0; layer < stack.blocks.size(); ++layer) {
    if (!only || *only == layer) list_block(list, stack.blocks[layer], shape, layer);
  }
  if (stack.final_norm) around.norm(*stack.final_norm, "final", "final ", "");
  return list;
}

void BlockModel::check(Findings& findings, const Surroundings& around) const {
  if (!check_embeddings(findings, around, embeddings, heads)) return;
  findings.require(embeddings.value.empty(), "/value_embeddings",
                   "blocks take their values from the keys", "blocks and value_embeddings",
                   "one of them");
  check_blocks(findings, embeddings, heads, stack, query_name_of(around, embeddings));
}

void BlockModel::put_into(AttentionProblem& problem) const {
  attn::put_into(problem, embeddings);
  problem.kind = &kBlockProblems;
  problem.stack = stack;
  for (TransformerBlock& block : problem.stack.blocks) {
    std::optional<Position>& own = block.rules.position;
    if (own) own = for_length(*std::move(own), problem.shape.n_q);
  }
}

}  // namespace attn
