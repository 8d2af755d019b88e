// Keys of projections, blocks, norms and recurrent models.
#include <algorithm>
#include <limits>
#include <string>

#include "document/json/document_text.h"
#include "document/json/tensors.h"
#include "text/known_names.h"
#include "text/scalar.h"

namespace attn {
namespace {

using Kind = JsonValue::Kind;

// True if matrices are stored as (outputs, inputs).
constexpr Choice<bool> kMatrixOrders[] = {{"in_out", false}, {"out_in", true}};
constexpr auto kOrderForm = choice_form<kMatrixOrders>("order of inputs and outputs");
constexpr std::string_view kOrderWords =
    "How all matrices here are stored: in_out for x·W, out_in as PyTorch's linear layers have "
    "them.";

// --- projections

namespace projections_keys {
using Key = RowOf<ProjectionsText>;
constexpr Row kAll[] = {
    Key::at<&ProjectionsText::order>(
        "order", choice_form<kProjectionOrders>("order of axes"),
        "How all matrices here are stored: in_out for x·W, out_in as PyTorch's linear layers have "
        "them, in_heads_out for one per head as Keras and Flax have them, (d_model, heads, d_k). "
        "When absent the first of them that fits the embeddings, in_out before the others."),
    Key::at<&Projections::w_q>(
        "w_q", depth(2, 3), "(d_model, heads · d_k), or one matrix per head (heads, d_model, d_k)"),
    Key::at<&Projections::w_k>("w_k", depth(2, 3),
                               "(d_model, key-value heads · d_k), or one matrix per head"),
    Key::at<&Projections::w_v>("w_v", depth(2, 3),
                               "(d_model, key-value heads · d_v), or one matrix per head"),
    Key::at<&ProjectionsText::w_qkv>("w_qkv", depth(2, 4),
                                     "w_q, w_k and w_v concatenated, in place of the three; or "
                                     "(3, d_model, heads · d_k), (d_model, 3, heads · d_k) and, "
                                     "with the last axis cut, (d_model, 3, heads, d_k)."),
    Key::at<&Projections::w_o>("w_o", nullable(depth(2, 3)),
                               "Output projection (heads · d_v, d_out), or one matrix per head "
                               "(heads, d_v, d_out); null for none.")
        .null_sets<&ProjectionsText::no_w_o>(),
    Key::at<&Projections::b_q>("b_q", nullable(depth(1, 2)),
                               "Bias as wide as w_q, or one per head; null for none."),
    Key::at<&Projections::b_k>("b_k", nullable(depth(1, 2)),
                               "Bias as wide as w_k, or one per head; null for none."),
    Key::at<&Projections::b_v>("b_v", nullable(depth(1, 2)),
                               "Bias as wide as w_v, or one per head; null for none."),
    Key::at<&ProjectionsText::b_qkv>("b_qkv", nullable(depth(1, 3)),
                                     "b_q, b_k and b_v concatenated, or one under another; null "
                                     "for none."),
    Key::at<&Projections::b_o>("b_o", nullable(depth(1)), "Bias as wide as w_o; null for none."),
    Key::at<&Projections::q_norm>(
        "q_norm", nullable(depth(1)),
        "Weights of an RMS norm of the queries, before they are rotated: (d_k) for each head "
        "alone, "
        "or as wide as w_q for all heads together. With blocks it has the eps and offset of their "
        "norms."),
    Key::at<&Projections::k_norm>("k_norm", nullable(depth(1)),
                                  "The same of the keys: (d_k), or as wide as w_k."),
};
}  // namespace projections_keys

// Names that libraries give the matrices, in small letters, with blanks around each.
struct MatrixNames {
  std::string_view part, names;
};
constexpr MatrixNames kMatrixNames[] = {
    {"q", " w_q wq q query q_proj query_proj to_q linear_q q_lin "},
    {"k", " w_k wk k key k_proj key_proj to_k linear_k k_lin "},
    {"v", " w_v wv v value v_proj value_proj to_v linear_v v_lin "},
    {"o", " w_o wo o out output o_proj out_proj output_proj to_out out_lin output_dense c_proj "},
    {"qkv", " w_qkv wqkv qkv in_proj c_attn qkv_proj to_qkv query_key_value "},
};

// Reads "q_proj.weight" or "query": {"kernel": …}; the names determine the order of the axes.
bool read_named_matrix(JsonValue json, const std::string& key, void* object) {
  std::string words = name_words(key);
  const auto take = [&](std::string_view end) {
    const bool ends = words.ends_with(end);
    if (ends) words.resize(words.size() - end.size());
    return ends;
  };
  const bool is_bias = take("_bias"), is_kernel = take("_kernel"), is_weight = take("_weight");
  const auto is_name = [&](const MatrixNames& row) {
    return row.names.find(" " + words + " ") != row.names.npos;
  };
  const auto row = std::ranges::find_if(kMatrixNames, is_name);
  if (row == std::end(kMatrixNames) || row_of(kProjectionsObject, key) != nullptr) return false;
  if (json.kind() == Kind::Object && !json.has("file")) {
    json.each_member([&](const std::string& inner, JsonValue member) {
      constexpr std::string_view kParameters[] = {"kernel", "weight", "bias"};
      return read_named_matrix(member, key + "/" + inner, object) ||
             refuse_unknown_key(member, inner, kParameters);
    });
    return true;
  }
  ProjectionsText& p = *static_cast<ProjectionsText*>(object);
  if (is_kernel || is_weight) {
    const MatrixOrder order = is_kernel                 ? MatrixOrder::InHeadsOut
                              : words.starts_with("c_") ? MatrixOrder::InOut
                                                        : MatrixOrder::OutIn;
    if (p.name_order.value_or(order) != order && !p.order) {
      json.refuse_key("its name implies another order of axes than the names before it",
                      "names of one library", "or say the \"order\" of all before them");
    }
    p.name_order = order;
  }
  if (words == "query_key_value" && !is_bias) {
    json.reader().notes().push_back(
        in_quotes(key) +
        " is cut into three blocks, of queries, keys and values; GPT-NeoX and BLOOM "
        "have the three of each head together: give \"w_q\", \"w_k\" and \"w_v\" apart");
  }
  const std::string place = json.pointer();
  constexpr std::string_view kAround = "projections/";
  read_renamed(json, kProjectionsObject,
               place.substr(0, place.rfind(kAround) + kAround.size()) + (is_bias ? "b_" : "w_") +
                   std::string(row->part),
               object);
  return true;
}

// --- norms

namespace norm_keys {
using Key = RowOf<Norm>;
constexpr Row kAll[] = {
    Key::at<&Norm::weight>("weight", depth(1),
                           "Factors of the normed numbers, (d_model); 1 when absent."),
    Key::at<&Norm::bias>("bias", nullable(depth(1)),
                         "Added to them, (d_model); 0 when absent or null."),
};
}  // namespace norm_keys
constexpr ObjectOf<Norm> kNormObject{{.name = "norm",
                                      .words = "Weight 1 and bias 0 where they are absent.",
                                      .rows = norm_keys::kAll}};

constexpr Choice<NormOrder> kNormOrders[] = {{"post", NormOrder::Post},
                                             {"pre", NormOrder::Pre},
                                             {"both", NormOrder::Both},
                                             {"branch", NormOrder::Branch}};

constexpr Choice<NormKind> kNormKinds[] = {{"layer", NormKind::Layer}, {"rms", NormKind::Rms}};

bool read_eps(JsonValue json, float& eps) {
  const std::string found = json.describe();
  if (!json.read_float(eps)) return false;
  return (eps > 0.0F && eps <= std::numeric_limits<float>::max()) ||
         json.refuse("eps is not above zero", found, "a number above 0");
}

// null: no norm; an object: its numbers.
bool read_norm(JsonValue json, Norm& norm) {
  norm.none = json.kind() == Kind::Null;
  return norm.none ? json.read_null() : read_as(json, kNormObject, norm);
}

void write_norm(const TextWriter& to, const Norm& norm) {
  norm.none ? void(to.out += "null") : write_object(to, kNormObject, &norm);
}

constexpr auto kNormForm = form_of<Norm, read_norm, write_norm>(
    {.one_of = R"(object|{"type": "null"})", .object = &kNormObject});

// true: a plain one; false: none; an object: its numbers.
bool read_whole_norm(JsonValue json, std::optional<Norm>& norm) {
  if (json.kind() == Kind::Object) return read_as(json, kNormObject, norm.emplace());
  bool wanted = false;
  if (!json.read_bool(wanted)) return false;
  if (wanted) norm.emplace();
  return true;
}

void write_whole_norm(const TextWriter& to, const std::optional<Norm>& norm) {
  write_object(to, kNormObject, &*norm);
}

constexpr auto kWholeNormForm = form_of<std::optional<Norm>, read_whole_norm, write_whole_norm>(
    {.one_of = "boolean|object", .object = &kNormObject});

namespace norms_keys {
using Key = RowOf<Stack>;
constexpr Row kAll[] = {
    Key::always<&Stack::order>("order", choice_form<kNormOrders>("order of norms"),
                               "post: norm(x + part(x)), as in the paper; pre: x + part(norm(x)); "
                               "both: x + norm(part(norm(x))), as in Gemma 2; branch: x + "
                               "norm(part(x)), as in OLMo 2."),
    Key::always<&Stack::norm>("kind", choice_form<kNormKinds>("norm"), "LayerNorm or RMSNorm."),
    Key::always<&Stack::eps>(
        "eps",
        form_of<float, read_eps, write_value<float>>({.one_of = "positive", .is_scalar = true}),
        "Added to the variance."),
    Key::at<&Stack::weight_offset>(
        "offset", kFinite, "Added to all weights that are given: 1 for weights of the form 1 + γ.")
        .absent_means("0"),
    Key::at<&Stack::parallel>(
        "parallel", kBool,
        "Both parts read the block's input, x + attention(norm(x)) + network(norm(x)); not with "
        "the order post."),
    Key::at<&Stack::embedding_norm>("embeddings", kWholeNormForm,
                                    "A norm of the embeddings and their positions, before the "
                                    "first block: true for a plain one, or its numbers."),
    Key::at<&Stack::final_norm>(
        "final", kWholeNormForm,
        "A norm after the last block: true for a plain one, or its numbers."),
};
}  // namespace norms_keys

// --- blocks

namespace network_keys {
using Key = RowOf<FeedForwardText>;
constexpr Row kAll[] = {
    Key::at<&FeedForwardText::said_activation>(
        "activation", name_form<all_activations, &ActivationInfo::activation>("activation"),
        "gelu_tanh is the approximation by tanh; swiglu, geglu and geglu_tanh multiply with a gate "
        "that went through silu, gelu or gelu_tanh; relu2 is the square of relu. When absent that "
        "of the first block, whose own default is relu."),
    Key::at<&FeedForwardText::d_ff>("d_ff", kCount,
                                    "Hidden units of generated matrices; 4 · d_model when absent."),
    Key::at<&FeedForwardText::out_in>("order", kOrderForm, kOrderWords),
    Key::at<&FeedForward::w_1>("w_1", depth(2), "(d_model, d_ff); generated when absent."),
    Key::at<&FeedForward::b_1>("b_1", nullable(depth(1)), "(d_ff); 0 when absent or null."),
    Key::at<&FeedForward::w_gate>("w_gate", depth(2),
                                  "Only with a gate: (d_model, d_ff); generated when absent."),
    Key::at<&FeedForward::b_gate>("b_gate", nullable(depth(1)),
                                  "Only with a gate: (d_ff); 0 when absent or null."),
    Key::at<&FeedForward::w_2>("w_2", depth(2), "(d_ff, d_model); generated when absent."),
    Key::at<&FeedForward::b_2>("b_2", nullable(depth(1)), "(d_model); 0 when absent or null."),
};
}  // namespace network_keys
constexpr ObjectOf<FeedForwardText> kNetworkObject{{.rows = network_keys::kAll}};

namespace block_keys {
using Key = RowOf<BlockText>;
constexpr std::string_view kNormWords = "null for none: the rows stay as they are.";
constexpr Row kAll[] = {
    Key::at<&BlockText::projections>("projections", object_form(kProjectionsObject), ""),
    Key::at<&BlockText::attention_norm>("attention_norm", kNormForm, kNormWords),
    Key::at<&BlockText::attention_out_norm>(
        "attention_out_norm", kNormForm,
        "Norm of what the attention adds, with the orders both and branch."),
    Key::at<&BlockText::cross_projections>("cross_projections", object_form(kProjectionsObject),
                                           "Projections of a decoder's attention to the keys; w_k "
                                           "and w_v multiply the key embeddings."),
    Key::at<&BlockText::cross_norm>("cross_norm", kNormForm, kNormWords),
    Key::at<&BlockText::cross_out_norm>(
        "cross_out_norm", kNormForm,
        "Norm of what the attention to the keys adds, with the orders both and branch."),
    Key::at<&BlockText::feed_forward>("feed_forward", object_form(kNetworkObject),
                                      "activation(x·w_1 + b_1)·w_2 + b_2; swiglu and geglu have "
                                      "a gate. "
                                      "Missing matrices are generated, missing biases are zero."),
    Key::at<&BlockText::feed_forward_norm>("feed_forward_norm", kNormForm, kNormWords),
    Key::at<&BlockText::feed_forward_out_norm>(
        "feed_forward_out_norm", kNormForm,
        "Norm of what the network adds, with the orders both and branch."),
    Key::at<&BlockText::window>(
        "window", kWindowForm,
        "In place of the mask's window, for the block's attention to its own rows: [left, right], "
        "[null, null] to see all."),
    Key::at<&BlockText::position>("position", kPositionForm,
                                  "In place of the document's position: none, or rope with its "
                                  "settings, where the document has no position or rope."),
    Key::at<&BlockText::sinks>("sinks", kFinites,
                               "In place of the scoring's sinks, for the block's attention to its "
                               "own rows: one for all heads, or one per head."),
};
}  // namespace block_keys
// Limit above any model's number of blocks; each takes memory before it is checked.
constexpr std::uint64_t kMostBlocks = 10'000;

bool read_count_of_blocks(JsonValue json, std::vector<BlockText>& blocks) {
  std::uint64_t count = 0;
  if (!read_count(json, 1, count)) return false;
  if (count > kMostBlocks) {
    return json.refuse("these are too many blocks", std::to_string(count),
                       "at most " + std::to_string(kMostBlocks));
  }
  if (!json.charge(count * sizeof(BlockText))) return false;
  blocks.resize(count);
  return true;
}

// --- recurrent models

namespace cell_keys {
using Key = RowOf<RecurrentCell>;
constexpr Row kAll[] = {
    Key::at<&RecurrentCell::w_x>("w_x", depth(2), "(inputs, gates · hidden)"),
    Key::at<&RecurrentCell::w_h>("w_h", depth(2), "(hidden, gates · hidden)"),
    Key::at<&RecurrentCell::b_x>("b_x", nullable(depth(1)),
                                 "Bias of w_x, (gates · hidden); 0 when absent or null."),
    Key::at<&RecurrentCell::b_h>("b_h", nullable(depth(1)),
                                 "Bias of w_h, (gates · hidden); 0 when absent or null."),
};
}  // namespace cell_keys
constexpr ObjectOf<RecurrentCell> kCellObject{
    {.name = "recurrent_cell",
     .words = "x·w_x + b_x and h·w_h + b_h, the gates concatenated: r, z, n of a GRU; i, f, g, o "
              "of an LSTM. Missing matrices are generated, missing biases are zero.",
     .rows = cell_keys::kAll}};

namespace recurrent_keys {
using Key = RowOf<RecurrentText>;
constexpr Row kAll[] = {
    Key::always<&Recurrent::cell>("cell", name_form<all_cells, &CellInfo::kind>("cell"),
                                  "The cells of encoder and decoder."),
    Key::always<&Recurrent::asks>(
        "asks", name_form<all_query_states, &QueryStateInfo::asks>("query state"),
        "Which state of the decoder is the query: previous, whose context enters the step "
        "(Bahdanau); current, whose context only enters the output (Luong)."),
    Key::at<&RecurrentText::bidirectional>(
        "bidirectional", kFlag,
        "Whether the encoder also reads from right to left; true where backward is given."),
    Key::at<&RecurrentText::hidden>("hidden", kCount, "Units of each cell that is generated.")
        .absent_means("16"),
    Key::at<&RecurrentText::d_out>(
        "d_out", kCount,
        "Columns of a generated w_output; as many as the decoder has units when absent."),
    Key::at<&RecurrentText::out_in>(
        "order", kOrderForm,
        "How all matrices here are stored: in_out for x·W, out_in as PyTorch's cells have them."),
    Key::at<&Recurrent::encoder>("encoder", object_form(kCellObject),
                                 "Reads the source from left to right."),
    Key::at<&Recurrent::backward>(
        "backward", object_form(kCellObject),
        "Reads the source from right to left; its states are concatenated to the encoder's."),
    Key::at<&Recurrent::decoder>("decoder", object_form(kCellObject),
                                 "Reads the target embedding of a step and, if the previous state "
                                 "is the query, the context."),
    Key::at<&Recurrent::w_initial>("w_initial", depth(2),
                                   "The decoder begins with tanh(fixed vector · w_initial + "
                                   "b_initial); without both with the encoder's last state."),
    Key::at<&Recurrent::b_initial>("b_initial", nullable(depth(1)),
                                   "Bias of w_initial; null for none."),
    Key::at<&Recurrent::w_output>("w_output", nullable(depth(2)),
                                  "o_t = tanh([s_t; c_t] · w_output + b_output), (concatenated "
                                  "decoder and encoder states, d_out); null for no outputs.")
        .null_sets<&RecurrentText::no_w_output>(),
    Key::at<&Recurrent::b_output>("b_output", nullable(depth(1)),
                                  "Bias of w_output; null for none."),
};
}  // namespace recurrent_keys

// --- models in folders

constexpr Row kModelKeys[] = {
    RowOf<ModelText>::at<&ModelText::folder>(
        "folder", kText,
        "Path of the folder with config.json and model.safetensors, absolute or relative to the "
        "document.")
        .required(),
    RowOf<ModelText>::at<&ModelText::ids>(
        "ids", kIndices, "Numbers of its vocabulary, one for each token, in place of a text."),
};

namespace edit_keys {
using Key = RowOf<TensorEdit>;
constexpr Row kAll[] = {
    Key::at<&TensorEdit::tensor>(
        "tensor", kText,
        "The changed tensor as a pointer into a document with its numbers: "
        "/blocks/3/projections/w_q.")
        .required(),
    Key::at<&TensorEdit::cells>("cells", depth(2),
                                "Changed numbers: for each its indices and its value, [row, "
                                "column, value] of a matrix."),
    Key::at<&TensorEdit::numbers>("numbers", depth(1, 3), "All numbers, in place of cells."),
};
}  // namespace edit_keys

}  // namespace

constinit const ObjectOf<ProjectionsText> kProjectionsObject{
    {.name = "projections",
     .words = "Matrices of a multi-head layer, x·W + b; head h owns neighbouring columns. Missing "
              "matrices are generated from the seed, missing biases "
              "are zero.",
     .rows = projections_keys::kAll,
     .read_other = read_named_matrix}};

constinit const ObjectOf<Stack> kNormsObject{{.rows = norms_keys::kAll}};

constinit const ObjectOf<ModelText> kModelObject{{.rows = kModelKeys}};

constinit const ObjectOf<TensorEdit> kEditObject{{.rows = edit_keys::kAll}};

bool read_edits(JsonValue json, std::vector<TensorEdit>& edits) {
  return read_list(
      json, edits, sizeof(TensorEdit), "no edits", "at least one edit",
      [](JsonValue item, TensorEdit& edit) { return read_as(item, kEditObject, edit); });
}

void write_edits(const TextWriter& to, const std::vector<TensorEdit>& edits) {
  append_list(to.out, edits.size(), to.level, [&](std::size_t i) {
    write_object({to.out, to.level + 1, to.count, to.known}, kEditObject, &edits[i]);
  });
}

constinit const ObjectOf<RecurrentText> kRecurrentObject{{.rows = recurrent_keys::kAll}};

constinit const ObjectOf<BlockText> kBlockObject{{.rows = block_keys::kAll}};

bool read_blocks(JsonValue json, std::vector<BlockText>& blocks) {
  if (json.kind() == Kind::Number) return read_count_of_blocks(json, blocks);
  return read_list(
      json, blocks, sizeof(BlockText), "no blocks", "at least one block",
      [](JsonValue item, BlockText& block) { return read_as(item, kBlockObject, block); });
}

void write_blocks(const TextWriter& to, const std::vector<BlockText>& blocks) {
  append_list(to.out, blocks.size(), to.level, [&](std::size_t i) {
    write_object({to.out, to.level + 1, to.count, to.known}, kBlockObject, &blocks[i]);
  });
}

ProjectionsText as_text(const Projections& projections) {
  ProjectionsText text{projections, {}, {}, MatrixOrder::InOut, {}};
  text.no_w_o = projections.w_o.empty();
  return text;
}

std::vector<BlockText> as_text(const std::vector<TransformerBlock>& blocks) {
  std::vector<BlockText> texts;
  for (const TransformerBlock& block : blocks) {
    BlockText& text = texts.emplace_back();
    text.projections = as_text(block.projections);
    if (block.cross) {
      text.cross_projections = as_text(block.cross->projections);
      text.cross_norm = block.cross->norm;
      text.cross_out_norm = block.cross->out_norm;
    }
    static_cast<BlockNorms&>(text) = block;
    text.feed_forward = {block.feed_forward, block.feed_forward.activation, {}};
    text.window = block.rules.window;
    text.sinks = block.rules.sinks;
    if (block.rules.position) text.position = as_text(*block.rules.position);
  }
  return texts;
}

RecurrentText as_text(const Recurrent& recurrent) {
  RecurrentText text{recurrent, {}, {}, {}};
  text.no_w_output = recurrent.w_output.empty();
  return text;
}

}  // namespace attn
