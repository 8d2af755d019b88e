// Reader of cases computed by PyTorch, and conversion to problems.
#include "reference_case.h"

#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>

#include "kinds/blocks/model.h"
#include "kinds/recurrent/model.h"
#include "support/shared_data.h"

namespace attn::test {
namespace {

using nlohmann::json;

double number_of(const json& value) {
  if (value.is_boolean()) return value.get<bool>() ? 1.0 : 0.0;
  if (!value.is_string()) return value.get<double>();
  const std::string text = value.get<std::string>();
  if (text == "nan") return std::numeric_limits<double>::quiet_NaN();
  return (text == "-inf" ? -1.0 : 1.0) * std::numeric_limits<double>::infinity();
}

CaseTensor tensor_of(const json& value) {
  CaseTensor tensor{value.at("shape").get<Shape>(), {}};
  for (const json& element : value.at("data")) tensor.values.push_back(number_of(element));
  return tensor;
}

std::map<std::string, CaseTensor> tensors_of(const json& object) {
  std::map<std::string, CaseTensor> tensors;
  for (const auto& [name, value] : object.items()) tensors[name] = tensor_of(value);
  return tensors;
}

Shape padded_to_rank_4(const Shape& shape) {
  Shape padded(4 - shape.size(), 1);
  padded.insert(padded.end(), shape.begin(), shape.end());
  return padded;
}

Tensor floats(const CaseTensor& tensor, Shape shape) {
  std::vector<float> values;
  for (const double value : tensor.values) values.push_back(static_cast<float>(value));
  return Tensor(std::move(shape), std::move(values));
}

Tensor floats(const CaseTensor& tensor) { return floats(tensor, tensor.shape); }

// PyTorch stores (out, in), we store (in, out). Rows [first, first + rows) of `tensor`.
Tensor transposed_rows(const CaseTensor& tensor, std::size_t first, std::size_t rows) {
  const std::size_t cols = tensor.shape[1];
  std::vector<float> values(rows * cols);
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t c = 0; c < cols; ++c) {
      values[c * rows + r] = static_cast<float>(tensor.values[(first + r) * cols + c]);
    }
  }
  return Tensor({cols, rows}, std::move(values));
}

Tensor columns(const CaseTensor& tensor, std::size_t first, std::size_t cols) {
  const std::size_t all = tensor.shape.back();
  const std::size_t rows = tensor.values.size() / all;
  std::vector<float> values;
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t c = 0; c < cols; ++c) {
      values.push_back(static_cast<float>(tensor.values[r * all + first + c]));
    }
  }
  if (tensor.shape.size() == 1) return Tensor({cols}, std::move(values));
  return Tensor({rows, cols}, std::move(values));
}

// A mask of any rank that broadcasts. Boolean masks mark visible or hidden cells.
void set_mask(const ReferenceCase& reference, const std::string& name, bool true_hides, Shape shape,
              Mask& mask) {
  const auto found = reference.inputs.find(name);
  if (found == reference.inputs.end()) return;
  if (!reference.input_is_bool.at(name)) {
    mask.bias = floats(found->second, std::move(shape));
    return;
  }
  std::vector<std::uint8_t> visible;
  for (const double value : found->second.values) {
    visible.push_back((value != 0.0) != true_hides ? 1 : 0);
  }
  mask.visible = BoolTensor(std::move(shape), std::move(visible));
}

void set_causal(const ReferenceCase& reference, AttentionProblem& problem) {
  const auto found = reference.texts.find("causal");
  if (found == reference.texts.end()) return;
  problem.mask.causal = true;
  if (found->second == "bottom_right") {
    problem.mask.causal_offset = {static_cast<std::int64_t>(problem.shape.n_k) -
                                  static_cast<std::int64_t>(problem.shape.n_q)};
  }
}

