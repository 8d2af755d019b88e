// A model as a value: one of the kinds, and what all of them answer.
#pragma once

#include <optional>
#include <variant>

#include "model/attention_layer.h"
#include "model/decoder_stack.h"
#include "model/encoder_stack.h"
#include "model/given_qkv.h"
#include "model/given_weights.h"
#include "model/recurrent_model.h"

namespace attn {

// Copies are cheap: tensors share their numbers. "Sound" below: every tensor that the kind needs is
// there, of a rank that it allows, and fits the others.
using Model = std::variant<GivenQkv, AttentionLayer, EncoderStack, DecoderStack, RecurrentModel,
                           GivenWeights>;

// Layers, samples, heads and lengths, read off the tensors. Precondition: the model is sound.
AttentionShape shape_of(const Model& model);

// Every tensor that the model has or has room for, in the order of written documents. Borrowed.
// With a block: of the blocks only that one. Precondition: the model is sound, and has the shape.
TensorList tensors_of(const Model& model, const AttentionShape& shape,
                      std::optional<std::size_t> block = {});

// Parts that several kinds have, or null. Borrowed.
const Embeddings* embeddings_of(const Model& model);
const Stack* stack_of(const Model& model);
const Recurrent* recurrent_of(const Model& model);
Embeddings* embeddings_of(Model& model);
Stack* stack_of(Model& model);
Recurrent* recurrent_of(Model& model);

// Whether anything is scored; else the weights are as they were given.
bool has_scores(const Model& model);

// Finds what does not fit in it, by the JSON pointers of the written document.
void check(Findings& findings, const Model& model, const Surroundings& around);

// Gives its tensors, at full rank, to a problem of its shape.
void put_into(AttentionProblem& problem, const Model& model);

}  // namespace attn
