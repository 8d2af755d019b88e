// Model: one of the kinds, and the functions of all kinds.
#pragma once

#include <concepts>
#include <optional>
#include <span>
#include <string>
#include <variant>

#include "kinds/blocks/model.h"
#include "kinds/given_qkv/model.h"
#include "kinds/given_weights/model.h"
#include "kinds/layer/model.h"
#include "kinds/recurrent/model.h"

namespace attn {

// Copies are cheap: tensors share their numbers. "Sound" below: every required tensor is given, of
// a valid rank, and fits the others.
using Model = std::variant<GivenQkv, AttentionLayer, BlockModel, RecurrentModel, GivenWeights>;

// The kinds in the order in which people choose one: those of a model among them.
std::span<const KindInfo* const> all_kinds();

// Choices for a model as a whole, by kind; a stack is given with empty blocks.
using ModelChoice = std::variant<Stack, RecurrentChoice>;

// Checks that a kind has a function for each of those below. A missing one would resolve to that of
// Model, into which a kind converts, and recurse endlessly: these match exact types.
template <class Kind>
concept ListsItsTensors = requires {
  static_cast<TensorList (*)(const Kind&, const AttentionShape&)>(tensors_of);
};
template <class Kind>
concept ListsItsBlocks = requires {
  static_cast<TensorList (*)(const Kind&, const AttentionShape&, std::optional<std::size_t>)>(
      tensors_of);
};
template <class Kind>
concept ModelKind = (ListsItsTensors<Kind> || ListsItsBlocks<Kind>)&&requires(const Kind& kind) {
  { kind.info() } -> std::same_as<const KindInfo&>;
  static_cast<AttentionShape (*)(const Kind&)>(shape_of);
  static_cast<void (*)(Findings&, const Kind&, const Surroundings&)>(check);
  static_cast<void (*)(AttentionProblem&, const Kind&)>(put_into);
};
template <class Variant>
inline constexpr bool kHoldsKinds = false;
template <class... Kinds>
inline constexpr bool kHoldsKinds<std::variant<Kinds...>> = (ModelKind<Kinds> && ...);
static_assert(kHoldsKinds<Model>, "each kind answers for itself");

const KindInfo& info_of(const Model& model);

// Layers, samples, heads and lengths, derived from the tensors; of two attentions those of the last
// one. Precondition: the model is sound.
AttentionShape shape_of(const Model& model);

// All tensors that the model has or may have, in the order of written documents. Borrowed. With
// `block` only that one of the blocks. Precondition: the model is sound, and has the shape.
TensorList tensors_of(const Model& model, const AttentionShape& shape,
                      std::optional<std::size_t> block = {});

// Parts of several kinds, or null. Borrowed.
const Embeddings* embeddings_of(const Model& model);
const Stack* stack_of(const Model& model);
Embeddings* embeddings_of(Model& model);
Stack* stack_of(Model& model);

// False for given weights.
bool has_scores(const Model& model);

// Properties beyond the shape, in words: "GRU encoder and decoder of 3 hidden units"; may be empty.
std::string words_of(const Model& model);

// Checks the model; pointers are those of the written document.
void check(Findings& findings, const Model& model, const Surroundings& around);

// Sets the problem's tensors at full rank.
void put_into(AttentionProblem& problem, const Model& model);

}  // namespace attn