AttentionProblem sdpa_problem(const ReferenceCase& reference) {
  AttentionProblem problem;
  problem.q = floats(reference.inputs.at("Q"), padded_to_rank_4(reference.inputs.at("Q").shape));
  problem.k = floats(reference.inputs.at("K"), padded_to_rank_4(reference.inputs.at("K").shape));
  problem.v = floats(reference.inputs.at("V"), padded_to_rank_4(reference.inputs.at("V").shape));
  AttentionShape& s = problem.shape;
  s.samples = problem.q.extent(0);
  s.heads = problem.q.extent(1);
  s.kv_heads = problem.k.extent(1);
  s.n_q = problem.q.extent(2);
  s.n_k = problem.k.extent(2);
  s.d_k = problem.q.extent(3);
  s.d_v = problem.v.extent(3);
  if (const auto scale = reference.numbers.find("scale"); scale != reference.numbers.end()) {
    problem.scoring.scale = static_cast<float>(scale->second);
  }
  if (const auto mask = reference.inputs.find("mask"); mask != reference.inputs.end()) {
    set_mask(reference, "mask", false, mask->second.shape, problem.mask);
  }
  set_causal(reference, problem);
  return problem;
}

void set_mha_projections(const ReferenceCase& reference, std::size_t width, Projections& out) {
  const auto& in = reference.inputs;
  if (in.contains("in_proj_weight")) {
    out.w_q = transposed_rows(in.at("in_proj_weight"), 0, width);
    out.w_k = transposed_rows(in.at("in_proj_weight"), width, width);
    out.w_v = transposed_rows(in.at("in_proj_weight"), 2 * width, width);
  } else {
    out.w_q = transposed_rows(in.at("q_proj_weight"), 0, width);
    out.w_k = transposed_rows(in.at("k_proj_weight"), 0, width);
    out.w_v = transposed_rows(in.at("v_proj_weight"), 0, width);
  }
  out.w_o = transposed_rows(in.at("out_proj__weight"), 0, width);
  if (!in.contains("in_proj_bias")) return;
  out.b_q = columns(in.at("in_proj_bias"), 0, width);
  out.b_k = columns(in.at("in_proj_bias"), width, width);
  out.b_v = columns(in.at("in_proj_bias"), 2 * width, width);
  out.b_o = floats(in.at("out_proj__bias"));
}

// True means "ignore", as in PyTorch's layers.
void set_key_padding(const ReferenceCase& reference, const std::string& name,
                     AttentionProblem& problem) {
  const auto found = reference.inputs.find(name);
  if (found == reference.inputs.end()) return;
  const AttentionShape& s = problem.shape;
  for (std::size_t sample = 0; sample < s.samples; ++sample) {
    std::vector<std::uint8_t> real;
    for (std::size_t k = 0; k < s.n_k; ++k) {
      real.push_back(found->second.values[sample * s.n_k + k] == 0.0 ? 1 : 0);
    }
    problem.mask.key_padding.push_back(real);
  }
}

void set_mha_masks(const ReferenceCase& reference, AttentionProblem& problem) {
  const auto& in = reference.inputs;
  const AttentionShape& s = problem.shape;
  if (in.contains("attn_mask")) {
    Shape shape = in.at("attn_mask").shape;
    if (shape.size() == 3) shape = {s.samples, s.heads, s.n_q, s.n_k};  // (batch · heads, q, k)
    set_mask(reference, "attn_mask", true, shape, problem.mask);
  }
  set_key_padding(reference, "key_padding_mask", problem);
}

void set_shape(std::size_t heads, std::size_t width, AttentionProblem& problem) {
  AttentionShape& s = problem.shape;
  s.samples = problem.query_embeddings.extent(0);
  s.heads = s.kv_heads = heads;
  s.n_q = problem.query_embeddings.extent(1);
  s.n_k = problem.key_embeddings.extent(1);
  s.d_k = s.d_v = width / heads;
  s.d_model = problem.query_embeddings.extent(2);
  s.d_out = width;
}

