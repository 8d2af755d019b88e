// Interventions: changes of single heads that leave all parameters as they are.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "attention/stage.h"
#include "base/tensor.h"

namespace attn {

inline constexpr float kLargestGate = 2.0F;

// The factor of a head's output in front of W_O, in every sample: (gate ⊙ concat) · W_O + b_O. With
// 0 nothing reads the head (Michel et al. 2019).
struct HeadGate {
  HeadAddress at;       // layer, head and attention; sample 0
  float factor = 1.0F;  // from 0 to kLargestGate
  friend bool operator==(const HeadGate&, const HeadGate&) = default;
};

// Weights that a head of one sample has in place of those from its scores: (n_q, n_k), as they are;
// those of keys that the mask hides are 0. Only where maps are materialised.
struct HeadPattern {
  HeadAddress at;
  Tensor weights;
  friend bool operator==(const HeadPattern&, const HeadPattern&) = default;
};

// Outputs of a head of one sample that W_O reads in place of its own, (n_q, d_v): those of another
// text, as patching uses them (Meng et al. 2022). Never in documents.
struct HeadOutput {
  HeadAddress at;
  Tensor rows;
  friend bool operator==(const HeadOutput&, const HeadOutput&) = default;
};

// Compared and written as they are ordered: by layer, head, attention and sample, each head once,
// no gate with the factor 1.
struct Interventions {
  std::vector<HeadGate> gates;
  std::vector<HeadPattern> patterns;
  std::vector<HeadOutput> outputs;
  friend bool operator==(const Interventions&, const Interventions&) = default;
};

// The factor of the head at the address, whatever the sample; 1 unless there is a gate.
float gate_of(const Interventions& what_if, const HeadAddress& at);
// Sets it.
void set_gate(Interventions& what_if, const HeadAddress& at, float factor);

// Weights of the head at the address in place of its own, or null. Borrowed.
const Tensor* pattern_of(const Interventions& what_if, const HeadAddress& at);
// Sets them; empty ones leave the head its own.
void set_pattern(Interventions& what_if, const HeadAddress& at, Tensor weights);

// Factors of all heads of an attention of a layer, in order; empty if all are 1.
std::vector<float> gates_of(const Interventions& what_if, const HeadAddress& at, std::size_t heads);

// Returns the interventions in one attention of one layer, with addresses in a model of that layer
// alone.
Interventions of_one_layer(const Interventions& what_if, const HeadAddress& at);

// "gates", "patterns", "gates and patterns"; "" without any.
std::string words_of(const Interventions& what_if);

}  // namespace attn
