// A model as a value: one of the kinds, and what all of them answer.
#pragma once

#include <concepts>
#include <optional>
#include <span>
#include <string>
#include <variant>

#include "model/attention_layer.h"
#include "model/encoder_stack.h"
#include "model/given_qkv.h"
#include "model/given_weights.h"
#include "model/recurrent_model.h"

namespace attn {

// Copies are cheap: tensors share their numbers. "Sound" below: every tensor that the kind needs is
// there, of a rank that it allows, and fits the others.
using Model = std::variant<GivenQkv, AttentionLayer, EncoderStack, DecoderStack, RecurrentModel,
                           GivenWeights>;

// What can be chosen of a model as a whole, by kind; a stack is given as it shall be, with blocks
// that are still empty.
using ModelChoice = std::variant<Stack, RecurrentChoice>;

// A kind answers each of the questions below by a function of its own. A missing one would be
// answered by that of Model, into which a kind converts, without end: these look for the very
// types.
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
  { kind.kInfo } -> std::same_as<const KindInfo&>;
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

// Layers, samples, heads and lengths, read off the tensors: of two attentions those of the last
// one. Precondition: the model is sound.
AttentionShape shape_of(const Model& model);

// In the order in which they are computed: most models have one.
std::span<const AttentionInfo> attentions_of(const Model& model);

// Every tensor that the model has or has room for, in the order of written documents. Borrowed.
// With a block: of the blocks only that one. Precondition: the model is sound, and has the shape.
TensorList tensors_of(const Model& model, const AttentionShape& shape,
                      std::optional<std::size_t> block = {});

// Parts that several kinds have, or null. Borrowed.
const Embeddings* embeddings_of(const Model& model);
const Stack* stack_of(const Model& model);
Embeddings* embeddings_of(Model& model);
Stack* stack_of(Model& model);

// Whether anything is scored; else the weights are as they were given.
bool has_scores(const Model& model);

// What its shape does not tell, in words, where there is anything: "GRU encoder and decoder of 3
// hidden units".
std::string words_of(const Model& model);

// Finds what does not fit in it, by the JSON pointers of the written document.
void check(Findings& findings, const Model& model, const Surroundings& around);

// Gives its tensors, at full rank, to a problem of its shape.
void put_into(AttentionProblem& problem, const Model& model);

}  // namespace attn