AttentionProblem mha_problem(const ReferenceCase& reference) {
  AttentionProblem problem;
  problem.kind = &kLayerProblems;
  problem.query_embeddings = floats(reference.inputs.at("query"));
  problem.key_embeddings = floats(reference.inputs.at("key"));
  problem.value_embeddings = floats(reference.inputs.at("value"));
  const std::size_t width = reference.inputs.at("query").shape[2];
  set_shape(static_cast<std::size_t>(reference.numbers.at("num_heads")), width, problem);
  set_mha_projections(reference, width, problem.projections);
  set_mha_masks(reference, problem);
  return problem;
}

// GPT-2's packed projection, which is (in, out).
AttentionProblem gpt2_problem(const ReferenceCase& reference) {
  AttentionProblem problem;
  problem.kind = &kLayerProblems;
  const CaseTensor& x = reference.inputs.at("x");
  problem.query_embeddings = floats(x, {1, x.shape[0], x.shape[1]});
  problem.key_embeddings = problem.value_embeddings = problem.query_embeddings;
  const std::size_t width = x.shape[1];
  set_shape(static_cast<std::size_t>(reference.numbers.at("num_heads")), width, problem);
  Projections& by = problem.projections;
  const CaseTensor& weight = reference.inputs.at("c_attn_weight");
  const CaseTensor& bias = reference.inputs.at("c_attn_bias");
  by.w_q = columns(weight, 0, width);
  by.w_k = columns(weight, width, width);
  by.w_v = columns(weight, 2 * width, width);
  by.b_q = columns(bias, 0, width);
  by.b_k = columns(bias, width, width);
  by.b_v = columns(bias, 2 * width, width);
  by.w_o = floats(reference.inputs.at("c_proj_weight"));
  by.b_o = floats(reference.inputs.at("c_proj_bias"));
  set_causal(reference, problem);
  return problem;
}

AttentionProblem softmax_problem(const ReferenceCase& reference) {
  const CaseTensor& x = reference.inputs.at("x");
  AttentionProblem problem;
  AttentionShape& s = problem.shape;
  s.heads = s.kv_heads = x.shape[0];
  s.n_q = s.d_k = s.d_v = 1;
  s.n_k = x.shape[1];
  problem.q = Tensor({1, s.heads, 1, 1}, std::vector<float>(s.heads, 1.0F));
  problem.k = floats(x, {1, s.heads, s.n_k, 1});
  problem.v = Tensor({1, s.heads, s.n_k, 1}, std::vector<float>(s.heads * s.n_k, 1.0F));
  const auto temperature = reference.numbers.find("temperature");
  const double by = temperature == reference.numbers.end() ? 1.0 : temperature->second;
  if (by != 1.0) problem.scoring.temperature = static_cast<float>(by);
  return problem;
}

Tensor in_one_head(const CaseTensor& tensor) {
  if (tensor.shape.size() == 2) return floats(tensor, {1, 1, tensor.shape[0], tensor.shape[1]});
  return floats(tensor, {tensor.shape[0], 1, tensor.shape[1], tensor.shape[2]});
}

// Bahdanau and Luong: one head with queries of any width.
AttentionProblem scored_problem(const ReferenceCase& reference) {
  const auto& in = reference.inputs;
  AttentionProblem problem;
  AttentionShape& s = problem.shape;
  problem.q = in_one_head(in.at("query"));
  problem.v = in_one_head(in.at("values"));
  problem.k = in.contains("keys") ? in_one_head(in.at("keys")) : problem.v;
  s.samples = problem.q.extent(0);
  s.n_q = problem.q.extent(2);
  s.n_k = problem.k.extent(2);
  s.d_q = problem.q.extent(3);
  s.d_k = problem.k.extent(3);
  s.d_v = problem.v.extent(3);
  Scoring& scoring = problem.scoring;
  const auto name = reference.texts.find("score");
  const std::string function = name == reference.texts.end() ? reference.op : name->second;
  for (const ScoringFunctionInfo& info : all_scoring_functions()) {
    if (info.name == function) scoring.function = info.function;
  }
  const auto take = [&](const std::string& key, Tensor& tensor) {
    if (in.contains(key)) tensor = floats(in.at(key));
  };
  take("W", scoring.w);
  take("Wq", scoring.w_query);
  take("Wk", scoring.w_key);
  take("v", scoring.v);
  take("b", scoring.b);
  s.d_a = hidden_units(scoring);
  if (in.contains("mask")) set_mask(reference, "mask", false, in.at("mask").shape, problem.mask);
  return problem;
}

