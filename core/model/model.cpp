// Asks whichever kind a model is.
#include "model/model.h"

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
constexpr auto kRecurrent = [](auto& kind) -> decltype((kind.recurrent)) { return kind.recurrent; };

}  // namespace

AttentionShape shape_of(const Model& model) {
  return std::visit([](const auto& kind) { return shape_of(kind); }, model);
}

TensorList tensors_of(const Model& model, const AttentionShape& shape,
                      std::optional<std::size_t> block) {
  return std::visit(
      [&](const auto& kind) {
        // Not by whether it can be called so: a kind would be taken for a whole Model.
        if constexpr (requires { kind.stack; }) {
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
const Recurrent* recurrent_of(const Model& model) {
  return part_of<const Recurrent>(model, kRecurrent);
}
Embeddings* embeddings_of(Model& model) { return part_of<Embeddings>(model, kEmbeddings); }
Stack* stack_of(Model& model) { return part_of<Stack>(model, kStack); }
Recurrent* recurrent_of(Model& model) { return part_of<Recurrent>(model, kRecurrent); }

bool has_scores(const Model& model) { return !std::holds_alternative<GivenWeights>(model); }

void check(Findings& findings, const Model& model, const Surroundings& around) {
  std::visit([&](const auto& kind) { check(findings, kind, around); }, model);
}

void put_into(AttentionProblem& problem, const Model& model) {
  std::visit([&](const auto& kind) { put_into(problem, kind); }, model);
}

}  // namespace attn
