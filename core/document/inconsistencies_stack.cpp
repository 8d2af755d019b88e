#include <cmath>

#include "base/number_text.h"
#include "document/findings.h"

namespace attn {
namespace {

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

void matrix_of(Findings& findings, const Tensor& tensor, const std::string& name,
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
  matrix_of(findings, network.w_1, "w_1", {d_model, d_ff}, "d_model × d_ff");
  matrix_of(findings, network.w_2, "w_2", {d_ff, d_model}, "d_ff × d_model");
  vector_of(findings, network.b_1, "/feed_forward/b_1", d_ff, "w_1");
  vector_of(findings, network.b_2, "/feed_forward/b_2", d_model, "w_2");
  vector_of(findings, network.b_gate, "/feed_forward/b_gate", d_ff, "w_gate");
  const bool gated = activation_info(network.activation).gated;
  if (gated) {
    return matrix_of(findings, network.w_gate, "w_gate", {d_model, d_ff}, "d_model × d_ff");
  }
  findings.require(network.w_gate.empty() && network.b_gate.empty(), "/feed_forward/w_gate",
                   "only swiglu has a gate", name + " and a gate", "one of them");
}

void check_extents(Findings& findings, const Projections& own, const Projections& first,
                   const std::string& place, std::size_t d_model) {
  const std::size_t out = own.w_o.empty() ? 0 : own.w_o.extent(1);
  findings.require(out == d_model, place + "/w_o",
                   "a block gives back what is as wide as its input",
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

}  // namespace

void check_stack(Findings& findings, const Stack& stack, std::size_t d_model) {
  findings.require(std::isfinite(stack.eps) && stack.eps > 0.0F, "/norms/eps",
                   "eps is not above zero", shortest_text(stack.eps), "a finite number above 0");
  findings.require(stack.dropout >= 0.0F && stack.dropout < 1.0F, "/dropout",
                   "the dropout is no share", shortest_text(stack.dropout),
                   "a number from 0 to below 1");
  const TransformerBlock& first = stack.blocks.front();
  for (std::size_t layer = 0; layer < stack.blocks.size(); ++layer) {
    const TransformerBlock& block = stack.blocks[layer];
    findings.enter("/blocks/" + std::to_string(layer));
    check_extents(findings, block.projections, first.projections, "/projections", d_model);
    if (block.cross) {
      check_extents(findings, block.cross->projections, first.projections, "/cross_projections",
                    d_model);
      check_norm(findings, block.cross->norm, "/cross_norm", d_model);
    }
    check_norm(findings, block.attention_norm, "/attention_norm", d_model);
    check_norm(findings, block.feed_forward_norm, "/feed_forward_norm", d_model);
    check_network(findings, block.feed_forward, first.feed_forward, d_model);
  }
  findings.enter("");
  if (stack.final_norm) check_norm(findings, *stack.final_norm, "/norms/final", d_model);
}

}  // namespace attn
