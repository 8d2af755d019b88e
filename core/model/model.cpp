// Asks whichever kind a model is.
#include "model/model.h"

#include <type_traits>

namespace attn {
namespace {

// What `member` finds in the kind, or null where the kind has no such part.
template <class Part, class AnyModel, class Member>
Part* part_of(AnyModel& model, Member member) {
  return std::visit(
      [&](auto& kind) -> Part* {
        if constexpr (requires { member(kind); }) {
          return &member(kind);
        } else {
          return nullptr;
        }
      },
      model);
}

constexpr auto kEmbeddings = [](auto& kind) -> decltype((kind.embeddings)) {
  return kind.embeddings;
};
constexpr auto kStack = [](auto& kind) -> decltype((kind.stack)) { return kind.stack; };

}  // namespace

const KindInfo& info_of(const Model& model) {
  return std::visit([](const auto& kind) -> const KindInfo& { return kind.kInfo; }, model);
}

std::span<const AttentionInfo> attentions_of(const Model& model) {
  const Stack* stack = stack_of(model);
  return attentions_of(stack == nullptr ? Stack{} : *stack);
}

AttentionShape shape_of(const Model& model) {
  return std::visit([](const auto& kind) { return shape_of(kind); }, model);
}

TensorList tensors_of(const Model& model, const AttentionShape& shape,
                      std::optional<std::size_t> block) {
  return std::visit(
      [&](const auto& kind) {
        if constexpr (ListsItsBlocks<std::remove_cvref_t<decltype(kind)>>) {
          return tensors_of(kind, shape, block);
        } else {
          return tensors_of(kind, shape);
        }
      },
      model);
}

const Embeddings* embeddings_of(const Model& model) {
  return part_of<const Embeddings>(model, kEmbeddings);
}
const Stack* stack_of(const Model& model) { return part_of<const Stack>(model, kStack); }
Embeddings* embeddings_of(Model& model) { return part_of<Embeddings>(model, kEmbeddings); }
Stack* stack_of(Model& model) { return part_of<Stack>(model, kStack); }

bool has_scores(const Model& model) { return info_of(model).has_scores; }

std::string words_of(const Model& model) {
  return std::visit(
      [](const auto& kind) -> std::string {
        if constexpr (requires { words_of_cells(kind); }) {
          return words_of_cells(kind);
        } else {
          return "";
        }
      },
      model);
}

void check(Findings& findings, const Model& model, const Surroundings& around) {
  std::visit([&](const auto& kind) { check(findings, kind, around); }, model);
}

void put_into(AttentionProblem& problem, const Model& model) {
  std::visit([&](const auto& kind) { put_into(problem, kind); }, model);
}

}  // namespace attn
