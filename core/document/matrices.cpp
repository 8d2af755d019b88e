#include "document/matrices.h"

#include <algorithm>
#include <array>
#include <type_traits>

namespace attn {
namespace {

// Of what there is one matrix each.
enum class Each {
  Nothing,
  Sample,
  QueryHead,  // of every sample
  KeyHead,    // likewise
  Block,
  Map,         // a head of a layer, in every sample
  HeadAtWill,  // where the tensor is of rank 3, else one serves all heads
};

struct RoleInfo {
  MatrixRole role;
  std::string_view label;
  std::string_view pointer;
  StageRole part;
  Each each;
};

constexpr RoleInfo kRoles[] = {
    {MatrixRole::Query, "Q", "/q", StageRole::Query, Each::QueryHead},
    {MatrixRole::Key, "K", "/k", StageRole::Key, Each::KeyHead},
    {MatrixRole::Value, "V", "/v", StageRole::Value, Each::KeyHead},
    {MatrixRole::QueryEmbeddings, "X", "/embeddings", StageRole::Query, Each::Sample},
    {MatrixRole::KeyEmbeddings, "X_K", "/key_embeddings", StageRole::Key, Each::Sample},
    {MatrixRole::ValueEmbeddings, "X_V", "/value_embeddings", StageRole::Value, Each::Sample},
    {MatrixRole::WeightQuery, "W_Q", "/projections/w_q", StageRole::Query, Each::Block},
    {MatrixRole::WeightKey, "W_K", "/projections/w_k", StageRole::Key, Each::Block},
    {MatrixRole::WeightValue, "W_V", "/projections/w_v", StageRole::Value, Each::Block},
    {MatrixRole::WeightOutput, "W_O", "/projections/w_o", StageRole::Output, Each::Block},
    {MatrixRole::BiasQuery, "b_Q", "/projections/b_q", StageRole::Query, Each::Block},
    {MatrixRole::BiasKey, "b_K", "/projections/b_k", StageRole::Key, Each::Block},
    {MatrixRole::BiasValue, "b_V", "/projections/b_v", StageRole::Value, Each::Block},
    {MatrixRole::BiasOutput, "b_O", "/projections/b_o", StageRole::Output, Each::Block},
    {MatrixRole::AttentionWeights, "A", "/attention", StageRole::Scores, Each::Map},
    {MatrixRole::CrossWeightQuery, "cross W_Q", "/cross_projections/w_q", StageRole::Query,
     Each::Block},
    {MatrixRole::CrossWeightKey, "cross W_K", "/cross_projections/w_k", StageRole::Key,
     Each::Block},
    {MatrixRole::CrossWeightValue, "cross W_V", "/cross_projections/w_v", StageRole::Value,
     Each::Block},
    {MatrixRole::CrossWeightOutput, "cross W_O", "/cross_projections/w_o", StageRole::Output,
     Each::Block},
    {MatrixRole::CrossBiasQuery, "cross b_Q", "/cross_projections/b_q", StageRole::Query,
     Each::Block},
    {MatrixRole::CrossBiasKey, "cross b_K", "/cross_projections/b_k", StageRole::Key, Each::Block},
    {MatrixRole::CrossBiasValue, "cross b_V", "/cross_projections/b_v", StageRole::Value,
     Each::Block},
    {MatrixRole::CrossBiasOutput, "cross b_O", "/cross_projections/b_o", StageRole::Output,
     Each::Block},
    {MatrixRole::HiddenWeight, "W_1", "/feed_forward/w_1", StageRole::Output, Each::Block},
    {MatrixRole::HiddenBias, "b_1", "/feed_forward/b_1", StageRole::Output, Each::Block},
    {MatrixRole::GateWeight, "W_gate", "/feed_forward/w_gate", StageRole::Output, Each::Block},
    {MatrixRole::GateBias, "b_gate", "/feed_forward/b_gate", StageRole::Output, Each::Block},
    {MatrixRole::NetworkOutput, "W_2", "/feed_forward/w_2", StageRole::Output, Each::Block},
    {MatrixRole::NetworkOutputBias, "b_2", "/feed_forward/b_2", StageRole::Output, Each::Block},
    {MatrixRole::AttentionNormWeight, "γ_1", "/attention_norm/weight", StageRole::Output,
     Each::Block},
    {MatrixRole::AttentionNormBias, "β_1", "/attention_norm/bias", StageRole::Output, Each::Block},
    {MatrixRole::CrossNormWeight, "cross γ", "/cross_norm/weight", StageRole::Output, Each::Block},
    {MatrixRole::CrossNormBias, "cross β", "/cross_norm/bias", StageRole::Output, Each::Block},
    {MatrixRole::NetworkNormWeight, "γ_2", "/feed_forward_norm/weight", StageRole::Output,
     Each::Block},
    {MatrixRole::NetworkNormBias, "β_2", "/feed_forward_norm/bias", StageRole::Output, Each::Block},
    {MatrixRole::EncoderInputWeight, "enc W_x", "/recurrent/encoder/w_x", StageRole::Key,
     Each::Nothing},
    {MatrixRole::EncoderStateWeight, "enc W_h", "/recurrent/encoder/w_h", StageRole::Key,
     Each::Nothing},
    {MatrixRole::EncoderInputBias, "enc b_x", "/recurrent/encoder/b_x", StageRole::Key,
     Each::Nothing},
    {MatrixRole::EncoderStateBias, "enc b_h", "/recurrent/encoder/b_h", StageRole::Key,
     Each::Nothing},
    {MatrixRole::BackwardInputWeight, "back W_x", "/recurrent/backward/w_x", StageRole::Key,
     Each::Nothing},
    {MatrixRole::BackwardStateWeight, "back W_h", "/recurrent/backward/w_h", StageRole::Key,
     Each::Nothing},
    {MatrixRole::BackwardInputBias, "back b_x", "/recurrent/backward/b_x", StageRole::Key,
     Each::Nothing},
    {MatrixRole::BackwardStateBias, "back b_h", "/recurrent/backward/b_h", StageRole::Key,
     Each::Nothing},
    {MatrixRole::DecoderInputWeight, "dec W_x", "/recurrent/decoder/w_x", StageRole::Query,
     Each::Nothing},
    {MatrixRole::DecoderStateWeight, "dec W_h", "/recurrent/decoder/w_h", StageRole::Query,
     Each::Nothing},
    {MatrixRole::DecoderInputBias, "dec b_x", "/recurrent/decoder/b_x", StageRole::Query,
     Each::Nothing},
    {MatrixRole::DecoderStateBias, "dec b_h", "/recurrent/decoder/b_h", StageRole::Query,
     Each::Nothing},
    {MatrixRole::InitialWeight, "W_0", "/recurrent/w_initial", StageRole::Query, Each::Nothing},
    {MatrixRole::InitialBias, "b_0", "/recurrent/b_initial", StageRole::Query, Each::Nothing},
    {MatrixRole::OutputWeight, "W_out", "/recurrent/w_output", StageRole::Output, Each::Nothing},
    {MatrixRole::OutputBias, "b_out", "/recurrent/b_output", StageRole::Output, Each::Nothing},
    {MatrixRole::ScoringMatrix, "W", "/scoring/w", StageRole::Scores, Each::HeadAtWill},
    {MatrixRole::ScoringQuery, "W_q", "/scoring/w_query", StageRole::Query, Each::HeadAtWill},
    {MatrixRole::ScoringKey, "W_k", "/scoring/w_key", StageRole::Key, Each::HeadAtWill},
    {MatrixRole::ScoringVector, "v", "/scoring/v", StageRole::Scores, Each::Nothing},
    {MatrixRole::ScoringBias, "b", "/scoring/b", StageRole::Scores, Each::Nothing},
    {MatrixRole::PositionTable, "P", "/position/table", StageRole::Scores, Each::Nothing},
    {MatrixRole::RelativeTable, "R", "/mask/relative_buckets/table", StageRole::Scores,
     Each::Nothing},
    {MatrixRole::SelfRelativeTable, "self R", "/self_mask/relative_buckets/table",
     StageRole::Scores, Each::Nothing},
};

const RoleInfo& role_info(MatrixRole role) { return kRoles[static_cast<std::size_t>(role)]; }

template <class T>
T* tensor_in(std::conditional_t<std::is_const_v<T>, const QkvInput, QkvInput>& input,
             const MatrixRef& ref) {
  switch (ref.role) {
    case MatrixRole::Query:
      return &input.q;
    case MatrixRole::Key:
      return &input.k;
    case MatrixRole::Value:
      return &input.v;
    default:
      return nullptr;
  }
}

template <class T, class AnyProjections>
T* tensor_in_projections(AnyProjections& projections, MatrixRole role) {
  switch (role) {
    case MatrixRole::WeightQuery:
      return &projections.w_q;
    case MatrixRole::WeightKey:
      return &projections.w_k;
    case MatrixRole::WeightValue:
      return &projections.w_v;
    case MatrixRole::WeightOutput:
      return &projections.w_o;
    case MatrixRole::BiasQuery:
      return &projections.b_q;
    case MatrixRole::BiasKey:
      return &projections.b_k;
    case MatrixRole::BiasValue:
      return &projections.b_v;
    case MatrixRole::BiasOutput:
      return &projections.b_o;
    default:
      return nullptr;
  }
}

bool is_of_cross(MatrixRole role) {
  return role >= MatrixRole::CrossWeightQuery && role <= MatrixRole::CrossBiasOutput;
}

// The same matrix of the block's own attention.
MatrixRole without_cross(MatrixRole role) {
  const auto index = static_cast<int>(role) - static_cast<int>(MatrixRole::CrossWeightQuery);
  return static_cast<MatrixRole>(static_cast<int>(MatrixRole::WeightQuery) + index);
}

template <class T, class AnyBlock>
T* tensor_in_block(AnyBlock& block, MatrixRole role) {
  if (is_of_cross(role)) {
    if (!block.cross) return nullptr;
    return tensor_in_projections<T>(block.cross->projections, without_cross(role));
  }
  switch (role) {
    case MatrixRole::CrossNormWeight:
      return block.cross ? &block.cross->norm.weight : nullptr;
    case MatrixRole::CrossNormBias:
      return block.cross ? &block.cross->norm.bias : nullptr;
    case MatrixRole::HiddenWeight:
      return &block.feed_forward.w_1;
    case MatrixRole::HiddenBias:
      return &block.feed_forward.b_1;
    case MatrixRole::GateWeight:
      return &block.feed_forward.w_gate;
    case MatrixRole::GateBias:
      return &block.feed_forward.b_gate;
    case MatrixRole::NetworkOutput:
      return &block.feed_forward.w_2;
    case MatrixRole::NetworkOutputBias:
      return &block.feed_forward.b_2;
    case MatrixRole::AttentionNormWeight:
      return &block.attention_norm.weight;
    case MatrixRole::AttentionNormBias:
      return &block.attention_norm.bias;
    case MatrixRole::NetworkNormWeight:
      return &block.feed_forward_norm.weight;
    case MatrixRole::NetworkNormBias:
      return &block.feed_forward_norm.bias;
    default:
      return tensor_in_projections<T>(block.projections, role);
  }
}

bool is_of_recurrent(MatrixRole role) {
  return role >= MatrixRole::EncoderInputWeight && role <= MatrixRole::OutputBias;
}

std::size_t recurrent_index(MatrixRole role) {
  return static_cast<std::size_t>(role) - static_cast<std::size_t>(MatrixRole::EncoderInputWeight);
}

template <class T>
T* tensor_in(std::conditional_t<std::is_const_v<T>, const EmbeddingInput, EmbeddingInput>& input,
             const MatrixRef& ref) {
  switch (ref.role) {
    case MatrixRole::QueryEmbeddings:
      return &input.query;
    case MatrixRole::KeyEmbeddings:
      return &input.key;
    case MatrixRole::ValueEmbeddings:
      return &input.value;
    default:
      break;
  }
  if (is_of_recurrent(ref.role)) {
    if (!input.recurrent) return nullptr;
    const RecurrentTensorInfo& info = all_recurrent_tensors()[recurrent_index(ref.role)];
    if constexpr (std::is_const_v<T>) {
      return &info.read(*input.recurrent);
    } else {
      return &info.write(*input.recurrent);
    }
  }
  if (input.recurrent) return nullptr;
  auto& blocks = input.stack.blocks;
  if (blocks.empty()) return tensor_in_projections<T>(input.projections, ref.role);
  return tensor_in_block<T>(blocks[std::min(ref.at.layer, blocks.size() - 1)], ref.role);
}

template <class T>
T* tensor_in(std::conditional_t<std::is_const_v<T>, const WeightsInput, WeightsInput>& input,
             const MatrixRef& ref) {
  return ref.role == MatrixRole::AttentionWeights ? &input.weights : nullptr;
}

// Tensors beside the input, whatever its form; null for the roles of inputs.
template <class AnyDocument>
auto* tensor_beside_input(AnyDocument& document, MatrixRole role) {
  using T = std::conditional_t<std::is_const_v<AnyDocument>, const Tensor, Tensor>;
  auto& scoring = document.scoring;
  T* found = nullptr;
  switch (role) {
    case MatrixRole::ScoringMatrix:
      return found = &scoring.w;
    case MatrixRole::ScoringQuery:
      return found = &scoring.w_query;
    case MatrixRole::ScoringKey:
      return found = &scoring.w_key;
    case MatrixRole::ScoringVector:
      return found = &scoring.v;
    case MatrixRole::ScoringBias:
      return found = &scoring.b;
    case MatrixRole::PositionTable:
      return found = &document.position.table;
    case MatrixRole::RelativeTable:
      return found = document.mask.relative ? &document.mask.relative->table : nullptr;
    case MatrixRole::SelfRelativeTable:
      return found = document.self_mask.relative ? &document.self_mask.relative->table : nullptr;
    default:
      return found;
  }
}

bool is_beside_input(MatrixRole role) { return role >= MatrixRole::ScoringMatrix; }

// The address along the leading axes of the tensor of `ref`, outermost first.
std::vector<std::size_t> leading_address(const Document& document, const MatrixRef& ref,
                                         std::size_t leading) {
  const HeadAddress& at = ref.at;
  if (is_beside_input(ref.role)) return {at.head};
  if (const auto* input = std::get_if<WeightsInput>(&document.input)) {
    std::vector<std::size_t> address;
    const std::array<std::size_t, 3> by_axis{at.layer, at.sample, at.head};
    for (std::size_t i = 0; i < leading; ++i) {
      address.push_back(by_axis[static_cast<std::size_t>(input->axes[i])]);
    }
    return address;
  }
  if (std::holds_alternative<EmbeddingInput>(document.input)) return {at.sample};
  if (leading == 2) return {at.sample, at.head};
  return {at.head};
}

std::vector<std::string> numbers_up_to(std::size_t count) {
  std::vector<std::string> labels;
  for (std::size_t i = 0; i < count; ++i) labels.push_back(std::to_string(i));
  return labels;
}

}  // namespace

std::string_view role_label(MatrixRole role) { return role_info(role).label; }

std::string_view role_pointer(MatrixRole role) { return role_info(role).pointer; }

StageRole role_part(MatrixRole role) { return role_info(role).part; }

HeadAddress matrix_counts(const Document& document, MatrixRole role) {
  const AttentionShape s = shape_of(document);
  switch (role_info(role).each) {
    case Each::Nothing:
      break;
    case Each::Sample:
      return {1, s.samples, 1};
    case Each::QueryHead:
      return {1, s.samples, s.heads};
    case Each::KeyHead:
      return {1, s.samples, s.kv_heads};
    case Each::Block:
      return {s.layers, 1, 1};
    case Each::Map:
      return {s.layers, s.samples, s.heads};
    case Each::HeadAtWill: {
      const Tensor* tensor = tensor_of(document, MatrixRef{role, {}});
      return {1, 1, tensor != nullptr && tensor->rank() == 3 ? s.heads : 1};
    }
  }
  return {1, 1, 1};
}

const Tensor* tensor_of(const Document& document, const MatrixRef& ref) {
  if (is_beside_input(ref.role)) return tensor_beside_input(document, ref.role);
  return std::visit([&](const auto& input) { return tensor_in<const Tensor>(input, ref); },
                    document.input);
}

Tensor* tensor_of(Document& document, const MatrixRef& ref) {
  if (is_beside_input(ref.role)) return tensor_beside_input(document, ref.role);
  return std::visit([&](auto& input) { return tensor_in<Tensor>(input, ref); }, document.input);
}

std::vector<Tensor> all_tensors(const Document& document) {
  std::vector<Tensor> tensors{document.mask.bias, document.self_mask.bias};
  const auto* input = std::get_if<EmbeddingInput>(&document.input);
  const std::size_t blocks = input == nullptr ? 0 : input->stack.blocks.size();
  for (std::size_t layer = 0; layer < std::max<std::size_t>(blocks, 1); ++layer) {
    for (const RoleInfo& info : kRoles) {
      const Tensor* tensor = tensor_of(document, MatrixRef{info.role, {layer, 0, 0}});
      if (tensor != nullptr) tensors.push_back(*tensor);
    }
  }
  return tensors;
}

std::vector<MatrixRole> editable_roles(const Document& document) {
  std::vector<MatrixRole> roles;
  for (const RoleInfo& info : kRoles) {
    const Tensor* tensor = tensor_of(document, MatrixRef{info.role, {}});
    if (tensor != nullptr && !tensor->empty()) roles.push_back(info.role);
  }
  return roles;
}

std::size_t matrix_index(const Document& document, const MatrixRef& ref) {
  const Tensor& tensor = *tensor_of(document, ref);
  if (tensor.rank() <= 2) return 0;
  const std::size_t leading = tensor.rank() - 2;
  const std::vector<std::size_t> address = leading_address(document, ref, leading);
  std::size_t index = 0;
  for (std::size_t axis = 0; axis < leading; ++axis) {
    const std::size_t extent = tensor.extent(axis);
    index = index * extent + std::min(address[axis], extent - 1);
  }
  return index;
}

MatrixView matrix_of(const Document& document, const MatrixRef& ref) {
  const Tensor* tensor = tensor_of(document, ref);
  if (tensor == nullptr || tensor->empty()) return {};
  return matrix_at(*tensor, matrix_index(document, ref));
}

std::vector<std::string> row_labels(const Document& document, const MatrixRef& ref) {
  switch (ref.role) {
    case MatrixRole::Query:
    case MatrixRole::QueryEmbeddings:
    case MatrixRole::AttentionWeights:
      return tokens_of(document, Side::Query, ref.at.sample);
    case MatrixRole::Key:
    case MatrixRole::Value:
    case MatrixRole::KeyEmbeddings:
    case MatrixRole::ValueEmbeddings:
      return tokens_of(document, Side::Key, ref.at.sample);
    default:
      return numbers_up_to(matrix_of(document, ref).rows);
  }
}

std::vector<std::string> column_labels(const Document& document, const MatrixRef& ref) {
  if (ref.role == MatrixRole::AttentionWeights) {
    return tokens_of(document, Side::Key, ref.at.sample);
  }
  return numbers_up_to(matrix_of(document, ref).cols);
}

}  // namespace attn