// Queries and keys are the rows to rotate.
AttentionProblem rope_problem(const ReferenceCase& reference) {
  const CaseTensor& x = reference.inputs.at("x");
  AttentionProblem problem;
  AttentionShape& s = problem.shape;
  s.heads = s.kv_heads = x.shape[0];
  s.n_q = s.n_k = x.shape[1];
  s.d_k = s.d_v = x.shape[2];
  problem.q = problem.k = problem.v = floats(x, {1, s.heads, s.n_q, s.d_k});
  problem.position.kind = PositionKind::Rope;
  problem.position.base = static_cast<float>(reference.numbers.at("base"));
  problem.position.layout = reference.numbers.at("interleaved") != 0.0 ? PositionLayout::Interleaved
                                                                       : PositionLayout::Halves;
  return problem;
}

Tensor turned(const CaseTensor& w) { return transposed_rows(w, 0, w.shape[0]); }

// An nn.MultiheadAttention whose tensors begin with `prefix`.
Projections packed_attention(const ReferenceCase& reference, const std::string& prefix) {
  const auto in = [&](const std::string& name) { return reference.inputs.at(prefix + name); };
  const CaseTensor packed = in("in_proj_weight");
  const std::size_t width = packed.shape[1];
  Projections by;
  by.w_q = transposed_rows(packed, 0, width);
  by.w_k = transposed_rows(packed, width, width);
  by.w_v = transposed_rows(packed, 2 * width, width);
  const CaseTensor bias = in("in_proj_bias");
  by.b_q = columns(bias, 0, width);
  by.b_k = columns(bias, width, width);
  by.b_v = columns(bias, 2 * width, width);
  by.w_o = turned(in("out_proj__weight"));
  by.b_o = floats(in("out_proj__bias"));
  return by;
}

// One layer of nn.TransformerEncoder, or of nn.TransformerDecoder, whose tensors begin with
// `prefix`.
TransformerBlock block_of(const ReferenceCase& reference, const std::string& prefix,
                          Activation activation) {
  const auto in = [&](const std::string& name) { return reference.inputs.at(prefix + name); };
  const auto norm = [&](const std::string& name) {
    return Norm{floats(in(name + "__weight")), floats(in(name + "__bias"))};
  };
  TransformerBlock block;
  block.projections = packed_attention(reference, prefix + "self_attn__");
  block.attention_norm = norm("norm1");
  const bool decoder = reference.inputs.contains(prefix + "multihead_attn__in_proj_weight");
  if (decoder) {
    CrossAttention& cross = block.cross.emplace();
    cross.projections = packed_attention(reference, prefix + "multihead_attn__");
    cross.norm = norm("norm2");
  }
  block.feed_forward_norm = norm(decoder ? "norm3" : "norm2");
  FeedForward& network = block.feed_forward;
  network.activation = activation;
  network.w_1 = turned(in("linear1__weight"));
  network.b_1 = floats(in("linear1__bias"));
  network.w_2 = turned(in("linear2__weight"));
  network.b_2 = floats(in("linear2__bias"));
  return block;
}

