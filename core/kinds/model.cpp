// Dispatch of a model's functions to its kind.
#include "kinds/model.h"

#include <array>
#include <utility>

namespace attn {

std::span<const KindInfo* const> all_kinds() {
  static constexpr std::array kKinds{&GivenWeights::kInfo,   &GivenQkv::kInfo,
                                     &AttentionLayer::kInfo, &BlockModel::kEncoder,
                                     &BlockModel::kDecoder,  &RecurrentModel::kInfo};
  return kKinds;
}

const KindInfo& info_of(const Model& model) {
  return std::visit([](const auto& kind) -> const KindInfo& { return kind.info(); }, model);
}

AttentionShape shape_of(const Model& model) {
  return std::visit([](const auto& kind) { return kind.shape(); }, model);
}

TensorList tensors_of(const Model& model, const AttentionShape& shape,
                      std::optional<std::size_t> block) {
  return std::visit([&](const auto& kind) { return kind.tensors(shape, block); }, model);
}

const Embeddings* embeddings_of(const Model& model) {
  return std::visit(
      [](const auto& kind) -> const Embeddings* {
        if constexpr (requires { kind.embeddings; }) return &kind.embeddings;
        return nullptr;
      },
      model);
}

const Stack* stack_of(const Model& model) {
  const auto* blocks = std::get_if<BlockModel>(&model);
  return blocks == nullptr ? nullptr : &blocks->stack;
}

Embeddings* embeddings_of(Model& model) {
  return const_cast<Embeddings*>(embeddings_of(std::as_const(model)));
}
Stack* stack_of(Model& model) { return const_cast<Stack*>(stack_of(std::as_const(model))); }

bool has_scores(const Model& model) { return info_of(model).has_scores; }

std::string words_of(const Model& model) {
  const auto* cells = std::get_if<RecurrentModel>(&model);
  return cells == nullptr ? "" : words_of_cells(*cells);
}

void check(Findings& findings, const Model& model, const Surroundings& around) {
  std::visit([&](const auto& kind) { kind.check(findings, around); }, model);
}

void put_into(AttentionProblem& problem, const Model& model) {
  std::visit([&](const auto& kind) { kind.put_into(problem); }, model);
}

}  // namespace attn
