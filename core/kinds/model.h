// Model: one of the kinds, and the functions of all kinds.
#pragma once

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

// All kinds, in the order in which menus list them.
std::span<const KindInfo* const> all_kinds();

// Choices for a model as a whole, by kind; a stack is given with empty blocks.
using ModelChoice = std::variant<Stack, RecurrentChoice>;

const KindInfo& info_of(const Model& model);

// Layers, samples, heads and lengths, derived from the tensors; of two attentions those of the last
// one. Precondition: the model is sound.
AttentionShape shape_of(const Model& model);

// All tensors that the model has or may have, in the order of written documents. Borrowed. `block`
// restricts them to one of the blocks. Precondition: the model is sound, and has the shape.
TensorList tensors_of(const Model& model, const AttentionShape& shape,
                      std::optional<std::size_t> block = {});
TensorList tensors_of(Model&& model, const AttentionShape& shape,
                      std::optional<std::size_t> block = {}) = delete;

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