AttentionProblem encoder_problem(const ReferenceCase& reference) {
  AttentionProblem problem;
  problem.kind = &kBlockProblems;
  problem.query_embeddings = floats(reference.inputs.at("x"));
  problem.key_embeddings = problem.value_embeddings = problem.query_embeddings;
  const std::size_t width = problem.query_embeddings.extent(2);
  set_shape(static_cast<std::size_t>(reference.numbers.at("num_heads")), width, problem);
  Stack& stack = problem.stack;
  stack.order = reference.numbers.at("norm_first") != 0.0 ? NormOrder::Pre : NormOrder::Post;
  stack.eps = static_cast<float>(reference.numbers.at("eps"));
  const Activation activation =
      reference.texts.at("activation") == "gelu" ? Activation::Gelu : Activation::Relu;
  const auto layers = static_cast<std::size_t>(reference.numbers.at("layers"));
  for (std::size_t layer = 0; layer < layers; ++layer) {
    const std::string prefix = layers == 1 ? "" : "layers__" + std::to_string(layer) + "__";
    stack.blocks.push_back(block_of(reference, prefix, activation));
  }
  if (reference.inputs.contains("norm__weight")) {
    stack.final_norm = Norm{floats(reference.inputs.at("norm__weight")),
                            floats(reference.inputs.at("norm__bias"))};
  }
  problem.shape.layers = layers;
  problem.shape.d_ff = hidden_width(stack);
  if (reference.inputs.contains("src_mask")) {
    set_mask(reference, "src_mask", true, reference.inputs.at("src_mask").shape, problem.mask);
  }
  set_key_padding(reference, "src_key_padding_mask", problem);
  return problem;
}

// One block with ReLU, its self-attention causal.
AttentionProblem decoder_problem(const ReferenceCase& reference) {
  AttentionProblem problem;
  problem.kind = &kBlockProblems;
  problem.query_embeddings = floats(reference.inputs.at("tgt"));
  problem.key_embeddings = problem.value_embeddings = floats(reference.inputs.at("memory"));
  set_shape(static_cast<std::size_t>(reference.numbers.at("num_heads")),
            problem.query_embeddings.extent(2), problem);
  Stack& stack = problem.stack;
  stack.order = reference.numbers.at("norm_first") != 0.0 ? NormOrder::Pre : NormOrder::Post;
  stack.blocks.push_back(block_of(reference, "", Activation::Relu));
  problem.shape.d_ff = hidden_width(stack);
  problem.self_mask.causal = true;
  return problem;
}

RecurrentCell layer_of(const ReferenceCase& reference, const std::string& part,
                       const std::string& suffix) {
  return cell_of(reference, part + "weight_ih" + suffix, part + "weight_hh" + suffix,
                 part + "bias_ih" + suffix, part + "bias_hh" + suffix);
}

// The source is read as keys, the target as queries; there is no output layer.
AttentionProblem seq2seq_problem(const ReferenceCase& reference) {
  AttentionProblem problem;
  problem.kind = &kRecurrentProblems;
  problem.key_embeddings = problem.value_embeddings = floats(reference.inputs.at("src"));
  problem.query_embeddings = floats(reference.inputs.at("tgt"));
  Recurrent& model = problem.recurrent;
  model.cell = reference.texts.at("cell") == "lstm" ? CellKind::Lstm : CellKind::Gru;
  model.encoder = layer_of(reference, "enc", "_l0");
  if (reference.inputs.contains("encweight_ih_l0_reverse")) {
    model.backward = layer_of(reference, "enc", "_l0_reverse");
  }
  model.decoder = layer_of(reference, "dec", "");
  problem.scoring.function = ScoringFunction::Additive;
  problem.scoring.w_query = floats(reference.inputs.at("Wq"));
  problem.scoring.w_key = floats(reference.inputs.at("Wk"));
  problem.scoring.v = floats(reference.inputs.at("v"));
  AttentionShape& s = problem.shape;
  s.samples = problem.query_embeddings.extent(0);
  s.n_q = problem.query_embeddings.extent(1);
  s.n_k = problem.key_embeddings.extent(1);
  s.d_model = problem.query_embeddings.extent(2);
  s.key_width = problem.key_embeddings.extent(2);
  s.d_k = s.d_v = encoder_width(model);
  s.d_q = hidden_columns(model.decoder);
  s.d_a = hidden_units(problem.scoring);
  return problem;
}

