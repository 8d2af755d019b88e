#include "document/matrices.h"

#include <algorithm>
#include <array>
#include <type_traits>

namespace attn {
namespace {

struct RoleInfo {
  MatrixRole role;
  std::string_view label;
  std::string_view pointer;
};

constexpr RoleInfo kRoles[] = {
    {MatrixRole::Query, "Q", "/q"},
    {MatrixRole::Key, "K", "/k"},
    {MatrixRole::Value, "V", "/v"},
    {MatrixRole::QueryEmbeddings, "X", "/embeddings"},
    {MatrixRole::KeyEmbeddings, "X_K", "/key_embeddings"},
    {MatrixRole::ValueEmbeddings, "X_V", "/value_embeddings"},
    {MatrixRole::WeightQuery, "W_Q", "/projections/w_q"},
    {MatrixRole::WeightKey, "W_K", "/projections/w_k"},
    {MatrixRole::WeightValue, "W_V", "/projections/w_v"},
    {MatrixRole::WeightOutput, "W_O", "/projections/w_o"},
    {MatrixRole::BiasQuery, "b_Q", "/projections/b_q"},
    {MatrixRole::BiasKey, "b_K", "/projections/b_k"},
    {MatrixRole::BiasValue, "b_V", "/projections/b_v"},
    {MatrixRole::BiasOutput, "b_O", "/projections/b_o"},
    {MatrixRole::AttentionWeights, "A", "/attention"},
    {MatrixRole::ScoringMatrix, "W", "/scoring/w"},
    {MatrixRole::ScoringQuery, "W_q", "/scoring/w_query"},
    {MatrixRole::ScoringKey, "W_k", "/scoring/w_key"},
    {MatrixRole::ScoringVector, "v", "/scoring/v"},
    {MatrixRole::ScoringBias, "b", "/scoring/b"},
    {MatrixRole::PositionTable, "P", "/position/table"},
    {MatrixRole::RelativeTable, "R", "/mask/relative_buckets/table"},
};

const RoleInfo& role_info(MatrixRole role) { return kRoles[static_cast<std::size_t>(role)]; }

template <class T>
T* tensor_in(std::conditional_t<std::is_const_v<T>, const QkvInput, QkvInput>& input,
             MatrixRole role) {
  switch (role) {
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

template <class T>
T* tensor_in(std::conditional_t<std::is_const_v<T>, const EmbeddingInput, EmbeddingInput>& input,
             MatrixRole role) {
  switch (role) {
    case MatrixRole::QueryEmbeddings:
      return &input.query;
    case MatrixRole::KeyEmbeddings:
      return &input.key;
    case MatrixRole::ValueEmbeddings:
      return &input.value;
    case MatrixRole::WeightQuery:
      return &input.projections.w_q;
    case MatrixRole::WeightKey:
      return &input.projections.w_k;
    case MatrixRole::WeightValue:
      return &input.projections.w_v;
    case MatrixRole::WeightOutput:
      return &input.projections.w_o;
    case MatrixRole::BiasQuery:
      return &input.projections.b_q;
    case MatrixRole::BiasKey:
      return &input.projections.b_k;
    case MatrixRole::BiasValue:
      return &input.projections.b_v;
    case MatrixRole::BiasOutput:
      return &input.projections.b_o;
    default:
      return nullptr;
  }
}

template <class T>
T* tensor_in(std::conditional_t<std::is_const_v<T>, const WeightsInput, WeightsInput>& input,
             MatrixRole role) {
  return role == MatrixRole::AttentionWeights ? &input.weights : nullptr;
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

const Tensor* tensor_of(const Document& document, MatrixRole role) {
  if (is_beside_input(role)) return tensor_beside_input(document, role);
  return std::visit([&](const auto& input) { return tensor_in<const Tensor>(input, role); },
                    document.input);
}

Tensor* tensor_of(Document& document, MatrixRole role) {
  if (is_beside_input(role)) return tensor_beside_input(document, role);
  return std::visit([&](auto& input) { return tensor_in<Tensor>(input, role); }, document.input);
}

std::vector<MatrixRole> editable_roles(const Document& document) {
  std::vector<MatrixRole> roles;
  for (const RoleInfo& info : kRoles) {
    const Tensor* tensor = tensor_of(document, info.role);
    if (tensor != nullptr && !tensor->empty()) roles.push_back(info.role);
  }
  return roles;
}

std::size_t matrix_index(const Document& document, const MatrixRef& ref) {
  const Tensor& tensor = *tensor_of(document, ref.role);
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
  const Tensor* tensor = tensor_of(document, ref.role);
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
