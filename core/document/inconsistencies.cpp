// Checks of the tensors of a model, of tokens, and of a document as a whole.
#include "document/inconsistencies.h"

#include <algorithm>
#include <span>
#include <utility>

#include "base/number_text.h"
#include "document/findings.h"

namespace attn {
namespace {

std::size_t extent_from_end(const Tensor& tensor, std::size_t back) {
  return tensor.rank() >= back ? tensor.extent(tensor.rank() - back) : 1;
}

struct Placed {
  const Tensor& tensor;
  const char* pointer;
};

// All of them are looked at, so that every one that is wrong is reported.
bool ranks_between(Findings& findings, std::span<const Placed> tensors, std::size_t low,
                   std::size_t high, const std::string& as = "") {
  bool all = true;
  for (const Placed& placed : tensors) {
    if (!rank_between(findings, placed.tensor, placed.pointer, low, high, as)) all = false;
  }
  return all;
}

void check_kind(Findings& findings, const Document& document, const GivenQkv& input) {
  const Placed qkv[] = {{input.q, "/q"}, {input.k, "/k"}, {input.v, "/v"}};
  if (!ranks_between(findings, qkv, 2, 4)) return;
  const std::size_t rank = input.q.rank();
  if (!ranks_between(findings, qkv, rank, rank, ", as q has")) return;
  if (rank == 4) {
    same_count(findings, "/k", "sample", input.k.extent(0), input.q.extent(0), "q");
    same_count(findings, "/v", "sample", input.v.extent(0), input.q.extent(0), "q");
  }
  const std::size_t heads = extent_from_end(input.q, 3);
  const std::size_t kv_heads = extent_from_end(input.k, 3);
  findings.require(heads % kv_heads == 0, "/k", "the key-value heads do not divide the query heads",
                   counted(kv_heads, "head"), "a divisor of " + counted(heads, "query head"));
  same_count(findings, "/v", "head", extent_from_end(input.v, 3), kv_heads, "k");
  same_count(findings, "/v", "row", extent_from_end(input.v, 2), extent_from_end(input.k, 2), "k");
  if (scoring_info(document.scoring.function).needs_equal_widths) {
    same_count(findings, "/k", "column", extent_from_end(input.k, 1), extent_from_end(input.q, 1),
               "q");
  }
}

void check_bias(Findings& findings, const Tensor& bias, const Tensor& matrix,
                const std::string& name) {
  if (bias.empty() || !rank_between(findings, bias, "/projections/b_" + name, 1, 1)) return;
  const std::string matrix_name = findings.spoken("w_" + name);
  if (!findings.require(!matrix.empty(), "/projections/b_" + name, "a bias without its matrix",
                        "b_" + name, "no bias where " + matrix_name + " is absent")) {
    return;
  }
  same_count(findings, "/projections/b_" + name, "number", bias.extent(0), matrix.extent(1),
             matrix_name);
}

void check_projection_rows(Findings& findings, const Tensor& matrix, const std::string& name,
                           std::size_t width, const std::string& other) {
  findings.require(matrix.extent(0) == width, "/projections/" + name,
                   "the matrix does not fit what it multiplies (it is stored as inputs × outputs)",
                   counted(matrix.extent(0), "row"),
                   std::to_string(width) + ", the columns of " + other);
}

void check_head_widths(Findings& findings, const AttentionLayer& input) {
  const Projections& p = input.projections;
  const std::string heads = counted(input.heads, "head");
  if (!findings.require(
          p.w_q.extent(1) % input.heads == 0, "/heads",
          "the columns of " + findings.spoken("w_q") + " cannot be shared equally among the heads",
          heads,
          "a divisor of the " + counted(p.w_q.extent(1), "column") + " of " +
              findings.spoken("w_q"))) {
    return;
  }
  const std::size_t d_k = p.w_q.extent(1) / input.heads;
  if (!findings.require(p.w_k.extent(1) % d_k == 0, "/projections/w_k",
                        "the columns of w_k are no whole number of heads",
                        counted(p.w_k.extent(1), "column"),
                        "a multiple of d_k = " + std::to_string(d_k))) {
    return;
  }
  const std::size_t kv_heads = p.w_k.extent(1) / d_k;
  if (!findings.require(kv_heads <= input.heads && input.heads % kv_heads == 0, "/projections/w_k",
                        "the key-value heads do not divide the query heads",
                        counted(kv_heads, "key-value head"),
                        "a divisor of " + counted(input.heads, "query head"))) {
    return;
  }
  if (!findings.require(p.w_v.extent(1) % kv_heads == 0, "/projections/w_v",
                        "the columns of w_v cannot be shared equally among the key-value heads",
                        counted(p.w_v.extent(1), "column"),
                        "a multiple of " + std::to_string(kv_heads))) {
    return;
  }
  if (!p.w_o.empty()) {
    check_projection_rows(findings, p.w_o, "w_o", input.heads * (p.w_v.extent(1) / kv_heads),
                          "the concatenated heads");
  }
}

void check_projections(Findings& findings, const AttentionLayer& input,
                       const std::string& query_name) {
  const Projections& p = input.projections;
  const Embeddings& x = input.embeddings;
  const Placed matrices[] = {
      {p.w_q, "/projections/w_q"}, {p.w_k, "/projections/w_k"}, {p.w_v, "/projections/w_v"}};
  const Placed output[] = {{p.w_o, "/projections/w_o"}};
  bool ranks = ranks_between(findings, matrices, 2, 2);
  if (!p.w_o.empty() && !ranks_between(findings, output, 2, 2)) ranks = false;
  if (!ranks) return;
  const std::string key_name = x.key.empty() ? query_name : "key_embeddings";
  check_projection_rows(findings, p.w_q, "w_q", extent_from_end(x.query, 1), query_name);
  check_projection_rows(findings, p.w_k, "w_k", extent_from_end(x.keys(), 1), key_name);
  check_projection_rows(findings, p.w_v, "w_v", extent_from_end(x.values(), 1),
                        x.value.empty() ? key_name : "value_embeddings");
  check_bias(findings, p.b_q, p.w_q, "q");
  check_bias(findings, p.b_k, p.w_k, "k");
  check_bias(findings, p.b_v, p.w_v, "v");
  check_bias(findings, p.b_o, p.w_o, "o");
  check_head_widths(findings, input);
}

void check_blocks(Findings& findings, const Embeddings& embeddings, std::size_t heads,
                  const Stack& stack, const std::string& query_name) {
  AttentionLayer own{{embeddings.query, {}, {}}, heads, {}};
  AttentionLayer cross{{embeddings.query, embeddings.key, {}}, heads, {}};
  for (std::size_t layer = 0; layer < stack.blocks.size() && findings.none(); ++layer) {
    const TransformerBlock& block = stack.blocks[layer];
    const std::string place = "/blocks/" + std::to_string(layer);
    const std::string rows = layer == 0 ? query_name : "the block's input";
    findings.enter(place);
    own.projections = block.projections;
    check_projections(findings, own, rows);
    if (!block.cross) continue;
    Findings of_cross;
    cross.projections = block.cross->projections;
    check_projections(of_cross, cross, rows);
    findings.add_from(of_cross, "/projections", place + "/cross_projections");
  }
  findings.enter("");
  if (findings.none()) check_stack(findings, stack, extent_from_end(embeddings.query, 1));
}

std::string query_name_of(const Document& document, const Embeddings& embeddings) {
  const bool plain = !document.cross && embeddings.key.empty();
  return plain ? "embeddings" : "query_embeddings";
}

// Whether embeddings and heads are sound enough to look at what works on them.
bool check_embeddings(Findings& findings, const Document& document, const Embeddings& x,
                      std::size_t heads) {
  const std::string query_name = query_name_of(document, x);
  if (!rank_between(findings, x.query, "/" + query_name, 2, 3)) return false;
  const std::size_t rank = x.query.rank();
  const auto check_other = [&](const Tensor& tensor, const std::string& name) {
    if (tensor.empty() ||
        !rank_between(findings, tensor, "/" + name, rank, rank, ", as " + query_name + " has"))
      return;
    if (rank == 3) {
      same_count(findings, "/" + name, "sample", tensor.extent(0), x.query.extent(0), query_name);
    }
  };
  findings.require(!document.cross || !x.key.empty(), "/key_embeddings",
                   "cross-attention needs embeddings of both sides", "no key_embeddings",
                   "query_embeddings and key_embeddings");
  check_other(x.key, "key_embeddings");
  check_other(x.value, "value_embeddings");
  if (!findings.require(heads > 0, "/heads", "attention needs a head", "0", "at least 1") ||
      !findings.none()) {
    return false;
  }
  if (!x.value.empty()) {
    same_count(findings, "/value_embeddings", "row", extent_from_end(x.value, 2),
               extent_from_end(x.keys(), 2), x.key.empty() ? query_name : "key_embeddings");
  }
  return true;
}

void check_kind(Findings& findings, const Document& document, const AttentionLayer& model) {
  if (!check_embeddings(findings, document, model.embeddings, model.heads)) return;
  check_projections(findings, model, query_name_of(document, model.embeddings));
}

// Of both kinds of stacks.
void check_stack_model(Findings& findings, const Document& document, const Embeddings& embeddings,
                       std::size_t heads, const Stack& stack) {
  if (!check_embeddings(findings, document, embeddings, heads)) return;
  findings.require(embeddings.value.empty(), "/value_embeddings",
                   "blocks take their values from the keys", "blocks and value_embeddings",
                   "one of them");
  check_blocks(findings, embeddings, heads, stack, query_name_of(document, embeddings));
}

void check_kind(Findings& findings, const Document& document, const EncoderStack& model) {
  check_stack_model(findings, document, model.embeddings, model.heads, model.stack);
}

void check_kind(Findings& findings, const Document& document, const DecoderStack& model) {
  check_stack_model(findings, document, model.embeddings, model.heads, model.stack);
}

void check_kind(Findings& findings, const Document& document, const RecurrentModel& model) {
  if (!check_embeddings(findings, document, model.embeddings, model.heads)) return;
  check_recurrent(findings, model, document.scoring.function);
}

void check_kind(Findings& findings, const Document&, const GivenWeights& input) {
  if (!rank_between(findings, input.weights, "/attention", 2, 5)) return;
  const std::size_t rank = input.weights.rank();
  const std::vector<Axis>& axes = input.axes;
  findings.require(axes.size() == rank, "/axes", "every axis of attention needs its name",
                   counted(axes.size(), "name"), std::to_string(rank));
  const bool ordered = std::is_sorted(axes.begin(), axes.end()) &&
                       std::adjacent_find(axes.begin(), axes.end()) == axes.end();
  const bool ends =
      axes.size() >= 2 && axes[axes.size() - 2] == Axis::Query && axes.back() == Axis::Key;
  findings.require(ordered && ends, "/axes", "the axes are not in canonical order", "another order",
                   "layer, sample, head, query, key");
}

void check_token_side(Findings& findings, const TokenLists& lists, const std::string& pointer,
                      std::size_t samples, std::size_t n) {
  if (!findings.require(lists.size() == 1 || lists.size() == samples, pointer,
                        "as many lists of tokens as samples are needed",
                        counted(lists.size(), "list"),
                        samples == 1 ? "1" : "1 or " + std::to_string(samples))) {
    return;
  }
  for (std::size_t i = 0; i < lists.size(); ++i) {
    const std::string place = lists.size() == 1 ? pointer : pointer + "/" + std::to_string(i);
    findings.require(lists[i].size() == n, place, "tokens and positions differ in number",
                     counted(lists[i].size(), "token"),
                     std::to_string(n) + ", one for each position of the matrices");
  }
}

// One list of tokens with different numbers of queries and keys: either side may be the wrong one.
void refuse_tokens_of_both_sides(Findings& findings, const Document& document,
                                 const AttentionShape& shape) {
  const std::size_t tokens = document.query_tokens.front().size();
  const bool given = !has_scores(document.model);
  const std::string queries = given ? counted(shape.n_q, "row") : counted(shape.n_q, "query row");
  const std::string keys = given ? counted(shape.n_k, "column") : counted(shape.n_k, "key row");
  findings.require(false, "/tokens",
                   "one list of tokens names queries and keys alike, and they differ in number",
                   counted(tokens, "token") + " for " + queries + " and " + keys,
                   std::to_string(tokens) + " of both",
                   "complete the side that is short; or, when they are two sequences, give "
                   "query_tokens and key_tokens instead of tokens");
}

void check_tokens(Findings& findings, const Document& document, const AttentionShape& shape) {
  if (document.cross) {
    check_token_side(findings, document.query_tokens, "/query_tokens", shape.samples, shape.n_q);
    check_token_side(findings, document.key_tokens, "/key_tokens", shape.samples, shape.n_k);
    return;
  }
  if (shape.n_q == shape.n_k) {
    check_token_side(findings, document.query_tokens, "/tokens", shape.samples, shape.n_q);
  } else {
    refuse_tokens_of_both_sides(findings, document, shape);
  }
  findings.require(document.key_tokens.empty(), "/key_tokens",
                   "self-attention has one list of tokens", "key_tokens as well", "tokens only");
}

}  // namespace

std::string counted(std::size_t count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

std::vector<Error> input_inconsistencies(const Document& document,
                                         std::span<const std::string> generated) {
  Findings findings(generated);
  std::visit([&](const auto& kind) { check_kind(findings, document, kind); }, document.model);
  return findings.take();
}

std::vector<Error> inconsistencies(const Document& document) {
  std::vector<Error> errors = input_inconsistencies(document);
  Findings findings;
  check_scoring_numbers(findings, document.scoring);
  if (errors.empty()) {
    const AttentionShape shape = shape_of(document);
    check_tokens(findings, document, shape);
    check_mask(findings, document.mask, shape);
    const AttentionShape own = shape_of(document, AttentionPart::Self);
    if (is_decoder(document)) {
      Findings of_self;
      check_mask(of_self, document.self_mask, own);
      findings.add_from(of_self, "/mask", "/self_mask");
    }
    Findings of_position;
    check_position(of_position, attended(document, AttentionPart::Self), own);
    findings.add_from(of_position, "/mask", is_decoder(document) ? "/self_mask" : "/mask");
    check_scoring_matrices(findings, document.scoring, scored_shape(document));
  }
  for (Error& error : findings.take()) errors.push_back(std::move(error));
  return errors;
}

Error refusal_at(const std::string& pointer, const std::string& message, const std::string& found,
                 const std::string& expected, const std::string& hint) {
  Error error;
  error.kind = ErrorKind::BadInput;
  error.pointer = pointer;
  error.message = message;
  error.found = found;
  error.expected = expected;
  error.hint = hint;
  return error;
}

}  // namespace attn
