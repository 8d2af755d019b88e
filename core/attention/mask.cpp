#include "attention/mask.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <limits>
#include <string_view>

namespace attn {
namespace {

constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();

const std::vector<std::uint8_t>* list_of(const PaddingLists& lists, std::size_t sample) {
  if (lists.empty()) return nullptr;
  return &lists[lists.size() == 1 ? 0 : sample];
}

// As differences: an offset near the ends of its range must not overflow.
bool is_later(std::size_t q, std::size_t k, std::int64_t offset) {
  return static_cast<std::int64_t>(k) - static_cast<std::int64_t>(q) > offset;
}

// Row q of a tensor that broadcasts: element k is data[k · step].
template <class T>
struct BroadcastRow {
  const T* data;
  std::size_t step;

  BroadcastRow(const BasicTensor<T>& tensor, const HeadAddress& head, std::size_t q)
      : data(tensor.data() + broadcast_index(tensor.shape(), head.sample, head.head, q, 0)),
        step(tensor.shape().back() == 1 ? 0 : 1) {}
  T operator[](std::size_t k) const { return data[k * step]; }
};

void hide_later_keys(std::size_t q, std::int64_t offset, std::span<HiddenRules> rules) {
  for (std::size_t k = rules.size(); k-- > 0 && is_later(q, k, offset);) {
    rules[k] |= kHiddenByCausal;
  }
}

}  // namespace

std::int64_t Mask::offset_of(std::size_t sample) const {
  if (causal_offset.empty()) return 0;
  return causal_offset[causal_offset.size() == 1 ? 0 : sample];
}

std::size_t broadcast_index(const Shape& shape, std::size_t sample, std::size_t head, std::size_t q,
                            std::size_t k) {
  assert(!shape.empty() && shape.size() <= 4);
  const std::array<std::size_t, 4> position{sample, head, q, k};
  std::size_t index = 0;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    const std::size_t at = shape[axis] == 1 ? 0 : position[4 - shape.size() + axis];
    index = index * shape[axis] + at;
  }
  return index;
}

HiddenRules hidden_by(const Mask& mask, const HeadAddress& head, std::size_t q, std::size_t k) {
  unsigned rules = kVisible;
  if (mask.causal && is_later(q, k, mask.offset_of(head.sample))) rules |= kHiddenByCausal;
  const auto* keys = list_of(mask.key_padding, head.sample);
  if (keys != nullptr && (*keys)[k] == 0) rules |= kHiddenByKeyPadding;
  const auto* queries = list_of(mask.query_padding, head.sample);
  if (queries != nullptr && (*queries)[q] == 0) rules |= kHiddenByQueryPadding;
  if (!mask.visible.empty() &&
      mask.visible[broadcast_index(mask.visible.shape(), head.sample, head.head, q, k)] == 0) {
    rules |= kHiddenByHand;
  }
  if (bias_at(mask, head, q, k) == kMinusInfinity) rules |= kHiddenByBias;
  return static_cast<HiddenRules>(rules);
}

std::string hidden_sentence(HiddenRules rules) {
  struct RuleName {
    HiddenRule rule;
    std::string_view name;
  };
  constexpr std::array<RuleName, 5> kNames{{{kHiddenByCausal, "causal mask"},
                                            {kHiddenByKeyPadding, "key padding"},
                                            {kHiddenByQueryPadding, "query padding"},
                                            {kHiddenByHand, "hand"},
                                            {kHiddenByBias, "a bias of -inf"}}};
  std::vector<std::string_view> names;
  for (const RuleName& entry : kNames) {
    if ((rules & entry.rule) != 0) names.push_back(entry.name);
  }
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    text += i == 0 ? "hidden by " : i + 1 == names.size() ? " and " : ", ";
    text += names[i];
  }
  return text;
}

float bias_at(const Mask& mask, const HeadAddress& head, std::size_t q, std::size_t k) {
  if (mask.bias.empty()) return 0.0F;
  return mask.bias[broadcast_index(mask.bias.shape(), head.sample, head.head, q, k)];
}

void bias_row(const Mask& mask, const HeadAddress& head, std::size_t q, std::span<float> bias) {
  if (mask.bias.empty()) {
    std::ranges::fill(bias, 0.0F);
    return;
  }
  const BroadcastRow<float> row(mask.bias, head, q);
  for (std::size_t k = 0; k < bias.size(); ++k) bias[k] = row[k];
}

std::size_t hidden_row(const Mask& mask, const HeadAddress& head, std::size_t q,
                       std::span<HiddenRules> rules) {
  const auto* queries = list_of(mask.query_padding, head.sample);
  const bool padded = queries != nullptr && (*queries)[q] == 0;
  std::ranges::fill(rules, padded ? kHiddenByQueryPadding : kVisible);
  if (mask.causal) hide_later_keys(q, mask.offset_of(head.sample), rules);
  if (const auto* keys = list_of(mask.key_padding, head.sample)) {
    for (std::size_t k = 0; k < rules.size(); ++k) {
      if ((*keys)[k] == 0) rules[k] |= kHiddenByKeyPadding;
    }
  }
  if (!mask.visible.empty()) {
    const BroadcastRow<std::uint8_t> visible(mask.visible, head, q);
    for (std::size_t k = 0; k < rules.size(); ++k) {
      if (visible[k] == 0) rules[k] |= kHiddenByHand;
    }
  }
  if (!mask.bias.empty()) {
    const BroadcastRow<float> bias(mask.bias, head, q);
    for (std::size_t k = 0; k < rules.size(); ++k) {
      if (bias[k] == kMinusInfinity) rules[k] |= kHiddenByBias;
    }
  }
  return static_cast<std::size_t>(std::ranges::count(rules, HiddenRules{kVisible}));
}

std::size_t visible_row(const Mask& mask, const HeadAddress& head, std::size_t q,
                        std::span<std::uint8_t> visible) {
  const std::size_t count = hidden_row(mask, head, q, visible);
  for (std::uint8_t& cell : visible) cell = cell == kVisible ? 1 : 0;
  return count;
}

}  // namespace attn