// Positions added to embeddings of zeros.
AttentionProblem position_problem(const ReferenceCase& reference) {
  AttentionProblem problem;
  AttentionShape& s = problem.shape;
  problem.kind = &kLayerProblems;
  s.n_q = s.n_k = reference.inputs.at("position").shape[0];
  s.d_model = static_cast<std::size_t>(reference.numbers.at("d_model"));
  s.d_k = s.d_v = 1;
  problem.query_embeddings =
      Tensor({1, s.n_q, s.d_model}, std::vector<float>(s.n_q * s.d_model, 0.0F));
  problem.key_embeddings = problem.value_embeddings = problem.query_embeddings;
  const Tensor ones({s.d_model, 1}, std::vector<float>(s.d_model, 1.0F));
  problem.projections.w_q = problem.projections.w_k = problem.projections.w_v = ones;
  problem.position.kind = PositionKind::Sinusoidal;
  if (reference.texts.at("layout") == "concat") problem.position.layout = PositionLayout::Halves;
  return problem;
}

}  // namespace

ReferenceCase read_reference_case(const std::string& path) {
  const json parsed = json::parse(read_text(path));
  ReferenceCase reference;
  reference.name = parsed.at("name").get<std::string>();
  reference.op = parsed.at("op").get<std::string>();
  for (const auto& [name, value] : parsed.at("attributes").items()) {
    if (value.is_string()) {
      reference.texts[name] = value.get<std::string>();
    } else {
      reference.numbers[name] = number_of(value);
    }
  }
  reference.inputs = tensors_of(parsed.at("inputs"));
  for (const auto& [name, value] : parsed.at("inputs").items()) {
    reference.input_is_bool[name] = value.at("dtype") == "bool";
  }
  reference.outputs = tensors_of(parsed.at("outputs"));
  reference.outputs_f64 = tensors_of(parsed.at("outputs_f64"));
  return reference;
}

std::vector<std::string> reference_case_names(const std::vector<std::string>& families) {
  std::vector<std::string> names;
  for (const std::string& path : shared_files("reference/torch", ".json")) {
    const std::string name = std::filesystem::path(path).stem().string();
    for (const std::string& family : families) {
      if (name.starts_with(family + "_")) names.push_back(name);
    }
  }
  return names;
}

std::string reference_case_path(const std::string& name) {
  return shared_file("reference/torch/" + name + ".json").value_or("");
}

RecurrentCell cell_of(const ReferenceCase& reference, const std::string& w_x,
                      const std::string& w_h, const std::string& b_x, const std::string& b_h) {
  const auto turned = [&](const std::string& name) {
    const CaseTensor& tensor = reference.inputs.at(name);
    return transposed_rows(tensor, 0, tensor.shape[0]);
  };
  return {turned(w_x), turned(w_h), floats(reference.inputs.at(b_x)),
          floats(reference.inputs.at(b_h))};
}

AttentionProblem problem_of(const ReferenceCase& reference) {
  if (reference.op == "softmax") return softmax_problem(reference);
  if (reference.op == "mha") return mha_problem(reference);
  if (reference.op == "mha_gpt2") return gpt2_problem(reference);
  if (reference.op == "additive" || reference.op == "luong") return scored_problem(reference);
  if (reference.op == "encoder") return encoder_problem(reference);
  if (reference.op == "decoder") return decoder_problem(reference);
  if (reference.op == "seq2seq") return seq2seq_problem(reference);
  if (reference.op == "rope") return rope_problem(reference);
  if (reference.op == "positional_encoding") return position_problem(reference);
  return sdpa_problem(reference);
}

}  // namespace attn::test
